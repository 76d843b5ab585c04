"""Organizers' pages of a campaign: its state, agreement, what a figure is the mean of, the board in parts, and the cost of failures."""

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on
from campaigns.access import for_roles
from campaigns.campaign_file.campaign_settings import settings_of
from campaigns.interests import check_interest
from campaigns.models import Campaign, Role
from dialogues.daily_progress import paces_of_testers
from dialogues.fault_policy import FaultPolicy, fault_policy_of
from dialogues.models import Dialogue
from dialogues.turn_taking import DialogueStatus
from leaderboards import explanations
from leaderboards.actions import ask_what_would_move, change_fault_policy
from leaderboards.diagnostics.agreement_board import (
    conduct_rows,
    criteria_rows,
    gold_rows,
    reviewer_rows,
    stored_agreement,
)
from leaderboards.diagnostics.changed_systems import splits_shown
from leaderboards.diagnostics.fault_previews import movements_in, policy_said, stored_change, stored_preview
from leaderboards.diagnostics.slices import WAYS, adjusted_criteria, key_named, parts_now, parts_of
from leaderboards.exports import EXPORTS
from leaderboards.live_board import board_of, columns_of, stored_board
from leaderboards.paper.paper_files import BOARD_TABLE, FIGURE_FILES, TABLE_FILES, live_papers, paper_file
from leaderboards.paper.pictures import figures_now
from leaderboards.records import FigureRecords
from leaderboards.table_files import FORMATS
from reviews.gold_files import gold_tasks
from reviews.panel_gaps import FIRST_SHOWN, lacking_panels, shown_panels
from scoring.task_types import TASK_TYPES


@for_roles(Role.ORGANIZER)
@require_GET
def organize(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The campaign's state: progress of bots and testers, panels that lack a reviewer, and its exports."""
    dialogues = Dialogue.objects.of_campaign(campaign)
    testers = campaign.roles.testers().order_by("person__username").values_list("person_id", "person__username")
    done_by = dict(dialogues.filter(_is_done(campaign)).values_list("tester").annotate(n=Count("pk")))
    paces = paces_of_testers(campaign, timezone.now())
    assigned_to = dict(campaign.assignments.values_list("tester").annotate(n=Count("pk")))
    return render(
        request,
        "leaderboards/organize.html",
        {
            "campaign": campaign,
            "entries": campaign.entries.listed()
            .select_related("bot__team")
            .annotate(**_counts(campaign))
            .order_by("key"),
            "testers": [(name, done_by.get(pk, 0), assigned_to.get(pk, 0), paces.get(pk)) for pk, name in testers],
            "short": shown_panels(lacking_panels(campaign, timezone.now()), most=FIRST_SHOWN),
            "n_scenarios": campaign.scenarios.tested().count(),
            "exports": [(export.name, export.title) for export in EXPORTS.values()],
            "formats": [(key, format.title) for key, format in FORMATS.items()],
            "bundles": BUNDLE_NAMES.items(),
            "golds": [(f"gold-{task}", TASK_TYPES[task].title) for task in gold_tasks(campaign)],
        },
    )


def _counts(campaign: Campaign) -> dict[str, Count]:
    """Counts of each entry. Joins bypass the managers, so practice and programs are left out here."""
    counts, talks = Q(assignments__is_practice=False, assignments__is_apart=False), "assignments__dialogues"
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
            "conduct": conduct_rows(stored.rows),
            "gold": gold_rows(campaign, stored.rows),
        },
    )


BUNDLE_NAMES = {
    "bundle": gettext_lazy("Everything, for anybody to check"),
    "bundle-aliases": gettext_lazy("The same with aliases in the place of teams"),
}


DIALOGUES_PER_PAGE = 25


@for_roles(Role.ORGANIZER)
@require_GET
def figure_records(request: HttpRequest, campaign: Campaign, entry_id: int, figure: str) -> HttpResponse:
    """The records that a figure is the mean of, some at a time."""
    entry = get_object_or_404(campaign.entries.select_related("bot__team"), pk=entry_id)
    stored = stored_board(campaign)
    board = board_of(campaign, stored.rows)
    key = next((key for key in board.keys if key.name == figure), None)
    if key is None:
        raise Http404
    check_interest(request.user, entry.pk)
    # The stubs want every sequence's methods; `Paginator` takes lengths and slices alone.
    records: Any = FigureRecords(campaign, entry, figure)
    pages = Paginator(records, DIALOGUES_PER_PAGE)
    row = board.row(str(entry_id))
    page = pages.get_page(request.GET.get("page"))
    context = {"campaign": campaign, "entry": entry, "key": key, "row": row, "n": row.n_behind(figure) if row else None}
    # The records are those of now: a figure of other scores is not the mean of them.
    context["is_awaited"] = stored.is_outdated
    has_weights = any(one.record.weight != 1 for one in page.object_list)
    return render(request, "leaderboards/records.html", context | {"page": page, "has_weights": has_weights})


@for_roles(Role.ORGANIZER)
@require_GET
def slices(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    now = parts_now(campaign)
    board = board_of(campaign, now.figures.rows)
    by = request.GET.get("by", "kind")
    by = by if by in WAYS else "kind"
    key = key_named(board, request.GET.get("figure"))
    context = {"campaign": campaign, "now": now, "board": board, "by": by, "key": key, "ways": WAYS.items()}
    context["fewest"] = explanations.FEWEST
    if by == "severity":
        context["criteria"] = adjusted_criteria(board, now.rows)
    elif by == "change":
        context["splits"] = splits_shown(board, now.rows.get("changes", {}))
    else:
        context["names"], context["rows"] = parts_of(board, now.rows, by, key)
    return render(request, "leaderboards/slices.html", context)


@for_roles(Role.ORGANIZER)
@require_GET
def figures(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The figures of the board as it is now."""
    now = figures_now(campaign)
    context = {
        "campaign": campaign,
        "now": now,
        "figures": now.figures(),
        "files": FIGURE_FILES,
        "table_files": TABLE_FILES,
        "board_table": BOARD_TABLE,
    }
    return render(request, "leaderboards/board_figures.html", context)


@for_roles(Role.ORGANIZER)
@require_GET
def figure_file(request: HttpRequest, campaign: Campaign, part: str, format: str) -> HttpResponse:
    return paper_file(request, partial(live_papers, campaign), part, format)


@for_roles(Role.ORGANIZER)
@require_GET
def faults(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    asked = policy_said(request.GET)
    preview, changed = (asked and stored_preview(campaign, asked)), stored_change(campaign)
    in_force = fault_policy_of(campaign)
    return render(
        request,
        "leaderboards/faults.html",
        {
            "campaign": campaign,
            "fields": fields_of(asked or in_force),
            "asked": asked and asdict(asked),
            "asked_in_words": asked and in_words(asked),
            "is_in_force": asked == in_force,
            "keys": columns_of(campaign),
            "preview": preview,
            "would_move": movements_in(campaign, preview) if preview and preview.computed_at else (),
            "changed": changed,
            "changed_in_words": changed and (in_words(FaultPolicy(**changed.rows[side])) for side in ("from", "to")),
            "moved": movements_in(campaign, changed) if changed else (),
        },
    )


@dataclass(frozen=True, slots=True)
class Field:
    """One setting of the form; `choices` are values with their words."""

    name: str
    label: str
    about: str
    value: str
    choices: list[tuple[str, str]]


def fields_of(policy: FaultPolicy) -> list[Field]:
    said = asdict(policy)
    return [
        Field(
            name, _(one.label), _(one.about), said[name], [(value, _(one.words[value])) for value in one.stored_choices]
        )
        for name, one in settings_of("faults").items()
    ]


def in_words(policy: FaultPolicy) -> str:
    said = asdict(policy)
    return " · ".join(f"{_(one.label)}: {_(one.words[said[name]])}" for name, one in settings_of("faults").items())


@for_roles(Role.ORGANIZER)
@form_on("faults")
def preview_faults(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    policy = policy_said(request.POST)
    if policy is None:
        return _unknown(request)
    ask_what_would_move(campaign=campaign, policy=policy)
    return HttpResponseRedirect(f"{reverse('faults', args=[campaign.slug])}?{urlencode(asdict(policy))}")


@for_roles(Role.ORGANIZER)
@form_on("faults")
def change_faults(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    policy = policy_said(request.POST)
    if policy is None:
        return _unknown(request)
    change_fault_policy(campaign=campaign, policy=policy, at=timezone.now(), by=person_of(request))
    return redirect("faults", slug=campaign.slug)


def _unknown(request: HttpRequest) -> HttpResponse:
    return render(request, "error.html", {"title": _("This choice is not known")}, status=400)
