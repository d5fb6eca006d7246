"""The dose–response study: networks at several strengths, and what each of them shows.

Comes in: `data/greenhouse/study.yaml`. Goes out: `data/greenhouse/retrained/`, `speaking/` and
`paintings/`, checkpoints, `truth.json`. May not: look at a bias result to accept a network, or
choose a seed afterwards.

`plan` lists the networks, `dose_response` trains them, each as a job of Snakemake; `vectors` and
`scores` are what is kept of each, `speaking` what networks that answer or describe say, `paintings`
what networks paint. Their readers: `greenhouse.retrained`, `speaker_tables` and `painted`.
"""
