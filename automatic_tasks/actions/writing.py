"""Writes the tasks that a file or a form says, after every check of them, their gold and their noise."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_noop

from automatic_tasks.actions.files import keep_file
from automatic_tasks.models import AutomaticTask, Service, TeamQuota
from automatic_tasks.runs.gold_files import noise_sentences
from automatic_tasks.runs.queue import note_changed_board
from automatic_tasks.runs.quotas import NO_TEAM, teams_of
from automatic_tasks.task_file import QuotaSpec, ServiceSpec, TaskSpec
from campaigns.actions.entering import origin_of
from campaigns.actions.load_report import LoadReport
from campaigns.actions.teams import team_called
from campaigns.models import Campaign
from campaigns.origins import Origin
from campaigns.stages import frozen_since
from reading.checking import BadFile
from reading.findings import Finding, item, under
from reading.strict_json import are_same
from scoring.one_run import BadGold, read_gold
from scoring.splits import drawn_split
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Gold

# What scores depend on: once a run is there, a change would make its figures those of another task.
NO_NOISE = gettext_noop(
    "task %(key)s mixes no noise into its sentences, so a service knows that each of them counts: SMP2018 Task 1 hid them in a lot of"
    " noise; name a file of other sentences under noise"
)
FIXED_BY_RUNS = ("type", "gold_id", "options", "development_ids", "handed_in_with_id")
NOT_TOGETHER = gettext_noop(
    "must be another task, which takes a part of another kind and is itself handed in with none"
)
HAS_JOINED = gettext_noop("cannot be changed: %(keys)s is handed in with it")
TAKEN_BY_PAGE = gettext_noop(
    "task %(key)s was made or changed in the browser, and the file says something else of it; "
    "choose another key, change it in the browser, or let the file take it over"
)
QUOTA_OF_PAGE = gettext_noop(
    "the quota of %(team)s was set in the browser, and the file says something else; "
    "change it in the browser, or let the file take it over"
)

SERVICE_OF_PAGE = gettext_noop(
    "the service of %(team)s was registered or changed in the browser, and the file says something else of it; "
    "change it in the browser, or let the file take it over"
)
SERVICE_IS_AT = gettext_noop("task %(key)s: the service of %(team)s is at %(url)s")
SERVICE_HAS_SECRET = gettext_noop("task %(key)s: the service of %(team)s has another secret")
SERVICE_IS_FROZEN = gettext_noop("the service of %(team)s is frozen: its address stays as it is")
SECRET_OF_ANOTHER = gettext_noop(
    'the secret of %(team)s was given for another server: name the one to send there, or secret = "" if it needs none'
)


class Contents(NamedTuple):
    """What a task's files hold: the gold, as it is read and byte for byte, and the noise, empty where there is none."""

    gold: Gold
    gold_content: bytes
    noise: bytes


class TaskWriting:
    """Writes tasks of one campaign, as the file's or as the browser's; what is wrong, changed or left alone is in `report`.

    `content_of` reads what a task names as its gold or noise (errors: `OSError`).
    """

    def __init__(
        self, campaign: Campaign, content_of: Callable[[str], bytes], origin: Origin, report: LoadReport
    ) -> None:
        self.campaign = campaign
        self.content_of = content_of
        self.origin = origin
        self.report = report

    def contents_of(self, spec: TaskSpec, place: str) -> Contents | None:
        """Gold and noise, read and checked; None where something is noted of them. Asks no database, so nobody waits for it."""
        n_noted = len(self.report)
        gold_content = self.read(spec.gold, under(place, "gold"))
        noise = self.read(spec.noise, under(place, "noise"))
        gold = self.checked_gold(spec, gold_content, place) if gold_content is not None else None
        if noise:
            self.check_noise(spec, noise, place)
        if spec.noise_ratio and not spec.noise:
            self.report.note(under(place, "noise_ratio"), gettext_noop("needs sentences: name their file under noise"))
        if gold is None or gold_content is None or len(self.report) > n_noted:
            return None
        return Contents(gold, gold_content, noise or b"")

    def write(self, spec: TaskSpec, contents: Contents, place: str) -> None:
        """Adds or changes the task, unless something is noted."""
        values = self.values_of(spec, contents.gold, place)
        if self.report:
            return
        values |= {
            "gold_id": keep_file(contents.gold_content).pk,
            "noise_id": keep_file(contents.noise).pk if contents.noise else None,
        }
        self.store(spec, values, place)

    def values_of(self, spec: TaskSpec, gold: Gold, place: str) -> dict[str, Any]:
        return {
            "type": spec.type,
            "name_zh": spec.name.zh or spec.name.en,
            "name_en": spec.name.en or spec.name.zh,
            "options": _plain(spec.options),
            "ranking": list(spec.ranking),
            "development_ids": self.development_ids(spec, gold, place),
            "n_items": len(gold.items),
            "handed_in_with_id": self.first_of(spec, place),
            "quota_total": spec.quota_total,
            "quota_per_day": spec.quota_per_day,
            "decimals": spec.decimals,
            "min_gain": spec.min_gain,
            "batch_size": spec.batch_size,
            "deadline_s": spec.deadline_s,
            "noise_ratio": spec.noise_ratio,
            "runs_from": spec.runs_from,
            "runs_until": spec.runs_until,
            "defaults": dict(spec.defaults),
        }

    def first_of(self, spec: TaskSpec, place: str) -> int | None:
        """The task that it is handed in with; noted if there is no such task."""
        part = TASK_TYPES[spec.type].part
        joined = self.campaign.automatic_tasks.filter(handed_in_with__key=spec.key)
        if joined and (spec.handed_in_with or part in {"", *(one.task_type.part for one in joined)}):
            where = "handed_in_with" if spec.handed_in_with else "type"
            self.report.note(under(place, where), HAS_JOINED, keys=", ".join(one.key for one in joined))
        if not spec.handed_in_with:
            return None
        first = self.campaign.automatic_tasks.filter(key=spec.handed_in_with).exclude(key=spec.key).first()
        if first is None or first.handed_in_with_id or first.task_type.part in ("", part):
            self.report.note(under(place, "handed_in_with"), NOT_TOGETHER)
            return None
        return first.pk

    def store(self, spec: TaskSpec, values: dict[str, Any], place: str) -> None:
        # Locked before the runs are looked for, so that none is handed in between the look and the change.
        task = self.campaign.automatic_tasks.select_for_update().filter(key=spec.key).first()
        if task is None:
            task = self.add(spec, values)
        elif self.is_ours(task, values, place):
            self.change(task, values, place)
        self.write_services(task, spec.services, place)
        self.write_quotas(task, spec.quotas, place)
        if task.lacks_noise:
            self.report.warn(NO_NOISE, key=task.key)

    def add(self, spec: TaskSpec, values: dict[str, Any]) -> AutomaticTask:
        last = self.campaign.automatic_tasks.aggregate(last=Max("position"))["last"] or 0
        opened = {"is_open": spec.is_open, "board_is_open": spec.board_is_open}
        task = AutomaticTask.objects.create(
            campaign=self.campaign, key=spec.key, origin=self.origin, position=last + 1, **values, **opened
        )
        self.report.add_change(gettext_noop("task %(key)s: added with %(n)s items"), key=task.key, n=task.n_items)
        return task

    def is_ours(self, task: AutomaticTask, values: dict[str, Any], place: str) -> bool:
        """Whether the file may change the task: its own, or one of the browser that it takes over."""
        if self.origin == Origin.PAGE or task.origin != Origin.PAGE:
            return True
        if self.report.takes_over:
            self.hand_over(task)
            self.report.add_change(gettext_noop("task %(key)s: taken over from the browser"), key=task.key)
            return True
        if any(not are_same(getattr(task, name), value) for name, value in values.items()):
            self.report.note(under(place, "key"), TAKEN_BY_PAGE, key=task.key)
        return False

    def hand_over(self, row: AutomaticTask | TeamQuota | Service) -> None:
        row.origin = self.origin
        row.save(update_fields=["origin"])

    def change(self, task: AutomaticTask, values: dict[str, Any], place: str) -> None:
        fixed = [name for name in FIXED_BY_RUNS if not are_same(getattr(task, name), values[name])]
        if fixed and task.runs.exists():
            self.refuse_fixed([name.removesuffix("_id") for name in fixed], place)
            return
        n_before, is_reranked = len(self.report.changed), not are_same(task.ranking, values["ranking"])
        self.report.apply(task, values, gettext_noop("task %(key)s: %(changed)s changed"), key=task.key)
        if is_reranked:
            note_changed_board(task=task)
        if len(self.report.changed) > n_before and task.origin != self.origin:
            # A file that is loaded later names this instead of taking it back.
            self.hand_over(task)

    def refuse_fixed(self, names: list[str], place: str) -> None:
        """In a file once for the task; in a form, which has no place, beside each field."""
        text = gettext_noop("%(names)s cannot be changed: runs were scored by it")
        if place:
            self.report.note(place, text, names=", ".join(names))
            return
        for name in names:
            self.report.note(name, text, names=name)

    def write_services(self, task: AutomaticTask, services: Iterable[ServiceSpec], place: str) -> None:
        for index, spec in enumerate(services):
            team = team_called(self.campaign, spec.team)
            # Held until the commit: neither its team nor a check comes in between.
            before = Service.objects.select_for_update().filter(task=task, team=team).first()
            if before is None:
                draft_since = timezone.now() if spec.draft else None
                said = {"url": spec.url, "secret": spec.secret or "", "draft_since": draft_since, "origin": self.origin}
                Service.objects.create(task=task, team=team, **said)
                self.report.add_change(SERVICE_IS_AT, key=task.key, team=team.name, url=spec.url)
            elif not self.refuses(before, spec, item(under(place, "services"), index)):
                self.change_service(before, spec)

    def refuses(self, before: Service, spec: ServiceSpec, place: str) -> bool:
        """What a team changed is left to it, after the freeze no address changes, and no secret goes to another server by omission."""
        is_of_page = self.origin == Origin.FILE and before.origin != Origin.FILE
        if is_of_page and not self.report.takes_over and says_otherwise(spec, before):
            self.report.note(place, SERVICE_OF_PAGE, team=spec.team)
            return True
        if spec.url == before.url:
            return False
        if frozen_since(before, self.campaign, timezone.now()) is not None:
            self.report.note(under(place, "url"), SERVICE_IS_FROZEN, team=spec.team)
            return True
        if spec.secret is None and before.has_secret and origin_of(spec.url) != origin_of(before.url):
            self.report.note(under(place, "secret"), SECRET_OF_ANOTHER, team=spec.team)
            return True
        return False

    def change_service(self, before: Service, spec: ServiceSpec) -> None:
        if before.origin != self.origin and says_otherwise(spec, before):
            self.hand_over(before)
        if spec.url != before.url:
            # What a report said held for the address before.
            before.url, before.green_at = spec.url, None
            before.save(update_fields=["url", "green_at"])
            self.report.add_change(SERVICE_IS_AT, key=before.task.key, team=spec.team, url=spec.url)
        if (secret := other_secret(spec, before)) is not None:
            before.secret = secret
            before.save(update_fields=["secret"])
            self.report.add_change(SERVICE_HAS_SECRET, key=before.task.key, team=spec.team)

    def write_quotas(self, task: AutomaticTask, quotas: Iterable[QuotaSpec], place: str) -> None:
        teams = {team.name: team for team in teams_of(self.campaign)}
        for index, spec in enumerate(quotas):
            quota = task.team_quotas.select_related("team").filter(team__name=spec.team).first()
            # A team that has left the campaign keeps the quota that it has.
            team = quota.team if quota else teams.get(spec.team)
            if team is None:
                self.report.note(under(item(under(place, "quotas"), index), "team"), NO_TEAM)
                continue
            wanted = {"total": spec.total, "per_day": spec.per_day, "reason": spec.reason}
            if quota is None:
                TeamQuota.objects.create(task=task, team=team, origin=self.origin, **wanted)
            elif all(getattr(quota, name) == value for name, value in wanted.items()):
                continue
            elif quota.origin != self.origin and not self.report.takes_over:
                self.report.note(item(under(place, "quotas"), index), QUOTA_OF_PAGE, team=team.name)
                continue
            else:
                self.hand_over(quota)
                TeamQuota.objects.filter(pk=quota.pk).update(**wanted)
            self.report.add_change(gettext_noop("task %(key)s: quota of %(team)s"), key=task.key, team=team.name)

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
            self.note_all(under(place, "gold"), bad.problems)
            return None

    def check_noise(self, spec: TaskSpec, content: bytes, place: str) -> None:
        try:
            noise_sentences(content)
        except BadFile as bad:
            self.note_all(under(place, "noise"), bad.problems)
        if not TASK_TYPES[spec.type].is_service:
            self.report.note(under(place, "noise"), gettext_noop("has no meaning: this task calls no service"))

    def note_all(self, place: str, problems: Iterable[Finding]) -> None:
        for problem in problems:
            self.report.add(problem.within(place))

    def development_ids(self, spec: TaskSpec, gold: Gold, place: str) -> list[str]:
        """The declared ids, or a share of the items drawn by the task's key, so that loading again draws the same."""
        unknown = [name for name in spec.development_ids if name not in gold.items]
        if unknown:
            text = gettext_noop("“%(name)s” is not in the gold")
            self.report.note(under(place, "development_ids"), text, name=unknown[0])
        return sorted(spec.development_ids) or drawn_split(spec.key, spec.development_share, gold.items)


def _plain(options: Any) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}


def says_otherwise(spec: ServiceSpec, service: Service) -> bool:
    """Whether the file names another address or secret than the service has."""
    return spec.url != service.url or other_secret(spec, service) is not None


def other_secret(spec: ServiceSpec, service: Service) -> str | None:
    """The secret that the file names, where it is another than the service has."""
    return spec.secret if service.has_lost_its_secret() or service.secret != spec.secret else None
