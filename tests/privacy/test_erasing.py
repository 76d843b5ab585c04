"""After somebody is erased, no name and no text of theirs is found anywhere, and all that was counted stands."""

import io
import json
import zipfile

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, models, transaction
from django.utils import timezone

from accounts.models import ApiToken, Person
from audit.actions import record
from audit.models import TrailLine
from campaigns.models import Role
from dialogues.models import Attempt, Dialogue, Turn
from dialogues.trail_acts import DIALOGUE_VOIDED
from leaderboards.exports import EXPORTS, pieces
from leaderboards.live_board import computed_rows
from privacy.actions import erasing
from privacy.actions.erasing import CannotErase, erase_person, preview_erasing
from privacy.actions.mentions import MENTIONS
from publication.bundle import bundle_pieces
from replays.models import Replay, ReplayTurn
from reviews.models import Review
from tests.privacy.conftest import (
    DISPLAYED,
    EMAIL,
    MARK,
    NAMES,
    USERNAME,
    damage,
    rows_that_hold,
    submit_of,
    trail_breaks,
)
from tests.publishing import snapshot_of
from tests.reviews.conftest import NOON
from tests.world import client_of
from verification.verifying import verify

pytestmark = pytest.mark.django_db


def erase(person, **how):
    return erase_person(person=person, by=None, at=timezone.now(), **how)


def test_the_marks_stand_in_many_tables_before(marked):
    """Else nothing below could fail."""
    assert len(rows_that_hold(MARK)) >= 10
    assert len(rows_that_hold(*NAMES)) >= 8
    assert damage() == {}


def test_no_row_holds_a_name_or_a_text_afterwards(marked):
    erase(marked)
    assert rows_that_hold(MARK, *NAMES) == {}


def test_what_is_checked_of_the_data_still_holds(marked):
    erase(marked)
    assert damage() == {}
    assert trail_breaks() == []


def test_figures_counts_and_scores_are_as_they_were(marked, campaign):
    def counted():
        campaign.refresh_from_db()
        return (
            json.dumps(computed_rows(campaign)),
            list(
                Turn.objects.order_by("pk").values_list(
                    "number", "status", "attempt_number", "seq", "outcome_seq", "latency_ms"
                )
            ),
            list(Review.objects.order_by("pk").values_list("version", "ratings__score", "is_counted", "submitted_at")),
            TrailLine.objects.filter(act__startswith="dialogue.").count(),
        )

    before = counted()
    erase(marked)
    assert counted() == before


def test_no_export_page_or_answer_tells_of_them(marked, campaign, organizer):
    erase(marked)
    told = "".join(piece.decode() for what in EXPORTS for piece in pieces(what, campaign, "jsonl"))
    organizing = client_of(organizer)
    dialogue = Dialogue.objects.get()
    for address in (
        f"/campaigns/small/dialogues/{dialogue.pk}/",
        "/campaigns/small/people/",
        "/campaigns/small/trail/",
        "/api/v1/campaigns/small/trail/",
        f"/api/v1/campaigns/small/dialogues/{dialogue.pk}/",
    ):
        told += organizing.get(address, follow=True).content.decode()
    assert not [word for word in (MARK, *NAMES) if word.casefold() in told.casefold()]
    assert f"erased-{marked.pk}" in told


def test_a_new_bundle_has_neither_and_verifies(marked, campaign, tmp_path):
    erase(marked)
    campaign.refresh_from_db()
    path = tmp_path / "bundle.zip"
    path.write_bytes(b"".join(bundle_pieces(campaign, hides_teams=False, at=timezone.now())))
    assert verify(path).findings == []
    with zipfile.ZipFile(path) as bundle:
        told = "".join(bundle.read(name).decode() for name in bundle.namelist())
    assert MARK not in told
    assert not [name for name in NAMES if name.casefold() in told.casefold()]


def test_acts_of_the_trail_stay_with_what_they_were_about(marked):
    erase(marked)
    own = TrailLine.objects.get(because__startswith="[erased")
    assert (own.person, own.about, own.person_id) == (f"erased-{marked.pk}", "K7", marked.pk)
    assert "network" not in own.details
    named = TrailLine.objects.get(about=f"K7 · erased-{marked.pk}")
    assert named.details == {"to": f"erased-{marked.pk}", "n": 3}
    assert named.person == "organizer"
    last = TrailLine.objects.latest("number")
    assert (last.act, last.about) == ("erased.person", f"erased-{marked.pk}")


def test_nobody_gets_in_any_more(marked):
    client = client_of(marked)
    erase(marked)
    assert client.get("/account/details/").status_code == 302
    marked.refresh_from_db()
    assert (marked.is_active, marked.has_usable_password(), ApiToken.objects.count()) == (False, False, 0)
    assert not marked.campaign_roles.exists()


def test_a_role_word_as_a_user_name_leaves_roles_alone(marked, campaign):
    Person.objects.filter(pk=marked.pk).update(username="tester", display_name="")
    marked.refresh_from_db()
    erase(marked)
    assert damage() == {}
    assert campaign.invitations.get().roles == ["tester"]


def test_names_in_other_peoples_talks_go_where_it_is_asked_for(marked, campaign, admission, organizer):
    talked = Dialogue.objects.get()
    Turn.objects.filter(dialogue=talked, number=1).update(text=f"Is {DISPLAYED} there?")
    Dialogue.objects.filter(pk=talked.pk).update(tester=organizer)
    erase(marked, everywhere=True)
    assert Turn.objects.get(dialogue=talked, number=1).text == f"Is erased-{marked.pk} there?"


def test_others_can_write_while_all_that_was_said_is_looked_through(marked, monkeypatch):
    """The transaction of the erasure, a savepoint within that of the test, begins later."""
    open_before, open_then = len(connection.savepoint_ids), []
    monkeypatch.setattr(
        erasing, "talks_that_mention", lambda person: open_then.append(len(connection.savepoint_ids)) or []
    )
    erase(marked, everywhere=True)
    assert open_then == [open_before]


def test_what_others_write_of_them_meanwhile_goes_too(marked, organizer, monkeypatch):
    """Between the reading of everything and the transaction."""
    look, closed = erasing.mentions_of, Dialogue.objects.get()

    def look_and_go_on(*given, **how):
        found = look(*given, **how)
        one, other = (Person.objects.create_user(name) for name in ("late-reviewer", "drafting-reviewer"))
        submit_of(one, closed)
        Review.objects.create(dialogue=closed, reviewer=other, part="panel", draft={"comment": f"{DISPLAYED} is kind"})
        with transaction.atomic():
            record(DIALOGUE_VOIDED, by=organizer, about=f"K7 · {USERNAME}", because=f"{DISPLAYED} asked")
        return found

    monkeypatch.setattr(erasing, "mentions_of", look_and_go_on)
    erase(marked)
    assert rows_that_hold(MARK, *NAMES) == {}
    assert damage() == {}
    assert trail_breaks() == []


def test_the_transaction_reads_what_names_them_and_nothing_else(marked, organizer, monkeypatch):
    for n in range(5):
        submit_of(Person.objects.create_user(f"reviewer-{n}"), Dialogue.objects.get(), comment="short answers")
        with transaction.atomic():
            record(DIALOGUE_VOIDED, by=organizer, about="K8")
    found = erasing.mentions_of(marked, timezone.now(), everywhere=False)
    (own,) = Review.objects.filter(reviewer=marked)
    (naming,) = Review.objects.filter(reviewer__username="another-reviewer")
    assert found.reviews == [naming.pk]
    read, change = [], erasing.change_review_texts
    monkeypatch.setattr(erasing, "mentions_of", lambda *_, **__: found)
    monkeypatch.setattr(
        erasing, "change_review_texts", lambda reviews, **how: read.extend(reviews) or change(reviews=reviews, **how)
    )
    left_of, lines = erasing._left_of, []
    monkeypatch.setattr(erasing, "_left_of", lambda line, *how: lines.append(line.about) or left_of(line, *how))
    erase(marked)
    assert {*read} == {own, naming}
    assert "K8" not in lines


def test_a_name_that_changes_meanwhile_is_no_name_that_stays(marked, monkeypatch):
    look = erasing.mentions_of

    def look_and_rename(*given, **how):
        found = look(*given, **how)
        Person.objects.filter(pk=marked.pk).update(display_name="Quist the Second")
        return found

    monkeypatch.setattr(erasing, "mentions_of", look_and_rename)
    with pytest.raises(CannotErase, match="name was changed meanwhile"):
        erase(marked)


def test_names_in_answers_of_replays_go_where_it_is_asked_for(marked, campaign, admission, organizer):
    Dialogue.objects.update(tester=organizer)
    Turn.objects.update(text="Hello", texts=["Hi"])
    Attempt.objects.all().delete()
    line, against = Turn.objects.filter(text="Hello").first(), campaign.entries.first()
    replay = Replay.objects.create(dialogue=line.dialogue, against=against, asked_at=NOON, n_lines=1)
    said = {"replay": replay, "turn": line, "attempt": 1, "number": line.number, "ended_at": NOON}
    answer = ReplayTurn.objects.create(**said, outcome="reply", texts=[f"I know {DISPLAYED}."])
    erase(marked, everywhere=True)
    answer.refresh_from_db()
    assert answer.texts == [f"I know erased-{marked.pk}."]


def test_a_frozen_bundle_is_named_and_stays(marked, campaign):
    snapshot = snapshot_of(campaign, has_bundle=True)
    assert preview_erasing(person=marked).published == (snapshot.bundle_digest,)
    erase(marked)
    assert damage() == {}


def test_who_still_talks_or_alone_organizes_cannot_be_erased(dialogue, tester, organizer, campaign):
    with pytest.raises(CannotErase, match="open dialogues"):
        erase(tester)
    with pytest.raises(CannotErase, match="no other organizer"):
        erase(organizer)
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    erase(tester)
    with pytest.raises(CannotErase, match="erased already"):
        erase(Person.objects.get(pk=tester.pk))
    assert campaign.roles.filter(role=Role.ORGANIZER).exists()


def test_the_command_lists_first_and_erases_when_told(marked, monkeypatch):
    out = io.StringIO()
    call_command("erase", USERNAME, "--dry-run", "--format", "json", stdout=out)
    told = json.loads(out.getvalue())
    assert (told["dialogues"], told["reviews"], told["is_erased"]) == (1, 1, False)
    assert Person.objects.filter(username=USERNAME).exists()
    monkeypatch.setattr("sys.stdin", io.StringIO(USERNAME))
    with pytest.raises(CommandError, match="Nothing was erased"):
        call_command("erase", USERNAME, stdout=out, stderr=io.StringIO())
    call_command("erase", USERNAME, "--yes", stdout=out, stderr=io.StringIO())
    assert f"erased-{marked.pk}" in out.getvalue()
    assert not Person.objects.filter(email=EMAIL).exists()


# Texts of models, by what an erasing does with them. A new one fails the test below until it stands somewhere.
GO_WITH_THEIR_WRITER = {
    "dialogues.Turn": {"text", "texts"}, "dialogues.Attempt": {"detail", "evidence", "texts"}, "dialogues.BotState": {"written"},
    "dialogues.LedgerEvent": {"frame"}, "reviews.Review": {"comment", "draft"}, "reviews.GoldReview": {"content"}, "reviews.SecondReading": {"content", "draft"},
    "reviews.ReviewChange": {"before", "after", "reason"}, "audit.TrailLine": {"person", "about", "because", "details"},
    "accounts.Person": {"username", "first_name", "last_name", "email", "display_name", "password"},
    "sessions.Session": {"session_data"}, "accounts.LogIn": {"agent", "address"}, "accounts.ApiToken": {"name"},
    "leaderboards.StoredBoard": {"rows"}, "notifications.ConfirmedAddress": {"address", "digest"}, "crowds.Arrival": {"participant", "secret", "because"},
    "language_models.ModelCall": {"answer", "trouble"}, "replays.ReplayTurn": {"texts", "evidence", "detail"},
}  # fmt: skip
# They belong to a contest, a bot or a team, or hold words, keys and figures of the platform.
STAY = {
    "accounts.ApiToken", "accounts.LiftedNetworkLimit", "accounts.LogInTry", "accounts.OneTimeLink", "audit.TrailHead", "audit.TrailLine",
    "auth.Group", "auth.Permission", "automatic_tasks.AutomaticTask", "automatic_tasks.Batch", "automatic_tasks.BoardStatistics",
    "automatic_tasks.CombinedBoard", "automatic_tasks.CombinedStatistics", "automatic_tasks.Comparison", "automatic_tasks.PublishedFigures",
    "automatic_tasks.Run", "automatic_tasks.Score", "automatic_tasks.Service", "automatic_tasks.ServiceCheck",
    "automatic_tasks.ServiceFingerprint", "automatic_tasks.ServicePlan", "automatic_tasks.StoredFile", "automatic_tasks.WorkerPresence",
    "campaigns.Campaign", "campaigns.Entry", "campaigns.KnownTeam", "campaigns.Scenario", "campaigns.Subtask", "conformance.Check",
    "conformance.Fingerprint", "contenttypes.ContentType", "dialogues.Attempt", "dialogues.Dialogue", "dialogues.DialogueSubtask",
    "dialogues.LedgerEvent", "dialogues.Outage", "dialogues.Presence", "dialogues.Probe", "dialogues.Turn", "leaderboards.ImportedRecord",
    "organizing.MetaEvaluation", "organizing.MetricFile", "otp_static.StaticDevice", "otp_static.StaticToken", "otp_totp.TOTPDevice",
    "pairs.Pair", "participants.AllowedAddress", "participants.Bot", "participants.Team", "publication.FreezeOrder", "publication.Publication", "publication.Snapshot",
    "registration.Agreement", "registration.Application", "registration.DataPackage", "registration.DialKey", "registration.Invitation",
    "registration.PackageContent", "registration.TeamRequest", "reviews.Dispute", "reviews.Rating", "reviews.ReviewChange",
    "reviews.Reviewing", "reviews.Vetting", "rubrics.Criterion", "rubrics.Rubric", "rubrics.ScalePoint", "sessions.Session",
    "axes.AccessAttempt", "axes.AccessFailureLog", "axes.AccessLog", "operating.ProcessReport", "serving.ProcessBeat",
    "crowds.CrowdStudy", "notifications.Choice", "notifications.Delivery", "notifications.Event", "notifications.Webhook",
    "judging.JudgeReport", "judging.JudgeReview", "replays.Replay",
    "simulation.Rehearsal", "simulation.RehearsedAssignment", "simulation.SimulatedDialogue", "language_models.ModelEndpoint", "language_models.ModelRun",
    "language_models.ModelSpending",
}  # fmt: skip
TEXTS = (models.CharField, models.TextField, models.JSONField, models.BinaryField)


def test_every_model_with_texts_says_what_becomes_of_them():
    declared = STAY | GO_WITH_THEIR_WRITER.keys() | MENTIONS.keys()
    with_texts = {
        model._meta.label
        for model in apps.get_models()
        if any(isinstance(field, TEXTS) and not field.choices for field in model._meta.concrete_fields)
    }
    assert with_texts - declared == set()
    for label, columns in {**GO_WITH_THEIR_WRITER, **MENTIONS}.items():
        assert {field.name for field in apps.get_model(label)._meta.concrete_fields} >= set(columns)
