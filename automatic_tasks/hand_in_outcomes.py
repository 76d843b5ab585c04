"""What became of a hand-in that was not taken, stored with the session: a page that is loaded again still says it."""

from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest

from automatic_tasks.actions import NotAccepted
from automatic_tasks.models import AutomaticTask
from automatic_tasks.services.form import wrong_fields
from reading.findings import Finding

PROBLEMS_SHOWN = 200
SESSION_KEY = "hand_in"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Problems of a file or of the form's fields, or the code of a refusal with its values; `typed` is what stood in the form."""

    problems: tuple[Finding, ...] = ()
    n_problems: int = 0
    fields: tuple[Finding, ...] = ()
    code: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    typed: dict[str, str] = field(default_factory=dict)

    @property
    def refused(self) -> str:
        """The refusal in the reader's language, which may be another one than when it was made."""
        return str(NotAccepted(self.code, **self.values)) if self.code else ""

    @property
    def wrong(self) -> dict[str, str]:
        """What is wrong with each field, in the reader's language."""
        return wrong_fields(self.fields)


def bad_file(problems: list[Finding], typed: dict[str, str]) -> Outcome:
    return Outcome(tuple(problems[:PROBLEMS_SHOWN]), len(problems), typed=typed)


def bad_form(problems: list[Finding], typed: dict[str, str]) -> Outcome:
    return Outcome(fields=tuple(problems), typed=typed)


def refusal(refused: NotAccepted, typed: dict[str, str]) -> Outcome:
    return Outcome(code=refused.code, values=dict(refused.values), typed=typed)


def store(request: HttpRequest, task: AutomaticTask, outcome: Outcome) -> None:
    request.session[SESSION_KEY] = {
        "task": task.pk,
        "problems": [problem.to_json() for problem in outcome.problems],
        "n_problems": outcome.n_problems,
        "fields": [problem.to_json() for problem in outcome.fields],
        "code": outcome.code,
        "values": outcome.values,
        "typed": outcome.typed,
    }


def last_of(request: HttpRequest, task: AutomaticTask) -> Outcome:
    """What was stored for this task; nothing where the last hand-in was another one's."""
    stored = dict(request.session.get(SESSION_KEY, {}))
    if stored.pop("task", None) != task.pk:
        return Outcome()
    problems = tuple(Finding.from_json(problem) for problem in stored.pop("problems"))
    # A session from before forms had such fields has none.
    fields = tuple(Finding.from_json(problem) for problem in stored.pop("fields", ()))
    return Outcome(problems=problems, fields=fields, **stored)
