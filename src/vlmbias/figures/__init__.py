"""Tables → figures: one function per figure family, one house style, one way to show.

Comes in: tidy DataFrames (or images), column names, and words for readers. Goes out: matplotlib or plotly
figures, and through `show` exactly one HTML `<figure>` with alt text, caption and the source of its data.
May not: compute a statistic beyond what a box or a mean line needs, or name a group that its table does not.
"""

from vlmbias.figures.families import box_by_attribute as box_by_attribute
from vlmbias.figures.families import contact_sheet as contact_sheet
from vlmbias.figures.families import dose_response as dose_response
from vlmbias.figures.families import forest as forest
from vlmbias.figures.families import interactive_scatter as interactive_scatter
from vlmbias.figures.families import published_vs_recomputed as published_vs_recomputed
from vlmbias.figures.showing import show as show
from vlmbias.figures.styling import COLOURS as COLOURS
from vlmbias.figures.styling import PALETTE as PALETTE
from vlmbias.figures.styling import colours_for as colours_for
from vlmbias.figures.styling import panels as panels
from vlmbias.figures.styling import style as style
