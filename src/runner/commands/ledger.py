"""`vlmbias ledger collate | audit | check | schema`."""

import argparse


def _audit(ledger) -> str:
    """Every check with what it found, then every finding."""
    checks, lines = ledger.audit(), []
    for row in checks.query("rule != ''").to_dict("records"):
        verdict = row["verdict"] + (f" ({row['severity']})" if row["severity"] else "")
        named = (
            f"; but for {', '.join(row['exceptions'])}"
            if row["verdict"] == "consistent but for"
            else ""
        )
        value = row["printed"] or row["ours"]
        lines.append(f"{row['claim']:42s} {value[:18]:>18s}  {verdict}: {row['reason']}{named}")
    for row in ledger.findings(checks).to_dict("records"):
        counts = f"checks: {row['checks']}, records: {len(row['claims'])}"
        lines.append(f"finding ({row['severity']}): {row['finding']}, {row['where']}; {counts}")
    return "\n".join(
        [*lines, f"every record is well formed; {checks['verdict'].value_counts().to_dict()}"]
    )


COMMANDS = {
    "collate": (lambda ledger: ledger.collate(), "merge results into _build/ledger.json"),
    "audit": (_audit, "check every record and print every audit finding"),
    "check": (
        lambda ledger: f"{len(ledger.load())} well-formed records, {len(ledger.audit())} rows",
        "check records",
    ),
    "schema": (
        lambda ledger: ledger.write_schema(),
        "write data/claims/schema.json, which editors check files with",
    ),
}


def _run(options: argparse.Namespace) -> None:
    from vlmbias import ledger

    print(options.what(ledger))


def register(add) -> None:
    """Add the commands of `vlmbias ledger`; `add` is described in `runner.commands`."""
    for name, (what, help) in COMMANDS.items():
        add(f"ledger {name}", _run, help).set_defaults(what=what)
