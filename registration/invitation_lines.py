"""Reads a pasted list of people to invite, one per line. Pure: every problem is named by its line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parseaddr

from django.utils.translation import gettext_noop

from participants.limits import NAME_LIMIT
from reading.checking import BadContent, Problems

LINES_AT_ONCE = 200
EMAIL_LIMIT = 254
PARTICIPANT = "participant"
# A tab is what a spreadsheet pastes between two cells; the others are commas and semicolons of both scripts.
_BETWEEN_FIELDS = re.compile(r"[,;\t，；]")
_BETWEEN_ROLES = re.compile(r"[+/、\s]+")
_EMAIL = re.compile(r"[^@\s<>\"',;]+@[^@\s<>\"',;]+\.[^@\s<>\"',;]+")


class BadInvitations(BadContent):
    """No one is invited; `problems` names what is wrong, line by line."""


@dataclass(frozen=True, slots=True)
class Invitee:
    """A person to invite: `name` as it was written, which may be an e-mail address; `team` by its name, or empty."""

    line: int
    name: str
    email: str
    roles: tuple[str, ...]
    team: str = ""


def is_one_name(text: str) -> bool:
    """Whether a line with that text names somebody and says nothing else: no role, no team, no second person."""
    return bool(text.strip()) and len(text.splitlines()) == 1 and not _BETWEEN_FIELDS.search(text)


def read_invitees(pasted: str, *, roles: Sequence[str], team: str, role_words: Mapping[str, str]) -> list[Invitee]:
    """`name or e-mail, role, team` per line; role and team may be left out where `roles` and `team` say them for all.

    `role_words` maps every word for a role, in lower case, to the role.
    Errors: `BadInvitations`.
    """
    problems = Problems()
    lines = [(number, line.strip()) for number, line in enumerate(pasted.splitlines(), start=1) if line.strip()]
    if not lines:
        problems.note("", gettext_noop("Name at least one person."))
    if len(lines) > LINES_AT_ONCE:
        problems.note(
            "", gettext_noop("%(n)s lines; at most %(most)s are read at once."), n=len(lines), most=LINES_AT_ONCE
        )
        lines = []
    read = [_invitee(number, line, roles, team, role_words, problems) for number, line in lines]
    invitees = [one for one in read if one is not None]
    _refuse_twice(invitees, problems)
    if problems:
        raise BadInvitations(problems.listed())
    return invitees


def _invitee(
    number: int, line: str, roles: Sequence[str], team: str, role_words: Mapping[str, str], problems: Problems
) -> Invitee | None:
    place, n_before = f"line {number}", len(problems)
    name, said_roles, said_team, *more = [*map(str.strip, _BETWEEN_FIELDS.split(line)), "", ""]
    if any(more):
        problems.note(place, gettext_noop("more than name, role and team; is a comma too much?"))
    own_roles = _roles_of(place, said_roles, role_words, problems) or tuple(roles)
    if not own_roles and len(problems) == n_before:
        problems.note(place, gettext_noop("no role: write one after the name, or choose one for all"))
    # The team for all is the team of those who take part; it stops nobody from inviting a tester in the same list.
    own_team = said_team or (team if PARTICIPANT in own_roles else "")
    if said_team and PARTICIPANT not in own_roles and own_roles:
        problems.note(place, gettext_noop("a team is for participants; the role is another"))
    for text in (name, own_team):
        if len(text) > NAME_LIMIT:
            problems.note(place, gettext_noop("longer than %(most)s characters"), most=NAME_LIMIT)
    # Neither the library's reader of addresses nor the pattern is made for a text of any length.
    email = _email_of(place, name, problems) if len(name) <= NAME_LIMIT else ""
    return Invitee(number, name, email, own_roles, own_team) if len(problems) == n_before else None


def _roles_of(place: str, said: str, role_words: Mapping[str, str], problems: Problems) -> tuple[str, ...]:
    words = [word for word in _BETWEEN_ROLES.split(said) if word]
    for word in words:
        if word.lower() not in role_words:
            problems.note(place, gettext_noop("“%(word)s” is not a role"), word=word)
    # Each once, in the order in which they were written.
    return tuple(dict.fromkeys(role_words[word.lower()] for word in words if word.lower() in role_words))


def _email_of(place: str, name: str, problems: Problems) -> str:
    """The address in `zhang@example.org` or `Zhang <zhang@example.org>`; empty where a name alone was written."""
    if not name:
        problems.note(place, gettext_noop("no name or e-mail address"))
    if "@" not in name:
        return ""
    email = parseaddr(name)[1] if "<" in name else name
    if not _EMAIL.fullmatch(email) or len(email) > EMAIL_LIMIT:
        problems.note(place, gettext_noop("“%(email)s” is not an e-mail address"), email=name)
        return ""
    return email


def _refuse_twice(invitees: Sequence[Invitee], problems: Problems) -> None:
    first: dict[str, int] = {}
    for one in invitees:
        key = (one.email or one.name).casefold()
        if first.setdefault(key, one.line) != one.line:
            text = gettext_noop("the same person as in line %(first)s")
            problems.note(f"line {one.line}", text, first=first[key])
