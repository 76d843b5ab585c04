"""Makes scenarios of a live campaign from annotated MobileCS dialogues: the user's goal for the tester, the local KB for
the bot. Pure: dialogues in, the tables of a campaign file out."""

import re
from typing import Any

from measures.automatic.mobilecs import REQUESTED, KnowledgeBase
from measures.automatic.task_oriented import GoldDialogue
from reading.checking import Problems
from scoring.mobilecs_files import dialogues_of, goal_dialogue

ACTS = ("用户意图", "意图")
HIDDEN_FROM_TESTERS = {"type", *ACTS}


def scenarios_of(content: bytes) -> list[dict[str, Any]]:
    """One `[[scenarios]]` table for each dialogue that Track 2 uses and whose user wants something.

    Errors: `BadFile` naming every problem.
    """
    problems = Problems()
    found = [(name, goal_dialogue(row, place, problems)) for place, name, row in dialogues_of(content, problems)]
    problems.refuse()
    return [scenario(name, dialogue) for name, dialogue in found if dialogue is not None and dialogue.goal]


def scenario(name: str, dialogue: GoldDialogue) -> dict[str, Any]:
    key = "mobilecs-" + re.sub(r"[^A-Za-z0-9_-]", "-", name)[:40]
    return {
        "key": key,
        "title": {"zh": f"客服对话 {name[:12]}", "en": f"Customer service {name[:12]}"},
        "opening": dialogue.turns[0].user,
        "instructions": {
            "zh": "你是用户。按目标卡与客服对话：卡上的内容是你知道和想要的；标“？”的要向客服问到。",
            "en": "You are the user. Talk to the service by your card: it says what you know and want; ask for what has a “?”.",
        },
        "facts": goal_card(dialogue.goal),
        "context": {"kb": dialogue.kb},
        "subtasks": [{"kind": "service"}],
    }


def goal_card(goal: KnowledgeBase) -> dict[str, dict[str, str]]:
    """What the tester reads: for each entity by its name what is known, and `？` for what is to be asked."""
    card: dict[str, dict[str, str]] = {}
    for entity, properties in goal.items():
        names = properties.get("name", [])
        title = "我" if entity == "NA" else (names[0] if names else entity)
        rows = {
            name: "，".join("？" if value == REQUESTED else value for value in values)
            for name, values in properties.items()
            if name not in HIDDEN_FROM_TESTERS and not (name == "name" and len(values) < 2)
        }
        wanted = [act for name in ACTS for act in properties.get(name, [])]
        if "name" in rows:
            rows["又称"] = rows.pop("name")
        card[title if title not in card else f"{title}（{entity}）"] = (
            {"想要": "，".join(wanted)} if wanted else {}
        ) | rows
    return card
