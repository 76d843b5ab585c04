"""An organizer's program finds the requests for revisions and answers one by its id."""

import pytest

from reviews.actions.placing import draw_review_places
from reviews.actions.submitting import answer_revision
from reviews.models import RevisionRequest
from tests.reviews.conftest import NOON, closed_dialogues, panel, submit
from tests.reviews.test_revising import LATER, ask

pytestmark = pytest.mark.django_db
REQUESTS = "/api/v1/campaigns/small/revision-requests/"


@pytest.fixture
def asked(campaign, tester):
    """Two requests of one reviewer, the second an answered one."""
    (reviewer,) = panel(campaign, 1)
    dialogues = closed_dialogues(campaign, tester, 2)
    draw_review_places(campaign=campaign, at=NOON)
    for dialogue in dialogues:
        submit(dialogue, reviewer)
        ask(dialogue, reviewer, reason=f"about {dialogue.pk}")
    return list(RevisionRequest.objects.order_by("pk"))


@pytest.fixture
def program(client, organizer):
    client.force_login(organizer)
    return client


def test_a_program_learns_the_id_that_an_answer_needs(asked, program, campaign):
    first = program.get(REQUESTS).json()[0]
    dialogue = asked[0].review.dialogue
    assert first == {
        "id": asked[0].pk,
        "dialogue": str(dialogue.pk),
        "bot": campaign.entries.get().alias,
        "scenario": "flight-then-hotel",
        "reviewer": "reviewer",
        "reason": f"about {dialogue.pk}",
        "asked_at": LATER.isoformat(),
        "granted": None,
        "answered_by": None,
        "answered_at": None,
    }
    answered = program.post(
        f"/api/v1/revision-requests/{first['id']}/", {"granted": True}, content_type="application/json"
    )
    assert (answered.status_code, answered.json()) == (200, {"granted": True})
    row = program.get(REQUESTS).json()[0]
    assert (row["granted"], row["answered_by"], bool(row["answered_at"])) == (True, "organizer", True)


def test_the_state_tells_what_waits_from_what_was_granted_and_refused(asked, program, organizer):
    answer_revision(request=asked[0], organizer=organizer, is_granted=False, at=LATER)

    def listed(state):
        return [row["id"] for row in program.get(REQUESTS, {"state": state}).json()]

    assert (listed("waiting"), listed("granted"), listed("refused")) == ([asked[1].pk], [], [asked[0].pk])
    assert program.get(REQUESTS, {"state": "lost"}).status_code == 400


def test_the_reviewer_who_asked_does_not_read_the_list(asked, client):
    client.force_login(asked[0].review.reviewer)
    assert client.get(REQUESTS).status_code == 404


def test_an_organizer_with_an_interest_reads_no_request_of_a_dialogue_that_is_closed_to_them(
    asked, program, campaign, organizer
):
    answer_revision(request=asked[1], organizer=organizer, is_granted=False, at=LATER)
    page = "/campaigns/small/revisions/"
    assert program.get(page).content.decode().count("about ") == 2
    campaign.team_members.create(team=campaign.entries.get().bot.team, person=organizer)
    assert program.get(REQUESTS).json() == []
    assert "about " not in program.get(page).content.decode()
