"""Do the numbers that a paper prints agree with each other? The arithmetic, and nothing else.

A number comes with the rounding that its last digit implies; a `Finding` says under which reading a
rule holds, and why. Nothing else of ours is imported: what a number is about, the ledger knows.
"""
