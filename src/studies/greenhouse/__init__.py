"""The pages of the Greenhouse: what its worlds show of methods, not of a paper."""
