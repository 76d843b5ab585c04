"""What a turn costs the thread that commits for all of them: one that is answered, one that fails, one that is asked again.

python -m bench.failed_turns
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

N_TURNS, N_ROUNDS = 200, 3


class Admitted:
    """An admission that always holds: to ask it costs all turns the same."""

    def __init__(self, person_id: int) -> None:
        self.person_id = person_id

    def still_holds(self, assignment_id: int) -> bool:
        return True


class Clock:
    """Adds up the processor time of this thread by what it was spent on."""

    def __init__(self) -> None:
        self.spent_s: dict[str, float] = {}

    def timed(self, what: str, work: Callable[[], Any]) -> Any:
        began = time.thread_time()
        outcome = work()
        self.spent_s[what] = self.spent_s.get(what, 0.0) + time.thread_time() - began
        return outcome


def one_round() -> dict[str, float]:
    """Microseconds per action, each in a transaction that many share, as the writer makes them."""
    from django.utils import timezone

    from accounts.models import Person
    from campaigns.models import Campaign
    from participants.adapters import Reply
    from participants.failures import BotFailure, FailureKind
    from scoring.findings import sentence
    from serving.shared_transaction import shared_transaction
    from testing_console.actions import open_chosen_dialogue, record_failure, record_reply, retry_turn, take_turn
    from testing_console.masking import masker_of
    from testing_console.turn_taking import shown_reply

    campaign, tester = Campaign.objects.get(), Person.objects.get(username="tester")
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    chosen = {"campaign": campaign, "tester": tester, "entry": entry, "scenario": scenario}
    dialogue = open_chosen_dialogue(**chosen, at=timezone.now())
    who = {"dialogue_id": dialogue.pk, "admission": Admitted(tester.pk), "owner": "bench:1:x"}
    clock, shown, remembered = Clock(), shown_reply(["好的"], masker_of(()), 5), None

    def take(key: str) -> Any:
        return take_turn(**who, key=key, text="帮我订一张票", at=timezone.now(), remembered=remembered).asked

    def fail(asked: Any) -> Any:
        failure = BotFailure(FailureKind.BAD_SHAPE, sentence("text"), status=200, evidence="{" + "x" * 1900)
        return record_failure(asked=asked, failure=failure, at=timezone.now())

    with shared_transaction():
        for turn in range(N_TURNS):
            asked = clock.timed("taken", lambda key=f"a{turn}": take(key))
            reply = Reply(("好的",), latency_ms=5)
            remembered = clock.timed(
                "answered",
                lambda asked=asked, reply=reply: record_reply(asked=asked, reply=reply, shown=shown, at=timezone.now()),
            ).remembered
            asked = take(f"f{turn}")
            remembered = clock.timed("failed", lambda asked=asked: fail(asked)).remembered
            said = {"number": asked.turn.number, "at": timezone.now(), "remembered": remembered}
            asked = clock.timed("asked again", lambda said=said: retry_turn(**who, **said)).asked
            remembered = fail(asked).remembered
    return {what: 1e6 * spent_s / N_TURNS for what, spent_s in clock.spent_s.items()}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="huace-bench-") as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'bench.sqlite3'}"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        from bench.servers import CAMPAIGN

        file = Path(folder) / "bench.toml"
        file.write_text(CAMPAIGN.format(bot="http://127.0.0.1:9/"))
        call_command("migrate", verbosity=0)
        call_command("load_campaign", str(file), verbosity=0)
        rounds = [one_round() for _ in range(N_ROUNDS)]
    for what in rounds[0]:
        print(f"{what:<12} {' '.join(f'{one[what]:6.0f}' for one in rounds)} µs")


if __name__ == "__main__":
    main()
