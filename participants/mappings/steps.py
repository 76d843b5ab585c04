"""What paths cost: JMESPath applied step by step, and stopped where the steps are used up. Pure.

The rules for a path (paths.py) bound what it gives, not what it does: a hundred parts may each look at all of a long answer,
and a stream brings one answer after the other. So callers count the steps of all their paths together, with one `Steps`.
"""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_noop
from jmespath.visitor import TreeInterpreter

from reading.kinds import Wrong

# One step is one part of a path at one value, one to two microseconds. 10,000 events, each read by seven usual paths, take
# 400,000.
STEPS_OF_AN_ANSWER = 500_000
# Requests are filled in on the event loop, where everybody waits.
STEPS_OF_A_REQUEST = 50_000
# Texts are searched and copied so much faster than values are visited.
CHARACTERS_PER_STEP = 64
# To compare two lists may take as long as both are with all that is in them; there is no cheap way to tell.
STEPS_OF_A_COMPARISON = 4096

Compare = Callable[[Any, Any], Any]


class Steps:
    """How many steps are left."""

    def __init__(self, left: int) -> None:
        self._limit = self.left = left

    def take(self, n: int) -> None:
        """Errors: `Wrong` if fewer are left."""
        self.left -= n
        if self.left < 0:
            raise Wrong(gettext_noop("takes too long: at most %(limit)s steps are allowed"), limit=self._limit)


class Walk(TreeInterpreter):
    """JMESPath as the library applies it, each step counted before or as soon as it is made."""

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self._steps = steps
        self.COMPARATOR_FUNC = {
            name: self._counting(compare) for name, compare in TreeInterpreter.COMPARATOR_FUNC.items()
        }

    def visit(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        self._steps.take(1)
        return super().visit(node, *args, **kwargs)

    def visit_flatten(self, node: Any, value: Any) -> Any:
        return self._counted(super().visit_flatten(node, value))

    def visit_slice(self, node: Any, value: Any) -> Any:
        return self._counted(super().visit_slice(node, value))

    def visit_function_expression(self, node: Any, value: Any) -> Any:
        given = [self.visit(child, value) for child in node["children"]]
        self._steps.take(sum(map(_length, given)))
        if node["value"] == "contains" and len(given) == 2:
            self._steps.take(_comparing(*given))
        return self._counted(self._functions.call_function(node["value"], given))

    def _counting(self, compare: Compare) -> Compare:
        def counted(left: Any, right: Any) -> Any:
            self._steps.take(_comparing(left, right))
            return compare(left, right)

        return counted

    def _counted(self, found: Any) -> Any:
        self._steps.take(_length(found))
        return found


def _length(value: Any) -> int:
    if isinstance(value, str):
        return len(value) // CHARACTERS_PER_STEP
    return len(value) if isinstance(value, list | dict) else 0


def _comparing(left: Any, right: Any) -> int:
    """Two texts end at their first difference; what is empty is told at once."""
    are_deep = all(isinstance(one, list | dict) and one for one in (left, right))
    return STEPS_OF_A_COMPARISON if are_deep else min(_length(left), _length(right))
