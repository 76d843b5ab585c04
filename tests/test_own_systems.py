"""Nobody judges their own system: whatever a member held before, no route, socket, list or drawing lets them at its dialogues."""

import re
from functools import partial

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, Person
from accounts.scopes import WHOLE
from audit.models import TrailLine
from campaigns.actions import load_campaign, register_bot
from campaigns.actions.leaving import CannotTakeOver
from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.interests import JUDGING, Interested, may_judge
from campaigns.models import Campaign, Role
from campaigns.readiness import setup_steps, what_is_missing
from dialogues.actions import NotOffered, open_chosen_dialogue, open_dialogue
from dialogues.actions.deciding import NotPossible, end_for_tester, reassign
from dialogues.actions.opening import open_practice
from dialogues.models import Dialogue
from dialogues.progress import BARRED, assignment_rows
from frame.next_steps import reviewed_counts
from participants.bot_form import BotForm
from participants.failures import Fault
from participants.models import Bot, Team
from publication.preflight import findings_of
from publication.readiness import facts_of, known_facts, state_of
from reviews.actions import NotYours
from reviews.actions.checking import part_of
from reviews.actions.closing import close_panel, reopen_panel
from reviews.actions.counting import has_adjudicator, policy_of
from reviews.actions.deciding import book_fault, restore_dialogue, void_dialogue
from reviews.actions.gold import set_gold
from reviews.actions.placing import draw_review_places, next_place, preview_reviewer_leave
from reviews.actions.submitting import answer_revision
from reviews.actions.vetting import vet_dialogue
from reviews.desk import disputes_for, left_to_vet, queue_of
from reviews.models import Dispute, ReviewPlace, RevisionRequest
from reviews.panel_gaps import Hindrance, lacking_panels
from serving.server.close_codes import CLOSE_ROLE
from testing_console.live import consumers
from testing_console.live.admission import SocketAdmission, no_longer_held
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.dialogues.test_actions import Talk
from tests.publishing import snapshot_of
from tests.reviews.conftest import NOON, closed_dialogue, panel, person, submit
from tests.routes import ROUTES, access_of
from tests.scoring.conftest import in_english
from tests.world import client_of

__all__ = ["in_english"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

RIVAL = '[[bots]]\nkey = "b"\nteam = "Team Beta"\nurl = "http://127.0.0.1:9/"\n'
# Every route that names a dialogue and is there for people who test, review or decide.
JUDGED = [
    path
    for path, callback in ROUTES
    if "dialogue_id>" in path and access_of(callback).kind == "roles" and set(access_of(callback).roles) & JUDGING
]
# Every route by which organizers read or decide about a dialogue.
ORGANIZED = [
    path
    for path, callback in ROUTES
    if "dialogue_id>" in path and Role.ORGANIZER in getattr(access_of(callback), "roles", ())
]


def join(campaign, who, team="Team Alpha"):
    campaign.team_members.create(team=Team.objects.get(name=team), person=who)


def lets_judge_others(campaign):
    Campaign.objects.filter(pk=campaign.pk).update(members_may_judge="others")
    campaign.refresh_from_db()


def with_rival(campaign):
    load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace("[[scenarios]]", f"{RIVAL}\n[[scenarios]]", 1)))
    return campaign.entries.get(key="b")


def address(path, dialogue):
    named = {"dialogue_id": dialogue.pk, "number": 1, "slug": dialogue.assignment.campaign.slug, "act": "void"}
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(named[found[1]]), path)


@pytest.fixture
def everything(campaign, tester):
    """A tester who reviews, adjudicates and vets, with an own dialogue and one of another tester to review, decide and vet."""
    panel(campaign, 1, reviewed_by="both", counted_reviews="both", experts_per_dialogue=1)
    for role in JUDGING:
        campaign.roles.get_or_create(person=tester, role=role)
    own = closed_dialogue(campaign, tester, repetition=10, status="completed")
    other = closed_dialogue(campaign, person(campaign, "tester-2", Role.TESTER), repetition=11)
    ReviewPlace.objects.create(dialogue=other, reviewer=tester, drawn_at=NOON, opened_at=NOON, position=1)
    return own, other


@pytest.fixture
def closed(dialogue, admission):
    talk = Talk(dialogue, admission)
    talk.turns(2)
    talk.close(1)
    talk.close(2, is_finished=False)
    return Dialogue.objects.get(pk=dialogue.pk)


def answers_of(who, dialogues, paths=JUDGED):
    """The codes of every method of every one of these routes, by route."""
    client = client_of(who)
    return {
        path: {
            getattr(client, method)(address(path, one), data="{}" if method != "get" else None, content_type="application/json").status_code
            for one in dialogues
            for method in ("get", "post", "put", "patch", "delete")
        }
        for path in paths
    }  # fmt: skip


def test_no_route_of_judging_lets_a_member_at_a_dialogue(campaign, tester, everything):
    assert len(JUDGED) > 12
    before = answers_of(tester, everything)
    assert not [path for path, codes in before.items() if codes <= {404, 405}], "the check sees nothing there"
    join(campaign, tester)
    assert {path: codes for path, codes in answers_of(tester, everything).items() if not codes <= {404, 405}} == {}


def test_with_rivals_to_judge_the_own_system_alone_is_closed(campaign, tester, everything):
    with_rival(campaign)
    lets_judge_others(campaign)
    join(campaign, tester, "Team Beta")
    assert not [path for path, codes in answers_of(tester, everything).items() if codes <= {404, 405}]
    campaign.team_members.filter(person=tester).delete()
    join(campaign, tester)
    assert all(codes <= {404, 405} for codes in answers_of(tester, everything).values())


@pytest.mark.parametrize("by_token", [False, True])
def test_a_socket_ends_and_none_opens_once_its_tester_joins_a_team(dialogue, campaign, tester, by_token):
    if by_token:
        admission = SocketAdmission(tester.pk, token_digest=ApiToken.objects.create(user=tester)[0].digest)
    else:
        client = client_of(tester)
        key = client.session.session_key
        admission = SocketAdmission(tester.pk, session_key=key, password=tester.password, scope=WHOLE)
    assert no_longer_held([(dialogue.pk, admission)]) == set()
    assert not isinstance(consumers._welcome(dialogue.pk, admission, 0), int)
    join(campaign, tester)
    assert not admission.proof(dialogue.assignment_id).answer()
    assert no_longer_held([(dialogue.pk, admission)]) == {(dialogue.pk, admission)}
    assert consumers._welcome(dialogue.pk, admission, 0) == CLOSE_ROLE


def test_a_team_goes_on_practising_with_its_own_bot(campaign, participant):
    scenario = campaign.scenarios.get()
    scenario.is_practice = True
    scenario.save()
    practised = open_practice(entry=campaign.entries.get(), scenario=scenario, person=participant, at=timezone.now())
    client = client_of(participant)
    assert client.get(reverse("practice", args=["small", practised.pk])).status_code == 200
    assert client.get(f"/api/v1/dialogues/{practised.pk}/card/").status_code == 200
    admission = SocketAdmission(participant.pk, session_key=client.session.session_key, password=participant.password)
    assert admission.proof(practised.assignment_id).answer()
    assert no_longer_held([(practised.pk, admission)]) == set()


def test_a_member_opens_nothing_and_their_list_says_that_it_is_not_possible(campaign, tester):
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    waiting = campaign.assignments.create(tester=tester, entry=entry, scenario=scenario, position=1, repetition=9)
    join(campaign, tester)
    with pytest.raises(NotOffered, match="You take part for a team"):
        open_dialogue(assignment=waiting, at=timezone.now())
    with pytest.raises(NotOffered):
        open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now())
    assert [row.state for row in assignment_rows(tester, campaign, at=timezone.now())] == [BARRED]
    client = client_of(tester)
    assert client.get("/api/v1/campaigns/small/choices/").json()["bots"] == []
    page = client.get("/campaigns/small/testing/").content.decode()
    assert "not possible" in page or "不可" in page
    assert client.post(f"/assignments/{waiting.pk}/open/").status_code in {302, 404}
    assert not waiting.dialogues.exists()


def test_the_organizer_is_told_what_a_late_member_cannot_do(campaign, tester, organizer):
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    Campaign.objects.filter(pk=campaign.pk).update(free_choice=False)
    waiting = campaign.assignments.create(tester=tester, entry=entry, scenario=scenario, position=1)
    join(campaign, tester)
    client = client_of(organizer)
    (listed,) = client.get("/api/v1/campaigns/small/assignments/").json()["results"]
    assert listed["tester_barred"] is True
    people = client.get("/api/v1/campaigns/small/people/").json()["people"]
    assert {one["username"]: one["barred_by"] for one in people if one["barred_by"]} == {"tester": ["Team Alpha"]}
    assert "tester" in client.get("/campaigns/small/people/").content.decode()
    needs = client.get("/api/v1/campaigns/small/wall/").json()["needs"]
    assert [one["key"] for one in needs if one["key"] == "barred"] == ["barred"]
    heir = person(campaign, "heir", Role.TESTER)
    join(campaign, heir)
    with pytest.raises(NotPossible, match="takes part for a team"):
        reassign(assignment=waiting, to=heir, by=organizer, because="needed", at=timezone.now())


def test_no_place_is_drawn_for_a_member_and_what_they_began_goes_to_others(campaign, tester):
    first, second = panel(campaign, 1)[0], person(campaign, "reviewer-2", Role.REVIEWER)
    dialogue = closed_dialogue(campaign, tester)
    ReviewPlace.objects.create(dialogue=dialogue, reviewer=first, drawn_at=NOON, opened_at=NOON, position=1)
    join(campaign, first)
    assert next_place(campaign, first) is None
    assert queue_of(campaign, first, NOON)["places"] == []
    draw_review_places(campaign=campaign, at=NOON)
    assert list(ReviewPlace.objects.held().values_list("reviewer", flat=True)) == [second.pk]
    assert ReviewPlace.objects.get(reviewer=first).released_because == ReviewPlace.Released.NO_REVIEWER
    with pytest.raises(CannotTakeOver):
        preview_reviewer_leave(campaign=campaign, person=second, at=NOON, to=first)


def test_a_member_who_may_judge_rivals_gets_their_dialogues_alone(campaign, tester):
    panel(campaign, 1)
    rival, member = with_rival(campaign), Person.objects.get(username="reviewer")
    Campaign.objects.filter(pk=campaign.pk).update(
        members_may_judge="others", reviewed_by="panel", counted_reviews="panel"
    )
    campaign.refresh_from_db()
    join(campaign, member)
    own = closed_dialogue(campaign, tester, repetition=1)
    assignment = campaign.assignments.create(
        tester=tester, entry=rival, scenario=campaign.scenarios.get(), position=2, repetition=2, started_at=NOON
    )
    theirs = closed_dialogue(campaign, tester, repetition=3)
    type(theirs).objects.filter(pk=theirs.pk).update(assignment=assignment)
    draw_review_places(campaign=campaign, at=NOON)
    assert list(ReviewPlace.objects.values_list("dialogue", "reviewer")) == [(theirs.pk, member.pk)]
    (lacking,) = [one for one in lacking_panels(campaign, NOON) if one.dialogue.pk == own.pk]
    assert lacking.panel.hindered == {"reviewer": Hindrance.INTERESTED}
    assert lacking.gap.n_short == 1


def test_a_member_neither_scores_vets_nor_settles(campaign, tester, everything):
    own, other = everything
    assert part_of(other, tester)
    assert has_adjudicator(own) is False, "nobody decides on a dialogue of their own"
    join(campaign, tester)
    for dialogue in everything:
        with pytest.raises(NotYours):
            part_of(dialogue, tester)
        with pytest.raises(NotYours):
            submit(dialogue, tester)
        with pytest.raises(NotYours):
            vet_dialogue(dialogue=dialogue, expert=tester, faults=(), reason="", at=NOON)
    assert not left_to_vet([campaign], tester).exists()
    assert not disputes_for([campaign], tester).exists()
    assert not has_adjudicator(other)
    assert policy_of(campaign)["interests"] == {str(tester.pk): ["none", Team.objects.get(name="Team Alpha").pk]}


def test_an_organizer_who_is_a_member_reads_and_decides_no_dialogue(campaign, closed, organizer):
    before = answers_of(organizer, [closed], ORGANIZED)
    assert len(ORGANIZED) > 8
    assert not [path for path, codes in before.items() if codes <= {404, 405} or 500 in codes], (
        "the check sees nothing there"
    )
    join(campaign, organizer)
    n_lines, client = TrailLine.objects.of_campaign("small").count(), client_of(organizer)
    after = answers_of(organizer, [closed], ORGANIZED)
    # What is not well said is a 400 or a 422, whoever says it.
    assert {path: codes for path, codes in after.items() if not codes <= {400, 404, 405, 409, 422}} == {}
    assert TrailLine.objects.of_campaign("small").count() == n_lines
    assert client.get("/campaigns/small/dialogues/").status_code == 200
    assert client.get("/campaigns/small/wall/").status_code == 200


def test_organizers_with_rivals_to_judge_read_and_decide_those_alone(campaign, closed, organizer):
    with_rival(campaign)
    lets_judge_others(campaign)
    said = {"by": organizer, "because": "why", "at": timezone.now()}
    join(campaign, organizer)
    with pytest.raises(Interested):
        void_dialogue(dialogue=closed, **said)
    campaign.team_members.update(team=Team.objects.get(name="Team Beta"))
    assert client_of(organizer).get(f"/campaigns/small/dialogues/{closed.pk}/").status_code == 200
    void_dialogue(dialogue=closed, **said)


def test_every_decision_of_an_organizer_who_is_a_member_is_refused(campaign, tester, closed, organizer):
    review = submit(closed, tester)
    asked = RevisionRequest.objects.create(review=review, reason="why", asked_at=NOON)
    join(campaign, organizer)
    by, at, organizes = {"by": organizer, "because": "why"}, {"at": timezone.now()}, {"organizer": organizer}
    decisions = [
        partial(end_for_tester, dialogue=closed, **by),
        partial(void_dialogue, dialogue=closed, **by),
        partial(restore_dialogue, dialogue=closed, **by),
        partial(book_fault, dialogue=closed, number=1, fault=Fault.PLATFORM, **by),
        partial(close_panel, dialogue=closed, because="why", **organizes),
        partial(reopen_panel, dialogue=closed, **organizes),
        partial(answer_revision, request=asked, is_granted=True, **organizes),
        partial(set_gold, dialogue=closed, content={"ratings": {}}, **organizes),
    ]
    for decide in decisions:
        with pytest.raises(Interested):
            decide(**at)


@pytest.mark.parametrize(
    "path",
    [
        "/campaigns/small/export/turns.csv",
        "/campaigns/small/export/bundle.zip",
        "/campaigns/small/export/bundle-aliases.zip",
        "/api/v1/campaigns/small/exports/reviews.csv",
        "/api/v1/campaigns/small/exports/bundle-aliases.zip",
    ],
)
def test_an_organizer_who_is_a_member_takes_no_dialogues_along(campaign, tester, organizer, path):
    closed_dialogue(campaign, tester)
    client = client_of(organizer)
    assert client.get(path).status_code in {200, 404}
    join(campaign, organizer)
    assert client.get(path).status_code == 409
    assert client.get("/campaigns/small/export/leaderboard.csv").status_code == 200


def test_records_and_failures_of_a_members_bots_are_closed_to_organizers(campaign, tester, organizer):
    dialogue = closed_dialogue(campaign, tester)
    submit(dialogue, tester)
    entry, client = campaign.entries.get(), client_of(organizer)
    turn = dialogue.turns.create(
        number=2,
        subtask=1,
        spent=2,
        turn_cap=9,
        key="k",
        text="hi",
        seq=90,
        outcome_seq=91,
        status="failed",
        asked_at=NOON,
    )
    turn.attempts.create(number=1, outcome="failure", kind="connect", fault="bot", is_current=True, ended_at=NOON)
    paths = [f"{start}campaigns/small/leaderboard/records/{entry.pk}/completion/" for start in ("/", "/api/v1/")]
    failures = "/api/v1/campaigns/small/failures/"
    assert [client.get(path).status_code for path in paths] == [200, 200]
    assert client.get(failures).json()["count"] == 1
    join(campaign, organizer)
    assert [client.get(path).status_code for path in paths] == [409, 409]
    assert client.get(failures).json()["count"] == 0


def test_a_frozen_board_is_closed_to_organizers_who_are_members_until_it_is_public(campaign, tester, organizer):
    submit(closed_dialogue(campaign, tester), tester)
    path, client = f"/campaigns/small/leaderboard/{snapshot_of(campaign).number}/leaderboard.json", client_of(organizer)
    assert client.get(path).status_code == 200
    join(campaign, organizer)
    assert client.get(path).status_code == 404


def test_who_left_the_team_and_organizes_keeps_the_interest_of_a_registration(campaign, participant):
    form = BotForm(name="written", protocol="dial-out", url="")
    team, at = Team.objects.get(name="Team Alpha"), timezone.now()
    entry = register_bot(campaign=campaign, team=team, form=form, by=participant, at=at)
    campaign.team_members.all().delete()
    campaign.roles.create(person=participant, role=Role.ORGANIZER)
    assert not may_judge(participant, entry.pk)


def test_who_registered_a_bot_of_the_team_elsewhere_has_an_interest_here(campaign, tester):
    other, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"other"')))
    bot = Bot.objects.create(team=campaign.entries.get().bot.team, name="elsewhere")
    other.entries.create(bot=bot, key="e", alias="Y", registered_by=tester)
    assert not may_judge(tester, campaign.entries.get().pk)


def test_an_organizer_who_steps_down_judges_what_they_registered_for_a_team(campaign, organizer):
    form = BotForm(name="for them", protocol="dial-out", url="")
    team, at = Team.objects.get(name="Team Alpha"), timezone.now()
    entry = register_bot(campaign=campaign, team=team, form=form, by=organizer, at=at)
    campaign.roles.filter(person=organizer).delete()
    assert may_judge(organizer, entry.pk)


def test_people_whom_an_interest_bars_are_missing_where_they_are_counted(campaign, tester):
    for role in (Role.REVIEWER, Role.EXPERT, Role.ADJUDICATOR):
        campaign.roles.create(person=tester, role=role)
    asked = {"reviewed_by": "panel", "reviewers_per_dialogue": 2, "experts_per_dialogue": 1, "adjudicated_over": 1}
    Campaign.objects.filter(pk=campaign.pk).update(**asked)
    campaign.refresh_from_db()
    assert what_is_missing(campaign) == []
    join(campaign, tester)
    assert [one.place for one in what_is_missing(campaign)] == [
        SETTINGS[name].place for name in ("experts_per_dialogue", "reviewers_per_dialogue", "adjudicated_over")
    ]
    assert [step.is_done for step in setup_steps(campaign) if step.page == "invitations"] == [False]


def test_the_wall_counts_no_expert_or_adjudicator_whom_an_interest_bars(campaign, tester, organizer):
    panel(campaign, 1, experts_per_dialogue=1)
    expert = person(campaign, "expert", Role.EXPERT)
    campaign.roles.create(person=expert, role=Role.ADJUDICATOR)
    dialogue = closed_dialogue(campaign, tester)
    Dispute.objects.create(dialogue=dialogue, opened_at=NOON, criteria={})
    client = client_of(organizer)

    def said():
        needs = client.get("/api/v1/campaigns/small/wall/", headers={"Accept-Language": "en"}).json()["needs"]
        return {one["key"]: one["who"] for one in needs if one["key"] in ("unvetted", "disputes")}

    assert said() == {"unvetted": "for its experts", "disputes": "for an adjudicator"}
    join(campaign, expert)
    assert said() == {
        "unvetted": "for 1 experts, and there are 0",
        "disputes": "for an adjudicator, and there is none",
    }


def test_the_front_page_asks_no_member_to_review(campaign, tester):
    (reviewer,) = panel(campaign, 1)
    closed_dialogue(campaign, tester)
    draw_review_places(campaign=campaign, at=NOON)
    assert reviewed_counts(reviewer, [campaign]) == {campaign.pk: (0, 1)}
    join(campaign, reviewer)
    assert reviewed_counts(reviewer, [campaign]) == {}


def test_the_preflight_names_what_members_judged_before(campaign, tester):
    (reviewer,) = panel(campaign, 1, experts_per_dialogue=0)
    dialogue = closed_dialogue(campaign, tester, closed_at=NOON)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, reviewer)
    assert facts_of(campaign).interested == []
    before = state_of(campaign)
    known_facts(campaign)
    join(campaign, tester)
    join(campaign, reviewer)
    assert state_of(campaign) != before
    assert known_facts(campaign).interested == [("reviewer", 0, 1, 0, 0), ("tester", 1, 0, 0, 0)]
    texts = [one.text for one in findings_of(known_facts(campaign)) if one.key == "interest"]
    assert texts == [
        "reviewer takes part for a team, and has tested 0, scored 1, vetted 0 and as an organizer decided on 0 dialogues.",
        "tester takes part for a team, and has tested 1, scored 0, vetted 0 and as an organizer decided on 0 dialogues.",
    ]


def test_the_preflight_names_what_experts_returned_and_organizers_decided_before(campaign, tester, organizer):
    expert = person(campaign, "expert", Role.EXPERT)
    Campaign.objects.filter(pk=campaign.pk).update(experts_per_dialogue=1)
    first, second = closed_dialogue(campaign, tester, repetition=1), closed_dialogue(campaign, tester, repetition=2)
    vet_dialogue(dialogue=first, expert=expert, faults=["fluent"], reason="why", at=NOON)
    void_dialogue(dialogue=second, by=organizer, because="why", at=NOON)
    assert facts_of(campaign).interested == []
    join(campaign, expert)
    join(campaign, organizer)
    assert facts_of(campaign).interested == [("expert", 0, 0, 1, 0), ("organizer", 0, 0, 0, 1)]
