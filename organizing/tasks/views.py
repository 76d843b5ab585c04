"""The organizer's pages of automatic tasks: the table, the form of one with its gold, and taking one out."""

from base64 import b64encode
from collections.abc import Mapping

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on
from automatic_tasks.access import task_of
from automatic_tasks.actions import IsNeeded, StoredTask, preview_task, remove_task, store_task, what_needs
from automatic_tasks.dumping import task_document
from automatic_tasks.models import AutomaticTask
from campaigns.access import for_roles
from campaigns.actions import PreviewIsOld
from campaigns.calendar import NotNow
from campaigns.models import Campaign, Role
from organizing.file_page import limit_bytes, limit_mb
from organizing.tasks.fields import ranking_places, sections
from organizing.tasks.form import TaskForm, by_field, spec_of, typed_in, typed_of
from organizing.tasks.listing import rows_of
from organizing.tasks.requested_task import Asked, asked_for, first_items, uploads_of
from reading.checking import BadFile
from reading.findings import Finding
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import TaskType

PROBLEMS_SHOWN = 200


@for_roles(Role.ORGANIZER)
@require_GET
def set_up(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    shown = {"campaign": campaign, "rows": rows_of(campaign), "types": TASK_TYPES.values()}
    return render(request, "organizing/tasks/list.html", shown)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest, campaign: Campaign, type: str) -> HttpResponse:
    """POST shows what the task would be; with `act=store` it stores what was shown."""
    if type not in TASK_TYPES:
        raise Http404
    page = _Page(request, campaign, TASK_TYPES[type], None)
    return page.answer(typed_of({"open": True}, campaign.time_zone))


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    """POST stores what was typed; where it brings files, it first shows what they would change."""
    task = task_of(campaign, key)
    page = _Page(request, campaign, task.task_type, task)
    return page.answer(typed_of(task_document(task), campaign.time_zone))


class _Page:
    """One form of one task: shown, read, previewed or stored."""

    def __init__(
        self, request: HttpRequest, campaign: Campaign, task_type: TaskType, task: AutomaticTask | None
    ) -> None:
        self.request, self.campaign, self.task_type, self.task = request, campaign, task_type, task
        self.uploads: Mapping[str, bytes] = {}

    def answer(self, before: Mapping[str, str]) -> HttpResponse:
        if self.request.method != "POST":
            return self.shown(TaskForm(before))
        sent = self.request.POST.dict() | ({"key": self.task.key} if self.task else {})
        typed = typed_in(sent, self.task_type, before)
        # A box that is not ticked is not sent.
        typed |= {} if self.task else {flag: sent.get(flag, "") for flag in ("open", "board_open")}
        self.uploads = uploads_of(self.request)
        if sum(map(len, self.uploads.values())) > limit_bytes():
            text = _("The files are larger than %(n)s MB together.") % {"n": limit_mb()}
            return self.shown(TaskForm(typed, {"gold": [Finding("gold", text)]}))
        try:
            return self.act(typed)
        except BadFile as bad:
            return self.shown(TaskForm(typed, by_field(bad.problems)), bad.problems)
        except NotNow as over:
            messages.error(self.request, str(over))
            return self.shown(TaskForm(typed))

    def act(self, typed: Mapping[str, str]) -> HttpResponse:
        """Errors: `BadFile`, `NotNow`."""
        if self.task is None and self.campaign.automatic_tasks.filter(key=typed["key"].strip()).exists():
            raise BadFile([Finding("key", _("is the key of another task"))])
        asked = asked_for(
            self.task,
            lambda files, problems: spec_of(typed, self.task_type, self.campaign.time_zone, files, problems),
            self.uploads,
        )
        is_to_be_shown = self.task is None or self.uploads
        if is_to_be_shown and self.request.POST.get("act") != "store":
            return self.previewed(typed, asked)
        # Without a digest anything would be stored: nobody has agreed to that here.
        previewed = (self.request.POST.get("previewed") or "nothing") if is_to_be_shown else ""
        try:
            stored = store_task(
                campaign=self.campaign, spec=asked.spec, content_of=asked.content_of,
                by=person_of(self.request), at=timezone.now(), previewed=previewed,
            )  # fmt: skip
        except PreviewIsOld:
            messages.warning(self.request, _("Something has changed in the meantime. This is what would change now."))
            return self.previewed(typed, asked)
        self.say(stored, asked.spec.key)
        return redirect("task-edit", slug=self.campaign.slug, key=asked.spec.key)

    def say(self, stored: StoredTask, key: str) -> None:
        if not stored.report.changed:
            messages.info(self.request, _("Nothing was different, so nothing was changed."))
            return
        changes = "; ".join(change.message for change in stored.report.changed)
        messages.success(self.request, _("Stored: %(changes)s.") % {"changes": changes})

    def previewed(self, typed: Mapping[str, str], asked: Asked) -> HttpResponse:
        preview = preview_task(campaign=self.campaign, spec=asked.spec, content_of=asked.content_of, at=timezone.now())
        return self.shown(TaskForm(typed), preview=preview, items=first_items(asked.contents["gold"]))

    def shown(
        self,
        form: TaskForm,
        problems: list[Finding] | None = None,
        preview: StoredTask | None = None,
        items: list[str] | None = None,
    ) -> HttpResponse:
        has_runs = self.task is not None and self.task.runs.exists()
        contents = {name: b64encode(content).decode() for name, content in self.uploads.items()} if preview else {}
        return render(
            self.request,
            "organizing/tasks/form.html",
            {
                "campaign": self.campaign,
                "task": self.task,
                "task_type": self.task_type,
                "form": form,
                "parts": sections(form, self.task_type, has_runs=has_runs),
                "figures": self.task_type.figures,
                "places": ranking_places(form),
                "usual_ranking": [key.figure for key in self.task_type.ranking],
                "has_runs": has_runs,
                "problems": (problems or [])[:PROBLEMS_SHOWN],
                "n_problems": len(problems or []),
                "preview": preview,
                "items": items,
                "contents": contents,
                "needs": what_needs(self.task) if self.task else (),
                "limit_bytes": limit_bytes(),
                "limit_mb": limit_mb(),
            },
            status=422 if form.problems else 200,
        )


@for_roles(Role.ORGANIZER)
@form_on("task-edit")
def remove(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    task = task_of(campaign, key)
    try:
        remove_task(task=task, by=person_of(request), at=timezone.now())
    except IsNeeded:
        messages.error(request, _("Something depends on the task %(key)s by now: it stays.") % {"key": key})
        return redirect("task-edit", slug=campaign.slug, key=key)
    except NotNow as over:
        messages.error(request, str(over))
        return redirect("task-edit", slug=campaign.slug, key=key)
    messages.success(request, _("The task %(key)s is removed.") % {"key": key})
    return redirect("task-setup", slug=campaign.slug)
