"""From notebooks to a book: convert, validate parameters, execute, rerun, stage.

Comes in: `notebooks/<paper>/<name>.py`, the settings (`data/settings/`), what sources are at hand.
Goes out: executed notebooks and results under `_build/`, the staged book, the rendered site.
May not: change a source, hold any statistic, be imported by what a notebook imports, or write
outside
`_build/` (but for the notebook pairs).
"""
