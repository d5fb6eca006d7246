"""From notebooks to a book: plan, execute, rerun, stage. It holds no statistic, nothing that a
notebook uses imports it, and but for the notebooks' pairs it writes into `_build/` alone."""
