"""make bench NAME=wall: what the live wall costs with 500 open dialogues of a contest of 15 bots and 3,150 assignments, while turns are taken.

Every five seconds a tester reports a problem, which is something that needs a person.
python -m bench.wall [--seconds 30] [--turns-per-s 20]   (DATABASE_URL: an empty PostgreSQL instead of SQLite)
Ends with 1 when an update takes longer, or the looks use more of a core, than they may.
"""

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from bench.drawing import N_BOTS, N_SCENARIOS, N_TESTERS, contest, set_up
from bench.turns import percentile

N_OPEN, N_DONE, TURNS_EACH = 500, 1200, 8
REPORT_EVERY_S = 5
MOST_MS, MOST_SHARE, MOST_DELAY_S = 100.0, 0.05, 1.0


def fill(campaign: Any) -> list[Any]:
    """Draws the plan; a part of it is done, and 500 dialogues are open after eight turns each."""
    from django.utils import timezone

    from campaigns.actions import draw_assignments
    from campaigns.models import Assignment
    from dialogues.models import Dialogue, Turn

    campaign.save()
    draw_assignments(campaign=campaign)
    now, rng = timezone.now(), random.Random(20)
    assignments = list(campaign.assignments.filter(started_at=None).order_by("pk")[: N_OPEN + N_DONE])
    rng.shuffle(assignments)
    talks, turns = [], []
    for number, assignment in enumerate(assignments):
        is_open, opened_at = number < N_OPEN, now - timedelta(minutes=rng.randint(10, 200))
        talks.append(
            Dialogue(
                id=uuid4(), assignment=assignment, tester_id=assignment.tester_id, opened_at=opened_at,
                status="open" if is_open else "completed", closed_at=None if is_open else now,
                scored_at=None if is_open else now, subtask_cap=20, turns_used=TURNS_EACH, subtask_turns=TURNS_EACH,
                last_seq=2 * TURNS_EACH,
            )
        )  # fmt: skip
        turns += [
            Turn(
                dialogue=talks[-1], number=n, subtask=1, spent=n, turn_cap=20, key=str(n), text="x", status="answered",
                texts=["y"], latency_ms=rng.randint(300, 3000), seq=2 * n - 1, outcome_seq=2 * n,
                asked_at=opened_at + timedelta(minutes=n), settled_at=opened_at + timedelta(minutes=n), owner="bench",
            )
            for n in range(1, TURNS_EACH + 1)
        ]  # fmt: skip
    Dialogue.objects.bulk_create(talks, batch_size=500)
    Turn.objects.bulk_create(turns, batch_size=500)
    Assignment.objects.filter(pk__in=[one.pk for one in assignments]).update(started_at=now)
    return [talk for talk in talks if talk.status == "open"]


class Watch(threading.Thread):
    """Looks as the wall does, in a thread of its own; notes what each look took and when it showed which dialogue."""

    def __init__(self, campaign_id: int) -> None:
        super().__init__(daemon=True)
        self.campaign_id, self.is_over = campaign_id, threading.Event()
        self.took_ms: list[float] = []
        self.sent_bytes: list[int] = []
        self.shown: list[tuple[float, str]] = []

    def run(self) -> None:
        from django.utils import timezone

        from organizing.wall.live import LOOK_EVERY_S, CampaignWall

        board = self.board = CampaignWall(self.campaign_id)
        self.first_bytes = len(board.look({"en"}, timezone.now()).states["en"].encode())
        began_cpu_s, self.began = time.thread_time(), time.perf_counter()
        while not self.is_over.wait(LOOK_EVERY_S):
            began = time.perf_counter()
            news = board.look(set(), timezone.now())
            self.took_ms.append(1000 * (time.perf_counter() - began))
            self.sent_bytes.append(len(news.change.encode()))
            self.shown.append((time.perf_counter(), news.change))
        self.share = (time.thread_time() - began_cpu_s) / (time.perf_counter() - self.began)


class NeedsWatch(threading.Thread):
    """Looks for what needs a person as the wall does, in a thread of its own; notes when how many reports were shown."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(daemon=True)
        self.watch, self.is_over = watch, threading.Event()
        self.shown: list[tuple[float, list[str]]] = []
        self.n_looks = 0

    def run(self) -> None:
        from django.urls import reverse
        from django.utils import timezone

        from organizing.wall.live import PULSE_EVERY_S, Allowance, timed

        allowance, board = Allowance(), self.watch.board
        # A server has loaded its pages before somebody looks.
        reverse("wall", args=["drawing"])
        while board.look_for_needs({"en"}, timezone.now()) is None:
            time.sleep(0.1)
        began_cpu_s, began = time.thread_time(), time.perf_counter()
        while not self.is_over.wait(PULSE_EVERY_S + allowance.rest_s(time.monotonic())):
            found, work_s = timed(partial(board.look_for_needs, {"en"}, timezone.now()))
            allowance.note(work_s, time.monotonic())
            if found is not None:
                board.needs, self.n_looks = found, self.n_looks + 1
                self.shown.append((time.perf_counter(), [need["text"] for need in found["en"]]))
        self.share = (time.thread_time() - began_cpu_s) / (time.perf_counter() - began)


def report(dialogue: Any, n: int, reported: list[tuple[float, str]]) -> None:
    """A tester reports a problem, the nth that is open; notes when, and by which words the wall is to say so."""
    from django.utils import timezone

    from dialogues.models import Problem

    Problem.objects.create(dialogue=dialogue, reported_by_id=dialogue.tester_id, text="x", at=timezone.now())
    reported.append((time.perf_counter(), f"{n} report"))


def talk(
    open_talks: list[Any], seconds: float, turns_per_s: float
) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
    """Takes turns one after the other; gives when each was committed, and of which dialogue; then the reports."""
    from django.utils import timezone

    from dialogues.actions import take_turn
    from dialogues.turn_taking import Refusal
    from tests.conftest import Admitted

    rng = random.Random(21)
    committed: list[tuple[float, str]] = []
    reported: list[tuple[float, str]] = []
    began = time.perf_counter()
    ends_at = began + seconds
    waiting = rng.sample(open_talks, len(open_talks))
    while waiting and time.perf_counter() < ends_at:
        one = waiting.pop()
        if time.perf_counter() >= began + REPORT_EVERY_S * (len(reported) + 1):
            report(one, len(reported) + 1, reported)
        try:
            take_turn(
                dialogue_id=one.pk, admission=Admitted(one.tester), key="bench", text="x", at=timezone.now(), owner="b"
            )
            committed.append((time.perf_counter(), str(one.pk)))
        except Refusal as refusal:
            print("  refused:", refusal.message)
        time.sleep(1 / turns_per_s)
    return committed, reported


def delays_s(committed: list[tuple[float, str]], shown: list[tuple[float, str]]) -> list[float]:
    """From each commit to the look that showed its dialogue as waiting."""
    return [
        min((at - began for at, change in shown if at > began and dialogue in change), default=float("inf"))
        for began, dialogue in committed
    ]


def delays_of_needs_s(reported: list[tuple[float, str]], shown: list[tuple[float, list[str]]]) -> list[float]:
    return [
        min((at - began for at, texts in shown if any(one.startswith(text) for one in texts)), default=float("inf"))
        for began, text in reported
    ]


def measure(seconds: float, turns_per_s: float) -> bool:
    campaign = contest()
    open_talks = fill(campaign)
    watch = Watch(campaign.pk)
    watch.start()
    time.sleep(2)
    needs = NeedsWatch(watch)
    needs.start()
    time.sleep(8)
    committed, reported = talk(open_talks, seconds, turns_per_s)
    time.sleep(2)
    for one in (watch, needs):
        one.is_over.set()
        one.join()
    delays, of_needs = delays_s(committed, watch.shown), delays_of_needs_s(reported, needs.shown)
    share = watch.share + needs.share
    print(
        f"{N_BOTS} bots, {N_BOTS * N_SCENARIOS * N_TESTERS} assignments, {len(open_talks)} open; {len(committed)} turns"
    )
    print(f"a look: p50 {percentile(watch.took_ms, 0.5):.0f}, p95 {percentile(watch.took_ms, 0.95):.0f} ms")
    print(
        f"of a core: {100 * share:.1f}%, {100 * needs.share:.1f} of them for what needs a person ({needs.n_looks} looks)"
    )
    print(f"from commit to wall: p50 {percentile(delays, 0.5):.2f}, max {max(delays):.2f} s")
    print(f"from commit to what needs a person: p50 {percentile(of_needs, 0.5):.2f}, max {max(of_needs):.2f} s")
    print(
        f"state {watch.first_bytes / 1024:.0f} KiB, change p50 {percentile([*map(float, watch.sent_bytes)], 0.5) / 1024:.1f} KiB"
    )
    is_fast = percentile(watch.took_ms, 0.95) <= MOST_MS and max(delays + of_needs) <= MOST_DELAY_S
    is_fine = is_fast and share <= MOST_SHARE
    print("within the budget" if is_fine else "over the budget")
    return is_fine


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--turns-per-s", type=float, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if "DATABASE_URL" in os.environ:
            os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
        else:
            set_up(folder)
        sys.exit(0 if measure(asked.seconds, asked.turns_per_s) else 1)


if __name__ == "__main__":
    main()
