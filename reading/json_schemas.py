"""Kinds of values and shapes of answers as JSON Schema (2020-12), from the definitions that check and make them. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import singledispatch
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)
from uuid import UUID

from reading.kinds import (
    BothTexts,
    Checked,
    Choice,
    Flag,
    FreeTable,
    Identity,
    Kind,
    List,
    ListOf,
    Number,
    Object,
    TableOf,
    Text,
    Whole,
    WholeOr,
)
from reading.tables import NEEDED, Field, OrNull, Rows, Table

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Format:
    """What a text of an answer's shape is, by JSON Schema's word for it."""

    word: str


Moment = Annotated[str, Format("date-time")]
Id = Annotated[str, Format("uuid")]


# -- kinds ----------------------------------------------------------------------------------------------------------


@singledispatch
def schema_of(kind: Kind) -> Schema:
    """What values of the kind look like. A test that JSON Schema cannot say is left out: then more fits than is taken."""
    return {}


@schema_of.register(Object)
@schema_of.register(FreeTable)
def _object(kind: Kind) -> Schema:
    return {"type": "object"}


@schema_of.register
def _list(kind: List) -> Schema:
    return {"type": "array"}


@schema_of.register
def _flag(kind: Flag) -> Schema:
    return {"type": "boolean"}


@schema_of.register
def _text(kind: Text) -> Schema:
    least = {} if kind.may_be_empty else {"minLength": 1}
    return {"type": "string", **least, "maxLength": kind.limit}


@schema_of.register
def _whole(kind: Whole) -> Schema:
    most = {} if kind.highest is None else {"maximum": kind.highest}
    return {"type": "integer", "minimum": kind.lowest, **most}


@schema_of.register
def _whole_or(kind: WholeOr) -> Schema:
    return {"anyOf": [_whole(kind), {"const": kind.word}]}


@schema_of.register
def _number(kind: Number) -> Schema:
    return {"type": "number", "minimum": kind.lowest, "maximum": kind.highest}


@schema_of.register
def _choice(kind: Choice) -> Schema:
    return {"type": "string", "enum": [str(one) for one in kind.choices]}


@schema_of.register
def _checked(kind: Checked) -> Schema:
    pattern = getattr(kind.is_right, "__self__", None)
    if isinstance(pattern, re.Pattern) and not pattern.flags & re.IGNORECASE:
        return {**schema_of(kind.kind), "pattern": f"^(?:{pattern.pattern})$"}
    return schema_of(kind.kind)


@schema_of.register
def _identity(kind: Identity) -> Schema:
    return {"type": ["string", "integer"]}


@schema_of.register
def _both_texts(kind: BothTexts) -> Schema:
    text = {"type": "string", "maxLength": kind.limit}
    both = {"type": "object", "properties": {"zh": text, "en": text}, "additionalProperties": False}
    return {"anyOf": [text, both]}


@schema_of.register
def _list_of(kind: ListOf) -> Schema:
    return {"type": "array", "items": schema_of(kind.kind)}


@schema_of.register
def _table_of(kind: TableOf) -> Schema:
    return {"type": "object", "additionalProperties": schema_of(kind.kind)}


@schema_of.register
def _table(kind: Table) -> Schema:
    return object_schema(kind.fields, keeps_others=kind.keeps_others)


@schema_of.register
def _or_null(kind: OrNull) -> Schema:
    return {"anyOf": [schema_of(kind.kind), {"type": "null"}]}


@schema_of.register
def _rows(kind: Rows) -> Schema:
    least = {} if kind.may_be_empty else {"minItems": 1}
    most = {} if kind.most is None else {"maxItems": kind.most}
    return {"type": "array", "items": schema_of(kind.table), **least, **most}


def object_schema(named: Mapping[str, Field], *, keeps_others: bool = False) -> Schema:
    """An object with these fields, by the names that they have in the file or body."""
    return {
        "type": "object",
        "properties": {field.key or name: schema_of(field.kind) for name, field in named.items()},
        "required": [field.key or name for name, field in named.items() if field.default is NEEDED],
        "additionalProperties": keeps_others,
    }


# -- shapes ---------------------------------------------------------------------------------------------------------

_PLAIN: Mapping[Any, Schema] = {
    Any: {},
    object: {},
    NoneType: {"type": "null"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    UUID: {"type": "string", "format": "uuid"},
    datetime: {"type": "string", "format": "date-time"},
}


class Shapes:
    """Schemas of type hints. What has a name (typed dictionaries, dataclasses) is described once, in `named`."""

    def __init__(self, prefix: str = "#/components/schemas/") -> None:
        self.prefix = prefix
        self.named: dict[str, Schema] = {}
        self._made: dict[str, Any] = {}

    def of(self, hint: Any) -> Schema:
        if hint in _PLAIN:
            return dict(_PLAIN[hint])
        if isinstance(hint, Kind):
            return schema_of(hint)
        origin, arguments = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self._annotated(*arguments)
        if origin in {Union, UnionType}:
            return _any_of([self.of(one) for one in arguments])
        if origin is Literal:
            word = {"type": "string"} if all(isinstance(one, str) for one in arguments) else {}
            return {**word, "enum": list(arguments)}
        if origin is NotRequired:
            return self.of(arguments[0])
        return self._of_many(hint, origin or hint, arguments)

    def _of_many(self, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Schema:
        if is_typeddict(hint) or is_dataclass(hint):
            return self._reference(hint)
        if issubclass(origin, Enum):
            return {"type": "string", "enum": [str(one.value) for one in origin]}
        if issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1]) if arguments else {}}
        if issubclass(origin, Sequence):
            return {"type": "array", "items": self.of(arguments[0]) if arguments else {}}
        raise TypeError(f"{hint!r} cannot be described")

    def _annotated(self, hint: Any, *marks: Any) -> Schema:
        for mark in marks:
            if isinstance(mark, Kind):
                return schema_of(mark)
            if isinstance(mark, Format):
                return {**self.of(hint), "format": mark.word}
        return self.of(hint)

    def _reference(self, made: Any) -> Schema:
        name = made.__name__
        if self._made.setdefault(name, made) is not made:
            raise TypeError(f"two shapes are called {name}: {made!r} and {self._made[name]!r}")
        if name not in self.named:
            self.named[name] = {}  # a shape may hold itself
            self.named[name] = self.object_of(made)
        return {"$ref": f"{self.prefix}{name}"}

    def object_of(self, made: Any) -> Schema:
        hints = get_type_hints(made, include_extras=True)
        hints = {name: hint for name, hint in hints.items() if get_origin(hint) is not ClassVar}
        needed = made.__required_keys__ if is_typeddict(made) else self.needed_of(made)
        schema: Schema = {
            "type": "object",
            "properties": {name: self.of(hint) for name, hint in hints.items()},
            "required": [name for name in hints if name in needed],
        }
        if made.__doc__ and not made.__doc__.startswith((f"{made.__name__}(", "dict(")):
            schema["description"] = made.__doc__
        return schema

    def needed_of(self, made: Any) -> set[str]:
        """The fields of a dataclass that must be there."""
        return {one.name for one in fields(made) if one.default is MISSING and one.default_factory is MISSING}


class AnswerShapes(Shapes):
    """Of what is encoded: every field is there, also one with a default."""

    def needed_of(self, made: Any) -> set[str]:
        return {one.name for one in fields(made)}


def _any_of(schemas: list[Schema]) -> Schema:
    """Plain types beside each other where that says the same."""
    if all(schema.keys() == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}
