"""What a person finds by a word: campaigns, their pages and acts, people, systems and dialogues that they may open."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.interests import barred_entries
from campaigns.models import Campaign, CampaignRole, Entry, Role, TeamMember
from dialogues.models import Dialogue
from frame.tabs import MANAGING_GROUPS, tabs_of
from participants.limits import WORD_LIMIT

OF_A_KIND = 8
# Each one's tabs are looked up.
CAMPAIGNS_READ = 5
ACTS = (
    ("invitations", _("Invite people"), Role.ORGANIZER),
    ("scenario-new", _("New scenario"), Role.ORGANIZER),
    ("scenario-import", _("Import scenarios"), Role.ORGANIZER),
    ("draw", _("Draw assignments"), Role.ORGANIZER),
    ("try-bot", _("Try a system"), Role.ORGANIZER),
    ("try-own-bot", _("Try a system"), Role.PARTICIPANT),
)
OWN_PAGES = (
    ("details", _("Name and e-mail")),
    ("password", _("Password")),
    ("second-factor", _("Second factor")),
    ("sessions", _("Where I am logged in")),
    ("own-messages", _("Messages to me")),
    ("tokens", _("API tokens")),
    ("api-page", _("The API")),
    ("about", _("What Huace is")),
)
STAFF_PAGES = (("new-campaign", _("New campaign")), ("operate", _("Operation")))
CAMPAIGN, PAGE, PERSON, SYSTEM, DIALOGUE = _("Campaign"), _("Page"), _("Person"), _("System"), _("Dialogue")


@dataclass(frozen=True, slots=True)
class Hit:
    kind: Promise
    name: str
    url: str
    of: str = ""


Places = Mapping[Campaign, frozenset[str]]


def found_for(person: Person, word: str, here: str) -> list[Hit]:
    """At most `OF_A_KIND` of each kind; what belongs to the campaign with the slug `here` first. Without a word, where one can go."""
    word = word.strip()[:WORD_LIMIT]
    places = _places(person, here)
    managed = [campaign for campaign, roles in places.items() if Role.ORGANIZER in roles]
    kinds = [_campaigns(places), _pages(person, places)]
    hits = [hit for kind in kinds for hit in islice((one for one in kind if _says(one, word)), OF_A_KIND)]
    if not word:
        return hits
    return [
        *hits,
        *_people(managed, word),
        *_systems(managed, word),
        *_own_systems(person, word),
        *_talks(person, managed, word),
    ]


def _says(hit: Hit, word: str) -> bool:
    said = f"{hit.name} {hit.of}".casefold()
    return all(part in said for part in word.casefold().split())


def _places(person: Person, here: str) -> Places:
    """The campaigns in which the person holds roles: the one they are in, then the newest."""
    held: dict[Campaign, set[str]] = {}
    for place in CampaignRole.objects.held_by(person).select_related("campaign").order_by("-campaign__created_at"):
        held.setdefault(place.campaign, set()).add(place.role)
    ordered = sorted(held, key=lambda campaign: campaign.slug != here)
    return {campaign: frozenset(held[campaign]) for campaign in ordered}


def _campaigns(places: Places) -> Iterator[Hit]:
    for campaign in places:
        yield Hit(CAMPAIGN, campaign.name, reverse("campaign", args=[campaign.slug]))


def _pages(person: Person, places: Places) -> Iterator[Hit]:
    for campaign, roles in islice(places.items(), CAMPAIGNS_READ):
        for tab in tabs_of(campaign, roles, ""):
            if tab.key not in {"overview", "managing"}:
                yield Hit(PAGE, str(tab.label), tab.url, campaign.name)
        pages = [page for group in MANAGING_GROUPS for page in group.pages] if Role.ORGANIZER in roles else []
        acts = [(page, label) for page, label, role in ACTS if role in roles]
        for page, label in [*pages, *acts]:
            yield Hit(PAGE, str(label), reverse(page, args=[campaign.slug]), campaign.name)
    for page, label in (*(STAFF_PAGES if person.is_staff else ()), *OWN_PAGES):
        yield Hit(PAGE, str(label), reverse(page))


def _people(managed: list[Campaign], word: str) -> Iterator[Hit]:
    named = Q(person__username__icontains=word) | Q(person__display_name__icontains=word)
    roles = CampaignRole.objects.filter(named, campaign__in=managed).select_related("person", "campaign")
    known = {(role.person, role.campaign): None for role in roles.order_by("person__username")[: 4 * OF_A_KIND]}
    for person, campaign in islice(known, OF_A_KIND):
        yield Hit(PERSON, str(person), reverse("person", args=[campaign.slug, person.pk]), campaign.name)


def _systems(managed: list[Campaign], word: str) -> Iterator[Hit]:
    named = Q(alias__iexact=word) | Q(bot__name__icontains=word)
    named |= Q(bot__team__name__icontains=word) | Q(bot__team__name_en__icontains=word)
    found = Entry.objects.filter(named, campaign__in=managed).select_related("campaign", "bot__team")
    for entry in found.order_by("-pk")[:OF_A_KIND]:
        address = reverse("team-bot", args=[entry.campaign.slug, entry.pk])
        yield Hit(SYSTEM, f"{entry.alias} {entry.bot.label}", address, entry.campaign.name)


def _own_systems(person: Person, word: str) -> Iterator[Hit]:
    """By the names that the team has and gave them: it never learns their aliases."""
    held = CampaignRole.objects.held_by(person).filter(role=Role.PARTICIPANT).values("campaign")
    named = Q(bot__name__icontains=word) | Q(bot__team__name__icontains=word) | Q(bot__team__name_en__icontains=word)
    for member in TeamMember.objects.filter(person=person, campaign__in=held).select_related("campaign"):
        own = Entry.objects.declared().filter(named, campaign=member.campaign_id, bot__team=member.team_id)
        for entry in own.select_related("bot__team")[:OF_A_KIND]:
            address = reverse("own-bot", args=[member.campaign.slug, entry.pk])
            yield Hit(SYSTEM, entry.bot.called, address, member.campaign.name)


def _talks(person: Person, managed: list[Campaign], word: str) -> Iterator[Hit]:
    """The latest, by id, scenario or alias: those that the person manages and no interest closes to them, and their own."""
    scenario = "assignment__scenario__"
    named = Q(**{f"{scenario}key__icontains": word}) | Q(assignment__entry__alias__iexact=word)
    named |= Q(**{f"{scenario}title_zh__icontains": word}) | Q(**{f"{scenario}title_en__icontains": word})
    if dialogue_id := _id_in(word):
        named |= Q(pk=dialogue_id)
    talks = Dialogue.objects.filter(named).select_related(
        "assignment__campaign", "assignment__scenario", "assignment__entry"
    )
    theirs = talks.filter(assignment__campaign__in=managed).exclude(assignment__entry__in=barred_entries(person))
    tests_in = CampaignRole.objects.held_by(person).filter(role=Role.TESTER).values("campaign")
    own = talks.filter(tester=person, assignment__campaign__in=tests_in, origin=Dialogue.Origin.LIVE)
    for dialogue in theirs.order_by("-opened_at")[:OF_A_KIND]:
        yield _talk(dialogue, reverse("dialogue-shown", args=[dialogue.assignment.campaign.slug, dialogue.pk]))
    for dialogue in own.order_by("-opened_at")[:OF_A_KIND]:
        yield _talk(dialogue, reverse("console", args=[dialogue.pk]))


def _talk(dialogue: Dialogue, address: str) -> Hit:
    assignment = dialogue.assignment
    return Hit(DIALOGUE, f"{assignment.entry.alias} · {assignment.scenario.title}", address, assignment.campaign.name)


def _id_in(word: str) -> UUID | None:
    try:
        return UUID(word)
    except ValueError:
        return None
