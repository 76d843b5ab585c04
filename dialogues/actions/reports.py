"""What reaches the organizer beside the dialogue: flags on turns, problems in words, and who has a console open.

None of it changes the dialogue: no lock is taken on it, and no event is sent.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, check_open
from dialogues.models import Dialogue, Presence, Problem, Turn, TurnFlag
from dialogues.trail_acts import PROBLEM_SETTLED, of_dialogue
from reading.checking import BadForm
from reading.findings import Finding
from reading.storable import is_storable

PROBLEM_LIMIT = 2000
PROBLEMS_PER_DIALOGUE = 50
PRESENCE_KEPT = timedelta(days=2)


@transaction.atomic
def flag_turn(*, turn: Turn, at: datetime) -> TurnFlag:
    """The turn's flag, set now if it had none. Errors: `NotNow`."""
    check_open(turn.dialogue.assignment.campaign, Doing.REPORT, at)
    flag, _created = TurnFlag.objects.get_or_create(turn=turn, defaults={"at": at})
    return flag


@transaction.atomic
def unflag_turn(*, turn: Turn, at: datetime) -> None:
    """Takes the flag off; a turn without one stays as it is. Errors: `NotNow`."""
    check_open(turn.dialogue.assignment.campaign, Doing.REPORT, at)
    TurnFlag.objects.filter(turn=turn).delete()


@transaction.atomic
def report_problem(*, dialogue: Dialogue, person: Person, turn: Turn | None, text: str, at: datetime) -> Problem:
    """Stores what the tester reports, for the organizers of the campaign. Errors: `NotNow`; `BadForm` where it cannot be taken as it is."""
    check_open(dialogue.assignment.campaign, Doing.REPORT, at)
    wrong = ""
    if not text.strip():
        wrong = _("Say in a few words what is wrong.")
    elif len(text) > PROBLEM_LIMIT:
        wrong = _("A report has at most %(limit)d characters.") % {"limit": PROBLEM_LIMIT}
    elif not is_storable(text):
        wrong = _("The report holds a character that cannot be stored (NUL or half a surrogate pair).")
    elif dialogue.problems.count() >= PROBLEMS_PER_DIALOGUE:
        wrong = _("This dialogue has %(n)d reports already.") % {"n": PROBLEMS_PER_DIALOGUE}
    if wrong:
        raise BadForm([Finding("text", wrong)])
    return Problem.objects.create(dialogue=dialogue, reported_by=person, turn=turn, text=text.strip(), at=at)


@transaction.atomic
def settle_problem(*, problem: Problem, at: datetime, by: Person | None = None) -> Problem:
    """Settles the report; a first time of settling stays. Errors: `NotNow`."""
    check_open(problem.dialogue.assignment.campaign, Doing.ORGANIZE, at)
    is_first = Problem.objects.filter(pk=problem.pk, settled_at=None).update(settled_at=at)
    problem.refresh_from_db()
    if is_first:
        dialogue = Dialogue.objects.with_names().get(pk=problem.dialogue_id)
        record(PROBLEM_SETTLED, by=by, at=at, **of_dialogue(dialogue, problem=problem.pk))
    return problem


@transaction.atomic
def note_presence(*, process: str, there: Collection[int], left: Collection[int], at: datetime) -> None:
    """Those people have a console open in the process now; the others had one until now."""
    rows = [Presence(person_id=person, process=process, seen_at=at, is_there=True) for person in sorted(there)]
    rows += [Presence(person_id=person, process=process, seen_at=at, is_there=False) for person in sorted(left)]
    Presence.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["person", "process"], update_fields=["seen_at", "is_there"]
    )
    if left:
        Presence.objects.filter(seen_at__lt=at - PRESENCE_KEPT).delete()
