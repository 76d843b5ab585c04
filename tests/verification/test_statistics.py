"""Intervals, ranks in resamples and tests are drawn again from the rows of a bundle, and a changed digit is named."""

import io
import json

import pytest
from django.utils import timezone

from campaigns.models import Campaign, Scenario
from dialogues.models import Dialogue
from leaderboards.actions import refresh_leaderboard, refresh_statistics
from leaderboards.live_board import current_statistics
from leaderboards.models import ImportedRecord
from participants.models import Bot
from publication.bundle import bundle_pieces
from publication.bundle.documents import drawn_statistics
from publication.bundle.writing import names_of
from tests.leaderboards.played import played
from tests.verification.conftest import AT
from tests.verification.tampering import document, files_of, with_new_hashes, zipped
from verification import verify as command

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    """Played, with a record that came from elsewhere, and a dialogue that names no scenario."""
    campaign = played("smp2018")
    entry = campaign.entries.order_by("pk").last()
    record = {
        "team": entry.bot.team.name,
        "scenario": "elsewhere",
        "reviewer": "r",
        "subtasks": [{"kind": "flight", "completed": True, "turns": 3, "cap": 9}],
        "ratings": {"fluency": 0.5},
    }
    ImportedRecord.objects.create(campaign=campaign, entry=entry, scenario="elsewhere", reviewer="r", content=record)
    imported = Scenario.objects.create(campaign=campaign, key="imported", position=99)
    counted = Dialogue.objects.of_campaign(campaign).filter(reviews__is_counted=True).order_by("opened_at")
    for dialogue in list(counted)[:2]:
        dialogue.assignment.scenario = imported
        dialogue.assignment.save()
        dialogue.origin, dialogue.external_id = "imported", f"elsewhere {dialogue.pk}"
        dialogue.save()
        dialogue.subtasks.update(kind="dialogue", turn_cap=max(1, dialogue.turns_used))
    return campaign


def bundle_of(campaign, *, hides_teams, **options):
    out = io.BytesIO()
    out.writelines(bundle_pieces(campaign, hides_teams=hides_teams, at=AT, **options))
    return out.getvalue()


@pytest.fixture
def told(tmp_path):
    """What the command says of those files, made anew with fitting hashes."""

    def say(files, **options):
        path = tmp_path / "b.zip"
        path.write_bytes(zipped(with_new_hashes(files)))
        out = io.StringIO()
        code = command.run(path, digest="", format="text", out=out, **options)
        return code, out.getvalue()

    return say


def changed(files, change):
    statistics = json.loads(files["statistics.json"])
    change(statistics["statistics"])
    return files | {"statistics.json": document(statistics)}


def test_what_was_drawn_is_drawn_again_under_names_and_under_aliases(campaign, told):
    now = timezone.now()
    assert json.loads(files_of(bundle_of(campaign, hides_teams=False))["statistics.json"]) == {"statistics": None}
    refresh_leaderboard(campaign=campaign, at=now)
    refresh_statistics(campaign=campaign, at=now)
    campaign.refresh_from_db()
    files = files_of(bundle_of(campaign, hides_teams=False))
    statistics = json.loads(files["statistics.json"])["statistics"]
    assert set(statistics["rows"]) == {row["key"] for row in json.loads(files["leaderboard.json"])["rows"]}
    assert "snapshots" not in statistics
    code, text = told(files, draws=True)
    assert (code, "tests were drawn again with their seed" in text) == (0, True), text
    assert told(files)[0] == 0
    assert "--statistics draws them again" in told(files)[1]

    # Names that the id of such a dialogue, or what it is called for want of a scenario, holds too.
    alone = Dialogue.objects.filter(assignment__scenario__key="imported").first()
    Bot.objects.filter(entries__campaign=campaign).update(name=str(alone.pk).split("-")[0])
    Campaign.objects.filter(pk=campaign.pk).update(masked_words=["imported"])
    under_aliases = files_of(bundle_of(campaign, hides_teams=True, statistics_of=drawn_statistics))
    code, text = told(under_aliases, draws=True)
    assert (code, "tests were drawn again with their seed" in text) == (0, True), text
    aliases = json.loads(under_aliases["statistics.json"])["statistics"]
    assert set(aliases["rows"]) <= set(campaign.entries.values_list("alias", flat=True))
    assert files_of(bundle_of(campaign, hides_teams=True))["statistics.json"] == document({"statistics": None})
    said = told(files_of(bundle_of(campaign, hides_teams=True)), draws=True)
    assert (said[0], "not checked: intervals and tests: the bundle holds no statistics" in said[1]) == (0, True)
    # Nobody can tell by the last digits which alias is whose: they are drawn in an order of their own.
    drawn = drawn_statistics(campaign, names_of(campaign, hides_teams=True, at=AT))
    assert drawn != current_statistics(campaign)

    first = statistics["pairs"][0]
    key = next(iter(first["tests"]))
    row = next(iter(statistics["rows"]))
    for change, place in (
        (lambda made: made["pairs"][0]["tests"][key].update(p=0.0004), f"pairs[0].tests.{key}.p is 0.0004"),
        (lambda made: made["rows"][row].update(rank_interval=[1, 1, 1]), f"rows.{row}.rank_interval[2] is 1"),
        (lambda made: made["rows"][row]["rank_probabilities"].reverse(), f"rows.{row}.rank_probabilities[0]"),
        (lambda made: made["pairs"].pop(), "pairs["),
        (lambda made: made.update(seed=2), "seed is 2; drawn again it is 1"),
    ):
        code, text = told(changed(files, change), draws=True)
        assert (code, f"differs: statistics.json: {place}" in text) == (1, True), text
        assert told(changed(files, change))[0] == 0, "only where it is asked for"
    assert told(changed(files, lambda made: made.update(numpy="0.1")), draws=True)[0] == 0
    code, text = told(files | {"statistics.json": b"["}, draws=True)
    assert (code, "statistics.json: is no JSON" in text) == (1, True)


def test_where_libraries_are_missing_it_says_what_to_install(campaign, told, monkeypatch):
    def missing(name):
        raise ImportError(name=name)

    monkeypatch.setattr(command, "import_module", missing)
    files = files_of(bundle_of(campaign, hides_teams=False))
    assert told(files)[0] == 0
    code, text = told(files, draws=True)
    assert (code, "--statistics needs numpy and scipy, and numpy is not here" in text) == (1, True)
