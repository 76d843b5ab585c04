"""Plays a whole campaign of any preset over the API alone: testers talk, experts vet, a panel scores, an adjudicator decides."""

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from campaigns.campaign_file import CampaignSpec
from demo.conversation import Conversation, things_to_say
from demo.player import Content
from demo.programs import Program
from demo.scripted_reviewer import Habit, scores_on
from demo.setting_up import Company

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
            await _score(reviewers[name], name, habit, company.spec.slug, done)
        for adjudicator in cast.get("adjudicator", {}).values():
            await _decide(adjudicator, company.spec.slug, done)
        report(f"{done.n_reviews} reviews, {len(done.decided)} disputes decided")
    return done


async def _talk(tester: Program, spec: CampaignSpec, done: Rehearsed) -> None:
    for assignment in await tester.get("/api/v1/assignments/"):
        if assignment["state"] in TO_DO:
            played = await tester.play(assignment, _conversation)
            done.played.append(played.dialogue)
            if spec.settings.get("reviewed_by", spec.preset.value_of("reviewed_by")) in {"self", "both"}:
                await _review(tester, played.dialogue, Habit(), random.Random(played.dialogue))


def _conversation(card: Content) -> Conversation:
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


async def _score(reviewer: Program, name: str, habit: Habit, slug: str, done: Rehearsed) -> None:
    rng = random.Random(name)
    while place := await reviewer.post("/api/v1/reviews/next/", {"campaign": slug}):
        await _review(reviewer, place["dialogue"], habit, rng)
        done.n_reviews += 1


async def _decide(adjudicator: Program, slug: str, done: Rehearsed) -> None:
    for dialogue in (await adjudicator.get(f"/api/v1/reviews/waiting/?campaign={slug}"))["disputes"]:
        await _review(adjudicator, dialogue, Habit(), random.Random(dialogue))
        done.decided.append(dialogue)


async def _review(program: Program, dialogue: str, habit: Habit, rng: random.Random) -> None:
    sheet: Content = await program.get(f"/api/v1/dialogues/{dialogue}/review/sheet/")
    await program.post(f"/api/v1/dialogues/{dialogue}/review/", scores_on(sheet, habit, rng))
