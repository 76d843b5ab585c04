"""What a team says when it applies. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from django.utils.translation import gettext_noop

from participants.limits import NAME_LIMIT
from reading.checking import BadForm, Problems
from reading.findings import item
from reading.kinds import ListOf, Text
from reading.tables import table_of
from registration.invitation_lines import is_one_name

MEMBER_LIMIT = 254
MEMBERS_LIMIT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationForm:
    name_zh: Annotated[str, Text(NAME_LIMIT, may_be_empty=True)] = ""
    name_en: Annotated[str, Text(NAME_LIMIT, may_be_empty=True)] = ""
    affiliation: Annotated[str, Text(NAME_LIMIT)]
    contact: Annotated[str, Text(NAME_LIMIT)]
    members: Annotated[tuple[str, ...], ListOf(Text(MEMBER_LIMIT))] = ()


def read_application(said: Mapping[str, Any]) -> ApplicationForm:
    """Errors: `BadForm` naming every wrong field."""
    problems = Problems()
    read: ApplicationForm = problems.read(dict(said), "", table_of(ApplicationForm))
    if not read.name_zh.strip() and not read.name_en.strip():
        problems.note("name_zh", gettext_noop("is needed: a name in Chinese or in English"))
    if len(read.members) > MEMBERS_LIMIT:
        problems.note("members", gettext_noop("are more than %(n)s"), n=MEMBERS_LIMIT)
    for index, member in enumerate(read.members):
        # They are filled into the organizer's list of invitations, where a comma comes before a role.
        if not is_one_name(member):
            text = gettext_noop("“%(member)s” is not one name or address: leave commas and semicolons out")
            problems.note(item("members", index), text, member=member)
    problems.refuse(BadForm)
    return read


def said_on_page(typed: Mapping[str, str]) -> ApplicationForm:
    """What was typed into the page's fields. Errors: `BadForm` naming every wrong field."""
    fields = {name: typed.get(name, "") for name in ("name_zh", "name_en", "affiliation", "contact")}
    return read_application(fields | {"members": members_of(typed.get("members", ""))})


def wrong_fields(bad: BadForm) -> dict[str, str]:
    """What is wrong per field of the page; the members are one field."""
    return {problem.place.partition("[")[0]: problem.message for problem in bad.problems}


def members_of(text: str) -> list[str]:
    """One member per line, as they were typed into a field."""
    return [line.strip() for line in text.splitlines() if line.strip()]
