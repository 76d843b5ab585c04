"""A campaign of the demo in which scripted people and a scripted model talked with the same systems, and a model judged.

Everything goes through the actions, in this process: systems and model are the programs of `examples/`, asked as functions.
"""

import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

from asgiref.sync import async_to_sync
from django.db import transaction

from accounts.models import Person
from campaigns.models import Assignment, Campaign, Entry, Role, Scenario
from demo.goal_card import impressions_of, scores_of
from demo.programs import Played, ScriptPlayer
from demo.sample_bots import EXAMPLES_DIR, SAMPLE_BOTS
from demo.tournament import reader_of
from dialogues.actions import (
    Admission,
    Outcome,
    close_subtask,
    open_chosen_dialogue,
    open_dialogue,
    record_reply,
    take_turn,
)
from dialogues.masking import masker_of
from dialogues.models import Dialogue
from dialogues.queries import masked_words
from dialogues.turn_taking import SubtaskStatus, shown_reply
from judging.actions.declaring import declare_judge
from judging.actions.judgements import draw_for_judge, store_report
from judging.limits import EPSILON
from judging.models import JudgeReport, JudgeReview
from judging.running import run_judge
from judging.workbench import report_of
from language_models.asking import ModelAnswer
from language_models.completions import completion_of, usage_of
from language_models.models import ModelEndpoint
from language_models.prompts import Prompt, cost_of, prompt_digest, request_of
from participants.adapters import Reply
from reviews.actions import submit_review
from simulation.actions import add_program, give_dialogues, note_begun, note_call
from simulation.dry_run import begun, tested_in
from simulation.model_player import USUAL_SEED, USUAL_TEMPERATURE, manner_and_words
from simulation.personas import usual_manners
from simulation.prompts import FINISH, GIVE_UP, SAY, Wish, prompt_of, wish_of
from simulation.running import left_of
from simulation.talk import TESTER, Line, Next, Talk
from testing_console.api import CardPart, card_document

MODEL, PROGRAM, JUDGE = "scripted", "scripted-model", "scripted"
# Between two lines of a dialogue, and how long before the demo's start the first one was said.
PAUSE, BEFORE = timedelta(seconds=6), timedelta(hours=2)

Card = Mapping[str, Any]
Wishes = Callable[[Card, Talk], Wish]
# What a system answers in a dialogue, given who said what before.
System = Callable[[str, Sequence[Line], str], str]


def simulate_and_judge(campaign: Campaign, at: datetime, *, rest: Callable[[], object] = lambda: None) -> None:
    """Has everybody talk and the model judge; what was broken off goes on, and what is done stays as it is.

    A dialogue is one commit: no chore of a server sees one of two hours ago open. `rest` comes after each, for the writes of others.
    """
    if JudgeReport.objects.filter(judge__campaign=campaign).exists():
        return
    for _done in _Cast(campaign, at - BEFORE).play():
        rest()
    _judge(campaign, at)


@dataclass
class _Cast:
    """`now` is when the next line is said."""

    campaign: Campaign
    now: datetime
    systems: dict[str, System] = field(default_factory=lambda: systems())

    def play(self) -> Iterator[None]:
        """Dialogue by dialogue."""
        testers = [role.person for role in self.campaign.roles.filter(role=Role.TESTER).order_by("person__username")]
        cells = list(product(self.campaign.entries.order_by("key"), tested_in(self.campaign)))
        had = set(Dialogue.objects.of_campaign(self.campaign).values_list("assignment__entry", "assignment__scenario"))
        for number, (entry, scenario) in enumerate(cells):
            if (entry.pk, scenario.pk) not in had:
                self.test(testers[number % len(testers)], entry, scenario)
                yield
        program = add_program(campaign=self.campaign, username=PROGRAM, by=None, at=self.now)
        given = give_dialogues(
            campaign=self.campaign, program=program, n=len(cells), seed=USUAL_SEED, by=None, at=self.now
        )
        for assignment in left_of(given):
            self.simulate(assignment)
            yield

    @transaction.atomic
    def test(self, tester: Person, entry: Entry, scenario: Scenario) -> None:
        dialogue = open_chosen_dialogue(
            campaign=self.campaign, tester=tester, entry=entry, scenario=scenario, at=self.now
        )
        self.score(dialogue, self.talk(dialogue, _scripted_wishes()))

    @transaction.atomic
    def simulate(self, assignment: Assignment) -> None:
        dialogue = open_dialogue(assignment=assignment, at=self.now)
        self.talk(dialogue, _model_wishes(self.campaign, dialogue, assignment.position, self.now))

    def talk(self, dialogue: Dialogue, wish_of_talk: Wishes) -> Played:
        """Until its tester has closed every part."""
        named = dialogue.assignment
        parts = [CardPart(index=one.index, kind=one.kind, turn_cap=one.turn_cap) for one in dialogue.subtasks.all()]
        card = card_document(named.scenario, parts, dialogue.turn_cap, tester_may_end=named.campaign.tester_may_end)
        talk, admission = begun(card), _Admitted(dialogue.tester_id)
        while talk.next() is Next.SPEAK and talk.current:
            wish = wish_of_talk(card, talk)
            if wish.act == SAY:
                self._exchange(dialogue, admission, talk, wish.text)
            else:
                outcome = close_subtask(
                    dialogue_id=dialogue.pk, admission=admission, index=talk.current.index,
                    is_finished=wish.act == FINISH, at=self.now,
                )  # fmt: skip
                _hear(talk, outcome)
            self.now += PAUSE
        return Played(str(dialogue.pk), card, talk)

    def _exchange(self, dialogue: Dialogue, admission: Admission, talk: Talk, text: str) -> None:
        before = list(talk.lines)
        taken = take_turn(
            dialogue_id=dialogue.pk, admission=admission, key=f"demo-{talk.used}", text=text, at=self.now, owner="demo"
        )
        _hear(talk, taken)
        assert taken.asked is not None, "a new turn asks its system"
        answer = self.systems[dialogue.assignment.entry.key](str(dialogue.pk), before, text)
        shown = shown_reply([answer], masker_of(masked_words(self.campaign)), 0)
        self.now += PAUSE
        _hear(talk, record_reply(asked=taken.asked, reply=Reply((answer,)), shown=shown, at=self.now))

    def score(self, dialogue: Dialogue, played: Played) -> None:
        """As the testers of a tournament do, but that a part is finished where it was closed so."""
        finished = [status == SubtaskStatus.FINISHED for status in played.statuses]
        impressions = impressions_of(sum(finished), len(finished), played.n_turns, played.n_repeats)
        scales = {one.key: one.scores() for one in self.campaign.rubric.criteria.all()}
        submit_review(
            dialogue=Dialogue.objects.with_names().get(pk=dialogue.pk), reviewer=dialogue.tester,
            ratings=scores_of(impressions, scales), verdicts={str(n): one for n, one in enumerate(finished, start=1)},
            comment="", based_on_version=0, at=self.now,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Admitted:
    """Nobody takes a role back while the demo is made."""

    person_id: int

    def proof(self, assignment_id: int) -> bool:
        return True


def _hear(talk: Talk, outcome: Outcome) -> None:
    for told in outcome.told:
        for _seq, frame in told.lines:
            talk.hear(json.loads(frame))


def _scripted_wishes() -> Wishes:
    player = ScriptPlayer(reader_of)

    def wish(card: Card, talk: Talk) -> Wish:
        player.reader = player.reader or reader_of(card)
        said = async_to_sync(player.wish)(card, talk, [])
        assert said is not None, "a script always has something to say"
        return said

    return wish


def _model_wishes(campaign: Campaign, dialogue: Dialogue, number: int, at: datetime) -> Wishes:
    endpoint = campaign.model_endpoints.get(key=MODEL)
    manner, words = manner_and_words(
        endpoint, usual_manners(), campaign.language, number, temperature=USUAL_TEMPERATURE, seed=USUAL_SEED
    )
    asked_of = partial(
        prompt_of, ticked=[], persona=words.persona, difficulty=words.difficulty, language=words.language,
        temperature=manner.temperature, seed=manner.seed,
    )  # fmt: skip

    def wish(card: Card, talk: Talk) -> Wish:
        prompt = asked_of(card, talk)
        # The row that is there is kept: its digest is that of the first prompt.
        row = note_begun(dialogue=dialogue, manner=manner, prompt_digest=prompt_digest(prompt, endpoint), at=at)
        answer = _answer(endpoint, prompt)
        said = wish_of(answer.parsed, len(card["items"]))
        note_call(
            row=row, tokens_in=answer.tokens_in, tokens_out=answer.tokens_out, cost=answer.cost, is_bad=said is None
        )
        return said or Wish(GIVE_UP, "")

    return wish


def _judge(campaign: Campaign, at: datetime) -> None:
    judge = declare_judge(campaign=campaign, key=JUDGE, model=MODEL, by=None, at=at)
    draw_for_judge(judge=judge, at=at)
    reviews = list(JudgeReview.objects.filter(judge=judge).to_do().values_list("pk", flat=True))

    async def ask(prompt: Prompt) -> ModelAnswer:
        return _answer(judge.endpoint, prompt)

    async_to_sync(run_judge)(judge, reviews, ask=ask, at=lambda: at)
    store_report(judge=judge, content=report_of(judge, epsilon=EPSILON), at=at)


def _answer(endpoint: ModelEndpoint, prompt: Prompt) -> ModelAnswer:
    """What the scripted model's server would answer; in no ledger, since nothing was sent."""
    said = _script("models/scripted_model.py").completion(request_of(prompt, endpoint))
    completion, usage = completion_of(said, prompt, endpoint.answers), usage_of(said)
    assert usage is not None, "the scripted model counts its tokens"
    cost = cost_of(usage.tokens_in, usage.tokens_out, endpoint)
    return ModelAnswer(
        completion.text, completion.parsed, usage.tokens_in, usage.tokens_out, cost,
        prompt_digest(prompt, endpoint), completion.model, is_from_cache=False, call=0,
    )  # fmt: skip


@cache
def _script(path: str) -> ModuleType:
    """A program of `examples/`, which no package holds."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, EXAMPLES_DIR / path)
    assert spec is not None, path
    assert spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def systems() -> dict[str, System]:
    """The sample bots by their keys."""
    booking, flights, forgetful = (_script(bot.file) for bot in SAMPLE_BOTS)

    def books(dialogue: str, before: Sequence[Line], text: str) -> str:
        history = [{"role": "user" if one.who == TESTER else "bot", "text": one.text} for one in before]
        answer: str = booking.answer({"dialogue": dialogue, "history": history, "text": text})["text"]
        return answer

    def flies(dialogue: str, before: Sequence[Line], text: str) -> str:
        said = [{"role": "user" if one.who == TESTER else "assistant", "content": one.text} for one in before]
        answer: str = flights.reply_to([*said, {"role": "user", "content": text}], dialogue)
        return answer

    def forgets(dialogue: str, before: Sequence[Line], text: str) -> str:
        return "\n".join(forgetful.reply_to(dialogue, text))

    return dict(zip((bot.key for bot in SAMPLE_BOTS), (books, flies, forgets), strict=True))
