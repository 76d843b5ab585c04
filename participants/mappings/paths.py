"""One JMESPath expression: compiled once, bounded, and applied to values of JSON. Pure.

JMESPath has no loops, so a path ends; but what it gives can be much larger than what it is given: each multi-select
(`[@, @]`) multiplies, a chain of them as a power of two. So every path has a `factor`, the most that it multiplies by,
and one with a large factor is refused. Functions are those that cost no more than their argument is long. What paths do
with all that they are given is counted as they are applied (steps.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import jmespath
from django.utils.translation import gettext_noop
from jmespath.exceptions import JMESPathError
from jmespath.parser import ParsedResult

from participants.mappings.steps import Steps, Walk
from reading.kinds import Kind, Text, Wrong

PATH_LIMIT = 500
NODE_LIMIT = 100
FACTOR_LIMIT = 16
FUNCTIONS = frozenset(
    {
        "contains",
        "ends_with",
        "join",
        "keys",
        "length",
        "not_null",
        "reverse",
        "starts_with",
        "to_array",
        "to_number",
        "to_string",
        "type",
        "values",
    }
)
# What is read from the left side alone: the right side sees only what the left one found.
_LEFT_ALONE = frozenset(
    {"subexpression", "pipe", "projection", "value_projection", "filter_projection", "index_expression", "flatten"}
)
_NAMELESS = frozenset({"literal", "expref", "index", "slice"})
# What stands for everything that the path is applied to.
EVERYTHING = "@"

Node = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Path:
    """`names` are the fields that it reads of what it is applied to (`@` where it reads the whole)."""

    source: str
    names: frozenset[str]
    factor: int
    n_parts: int
    parsed: ParsedResult

    def found_in(self, value: Any, steps: Steps) -> Any:
        """None where the value has nothing there.

        Errors: `Wrong` for a function that is given what it does not take, and where the steps are used up.
        """
        try:
            return Walk(steps).visit(self.parsed.parsed, value)
        except Wrong:
            raise
        # The library checks the kinds of some arguments only: `contains(text, `5`)` and `a[::0]` are Python's own errors.
        except (JMESPathError, TypeError, ValueError, OverflowError) as misapplied:
            raise Wrong(gettext_noop("cannot be applied: %(said)s"), said=_short(misapplied)) from misapplied


class PathKind(Kind):
    """A path, as a text."""

    def value_of(self, value: Any) -> str:
        text: str = Text(PATH_LIMIT).value_of(value)
        path_of(text)
        return text


def path_of(text: str) -> Path:
    """Errors: `Wrong`."""
    try:
        parsed = jmespath.compile(text)
    # A parser of a few lines: brackets by the hundred reach the interpreter's depth, odd literals its own errors.
    except (JMESPathError, RecursionError, ValueError) as bad:
        raise Wrong(gettext_noop("is not JMESPath: %(said)s"), said=_short(bad)) from bad
    nodes = list(_nodes(parsed.parsed))
    if len(nodes) > NODE_LIMIT:
        raise Wrong(gettext_noop("has %(n)s parts; %(limit)s are the most"), n=len(nodes), limit=NODE_LIMIT)
    factor = reduce(lambda product, node: product * _factor(node), nodes, 1)
    if factor > FACTOR_LIMIT:
        text_ = gettext_noop("repeats what it finds up to %(n)s times; %(limit)s are the most")
        raise Wrong(text_, n=factor, limit=FACTOR_LIMIT)
    for node in nodes:
        _check_function(node)
    return Path(text, frozenset(_names(parsed.parsed)), factor, len(nodes), parsed)


def _nodes(top: Node) -> Iterator[Node]:
    waiting = [top]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in node["children"] if isinstance(child, dict)]


def _factor(node: Node) -> int:
    if node["type"] in {"multi_select_list", "multi_select_dict"}:
        return len(node["children"])
    # A text that is quoted again may double with each time.
    return 2 if node["type"] == "function_expression" and node["value"] == "to_string" else 1


def _check_function(node: Node) -> None:
    if node["type"] != "function_expression":
        return
    name = node["value"]
    if name not in FUNCTIONS:
        text = gettext_noop("uses the function %(name)s; there are %(known)s")
        raise Wrong(text, name=name, known=", ".join(sorted(FUNCTIONS)))
    if name == "join" and node["children"] and node["children"][0]["type"] != "literal":
        raise Wrong(gettext_noop("joins with something that is not quoted text"))


def _names(node: Node) -> Iterator[str]:
    kind, children = node["type"], node["children"]
    if kind == "field":
        yield node["value"]
    elif kind in {"identity", "current"}:
        yield EVERYTHING
    elif kind in _LEFT_ALONE:
        yield from _names(children[0])
    elif kind not in _NAMELESS:
        for child in children:
            yield from _names(child)


def _short(error: Exception) -> str:
    """What the library says, on one line, without the expression drawn below it."""
    said = (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(":")
    # It repeats values, and so half a character that a bot sent.
    return said.encode("utf-8", "backslashreplace").decode()
