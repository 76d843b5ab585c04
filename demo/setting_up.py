"""Sets a campaign up as its organizer's program would, over the API alone: file, people, plan, tokens."""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaigns.campaign_file.reader import CampaignSpec, PersonSpec, read_campaign_file
from participants.adapters import PROTOCOLS
from reading.checking import read_declared
from reading.toml_text import toml_of
from registration.invitation_lines import LINES_AT_ONCE
from simulation.program import Program

TOKEN_NAME = "rehearsal"


class Accounts:
    """The people of a rehearsal by their user names, each with a token that may do whatever the person may do."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._tokens: dict[str, str] = {}

    async def accept(self, link: str, username: str) -> None:
        """Accepts the invitation of the link, with the account that the person has or with a new one."""
        path = f"/api/v1/invitations/{link.rstrip('/').rpartition('/')[2]}/"
        if self.has(username):
            async with self.program(username) as known:
                await known.post(path, {})
            return
        newcomer = {"username": username, "password": secrets.token_urlsafe(12)}
        async with Program(self.base) as nobody_yet:
            await nobody_yet.post(path, newcomer)
            got_in = await nobody_yet.post("/api/v1/log-in/", newcomer | {"name": TOKEN_NAME})
        self._tokens[username] = got_in["token"]

    def has(self, username: str) -> bool:
        return username in self._tokens

    def program(self, username: str) -> Program:
        return Program(self.base, self._tokens[username])

    async def token_for(self, username: str, role: str, campaign: str) -> str:
        """A token of the person that opens what the role opens in the campaign, and nothing else."""
        wanted = {"name": f"{TOKEN_NAME}: {role}", "role": role, "campaign": campaign, "days": 1}
        async with self.program(username) as person:
            token: str = (await person.post("/api/v1/account/tokens/", wanted))["token"]
            return token


ORGANIZER = "organizer"


@dataclass(frozen=True, slots=True)
class Company:
    """Who rehearses: the campaign, where its server is, and for each role a token per person of the file, in its order.

    What a tester does needs a tester's own token.
    """

    base: str
    spec: CampaignSpec
    tokens: Mapping[str, Mapping[str, str]]

    @property
    def place(self) -> str:
        """Where the API has the campaign."""
        return place_of(self.spec.slug)

    def organizer(self) -> Program:
        """The program of the campaign's first organizer."""
        return Program(self.base, next(iter(self.tokens[ORGANIZER].values())))


@dataclass(frozen=True, slots=True)
class CampaignFile:
    """A campaign's file as its organizer has it, and what it says."""

    name: str
    content: bytes
    spec: CampaignSpec

    @property
    def without_people(self) -> bytes:
        """People are invited, each by a link: a file that names them makes accounts that nobody can open yet."""
        declared = read_declared(self.name, self.content)
        document = {name: table for name, table in declared.items() if name != "people"}
        return (json.dumps(document) if self.name.endswith(".json") else toml_of(document)).encode()


def read_file(name: str, content: bytes) -> CampaignFile:
    """Errors: `BadFile`."""
    return CampaignFile(name, content, read_campaign_file(name, content, PROTOCOLS))


def place_of(slug: str) -> str:
    return f"/api/v1/campaigns/{slug}/"


def first_organizer(spec: CampaignSpec) -> str:
    """Who makes the campaign, and need not be invited."""
    return next((person.username for person in spec.people if ORGANIZER in person.roles), ORGANIZER)


async def set_up(accounts: Accounts, file: CampaignFile) -> Company:
    """Makes the campaign of the file, invites its people, who accept, and draws its plan. Its first organizer has an account."""
    spec, maker = file.spec, first_organizer(file.spec)
    async with accounts.program(maker) as program:
        await program.post("/api/v1/campaigns/", new_campaign(spec))
    organizer = await accounts.token_for(maker, ORGANIZER, spec.slug)
    invited = to_invite(spec.people, maker)
    async with Program(accounts.base, organizer) as program:
        await load(program, place_of(spec.slug), file)
        for person, link in zip(invited, await invite(program, place_of(spec.slug), invited), strict=True):
            await accounts.accept(link, person.username)
        await draw(program, place_of(spec.slug))
    tokens = {ORGANIZER: {maker: organizer}}
    for person in invited:
        for role in person.roles:
            own = tokens.setdefault(role, {})
            own[person.username] = await accounts.token_for(person.username, role, spec.slug)
    return Company(accounts.base, spec, tokens)


def to_invite(people: Iterable[PersonSpec], maker: str) -> list[PersonSpec]:
    """The people with the roles that they need an invitation for; who made the campaign organizes it already."""
    wanted = [
        replace(one, roles=tuple(role for role in one.roles if (one.username, role) != (maker, ORGANIZER)))
        for one in people
    ]
    return [one for one in wanted if one.roles]


def new_campaign(spec: CampaignSpec) -> dict[str, Any]:
    name = spec.settings["name"]
    return {"slug": spec.slug, "name_zh": name.zh, "name_en": name.en, "preset": spec.preset.key}


async def load(organizer: Program, place: str, file: CampaignFile) -> None:
    """Loads exactly what was previewed."""
    content = file.without_people
    seen = await organizer.upload(f"{place}file/", file.name, content, {})
    await organizer.upload(f"{place}file/", file.name, content, {"previewed": seen["digest"]})


async def invite(organizer: Program, place: str, people: Sequence[PersonSpec]) -> list[str]:
    """Invites the people with their roles and teams, as pasted lists; gives the link of each."""
    links: list[str] = []
    for start in range(0, len(people), LINES_AT_ONCE):
        pasted = "\n".join(map(line_of, people[start : start + LINES_AT_ONCE]))
        made = await organizer.post(f"{place}invitations/", {"people": pasted})
        links += [one["link"] for one in made["invitations"]]
    return links


def line_of(person: PersonSpec) -> str:
    team = person.team if "participant" in person.roles else ""
    # A name with an @ would have to be an e-mail address.
    return ", ".join(filter(None, [person.username.replace("@", " at "), "+".join(person.roles), team]))


async def draw(organizer: Program, place: str) -> None:
    """Draws exactly what was previewed; nothing where testers choose freely."""
    seen = await organizer.get(f"{place}drawing/")
    if seen["add"] or seen["take_away"]:
        await organizer.post(f"{place}drawing/", {"previewed": seen["digest"]})


async def bots_of(company: Company) -> list[dict[str, Any]]:
    """The bots of the campaign with their keys, aliases and ids, which only organizers see together."""
    async with company.organizer() as organizer:
        teams = await organizer.get(f"{company.place}teams/")
    return [bot for team in teams for bot in team["bots"]]


async def dial_key_of(company: Company, key: str) -> str:
    """The key with which the bot of that name in the file connects to the platform."""
    (bot,) = [bot for bot in await bots_of(company) if bot["key"] == key]
    async with company.organizer() as organizer:
        made: str = (await organizer.post(f"{company.place}teams/bots/{bot['id']}/key/", {}))["key"]
        return made


async def import_dialogues(company: Company, file_name: str, file: bytes, said: Mapping[str, str]) -> None:
    """Has finished dialogues reviewed that took place elsewhere."""
    async with company.organizer() as organizer:
        await organizer.upload(f"{company.place}dialogues/import/", file_name, file, said)
