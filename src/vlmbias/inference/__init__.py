"""What counts as one observation: identities drawn anew, networks trained anew, models that took
the same tests.

Comes in: values with the cluster (identity, network, model) that each belongs to. Goes out:
bootstrap weights, tables of means, rates, coefficients and tests. May not: read files, or treat
values of one cluster as independent.
"""

from vlmbias.inference.resampling import cluster_weights, weighted_medians

from .corrections import holm

__all__ = ["cluster_weights", "holm", "weighted_medians"]
