"""Two campaigns side by side, for who organizes both: what was done, the figures of their systems, and teams that took part in both."""

from dataclasses import dataclass
from statistics import mean
from typing import Any, TypedDict

from django.db.models import Avg, Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from accounts.access import person_of
from accounts.models import Person
from api.describing import describes
from api.paging import asked_in
from campaigns.access import OrganizersView, for_roles
from campaigns.models import Campaign, CampaignQuerySet, CampaignRole, Role
from dialogues.models import Dialogue
from leaderboards.board import Board, Key, Row
from leaderboards.live_board import board_of, stored_board
from participants.team_names import called
from reading.kinds import ANY_TEXT
from scoring.printed_figures import fixed


@dataclass(frozen=True, slots=True)
class Line:
    """What both campaigns have of it, in words: a dash where one has nothing."""

    label: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class SideBySide:
    """`figures` are means over the ranked systems, with the best one; `teams` have the rank of their best system in each."""

    done: tuple[Line, ...]
    figures: tuple[Line, ...]
    teams: tuple[Line, ...]
    has_same_rubric: bool


def comparable_with(campaign: Campaign, person: Person) -> CampaignQuerySet:
    """The other campaigns that the person organizes, the latest first."""
    held = CampaignRole.objects.held_by(person).filter(role=Role.ORGANIZER).values("campaign")
    return Campaign.objects.filter(pk__in=held).exclude(pk=campaign.pk).select_related("rubric").order_by("-created_at")


def side_by_side(one: Campaign, other: Campaign) -> SideBySide:
    boards = [board_of(campaign, stored_board(campaign).rows) for campaign in (one, other)]
    counts = [_counts(campaign, board) for campaign, board in zip((one, other), boards, strict=True)]
    heads = {key.name: key for board in boards for key in board.keys}
    figures = [_figures(board) for board in boards]
    ranks = [_best_ranks(board) for board in boards]
    return SideBySide(
        done=tuple(_line(label, counts) for label in counts[0]),
        figures=tuple(_line(name, figures, _head_of(key)) for name, key in heads.items()),
        teams=tuple(_line(team, ranks) for team in ranks[0] if team in ranks[1]),
        has_same_rubric=one.rubric_id == other.rubric_id,
    )


def _line(name: str, both: list[dict[str, str]], label: str = "") -> Line:
    one, other = (found.get(name, "–") for found in both)
    return Line(label or name, one, other)


def _head_of(key: Key) -> str:
    return f"{key.head} {key.words}" if key.letter else key.head


def _counts(campaign: Campaign, board: Board) -> dict[str, str]:
    people = campaign.roles.without_rehearsals().aggregate(
        testers=Count("pk", filter=Q(role=Role.TESTER)), reviewers=Count("pk", filter=Q(role=Role.REVIEWER))
    )
    closed = Dialogue.objects.of_campaign(campaign).reviewable()
    talks = closed.aggregate(n=Count("pk"), turns=Avg("turns_used"))
    rows = (*board.rows, *board.unranked)
    n_turns, n_failed = sum(row.n_turns for row in rows), sum(row.n_failed or 0 for row in rows)
    entries = campaign.entries.filter(withdrawn_at=None).aggregate(
        systems=Count("pk"), teams=Count("bot__team", distinct=True)
    )
    return {
        _("Teams"): str(entries["teams"]),
        _("Systems"): str(entries["systems"]),
        _("Scenarios"): str(campaign.scenarios.tested().count()),
        _("Testers"): str(people["testers"]),
        _("Reviewers"): str(people["reviewers"]),
        _("Closed dialogues"): str(talks["n"]),
        _("Turns per dialogue"): "–" if talks["turns"] is None else fixed(talks["turns"], 1),
        _("Records"): str(sum(row.n or 0 for row in rows)),
        _("Turns that a system failed"): f"{fixed(100 * n_failed / n_turns, 1)}%" if n_turns else "–",
    }


def _figures(board: Board) -> dict[str, str]:
    figures = {}
    for key in board.keys:
        values = [value for row in board.rows if (value := row.figures.get(key.name)) is not None]
        if values:
            best = (max if key.better == "higher" else min)(values)
            figures[key.name] = _("%(mean)s, the best %(best)s") % {
                "mean": fixed(mean(values), key.decimals),
                "best": fixed(best, key.decimals),
            }
    return figures


def _best_ranks(board: Board) -> dict[str, str]:
    best: dict[str, Row] = {}
    for row in board.rows:
        if row.team and row.rank is not None and (row.team not in best or row.rank < (best[row.team].rank or 0)):
            best[row.team] = row
    return {called(row.team, row.team_en): str(row.rank) for row in best.values()}


@for_roles(Role.ORGANIZER)
@require_GET
def comparison(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    others = comparable_with(campaign, person_of(request))
    asked = request.GET.get("with", "")
    other = others.filter(slug=asked).first() if asked else others.first()
    if other is None and asked:
        raise Http404
    shown: dict[str, Any] = {"campaign": campaign, "others": others, "other": other}
    if other is not None:
        shown["compared"] = side_by_side(campaign, other)
    return render(request, "organizing/comparing/campaigns.html", shown)


class BothAnswer(TypedDict):
    one: str
    other: str


class ComparisonAnswer(TypedDict):
    """In words, by label: what was done, figures with their best, and ranks of teams that took part in both.

    Without `with`, `other` is the latest other campaign that one organizes; null where there is none.
    """

    one: str
    other: str | None
    has_same_rubric: bool
    done: dict[str, BothAnswer]
    figures: dict[str, BothAnswer]
    teams: dict[str, BothAnswer]


ASKED = {"with": ANY_TEXT}


class CompareCampaigns(OrganizersView):
    @describes("Puts the campaign beside another one that one organizes", ComparisonAnswer, asks=ASKED)
    def get(self, request: Request) -> ComparisonAnswer:
        others = comparable_with(self.campaign, person_of(request))
        asked = asked_in(request, ASKED).get("with", "")
        other = others.filter(slug=asked).first() if asked else others.first()
        if other is None and asked:
            raise NotFound(_("You organize no such campaign."))
        compared = side_by_side(self.campaign, other) if other else SideBySide((), (), (), has_same_rubric=False)
        return ComparisonAnswer(
            one=self.campaign.slug,
            other=other.slug if other else None,
            has_same_rubric=compared.has_same_rubric,
            done=_by_label(compared.done),
            figures=_by_label(compared.figures),
            teams=_by_label(compared.teams),
        )


def _by_label(lines: tuple[Line, ...]) -> dict[str, BothAnswer]:
    return {line.label: BothAnswer(one=line.one, other=line.other) for line in lines}
