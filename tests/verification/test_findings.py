from verification.findings import SHOWN_PER_FILE, Findings, shown


def test_a_finding_names_its_file_and_line():
    findings = Findings()
    findings.note("turns.jsonl", "is odd", line=3, figure="text")
    findings.note("campaign.json", "is odd")
    assert list(map(str, findings)) == ["turns.jsonl, line 3: is odd", "campaign.json: is odd"]
    assert next(iter(findings)).as_json() == {
        "file": "turns.jsonl",
        "text": "is odd",
        "line": 3,
        "figure": "text",
    }


def test_of_many_findings_of_a_file_the_first_are_shown_and_all_are_counted():
    findings = Findings()
    for line in range(1, 101):
        findings.note("turns.jsonl", "is odd", line=line)
    told = list(map(str, findings))
    assert len(findings) == 100
    assert told[SHOWN_PER_FILE:] == ["turns.jsonl: 80 more findings of this kind are not listed"]


def test_values_out_of_a_bundle_cannot_steer_a_terminal_or_fill_it():
    assert shown("好") == "好"
    assert "\x1b" not in shown("\x1b[31m")
    assert "\n" not in shown("a\nb")
    assert "\x1b" not in shown(["\x1b"])
    assert len(shown("x" * 10_000)) == 81
