"""What is shown to a model: image sets (`images`) and prompt sets (`prompts`), as tables with a row
per image or prompt.

The package itself imports nothing: every build asks its modules for the state of a reader's
folders, which would otherwise load pandas.
"""
