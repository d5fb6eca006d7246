"""The tables and figures of Ghate et al. (2025), one module each.

Comes in: embeddings, retrained networks, roles and truth. Goes out: tables, and predicates of
claims.
May not: draw, print, or read a file.
"""
