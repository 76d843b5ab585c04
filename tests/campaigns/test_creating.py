"""A campaign made in the browser has the rules that a file of the same preset would give it."""

from datetime import UTC, datetime

import pytest

from audit.models import TrailLine
from campaigns.actions import DatesOutOfOrder, SlugTaken, copy_campaign, create_campaign, load_campaign
from campaigns.calendar import DATES
from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.models import Campaign, Role
from campaigns.presets import PRESETS
from reading.checking import BadFile
from reading.kinds import Texts
from tests.campaigns.campaign_file.test_dumping import WHOLE
from tests.conftest import spec_of

pytestmark = pytest.mark.django_db
NAME = Texts("新评测", "New one")


def made(organizer, **named):
    return create_campaign(**{"slug": "fresh", "name": NAME, "preset": "smp2018", "by": organizer} | named)


@pytest.mark.parametrize("preset", PRESETS)
def test_it_has_the_rules_that_a_file_with_the_preset_alone_gives(organizer, preset):
    text = f'[campaign]\nslug = "filed"\nname = {{zh = "新评测", en = "New one"}}\npreset = "{preset}"\n'
    filed, _ = load_campaign(spec=spec_of(text))
    fresh = made(organizer, preset=preset)
    for setting in SETTINGS.values():
        assert setting.value_in(fresh) == setting.value_in(filed), setting.name
    assert (fresh.rubric, fresh.ranking_rule) == (filed.rubric, filed.ranking_rule)


def test_the_maker_organizes_it_and_that_is_one_line(organizer):
    before = TrailLine.objects.count()
    fresh = made(organizer, language="en")
    assert [(one.person, one.role) for one in fresh.roles.all()] == [(organizer, Role.ORGANIZER)]
    line = TrailLine.objects.latest("number")
    assert (TrailLine.objects.count(), line.act, line.person) == (before + 1, "campaign.created", "organizer")
    assert (fresh.language, line.campaign, line.details) == ("en", "fresh", {"preset": "smp2018"})


@pytest.mark.parametrize("slug", ["small", "new"])
def test_an_address_belongs_to_one_campaign_and_to_no_page(organizer, slug):
    with pytest.raises(SlugTaken):
        made(organizer, slug=slug)
    assert Campaign.objects.count() == 1


def test_dates_in_the_wrong_order_make_nothing(organizer):
    late = datetime(2026, 3, 2, tzinfo=UTC)
    with pytest.raises(DatesOutOfOrder):
        made(organizer, dates={"testing_from": late, "testing_until": late})
    assert not Campaign.objects.filter(slug="fresh").exists()


def test_a_copy_has_settings_rubric_and_scenarios_and_nobody_of_the_other(organizer):
    source, _ = load_campaign(spec=spec_of(WHOLE))
    copy = copy_campaign(source=source, slug="again", name=NAME, by=organizer)
    own = {"name", "is_published", *DATES}
    for setting in SETTINGS.values():
        if setting.name not in own:
            assert setting.value_in(copy) == setting.value_in(source), setting.name
    assert (copy.rubric, copy.name_en, copy.is_published, copy.testing_until) == (source.rubric, "New one", False, None)
    assert copy.drawing_seed != source.drawing_seed
    assert [role.person for role in copy.roles.all()] == [organizer]
    assert (copy.entries.count(), copy.assignments.count(), copy.team_members.count()) == (0, 0, 0)
    pairs = zip(source.scenarios.all(), copy.scenarios.all(), strict=True)
    for theirs, ours in pairs:
        for name in ("key", "position", "opening", "items", "context", "skill", "title_en"):
            assert getattr(ours, name) == getattr(theirs, name)
        assert [(one.kind, one.turn_cap) for one in ours.subtasks.all()] == [
            (one.kind, one.turn_cap) for one in theirs.subtasks.all()
        ]
    assert TrailLine.objects.latest("number").details == {"copied_from": "whole"}


def test_a_file_cannot_take_the_address_of_a_page():
    with pytest.raises(BadFile, match="is the address of a page"):
        spec_of('[campaign]\nslug = "new"\nname = "x"\n')
