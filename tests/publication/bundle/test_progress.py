import pytest

from publication.bundle.writing import RowsWritten, expected_rows

pytestmark = pytest.mark.django_db


def test_the_share_is_that_of_the_rows_that_went_by_and_never_more_than_all(campaign, dialogue):
    dialogue.turns_used, dialogue.last_seq = 3, 8
    dialogue.save()
    # The dialogue and its assignment, three turns and requests, eight lines of the ledger.
    assert expected_rows(campaign) == 16
    shares = []
    chunks = [(b"", 0), (b"ab", 4), (b"c", 12), (b"{}", None), (b"d", 5)]
    assert list(RowsWritten(campaign, shares.append).counted(chunks)) == chunks
    assert shares == [0, 0.25, 1, 1]
