"""Studies: what each chapter computes, where it is typed and tested.

Comes in: perceptions and embeddings of `vlmbias`, retrained networks and truth of `greenhouse`.
Goes out: tables, predicates of claims, and comparisons with what was planted. May not: print, read
a file, or be imported by `vlmbias`, `greenhouse` or `runner`: only notebooks, the pages' scripts in
`book/_ext`, tests and benchmarks do so. Figures are plotted by those, but for what pages share:
`primers` and `overviews`.

One package per paper (and `greenhouse` for the laboratory's own pages), one module per table or
figure, named as its notebook. What several studies need stands beside the packages:

- `words`: verbs and lists that a number decides;
- `roles`: which group plays which part, in the paper and in the Greenhouse;
- `shown`: what retrained networks make of the pictures they were shown;
- `summary`: what tests report where nothing was planted, over the three papers, for the first page;
- `associations`: tests of groups against words or scenes, with faces, words or networks as the unit
  of analysis.

How to write a chapter
----------------------
`notebooks/causalface/age.py` with `studies/causalface/age.py` and
`tests/studies/causalface/test_age.py` is the pattern. In this order:

1. Write down the one argument: what is claimed, which assumption it rests on, and what would be
   seen without it. One counter-example per assumption. What does not serve the argument goes to a
   primer, to another page, or out.
2. Write the module. Its functions take a `Perception`, arrays or tables, and what a reader might
   choose as keyword arguments; they return tables with one row per thing and no words for readers.
   A sample, or anything else of several arrays that belong together, is a frozen dataclass. Roles
   and truth are arguments: a module names no fictional group, and does not know at which strength
   something was planted.
3. The paper's statements become predicates: `claims(…)` returns True or False by the claim's id,
   without the chapter's prefix. The notebook records them.
4. What was planted is compared in a function of its own that takes the truth of any rows: a
   callable from a table of faces to logits `(rows × dimensions)`. Say in the docstring which truth
   it is: what a count of captions shows, or what a network that had learnt every face's odds shows
   on average.
5. Retrained networks are the unit of analysis: one value per network, `vb.networks` for means,
   rates and tests.
6. Test against a slow, obvious version with made-up data in which each group, dimension and set
   differs, so that nothing can be mixed up unseen; every predicate on data in which it holds and on
   data in which it does not.
7. Write the notebook. Visible cells are what a person would type and carry the argument; cells
   tagged `hide-input` hold plots; a long table gets `hide-output`. A summary figure stands near the
   top; as the cells of the second section are taken out where a reader lacks its data, that figure
   comes from the shipped networks.
8. Numbers reach the prose through one `vb.note(…)` per cell. A number is glued with its format
   (`{glue:text}`x:.2f``), a word without. A verb, an ordering or a list that depends on a number is
   one of `words`, noted like a number.
9. What else a chapter needs (settings, own images, the contents of the book) is listed on the
   architecture page, *A new chapter*.
"""
