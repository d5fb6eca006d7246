"""Tiny CLIPs, BLIPs and a VQGAN: training, and the gates, which ask only for descriptions and never
for what was planted."""
