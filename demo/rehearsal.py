"""Plays a whole campaign of any preset over the API alone: testers talk, experts vet, a panel scores, an adjudicator decides."""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from campaigns.campaign_file.reader import CampaignSpec
from demo.goal_card import Close, Say
from demo.programs import play_script
from demo.setting_up import Company
from simulation.program import Content, Program
from simulation.scripted import FEWEST_TURNS, MORE, things_to_say


@dataclass
class Conversation:
    """One tester's way through one scenario: every item is used once, and each part takes some turns at least.

    `goes_to_cap` where only the turn cap may end it.
    """

    opening: str
    items: Sequence[str]
    goes_to_cap: bool = False
    n_said: int = field(default=0, init=False)
    n_in_part: int = field(default=0, init=False)

    def next(self, heard: str) -> Say | Close:
        lines = (self.opening, *self.items)
        if not self.goes_to_cap and self.n_in_part >= FEWEST_TURNS and self.n_said >= len(lines):
            return Close(True)
        text = lines[self.n_said] if self.n_said < len(lines) else MORE["zh"][self.n_said % len(MORE["zh"])]
        self.n_said += 1
        self.n_in_part += 1
        return Say(text)

    def move_to(self, index: int) -> None:
        self.n_in_part = 0


Sheet = Mapping[str, Any]
# How often an attentive reviewer is a point off.
SLIP = 0.05


@dataclass(frozen=True, slots=True)
class Habit:
    """`severity` is how many points a reviewer takes off; one who is careless gives any point without reading."""

    severity: int = 0
    is_careless: bool = False


def scores_on(sheet: Sheet, habit: Habit, rng: random.Random) -> dict[str, Any]:
    """The complete review of a sheet, as the API takes it: ratings at every place, and the evidence that low ones need."""
    ratings: dict[str, Any] = {}
    evidence: dict[str, int] = {}
    for criterion in sheet["criteria"]:
        for place in criterion["places"]:
            key = f"{criterion['key']}{place}"
            if criterion["kind"] == "label":
                ratings[key] = _label(criterion["points"], place, sheet, habit, rng)
                continue
            ratings[key] = _habitual_point(
                sorted(point["score"] for point in criterion["points"]), quality_of(sheet), habit, rng
            )
            if criterion["evidence_below"] is not None and ratings[key] < criterion["evidence_below"]:
                evidence[key] = sheet["turns"][-1]["number"]
    return {"ratings": ratings, "evidence": evidence}


def quality_of(sheet: Sheet) -> float:
    """How far the bot kept from repeating itself, 0…1: 0 where it always said the same, 1 where it never did."""
    replies = ["".join(turn["texts"]) for turn in sheet["turns"]]
    return (len(set(replies)) - 1) / (len(replies) - 1) if len(replies) > 1 else 0.0


def _habitual_point(points: Sequence[int], quality: float, habit: Habit, rng: random.Random) -> int:
    """The worst point of a scale that has a middle is left to the severe: otherwise nobody could be harsher on a bad bot."""
    if habit.is_careless:
        return rng.choice(points)
    lowest, highest = int(len(points) > 2), len(points) - 1
    index = lowest + round(quality * (highest - lowest)) - habit.severity
    if rng.random() < SLIP:
        index += rng.choice((-1, 1))
    return points[min(max(index, 0), len(points) - 1)]


def _label(points: Sequence[Mapping[str, Any]], place: str, sheet: Sheet, habit: Habit, rng: random.Random) -> str:
    """The first label for what opens, then one by the length of what was said; the careless take any."""
    turn, _, speaker = place.removeprefix("@").partition(".")
    labels: list[str] = [point["key"] for point in points if point["speaker"] in ("", speaker)]
    if habit.is_careless or rng.random() < SLIP:
        return rng.choice(labels)
    said = next(one for one in sheet["turns"] if one["number"] == int(turn))
    text = said["text"] if speaker == "tester" else "".join(said["texts"])
    return labels[0] if said is sheet["turns"][0] else labels[1 + len(text) % (len(labels) - 1)]


ROUNDS = 3
TO_DO = {"to_do", "begun"}
# The questions that experts answer about the tester's side.
QUESTIONS = ("fluent", "natural", "appropriate", "coherent", "correct")
RETURNED_BECAUSE = "对话太短，信息没有用上"
# The first of the panel is severe, the last careless; the others are what reviewers should be.
SEVERE, CARELESS = Habit(severity=1), Habit(is_careless=True)


@dataclass(slots=True)
class Rehearsed:
    """What was done, by the ids of dialogues."""

    played: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    n_vetted: int = 0
    n_reviews: int = 0
    decided: list[str] = field(default_factory=list)


def habits_of(reviewers: Sequence[str]) -> dict[str, Habit]:
    """The habit of each reviewer; with fewer than three of them, all are what they should be."""
    habits = dict.fromkeys(reviewers, Habit())
    if len(reviewers) > 2:
        habits[reviewers[0]], habits[reviewers[-1]] = SEVERE, CARELESS
    return habits


async def rehearse(company: Company, report: Callable[[str], object]) -> Rehearsed:
    """Everything that the campaign's people do, until nothing is left to be done."""
    done = Rehearsed()
    async with AsyncExitStack() as stack:
        cast = {
            role: {name: await stack.enter_async_context(Program(company.base, token)) for name, token in own.items()}
            for role, own in company.tokens.items()
        }
        testers, experts, reviewers = (cast.get(role, {}) for role in ("tester", "expert", "reviewer"))
        for _ in range(ROUNDS):
            n_before = len(done.played)
            await asyncio.gather(*(_talk(tester, company.spec, done) for tester in testers.values()))
            for expert in experts.values():
                await _vet(expert, company.spec.slug, done)
            if len(done.played) == n_before:
                break
            report(f"{len(done.played)} dialogues played, {done.n_vetted} vetted, {len(done.returned)} returned")
        for name, habit in habits_of(list(reviewers)).items():
            reviewer = reviewers[name]
            rng = random.Random(name)
            while place := await reviewer.post("/api/v1/reviews/next/", {"campaign": company.spec.slug}):
                await _review(reviewer, place["dialogue"], habit, rng)
                done.n_reviews += 1
        for adjudicator in cast.get("adjudicator", {}).values():
            await _decide(adjudicator, company.spec.slug, done)
        report(f"{done.n_reviews} reviews, {len(done.decided)} disputes decided")
    return done


async def _talk(tester: Program, spec: CampaignSpec, done: Rehearsed) -> None:
    for assignment in await tester.get("/api/v1/assignments/"):
        if assignment["state"] in TO_DO:
            played = await play_script(tester, assignment, _conversation)
            done.played.append(played.dialogue)
            if spec.settings.get("reviewed_by", spec.preset.value_of("reviewed_by")) in {"self", "both"}:
                await _review(tester, played.dialogue, Habit(), random.Random(played.dialogue))


def _conversation(card: Mapping[str, Any]) -> Conversation:
    goes_to_cap = card["tester_may_end"] == "all_used" and not card["items"]
    return Conversation(card["opening"]["zh"], things_to_say(card["items"], card["facts"]), goes_to_cap)


async def _vet(expert: Program, slug: str, done: Rehearsed) -> None:
    """Accepts every dialogue but the first one ever collected, which all experts send back."""
    for dialogue in (await expert.get(f"/api/v1/reviews/waiting/?campaign={slug}"))["to_vet"]:
        done.n_vetted += 1
        if not done.returned:
            done.returned.append(dialogue)
        is_accepted = dialogue not in done.returned
        answers = dict.fromkeys(QUESTIONS, True) | {"natural": is_accepted}
        reason = "" if is_accepted else RETURNED_BECAUSE
        await expert.post(f"/api/v1/dialogues/{dialogue}/vetting/", answers | {"reason": reason})


async def _decide(adjudicator: Program, slug: str, done: Rehearsed) -> None:
    for dialogue in (await adjudicator.get(f"/api/v1/reviews/waiting/?campaign={slug}"))["disputes"]:
        await _review(adjudicator, dialogue, Habit(), random.Random(dialogue))
        done.decided.append(dialogue)


async def _review(program: Program, dialogue: str, habit: Habit, rng: random.Random) -> None:
    sheet: Content = await program.get(f"/api/v1/dialogues/{dialogue}/review/sheet/")
    await program.post(f"/api/v1/dialogues/{dialogue}/review/", scores_on(sheet, habit, rng))
