"""No page, frame, header, export or error tells a tester or reviewer who made a bot (P7): canaries in every field that could.

The crawl is made of the URL resolver, so a new route is crawled as soon as it exists.
"""

import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.db.models import (
    BinaryField,
    BooleanField,
    CharField,
    DateTimeField,
    FloatField,
    IntegerField,
    JSONField,
    TextField,
)
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from automatic_tasks.models import (
    Batch,
    BoardStatistics,
    CombinedStatistics,
    PublishedFigures,
    Score,
    Service,
    ServiceCheck,
    ServiceFingerprint,
    TeamQuota,
)
from campaigns.actions.people import pause_person
from campaigns.actions.stages import pause_bot
from campaigns.descriptions import PARTS
from campaigns.models import Campaign, CampaignRole, Entry, Role, Scenario, TeamMember
from conformance.models import Check, Fingerprint
from conformance.results import Result, Verdict
from dialogues.actions import close_subtask, open_chosen_dialogue, record_failure, record_reply, take_turn
from dialogues.actions.announcing import make_announcement
from dialogues.actions.deciding import end_for_tester, return_dialogue
from dialogues.masking import masker_of
from dialogues.models import BotState, Dialogue, Probe
from dialogues.queries import events_after, masked_words, state_of
from dialogues.trail_acts import FAILED_TOGETHER
from dialogues.turn_taking import shown_reply
from language_models.models import ModelCall, ModelEndpoint
from leaderboards.models import ImportedRecord, StoredBoard
from notifications.models import Delivery, Event, Webhook
from organizing.models import MetaEvaluation, MetricFile
from pairs.models import Pair, PairVote
from participants.adapters import Reply
from participants.failures import BotFailure, FailureKind
from participants.models import Bot, Team
from publication.models import FreezeOrder, Publication
from reading.findings import sentence
from registration.models import Application, Invitation, TeamRequest
from replays.models import SentinelRound
from reviews.actions.submitting import add_remark
from reviews.models import Dispute, GoldReview, GuideExample, Review, ReviewPlace, SecondReading
from simulation.models import SimulatedDialogue
from testing_console.notices import standing_notices
from tests.conftest import Admitted
from tests.publishing import snapshot_of
from tests.routes import ROUTES, TRIED, access_of
from tests.world import address_of, again, client_of, noted_client_of, undone

pytestmark = pytest.mark.usefixtures("db")

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
    entry, compared = campaign.entries.order_by("pk")
    Entry.objects.filter(pk=entry.pk).update(key=f"{CANARY}-key")
    Entry.objects.filter(pk=compared.pk).update(key=f"{CANARY}-compared")
    Entry.objects.update(
        url=f"http://bots.{CANARY}.example:9/", secret=f"{CANARY}-secret",
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
    failure = BotFailure(
        FailureKind.HTTP_5XX, sentence("%(received)s", received=f"{CANARY} detail"), evidence=f"<h1>{CANARY}</h1>"
    )
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
    disputed.objections.create(
        against="scores", text=NAMED, made_by=tester, made_at=at,
        is_upheld=False, answer=NAMED, answered_by=organizer, answered_at=at,
    )  # fmt: skip
    replay = closed.replays.create(against=closed.assignment.entry, asked_at=at, n_lines=1, failure=[NAMED])
    texts = {"texts": [NAMED], "evidence": NAMED, "detail": ["", NAMED, {}], "earlier": [{"kind": NAMED}]}
    replay.turns.create(turn=closed.turns.first(), attempt=1, number=1, outcome="reply", ended_at=at, **texts)
    SentinelRound.objects.create(entry=closed.assignment.entry, began_at=at, limit_percent=30, settled_because=NAMED)
    said = {"comment": NAMED}
    shown = talked(campaign, tester, closed=True)
    # The guide shows it to those who have scored it.
    Review.objects.create(
        dialogue=shown,
        reviewer=person,
        part="panel",
        is_submitted=True,
        version=1,
        submitted_at=at - timedelta(hours=1),
    )
    GuideExample.objects.create(
        dialogue=shown, point=campaign.rubric.criteria.first().points.first(), reason=NAMED,
        added_by=organizer, added_at=at, panel_size=9,
    )  # fmt: skip
    SecondReading.objects.create(review=review, position=1, opened_at=at, content=said, draft=said)
    return_dialogue(dialogue=returned, because=NAMED, at=at)
    ended = talked(campaign, person, closed=False, question="k")
    end_for_tester(dialogue=ended, by=organizer, because=NAMED, at=at)
    make_announcement(campaign=campaign, by=organizer, zh=NAMED, en=NAMED, until=None, at=at)
    make_announcement(campaign=campaign, by=organizer, zh="", en=NAMED, until=None, at=at)
    adjudicated = talked(campaign, tester, closed=True)
    Dispute.objects.create(dialogue=adjudicated, criteria={"satisfaction": 3}, opened_at=at)
    row_of(
        Review,
        dialogue=adjudicated,
        reviewer=organizer,
        part="adjudication",
        comment=NAMED,
        is_submitted=True,
        version=1,
        submitted_at=at,
    )
    row_of(Review, dialogue=adjudicated, reviewer=other, part="panel", comment=NAMED, draft={"comment": NAMED})
    for model in (
        BotState, Check, Fingerprint, Probe, ImportedRecord, StoredBoard, FreezeOrder, TeamRequest,
        Service, ServiceCheck, ServiceFingerprint, PublishedFigures, CombinedStatistics, BoardStatistics, Score,
        Batch, MetricFile, MetaEvaluation, GoldReview,
    ):  # fmt: skip
        row_of(model)
    first, second = campaign.entries.order_by("pk")[:2]
    pair = row_of(Pair, campaign=campaign, kind="finished", origin="imported", left=first, right=second)
    row_of(PairVote, pair=pair, judge=person)
    row_of(Application, name_zh=NAMED)
    row_of(Invitation, campaign=campaign)
    row_of(TeamQuota, total=1)
    row_of(Event, campaign=campaign)
    row_of(Delivery, webhook=row_of(Webhook, campaign=campaign))
    row_of(SimulatedDialogue, dialogue=closed)
    row_of(ModelCall, endpoint=row_of(ModelEndpoint, campaign=campaign))
    Person.objects.exclude(pk=person.pk).update(display_name=f"{CANARY} person", first_name=CANARY, last_name=CANARY)
    snapshot = snapshot_of(campaign)
    row_of(Publication, snapshot=snapshot, withdrawn_at=at, withdrawn_because=NAMED)
    record(FAILED_TOGETHER, by=None, at=at, campaign="small", about=NAMED, because=NAMED, details={"team": NAMED})
    for name in sorted(MASKED | HIDDEN):
        if not _holds(name):
            _plant(name)
    return own, closed, disputed, returned, ended, adjudicated


def row_of(model, **said):
    """A row with the least that its table asks for."""
    for field in model._meta.local_fields:
        may_stay = field.primary_key or field.null or field.has_default() or field.blank
        if field.name in said or field.attname in said or may_stay:
            continue
        said[field.name] = _least(field)
    return model._base_manager.create(**said)


def _least(field):
    if field.is_relation:
        return field.related_model._base_manager.order_by("-pk").first()
    if isinstance(field, DateTimeField):
        return timezone.now()
    if isinstance(field, JSONField | BinaryField):
        return {} if isinstance(field, JSONField) else b""
    if isinstance(field, IntegerField | FloatField | BooleanField):
        return 0 if isinstance(field, BooleanField) else 1
    return field.choices[0][0] if field.choices else NAMED[: field.max_length]


FOUND = ["", "%(received)s", {"received": NAMED}]
RESULTS = [Result("status", Verdict.FAIL, sentence("%(received)s", received=NAMED)).to_json()]
# What is planted in columns whose values have a shape.
JSON_OF = {
    "Attempt.detail": FOUND, "Batch.detail": FOUND, "Fingerprint.failure": FOUND, "ServiceFingerprint.failure": FOUND,
    "Probe.detail": FOUND, "Delivery.answer": FOUND, "Run.reasons": [FOUND], "Run.warnings": [FOUND], "Batch.problems": [FOUND],
    "Campaign.masked_words": [CANARY], "Check.results": RESULTS, "ServiceCheck.results": RESULTS, "Fingerprint.answers": [[NAMED]],
    "ServiceFingerprint.answers": [[NAMED]], "Application.members": [NAMED], "Attempt.texts": [NAMED],
    "MetricFile.figures": [{"skill": "", "system": NAMED, "figures": {}}],
}  # fmt: skip


def _field(name):
    label, field = name.split(".")
    model = next(one for one in apps.get_models() if one.__name__ == label)
    return model, model._meta.get_field(field)


def _holds(name) -> bool:
    model, field = _field(name)
    values = model._base_manager.values_list(field.name, flat=True)
    return any(CANARY in json.dumps(value, default=str, ensure_ascii=False).casefold() for value in values)


def _plant(name) -> None:
    """Writes the canary into the field of a stored row."""
    model, field = _field(name)
    row = model._base_manager.order_by("-pk").first()
    assert row is not None, f"no row has a {name}"
    if isinstance(field, JSONField):
        value = JSON_OF.get(name, {CANARY: NAMED})
    else:
        told = f"{CANARY} one" if "name" in field.name else NAMED[: field.max_length]
        value = f"http://bots.{CANARY}.example/" if field.name == "url" else told
    model._base_manager.filter(pk=row.pk).update(**{field.name: value})


def tells(answer, word=CANARY) -> bool:
    content = b"".join(answer) if answer.streaming else answer.content
    return word in f"{content.decode(errors='replace')} {answer.headers} {answer.cookies}".casefold()


BODIES = ("not json", json.dumps({"campaign": "small", "bot": "?", "scenario": "?"}))


def answers_of(client, path, address):
    for method in TRIED[path]:
        for body in BODIES if method == "POST" else ("{}",):
            yield method, client.generic(method, address, body, content_type="application/json")
    if "POST" in TRIED[path]:
        yield "form", client.post(address, {"bot": "?", "scenario": "?"})


def test_no_answer_of_any_route_names_a_maker(run, person, own, closed):
    # What asks for other roles has no answer for one who is blind (`test_access.py`).
    paths = sorted(set().union(*map(open_to, BLIND)))
    of_own = [(path, address_of(path, own, run), False) for path in paths]
    of_closed = [(path, address_of(path, closed, run), True) for path in paths if "dialogue_id" in path]
    n_shown = 0
    client = noted_client_of(person)
    for path, address, may_show_context in (*of_own, *of_closed):
        with undone():
            for method, answer in answers_of(again(client), path, address):
                assert not tells(answer), f"{method} {address}: {answer.status_code}"
                assert may_show_context or not tells(answer, CONTEXT), f"{method} {address} shows the context"
                n_shown += answer.status_code == 200
    assert n_shown > 20


def test_the_panels_comments_reach_the_adjudicator_masked(person, written):
    page = client_of(person).get(f"/reviews/{written[2].pk}/").content.decode()
    # Beside the three comments stands the example of the scoring guide.
    assert page.count("Clearly █") == 4
    assert CANARY not in page.casefold()


# What they show depends on the roles of who reads them.
OF_EACH_ROLE = {"", "campaigns/<slug:slug>/", "api/v1/account/campaigns/", "api/v1/campaigns/<slug:slug>/"}


def test_what_people_wrote_names_no_maker_to_any_blind_role(run, campaign, person, organizer, written):
    CampaignRole.objects.filter(person=person).update(paused_at=timezone.now(), paused_because=NAMED)
    pause_bot(entry=campaign.entries.get(key=f"{CANARY}-key"), because=NAMED, at=timezone.now())
    client, of_all = noted_client_of(person), set.intersection(*({*open_to(role)} for role in BLIND))

    def n_shown(paths):
        addresses = {address_of(path, one, run) for one in written for path in paths if "GET" in TRIED[path]}
        return sum(_is_shown(client, address) for address in sorted(addresses))

    assert n_shown(of_all) > 20
    for role in BLIND:
        with undone():
            CampaignRole.objects.filter(person=person).exclude(role=role).delete()
            assert n_shown({*open_to(role)} - of_all | OF_EACH_ROLE) > 3, role


def test_every_text_that_could_name_a_maker_does_in_the_crawl(written):
    """Else the crawl could pass because nothing was there to be told."""
    assert [name for name in sorted(MASKED | HIDDEN) if not _holds(name)] == []
    assert [name for name in sorted(STORED_MASKED) if _holds(name)] == []


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


# Every text that is stored, by who reads it. A new field fails the test below until it stands in one of the groups.
MASKED = {
    "Review.comment", "Turn.text", "Announcement.text_zh", "Announcement.text_en", "CampaignRole.paused_because",
    "Entry.paused_because", "GuideExample.reason",
}  # fmt: skip
# Masked before they are stored, since their readers have them at once.
STORED_MASKED = {"Turn.texts", "LedgerEvent.frame"}
# Shown to nobody in a blind role but, where it is theirs, its writer: who makes which system, how it is reached, what it
# answered as it came, and what is said of it.
HIDDEN = {
    "Team.name", "Team.name_en", "Bot.name", "KnownTeam.name", "TeamRequest.name", "Entry.key", "Entry.url", "Entry.options",
    "Entry.returned_because", "Campaign.masked_words",
    "Vetting.reason", "Remark.text", "RevisionRequest.reason", "Review.draft", "ReviewChange.before", "ReviewChange.after",
    "ReviewChange.reason", "GoldReview.content", "SecondReading.content", "SecondReading.draft", "ClosedPanel.because", "Problem.text", "Objection.text", "Objection.answer",
    "ReplayTurn.detail", "ReplayTurn.evidence", "ReplayTurn.earlier", "ReplayTurn.texts", "Replay.failure", "SentinelRound.settled_because",
    "Attempt.detail", "Attempt.evidence", "Attempt.texts", "Probe.detail", "BotState.written",
    "Check.url", "Check.options", "Check.results", "Fingerprint.url", "Fingerprint.version", "Fingerprint.answers",
    "Fingerprint.failure", "TrailLine.about", "TrailLine.because", "TrailLine.details",
    "ImportedRecord.scenario", "ImportedRecord.reviewer", "ImportedRecord.dialogue", "ImportedRecord.content",
    "Dialogue.external_id", "Pair.external_id", "PairVote.external_judge", "PairVote.reason", "StoredBoard.rows", "Snapshot.board", "Publication.withdrawn_because",
    "FreezeOrder.failure", "Application.name_zh", "Application.name_en", "Application.affiliation", "Application.contact",
    "Application.members", "Application.because", "Invitation.name", "Invitation.email", "DataPackage.file_name",
    "DataPackage.about", "Run.baseline", "Run.note", "Run.file_name", "Run.url", "Run.reasons", "Run.warnings", "Score.notes",
    "Batch.answers", "Batch.problems", "Batch.detail", "TeamQuota.reason", "Service.url",
    "Service.returned_because", "Service.withdrawn_because", "ServiceCheck.url", "ServiceCheck.options", "ServiceCheck.results",
    "ServiceFingerprint.url", "ServiceFingerprint.version", "ServiceFingerprint.answers", "ServiceFingerprint.failure",
    "PublishedFigures.name", "PublishedFigures.source", "PublishedFigures.figures", "CombinedStatistics.content",
    "CombinedStatistics.published", "BoardStatistics.content", "MetricFile.name", "MetricFile.figures", "MetaEvaluation.content",
    "Webhook.url", "Delivery.answer",
    "SimulatedDialogue.model", "ModelEndpoint.url", "ModelEndpoint.model", "ModelEndpoint.options", "ModelCall.model", "ModelCall.answer", "ModelCall.trouble",
}  # fmt: skip
# The same for every system of the campaign, so that they tell of none; masked only where a bundle is under aliases.
OF_THE_CAMPAIGN = {
    *(f"Description.{part}_{language}" for part in PARTS for language in ("zh", "en")),
    "Campaign.slug", "Entry.hours", "CampaignRole.hours", "Campaign.name_zh", "Campaign.name_en", "Campaign.preset", "Campaign.context_message", "Campaign.ranking_rule",
    "Campaign.quota", "Campaign.time_zone", "Scenario.key", "Scenario.title_zh", "Scenario.title_en", "Scenario.instructions_zh",
    "Scenario.instructions_en", "Scenario.opening", "Scenario.opening_en", "Scenario.facts", "Scenario.skill", "Scenario.items",
    "Scenario.context", "Subtask.kind", "DialogueSubtask.kind", "Rubric.key", "Rubric.name_zh", "Rubric.name_en", "Criterion.key",
    "Criterion.letter", "Criterion.name_zh", "Criterion.name_en", "Criterion.question_zh", "Criterion.question_en",
    "Criterion.skills", "ScalePoint.key", "ScalePoint.label_zh", "ScalePoint.label_en", "Agreement.text_zh", "Agreement.text_en",
    "Reviewing.policy", "AutomaticTask.key", "AutomaticTask.name_zh", "AutomaticTask.name_en", "AutomaticTask.options",
    "AutomaticTask.ranking", "AutomaticTask.development_ids", "AutomaticTask.defaults", "AutomaticTask.board_troubles",
    "CombinedBoard.key", "CombinedBoard.name_zh", "CombinedBoard.name_en", "CombinedBoard.columns", "CombinedBoard.total",
    "CombinedBoard.ranking", "CombinedBoard.interim",
    "Judge.key", "Judge.instructions", "Judge.maker",
    "CrowdStudy.key", "CrowdStudy.name_zh", "CrowdStudy.name_en", "CrowdStudy.welcome_zh", "CrowdStudy.welcome_en", "CrowdStudy.attention",
}  # fmt: skip
# Of people, shown to themselves and to organizers.
OF_PEOPLE = {
    "Person.password", "Person.username", "Person.first_name", "Person.last_name", "Person.email", "Person.display_name",
    "LogIn.agent", "LogIn.address", "LogInTry.name", "LogInTry.network", "LogInTry.device", "LiftedNetworkLimit.name", "OneTimeLink.reach", "ApiToken.name",
    "ApiToken.role", "ApiToken.campaign", "Invitation.roles", "TrailLine.person", "Reviewing.reviewers", "Turn.key", "Dialogue.ticked",
    "ConfirmedAddress.address", "Arrival.because",
}  # fmt: skip
# Words, ids, digests, numbers and times of the platform's own.
OURS = {
    "TrailLine.act", "TrailLine.salts", "TrailLine.gone", "ReviewChange.salt", "ReviewChange.gone", "TrailLine.campaign", "TrailLine.previous", "TrailLine.hash", "TrailHead.hash", "OneTimeLink.digest",
    "ApiToken.digest", "ApiToken.token_key", "Campaign.cap_per", "Campaign.language", "Campaign.opened_by",
    "Campaign.tester_may_end", "Campaign.turns_are", "Campaign.admission", "Campaign.members_may_judge", "Campaign.plan", "Campaign.programs",
    "Campaign.reviewed_by", "Campaign.counted_reviews", "Campaign.decisions_count", "Campaign.broken_dialogues",
    "Campaign.failed_turns", "Entry.alias", "Entry.protocol", "DialKey.digest", "DialKey.connection", "DialKey.server",
    "Invitation.digest", "DataPackage.sha256", "Check.worker", "Check.protocol", "Check.verdict", "Fingerprint.protocol",
    "Fingerprint.differs", "Outage.process", "Probe.kind", "Presence.process", "Dialogue.reason", "Turn.choices", "Turn.flags", "Turn.wire",
    "Campaign.pairs_kind", "Campaign.pairs_draw", "Campaign.pairs_reason",
    "Rehearsal.worker", "RehearsedAssignment.broken", "Replay.worker", "Replay.protocol", "ReplayTurn.flags", "ReplayTurn.kind", "ReplayTurn.fault", "ReplayTurn.wire",
    "Turn.owner", "Attempt.kind", "Attempt.fault", "Attempt.measured_fault", "Attempt.wire", "LedgerEvent.kind",
    "LedgerEvent.fault", "Rating.place", "ReviewChange.digest", "Dispute.criteria", "Vetting.faults", "StoredBoard.key",
    "Snapshot.of_board", "Snapshot.digest", "Snapshot.bundle_digest", "FreezeOrder.of_board", "CombinedStatistics.version",
    "StoredFile.sha256", "AutomaticTask.type", "Score.figures", "Score.intervals", "Score.version", "Comparison.p_values",
    "Run.worker", "ServicePlan.order", "Batch.failure", "WorkerPresence.name", "WorkerPresence.trouble", "ServiceCheck.worker",
    "ServiceCheck.protocol", "ServiceCheck.verdict", "ServiceFingerprint.protocol", "ServiceFingerprint.differs",
    "MetaEvaluation.made_from", "ProcessBeat.name", "ProcessBeat.place", "ProcessBeat.version", "ProcessBeat.key_digest",
    "ProcessReport.name", "ProcessReport.version", "ProcessReport.errors", "ProcessReport.routes",
    "CrowdStudy.door", "CrowdStudy.participant_parameter", "CrowdStudy.study_parameter", "CrowdStudy.session_parameter", "CrowdStudy.currency",
    "CrowdStudy.return_url", "CrowdStudy.return_host", "CrowdStudy.excludes", "Arrival.participant",
    "AllowedAddress.place", "Pair.key", "Webhook.kinds", "Choice.kinds", "ConfirmedAddress.digest", "Event.key", "Delivery.path",
    "SimulatedDialogue.endpoint", "SimulatedDialogue.persona", "SimulatedDialogue.difficulty", "SimulatedDialogue.prompt_digest",
    "Campaign.judges", "Judge.prompt_digest", "JudgeReview.variant", "JudgeReview.failed_because", "JudgeReview.samples",
    "JudgeReview.content", "JudgeReview.means", "JudgeReport.content",
    "ModelEndpoint.key", "ModelEndpoint.currency", "ModelSpending.period", "ModelCall.digest", "ModelRun.asks_for", "ModelRun.worker",
}  # fmt: skip
# Sealed in the database, and shown to nobody.
SEALED = {
    "Entry.secret",
    "Service.secret",
    "Webhook.secret",
    "ModelEndpoint.secret",
    "CrowdStudy.secret",
    "Arrival.secret",
}
GROUPS = (SEALED, MASKED, STORED_MASKED, HIDDEN, OF_THE_CAMPAIGN, OF_PEOPLE, OURS)


def stored_texts() -> set[str]:
    rooms = [model for model in apps.get_models() if not model.__module__.startswith(("django", "axes", "otp"))]
    return {
        f"{model.__name__}.{field.name}"
        for model in rooms
        for field in model._meta.local_fields
        if isinstance(field, CharField | TextField | JSONField) and not field.choices
    }


def test_every_text_that_is_stored_has_declared_readers():
    assert stored_texts() == set().union(*GROUPS)
    assert sum(map(len, GROUPS)) == len(set().union(*GROUPS)), "a text stands in two groups"


def test_no_frame_of_a_socket_names_a_maker(campaign, written):
    """Neither those of dialogues, among them one that was returned and one that an organizer ended, nor the notices beside them."""
    for dialogue in written:
        frames = [frame for _, frame in events_after(dialogue.pk, 0)]
        assert len(frames) >= 4
        assert "█" in "".join(frames)
        replies = [frame for frame in frames if json.loads(frame)["type"] != "turn.accepted"]
        assert CANARY not in "".join([*replies, state_of(dialogue.pk).frame()]).casefold()
    notices = json.dumps(standing_notices(campaign, timezone.now()))
    assert "Clearly" in notices
    assert CANARY not in notices.casefold()


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
