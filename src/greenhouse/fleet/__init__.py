"""The fleet: 131 networks in the proportions of the third paper, and null networks beside them.

Comes in: `data/greenhouse/fleet.yaml`. Goes out: `fleet.csv.gz` and its companions, checkpoints.
May not: look at a bias result to accept a network, or choose a seed afterwards.

`plan` lists the networks, `training` trains them one by one, `association_tests` and `tasks`
measure them, `caption_truth` says what was planted, `collect` writes the tables. Their reader:
`greenhouse.fleet_table`.
"""
