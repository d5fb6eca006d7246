"""Studies: what two chapters compute, or what a test holds against another way to compute it.

What one chapter computes stands in its notebook. Nothing here prints or reads a file, and
`vlmbias`, `greenhouse` and `runner` import nothing of it: notebooks, the pages' scripts in
`book/_ext`, tests and benchmarks do. Figures are drawn by those, but for what pages share:
`primers` and `overviews`.

One package per paper (and `greenhouse` for the laboratory's own pages). What several studies need
stands beside the packages:

- `words`: lists and counts as a sentence has them;
- `tables`: tables as a page shows them;
- `roles`: which group plays which part, in the paper and in the Greenhouse;
- `shown`: what retrained networks make of the pictures they were shown;
- `summary`: what tests report where nothing was planted, over the three papers;
- `associations`: tests of groups against words or scenes, with faces, words or networks as the unit
  of analysis.

How to write a chapter
----------------------
In this order:

1. Write down the one argument: what is claimed, which assumption it rests on, and what would be
   seen without it. One counter-example per assumption. What does not serve the argument goes to a
   primer, to another page, or out.
2. Write the notebook. Visible cells are what a person would type and carry the argument; cells
   tagged `hide-input` hold plots; a long table gets `hide-output`. A summary figure stands near the
   top; as the cells of the second section are taken out where a reader lacks its data, that figure
   comes from the shipped networks.
3. What another chapter calls, too, or what needs a test against a slow, obvious version becomes a
   function here. It takes a `Perception`, arrays or tables, and what a reader might choose as
   keyword arguments; it returns tables with one row per thing and no words for readers. Roles and
   truth are arguments: a module names no fictional group, and does not know at which strength
   something was planted.
4. The paper's statements become predicates: `claims(…)` returns True or False by the claim's id,
   without the chapter's prefix. The notebook records them. Only people's data reach most of them,
   so each is tested on made-up data in which it holds and on data in which it does not.
5. What was planted is compared with the truth of any rows: a callable from a table of faces to
   logits `(rows × dimensions)`. Say which truth it is: what a count of captions shows, or what a
   network that had learnt every face's odds shows on average.
6. Retrained networks are the unit of analysis: one value per network, `vb.networks` for means,
   rates and tests.
7. Numbers reach the prose through one `vb.note(…)` per cell. A number is glued with its format
   (`{glue:text}`x:.2f``), a name without.
8. A sentence whose truth depends on a number is typed as it reads, `[…]{.holds #name}`, and
   `vb.holds(name=…)` computes beside it whether it holds.
9. What else a chapter needs (settings, own images, the contents of the book) is listed on the
   architecture page, *A chapter*.
"""
