"""Fields to register a bot or to change its address: name, URL, protocol, secret, options of the protocol, turns at a time. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Protocol

from django.utils.translation import gettext_noop

from participants.limits import NAME_LIMIT, PARALLEL_LIMIT, SECRET
from participants.mappings.mapping import WEBSOCKET
from reading.checking import BadForm, Problems
from reading.kinds import ANY_TEXT, URL_LIMIT, Choice, FreeTable, Kind, Notes, Text, Whole, url_of
from reading.tables import table_of

# The one protocol without a URL: its bots connect to the platform.
DIAL_OUT = "dial-out"
# The one whose options say what it is.
MAPPING = "mapping"
NOT_NEEDED = gettext_noop("is not needed: this system connects to the platform; leave it empty")
SOCKET_SCHEMES = ("ws://", "wss://")
IN_PARALLEL = Whole(1, PARALLEL_LIMIT)


class Speaks(Protocol):
    """What is asked here of an adapter."""

    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def check(self) -> Callable[[Mapping[str, Any], Notes], None]: ...


Adapters = Mapping[str, Speaks]


def bot_url(*, may_be_empty: bool = False) -> Kind:
    wrong = gettext_noop("must start with http:// or https://, or with ws:// or wss:// for a mapping over a WebSocket")
    return url_of(("http://", "https://", *SOCKET_SCHEMES), wrong, may_be_empty)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressForm:
    """`secret` and `parallel` are None where the stored ones stay; an empty secret is one that is not sent.

    `url` is empty for a bot that connects itself.
    """

    url: Annotated[str, Text(URL_LIMIT, may_be_empty=True)]
    protocol: Annotated[str, ANY_TEXT] = "huace/1"
    secret: Annotated[str | None, SECRET] = None
    options: Annotated[Mapping[str, Any], FreeTable()] = field(default_factory=dict)
    parallel: Annotated[int | None, IN_PARALLEL] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BotForm(AddressForm):
    name: Annotated[str, Text(NAME_LIMIT)]


def read_bot(said: Mapping[str, Any], adapters: Adapters) -> BotForm:
    """Errors: `BadForm` naming every wrong field."""
    read: BotForm = _read(said, adapters, BotForm)
    return read


def read_address(said: Mapping[str, Any], adapters: Adapters) -> AddressForm:
    """Errors: `BadForm` naming every wrong field."""
    read: AddressForm = _read(said, adapters, AddressForm)
    return read


def read_secret(said: str) -> str:
    """Errors: `BadForm` naming `secret`."""
    problems = Problems()
    read: str = SECRET.read(said, "", "secret", problems)
    problems.refuse(BadForm)
    return read


def _read(said: Mapping[str, Any], adapters: Adapters, form: type) -> Any:
    problems = Problems()
    is_dial_out = said.get("protocol") == DIAL_OUT
    read = problems.read(({"url": ""} if is_dial_out else {}) | dict(said), "", table_of(form))
    known = Choice(tuple(adapters)).read(read.protocol, "", "protocol", problems)
    if known is not None:
        _check_options(read.options, adapters[known], problems)
    if is_dial_out:
        for name in ("url", "secret"):
            if getattr(read, name):
                problems.note(name, NOT_NEEDED)
    elif read.url == said.get("url"):
        Text().read(read.url, "", "url", problems)
        if read.url:
            check_scheme(read.url, read.protocol, read.options, "url", problems)
    problems.refuse(BadForm)
    return read


def check_scheme(url: str, protocol: str, options: Mapping[str, Any], place: str, problems: Notes) -> None:
    """A mapping over a WebSocket has the URL of one, and nothing else has."""
    is_over_socket = protocol == MAPPING and options.get("stream_kind") == WEBSOCKET
    if is_over_socket and not url.startswith(SOCKET_SCHEMES):
        problems.note(place, gettext_noop("must start with ws:// or wss://: the mapping speaks over a WebSocket"))
    elif url.startswith(SOCKET_SCHEMES) and not is_over_socket:
        problems.note(place, gettext_noop("is that of a WebSocket, over which only a mapping speaks (stream_kind)"))


def _check_options(options: Mapping[str, Any], adapter: Speaks, problems: Problems) -> None:
    for name, value in options.items():
        if name in adapter.options:
            adapter.options[name].kind.read(value, "options", name, problems)
        else:
            problems.note(f"options.{name}", gettext_noop("is not an option of this protocol"))
    adapter.check(options, problems)
