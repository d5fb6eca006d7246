"""`vlmbias ledger audit`: the recorded claims, checked."""


def audit() -> None:
    """Check every record, and print every check with what it found, then every finding.

    \b
    Example:
      vlmbias ledger audit
    """
    from vlmbias import ledger

    checks = ledger.audit()
    for row in checks.query("rule != ''").to_dict("records"):
        verdict = row["verdict"] + (f" ({row['severity']})" if row["severity"] else "")
        named = (
            f"; but for {', '.join(row['exceptions'])}"
            if row["verdict"] == "consistent but for"
            else ""
        )
        value = row["printed"] or row["ours"]
        print(f"{row['claim']:42s} {value[:18]:>18s}  {verdict}: {row['reason']}{named}")
    for row in ledger.findings(checks).to_dict("records"):
        counts = f"checks: {row['checks']}, records: {len(row['claims'])}"
        print(f"finding ({row['severity']}): {row['finding']}, {row['where']}; {counts}")
    print(f"every record is well formed; {checks['verdict'].value_counts().to_dict()}")
