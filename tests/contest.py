"""The small campaign as the contest that it is a model of: 15 bots, 21 scenarios, 10 testers, 3,150 assignments, and many rows of every kind."""

from datetime import timedelta
from itertools import pairwise

from django.utils import timezone

from accounts.models import ApiToken, Person
from automatic_tasks.models import AutomaticTask, ServiceCheck, ServiceFingerprint
from bench.drawing import N_BOTS, N_SCENARIOS, N_TESTERS
from bench.wall import fill
from campaigns.actions.people import pause_person
from campaigns.models import Campaign, Entry, PausedBy, Role, Scenario, Subtask
from conformance.models import Check, Fingerprint
from dialogues.models import Announcement, Attempt, Dialogue, DialogueSubtask, Presence, Probe, Problem, Turn, TurnFlag
from leaderboards.actions import refresh_leaderboard
from pairs.actions.boards import refresh_pair_board
from pairs.models import Pair, PairVote
from participants.models import Bot, Team
from registration.models import Acceptance, Agreement, Application, DataPackage, DialKey, Invitation, PackageDownload
from replays.models import Replay, ReplayTurn, SentinelRound
from reviews.actions import submit_review
from reviews.actions.placing import draw_review_places
from reviews.models import ClosedPanel, Dispute, Remark, Review, RevisionRequest, Vetting
from tests.publishing import publish_now
from tests.test_page_queries import SCORES, add_campaigns, add_runs
from tests.world import RUNS

N_SCORED = 60


def grow(campaign):
    """Everything that has rows in a contest has more of them than there are bots."""
    at = timezone.now()
    add_bots(campaign, at)
    add_scenarios(campaign)
    testers = add_people(campaign)
    campaign.plan, campaign.free_choice, campaign.reviewed_by, campaign.reviewers_per_dialogue = (
        "full",
        False,
        "both",
        3,
    )
    fill(campaign)
    completed = Dialogue.objects.of_campaign(campaign).filter(status="completed", subtasks=None).with_names()
    done = list(completed.order_by("pk"))
    DialogueSubtask.objects.bulk_create(
        DialogueSubtask(dialogue=one, index=1, kind="flight", turn_cap=20, turns_used=8, status="finished")
        for one in done
    )
    draw_review_places(campaign=campaign, at=at)
    add_reviews(done[:N_SCORED], at)
    add_failures(done[N_SCORED : 2 * N_SCORED], at)
    add_reports(done[:N_SCORED], testers, at)
    add_to_be_answered(campaign, testers, at)
    add_tasks(campaign, at)
    add_pairs(campaign, done, testers, at)
    add_replays(done, at)
    for tester in testers[::2]:
        pause_person(campaign=campaign, person=tester, because="ill", by=None, at=at)
    refresh_leaderboard(campaign=campaign, at=at)
    for _ in range(3):
        publish_now(campaign)
    add_campaigns(N_BOTS)


def add_bots(campaign, at):
    """The bots that are missing, a third of them paused by the platform; of each a check, a fingerprint and a key."""
    there = list(campaign.entries.order_by("pk"))
    first, numbers = there[0], range(len(there), N_BOTS)
    teams = Team.objects.bulk_create(Team(name=f"Team {number}") for number in numbers)
    bots = Bot.objects.bulk_create(Bot(team=team, name=f"of {team.name}") for team in teams)
    entries = Entry.objects.bulk_create(
        Entry(
            campaign=campaign, bot=bot, key=f"b{number}", alias=f"B{number}", url=first.url, protocol=first.protocol,
            registered_at=at, **({"paused_at": at, "paused_by": PausedBy.PLATFORM} if number % 3 == 0 else {}),
        )
        for number, bot in zip(numbers, bots, strict=True)
    )  # fmt: skip
    said = {"protocol": first.protocol, "url": first.url}
    Check.objects.bulk_create(
        Check(entry=one, asked_at=at, state="done", verdict="pass", ended_at=at, **said)
        for one in 3 * [*entries, first]
    )
    Fingerprint.objects.bulk_create(Fingerprint(entry=one, taken_at=at, **said) for one in 3 * [*entries, first])
    DialKey.objects.bulk_create(DialKey(entry=one, digest=one.key, made_at=at) for one in entries)
    Probe.objects.bulk_create(Probe(entry=one, due_at=at + timedelta(hours=1)) for one in entries if one.paused_at)


def add_scenarios(campaign):
    added = Scenario.objects.bulk_create(
        Scenario(campaign=campaign, key=f"case-{number}", position=10 + number) for number in range(1, N_SCENARIOS)
    )
    Subtask.objects.bulk_create(Subtask(scenario=one, position=1, kind="flight", turn_cap=20) for one in added)


def add_people(campaign):
    """All testers of the contest; each team has somebody, and panels have reviewers, adjudicators and experts."""
    for number in range(1, N_TESTERS):
        campaign.roles.create(person=Person.objects.create_user(f"tester-{number}"), role=Role.TESTER)
    for number, team in enumerate(Team.objects.filter(bots__entries__campaign=campaign)):
        person = Person.objects.create_user(f"member-{number}")
        for role in (Role.PARTICIPANT, Role.REVIEWER, Role.EXPERT, Role.ADJUDICATOR):
            campaign.roles.create(person=person, role=role)
        campaign.team_members.create(person=person, team=team)
    return list(Person.objects.filter(campaign_roles__campaign=campaign, campaign_roles__role=Role.TESTER))


def add_reviews(done, at):
    """The testers' own, in force; the first third was asked to be revised, the second is closed as it is, the last disputed."""
    organizer = Person.objects.get(username="organizer")
    for one in done:
        submit_review(
            dialogue=one, reviewer=one.tester, ratings=SCORES, verdicts={}, comment="", based_on_version=0, at=at
        )
    reviews, third = list(Review.objects.filter(dialogue__in=done)), len(done) // 3
    RevisionRequest.objects.bulk_create(RevisionRequest(review=one, reason="a slip", asked_at=at) for one in reviews)
    ClosedPanel.objects.bulk_create(
        ClosedPanel(dialogue=one, n_reviews=1, because="late", closed_by=organizer, closed_at=at)
        for one in done[third : 2 * third]
    )
    Dispute.objects.bulk_create(
        Dispute(dialogue=one, criteria={"satisfaction": 2}, opened_at=at) for one in done[2 * third :]
    )


def add_failures(done, at):
    """A turn of each failed, and was a bot's fault."""
    turns = list(Turn.objects.filter(dialogue__in=done, number=8))
    Turn.objects.filter(pk__in=[one.pk for one in turns]).update(status="failed", texts=[])
    Attempt.objects.bulk_create(
        Attempt(turn=one, number=1, outcome="failure", kind="http_5xx", fault="bot", status=502, ended_at=at)
        for one in turns
    )


def add_reports(done, testers, at):
    """What testers and reviewers say of dialogues."""
    organizer, expert = Person.objects.get(username="organizer"), Person.objects.get(username="expert")
    turns = list(Turn.objects.filter(dialogue__in=done, number=1))
    TurnFlag.objects.bulk_create(TurnFlag(turn=one, at=at) for one in turns)
    Problem.objects.bulk_create(
        Problem(dialogue_id=one.dialogue_id, reported_by=testers[0], turn=one, text="odd", at=at) for one in turns
    )
    Remark.objects.bulk_create(
        Remark(dialogue=one, reviewer=expert, kind=Remark.Kind.CANNOT_JUDGE, text="odd", at=at) for one in done
    )
    Vetting.objects.bulk_create(Vetting(dialogue=one, expert=expert, is_accepted=True, at=at) for one in done)
    Presence.objects.bulk_create(Presence(person=one, process="p", seen_at=at, is_there=True) for one in testers)
    Announcement.objects.bulk_create(
        Announcement(campaign=done[0].assignment.campaign, made_by=organizer, text_en="Hello", at=at)
        for _ in range(N_BOTS)
    )


def add_to_be_answered(campaign, testers, at):
    """Invitations, applications, agreements and packages, with who used, accepted and fetched them."""
    organizer, teams = testers[0], list(Team.objects.filter(bots__entries__campaign=campaign))
    members = [campaign.team_members.filter(team=team).first().person for team in teams]
    Invitation.objects.bulk_create(
        Invitation(
            campaign=campaign, digest=f"i{number}", name=f"i{number}", team=team, made_by=organizer, made_at=at,
            expires_at=at + timedelta(days=1), roles=["participant"], used_by=member, used_at=at if number % 2 else None,
        )
        for number, (team, member) in enumerate(zip(teams, members, strict=True))
    )  # fmt: skip
    Application.objects.bulk_create(
        Application(campaign=campaign, applicant=one, name_en="x", affiliation="x", contact="x", applied_at=at)
        for one in [*members, *testers]
    )
    agreements = Agreement.objects.bulk_create(
        Agreement(campaign=campaign, version=number, text_en="x", written_by=organizer, written_at=at)
        for number in range(1, N_BOTS)
    )
    Acceptance.objects.bulk_create(
        Acceptance(agreement=agreements[-1], team=team, person=member, at=at)
        for team, member in zip(teams, members, strict=True)
    )
    packages = DataPackage.objects.bulk_create(
        DataPackage(campaign=campaign, file_name="x", size=1, sha256="0" * 64, uploaded_by=organizer, uploaded_at=at)
        for _ in range(N_BOTS)
    )
    PackageDownload.objects.bulk_create(
        PackageDownload(package=packages[0], person=member, team=team, at=at)
        for team, member in zip(teams, members, strict=True)
    )
    for person in (organizer, Person.objects.get(username="organizer")):
        for number in range(N_BOTS):
            ApiToken.objects.create(user=person, name=f"token {number}", campaign=campaign.slug)


def add_pairs(campaign, done, testers, at):
    """Each tester compared a pair per system, and the board counts their votes."""
    by_entry = {one.assignment.entry_id: one for one in done}
    entries = sorted(by_entry)
    judged = [(judge, entry, other) for judge in testers for entry, other in pairwise(entries)]
    pairs = Pair.objects.bulk_create(
        Pair(
            campaign=campaign, kind="live", scenario_id=by_entry[entry].assignment.scenario_id, left_id=entry, right_id=other,
            left_dialogue=by_entry[entry], right_dialogue=by_entry[other], judge=judge, key=f"{judge.pk}/{number}",
            position=number, number=1000 + number, draw="balanced", drawn_at=at,
        )
        for number, (judge, entry, other) in enumerate(judged)
    )  # fmt: skip
    PairVote.objects.bulk_create(
        PairVote(pair=one, judge=one.judge, verdict=("left", "right", "tie")[number % 3], reason="so", at=at)
        for number, one in enumerate(pairs)
    )
    Campaign.objects.filter(pk=campaign.pk).update(pairs_kind="live")
    refresh_pair_board(campaign=campaign, at=at)


def add_replays(done, at):
    """Dialogues put to their system again, by its team and by the organizer, and rounds of the sentinel with their drifts."""
    organizer = Person.objects.get(username="organizer")
    entries = {one.assignment.entry_id: one.assignment.entry for one in done}.values()
    rounds = SentinelRound.objects.bulk_create(
        SentinelRound(
            entry=one, began_at=at - timedelta(days=day), ended_at=at, limit_percent=30, drift=0.5, is_flagged=True,
            **({"settled": "noted", "settled_at": at, "settled_by": organizer} if day else {}),
        )
        for one in entries for day in range(3)
    )  # fmt: skip
    said = {"asked_at": at, "ended_at": at, "n_lines": 8, "n_attempts": 1, "state": "done", "distance": 0.5}
    replays = Replay.objects.bulk_create(
        Replay(dialogue=one, against=one.assignment.entry, asked_by=organizer, is_of_team=is_of_team, **said)
        for one in done[:N_SCORED] for is_of_team in (False, True)
    )  # fmt: skip
    Replay.objects.bulk_create(
        Replay(dialogue=done[0], against=one.entry, round=one, is_of_sentinel=True, **said) for one in rounds
    )
    ReplayTurn.objects.bulk_create(
        ReplayTurn(replay=one, turn=turn, attempt=1, number=turn.number, outcome="reply", texts=["z"], ended_at=at)
        for one in replays for turn in one.dialogue.turns.all()
    )  # fmt: skip


def add_tasks(campaign, at):
    """Runs, a service and a quota of each team, and more tasks."""
    quality, teams = campaign.automatic_tasks.get(), list(Team.objects.filter(bots__entries__campaign=campaign))
    add_runs(quality, (RUNS / "run.json").read_bytes(), N_BOTS)
    said = {"protocol": "smp2018_task1", "url": "http://service.example.com/"}
    for team in teams:
        quality.team_quotas.create(team=team, total=9, reason="late")
        quality.services.get_or_create(team=team, defaults={"url": said["url"], "registered_at": at})
    services = list(quality.services.all())
    ServiceCheck.objects.bulk_create(
        ServiceCheck(service=one, asked_at=at, state="done", verdict="pass", ended_at=at, **said) for one in services
    )
    ServiceFingerprint.objects.bulk_create(ServiceFingerprint(service=one, taken_at=at, **said) for one in services)
    for number in range(N_BOTS):
        task = AutomaticTask.objects.get(pk=quality.pk)
        task.pk, task.key = None, f"task-{number}"
        task.save()
