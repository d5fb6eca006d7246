"""What is shown to a model: image sets and prompt sets, as tables.

Comes in: the name of a set, where it lies, and filters. Goes out: `ImageSet` and `PromptSet`: one
row of metadata per image or prompt, and how to decode image i. May not: load a model, compute a
measure or touch the network. Pictures are decoded only when asked for, a few at a time.

The package itself imports nothing: `sources` asks its modules for the state of a reader's folders
at each build, which would otherwise load pandas. Image sets are in `images`, prompts in `prompts`.
"""
