"""Tables that others published, checked when they are read.

Comes in: a folder or file that somebody else wrote. Goes out: the same objects that our own
measures return, so that nothing after this room has to know where a number came from. May not: fill
in a row, a column or a value that is not there, or compute a statistic.
"""
