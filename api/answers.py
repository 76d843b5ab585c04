"""Answers of the REST API, encoded by the shape that also describes them (`describes`): one declaration, no copy function.

class PackageAnswer(TypedDict):
    id: Annotated[int, From("pk")]
    file_name: str
    team: Annotated[str | None, From("team.name")]
    downloads: Annotated[list[DownloadAnswer], From("downloads.all")]

A shape is a typed dictionary, or the dataclass that a query returns. Each field is read from the attribute of its name, or from
where `From` says. Times become ISO 8601, members of enumerations their values, lazy texts words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import MethodType, NoneType, UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

Encoder = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class From:
    """Where a field comes from: a dotted path of attributes and of methods without arguments, or a function of the object.

    An empty path is the object itself. Where a step of a path is None, the field is `none`.
    """

    source: str | Callable[[Any], Any]
    none: Any = None

    def value_in(self, thing: Any) -> Any:
        if callable(self.source):
            return self.source(thing)
        for name in filter(None, self.source.split(".")):
            value = getattr(thing, name)
            thing = value() if isinstance(value, MethodType) else value
            if thing is None:
                return self.none
        return thing


SAME = From("")


def encoded(shape: Any, thing: Any, **given: Any) -> Any:
    """What JSON says of the object in this shape; `given` are values of fields that do not come from the object.

    A mapping has the names of the shape already, so that what is encoded can be encoded again.
    """
    if not given:
        return _encoder_of(shape)(thing)
    return {
        name: encode(given[name] if name in given else source.value_in(thing))
        for name, (source, encode) in _fields_of(shape).items()
    }


@cache
def _encoder_of(hint: Any) -> Encoder:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Annotated, NotRequired}:
        return _encoder_of(arguments[0])
    if origin in {Union, UnionType}:
        return _of_union([one for one in arguments if one is not NoneType])
    if is_typeddict(hint) or is_dataclass(hint):
        return _of_object(hint)
    made = origin or hint
    if isinstance(made, type) and issubclass(made, Mapping) and arguments:
        of_value = _encoder_of(arguments[1])
        return lambda table: {str(name): of_value(value) for name, value in table.items()}
    if isinstance(made, type) and issubclass(made, Sequence) and made is not str and arguments:
        of_one = _encoder_of(arguments[0])
        return lambda many: [of_one(one) for one in many]
    return _text if made is str else _plain


def _of_union(hints: Sequence[Any]) -> Encoder:
    encoders = [_encoder_of(one) for one in hints]
    if len(encoders) > 1 and any(encode not in {_text, _plain} for encode in encoders):
        raise TypeError(f"which of {hints} a value has cannot be seen from the value")
    encode = encoders[0] if len(encoders) == 1 else _plain
    return lambda value: None if value is None else encode(value)


def _of_object(shape: Any) -> Encoder:
    def encode(thing: Any) -> dict[str, Any]:
        # Looked up only now: a shape may hold itself.
        parts = _fields_of(shape).items()
        if isinstance(thing, Mapping):
            return {name: part(thing[name]) for name, (_source, part) in parts if name in thing}
        return {name: part(source.value_in(thing)) for name, (source, part) in parts}

    return encode


@cache
def _fields_of(shape: Any) -> Mapping[str, tuple[From, Encoder]]:
    hints = get_type_hints(shape, include_extras=True)
    names = list(hints) if is_typeddict(shape) else [one.name for one in fields(shape)]
    return {name: (_source_of(hints[name], name), _encoder_of(hints[name])) for name in names}


def _source_of(hint: Any, name: str) -> From:
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((one for one in marks if isinstance(one, From)), From(name))


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return value.value if isinstance(value, Enum) else value


def _text(value: Any) -> Any:
    """Also of lazy texts and ids."""
    plain = _plain(value)
    return plain if plain is None else str(plain)
