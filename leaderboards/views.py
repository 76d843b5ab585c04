"""What an organizer sees of a campaign: its state, and the agreement of its panel."""

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from campaigns.shown_settings import shown_settings
from dialogues.models import Dialogue
from dialogues.turn_taking import DialogueStatus
from leaderboards.agreement_board import criteria_rows, gold_rows, reviewer_rows, stored_agreement
from leaderboards.export_formats import FORMATS
from leaderboards.exports import EXPORTS
from reviews.gold_files import gold_tasks
from reviews.panel_page import FIRST_SHOWN, shown_panels
from reviews.panel_survey import lacking_panels
from scoring.task_types import TASK_TYPES


@for_roles(Role.ORGANIZER)
@require_GET
def organize(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    dialogues = Dialogue.objects.of_campaign(campaign)
    testers = (
        campaign.roles.filter(role=Role.TESTER)
        .order_by("person__username")
        .values_list("person_id", "person__username")
    )
    done_by = dict(dialogues.filter(_is_done(campaign)).values_list("tester").annotate(n=Count("pk")))
    assigned_to = dict(campaign.assignments.values_list("tester").annotate(n=Count("pk")))
    return render(
        request,
        "leaderboards/organize.html",
        {
            "campaign": campaign,
            "entries": campaign.entries.select_related("bot__team").annotate(**_counts(campaign)).order_by("key"),
            "testers": [(name, done_by.get(pk, 0), assigned_to.get(pk, 0)) for pk, name in testers],
            "live": dialogues.open().with_names().select_related("tester").order_by("opened_at")[:100],
            "short": shown_panels(lacking_panels(campaign, timezone.now()), most=FIRST_SHOWN),
            "n_scenarios": campaign.scenarios.tested().count(),
            "settings": shown_settings(campaign),
            "exports": [(what, EXPORT_NAMES[what]) for what in EXPORTS],
            "formats": [(key, format.title) for key, format in FORMATS.items()],
            "bundles": BUNDLE_NAMES.items(),
            "golds": [(f"gold-{task}", TASK_TYPES[task].title) for task in gold_tasks(campaign)],
        },
    )


def _counts(campaign: Campaign) -> dict[str, Count]:
    """What is counted of each entry. Joins pass the managers by, so that practice is left out here."""
    counts, talks = Q(assignments__is_practice=False), "assignments__dialogues"
    return {
        "n_assigned": Count("assignments", filter=counts, distinct=True),
        "n_done": Count(talks, filter=counts & _is_done(campaign, f"{talks}__")),
        "n_open": Count(talks, filter=counts & Q(assignments__dialogues__status=DialogueStatus.OPEN)),
        "n_void": Count(talks, filter=counts & Q(assignments__dialogues__status=DialogueStatus.VOID)),
    }


def _is_done(campaign: Campaign, prefix: str = "") -> Q:
    """Whether a dialogue is one that its tester has done with: it counts, and is scored where testers score."""
    counts = Q(**{f"{prefix}status__in": [DialogueStatus.COMPLETED, DialogueStatus.UNFINISHED]})
    return counts & Q(**{f"{prefix}scored_at__isnull": False}) if campaign.testers_score else counts


@for_roles(Role.ORGANIZER)
@require_GET
def agreement(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """How far the panel agrees, and what each reviewer is like, as it was computed last."""
    stored = stored_agreement(campaign)
    return render(
        request,
        "leaderboards/agreement.html",
        {
            "campaign": campaign,
            "stored": stored,
            "has_panel": campaign.panels_score,
            "has_imported": campaign.imported_records.exists(),
            "criteria": criteria_rows(campaign, stored.rows),
            "reviewers": reviewer_rows(stored.rows),
            "gold": gold_rows(campaign, stored.rows),
        },
    )


EXPORT_NAMES = {
    "turns": _("Every turn"),
    "dialogues": _("Dialogues"),
    "reviews": _("Scored dialogues"),
    "ratings": _("Single scores"),
    "attempts": _("Requests to systems"),
    "ledger": _("Ledger"),
    "changes": _("Changes of scores"),
    "records": _("Records"),
    "minutes": _("Minutes at work"),
    "leaderboard": _("Leaderboard"),
}


BUNDLE_NAMES = {
    "bundle": _("Everything, for anybody to check"),
    "bundle-aliases": _("The same with aliases in the place of teams"),
}
