"""Creates or updates the automatic tasks of a campaign from their file."""

import random
from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from automatic_tasks.actions.boards import load_boards
from automatic_tasks.actions.files import keep_file
from automatic_tasks.acts import TASKS_LOADED
from automatic_tasks.gold_files import noise_sentences
from automatic_tasks.models import AutomaticTask, Service
from automatic_tasks.task_file import TaskFile, TaskSpec
from campaigns.actions.ended import refuse_file_if_ended
from campaigns.actions.load_report import LoadReport
from campaigns.models import Campaign
from participants.models import Team
from scoring.checking import BadFile
from scoring.findings import Finding
from scoring.one_run import BadGold, read_gold
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Gold

# What scores depend on: once a run is there, a change would make its figures those of another task.
FIXED_BY_RUNS = ("type", "gold_id", "options", "development_ids")


@transaction.atomic
def load_tasks(
    *, file: TaskFile, content_of: Callable[[str], bytes], by: Person | None = None
) -> tuple[Campaign, list[str]]:
    """Creates or updates tasks and combined boards; gives the campaign and one sentence per change (none: nothing new).

    `content_of` reads a path of the file (errors: `OSError`). What scores depend on is fixed by the first run.
    Errors: `BadFile` naming every problem; then nothing is changed.
    """
    campaign = Campaign.objects.select_for_update().filter(slug=file.campaign).first()
    if campaign is None:
        text = gettext_noop("there is no campaign “%(slug)s”; load its own file first")
        raise BadFile([Finding("file campaign", text, {"slug": file.campaign})])
    refuse_file_if_ended(campaign)
    loading = _Loading(campaign, content_of)
    for number, spec in enumerate(file.tasks, start=1):
        loading.load(spec, number)
    if file.boards is not None:
        load_boards(campaign, file.boards, [spec.key for spec in file.tasks], loading.report)
    loading.report.refuse()
    if loading.report.changes:
        record(TASKS_LOADED, by=by, campaign=campaign.slug, details={"changes": loading.report.changes})
    return campaign, loading.report.changes


class _Loading:
    def __init__(self, campaign: Campaign, content_of: Callable[[str], bytes]) -> None:
        self.campaign = campaign
        self.content_of = content_of
        self.report = LoadReport()

    def load(self, spec: TaskSpec, number: int) -> None:
        place = f"[[tasks]] {number}"
        gold_content, noise_content = self.read(spec.gold, f"{place} gold"), self.read(spec.noise, f"{place} noise")
        gold = self.checked_gold(spec, gold_content, place) if gold_content is not None else None
        if noise_content:
            self.check_noise(spec, noise_content, place)
        if spec.noise_ratio and not spec.noise:
            self.report.note(f"{place} noise_ratio", gettext_noop("needs sentences: name their file under noise"))
        if gold is None or gold_content is None or self.report:
            return
        values: dict[str, Any] = {
            "position": number,
            "type": spec.type,
            "name_zh": spec.name.zh or spec.name.en,
            "name_en": spec.name.en or spec.name.zh,
            "gold_id": keep_file(gold_content).pk,
            "noise_id": keep_file(noise_content).pk if noise_content else None,
            "options": _plain(spec.options),
            "ranking": list(spec.ranking),
            "development_ids": self.development_ids(spec, gold, place),
            "n_items": len(gold.items),
            "quota_total": spec.quota_total,
            "quota_per_day": spec.quota_per_day,
            "decimals": spec.decimals,
            "min_gain": spec.min_gain,
            "batch_size": spec.batch_size,
            "deadline_s": spec.deadline_s,
            "noise_ratio": spec.noise_ratio,
            "defaults": dict(spec.defaults),
        }
        # Locked before the runs are looked for, so that none is handed in between the look and the change.
        task = self.campaign.automatic_tasks.select_for_update().filter(key=spec.key).first()
        if task is None:
            opened = {"is_open": spec.is_open, "board_is_open": spec.board_is_open}
            task = AutomaticTask.objects.create(campaign=self.campaign, key=spec.key, **values, **opened)
            self.report.add_change(f"task {spec.key}: added with {len(gold.items)} items")
        else:
            self.update(task, values, place)
        self.load_services(task, spec)

    def update(self, task: AutomaticTask, values: dict[str, Any], place: str) -> None:
        fixed = [name for name in FIXED_BY_RUNS if getattr(task, name) != values[name]]
        if fixed and task.runs.exists():
            names = ", ".join(name.removesuffix("_id") for name in fixed)
            text = gettext_noop("%(names)s cannot be changed: runs were scored by it")
            self.report.note(place, text, names=names)
            return
        self.report.apply(task, values, gettext_noop("task %(key)s: %(changed)s changed"), key=task.key)

    def load_services(self, task: AutomaticTask, spec: TaskSpec) -> None:
        for service in spec.services:
            team, _ = Team.objects.get_or_create(name=service.team)
            before = task.services.filter(team=team).first()
            if before is None or before.url != service.url:
                Service.objects.update_or_create(task=task, team=team, defaults={"url": service.url})
                self.report.add_change(f"task {task.key}: the service of {team.name} is at {service.url}")

    def read(self, path: str, place: str) -> bytes | None:
        if not path:
            return b""
        try:
            return self.content_of(path)
        except OSError as missing:
            text = gettext_noop("%(path)s cannot be read: %(error)s")
            self.report.note(place, text, path=path, error=missing.strerror)
            return None

    def checked_gold(self, spec: TaskSpec, content: bytes, place: str) -> Gold | None:
        task_type = TASK_TYPES[spec.type]
        try:
            return read_gold(task_type, content, task_type.default_options() | dict(spec.options))
        except BadGold as bad:
            self.note_all(f"{place} gold", bad.problems)
            return None

    def check_noise(self, spec: TaskSpec, content: bytes, place: str) -> None:
        try:
            noise_sentences(content)
        except BadFile as bad:
            self.note_all(f"{place} noise", bad.problems)
        if not TASK_TYPES[spec.type].is_service:
            self.report.note(f"{place} noise", gettext_noop("has no meaning: this task calls no service"))

    def note_all(self, place: str, problems: Iterable[Finding]) -> None:
        for problem in problems:
            self.report.add(problem.within(place))

    def development_ids(self, spec: TaskSpec, gold: Gold, place: str) -> list[str]:
        """The declared ids, or a share of the items drawn by the task's key, so that loading again draws the same."""
        unknown = [name for name in spec.development_ids if name not in gold.items]
        if unknown:
            text = gettext_noop("“%(name)s” is not in the gold")
            self.report.note(f"{place} development_ids", text, name=unknown[0])
        if spec.development_ids:
            return sorted(spec.development_ids)
        names = sorted(gold.items)
        return sorted(random.Random(spec.key).sample(names, round(spec.development_share * len(names))))


def _plain(options: Any) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
