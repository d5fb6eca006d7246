"""The tables and figures of Hausladen et al. (2025), one module each.

Comes in: perceptions, retrained networks, roles and truth. Goes out: tables, and predicates of
claims.
May not: draw, print, or read a file.
"""
