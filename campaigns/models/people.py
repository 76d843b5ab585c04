"""Who does what in a campaign: roles, and the teams that people take part for."""

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.campaign_file.campaign_settings import COUNT
from campaigns.models.campaigns import Campaign
from campaigns.models.scenarios import Assignment
from campaigns.origins import Originated, origin_is_known
from participants.limits import HOURS_LIMIT, NAME_LIMIT, REASON_LIMIT
from participants.models import Team


class Role(models.TextChoices):
    ORGANIZER = "organizer", _("organizer")
    TESTER = "tester", _("tester")
    REVIEWER = "reviewer", _("reviewer")
    PARTICIPANT = "participant", _("participant")
    EXPERT = "expert", _("expert")
    ADJUDICATOR = "adjudicator", _("adjudicator")


class CampaignRoleQuerySet(models.QuerySet["CampaignRole"]):
    def at_work(self) -> "CampaignRoleQuerySet":
        """Those that do not pause."""
        return self.filter(paused_at=None)

    def testers(self) -> "CampaignRoleQuerySet":
        """Those whose dialogues count: programs only if the campaign counts them."""
        is_apart = models.Q(person__kind=Person.Kind.PROGRAM) & ~models.Q(campaign__programs=COUNT)
        return self.testers_and_programs().exclude(is_apart)

    def testers_and_programs(self) -> "CampaignRoleQuerySet":
        return self.filter(role=Role.TESTER).without_rehearsals()

    def reviewers(self) -> "CampaignRoleQuerySet":
        """Those for whom places are drawn: programs only if the campaign lets them count."""
        is_apart = models.Q(person__kind=Person.Kind.PROGRAM) & ~models.Q(campaign__judges=COUNT)
        return self.filter(role=Role.REVIEWER).exclude(is_apart)

    def without_rehearsals(self) -> "CampaignRoleQuerySet":
        """A rehearsal's account tests while it runs, and counts nowhere, whatever the campaign says of programs."""
        given = Assignment.with_programs.filter(
            is_rehearsal=True, campaign=models.OuterRef("campaign"), tester=models.OuterRef("person")
        )
        return self.exclude(models.Q(person__kind=Person.Kind.PROGRAM) & models.Exists(given))

    def lasting(self) -> "CampaignRoleQuerySet":
        """Those that a campaign file tells of: who came by a study's link, and accounts of rehearsals, are of no file."""
        return self.without_rehearsals().exclude(person__came_by=Person.CameBy.CROWD)

    def planned_for(self) -> "CampaignRoleQuerySet":
        """Those of them whom the plan is drawn over: who came by a study's link gets work when they begin (decision 0041)."""
        return self.testers().exclude(person__came_by=Person.CameBy.CROWD)

    def held_by(self, person: Any) -> "CampaignRoleQuerySet":
        """Those that somebody holds and that the credential they come with covers: the one place that decides this."""
        if not person.is_authenticated:
            return self.none()
        held = self.filter(person=person)
        if person.scope.campaign:
            held = held.filter(campaign__slug=person.scope.campaign)
        if person.scope.role:
            held = held.filter(role=person.scope.role)
        # Where the site wants a second factor of organizers, who has none organizes nothing yet.
        return held.exclude(role=Role.ORGANIZER) if person.must_set_up_second_factor() else held


class CampaignRole(Originated):
    """What a person may do in one campaign; somebody may hold several roles.

    A tester who pauses opens nothing, a reviewer who pauses is not drawn; what they did stays, and so does their plan.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="roles")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="campaign_roles")
    role = models.CharField(max_length=12, choices=Role.choices)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_because = models.CharField(max_length=REASON_LIMIT, blank=True)
    # When a tester is on shift, and opens dialogues: `campaigns/hours.py`.
    hours = models.CharField(max_length=HOURS_LIMIT, blank=True, default="", db_default="")

    objects = CampaignRoleQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "person", "role"], name="role_once_a_campaign"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="role_is_known"),
            origin_is_known("role"),
            models.CheckConstraint(
                condition=models.Q(paused_at__isnull=True) | ~models.Q(paused_because=""), name="who_pauses_hears_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.role} of {self.campaign}"


class KnownTeam(models.Model):
    """A team by the name that it has in a campaign. The campaign that named it first owns it; others asked its members."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="known_teams")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="known_in")
    name = models.CharField(max_length=NAME_LIMIT)
    is_owner = models.BooleanField(default=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "name"], name="team_name_once_a_campaign"),
            models.UniqueConstraint(fields=["campaign", "team"], name="team_known_once_a_campaign"),
            models.UniqueConstraint(
                fields=["team"], condition=models.Q(is_owner=True), name="one_campaign_owns_a_team"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.campaign})"


class TeamMember(Originated):
    """The team that a person takes part for in one campaign; in another campaign it may be another team."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="team_members")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="team_places")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "person"], name="one_team_per_person_and_campaign"),
            origin_is_known("team_member"),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.team} ({self.campaign})"
