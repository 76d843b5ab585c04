"""Has a tester talk to a bot that answers as a seed says, through the actions of the console; needs Django set up."""

from datetime import timedelta

from django.utils import timezone

from dialogues.actions import record_reply, take_turn
from dialogues.turn_taking import ShownReply
from participants.adapters import Reply


def talk(dialogue, turns, clock):
    """Turns with answers, through the same actions as a tester's."""
    for said, answer, latency_ms in turns:
        taken = take_turn(
            dialogue_id=dialogue.pk, admission=Admitted(dialogue.tester_id), key=f"{next(clock)}", text=said,
            at=moment(next(clock)), owner="seeds",
        )  # fmt: skip
        reply = Reply(texts=(answer,), latency_ms=latency_ms)
        record_reply(asked=taken.asked, reply=reply, shown=ShownReply((answer,), ()), at=moment(next(clock)))


class Admitted:
    def __init__(self, person_id):
        self.person_id = person_id

    def proof(self, assignment_id):
        return True


def moment(n):
    """Some moment of the last hour: after two hours of silence the dialogue would be closed, in the middle of a test."""
    return timezone.now() - timedelta(hours=1) + timedelta(seconds=20 * n)
