"""A tester with a name and texts that occur nowhere else, who has left something in every place that a tester can."""

import hashlib
import json
from datetime import timedelta

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone, translation

from accounts.actions import change_details, issue_token
from accounts.models import Person
from accounts.sessions.actions import note_log_in
from audit.actions import record
from audit.chain import breaks_in
from audit.models import head_of_trail, stored_lines
from campaigns.actions.people import pause_person
from campaigns.models import Role
from dialogues.models import Attempt, Dialogue, Problem
from dialogues.trail_acts import DIALOGUE_VOIDED
from judging.models import Judge, JudgeReport
from language_models.models import ModelCall, ModelEndpoint
from leaderboards.actions import refresh_agreement, refresh_leaderboard
from operating.data_checks import CHECKS
from operating.rows import lines_of, tables_of
from pairs.models import Pair, PairVote
from participants.failure_sentences import ITS_ERROR
from participants.failures import FailureKind
from participants.models import Team
from reading.findings import sentence
from registration.models import Application, Invitation
from reviews.models import Remark, Review, RevisionRequest, Vetting
from tests.dialogues.test_actions import Talk
from tests.language_models.endpoints import an_endpoint
from tests.reviews.conftest import NOON, submit

USERNAME, DISPLAYED, EMAIL = "marlin.quist", "Marlin Quist", "marlin@quist.example"
# Whatever they wrote or heard holds this.
MARK = "zebrafink"
RECORD = {
    "team": "Team Alpha", "scenario": "s", "subtasks": [{"kind": "flight", "completed": True, "turns": 2, "cap": 9}],
    "ratings": {"fluency": 1},
}  # fmt: skip
NAMES = (USERNAME, DISPLAYED, EMAIL, "quist")


def everything(apps):
    """Every row of every table as text, and the name of its table."""
    return [(table.name, line) for table in tables_of(apps) for line in lines_of(table)]


def rows_that_hold(*words):
    """The tables in which one of the words stands, with a row that shows it."""
    from django.apps import apps

    found = {}
    for table, line in everything(apps):
        if any(word.casefold() in line.casefold() for word in words):
            found.setdefault(table, line)
    return found


def damage():
    """What `check_data` finds."""
    at = timezone.now()
    return {name: wrong for name, check in CHECKS.items() if (wrong := list(check(at)))}


def trail_breaks():
    head = head_of_trail()
    return list(breaks_in(stored_lines(up_to=head.n_lines), n_lines=head.n_lines, head=head.hash))


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.fixture
def marked(dialogue, admission, tester, organizer, campaign, settings, tmp_path):
    """The tester, whose texts stand in turns, requests, the ledger, reviews, remarks, reports, requests, the trail and an application."""
    settings.VAR_DIR = tmp_path
    Person.objects.filter(pk=tester.pk).update(username=USERNAME, date_joined=timezone.now())
    tester.refresh_from_db()
    change_details(person=tester, display_name=DISPLAYED, email=EMAIL, by=tester, at=timezone.now())
    tester.first_name = "Quist"
    tester.save()
    talk_of(dialogue, admission)
    closed = Dialogue.objects.get(pk=dialogue.pk)
    submit(closed, tester, comment=f"{MARK} in a comment", at=NOON)
    submit(closed, tester, comment=f"{MARK} once more", based_on_version=1, at=NOON)
    review = Review.objects.get()
    Review.objects.update(draft={"ratings": {}, "evidence": {}, "verdicts": {}, "comment": f"{MARK} in a draft"})
    written_by(tester, closed, review)
    named_by_others(tester, organizer, campaign, closed)
    vote_of(tester, campaign, closed)
    replayed(closed)
    repeated_by_a_model()
    judged_by_a_model(campaign, closed)
    issue_token(person=tester, name="laptop", by=tester)
    session = SessionStore()
    session.create()
    note_log_in(
        person=tester, session_key=session.session_key, agent="x", address="192.0.2.7", since=NOON, at=NOON, n_at_most=5
    )
    campaign.refresh_from_db()
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    refresh_agreement(campaign=campaign, at=timezone.now())
    return tester


def talk_of(dialogue, admission):
    """An answer that repeats what was said, one that was masked, a failure that quotes it, and one that came too late."""
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("k1", text=f"I say {MARK}").asked, text=f"You said {MARK}", state={"heard": MARK})
    talk.answer(talk.send("k2", text=f"{MARK} again").asked, text=f"Team Alpha heard {MARK}", masked=("Team Alpha",))
    talk.fail(talk.send("k3", text=f"{MARK} thrice").asked, evidence=f"<p>{MARK}</p>", kind=FailureKind.HTTP_5XX)
    talk.answer(talk.retry(3), text=f"at last {MARK}")
    talk.end()
    failed = Attempt.objects.get(outcome="failure")
    Attempt.objects.create(
        turn=failed.turn,
        number=1,
        request=2,
        outcome="late",
        is_current=False,
        texts=[f"late {MARK}"],
        ended_at=timezone.now(),
    )


def replayed(dialogue):
    """The lines put to the system again: one answer repeats what was said, and one failure quotes it."""
    entry, at = dialogue.assignment.entry, timezone.now()
    replay = dialogue.replays.create(against=entry, asked_at=at, ended_at=at, n_lines=2, state="done", n_attempts=1)
    first, second = dialogue.turns.order_by("number")[:2]
    said = {"outcome": "reply", "texts": [f"once more {MARK}"]}
    replay.turns.create(turn=first, attempt=1, number=first.number, ended_at=at, **said)
    failed = {"outcome": "failure", "kind": "http_5xx", "fault": "bot", "evidence": f"<p>{MARK}</p>"}
    quoted = sentence(ITS_ERROR, received=f"You said {MARK}").to_json()
    replay.turns.create(turn=second, attempt=1, number=second.number, ended_at=at, detail=quoted, **failed)


def repeated_by_a_model():
    call = {"endpoint": an_endpoint(), "purpose": "judge", "digest": "0" * 64, "at": NOON, "outcome": "answered"}
    ModelCall.objects.create(**call, answer=f'{{"reason": "the tester said {MARK}"}}', trouble=["", f"not {MARK}", {}])


def judged_by_a_model(campaign, dialogue):
    """A judge whose prompt names the tester, with a dialogue to score and a report."""
    judge = Judge.objects.create(
        campaign=campaign, endpoint=ModelEndpoint.objects.get(), key="scribe", language="en", prompt_digest="0" * 64,
        instructions=f"{DISPLAYED} asks you to be strict.", declared_at=NOON,
    )  # fmt: skip
    judge.reviews.create(dialogue=dialogue, position=1, drawn_at=NOON)
    JudgeReport.objects.create(judge=judge, computed_at=NOON)


def written_by(tester, dialogue, review):
    at = timezone.now()
    Remark.objects.create(dialogue=dialogue, reviewer=tester, kind="leaked", text=f"{MARK} leaked", at=at)
    Problem.objects.create(dialogue=dialogue, reported_by=tester, text=f"{MARK} is odd", at=at)
    RevisionRequest.objects.create(review=review, reason=f"{MARK} was wrong", asked_at=at)
    Vetting.objects.create(
        dialogue=dialogue, expert=tester, is_accepted=False, faults=["fluent"], reason=f"{MARK} is not", at=at
    )
    campaign = dialogue.assignment.campaign
    Application.objects.create(
        campaign=campaign, applicant=tester, name_zh="队", affiliation=f"{MARK} university", contact=EMAIL,
        members=[USERNAME, EMAIL], applied_at=at,
    )  # fmt: skip
    Invitation.objects.create(
        digest=hashlib.sha256(b"i").hexdigest(), campaign=campaign, roles=["tester"], name=DISPLAYED, email=EMAIL,
        made_at=at, expires_at=at + timedelta(days=1), used_by=tester, used_at=at,
    )  # fmt: skip


def vote_of(tester, campaign, dialogue):
    """A preference that the tester gave a reason for."""
    own, rival = dialogue.assignment.entry, Team.objects.create(name="Team Omega").bots.create(name="omega")
    other = campaign.entries.create(bot=rival, key="omega", alias="Z9")
    pair = Pair.objects.create(
        campaign=campaign, scenario=dialogue.assignment.scenario, kind="finished", left=own, right=other,
        origin="imported", drawn_at=NOON,
    )  # fmt: skip
    PairVote.objects.create(pair=pair, judge=tester, verdict="left", reason=f"{MARK} preferred", at=NOON)


def named_by_others(tester, organizer, campaign, dialogue):
    because = f"asked for by {DISPLAYED} ({EMAIL})"
    pause_person(campaign=campaign, person=tester, because=because, by=organizer, at=timezone.now())
    record(
        DIALOGUE_VOIDED,
        by=organizer,
        campaign=campaign.slug,
        about=f"K7 · {USERNAME}",
        because=because,
        details={"to": USERNAME, "n": 3},
    )
    record(
        DIALOGUE_VOIDED,
        by=tester,
        campaign=campaign.slug,
        about="K7",
        because=f"{MARK} reason",
        details={"network": "192.0.2.0/24", "email": EMAIL},
    )
    other = Person.objects.create_user("another-reviewer")
    campaign.roles.create(person=other, role=Role.REVIEWER)
    submit_of(other, dialogue)
    campaign.entries.get().imported_records.create(
        campaign=campaign, scenario="s", reviewer=USERNAME, content=RECORD | {"reviewer": USERNAME}
    )


def submit_of(person, dialogue, comment=f"{DISPLAYED} was polite"):
    """A review of somebody else that names them."""
    review = Review.objects.create(dialogue=dialogue, reviewer=person, part="panel")
    from reviews.actions.contents import save_next_version

    review.is_submitted, review.submitted_at, review.comment = True, NOON, comment
    save_next_version(review, "handed_in", person, None, NOON)


def frames(dialogue):
    from dialogues.queries import events_after

    return [json.loads(frame) for _, frame in events_after(dialogue.pk, 0)]
