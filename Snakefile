"""The graph: notebook → executed notebook + results → ledger, results → book.

Run it with `make book` (or `vlmbias book`), which first writes `_build/inputs/*.json`: for each notebook,
the content hashes of everything it is made from. A file there changes only when one of those contents
does, so the graph needs no other input and a `touch` reruns nothing. Rules are thin calls of the package.
"""

import sys

from vlmbias.running.plan import notebooks

VLMBIAS = f"exec {sys.executable} -m vlmbias"
NOTEBOOKS = notebooks()


rule all:
    input:
        expand("_build/executed/{notebook}.ipynb", notebook=NOTEBOOKS),
        expand("_build/results/{notebook}.json", notebook=NOTEBOOKS),
        "_build/results.json",
        "_build/ledger.json",
        "_build/site/built.json",


rule notebook:
    input:
        "_build/inputs/notebooks/{notebook}.json",
    output:
        executed="_build/executed/{notebook}.ipynb",
        results="_build/results/{notebook}.json",
    log:
        "_build/failed/{notebook}.ipynb",
    threads: 1
    shell:
        "{VLMBIAS} run-notebook {wildcards.notebook} --threads {threads}"


rule results:
    input:
        expand("_build/executed/{notebook}.ipynb", notebook=NOTEBOOKS),
    output:
        "_build/results.json",
    shell:
        "{VLMBIAS} results"


rule ledger:
    input:
        "_build/inputs/ledger.json",
        expand("_build/results/{notebook}.json", notebook=NOTEBOOKS),
    output:
        "_build/ledger.json",
    shell:
        "{VLMBIAS} ledger collate"


rule book:
    input:
        "_build/inputs/book.json",
        "_build/results.json",
        "_build/ledger.json",
        expand("_build/executed/{notebook}.ipynb", notebook=NOTEBOOKS),
    output:
        "_build/site/built.json",
    shell:
        "{VLMBIAS} stage --build"
