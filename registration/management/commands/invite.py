"""manage.py invite: prints an invitation link, for the first organizer above all."""

import json
from argparse import ArgumentParser
from typing import Any
from zoneinfo import ZoneInfo

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.urls import reverse
from django.utils import timezone

from accounts.link_addresses import site_address
from campaigns.management.campaign_named import campaign_named
from campaigns.models import Role
from look.moments import MINUTES, moment_on
from registration.actions.inviting import DAYS, MOST_DAYS, Invited, invite, invite_staff
from registration.invitation_lines import BadInvitations, Invitee


class Command(BaseCommand):
    help = "Prints a link by which one person gets an account, once: as an organizer of the site, or with roles in a campaign."

    def add_arguments(self, parser: ArgumentParser) -> None:
        whereto = parser.add_mutually_exclusive_group(required=True)
        whereto.add_argument("--staff", action="store_true", help="as an organizer of the site, who may make campaigns")
        whereto.add_argument("--campaign", metavar="SLUG")
        parser.add_argument("--role", action="append", choices=Role.values, default=[], help="default: organizer")
        parser.add_argument("--team", default="", help="of a participant")
        parser.add_argument("--name", default="", help="whom it is for, as the page of people lists it")
        parser.add_argument(
            "--days", type=int, default=DAYS, help=f"valid for so many days, 1 to {MOST_DAYS} (default {DAYS})"
        )
        parser.add_argument("--site", default="", help="default: HUACE_SITE_URL, or where the server listens")
        parser.add_argument("--format", choices=["text", "json"], default="text")

    @no_translations
    def handle(self, *, days: int, site: str, format: str, **said: Any) -> None:
        if not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--days must be from 1 to {MOST_DAYS}, not {days}.")
        if said["staff"] and (said["role"] or said["team"]):
            raise CommandError("--role and --team belong to a campaign: name it by --campaign.")
        invited = (
            invite_staff(name=said["name"], at=timezone.now(), days=days)
            if said["staff"]
            else self._invited(days, **said)
        )
        self.stdout.write(_printed(invited, site_address(reverse("invitation", args=[invited.token]), site), format))

    def _invited(self, days: int, *, campaign: str, role: list[str], team: str, name: str, **options: Any) -> Invited:
        stored = campaign_named(campaign)
        roles = tuple(role or [Role.ORGANIZER])
        if team and Role.PARTICIPANT not in roles:
            raise CommandError("--team is for a participant: add --role participant.")
        invitee = Invitee(1, name, name if "@" in name else "", roles, team)
        try:
            (invited,) = invite(campaign=stored, invitees=[invitee], by=None, at=timezone.now(), days=days)
        except BadInvitations as bad:
            raise CommandError("\n".join(problem.in_english for problem in bad.problems)) from bad
        return invited


def _printed(invited: Invited, link: str, format: str) -> str:
    until = invited.invitation.expires_at
    if format == "json":
        return json.dumps({"link": link, "expires_at": until.isoformat()}, indent=2)
    campaign = invited.invitation.campaign
    zone = ZoneInfo(campaign.time_zone) if campaign else timezone.get_default_timezone()
    return f"{link}\nIt works once, until {moment_on(zone, until, MINUTES)}. It is shown only here."
