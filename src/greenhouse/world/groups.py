"""The names of the groups: hues, and the two crests. This imports nothing, so whoever needs a name
can take it from here.

They are words of the captions. A name that changes here changes in `data/greenhouse/grammar.yaml`,
`bias.yaml`, `fleet.yaml` and `provinces.csv` and in `data/stimuli/greenhouse` as well, and then
every network must be trained again.
"""

HUES: tuple[str, ...] = ("teal", "amber", "violet", "lime")
CRESTS: tuple[str, str] = ("budded", "eared")
THREE, FOURTH = HUES[:3], HUES[3]
"""The hues of sets with three groups, and the one that only sets with four have."""
