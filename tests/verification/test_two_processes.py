"""Two processes find a bundle sound where one does; whatever else there is, one process says it."""

import multiprocessing
import os
import select
import signal
from itertools import repeat

import pytest

from tests.verification.tampering import with_new_hashes, zipped
from tests.verification.test_verifying import CHANGES
from verification import two_processes, verifying
from verification.archive import Archive
from verification.findings import Unreadable
from verification.talks import Talk
from verification.two_processes import Differs, NoFindings, told_beside
from verification.verifying import verify


@pytest.fixture
def path(tmp_path, bundle):
    path = tmp_path / "b.zip"
    path.write_bytes(bundle)
    return path


@pytest.fixture
def one_process_refuses(monkeypatch):
    def refuse(path, digest, *, draws):
        raise AssertionError("one process was asked")

    monkeypatch.setattr(verifying, "_verified", refuse)


def test_a_sound_bundle_is_verified_with_the_same_report(path, monkeypatch):
    alone = verify(path)
    monkeypatch.setattr(verifying, "_verified", None)
    assert verify(path, n_processes=2) == alone
    assert alone.is_verified
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("n", [1, 7, 1000])
def test_talks_come_in_their_order_however_many_are_told_at_once(path, monkeypatch, one_process_refuses, n):
    monkeypatch.setattr(two_processes, "DIALOGUES_AT_ONCE", n)
    assert verify(path, n_processes=2).is_verified


@pytest.mark.parametrize("name", CHANGES)
def test_whatever_differs_is_told_as_by_one_process(name, files, tmp_path, capfd):
    change, _, _ = CHANGES[name]
    changed = change(files)
    for number, content in enumerate((changed, with_new_hashes(changed))):
        path = tmp_path / f"{number}.zip"
        path.write_bytes(zipped(content))
        report = verify(path, n_processes=2)
        assert report == verify(path)
        assert not report.is_verified
    # A traceback is for mistakes of ours alone.
    assert capfd.readouterr().err == ""


def test_a_talk_is_checked_in_the_other_process_alone(path, monkeypatch, one_process_refuses):
    """The fork has this patch, too: it finds something, and nothing is taken from it."""
    monkeypatch.setattr(Talk, "check", lambda talk, policy, findings: findings.note("turns.jsonl", "odd"))
    with pytest.raises(AssertionError, match="one process was asked"):
        verify(path, n_processes=2)


def test_a_process_that_dies_is_no_verdict(path, monkeypatch, one_process_refuses):
    monkeypatch.setattr(two_processes, "_tell", lambda path, theirs, to: None)
    with pytest.raises(AssertionError, match="one process was asked"):
        verify(path, n_processes=2)


def test_what_nobody_foresaw_is_said(path, monkeypatch, one_process_refuses, capfd):
    def fail(archive):
        raise NotImplementedError

    monkeypatch.setattr(two_processes, "dialogues_of", fail)
    with pytest.raises(AssertionError, match="one process was asked"):
        verify(path, n_processes=2)
    assert "NotImplementedError" in capfd.readouterr().err


class TalksForever:
    def __init__(self, *args):
        pass

    def turns_of(self, line, dialogue):
        return [0] * 1000


def test_a_process_whose_reader_was_killed_ends(path, monkeypatch):
    """It waits for somebody to read on when that happens. All that is seen of it is the end of a pipe that it has inherited."""
    monkeypatch.setattr(two_processes, "Said", TalksForever)
    monkeypatch.setattr(two_processes, "dialogues_of", lambda archive: repeat((1, {})))
    seen, written = os.pipe()
    reader = os.fork()
    if not reader:
        with told_beside(path, Archive(path)):
            (teller,) = multiprocessing.active_children()
            os.write(written, f"{teller.pid}\n".encode())
            signal.pause()
    os.close(written)
    with open(seen) as told:
        teller = int(told.readline())
        os.kill(reader, signal.SIGKILL)
        os.waitpid(reader, 0)
        has_ended = bool(select.select([told], [], [], 10)[0])
        if not has_ended:
            os.kill(teller, signal.SIGKILL)
        assert has_ended


def test_what_cannot_be_read_is_told_as_by_one_process(tmp_path):
    (tmp_path / "no.zip").write_bytes(b"no")
    with pytest.raises(Unreadable, match="is no zip"):
        verify(tmp_path / "no.zip", n_processes=2)


def test_the_first_finding_ends_it():
    with pytest.raises(Differs):
        NoFindings().note("turns.jsonl", "odd")
