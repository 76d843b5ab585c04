"""What is computed beside the pages: by one process, with its progress noted."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from leaderboards import computations
from leaderboards.computations import claim, noting_progress


@pytest.mark.django_db
def test_one_process_computes_a_row_and_it_says_since_when(campaign):
    board, now, later = campaign.stored_boards.create(key="statistics"), timezone.now(), timedelta(minutes=2)
    rows = campaign.stored_boards.all()
    assert claim(rows, at=now, given_up_after=later)
    assert not claim(rows, at=now + timedelta(seconds=119), given_up_after=later)
    board.refresh_from_db()
    assert board.began_at == now
    assert claim(rows, at=now + later, given_up_after=later), "whoever began is gone"
    board.refresh_from_db()
    assert board.began_at == now + later


@pytest.mark.django_db
def test_progress_is_noted_once_a_second_at_most(campaign, monkeypatch):
    board, at = campaign.stored_boards.create(key="statistics"), iter([0.0, 0.0, 0.9, 1.0, 1.0])
    monkeypatch.setattr(computations, "time", SimpleNamespace(monotonic=lambda: next(at)))
    note = noting_progress(campaign.stored_boards.all(), lambda share: None)
    note(0.5)
    board.refresh_from_db()
    assert board.percent_done == 0
    note(0.7)
    board.refresh_from_db()
    assert board.percent_done == 70


@pytest.mark.django_db
def test_whoever_ends_the_computation_has_nothing_noted(campaign):
    board = campaign.stored_boards.create(key="statistics")

    def end(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        noting_progress(campaign.stored_boards.all(), end)
    board.refresh_from_db()
    assert board.percent_done is None
