"""Plans that multiply: counted before they are drawn, previewed without a write, stored in pieces beside other writers."""

from threading import Thread

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from campaigns.actions import (
    OnlyStaff,
    PreviewIsOld,
    assigning,
    change_settings,
    copy_campaign,
    draw_assignments,
    load_file,
    loading,
    preview_drawing,
    preview_load,
    resume_bot,
    withdraw_bot,
)
from campaigns.actions.leaving import leave_as_tester, preview_leave
from campaigns.actions.scenarios import import_scenarios, preview_scenarios, remove_scenario, store_scenario
from campaigns.campaign_file.reader import ScenarioSpec, SubtaskSpec
from campaigns.models import Assignment, Campaign, Entry
from campaigns.planning.plan_sizes import PlanTooLarge
from reading.checking import BadFile
from reading.kinds import Texts
from tests.campaigns.test_assigning import DRAWN_CAMPAIGN, drawn, rows_of
from tests.conftest import SMALL_CAMPAIGN, spec_of

__all__ = ["drawn"]
HEAD = '[campaign]\nslug = "large"\nname = "large"\n'
ATTACK = HEAD + "".join(
    [
        *(f'[[bots]]\nkey = "b{n}"\nteam = "T{n}"\nurl = "http://127.0.0.1:9/"\n' for n in range(60)),
        *(f'[[scenarios]]\nkey = "s{n}"\nsubtasks = [{{kind = "f"}}]\n' for n in range(100)),
        *(f'[[people]]\nusername = "p{n}"\nroles = ["tester"]\n' for n in range(200)),
    ]
)
FLIGHT = ScenarioSpec(key="new", subtasks=(SubtaskSpec("flight", 3),))


def nothing_is_written(queries):
    return all(query["sql"].lstrip("( ").upper().startswith("SELECT") for query in queries)


@pytest.mark.django_db
def test_a_small_file_with_a_huge_plan_is_counted_and_refused_before_anything_is_drawn(monkeypatch):
    monkeypatch.setattr(loading, "changes_of", lambda *drawn, **seed: pytest.fail("it was drawn"))
    assert len(ATTACK) < 19_000
    for load in (preview_load, load_file):
        with CaptureQueriesContext(connection) as context, pytest.raises(BadFile) as bad:
            load(spec=spec_of(ATTACK))
        (problem,) = bad.value.problems
        assert problem.place == "[plan] kind"
        assert problem.message.startswith(
            "60 systems × 200 testers × 100 scenarios are 1,200,000 assignments, more than"
        )
        assert len(context) < 40
    assert (Campaign.objects.count(), Entry.objects.count(), Assignment.objects.count()) == (0, 0, 0)
    assert not Person.objects.filter(username__startswith="p").exists()


@pytest.mark.django_db(transaction=True)
def test_a_preview_only_reads(drawn):
    changed = DRAWN_CAMPAIGN.replace('key = "s2"', 'key = "s9"').replace('"tester-2"', '"tester-9"')
    for prunes in (False, True):
        with CaptureQueriesContext(connection) as context:
            loaded = preview_load(spec=spec_of(changed), prunes=prunes)
        assert "scenario s9 added" in loaded.report.changes
        assert nothing_is_written(context.captured_queries)
    with CaptureQueriesContext(connection) as context:
        seen = preview_scenarios(campaign=drawn, rows=[("row 2", FLIGHT)], at=timezone.now())
    assert seen.report.changes[0] == "scenario new added"
    assert nothing_is_written(context.captured_queries)
    rows = [("row 2", FLIGHT)]
    done = import_scenarios(campaign=drawn, rows=rows, name="t.csv", by=None, at=timezone.now(), previewed=seen.digest)
    assert done.report.changes == seen.report.changes
    assert drawn.assignments.count() == 40


def write_beside():
    """Another connection takes its turn and commits, or the writer is held by somebody."""
    failed = []

    def write():
        try:
            with transaction.atomic():
                Person.objects.filter(username="tester").update(language="en")
        except Exception as held:
            failed.append(held)
        finally:
            connections.close_all()

    thread = Thread(target=write)
    thread.start()
    thread.join()
    assert not failed, failed


@pytest.mark.django_db(transaction=True)
def test_turns_are_written_while_a_file_is_previewed(drawn, monkeypatch):
    n_writes = []
    changes_of = loading.changes_of

    def drawing(*ground, **seed):
        write_beside()
        n_writes.append(1)
        return changes_of(*ground, **seed)

    monkeypatch.setattr(loading, "changes_of", drawing)
    preview_load(spec=spec_of(DRAWN_CAMPAIGN.replace('key = "s2"', 'key = "s9"')))
    assert n_writes == [1]


def after_each_piece(do):
    """Has something done whenever a transaction is stored that adds to a plan."""

    def noting(execute, sql, *rest):
        if sql.startswith('INSERT INTO "campaigns_assignment"'):
            connection.on_commit(do)
        return execute(sql, *rest)

    return connection.execute_wrapper(noting)


@pytest.mark.django_db(transaction=True)
def test_a_large_plan_is_stored_in_pieces_between_which_others_write(drawn, monkeypatch):
    whole = {row[1:] for row in rows_of(drawn)}
    drawn.assignments.all().delete()
    monkeypatch.setattr(assigning, "IN_ONE_TRANSACTION", 31)
    monkeypatch.setattr(assigning, "PIECE", 10)
    n_stored = []

    def look_and_write():
        n_stored.append(drawn.assignments.count())
        write_beside()

    with after_each_piece(look_and_write):
        draw_assignments(campaign=drawn)
    assert n_stored == [10, 20, 30, 32]
    assert {row[1:] for row in rows_of(drawn)} == whole
    assert not draw_assignments(campaign=drawn)


@pytest.mark.django_db(transaction=True)
def test_a_drawing_in_pieces_stops_where_its_ground_changes_and_is_completed_by_the_next(drawn, monkeypatch):
    drawn.assignments.all().delete()
    monkeypatch.setattr(assigning, "IN_ONE_TRANSACTION", 20)
    monkeypatch.setattr(assigning, "PIECE", 10)
    with pytest.raises(PreviewIsOld), after_each_piece(drawn.roles.filter(person__username="tester-4").delete):
        draw_assignments(campaign=drawn)
    assert drawn.assignments.count() == 10
    lines = TrailLine.objects.filter(act="plan.drawn").order_by("number")
    assert lines.last().details == {"added": 10, "taken_away": 0}, "the trail tells what was stored"
    draw_assignments(campaign=drawn)
    assert drawn.assignments.count() == 32
    assert not drawn.assignments.filter(tester__username="tester-4").exists()


@pytest.mark.django_db(transaction=True)
def test_a_file_with_a_large_plan_is_stored_first_and_drawn_after_the_commit(db, monkeypatch):
    monkeypatch.setattr(assigning, "IN_ONE_TRANSACTION", 63)
    monkeypatch.setattr(loading, "IN_ONE_TRANSACTION", 63)
    spec = spec_of(DRAWN_CAMPAIGN)
    with transaction.atomic():
        loaded = load_file(spec=spec)
        assert Assignment.objects.count() == 0
    assert loaded.report.changes[-1] == "up to 64 assignments are drawn after this is stored"
    assert Assignment.objects.count() == 64
    assert load_file(spec=spec).report.changes == []


@pytest.mark.django_db
def test_an_act_that_makes_the_plan_too_large_is_refused_and_changes_nothing(drawn):
    drawn.plan_limit = 32
    drawn.save()
    before, at = rows_of(drawn), timezone.now()
    with pytest.raises(PlanTooLarge):
        store_scenario(campaign=drawn, spec=FLIGHT, by=None, at=at)
    with pytest.raises(PlanTooLarge):
        import_scenarios(campaign=drawn, rows=[("row 2", FLIGHT)], name="t.csv", by=None, at=at)
    assert rows_of(drawn) == before
    assert not drawn.scenarios.filter(key="new").exists()
    entry = drawn.entries.get(key="b")
    withdraw_bot(entry=entry, because="it is broken", at=at)
    Campaign.objects.update(plan_limit=24)
    with pytest.raises(PlanTooLarge):
        resume_bot(entry=entry, because="it is mended")
    entry.refresh_from_db()
    assert entry.withdrawn_at == at


@pytest.mark.django_db
def test_what_makes_a_plan_smaller_is_open_however_large_the_plan_is(drawn):
    """Its rows leave the plan with it; nothing is drawn in their place."""
    Campaign.objects.update(plan_limit=1)
    at, before = timezone.now(), {row[1:] for row in rows_of(drawn)}
    with pytest.raises(PlanTooLarge):
        preview_drawing(campaign=Campaign.objects.get(pk=drawn.pk))
    withdraw_bot(entry=drawn.entries.get(key="b"), because="it is broken", at=at)
    remove_scenario(scenario=drawn.scenarios.get(key="s3"), by=None, at=at)
    tester = Person.objects.get(username="tester-4")
    drawn.refresh_from_db()
    seen = preview_leave(campaign=drawn, person=tester)
    leave_as_tester(campaign=drawn, person=tester, because="ill", by=None, at=at, previewed=seen.digest())
    left = {row[1:] for row in rows_of(drawn)}
    assert left == {row for row in before if row[1] != "b" and row[2] != "s3" and row[0] != "tester-4"}


@pytest.mark.django_db
def test_only_staff_let_a_plan_have_more_than_the_usual_limit(campaign, organizer, reviewer):
    staff = reviewer
    staff.is_staff = True
    text = SMALL_CAMPAIGN.replace("[reviewing]", "[plan]\nlimit = 200000\n[reviewing]")
    with pytest.raises(OnlyStaff):
        change_settings(campaign=campaign, changes={"plan_limit": 100_001}, by=organizer)
    for load in (preview_load, load_file):
        with pytest.raises(BadFile) as bad:
            load(spec=spec_of(text), by=organizer)
        assert [str(problem) for problem in bad.value.problems] == [
            "[plan] limit: only staff of the platform let a plan have more than 100,000 assignments"
        ]
    change_settings(campaign=campaign, changes={"plan_limit": 99_999}, by=organizer)
    change_settings(campaign=campaign, changes={"plan_limit": 300_000}, by=staff)
    # What staff allowed may be lowered by the organizer, and a copy does not have it.
    load_file(spec=spec_of(text), by=organizer)
    assert Campaign.objects.get(pk=campaign.pk).plan_limit == 200_000
    copy = copy_campaign(source=Campaign.objects.get(pk=campaign.pk), slug="copy", name=Texts("x", "x"), by=organizer)
    assert copy.plan_limit == 100_000


@pytest.mark.parametrize(
    ("table", "most", "row"),
    [("bots", 500, 'key = "k{n}"\nteam = "T"'), ("people", 2000, 'username = "k{n}"'),
     ("scenarios", 5000, 'key = "k{n}"\nsubtasks = [{{kind = "f"}}]')],
)  # fmt: skip
def test_a_file_holds_at_most_so_many_rows_of_a_table(table, most, row):
    rows = [f"[[{table}]]\n{row.format(n=n)}\n" for n in range(most + 1)]
    assert len(getattr(spec_of(HEAD + "".join(rows[:most])), table)) == most
    with pytest.raises(BadFile) as bad:
        spec_of(HEAD + "".join(rows))
    (problem,) = bad.value.problems
    assert str(problem) == f"[[{table}]]: holds {most + 1} tables; at most {most} are read"
