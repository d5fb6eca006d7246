"""Do the numbers that a paper prints agree with each other? The arithmetic, and nothing else.

Comes in: numbers as printed, with the rounding that their last digits imply.
Goes out: a `Finding`: consistent, inconsistent or not checkable, under which reading, and why.
May not: import anything of ours, or know what a number is about: claims are the ledger's.
"""
