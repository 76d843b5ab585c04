"""A document says of which campaign its board is, by what rules and with which statistics; names are teams or aliases."""

import pytest
from django.utils import timezone

from leaderboards.live_board import names_of
from leaderboards.models import StoredBoard
from publication.bundles import StoredBundle
from publication.document_now import document_now

pytestmark = pytest.mark.django_db


def document(campaign, **changed):
    return document_now(
        campaign, **({"number": 3, "hides_teams": True, "at": timezone.now(), "bundle": None} | changed)
    )


def test_a_document_says_what_it_is_of(scored):
    made = document(scored, bundle=StoredBundle("ab", 12))
    assert (made["campaign"], made["number"], made["names"]) == ("small", 3, "aliases")
    assert made["name"] == {"zh": "小评测", "en": "Small"}
    assert (made["counted_reviews"], made["turns_are"], made["cap_per"]) == ("self", "exchanges", "subtask")
    assert made["rubric"] == {"key": scored.rubric.key, "version": scored.rubric.version}
    assert made["bundle"] == {"sha256": "ab", "bytes": 12}
    assert made["rule"][0] == "completion"


def test_statistics_are_those_of_its_bundle(scored):
    assert document(scored)["statistics"] is None
    assert document(scored, statistics={"seed": 5})["statistics"] == {"seed": 5}


def test_the_agreement_is_frozen_where_several_score(scored):
    StoredBoard.objects.create(campaign=scored, key="agreement", rows={"criteria": {"fluency": {"alpha": 0.5}}})
    assert scored.imported_records.exists()
    assert document(scored)["agreement"] == {"fluency": 0.5}
    scored.imported_records.all().delete()
    assert document(scored)["agreement"] == {}
    scored.reviewed_by = "both"
    assert document(scored)["agreement"] == {"fluency": 0.5}


def test_no_alias_is_told_beside_a_team(scored):
    aliases = set(scored.entries.values_list("alias", flat=True))
    told = names_of(scored, hides_teams=False).values()
    assert {name.team for name in told} == {"Team Alpha", "Team Beta", "Team Gamma"}
    assert not any(alias in (name.key, name.name, name.team) for alias in aliases for name in told)
