"""Votes on pairs for tests: rows as `pairs.jsonl` has them, and rows of the database over the dialogues of a played campaign."""

import random
from datetime import UTC, datetime, timedelta
from itertools import combinations

from accounts.models import Person
from campaigns.models import Role
from dialogues.models import Dialogue
from measures.bradley_terry import chances
from pairs.models import Pair, PairVote

AT = datetime(2026, 5, 1, 8, tzinfo=UTC)
STRENGTHS = {"a": 0.8, "b": 0.1, "c": -0.3, "d": -0.6}


def row(left, right, verdict, *, judge="j1", scenario="s1", number=0, **changed):
    told = {
        "pair": f"{number}", "scenario": scenario, "external_id": "", "left": left, "right": right,
        "left_dialogue": f"{left}-{scenario}", "right_dialogue": f"{right}-{scenario}", "kind": "finished",
        "origin": "drawn", "judge": judge, "verdict": verdict, "reason": "", "evidence_side": "", "evidence_turn": None,
        "at": "2026-05-01T08:00:00+00:00", "left_characters": 100, "right_characters": 100, "left_marks": 0,
        "right_marks": 0,
    }  # fmt: skip
    return told | changed


def random_rows(rng, *, n_votes, names=("a", "b", "c", "d"), tie=0.5):
    """Votes of eight judges on ten scenarios; answers of random lengths."""
    found = []
    for number in range(n_votes):
        left, right = rng.sample(names, 2)
        wins, loses, _neither = chances(STRENGTHS[left] - STRENGTHS[right], tie)
        drawn = rng.random()
        verdict = "left" if drawn < wins else "right" if drawn < wins + loses else rng.choice(["tie", "both_bad"])
        lengths = {f"{side}_characters": rng.randint(0, 300) for side in ("left", "right")}
        marks = {f"{side}_marks": rng.randint(0, 5) for side in ("left", "right")}
        where = {"judge": f"j{rng.randrange(8)}", "scenario": f"s{rng.randrange(10)}"}
        found.append(row(left, right, verdict, number=number, **where, **lengths, **marks))
    return found


def vote_on_all(campaign, *, seed=1, n_judges=4):
    """Judges who compare finished dialogues of each scenario, each every two once; gives how many votes there are."""
    rng = random.Random(seed)
    judges = [Person.objects.create_user(f"judge-{number}") for number in range(n_judges)]
    for judge in judges:
        campaign.roles.get_or_create(person=judge, role=Role.REVIEWER)
    by_scenario = {}
    for one in Dialogue.objects.of_campaign(campaign).reviewable().select_related("assignment").order_by("opened_at"):
        by_scenario.setdefault(one.assignment.scenario_id, {}).setdefault(one.assignment.entry_id, one)
    number = 0
    for judge in judges:
        for scenario, dialogues in sorted(by_scenario.items()):
            for first, second in combinations(sorted(dialogues), 2):
                left, right = rng.sample([first, second], 2)
                number += 1
                pair = Pair.objects.create(
                    campaign=campaign, kind="finished", scenario_id=scenario, left_id=left, right_id=right,
                    left_dialogue=dialogues[left], right_dialogue=dialogues[right], judge=judge,
                    key=f"{judge.pk}/{number}", number=number, draw="balanced", drawn_at=AT,
                )  # fmt: skip
                verdict = rng.choice(["left", "right", "left" if left < right else "right", "tie", "both_bad"])
                PairVote.objects.create(
                    pair=pair, judge=judge, verdict=verdict, reason="因为", at=AT + timedelta(minutes=number)
                )
    return number
