"""What is said to register a bot or to change its address: name, URL, protocol, secret, options of the protocol. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any

from django.utils.translation import gettext_noop

from participants.header_text import is_header_text
from participants.limits import NAME_LIMIT, SECRET_LIMIT
from scoring.checking import BadForm, Problems
from scoring.kinds import ANY_TEXT, URL_LIMIT, Checked, Choice, FreeTable, Kind, Text, Whole
from scoring.tables import table_of

SECRET = Checked(
    Text(SECRET_LIMIT, may_be_empty=True),
    is_header_text,
    gettext_noop(
        "is sent in an HTTP header: it must be ASCII on one line, without spaces at its ends; "
        "copy it again without the line break, or choose another"
    ),
)
CHAT_OPTIONS: Mapping[str, Kind] = MappingProxyType(
    {"model": Text(200), "system": Text(4000), "opening": Text(2000), "max_tokens": Whole(1, 100_000)}
)
# The options that a protocol reads; the others read none.
OPTIONS: Mapping[str, Mapping[str, Kind]] = MappingProxyType({"openai": CHAT_OPTIONS, "openai-plain": CHAT_OPTIONS})


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressForm:
    """`secret` is None where the stored one stays, and empty where none is sent."""

    url: Annotated[str, Text(URL_LIMIT)]
    protocol: Annotated[str, ANY_TEXT] = "huace/1"
    secret: Annotated[str | None, SECRET] = None
    options: Annotated[Mapping[str, Any], FreeTable()] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotForm(AddressForm):
    name: Annotated[str, Text(NAME_LIMIT)]


def read_bot(said: Mapping[str, Any], protocols: tuple[str, ...]) -> BotForm:
    """Errors: `BadForm` naming every wrong field."""
    read: BotForm = _read(said, protocols, BotForm)
    return read


def read_address(said: Mapping[str, Any], protocols: tuple[str, ...]) -> AddressForm:
    """Errors: `BadForm` naming every wrong field."""
    read: AddressForm = _read(said, protocols, AddressForm)
    return read


def _read(said: Mapping[str, Any], protocols: tuple[str, ...], form: type) -> Any:
    problems = Problems()
    read = problems.read(dict(said), "", table_of(form))
    known = Choice(protocols).read(read.protocol, "", "protocol", problems)
    if known is not None:
        _check_options(read.options, OPTIONS.get(known, {}), problems)
    problems.refuse(BadForm)
    return read


def _check_options(options: Mapping[str, Any], kinds: Mapping[str, Kind], problems: Problems) -> None:
    for name, value in options.items():
        if name in kinds:
            kinds[name].read(value, "options", name, problems)
        else:
            problems.note(f"options.{name}", gettext_noop("is not an option of this protocol"))
