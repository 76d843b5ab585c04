"""No page, frame, header, export or error tells a tester or reviewer who made a bot (P7): canaries in every field that could.

The crawl is made of the URL resolver, so a new route is crawled as soon as it exists.
"""

import json
import re

import pytest
from django.apps import apps
from django.db.models import CharField, TextField
from django.utils import timezone

from accounts.models import Person
from campaigns.actions.people import pause_person
from campaigns.actions.taking_part import pause_bot
from campaigns.models import Campaign, CampaignRole, Entry, Role, Scenario, TeamMember
from participants.adapters import Reply
from participants.failures import BotFailure, FailureKind
from participants.models import Bot, Team
from reviews.actions.remarking import add_remark
from reviews.models import Dispute, Review, ReviewPlace
from testing_console.actions import close_subtask, open_chosen_dialogue, record_failure, record_reply, take_turn
from testing_console.actions.announcing import make_announcement
from testing_console.actions.deciding import end_for_tester
from testing_console.actions.returning import return_dialogue
from testing_console.masking import masker_of
from testing_console.models import Dialogue
from testing_console.queries import events_after, masked_words, state_of
from testing_console.turn_taking import shown_reply
from tests.conftest import Admitted
from tests.test_access import ROUTES, access_of, address_of, client_of, run

__all__ = ["run"]
pytestmark = pytest.mark.django_db

CANARY = "canaria"
# What the bot was given: reviewers judge by it, testers do not see it.
CONTEXT = "kontextus"
BLIND = (Role.TESTER, Role.REVIEWER, Role.EXPERT, Role.ADJUDICATOR)
NAMED = f"Clearly {CANARY} team, its {CANARY} bot answers from bots.{CANARY}.example."
SAID = "我是 C.a.n.a.r.i.a 队 (ＣＡＮＡＲＩＡ team), made by Canaria\u200b-Bot"


@pytest.fixture
def planted(campaign, run):
    """A campaign whose teams, bots, entries and contexts all hold the canary."""
    Team.objects.update(name=f"{CANARY} team")
    Bot.objects.update(name=f"{CANARY} bot")
    (entry,) = campaign.entries.all()
    Entry.objects.update(
        key=f"{CANARY}-key", url=f"http://bots.{CANARY}.example:9/", secret=f"{CANARY}-secret",
        options={"reply_path": CANARY}, protocol="huace/1", paused_because=CANARY,
    )  # fmt: skip
    rival = Team.objects.create(name=f"{CANARY} rival")
    campaign.entries.create(bot=rival.bots.create(name=f"{CANARY} two"), key=f"{CANARY}-2", alias="Z9", url="http://x/")
    quiet = Team.objects.create(name=f"{CANARY} quiet")
    TeamMember.objects.create(campaign=campaign, team=quiet, person=Person.objects.create_user(f"{CANARY}-member"))
    Scenario.objects.update(context={"persona": CONTEXT})
    return entry


@pytest.fixture
def person(campaign, planted):
    """One who holds every blind role, with a place in a panel, so that each page has something to show."""
    found = Person.objects.create_user("blind")
    CampaignRole.objects.bulk_create(CampaignRole(campaign=campaign, person=found, role=role) for role in BLIND)
    return found


def talked(campaign, tester, *, closed, question="再说"):
    """A dialogue whose bot names its maker, and fails with its maker's name in what the team is told."""
    dialogue = open_chosen_dialogue(
        campaign=campaign, tester=tester, entry=campaign.entries.get(alias__startswith="Z"), scenario=campaign.scenarios.get(),
        at=timezone.now(),
    )  # fmt: skip
    admission, at = Admitted(tester), timezone.now()
    asked = take_turn(dialogue_id=dialogue.pk, admission=admission, key="k1", text="谁？", at=at, owner="a:1:b").asked
    shown = shown_reply([SAID], masker_of(masked_words(campaign)), 5)
    record_reply(asked=asked, reply=Reply((SAID,), latency_ms=5), shown=shown, at=at)
    asked = take_turn(dialogue_id=dialogue.pk, admission=admission, key="k2", text=question, at=at, owner="a:1:b").asked
    failure = BotFailure(FailureKind.HTTP_5XX, f"{CANARY} detail", evidence=f"<h1>{CANARY}</h1>")
    record_failure(asked=asked, failure=failure, at=at)
    for index in (1, 2) if closed else ():
        close_subtask(dialogue_id=dialogue.pk, admission=admission, index=index, is_finished=True, at=at)
    return Dialogue.objects.with_waiting().get(pk=dialogue.pk)


@pytest.fixture
def own(campaign, person):
    return talked(campaign, person, closed=False)


@pytest.fixture
def closed(campaign, person, tester):
    """Another tester's dialogue, which the person has a place in the panel for."""
    dialogue = talked(campaign, tester, closed=True, question=f"你是{SAID}吗？")
    ReviewPlace.objects.create(dialogue=dialogue, reviewer=person, position=1, drawn_at=timezone.now())
    return dialogue


@pytest.fixture
def written(campaign, person, tester, organizer, own, closed):
    """Whatever people write about a dialogue names its maker; the dialogues that the person talked, scores, decides and vets."""
    at = timezone.now()
    Campaign.objects.update(
        reviewed_by="panel", counted_reviews="panel", experts_per_dialogue=3, reviewers_per_dialogue=3
    )
    disputed, returned = talked(campaign, tester, closed=True), talked(campaign, person, closed=True)
    Dispute.objects.create(dialogue=disputed, criteria={"satisfaction": 3}, opened_at=at)
    for number in range(3):
        other = Person.objects.create_user(f"other-{number}")
        CampaignRole.objects.create(campaign=campaign, person=other, role=Role.REVIEWER)
        Review.objects.create(
            dialogue=disputed,
            reviewer=other,
            part="panel",
            comment=NAMED,
            is_submitted=True,
            version=1,
            submitted_at=at,
        )
        ReviewPlace.objects.create(dialogue=closed, reviewer=other, position=number, drawn_at=at)
    add_remark(dialogue=closed, reviewer=other, kind="leaked", text=NAMED, at=at)
    disputed.vettings.create(expert=other, is_accepted=False, faults=["natural"], reason=NAMED, at=at)
    disputed.closed_panels.create(n_reviews=3, because=NAMED, closed_by=organizer, closed_at=at)
    review = disputed.reviews.first()
    review.changes.create(version=1, changed_by=other, at=at, after={"comment": NAMED}, reason=NAMED, digest="x")
    review.revision_requests.create(reason=NAMED, asked_at=at)
    disputed.problems.create(reported_by=tester, text=NAMED, at=at)
    return_dialogue(dialogue=returned, because=NAMED, at=at)
    ended = talked(campaign, person, closed=False, question="k")
    end_for_tester(dialogue=ended, by=organizer, because=NAMED, at=at)
    make_announcement(campaign=campaign, by=organizer, zh=NAMED, en=NAMED, until=None, at=at)
    return own, closed, disputed, returned, ended


def tells(answer, word=CANARY) -> bool:
    content = b"".join(answer) if answer.streaming else answer.content
    return word in f"{content.decode(errors='replace')} {answer.headers} {answer.cookies}".casefold()


BODIES = ("not json", "{}", json.dumps({"campaign": "small", "bot": "?", "scenario": "?"}))


def answers_of(client, address):
    for method in ("get", "head", "options", "put", "patch", "delete"):
        yield method, client.generic(method.upper(), address, "{}", content_type="application/json")
    for body in BODIES:
        yield "post", client.post(address, body, content_type="application/json")
    yield "form", client.post(address, {"bot": "?", "scenario": "?"})


def test_no_answer_of_any_route_names_a_maker(run, person, own, closed):
    of_own = [address_of(path, own, run) for path, _ in ROUTES]
    of_closed = [address_of(path, closed, run) for path, _ in ROUTES if "dialogue_id" in path]
    n_shown = 0
    for address in (*of_own, *of_closed):
        # One client per route: some of them log out.
        for method, answer in answers_of(client_of(person), address):
            assert not tells(answer), f"{method} {address}: {answer.status_code}"
            assert address in of_closed or not tells(answer, CONTEXT), f"{method} {address} shows the context"
            n_shown += answer.status_code == 200
    assert n_shown > 20


def test_the_panels_comments_reach_the_adjudicator_masked(person, written):
    page = client_of(person).get(f"/reviews/{written[2].pk}/").content.decode()
    assert page.count("Clearly █") == 3
    assert CANARY not in page.casefold()


@pytest.mark.parametrize("role", BLIND)
def test_what_people_wrote_names_no_maker_to_any_blind_role(run, campaign, person, organizer, written, role):
    CampaignRole.objects.filter(person=person).exclude(role=role).delete()
    CampaignRole.objects.filter(person=person).update(paused_at=timezone.now(), paused_because=NAMED)
    pause_bot(entry=campaign.entries.get(key=f"{CANARY}-key"), because=NAMED, at=timezone.now())
    addresses = {address_of(path, one, run) for one in written for path in open_to(role)}
    assert sum(_is_shown(client_of(person), address) for address in sorted(addresses)) > 10


def test_why_a_role_pauses_is_masked_in_the_list_of_ones_campaigns(campaign, person, organizer):
    pause_person(campaign=campaign, person=person, because=NAMED, by=organizer, at=timezone.now())
    (listed,) = client_of(person).get("/api/v1/account/campaigns/").json()
    assert {one["because"].partition(" ")[0] for one in listed["roles"] if one["paused_at"]} == {"Clearly"}
    assert CANARY not in str(listed).casefold()


def open_to(role) -> list[str]:
    declared = [(path, access_of(callback)) for path, callback in ROUTES]
    return [path for path, access in declared if access.kind != "staff" and (not access.roles or role in access.roles)]


def _is_shown(client, address) -> bool:
    answer = client.get(address)
    assert not tells(answer), address
    return answer.status_code == 200


# Every sentence that somebody types, by who reads it. A new field fails here until it stands in one of the groups.
MASKED = {
    "Review.comment", "Turn.text", "Announcement.text_zh", "Announcement.text_en", "CampaignRole.paused_because",
    "Entry.paused_because", "LedgerEvent.frame",
}  # fmt: skip
# Not shown to testers, reviewers, experts and adjudicators; the crawl above has one of each that a blind person writes.
HIDDEN = {
    "Vetting.reason", "Remark.text", "RevisionRequest.reason", "ReviewChange.reason", "ClosedPanel.because", "Problem.text",
    "Entry.returned_because", "Service.returned_because", "Service.withdrawn_because", "TeamQuota.reason", "Run.note",
    "Application.because", "DataPackage.about", "TrailLine.about", "TrailLine.because", "Attempt.detail", "Attempt.evidence",
    "Probe.detail", "Batch.detail", "BotState.written", "FreezeOrder.failure", "Entry.secret", "Service.secret",
    "Publication.withdrawn_because", "Snapshot.board",
}  # fmt: skip
# The same for every system of the campaign, so that they tell of none; masked only where a bundle is under aliases.
OF_THE_CAMPAIGN = {
    "Campaign.context_message", "Scenario.instructions_zh", "Scenario.instructions_en", "Scenario.opening",
    "Scenario.opening_en", "Criterion.question_zh", "Criterion.question_en", "Agreement.text_zh", "Agreement.text_en",
}  # fmt: skip


def test_every_sentence_that_is_stored_has_declared_readers():
    rooms = [model for model in apps.get_models() if not model.__module__.startswith(("django", "axes", "otp"))]
    fields = [(model, field) for model in rooms for field in model._meta.local_fields if not field.choices]
    stored = {
        f"{model.__name__}.{field.name}"
        for model, field in fields
        if isinstance(field, TextField)
        or (isinstance(field, CharField) and re.search("because|reason|text|note|comment|about", field.name))
    }
    assert stored == MASKED | HIDDEN | OF_THE_CAMPAIGN | {"Dialogue.reason"}  # the last is a word of ours


def test_no_frame_of_a_socket_names_a_maker(own, closed):
    for dialogue in (own, closed):
        frames = [frame for _, frame in events_after(dialogue.pk, 0)]
        assert len(frames) >= 4
        assert "█" in "".join(frames)
        replies = [frame for frame in frames if json.loads(frame)["type"] != "turn.accepted"]
        assert CANARY not in "".join([*replies, state_of(dialogue).frame()]).casefold()


def test_a_reviewer_reads_what_the_tester_asked_and_the_bot_answered_masked(person, closed):
    """Else the crawl could pass by being let in nowhere."""
    first, second, *_ = client_of(person).get(f"/api/v1/dialogues/{closed.pk}/review/sheet/").json()["turns"]
    assert "█" in first["texts"][0]
    assert "█" in second["text"]


def test_the_canary_is_seen_where_it_may_be(organizer, own):
    """Else the crawl could not fail."""
    for address in ("/campaigns/small/organize/", "/campaigns/small/leaderboard/"):
        assert tells(client_of(organizer).get(address)), address


def test_a_tester_opens_a_bot_by_its_alias_and_by_no_other_name(person, campaign, planted):
    client = client_of(person)

    def opened(name):
        body = {"campaign": "small", "bot": name, "scenario": "flight-then-hotel"}
        return client.post("/api/v1/dialogues/", body, content_type="application/json").status_code

    names = (f"{CANARY}-key", f"{CANARY} bot", str(planted.pk), str(planted.bot_id), planted.alias.lower(), "")
    assert [opened(name) for name in names] == [400] * len(names)
    assert opened(planted.alias) == 201
    CampaignRole.objects.create(campaign=campaign, person=person, role=Role.ORGANIZER)
    assert opened(f"{CANARY}-key") == 201
