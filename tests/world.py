"""The small campaign with one thing of each kind that a path names, built once for all tests of a module.

A module imports `FIXTURES` of it by name: each of its tests then sees that world, and what the test writes is undone.
`run` and `frozen` are also of use by themselves, to tests that build a campaign each.
"""

import uuid
from collections.abc import Callable
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from automatic_tasks.actions import load_tasks, submit_file_run
from automatic_tasks.models import Run, Service, ServiceCheck
from automatic_tasks.task_file import read_task_file
from campaigns.models import Campaign, Description, Entry, Role
from conformance.models import Check
from crowds.models import Arrival
from dialogues.actions.opening import open_practice
from dialogues.models import Announcement, Dialogue
from judging.models import Judge
from language_models.models import ModelEndpoint
from notifications.models import Delivery, Event
from pairs.models import Pair
from participants.models import Bot, Team
from publication.models import Snapshot
from registration.models import DataPackage, Invitation, PackageContent
from replays.models import Replay, SentinelRound
from reviews.models import Dispute
from simulation.models import Rehearsal
from tests.publishing import snapshot_of

RUNS = Path(__file__).resolve().parents[1] / "examples" / "runs" / "dialogue-quality"
# The key of a system that a member's own team has beside the one that is tested.
OWN = "own"


@contextmanager
def undone():
    """What is done inside has not been done afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def asked(client, method, address):
    """The answer; what it wrote is taken back."""
    with undone():
        return client.generic(method, address, "{}", content_type="application/json")


def waiting_run(campaign) -> Run:
    """A run of Team Alpha for an automatic task, waiting to be scored; beside the task a combined board of its key."""
    declared = read_task_file(
        "tasks.toml",
        b'campaign = "small"\n[[tasks]]\nkey = "quality"\ntype = "dialogue-quality"\nname = "x"\ngold = "gold.json"\n'
        b'[[boards]]\nkey = "quality"\nname = "x"\nranking = ["completion"]\ncolumns = [{figure = "completion"}]\n',
    )
    load_tasks(file=declared, content_of=lambda path: (RUNS / path).read_bytes())
    package = campaign.packages.create(file_name="data.zip", size=4, sha256="0" * 64, uploaded_at=timezone.now())
    PackageContent.objects.create(package=package, number=0, content=b"data")
    return submit_file_run(
        task=campaign.automatic_tasks.get(),
        team=Team.objects.get(name="Team Alpha"),
        person=None,
        content=(RUNS / "run.json").read_bytes(),
        file_name="run.json",
        at=timezone.now(),
    )


@pytest.fixture
def run(campaign) -> Run:
    return waiting_run(campaign)


@pytest.fixture
def frozen(campaign, settings, tmp_path) -> Snapshot:
    """A snapshot with its bundle that is not published."""
    settings.VAR_DIR = tmp_path
    return snapshot_of(campaign, has_bundle=True)


# What stands for each argument of a path; objects are real ones that belong to somebody.
VALUES: dict[str, Callable[[Dialogue, Run | None], object]] = {
    "<uuid:dialogue_id>": lambda dialogue, run: dialogue.pk,
    "<uuid:run_id>": lambda dialogue, run: getattr(run, "pk", ""),
    "<uuid:pair_id>": lambda dialogue, run: pair_in(dialogue).pk,
    "<uuid:check_id>": lambda dialogue, run: check_of(dialogue).pk,
    "<uuid:replay_id>": lambda dialogue, run: replay_of(dialogue).pk,
    "<uuid:rehearsal_id>": lambda dialogue, run: rehearsal_of(dialogue).pk,
    "<int:round_id>": lambda dialogue, run: round_of(dialogue).pk,
    "<int:service_id>": lambda dialogue, run: getattr(service_of(run), "pk", 0),
    "<uuid:service_check_id>": lambda dialogue, run: service_check_of(run),
    "<int:assignment_id>": lambda dialogue, run: dialogue.assignment_id,
    "<int:entry_id>": lambda dialogue, run: entry_of(dialogue).pk,
    "<int:package_id>": lambda dialogue, run: DataPackage.objects.values_list("pk", flat=True).first() or 0,
    "<int:person_id>": lambda dialogue, run: dialogue.tester_id,
    "<int:invitation_id>": lambda dialogue, run: invitation_of(dialogue).pk,
    "<int:example_id>": lambda dialogue, run: example_of(dialogue).pk,
    "<int:judge_id>": lambda dialogue, run: judge_in_campaign(dialogue).pk,
    "<int:endpoint_id>": lambda dialogue, run: endpoint_in(dialogue).pk,
    "<int:webhook_id>": lambda dialogue, run: delivery_in(dialogue).webhook_id,
    "<uuid:delivery_id>": lambda dialogue, run: delivery_in(dialogue).pk,
    "<int:study_id>": lambda dialogue, run: arrival_in(dialogue).study_id,
    "<int:arrival_id>": lambda dialogue, run: arrival_in(dialogue).pk,
    "<int:version>": lambda dialogue, run: description_of(dialogue).version,
    "<int:announcement_id>": lambda dialogue, run: announcement_of(dialogue).pk,
    **{
        argument: lambda dialogue, run, value=value: value
        for argument, value in {
            "<slug:slug>": "small", "<slug:key>": "quality", "<slug:split>": "hidden", "<slug:what>": "turns",
            "<slug:format>": "csv", "<int:number>": "1", "<int:dialogue_number>": "1", "<slug:figure>": "completion", "<int:problem_id>": "1",
            "<int:request_id>": "1", "<slug:table>": "human", "<slug:part>": "leaderboard", "<str:token>": "no-such-token", "<int:log_in_id>": "1", "<int:address_id>": "1",
            "<slug:act>": "void", "<slug:token_key>": "0123456789abcde", "<int:application_id>": "1",
            "<int:team_request_id>": "1", "<str:picture_name>": "0" * 64 + ".png", "<int:objection_id>": "1", "<slug:scenario>": "flight-then-hotel", "<slug:type>": "dialogue-quality",
        }.items()
    },
}  # fmt: skip


def values_of(dialogue, run=None) -> dict[str, str]:
    return {argument: str(value(dialogue, run)) for argument, value in VALUES.items()}


def practice_of(dialogue) -> Dialogue:
    """One in which the participant practises."""
    campaign = dialogue.assignment.campaign
    scenario, is_new = campaign.scenarios.get_or_create(key="try-out", defaults={"position": 9, "is_practice": True})
    if is_new:
        scenario.subtasks.create(position=1, kind="flight", turn_cap=5)
    person = Person.objects.get(username="participant")
    own = campaign.entries.filter(bot__team__members__campaign=campaign, bot__team__members__person=person).first()
    return open_practice(entry=own or dialogue.assignment.entry, scenario=scenario, person=person, at=timezone.now())


def address_of(path, dialogue, run=None) -> str:
    if "/team/practice/" in path:
        path = path.replace("<uuid:dialogue_id>", str(practice_of(dialogue).pk))
    for argument in VALUES:
        if argument in path:
            path = path.replace(argument, str(VALUES[argument](dialogue, run)))
    assert "<" not in path, f"{path}: the test knows no value for this argument"
    return "/" + path + ("?campaign=small" if path in {"api/v1/reviews/queue/", "api/v1/reviews/waiting/"} else "")


def pair_in(dialogue) -> Pair:
    """One in which its tester compares the dialogue's system with another one."""
    campaign = dialogue.assignment.campaign
    found = Pair.objects.filter(left_dialogue=dialogue).first()
    if found is not None:
        return found
    team, _ = Team.objects.get_or_create(name=f"rival in {campaign.slug}")
    rival, _ = campaign.entries.get_or_create(
        alias="R1", defaults={"bot": Bot.objects.get_or_create(team=team, name="rival")[0], "key": "rival"}
    )
    return Pair.objects.create(
        campaign=campaign, kind="live", scenario=dialogue.assignment.scenario, left=dialogue.assignment.entry, right=rival,
        left_dialogue=dialogue, right_dialogue=dialogue, judge=dialogue.tester, key=str(dialogue.pk),
        number=Pair.objects.filter(campaign=campaign).count() + 1, drawn_at=timezone.now(),
    )  # fmt: skip


def invitation_of(dialogue) -> Invitation:
    """One that is open in the dialogue's campaign."""
    at = timezone.now()
    return Invitation.objects.get_or_create(
        campaign=dialogue.assignment.campaign, name="somebody",
        defaults={"digest": dialogue.assignment.campaign.slug, "roles": ["tester"], "made_at": at, "expires_at": at + timedelta(days=1)},
    )[0]  # fmt: skip


def example_of(dialogue):
    """The dialogue as an example of the scoring guide."""
    campaign = dialogue.assignment.campaign
    point = campaign.rubric.criteria.first().points.first()
    said = {"reason": "It stops.", "added_at": timezone.now(), "added_by": dialogue.tester, "panel_size": 9}
    return dialogue.guide_examples.get_or_create(point=point, defaults=said)[0]


def judge_in_campaign(dialogue) -> Judge:
    """A model that judges dialogues of the dialogue's campaign."""
    campaign, endpoint = dialogue.assignment.campaign, endpoint_in(dialogue)
    said = {"language": "zh", "declared_at": timezone.now(), "prompt_digest": "x"}
    return Judge.objects.get_or_create(campaign=campaign, key="judge", endpoint=endpoint, defaults=said)[0]


def endpoint_in(dialogue) -> ModelEndpoint:
    """A language model of the dialogue's campaign."""
    said = {"url": "https://models.example.org/v1", "model": "m", "declared_at": timezone.now()}
    return dialogue.assignment.campaign.model_endpoints.get_or_create(key="m", defaults=said)[0]


def delivery_in(dialogue) -> Delivery:
    """A message to a webhook of the dialogue's campaign."""
    campaign, at = dialogue.assignment.campaign, timezone.now()
    organizer = Person.objects.get(username="organizer")
    webhook, _ = campaign.webhooks.get_or_create(
        url="https://hooks.example.org/", defaults={"made_by": organizer, "made_at": at, "kinds": ["bot.paused"]}
    )
    event, _ = Event.objects.get_or_create(
        key=f"test:{webhook.pk}", defaults={"kind": "test", "at": at, "campaign": campaign}
    )
    return webhook.deliveries.get_or_create(event=event, defaults={"made_at": at, "next_try_at": at})[0]


def arrival_in(dialogue) -> Arrival:
    """Somebody who came by the link of a study of the dialogue's campaign and is at work."""
    campaign, at = dialogue.assignment.campaign, timezone.now()
    study, _ = campaign.studies.get_or_create(
        key="wave",
        defaults={
            "door": f"door-of-{campaign.slug}", "role": "tester", "platform": "prolific", "participant_parameter": "PROLIFIC_PID",
            "quota": 5, "n_needed": 2, "minutes": 20, "minutes_at_most": 60, "pay": 6, "currency": "GBP", "made_at": at,
        },
    )  # fmt: skip
    person, _ = Person.objects.get_or_create(username=f"p-{campaign.slug}", defaults={"came_by": Person.CameBy.CROWD})
    started = {
        "state": "started",
        "participant": "0" * 64,
        "came_at": at,
        "started_at": at,
        "due_at": at + timedelta(hours=1),
    }
    return study.arrivals.get_or_create(person=person, defaults=started)[0]


def replay_of(dialogue) -> Replay:
    """One that its own team asked for, carried out in part."""
    entry, at = entry_of(dialogue), timezone.now()
    said = {"asked_at": at, "ended_at": at, "n_lines": 1, "state": "done", "n_attempts": 1, "distance": 0.5}
    return Replay.objects.get_or_create(dialogue=dialogue, against=entry, is_of_team=True, defaults=said)[0]


def rehearsal_of(dialogue) -> Rehearsal:
    """One that is over and found nothing."""
    at = timezone.now()
    said = {"program": dialogue.tester, "n_each": 1, "at_once": 1, "state": "done", "asked_at": at, "ended_at": at}
    return Rehearsal.objects.get_or_create(campaign=dialogue.assignment.campaign, defaults=said)[0]


def round_of(dialogue) -> SentinelRound:
    """A drift of that system which nobody settled."""
    at = timezone.now()
    said = {"began_at": at, "ended_at": at, "limit_percent": 30, "drift": 0.5, "is_flagged": True}
    return SentinelRound.objects.get_or_create(entry=entry_of(dialogue), defaults=said)[0]


def description_of(dialogue) -> Description:
    """The first version of what the dialogue's campaign says of itself."""
    said = {"purpose_en": "To compare systems", "written_at": timezone.now()}
    return dialogue.assignment.campaign.descriptions.get_or_create(version=1, defaults=said)[0]


def joins(person, dialogue, run) -> None:
    """The person becomes a member of the run's team, with a system of its own, and may still judge the dialogue: it is another team's."""
    campaign, tested = dialogue.assignment.campaign, dialogue.assignment.entry
    Campaign.objects.filter(pk=campaign.pk).update(members_may_judge="others")
    campaign.team_members.get_or_create(person=person, defaults={"team": run.team})
    if not campaign.entries.filter(key=OWN).exists():
        Bot.objects.filter(pk=tested.bot_id).update(team=Team.objects.create(name="Team Tested"))
        campaign.entries.create(
            bot=run.team.bots.create(name="own"), key=OWN, alias="Z9", protocol="huace/1", url=tested.url
        )


def entry_of(dialogue) -> Entry:
    """The system of a member's own team, where one joined; else that of the dialogue."""
    return dialogue.assignment.campaign.entries.filter(key=OWN).first() or dialogue.assignment.entry


def check_of(dialogue) -> Check:
    """One of that system."""
    entry, at = entry_of(dialogue), timezone.now()
    return Check.objects.get_or_create(entry=entry, defaults={"asked_at": at, "protocol": "huace/1", "url": entry.url})[
        0
    ]


def service_of(run) -> Service | None:
    """The service of the run's team."""
    return run and run.task.services.get_or_create(team=run.team, defaults={"url": "http://service.example.com/"})[0]


def service_check_of(run):
    """The id of a check of it."""
    if run is None:
        return uuid.UUID(int=0)
    said = {"asked_at": timezone.now(), "protocol": "smp2018_task1", "url": "http://service.example.com/"}
    return ServiceCheck.objects.get_or_create(service=service_of(run), defaults=said)[0].pk


def announcement_of(dialogue) -> Announcement:
    """One that the testers of the dialogue's campaign are shown."""
    return Announcement.objects.get_or_create(
        campaign=dialogue.assignment.campaign, text_en="x", defaults={"made_by": dialogue.tester, "at": timezone.now()}
    )[0]


def client_of(person) -> Client:
    client = Client(raise_request_exception=False)
    if person is not None:
        client.force_login(person)
    return client


def noted_client_of(person) -> Client:
    """A client whose log-in is noted already: each request that is undone would note it anew."""
    client = client_of(person)
    client.get("/preferences/")
    return client


def again(client) -> Client:
    """A client of the same person, whatever the first one's requests did to it: some of them log out."""
    same = Client(raise_request_exception=False)
    if cookie := client.cookies.get(settings.SESSION_COOKIE_NAME):
        same.cookies[settings.SESSION_COOKIE_NAME] = cookie.value
    return same


@pytest.fixture
def people(campaign, dialogue, tester, organizer, reviewer, participant):
    """One person per role; the dialogue is the reviewer's to score and disputed, so that there is something to adjudicate."""
    dialogue.review_places.create(reviewer=reviewer, position=1, drawn_at=timezone.now())
    Dispute.objects.create(dialogue=dialogue, opened_at=timezone.now())
    Campaign.objects.update(experts_per_dialogue=3, releases_transcripts=True)
    people = {Role.TESTER: tester, Role.ORGANIZER: organizer, Role.REVIEWER: reviewer, Role.PARTICIPANT: participant}
    for role in (Role.ADJUDICATOR, Role.EXPERT):
        people[role] = Person.objects.create_user(role.value)
        campaign.roles.create(person=people[role], role=role)
    return people
