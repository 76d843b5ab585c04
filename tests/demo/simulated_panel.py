"""What the panel of an example campaign would score, without server and database: the sample bots, the draw, the reviewers."""

import importlib.util
import random
import uuid
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from campaigns.campaign_file.reader import read_campaign_file
from demo.goal_card import Say
from demo.rehearsal import Conversation, habits_of, scores_on, things_to_say
from measures.agreement import krippendorff_alpha
from measures.crossed import crossed, effects
from measures.reviewers import severities, without_severity
from participants.adapters import PROTOCOLS
from reviews.panel_drawing import Panelled, draw_reviewers

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SEVERE, CARELESS = "reviewer-1", "reviewer-4"
TALKS_PER_PAIR = 2


def load_bot(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / "bots" / f"{name}_bot.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


context, booking, flight, forgetful = map(load_bot, ("context", "booking", "flight", "forgetful"))


@dataclass(frozen=True)
class Margins:
    """By how much each planted habit stands out; all are above 0 where it is found."""

    severity: float
    over_the_careful: float
    carelessness: float
    agreement: float


def margins_of(scores):
    """`scores` is reviewer × (dialogue, criterion). The careless one's severity is chance, so it is not compared."""
    severity = dict(zip(scores.rows, severities(scores.table), strict=True))
    left_over = dict(zip(scores.rows, np.nanstd(effects(scores.table).residuals, axis=1), strict=True))
    levelled = without_severity(scores.table)
    careful = np.array([name != CARELESS for name in scores.rows])
    of_the_careful = krippendorff_alpha(levelled[careful], "interval")
    return Margins(
        severity=severity[SEVERE] - 0.3,
        over_the_careful=severity[SEVERE] - max(severity[name] for name in severity if name not in (SEVERE, CARELESS)),
        carelessness=left_over[CARELESS] - max(left_over[name] for name in left_over if name != CARELESS),
        agreement=of_the_careful - krippendorff_alpha(levelled, "interval"),
    )


def campaign_of(preset):
    return read_campaign_file(preset, (EXAMPLES / "campaigns" / f"{preset}.toml").read_bytes(), PROTOCOLS)


def sheets_of(spec):
    """Every bot's dialogue about every scenario, as its reviewers see it."""
    return [
        {"turns": talked(bot.key, scenario), "criteria": asked(spec.rubric, scenario.skill)}
        for bot in spec.bots
        for scenario in spec.scenarios
        for _ in range(TALKS_PER_PAIR)
    ]


def asked(rubric, skill):
    return [
        {
            "key": one.key, "kind": "scale", "places": [""], "evidence_below": None,
            "points": [{"score": score} for score in one.scores],
        }
        for one in rubric.criteria
        if not one.skills or skill in one.skills
    ]  # fmt: skip


def talked(bot, scenario):
    talk = Conversation(scenario.opening, things_to_say(scenario.items, scenario.facts))
    turns, dialogue = [], str(uuid.uuid4())
    for index in range(len(scenario.subtasks)):
        talk.move_to(index)
        while isinstance(step := talk.next(""), Say):
            texts = reply_of(bot, turns, step.text, scenario.context, dialogue)
            turns.append({"number": len(turns) + 1, "text": step.text, "texts": texts})
    return turns


def reply_of(bot, turns, text, its_context, dialogue):
    said = [line for turn in turns for line in (("user", turn["text"]), ("bot", "".join(turn["texts"])))]
    history = [{"role": role, "text": words} for role, words in said]
    request = {"dialogue": dialogue, "turn": len(turns) + 1, "text": text, "history": history, "context": its_context}
    if bot == "forgetful":
        return forgetful.reply_to(dialogue, text)
    if bot == "flights":
        roles = {"user": "user", "bot": "assistant"}
        return [flight.reply_to([{"role": roles[r], "content": w} for r, w in [*said, ("user", text)]], dialogue)]
    return [{"context": context, "booking": booking}[bot].answer(request)["text"]]


def panel_scores(spec, sheets, seed):
    """Reviewer × (dialogue, criterion), with the ids, the draw and the reviewers' slips of this seed."""
    rng = random.Random(seed)
    by_id = {str(uuid.UUID(int=rng.getrandbits(128))): sheet for sheet in sheets}
    reviewers = [person.username for person in spec.people if "reviewer" in person.roles]
    panelled = [Panelled(dialogue) for dialogue in sorted(by_id)]
    places = draw_reviewers(panelled, reviewers, per_dialogue=3, drawn={}, seed=rng.getrandbits(30))
    rng.shuffle(places)
    habits = habits_of(reviewers)
    return crossed(
        (place.reviewer, (place.dialogue, criterion), float(score))
        for place in places
        for criterion, score in scores_on(by_id[place.dialogue], habits[place.reviewer], rng)["ratings"].items()
    )
