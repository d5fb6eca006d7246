"""The graph: notebook → executed notebook + results → ledger → book.

Run it with `make book` (or `vlmbias book`), which first writes `_build/inputs/*.json`: for each notebook,
the content hashes of everything it is made from. A file there changes only when one of those contents
does, so the graph needs no other input and a `touch` reruns nothing. Rules are thin calls of the package.
"""

import sys
from pathlib import Path

VLMBIAS = f"exec {sys.executable} -m vlmbias"
NOTEBOOKS = sorted(path.with_suffix("").relative_to("notebooks").as_posix() for path in Path("notebooks").glob("*/*.py"))


rule all:
    input:
        expand("_build/executed/{notebook}.ipynb", notebook=NOTEBOOKS),
        expand("_build/results/{notebook}.json", notebook=NOTEBOOKS),
        "_build/ledger.json",
        "_build/site/built.json",


rule notebook:
    input:
        "_build/inputs/notebooks/{notebook}.json",
    output:
        executed="_build/executed/{notebook}.ipynb",
        results="_build/results/{notebook}.json",
    threads: 1
    shell:
        "{VLMBIAS} run-notebook {wildcards.notebook} --threads {threads}"


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
        "_build/ledger.json",
        expand("_build/executed/{notebook}.ipynb", notebook=NOTEBOOKS),
    output:
        "_build/site/built.json",
    shell:
        "{VLMBIAS} stage --build"


onerror:
    failed = [f"_build/failed/{name}.ipynb" for name in NOTEBOOKS if Path(f"_build/failed/{name}.ipynb").is_file()]
    if failed:
        print("Failed notebooks, each with its error inside:", *failed, sep="\n  ")
    print("What succeeded is kept: mend the cause, then `make book` resumes here.")
