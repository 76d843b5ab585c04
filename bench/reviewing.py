"""make bench NAME=reviewing: how long drawing places takes, and the queue of a reviewer with 3,150 of them, as a page and over the API.

Over a database of its own. Ends with 1 when one of them is over its budget.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from bench.big_database import BOT, CAMPAIGN, PERSON, SCENARIO, SLUG
from bench.size import set_up

N_BOTS, N_SCENARIOS, N_TESTERS, N_REVIEWERS = 15, 21, 10, 10
REVIEWERS_PER_DIALOGUE = 3
MOST_S_OF_A_DRAWING = 2.0
MOST_MS_OF_A_QUEUE = 100.0
N_VIEWS = 20


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="huace-reviewing-") as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder}/huace.sqlite3")
        set_up()
        campaign = make()
        drawing_s = seconds_of(lambda: draw(campaign))
        again_s = seconds_of(lambda: draw(campaign))
        print(
            f"drawing 3,150 dialogues × {REVIEWERS_PER_DIALOGUE} reviewers: {drawing_s:.2f} s; again: {again_s:.2f} s"
        )
        api_ms, page_ms = milliseconds_of_a_queue(campaign)
        print(f"queue of 3,150 places: {api_ms:.0f} ms over the API, {page_ms:.0f} ms as a page")
    if drawing_s > MOST_S_OF_A_DRAWING or max(api_ms, page_ms) > MOST_MS_OF_A_QUEUE:
        print("over the budget")
        sys.exit(1)


def seconds_of(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def make() -> Any:
    """A campaign in which every tester has had every bot with every scenario."""
    from django.core.management import call_command
    from django.utils import timezone

    from campaigns.actions import load_campaign
    from campaigns.campaign_file.reader import read_campaign_file
    from campaigns.models import Assignment, Campaign
    from dialogues.models import Dialogue
    from participants.adapters import PROTOCOLS

    call_command("migrate", verbosity=0)
    parts = [CAMPAIGN.format(slug=SLUG)]
    parts += [BOT.format(n) for n in range(N_BOTS)]
    parts += [SCENARIO.format(n, 10) for n in range(N_SCENARIOS)]
    parts += [PERSON.format("tester", n) for n in range(N_TESTERS)]
    parts += [PERSON.format("reviewer", n) for n in range(N_REVIEWERS)]
    campaign, _ = load_campaign(spec=read_campaign_file("campaign.toml", "".join(parts).encode(), PROTOCOLS))
    panel = {"reviewed_by": "panel", "counted_reviews": "panel", "reviewers_per_dialogue": REVIEWERS_PER_DIALOGUE}
    Campaign.objects.filter(pk=campaign.pk).update(**panel)
    at = timezone.now()
    places = [
        Assignment(campaign=campaign, tester=role.person, entry=entry, scenario=scenario, repetition=9, position=1)
        for role in campaign.roles.filter(role="tester")
        for entry in campaign.entries.all()
        for scenario in campaign.scenarios.all()
    ]
    Assignment.objects.bulk_create(places)
    Dialogue.objects.bulk_create(
        Dialogue(assignment=one, tester=one.tester, status="completed", opened_at=at, closed_at=at) for one in places
    )
    campaign.refresh_from_db()
    return campaign


def draw(campaign: Any) -> int:
    from django.utils import timezone

    from reviews.actions.placing import draw_review_places

    return draw_review_places(campaign=campaign, at=timezone.now())


def milliseconds_of_a_queue(campaign: Any) -> tuple[float, float]:
    """The median time of a request for the queue of a reviewer who has every dialogue: over the API, and as a page."""
    from django.test import Client
    from django.utils import timezone

    from dialogues.models import Dialogue
    from reviews.models import ReviewPlace

    reviewer = campaign.roles.filter(role="reviewer").first().person
    others = Dialogue.objects.of_campaign(campaign).exclude(review_places__reviewer=reviewer)
    ReviewPlace.objects.bulk_create(
        ReviewPlace(dialogue=one, reviewer=reviewer, position=5000, drawn_at=timezone.now()) for one in others
    )
    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(reviewer)
    return milliseconds_of(client, f"/api/v1/reviews/queue/?campaign={SLUG}"), milliseconds_of(
        client, f"/campaigns/{SLUG}/review/"
    )


def milliseconds_of(client: Any, address: str) -> float:
    """The median over some requests; the first one, which loads what the others find loaded, is left out."""
    assert client.get(address).status_code == 200
    return 1000 * statistics.median(seconds_of(partial(client.get, address)) for _ in range(N_VIEWS))


if __name__ == "__main__":
    main()
