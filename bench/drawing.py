"""make bench NAME=drawing: how long drawing takes in a contest of 15 bots, 21 scenarios, 10 testers, 3 reviewers each.

python -m bench.drawing    Over a database of its own; ends with 1 when something is over its budget.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

N_BOTS, N_SCENARIOS, N_TESTERS, N_REVIEWERS, PER_DIALOGUE = 15, 21, 10, 20, 3
MOST_S = 2.0
MOST_S_OF_REVIEWERS = 1.0
HEAD = '[campaign]\nslug = "drawing"\nname = "A contest"\npreset = "smp2018"\nfree_choice = true\n'
BOT = '[[bots]]\nkey = "bot-{0}"\nteam = "Team {0}"\nurl = "http://127.0.0.1:9/"\n'
SCENARIO = '[[scenarios]]\nkey = "case-{0}"\nsubtasks = [{{kind = "flight", turn_cap = 20}}]\n'
TESTER = '[[people]]\nusername = "tester-{0}"\nroles = ["tester"]\n'
ORGANIZER = '[[people]]\nusername = "organizer"\nroles = ["organizer"]\n'
PLANS = (
    {"plan": "full"},
    {"plan": "per_cell", "testers_per_cell": 10},
    {"plan": "random_goals", "dialogues_per_bot": 210},
)


def set_up(folder: str) -> None:
    os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'drawing.sqlite3'}"
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def contest() -> Any:
    from campaigns.actions import load_campaign
    from campaigns.campaign_file.reader import read_campaign_file
    from participants.adapters import PROTOCOLS

    rows = [
        *map(BOT.format, range(N_BOTS)), *map(SCENARIO.format, range(N_SCENARIOS)), *map(TESTER.format, range(N_TESTERS)),
    ]  # fmt: skip
    content = "".join([HEAD, *rows, ORGANIZER]).encode()
    campaign, _ = load_campaign(spec=read_campaign_file("campaign.toml", content, PROTOCOLS))
    campaign.free_choice = False
    return campaign


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def drawn_by(campaign: Any, plan: dict[str, Any]) -> float:
    """Seconds that the whole action takes, with its rows committed."""
    from campaigns.actions import draw_assignments

    for name, value in plan.items():
        setattr(campaign, name, value)
    campaign.save()
    campaign.assignments.all().delete()
    return seconds(lambda: draw_assignments(campaign=campaign))


def redrawn(campaign: Any) -> float:
    """Seconds until a tester has left in the middle of the day, and all that is left drawn for others."""
    from django.utils import timezone

    from accounts.models import Person
    from campaigns.actions.leaving import leave_as_tester

    campaign.assignments.filter(position__lte=100).update(started_at=timezone.now())
    person = Person.objects.get(username="tester-0")
    return seconds(
        lambda: leave_as_tester(campaign=campaign, person=person, because="left", by=None, at=timezone.now())
    )


def covered(campaign: Any) -> float:
    """Seconds that the server takes for the page of the coverage, after a first view."""
    from django.test import Client

    from accounts.models import Person

    client = Client(HTTP_HOST="localhost")
    client.force_login(Person.objects.get(username="organizer"))
    address = f"/campaigns/{campaign.slug}/coverage/"
    assert client.get(address).status_code == 200
    return seconds(lambda: client.get(address))


def reviewers_drawn() -> float:
    from reviews.panel_drawing import Panelled, draw_reviewers

    n_dialogues = N_BOTS * N_SCENARIOS * N_TESTERS
    dialogues = [Panelled(number, frozenset({f"r{number % N_REVIEWERS}"})) for number in range(n_dialogues)]
    reviewers = [f"r{number}" for number in range(N_REVIEWERS)]
    return seconds(lambda: draw_reviewers(dialogues, reviewers, per_dialogue=PER_DIALOGUE, drawn={}, seed=1))


def main() -> None:
    over = []

    def note(what: str, took: float, most: float) -> None:
        print(f"{what:<62}{took:>8.2f} s  (at most {most:.0f} s)")
        over.extend([what] if took > most else [])

    with tempfile.TemporaryDirectory(prefix="huace-drawing-") as folder:
        set_up(folder)
        campaign = contest()
        for plan in PLANS:
            note(f"drawing 3,150 assignments, {plan['plan']}", drawn_by(campaign, plan), MOST_S)
        note("drawing again for a tester who leaves", redrawn(campaign), MOST_S)
        note("the coverage page", covered(campaign), MOST_S)
    note(
        f"drawing {PER_DIALOGUE} of {N_REVIEWERS} reviewers for 3,150 dialogues", reviewers_drawn(), MOST_S_OF_REVIEWERS
    )
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
