"""One evaluation: campaign, roles, scenarios with their subtasks, the bots entered, and who talks to which of them."""

from campaigns.models.campaigns import PANELS_SCORE, Campaign, CampaignQuerySet
from campaigns.models.descriptions import Consent, Description
from campaigns.models.entries import Entry, EntryQuerySet, PausedBy
from campaigns.models.people import CampaignRole, CampaignRoleQuerySet, KnownTeam, Role, TeamMember
from campaigns.models.scenarios import Assignment, AssignmentQuerySet, Scenario, ScenarioQuerySet, Subtask

__all__ = [
    "PANELS_SCORE",
    "Assignment",
    "AssignmentQuerySet",
    "Campaign",
    "CampaignQuerySet",
    "CampaignRole",
    "CampaignRoleQuerySet",
    "Consent",
    "Description",
    "Entry",
    "EntryQuerySet",
    "KnownTeam",
    "PausedBy",
    "Role",
    "Scenario",
    "ScenarioQuerySet",
    "Subtask",
    "TeamMember",
]
