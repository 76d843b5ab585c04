"""A changed preset is a new version of its rubric; what was made with the old one keeps it."""

import threading
from dataclasses import replace

import pytest
from django.db import IntegrityError, connection, transaction

from campaigns.actions import load_campaign
from campaigns.presets import PRESETS
from rubrics import actions
from rubrics.actions import KeyInUse, copy_rubric, preset_of, rubric_from_preset, stored_versions
from rubrics.models import Rubric
from rubrics.scales import Point
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.trail import lines_of

pytestmark = pytest.mark.django_db

SMP2018 = PRESETS["smp2018"].rubric
GUIDANCE = SMP2018.criteria[-1]
WIDER = replace(
    SMP2018, criteria=(*SMP2018.criteria[:-1], replace(GUIDANCE, points=(*GUIDANCE.points, Point(2, "很会", "a lot"))))
)


def with_guidance(**changes):
    return replace(SMP2018, criteria=(*SMP2018.criteria[:-1], replace(GUIDANCE, **changes)))


@pytest.fixture
def changed_preset(monkeypatch):
    """As if a later release shipped the preset with a wider scale."""
    monkeypatch.setitem(PRESETS, "smp2018", replace(PRESETS["smp2018"], rubric=WIDER))


def scores(rubric):
    return rubric.criteria.get(key="guidance").scores()


def test_the_same_preset_is_stored_once():
    assert rubric_from_preset(SMP2018) == rubric_from_preset(SMP2018)
    assert Rubric.objects.count() == 1


@pytest.mark.parametrize("preset", [preset.rubric for preset in PRESETS.values()], ids=PRESETS)
def test_a_stored_rubric_says_what_its_preset_says(preset):
    stored = rubric_from_preset(preset)
    assert preset_of(Rubric.objects.get(pk=stored.pk)) == preset
    assert rubric_from_preset(preset) == stored


@pytest.mark.parametrize(
    "changed",
    [
        WIDER,
        replace(SMP2018, asks_for_verdicts=False),
        replace(SMP2018, criteria=SMP2018.criteria[::-1]),
        replace(SMP2018, criteria=SMP2018.criteria[:2]),
        replace(SMP2018, criteria=(replace(SMP2018.criteria[0], name_zh="喜欢"), *SMP2018.criteria[1:])),
        replace(SMP2018, shows_latency=True),
        with_guidance(kind="label"),
        with_guidance(scope="turn"),
        with_guidance(better="lower"),
        with_guidance(question_zh="引导了吗？"),
        with_guidance(question_en="Does it guide?"),
        with_guidance(skills=("knowledge",)),
        with_guidance(is_required=False),
        with_guidance(evidence_below=1),
        with_guidance(points=(Point(0, "没有引导", "no guidance", "no"), GUIDANCE.points[1])),
        with_guidance(points=(Point(0, "没有引导", "no guidance", "", "bot"), GUIDANCE.points[1])),
    ],
)
def test_a_changed_preset_is_a_new_version(changed):
    first, second = rubric_from_preset(SMP2018), rubric_from_preset(changed)
    assert (first.version, second.version) == (1, 2)
    assert preset_of(second) == changed
    assert preset_of(Rubric.objects.get(pk=first.pk)) == SMP2018
    assert rubric_from_preset(SMP2018) == first
    assert rubric_from_preset(changed) == second


def blind_at_first(n_times):
    """The look at what is stored, which misses what another load stores at the same moment."""
    looks = []

    def look(preset):
        looks.append(preset)
        return [] if len(looks) <= n_times else stored_versions(preset)

    return look


def test_a_preset_that_another_load_stores_meanwhile_is_found(monkeypatch):
    theirs = rubric_from_preset(SMP2018)
    monkeypatch.setattr(actions, "stored_versions", blind_at_first(1))
    assert rubric_from_preset(SMP2018) == theirs
    monkeypatch.setattr(actions, "stored_versions", blind_at_first(1))
    assert rubric_from_preset(WIDER).version == 2
    assert Rubric.objects.count() == 2


def test_a_version_that_can_never_be_stored_is_an_error_in_the_end(monkeypatch):
    rubric_from_preset(SMP2018)
    monkeypatch.setattr(actions, "stored_versions", blind_at_first(99))
    with pytest.raises(IntegrityError), transaction.atomic():
        rubric_from_preset(SMP2018)


@pytest.mark.django_db(transaction=True)
def test_first_loads_at_the_same_moment_store_one_version():
    together, found = threading.Barrier(4), []

    def load():
        together.wait(10)
        found.append(rubric_from_preset(SMP2018))
        connection.close()

    threads = [threading.Thread(target=load) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [rubric.version for rubric in found] == [1, 1, 1, 1]
    assert Rubric.objects.count() == 1


def test_a_version_stands_once():
    rubric_from_preset(SMP2018)
    with pytest.raises(IntegrityError), transaction.atomic():
        Rubric.objects.create(key=SMP2018.key, version=1, name_zh="x", name_en="x")


def test_rubrics_of_several_keys_and_versions_stand_side_by_side():
    msde = PRESETS["msde"].rubric
    rubrics = [rubric_from_preset(one) for one in (SMP2018, msde, WIDER, SMP2018, msde)]
    assert [str(one) for one in rubrics] == ["smp2018 v1", "msde v1", "smp2018 v2", "smp2018 v1", "msde v1"]


def test_a_copy_has_the_same_content_under_a_key_of_its_own():
    rubric_from_preset(SMP2018)
    wider = rubric_from_preset(WIDER)
    copy = copy_rubric(rubric=wider, key="ours", name_en="Ours")
    assert str(copy) == "ours v1"
    assert preset_of(copy) == replace(WIDER, key="ours", name_en="Ours")
    assert preset_of(Rubric.objects.get(pk=wider.pk)) == WIDER


def test_a_copy_takes_no_key_that_is_in_use(monkeypatch):
    stored = rubric_from_preset(SMP2018)
    with pytest.raises(KeyInUse):
        copy_rubric(rubric=stored, key="smp2018")
    monkeypatch.setattr(actions, "stored_versions", blind_at_first(1))
    with pytest.raises(KeyInUse):
        copy_rubric(rubric=stored, key="smp2018")
    assert Rubric.objects.count() == 1


def test_a_campaign_that_has_begun_keeps_its_rubric_and_says_so(dialogue, campaign, changed_preset):
    _, changes = load_campaign(spec=spec_of(SMALL_CAMPAIGN))
    assert changes == ["campaign keeps rubric smp2018 v1; a new campaign gets smp2018 v2"]
    campaign.refresh_from_db()
    assert scores(campaign.rubric) == [0, 1]
    other, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('slug = "small"', 'slug = "other"')))
    assert scores(other.rubric) == [0, 1, 2]


def test_a_campaign_that_has_not_begun_follows_and_says_so(campaign, changed_preset):
    _, changes = load_campaign(spec=spec_of(SMALL_CAMPAIGN))
    assert changes == ["campaign: rubric smp2018 v1 → smp2018 v2"]
    campaign.refresh_from_db()
    assert scores(campaign.rubric) == [0, 1, 2]
    assert load_campaign(spec=spec_of(SMALL_CAMPAIGN))[1] == []


def test_a_copy_leaves_one_line_of_the_trail(db):
    stored = rubric_from_preset(SMP2018)
    with lines_of() as lines:
        copy_rubric(rubric=stored, key="ours")
    assert [(line.act, line.about, line.details) for line in lines] == [("rubric.copied", "ours", {"of": "smp2018 1"})]
