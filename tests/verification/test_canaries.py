from verification.bundle_format import digest_of_canary
from verification.findings import Findings
from verification.manifests import check_canaries

CANARY = {"protocol": "huace/1", "version": "", "taken_at": "2026-05-01T08:00:00+00:00", "answers": ["a"]}


def row(bot, **changed):
    sealed = CANARY | {"sha256": digest_of_canary("a", CANARY)}
    return {"bot": bot, "canary": sealed | changed}


def found_in(*rows):
    findings = Findings()
    return check_canaries(rows, findings), [str(one) for one in findings]


def test_those_that_are_what_their_digest_covers_are_counted():
    assert found_in(row("a"), {"bot": "b", "canary": None}) == (1, [])


def test_one_that_was_changed_or_is_another_bots_is_named():
    said = "entries.jsonl: the fingerprint of the bot {} is not what its digest covers"
    assert found_in(row("a", answers=["b"])) == (1, [said.format("a")])
    assert found_in(row("b")) == (1, [said.format("b")])


def test_one_that_was_changed_together_with_its_digest_is_left_to_the_digest_of_the_bundle():
    changed = CANARY | {"answers": ["b"]}
    assert found_in(row("a", answers=["b"], sha256=digest_of_canary("a", changed))) == (1, [])
