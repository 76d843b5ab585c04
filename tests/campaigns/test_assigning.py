"""Drawing as an action: what it stores, what it leaves alone, and that it does what its preview says."""

from collections import Counter

import pytest
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import PreviewIsOld, draw_assignments, load_campaign, preview_drawing
from campaigns.models import Assignment
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db

BOTS = "\n".join(
    f'[[bots]]\nkey = "{key}"\nteam = "Team {key.upper()}"\nurl = "http://127.0.0.1:9/{key}"\n' for key in "bcd"
)
SCENARIOS = "\n".join(
    f'[[scenarios]]\nkey = "s{number}"\nopening = "你好"\nsubtasks = [{{kind = "flight", turn_cap = 3}}]\n'
    for number in (2, 3, 4)
)
PEOPLE = "\n".join(f'[[people]]\nusername = "tester-{number}"\nroles = ["tester"]\n' for number in (2, 3, 4))
DRAWN_CAMPAIGN = SMALL_CAMPAIGN.replace("free_choice = true", "free_choice = false") + BOTS + SCENARIOS + PEOPLE


@pytest.fixture
def drawn(db):
    """4 testers × 4 bots × 4 scenarios; two testers per bot and scenario: 32 assignments, 8 each."""
    campaign, _ = load_campaign(spec=spec_of(DRAWN_CAMPAIGN))
    campaign.plan, campaign.testers_per_cell = "per_cell", 2
    campaign.save()
    draw_assignments(campaign=campaign)
    return campaign


def begin(assignments):
    Assignment.objects.filter(pk__in=[one.pk for one in assignments]).update(started_at=timezone.now())


def first_of_each_tester(campaign):
    return [one for one in campaign.assignments.all() if one.position == 1]


def rows_of(campaign):
    return set(campaign.assignments.values_list("pk", "tester__username", "entry__key", "scenario__key", "position"))


def test_two_testers_meet_each_bot_in_each_scenario(drawn):
    cells = Counter(drawn.assignments.values_list("entry__key", "scenario__key"))
    assert len(cells) == 16
    assert set(cells.values()) == {2}
    assert set(Counter(drawn.assignments.values_list("tester__username")).values()) == {8}


def test_drawing_does_exactly_what_its_preview_says(drawn):
    begin(first_of_each_tester(drawn))
    before = rows_of(drawn)
    drawn.roles.filter(person__username="tester-4").delete()
    preview = preview_drawing(campaign=drawn)
    assert (len(preview.add), len(preview.take_away), len(preview.leave)) == (7, 7, 25)
    assert rows_of(drawn) == before
    assert draw_assignments(campaign=drawn, previewed=preview.digest()) == preview
    after = rows_of(drawn)
    assert {row[0] for row in before - after} == {row.id for row in preview.take_away}
    assert Counter(row[1:] for row in after - before) == Counter((*row.triple, row.position) for row in preview.add)
    assert not draw_assignments(campaign=drawn)


def test_a_preview_that_is_old_draws_nothing(drawn):
    begin(first_of_each_tester(drawn))
    drawn.roles.filter(person__username="tester-4").delete()
    preview = preview_drawing(campaign=drawn)
    begin(drawn.assignments.filter(tester__username="tester-4"))
    before = rows_of(drawn)
    with pytest.raises(PreviewIsOld):
        draw_assignments(campaign=drawn, previewed=preview.digest())
    assert rows_of(drawn) == before


def test_before_the_first_dialogue_a_smaller_plan_is_drawn_anew_and_keeps_what_both_have(drawn):
    kept = set(drawn.assignments.values_list("pk", flat=True))
    drawn.testers_per_cell = 3
    drawn.save()
    draw_assignments(campaign=drawn)
    assert drawn.assignments.count() == 48
    assert len(kept & set(drawn.assignments.values_list("pk", flat=True))) > 0
    for tester in ("tester", "tester-2"):
        positions = drawn.assignments.filter(tester__username=tester).values_list("position", flat=True)
        assert sorted(positions) == list(range(1, 13))


def test_an_assignment_that_was_chosen_by_hand_is_not_drawn_and_not_taken_away(drawn):
    drawn.assignments.all().delete()
    chosen = Assignment.objects.create(
        campaign=drawn,
        tester=Person.objects.get(username="tester"),
        entry=drawn.entries.get(key="a"),
        scenario=drawn.scenarios.get(key="s2"),
        position=1,
        is_drawn=False,
        started_at=timezone.now(),
    )
    drawn.plan = "full"
    drawn.save()
    draw_assignments(campaign=drawn)
    assert drawn.assignments.filter(is_drawn=True).count() == 4 * 4 * 4
    twin = drawn.assignments.get(is_drawn=True, tester=chosen.tester, entry=chosen.entry, scenario=chosen.scenario)
    assert twin.repetition == 2
    assert Assignment.objects.filter(pk=chosen.pk).exists()


def test_where_testers_choose_nothing_is_drawn_and_nothing_taken_away(drawn):
    drawn.free_choice = True
    drawn.save()
    drawn.roles.filter(role="tester").delete()
    assert not draw_assignments(campaign=drawn)
    assert drawn.assignments.count() == 32


def test_a_load_draws_for_others_what_somebody_who_left_had_not_begun(drawn):
    begin(first_of_each_tester(drawn))
    without_one = DRAWN_CAMPAIGN.replace('[[people]]\nusername = "tester-4"\nroles = ["tester"]\n', "")
    assert load_campaign(spec=spec_of(without_one))[1] == []
    _, changes = load_campaign(spec=spec_of(without_one), prunes=True)
    assert "7 assignments drawn" in changes
    assert "7 assignments taken away that had not begun" in changes
    assert drawn.assignments.filter(tester__username="tester-4").count() == 1


def test_a_drawing_takes_few_statements_whatever_it_draws(drawn, django_assert_max_num_queries):
    drawn.assignments.all().delete()
    with django_assert_max_num_queries(24):
        draw_assignments(campaign=drawn)
    drawn.roles.filter(person__username="tester-4").delete()
    begin(first_of_each_tester(drawn))
    with django_assert_max_num_queries(24):
        draw_assignments(campaign=drawn)
