"""What a program does, without how it is laid out and what it says to a reader.

Comes in: the bytes of a module. Goes out: its code alone, to be hashed. May not: run it.
"""

import ast


def alone(content: bytes) -> bytes:
    """A module without layout, comments and docstrings; whole, if it is no Python."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return content
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = node.body[ast.get_docstring(node, clean=False) is not None :]
    return ast.dump(tree).encode()
