"""Tables that others published, checked when they are read, in the form of our own measures."""
