"""Many networks: lists of recipes, trained, tested and turned into the tables that are shipped.

Comes in: `data/greenhouse/{study,fleet}.yaml`. Goes out: `data/greenhouse/retrained/`,
`fleet.csv.gz` and its companions, checkpoints, `truth.json`. May not: look at a bias result to
accept a network, or choose a seed afterwards."""
