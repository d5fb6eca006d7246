"""The world of the Greenhouse: what there is to see and to say, with its biases known by
construction.

Comes in: seeds, attributes, one strength of bias.
Goes out: pictures (`faces`, `icons`), the tables that list them (`grid`), captions and the truth
about them.
May not: import anything but numpy, pandas and yaml; keep random state; show or name a real group.

`faces.render(table)` and `icons.render(table)` turn tables into pictures; `grid` lists the sets;
`nuisance` holds the amplitudes of what varies without meaning anything; `painting` does the
brushwork.
"""
