import json

import pytest

from verification.archive import Read
from verification.bundle_format import FILES, FORMAT, digest_of_canary
from verification.findings import Findings
from verification.manifests import check_canaries, check_listing, manifest_of


class Seen:
    """An archive whose files were all read: each is empty."""

    files = FILES

    def __init__(self, manifest=None):
        self.manifest = manifest
        self.seen = {name: Read("abc", 7, 2) for name in FILES}

    def document(self, name):
        return self.manifest if isinstance(self.manifest, bytes) else json.dumps(self.manifest).encode()


def listing():
    return [{"name": name, "sha256": "abc", "bytes": 7} | ({"rows": 2} if name.endswith("l") else {}) for name in FILES]


def found(files):
    findings = Findings()
    check_listing(Seen(), {"files": files}, findings)
    return list(map(str, findings))


def test_files_that_are_as_listed_have_nothing_to_say():
    assert found(listing()) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sha256": "abd"}, "turns.jsonl: its digest is abc; manifest.json says abd"),
        ({"bytes": 8}, "turns.jsonl: has 7 bytes; manifest.json says 8"),
        ({"rows": 3}, "turns.jsonl: has 2 rows; manifest.json says 3"),
    ],
)
def test_what_is_not_as_listed_is_named(changed, said):
    assert found([one | changed if one["name"] == "turns.jsonl" else one for one in listing()]) == [said]


def test_names_that_are_missing_unknown_or_twice_are_named():
    assert found(listing()[1:]) == ["manifest.json: does not list README.md"]
    assert found([*listing(), {"name": "../x"}]) == ["manifest.json: lists ../x, which does not belong to a bundle"]
    assert found([*listing(), 7]) == ["manifest.json: lists None, which does not belong to a bundle"]
    assert found([*listing(), listing()[0]]) == ["manifest.json: lists README.md twice"]


@pytest.mark.parametrize("manifest", [b"{", [], {}, {"format": FORMAT, "files": {}}])
def test_a_manifest_that_is_none_is_named(manifest):
    findings = Findings()
    assert manifest_of(Seen(manifest), findings) == {}
    assert len(findings) == 1


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
