"""Actions whose statements a batch sends together.

Such an action is a generator: it yields what it asks of the database, and goes on with the row that answers. To
PostgreSQL each statement is a journey, so a batch sends what its actions ask by the same statement as one: it takes as
many journeys as its longest action has steps. SQLite has no journeys; there each action takes its steps by itself.
"""

from collections import defaultdict
from collections.abc import Callable, Generator
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from django.db import connection, transaction

from serving.commits.shared_transaction import is_shared
from serving.commits.statements import Row, Statement

P = ParamSpec("P")
T = TypeVar("T")


class Ask(NamedTuple):
    """A statement with its values; its answer is the first row, None where there is none."""

    statement: Statement
    values: tuple[Any, ...]

    def answer(self) -> Row | None:
        return cast("Row | None", self.statement(*self.values).fetchone())


# What comes back is a row, or None: a statement that stores one row always gives it.
Steps = Generator[Ask, Any, T]


def asking(statement: Statement, *values: Any) -> Ask:
    return Ask(statement, values)


def in_steps(action: Callable[P, Steps[T]]) -> Callable[P, T]:
    """An action that gives its result, in a transaction of its own; within a shared one it gives its steps, for the batch to take.

    As with `joining`, it refuses before it writes.
    """

    @transaction.atomic(savepoint=False)
    def by_itself(*arguments: P.args, **named: P.kwargs) -> T:
        return alone(action(*arguments, **named))

    @wraps(action)
    def joined(*arguments: P.args, **named: P.kwargs) -> T:
        # Here the batch takes the steps: the caller must return them unused.
        return cast(T, action(*arguments, **named)) if is_shared() else by_itself(*arguments, **named)

    return joined


def alone(steps: Steps[T]) -> T:
    answer: Row | None = None
    try:
        while True:
            answer = steps.send(answer).answer()
    except StopIteration as end:
        return cast(T, end.value)


def together(lanes: list[Steps[None]]) -> None:
    """Takes the steps of all lanes. No lane may depend on what another one writes."""
    if connection.vendor != "postgresql":
        for lane in lanes:
            alone(lane)
        return
    answers: dict[Steps[None], Row | None] = dict.fromkeys(lanes)
    while answers:
        asked = defaultdict[Statement, dict[Steps[None], tuple[Any, ...]]](dict)
        for lane, answer in answers.items():
            try:
                statement, values = lane.send(answer)
            except StopIteration:
                continue
            asked[statement][lane] = values
        answers = {}
        for statement, by_lane in asked.items():
            answers.update(zip(by_lane, statement.rows(list(by_lane.values())), strict=True))
