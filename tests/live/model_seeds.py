"""What the pages of models and programs show in browser tests: a model with calls, a judge compared with people, programs that talked."""

from datetime import timedelta
from decimal import Decimal
from itertools import count

from django.utils import timezone

from accounts.models import Person
from campaigns.models import Campaign
from dialogues.actions import close_subtask, end_dialogue, open_dialogue, record_failure, take_turn
from dialogues.turn_taking import EndReason
from judging.actions.declaring import declare_judge
from judging.actions.judgements import Judgement, draw_for_judge, store_judgement, store_report
from judging.limits import EPSILON
from judging.workbench import report_of
from language_models.models import ModelEndpoint
from participants import failure_sentences as sentences
from participants.failures import BotFailure, FailureKind
from reading.findings import sentence
from simulation.actions import Manner, add_program, give_dialogues, note_begun, note_call
from simulation.actions.rehearsing import begin, claim_rehearsal, end_rehearsal, start_rehearsal, systems_to_rehearse
from simulation.models import Rehearsal
from tests.live.talking import Admitted, moment, talk

SAMPLE = {"ratings": {"satisfaction": 1, "fluency": 2, "guidance": 0}, "evidence": {}, "verdicts": {"1": True}}
TALK = [("帮我订票", "请问哪天？", 900)]
CLOSED = "E7 现在不在开放时间内，请打开列表中的另一项任务。 (403, /api/v1/dialogues/)"
OUTCOMES = ("answered", "answered", "bad_answer", "asked")


def model_pages():
    """What stands for each name in the addresses of these pages."""
    campaign, organizer = Campaign.objects.get(slug="smp2018-demo"), Person.objects.get(username="organizer")
    at = timezone.now()
    model = ModelEndpoint.objects.create(
        campaign=campaign, key="large", url="https://models.example.org/v1", model="large-2026", calls_a_day=200,
        price_in=Decimal(1), price_out=Decimal(4), declared_by=organizer, declared_at=at - timedelta(days=1),
    )  # fmt: skip
    for number, outcome in enumerate(OUTCOMES):
        model.calls.create(
            purpose="judge", digest=f"{number:064x}", at=at - timedelta(minutes=number), outcome=outcome,
            status=200, tokens_in=1800, tokens_out=240, cost=Decimal("0.00276"), model="large-2026",
        )  # fmt: skip
    judge = declare_judge(campaign=campaign, key="strict", model="large", by=organizer, at=at, n_samples=1)
    draw_for_judge(judge=judge, at=at)
    for review in judge.reviews.to_do():
        judgement = Judgement([SAMPLE], n_asked=1, tokens_in=1800, tokens_out=240, cost=Decimal("0.00276"))
        store_judgement(review=review, judgement=judgement, at=at)
    store_report(judge=judge, content=report_of(judge, epsilon=EPSILON), at=at)
    dialogues_of_a_program(campaign, at)
    over, running = (rehearsal(campaign, organizer, is_over=is_over).pk for is_over in (True, False))
    return {"model": model.pk, "judge": judge.pk, "rehearsal": over, "rehearsal_running": running}


def dialogues_of_a_program(campaign, at):
    """One account, two models: the first finished the parts of its dialogues, the second gave them up."""
    program = add_program(campaign=campaign, username="simulated", by=None, at=at)
    n = 2 * campaign.entries.filter(withdrawn_at=None).count()
    clock = count()
    for number, given in enumerate(give_dialogues(campaign=campaign, program=program, n=n, seed=1, by=None, at=at)):
        dialogue = open_dialogue(assignment=given, at=moment(next(clock)))
        for index in range(1, given.scenario.subtasks.count() + 1):
            talk(dialogue, TALK, clock)
            close_subtask(
                dialogue_id=dialogue.pk, admission=Admitted(program.pk), index=index, is_finished=number % 2 == 0,
                at=moment(next(clock)),
            )  # fmt: skip
        manner = Manner("large", ("large-2026", "small-2026")[number % 2], "plain", "plain", 0.0, number)
        row = note_begun(dialogue=dialogue, manner=manner, prompt_digest=f"{number:064x}", at=at)
        note_call(row=row, tokens_in=900, tokens_out=40, cost=Decimal("0.00106"), is_bad=False)


def rehearsal(campaign, organizer, *, is_over):
    """The last system answers nothing, one fails now and then, one dialogue cannot be begun; another server process holds one that is not over."""
    at = timezone.now() - timedelta(minutes=40 if is_over else 2)
    entries = list(systems_to_rehearse(campaign, at))
    found = start_rehearsal(campaign=campaign, entries=entries, n_each=2, at_once=4, by=organizer, at=at)
    held = claim_rehearsal(worker="elsewhere:1:1", at=at)
    left, clock = begin(rehearsal=held).left, count()
    n_played = len(left) if is_over else len(entries)
    for number, given in enumerate(left[1:n_played] if is_over else left[:n_played]):
        dialogue = open_dialogue(assignment=given, at=moment(next(clock)))
        is_down = given.entry_id == entries[-1].pk
        if not is_down:
            talk(dialogue, TALK, clock)
        if is_down or number == 1:
            fails(dialogue, clock)
        else:
            close_subtask(
                dialogue_id=dialogue.pk, admission=Admitted(dialogue.tester_id), index=1, is_finished=True,
                at=moment(next(clock)),
            )  # fmt: skip
        dialogue.refresh_from_db()
        if is_over and dialogue.is_open:
            end_dialogue(
                dialogue_id=dialogue.pk, admission=Admitted(dialogue.tester_id), reason=EndReason.GAVE_UP,
                at=moment(next(clock)),
            )  # fmt: skip
    if is_over:
        end_rehearsal(rehearsal=held, broken={left[0].pk: CLOSED}, is_stopped=False, at=at + timedelta(minutes=3))
    else:
        Rehearsal.objects.filter(pk=found.pk).update(lease_until=at + timedelta(days=1))
    return found


def fails(dialogue, clock):
    taken = take_turn(
        dialogue_id=dialogue.pk, admission=Admitted(dialogue.tester_id), key="down", text="帮我订票",
        at=moment(next(clock)), owner="seeds",
    )  # fmt: skip
    failure = BotFailure(FailureKind.TIMEOUT_TOTAL, sentence(sentences.NO_ANSWER_IN_TIME, seconds=15))
    record_failure(asked=taken.asked, failure=failure, at=moment(next(clock)))
