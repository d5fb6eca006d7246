"""Tiny CLIPs for the Greenhouse: training, gates, calibration, and the dose–response study.

Comes in: the world's pictures and captions, a recipe, a strength b and a seed. Goes out:
checkpoints that
are ordinary open_clip folders, and tables of results. May not: judge a model by what was planted
(its gates
ask only for descriptions), or be imported by `vlmbias` or `greenhouse.world`.
"""
