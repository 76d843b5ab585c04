"""manage.py copy_rubric: a rubric under a key of its own, and the table that a campaign file takes it by."""

import tomllib

import pytest
from django.core.management import CommandError, call_command

from campaigns.actions import load_campaign
from rubrics.actions import preset_of, rubric_from_preset
from rubrics.models import Rubric
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.rubrics.test_actions import SMP2018, WIDER

pytestmark = pytest.mark.django_db


def copied(capsys, *arguments):
    call_command("copy_rubric", *arguments)
    return capsys.readouterr().out


def test_the_printed_table_makes_a_campaign_with_the_copy(capsys):
    table = copied(capsys, "smp2018", "ours")
    campaign, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN + table))
    assert str(campaign.rubric) == "ours v1"
    assert preset_of(campaign.rubric).criteria == SMP2018.criteria
    assert set(map(str, Rubric.objects.all())) == {"smp2018 v1", "ours v1"}


def test_the_latest_version_is_copied_or_the_one_that_is_named(capsys):
    rubric_from_preset(SMP2018)
    rubric_from_preset(WIDER)
    latest = tomllib.loads(copied(capsys, "smp2018", "wide"))["rubric"]
    first = tomllib.loads(copied(capsys, "smp2018", "narrow", "--rubric-version", "1"))["rubric"]
    n_points = [sum(len(criterion["points"]) for criterion in table["criteria"]) for table in (latest, first)]
    assert n_points == [sum(len(one.points) for one in preset.criteria) for preset in (WIDER, SMP2018)]
    assert n_points[0] > n_points[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing", "ours"), "There is no rubric 'nothing'. There are: msde, ntcir14, "),
        (("smp2018", "ours", "--rubric-version", "3"), "no rubric 'smp2018' in version 3"),
        (("smp2018", "our rubric"), "NEW_KEY must be letters, digits"),
        (("smp2018", "msde"), "'msde' is the rubric of a preset"),
    ],
)
def test_what_cannot_be_copied_is_said(arguments, said):
    with pytest.raises(CommandError, match=said):
        call_command("copy_rubric", *arguments)
    assert not Rubric.objects.exists()


def test_a_key_is_taken_once(capsys):
    copied(capsys, "smp2018", "ours")
    with pytest.raises(CommandError, match="There is a rubric 'ours' already"):
        call_command("copy_rubric", "smp2018", "ours")
