"""The tables and figures of Steed and Caliskan (2021), our calibration, one module each.

Comes in: embeddings, retrained networks, roles and truth. Goes out: tables, and predicates of
claims.
May not: draw, print, or read a file.
"""
