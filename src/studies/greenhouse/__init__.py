"""The pages of the Greenhouse, one module each: what its worlds show of methods, not of a paper.

Comes in: embeddings, retrained networks, roles and truth. Goes out: tables, and predicates of
claims.
May not: draw, print, or read a file.
"""
