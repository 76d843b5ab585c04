"""How long the server takes for the list of a reviewer with thousands of dialogues, by the clock, with SQLite in the process; part of `make bench-pages`."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.live.databases import ROOT
from tests.live.server import migrated_database

N_DIALOGUES = 3000
N_DONE = 1000
N_LOADS = 9
MOST_MS = 100
SLUG = "panel"


def main() -> None:
    """Fills a database of its own in a process of its own, so that the settings are those of that database."""
    with tempfile.TemporaryDirectory(prefix="huace-queue-") as folder:
        database = Path(folder) / "queue.sqlite3"
        database.write_bytes(migrated_database().read_bytes())
        environment = os.environ | {"DATABASE_URL": f"sqlite:///{database}", "HUACE_HOSTS": "testserver"}
        sys.exit(
            subprocess.run(
                [sys.executable, "-m", "bench.review_queue", "measure"], cwd=ROOT, env=environment
            ).returncode
        )


def fill() -> None:
    from datetime import timedelta

    from django.utils import timezone

    from accounts.models import Person
    from campaigns.models import Assignment
    from reviews.models import Review, ReviewPlace
    from testing_console.models import Dialogue
    from tests.live.review_seeds import campaign, rubric

    made = campaign(SLUG, "对话质量评测", "Dialogue quality", rubric())
    tester = Person.objects.create_user("panel-tester")
    reviewer = Person.objects.get(username="reviewer-1")
    entries, scenario, now = list(made.entries.all()), made.scenarios.get(), timezone.now()
    assignments = Assignment.objects.bulk_create(
        Assignment(
            campaign=made,
            tester=tester,
            entry=entries[n % 2],
            scenario=scenario,
            repetition=n,
            position=n,
            started_at=now,
        )
        for n in range(N_DIALOGUES)
    )
    dialogues = Dialogue.objects.bulk_create(
        Dialogue(assignment=one, tester=tester, status="completed", opened_at=now, closed_at=now) for one in assignments
    )
    ReviewPlace.objects.bulk_create(
        ReviewPlace(
            dialogue=dialogue, reviewer=reviewer, position=n, drawn_at=now,
            opened_at=now - timedelta(minutes=3) if n < N_DONE else None, done_at=now if n < N_DONE else None,
        )
        for n, dialogue in enumerate(dialogues)
    )  # fmt: skip
    Review.objects.bulk_create(
        Review(
            dialogue=dialogue,
            reviewer=reviewer,
            part="panel",
            is_submitted=True,
            submitted_at=now - timedelta(days=1),
            version=1,
        )
        for dialogue in dialogues[:N_DONE]
    )


def measure() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.test import Client
    from django.urls import reverse

    from accounts.models import Person

    fill()
    client = Client()
    client.force_login(Person.objects.get(username="reviewer-1"))
    address, taken = reverse("review-queue", args=[SLUG]), []
    for _load in range(N_LOADS):
        begun = time.perf_counter()
        answer = client.get(address)
        taken.append(1000 * (time.perf_counter() - begun))
        assert answer.status_code == 200, answer.status_code
    median = sorted(taken)[N_LOADS // 2]
    print(f"The list of a reviewer with {N_DIALOGUES:,} dialogues: {median:.0f} ms (at most {MOST_MS})")
    sys.exit(median > MOST_MS)


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["measure"] else main()
