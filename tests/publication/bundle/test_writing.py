import io
import json
import tracemalloc
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from campaigns.actions import change_settings
from campaigns.models import Scenario, TeamMember
from campaigns.trail_acts import CAMPAIGN_LOADED
from leaderboards.exports import EXPORTS
from leaderboards.live_board import Unranked
from participants.failures import Wire
from participants.models import Bot, Team
from publication.bundle import bundle_pieces
from publication.bundle.rows import OWN_ROWS, changes, fingerprint
from publication.bundle.writing import names_of
from reviews.models import ReviewChange
from tests.campaigns.test_examples import SCORED
from tests.leaderboards.played import example, play, talk_through
from tests.verification.tampering import document, files_of, rows_in, zipped
from verification import recomputing
from verification.bundle_format import COLUMNS
from verification.verifying import verify

pytestmark = pytest.mark.django_db
AT = datetime(2026, 5, 1, 8, tzinfo=UTC)
CANARY = "canaria"


def bytes_of(campaign, *, hides_teams=False, at=AT):
    out = io.BytesIO()
    out.writelines(bundle_pieces(campaign, hides_teams=hides_teams, at=at))
    return out.getvalue()


def report_of(content, tmp_path):
    (tmp_path / "b.zip").write_bytes(content)
    return verify(tmp_path / "b.zip")


def assert_verified(content, tmp_path):
    assert [str(one) for one in report_of(content, tmp_path).findings] == []


@pytest.mark.parametrize("preset", SCORED)
def test_a_fresh_bundle_of_each_example_is_verified_and_always_the_same(preset, tmp_path):
    campaign = play(example(preset))
    for hides_teams in (False, True):
        content = bytes_of(campaign, hides_teams=hides_teams)
        assert_verified(content, tmp_path)
        assert json.loads(files_of(content)["leaderboard.json"])["rows"]
        assert bytes_of(campaign, hides_teams=hides_teams) == content
        assert bytes_of(campaign, hides_teams=hides_teams, at=AT + timedelta(days=1)) != content


POLICIES = {
    "broken dialogues left out": {"broken_dialogues": "left_out"},
    "failed turns charged": {"failed_turns": "charged"},
    "both count": {"counted_reviews": "both", "reviewed_by": "both"},
    "their own scores count": {"counted_reviews": "self", "reviewed_by": "both"},
    "utterances": {"turns_are": "utterances"},
    "utterances, the bot begins": {"turns_are": "utterances", "opened_by": "bot"},
    "a decision is one more record": {"decisions_count": "one_more"},
    "a decision beside the testers' own": {
        "counted_reviews": "both",
        "reviewed_by": "both",
        "decisions_count": "one_more",
    },
    "one cap": {"cap_per": "dialogue", "turn_cap": 12},
}


@pytest.mark.parametrize("policy", POLICIES)
def test_the_figures_follow_the_campaigns_policies(policy, tmp_path):
    campaign = example("smp2018")
    change_settings(campaign=campaign, changes=POLICIES[policy], at=timezone.now())
    assert_verified(bytes_of(play(campaign)), tmp_path)


def test_a_running_campaign_has_a_bundle_too(campaign, dialogue, tmp_path):
    """Its dialogues are open, and its bots have no record."""
    content = bytes_of(campaign)
    assert_verified(content, tmp_path)
    board = json.loads(files_of(content)["leaderboard.json"])
    assert [row["reason"] for row in board["unranked"]] == ["no records"]


def test_the_reasons_are_called_as_on_the_board():
    names = ("NO_RECORDS", "NO_REVIEWS", "NOT_SCORED", "DISPUTED", "NOT_VETTED")
    assert {getattr(recomputing, name) for name in names} == {reason.value for reason in Unranked}


LEFT_OUT = {
    # Requests of replays are in none.
    "attempts.jsonl": {"detail", "evidence", "replay", *Wire._fields},
    "changes.jsonl": {"review", "changed_by_id", "salt", "gone", "reviewer_kind"},
    # Reviewers have aliases there; what is a program's counts only where the campaign says so.
    "reviews.jsonl": {"reviewer_kind"},
    "ratings.jsonl": {"reviewer_kind"},
}


def test_the_columns_are_those_of_the_exports_without_addresses_and_ids_of_the_database(campaign):
    for file, columns in COLUMNS.items():
        if (export := EXPORTS.get(file.removesuffix(".jsonl"))) is not None:
            left_out = set(export.columns(campaign)) - set(columns)
            assert left_out == LEFT_OUT.get(file, set()), file


def test_the_manifest_comes_last_and_nothing_is_ever_written_again(campaign, dialogue):
    archive = zipfile.ZipFile(io.BytesIO(bytes_of(campaign)))
    assert archive.namelist()[-1] == "manifest.json"
    manifest = json.loads(archive.read("manifest.json"))
    assert (manifest["format"], manifest["names"], manifest["made_at"]) == (
        "huace-bundle/4", "teams", "2026-05-01T08:00:00+00:00",
    )  # fmt: skip
    assert archive.testzip() is None


@pytest.mark.parametrize("hides_teams", [False, True])
def test_the_manifest_tells_where_the_trail_of_the_platform_ended(campaign, dialogue, hides_teams, tmp_path):
    with transaction.atomic():
        line = record(CAMPAIGN_LOADED, by=None, campaign="elsewhere")
    content = bytes_of(campaign, hides_teams=hides_teams)
    manifest = json.loads(files_of(content)["manifest.json"])
    assert manifest["trail"] == {"n_lines": line.number, "head": line.hash}
    for trail in (None, {"n_lines": -1, "head": line.hash}, {"n_lines": 1, "head": "x"}):
        changed = files_of(content) | {"manifest.json": document(manifest | {"trail": trail})}
        said = [str(one) for one in report_of(zipped(changed), tmp_path).findings]
        assert "manifest.json: does not tell where the trail of the platform ended" in said


@pytest.fixture
def planted():
    """A played campaign whose teams, bots, entries, texts and people all hold the canary."""
    campaign = example("smp2018")
    for number, team in enumerate(Team.objects.order_by("pk")):
        team.name = f"{CANARY} team {number}"
        team.save()
    for number, bot in enumerate(Bot.objects.order_by("pk")):
        bot.name = f"{CANARY} bot {number}"
        bot.save()
    for number, entry in enumerate(campaign.entries.order_by("pk")):
        entry.key, entry.url = f"{CANARY}-key-{number}", f"http://{CANARY}.example/{number}"
        entry.secret, entry.options = f"{CANARY}-secret", {"path": CANARY}
        entry.save()
    TeamMember.objects.create(
        campaign=campaign, team=Team.objects.create(name=CANARY), person=Person.objects.create_user(f"{CANARY}-member")
    )
    for number, person in enumerate(Person.objects.order_by("pk")):
        person.username = f"{CANARY}-person-{number}"
        person.save()
    Scenario.objects.filter(campaign=campaign).update(facts={CANARY: [f"{CANARY} hotel"]}, context={"persona": CANARY})
    first = campaign.scenarios.order_by("position").first()
    first.key = f"{CANARY}-case"
    first.save()
    play(campaign)
    talk = talk_through(
        campaign, campaign.entries.first(), 0, "open", said=f"我是 C.a.n.a.r.i.a 队的{CANARY}，http://{CANARY}.example/"
    )
    assert talk
    return campaign


def plain_text_of(content):
    return "\n".join(text.decode() for text in files_of(content).values())


def test_with_aliases_no_name_of_a_team_or_bot_is_anywhere_inside(planted, tmp_path):
    content = bytes_of(planted, hides_teams=True)
    assert_verified(content, tmp_path)
    text = plain_text_of(content).casefold()
    assert CANARY not in text
    assert "c.a.n.a.r.i.a" not in text
    assert CANARY.encode() not in content
    aliases = set(planted.entries.values_list("alias", flat=True))
    assert {row["bot"] for row in rows_in(files_of(content)["entries.jsonl"])} == aliases
    assert json.loads(files_of(content)["campaign.json"])["seed"] is None


def test_a_team_that_is_called_as_a_word_of_the_platform_blots_out_none_of_these(tmp_path):
    """Under aliases a reason or flag that is blotted out in one file would differ from the same in another."""
    campaign = example("smp2018")
    for team, name in zip(Team.objects.order_by("pk"), ("Done", "Bot failed", "Cut"), strict=True):
        team.name = name
        team.save()
    content = bytes_of(play(campaign), hides_teams=True)
    assert_verified(content, tmp_path)
    assert {row["reason"] for row in rows_in(files_of(content)["dialogues.jsonl"])} >= {"done", "bot_failed"}


def test_with_names_neither_aliases_nor_people_nor_addresses_are_inside(planted, tmp_path):
    content = bytes_of(planted)
    assert_verified(content, tmp_path)
    text = plain_text_of(content)
    assert f"{CANARY} team 0" in text
    for hidden in (f"{CANARY}-person", f"{CANARY}-secret", f'"{CANARY}.example', '"options"'):
        assert hidden not in text
    for alias in planted.entries.values_list("alias", flat=True):
        assert f'"{alias}"' not in text


def test_imported_records_are_verified_under_both_kinds_of_names(campaign, tmp_path, import_lines):
    """Means over places are added up exactly: 2/3 + 1/7 + 1/3 is another number in another order of floats."""
    places = {n: {f"@{turn}.bot": int(turn == 1) for turn in range(1, n + 1)} for n in (3, 7)}
    import_lines(
        campaign,
        {
            "team": "Team Alpha",
            "bot": "a",
            "scenario": "s",
            "reviewer": "Team Alpha's",
            "ratings": {"fluency": places[3]},
        },
        {
            "team": "Team Alpha",
            "bot": "a",
            "scenario": "t",
            "reviewer": "r2",
            "ratings": {"fluency": places[7], "x": {"y": 1}},
        },
        {
            "team": "Team Alpha",
            "bot": "a",
            "scenario": "s",
            "reviewer": "r3",
            "ratings": {"fluency": {"#1": 1, "#2": 0}},
        },
        {"team": "Team Alpha", "bot": "a", "scenario": "t", "reviewer": "r4", "ratings": {"fluency": places[3]}},
        {
            "team": "乙",
            "scenario": "t",
            "reviewer": "r",
            "ratings": {},
            "note": "Team Alpha 说",
            "dialogue": "Team Alpha 7",
        },
        {"team": "乙", "scenario": "t", "reviewer": "r", "ratings": {}, "dialogue": "7", "dialogue_cap": 30},
    )
    for hides_teams in (False, True):
        content = bytes_of(campaign, hides_teams=hides_teams)
        assert_verified(content, tmp_path)
    assert "Alpha" not in plain_text_of(content)
    rows = json.loads(files_of(content)["leaderboard.json"])["rows"]
    assert [(row["team"], row["n_records"]) for row in rows] == [("", 4), ("", 2)]


@pytest.fixture
def import_lines(tmp_path):
    def imported(campaign, *lines):
        path = tmp_path / "records.jsonl"
        subtasks = [{"kind": "flight", "completed": True, "turns": 3, "cap": 9}]
        path.write_text("".join(json.dumps({"subtasks": subtasks} | line, ensure_ascii=False) + "\n" for line in lines))
        call_command("import_records", str(path), "--campaign", campaign.slug, stderr=io.StringIO())

    return imported


def test_a_fingerprint_tells_bots_apart_and_gives_no_address_away(campaign, settings):
    (entry,) = campaign.entries.all()
    teams, aliases = (names_of(campaign, hides_teams=hides, at=AT) for hides in (False, True))
    first = fingerprint(campaign, entry, teams)
    assert first == fingerprint(campaign, entry, teams) != fingerprint(campaign, entry, aliases)
    entry.url += "v2"
    assert fingerprint(campaign, entry, teams) != first
    entry.url = entry.url.removesuffix("v2")
    settings.SECRET_KEY = "another"
    assert fingerprint(campaign, entry, teams) != first


def test_a_bundle_is_written_in_constant_memory(campaign, monkeypatch):
    """Sixty thousand lines take no more than two thousand."""

    def highest(n):
        lines = ({"seq": number, "text": "你好" * 20} for number in range(n))
        monkeypatch.setitem(OWN_ROWS, "ledger.jsonl", lambda campaign, names: lines)
        tracemalloc.start()
        n_bytes = sum(map(len, bundle_pieces(campaign, hides_teams=False, at=AT)))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return n_bytes, peak

    (few, peak_of_few), (many, peak_of_many) = highest(2_000), highest(60_000)
    assert many > 5 * few
    assert peak_of_many < 1.3 * peak_of_few


@pytest.mark.parametrize("hides_teams", [False, True])
def test_the_digests_of_the_trail_are_made_over_what_is_told(planted, hides_teams):
    """A stored digest covers the id of the account: over few ids anybody would find it."""
    shown = list(changes(planted, names_of(planted, hides_teams=hides_teams, at=AT)))
    assert shown
    assert not set(ReviewChange.objects.values_list("digest", flat=True)) & {change["digest"] for change in shown}


@pytest.mark.parametrize("hides_teams", [False, True])
def test_a_trail_that_was_changed_in_the_database_breaks_in_the_bundle_too(planted, hides_teams, tmp_path):
    ReviewChange.objects.filter(pk=ReviewChange.objects.order_by("pk").first().pk).update(reason="x")
    said = [str(one) for one in report_of(bytes_of(planted, hides_teams=hides_teams), tmp_path).findings]
    assert any("its digest is not that of what it says" in one for one in said), said
