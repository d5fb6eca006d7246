"""The tables and figures of Wolfe and Caliskan (2022), one module each.

Comes in: embeddings, retrained networks, roles and truth. Goes out: tables, and predicates of
claims.
May not: draw, print, or read a file.
"""
