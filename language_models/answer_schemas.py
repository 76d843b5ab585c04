"""The part of JSON Schema (2020-12) in which prompts say what an answer must be, and the check of an answer by it. Pure.

Servers promise answers by a schema and some break the promise; others know none. Either way the answer is checked here.
A schema that uses another word of JSON Schema is refused when the prompt is made: a word that is not checked would promise
what nobody holds.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop

from reading.checking import Problems
from reading.findings import item, under
from reading.kinds import kind_of, shown
from reading.storable import UNSTORABLE, is_storable
from reading.strict_json import are_same

TYPES = {"object", "array", "string", "integer", "number", "boolean", "null"}
# For people and models; nothing is checked by them.
WORDS_ALONE = {"title", "description"}
CHECKED = {
    "type", "enum", "const", "properties", "required", "additionalProperties", "items", "minItems", "maxItems",
    "minLength", "maxLength", "minimum", "maximum", "anyOf",
}  # fmt: skip


def refuse_unknown_words(schema: Mapping[str, Any]) -> None:
    """Errors: `ValueError` naming the first word that `note_misfits` does not check."""
    unknown = schema.keys() - CHECKED - WORDS_ALONE
    if unknown:
        raise ValueError(f"{min(unknown)} is not among the words of JSON Schema that answers are checked by")
    if schema.get("type", "object") not in TYPES or schema.get("additionalProperties", False) not in (True, False):
        raise ValueError(f"{schema} is not checked")
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    for one in [*inner, *([schema["items"]] if "items" in schema else [])]:
        refuse_unknown_words(one)


def note_misfits(value: Any, schema: Mapping[str, Any], place: str, problems: Problems) -> None:
    """Notes each place at which the parsed answer does not fit. Linear in the answer for each level of `anyOf`."""
    if "anyOf" in schema and not any(_fits(value, one) for one in schema["anyOf"]):
        problems.note(place, gettext_noop("fits none of the forms that are asked for"))
    if "type" in schema and not _is_of_type(value, schema["type"]):
        problems.note(
            place,
            gettext_noop("must be of JSON's type %(type)s, not %(kind)s"),
            type=schema["type"],
            kind=kind_of(value),
        )
        return
    if "const" in schema and not are_same(value, schema["const"]):
        problems.note(
            place,
            gettext_noop("must be %(choices)s, not %(value)s"),
            choices=shown(schema["const"]),
            value=shown(value),
        )
    if "enum" in schema and not any(are_same(value, one) for one in schema["enum"]):
        choices = ", ".join(map(shown, schema["enum"]))
        problems.note(
            place, gettext_noop("must be one of %(choices)s, not %(value)s"), choices=choices, value=shown(value)
        )
    match value:
        case dict():
            _note_in_object(value, schema, place, problems)
        case list():
            _note_size(len(value), schema, ("minItems", "maxItems"), place, problems)
            if "items" in schema:
                for index, one in enumerate(value):
                    note_misfits(one, schema["items"], item(place, index), problems)
        case str():
            _note_size(len(value), schema, ("minLength", "maxLength"), place, problems)
            if not is_storable(value):
                problems.note(place, UNSTORABLE)
        case int() | float() if not isinstance(value, bool):
            if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
                text = gettext_noop("must be a number from %(lowest)s to %(highest)s, not %(value)s")
                lowest, highest = schema.get("minimum", "-∞"), schema.get("maximum", "∞")
                problems.note(place, text, lowest=lowest, highest=highest, value=shown(value))


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    problems = Problems()
    note_misfits(value, schema, "", problems)
    return not problems


def _note_in_object(value: dict[str, Any], schema: Mapping[str, Any], place: str, problems: Problems) -> None:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            problems.note(under(place, name), gettext_noop("is missing"))
    for name, inner in value.items():
        if name in known:
            note_misfits(inner, known[name], under(place, name), problems)
        elif schema.get("additionalProperties", True) is False:
            text = gettext_noop("is not known here; there are %(known)s")
            problems.note(under(place, name), text, known=", ".join(sorted(known)))
        elif not is_storable(name):
            problems.note(place, UNSTORABLE)


def _note_size(n: int, schema: Mapping[str, Any], words: tuple[str, str], place: str, problems: Problems) -> None:
    least, most = schema.get(words[0], 0), schema.get(words[1])
    if n < least or (most is not None and n > most):
        text = gettext_noop("has %(n)s parts or characters; from %(least)s to %(most)s are asked for")
        problems.note(place, text, n=n, least=least, most="∞" if most is None else most)


def _is_of_type(value: Any, name: str) -> bool:
    match name:
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "integer":
            # JSON has one kind of number: 3.0 is a whole one.
            return not isinstance(value, bool) and (
                isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            )
    return isinstance(value, int | float) and not isinstance(value, bool)
