"""Two bundles that together hold every file and feature: of a campaign that goes on, with names, and of one that is over, with aliases."""

import io
import tempfile
from datetime import UTC, datetime

from django.core.management import call_command
from django.utils import timezone

from campaigns.actions import change_settings, draw_assignments, load_campaign
from campaigns.models import Role, Subtask
from dialogues.actions import import_dialogues, open_dialogue, record_failure, record_reply, take_opening
from dialogues.actions.closing import abandon_dialogue
from dialogues.actions.deciding import end_for_tester, reassign
from dialogues.dialogue_files import FORMATS
from dialogues.masking import masker_of
from dialogues.models import Attempt, Dialogue
from dialogues.turn_taking import REPLY_LIMIT, shown_reply
from participants.adapters import Reply
from participants.failures import BotFailure, FailureKind, Fault, Try
from publication.bundle import bundle_pieces
from reading.findings import sentence
from reviews.actions import submit_review
from reviews.actions.deciding import book_fault, restore_dialogue, void_dialogue
from tests.campaigns.test_assigning import DRAWN_CAMPAIGN
from tests.campaigns.test_examples import FINISHED
from tests.conftest import PUBLISHED, Admitted, spec_of
from tests.dialogues.test_actions import Talk
from tests.leaderboards.played import example, play, talk_through
from tests.reviews.conftest import person

AT = datetime(2026, 5, 1, 8, tzinfo=UTC)


def why():
    return {"by": None, "because": "x", "at": timezone.now()}


def drawn_alike(campaign):
    """With the same panels and goals each time: they are drawn from a seed of the campaign's own."""
    campaign.drawing_seed = 1
    campaign.save()
    return campaign


def going_on():
    """Panels, experts and testers score; there are disputes, retries, void dialogues, and some that are open."""
    campaign = drawn_alike(example("smp2018"))
    person(campaign, "expert", Role.EXPERT)
    settings = {"experts_per_dialogue": 1, "adjudicated_over": 0, "reviewed_by": "both", "counted_reviews": "both"}
    change_settings(campaign=campaign, changes=settings, at=timezone.now())
    play(campaign)
    entry = campaign.entries.order_by("pk").first()
    say_all_kinds(campaign, talk_through(campaign, entry, 0, "open"))
    decide_all_kinds(campaign, entry)
    import_some(campaign)
    for one in campaign.entries.all():
        answers = {"answers": [["您好"] * 3], "version": "1.0", "is_reference": True}
        one.fingerprints.create(taken_at=AT, protocol=one.protocol, url=one.url, **answers)
    return bytes_of(campaign, hides_teams=False)


def say_all_kinds(campaign, talk):
    """Replies that are masked, cut, slow, late or sent for again, and failures of every fault."""
    masked = masker_of(tuple(entry.bot.team.name for entry in campaign.entries.all()))

    def replied(asked, *texts, **named):
        reply = Reply(texts, latency_ms=12_000, **named)
        shown = shown_reply(texts, masked, reply.latency_ms)
        talk.noted(record_reply(asked=asked, reply=reply, shown=shown, at=timezone.now()))

    replied(talk.send("m1", "你是谁？").asked, "我们是 Demo Team One，您好", "还有什么？")
    replied(talk.send("m2", "说多一点").asked, "好" * (REPLY_LIMIT + 1))
    replied(talk.send("m3", "再来").asked, "好的", tries=tries(FailureKind.CONNECT, FailureKind.HTTP_5XX, None))
    late = talk.send("m4", "还在吗").asked
    talk.fail(late, FailureKind.TIMEOUT_TOTAL)
    talk.answer(late, "来晚了")
    again = talk.retry(late.turn.number)
    broken = BotFailure(FailureKind.HTTP_5XX, sentence("broken"), status=503)
    broken.tries = tries(FailureKind.HTTP_5XX, FailureKind.HTTP_5XX)
    talk.noted(record_failure(asked=again, failure=broken, at=timezone.now()))
    talk.fail(late, FailureKind.HTTP_5XX)
    talk.fail(talk.send("m5", "在？").asked, FailureKind.CONNECT, fault=Fault.NOBODY)


def tries(*kinds):
    return tuple(
        Try(
            number,
            kind,
            503 if kind else 200,
            sentence("not now"),
            "later",
            kind is not FailureKind.CONNECT,
            7,
            timezone.now(),
        )
        for number, kind in enumerate(kinds, start=1)
    )


def decide_all_kinds(campaign, entry):
    """What experts, organizers and silence make of dialogues."""
    counted = Dialogue.objects.of_campaign(campaign).filter(reviews__is_counted=True).distinct().order_by("opened_at")
    void, back, *_ = counted
    void_dialogue(dialogue=void, **why())
    void_dialogue(dialogue=back, **why())
    restore_dialogue(dialogue=back, **why())
    failures = Attempt.objects.filter(turn__dialogue__assignment__campaign=campaign, is_current=True, fault="bot")
    failed = failures.filter(turn__dialogue__status="unfinished").order_by("pk").first()
    book_fault(dialogue=failed.turn.dialogue, number=failed.turn.number, fault=Fault.PLATFORM, **why())
    broken = Attempt.objects.filter(turn__dialogue__assignment__campaign=campaign, is_current=True, fault="platform")
    one = broken.filter(turn__dialogue__status="void", kind="interrupted").order_by("pk").first()
    book_fault(dialogue=one.turn.dialogue, number=one.turn.number, fault=Fault.BOT, **why())
    waiting = talk_through(campaign, entry, 1, "open")
    waiting.send("w", "在吗？")
    end_for_tester(dialogue=waiting.now(), **why())
    void_dialogue(dialogue=talk_through(campaign, entry, 2, "open").now(), **why())
    silent = talk_through(campaign, entry, 3, "open").now()
    later = timezone.now().replace(year=timezone.now().year + 1)
    abandon_dialogue(dialogue_id=silent.pk, at=later)


def import_some(campaign):
    organizer = campaign.roles.filter(role=Role.ORGANIZER).first().person
    some = FORMATS["ntcir"](FINISHED.read_bytes())[:2]
    import_dialogues(
        campaign=campaign,
        dialogues=some,
        importer=organizer,
        bot="booking_bot",
        team="Demo Team One",
        at=timezone.now(),
    )
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        lines = (PUBLISHED / "smp2018" / "records.jsonl").read_text().splitlines(keepends=True)
        file.writelines(lines[:4])
        file.flush()
        call_command("import_records", file.name, "--campaign", campaign.slug, stderr=io.StringIO())


def over():
    """A drawn plan, all of it done and in part handed on; the bot speaks first, and utterances are counted under one cap."""
    campaign = drawn_alike(load_campaign(spec=spec_of(DRAWN_CAMPAIGN))[0])
    settings = {
        "turns_are": "utterances",
        "opened_by": "bot",
        "cap_per": "dialogue",
        "turn_cap": 7,
        "failed_turns": "charged",
    }
    change_settings(campaign=campaign, changes=settings, at=timezone.now())
    Subtask.objects.filter(scenario__campaign=campaign).update(turn_cap=None)
    campaign.plan, campaign.dialogues_per_bot = "random_goals", 1
    campaign.save()
    draw_assignments(campaign=campaign)
    first, *others = campaign.assignments.order_by("pk")
    for assignment in (first, *others):
        talk_and_score(assignment)
    void_dialogue(dialogue=first.dialogues.get(), **why())
    to = campaign.roles.filter(role=Role.TESTER).exclude(person=first.tester).order_by("pk").first().person
    talk_and_score(reassign(assignment=first, to=to, **why()))
    return bytes_of(campaign, hides_teams=True)


def talk_and_score(assignment):
    """An opening, a turn that failed for good and was left behind, and as many more as the cap allows."""
    at = timezone.now()
    dialogue = open_dialogue(assignment=assignment, at=at)
    talk = Talk(dialogue, Admitted(assignment.tester))
    opened = take_opening(dialogue_id=dialogue.pk, admission=talk.admission, at=at, owner="here:1:x")
    talk.answer(opened.asked, "您好，请说。")
    talk.fail(talk.send("k1", "你好").asked)
    while talk.now().is_open:
        talk.answer(talk.send(f"k{talk.now().last_seq}", "明天").asked)
    submit_review(
        dialogue=Dialogue.objects.with_names().get(pk=dialogue.pk), reviewer=assignment.tester,
        ratings={"satisfaction": 1, "fluency": 0, "guidance": 0}, verdicts={}, comment="", based_on_version=0, at=timezone.now(),
    )  # fmt: skip


def bytes_of(campaign, *, hides_teams):
    out = io.BytesIO()
    out.writelines(bundle_pieces(campaign, hides_teams=hides_teams, at=AT))
    return out.getvalue()
