"""What a bundle says of its plan is drawn again by its reader, and tells nobody who is behind an alias."""

import io
import json
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from campaigns.actions import draw_assignments, load_campaign
from campaigns.planning.hidden_orders import bots_in_hidden_order
from dialogues.models import Dialogue
from participants.models import Team
from publication.bundle import bundle_pieces
from publication.bundle import plan as plan_document
from publication.bundle.plan import PlanTold
from publication.bundle.writing import names_of
from tests.campaigns.test_assigning import DRAWN_CAMPAIGN
from tests.conftest import spec_of
from tests.verification.tampering import (
    as_rows,
    changed_row,
    document,
    files_of,
    rows_in,
    with_new_hashes,
    zipped,
)
from verification import plans
from verification.verifying import verify

pytestmark = pytest.mark.django_db
AT = datetime(2026, 5, 1, 8, tzinfo=UTC)
KINDS = {
    "full": {},
    "per_cell": {"testers_per_cell": 2},
    "random_goals": {"dialogues_per_bot": 9},
    "quota": {"quota": {"": 3}},
}


@pytest.fixture
def drawn(db):
    """4 testers × 4 bots × 4 scenarios."""
    campaign, _ = load_campaign(spec=spec_of(DRAWN_CAMPAIGN))
    return redrawn(campaign, "per_cell")


def redrawn(campaign, kind):
    campaign.assignments.all().delete()
    campaign.plan = kind
    for name, value in KINDS[kind].items():
        setattr(campaign, name, value)
    campaign.save()
    draw_assignments(campaign=campaign)
    return campaign


def done(campaign):
    """Somebody has begun and given up each assignment; nothing is left to do."""
    now = timezone.now()
    campaign.assignments.update(started_at=now)
    Dialogue.objects.bulk_create(
        Dialogue(assignment=one, tester=one.tester, status="unfinished", opened_at=now, closed_at=now)
        for one in campaign.assignments.all()
    )
    return campaign


def bundle_of(campaign, *, hides_teams=False):
    out = io.BytesIO()
    out.writelines(bundle_pieces(campaign, hides_teams=hides_teams, at=AT))
    return files_of(out.getvalue())


def told(campaign, *, hides_teams):
    names = names_of(campaign, hides_teams=hides_teams, at=AT)
    plan = PlanTold(campaign, names)
    return list(plan.assignments()), plan.document()["plan"]


@pytest.fixture
def verified(tmp_path):
    def report(files):
        (tmp_path / "b.zip").write_bytes(zipped(with_new_hashes(files)))
        return verify(tmp_path / "b.zip")

    return report


@pytest.fixture
def culprits(verified):
    """Of the plan alone: these dialogues hold no lines of the ledger."""

    def found(files):
        files_told = ("plan.json", "assignments.jsonl", "campaign.json")
        return [str(one) for one in verified(files).findings if one.file in files_told]

    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_reader_draws_the_plan_again_with_names_and_under_aliases(kind, drawn, verified):
    done(redrawn(drawn, kind))
    for hides_teams in (False, True):
        files = bundle_of(drawn, hides_teams=hides_teams)
        report = verified(files)
        assert not [one for one in report.findings if one.file in ("plan.json", "assignments.jsonl", "campaign.json")]
        assert report.counts["plan.json"] == drawn.assignments.count() > 8
        assert {row["made_by"] for row in rows_in(files["assignments.jsonl"])} == {"plan"}
        assert json.loads(files["plan.json"])["plan"]["n_not_assigned"] == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("setting", ["none", "others"])
def test_a_plan_that_leaves_a_members_pairs_out_holds_and_tells_nobody_who_that_is(kind, setting, drawn, culprits):
    drawn.members_may_judge = setting
    drawn.save()
    entry, tester = drawn.entries.select_related("bot__team").first(), drawn.roles.filter(role="tester").first().person
    drawn.team_members.create(team=entry.bot.team, person=tester)
    done(redrawn(drawn, kind))
    assert not drawn.assignments.filter(entry=entry, tester=tester).exists()
    files = bundle_of(drawn)
    assert culprits(files) == []
    plan = json.loads(files["plan.json"])["plan"]
    assert len(plan["testers"]) == (3 if setting == "none" else 4)
    if (kind, setting) == ("full", "others"):
        assert plan["n_not_assigned"] == 4
        assert {row["made_by"] for row in rows_in(files["assignments.jsonl"])} == {"plan"}


def test_what_the_plan_did_not_draw_is_told_apart(drawn, culprits):
    chosen, moved, gone = drawn.assignments.order_by("pk")[:3]
    drawn.assignments.filter(pk=chosen.pk).update(is_drawn=False)
    drawn.assignments.filter(pk=moved.pk).update(position=99)
    gone.delete()
    left = drawn.assignments.filter(is_drawn=True).exclude(pk=moved.pk).order_by("pk").last()
    drawn.assignments.create(
        tester=left.tester, entry=left.entry, scenario=left.scenario, repetition=2, position=98, is_drawn=True
    )
    rows, plan = told(done(drawn), hides_teams=False)
    counts = {how: sum(row["made_by"] == how for row in rows) for how in {row["made_by"] for row in rows}}
    assert counts == {"plan": 29, "plan, moved": 1, "hand": 1, "later drawing": 1}
    # The one that was taken away, and the one that somebody chose instead.
    assert (plan["n_drawn"], plan["n_not_assigned"]) == (32, 2)
    assert culprits(bundle_of(drawn)) == []


def test_the_seed_of_another_bundle_an_assignment_removed_and_one_relabelled_are_named(drawn, culprits):
    files = bundle_of(done(drawn))
    campaign = json.loads(files["campaign.json"])
    campaign["seed"] += 1
    (found,) = culprits(files | {"campaign.json": document(campaign)})
    assert found.startswith(f"campaign.json: the seed {campaign['seed']} and the plan's settings draw another plan")

    lines = files["assignments.jsonl"].splitlines(keepends=True)
    removed = culprits(files | {"assignments.jsonl": b"".join(lines[1:])})
    assert [one.split(" is missing")[0].split(" of dialogue")[0] for one in removed] == [
        "assignments.jsonl: the assignment",
        "assignments.jsonl: lacks 1 assignments that the plan draws; plan.json says 0: one was removed or added",
        "plan.json: says 32; there are 31: an assignment was removed or added",
    ]
    later = json.loads(lines[0]) | {"repetition": 9, "made_by": "hand", "dialogues": []}
    added = culprits(files | {"assignments.jsonl": files["assignments.jsonl"] + as_rows([later])})
    assert "plan.json: says 32; there are 33: an assignment was removed or added" in added
    less = json.loads(files["campaign.json"])
    less["settings"]["testers_per_cell"] = -1
    found = culprits(files | {"campaign.json": document(less)})
    assert found[0] == "campaign.json: the setting testers_per_cell cannot be -1"
    assert "the plan asks for less than nothing" in found[1]
    relabelled = changed_row(files, "assignments.jsonl", lambda row: row.update(made_by="hand"))
    assert any("lacks 1 assignments" in one for one in culprits(relabelled))
    moved = changed_row(files, "assignments.jsonl", lambda row: row.update(position=77))
    (found,) = culprits(moved)
    assert found.endswith("is told as plan; drawn again it is plan, moved")
    twice = culprits(files | {"assignments.jsonl": lines[0] + files["assignments.jsonl"]})
    assert twice[0].startswith("assignments.jsonl, line 2: the assignment of person-")
    assert twice[0].endswith(" appears twice")
    other = culprits(changed_row(files, "assignments.jsonl", lambda row: row.update(dialogues=["x"])))
    assert [one.split(" of dialogue")[0].split(", which")[0] for one in other] == [
        "assignments.jsonl: the assignment", "assignments.jsonl, line 1: lists the dialogue x",
    ]  # fmt: skip
    swapped = rows_in(files["assignments.jsonl"])
    swapped[0]["dialogues"], swapped[1]["dialogues"] = swapped[1]["dialogues"], swapped[0]["dialogues"]
    crossed = culprits(files | {"assignments.jsonl": as_rows(swapped)})
    assert [" is not that of dialogue " in one for one in crossed] == [True, True]
    foreign = culprits(changed_row(files, "assignments.jsonl", lambda row: row.update(bot="x")))
    assert any("the bundle does not have that bot or scenario" in one for one in foreign)
    greedy = json.loads(files["campaign.json"])
    greedy["settings"]["testers_per_cell"] = 10**9
    found = culprits(files | {"campaign.json": document(greedy)})
    assert "the plan asks for more than 2,000,000 assignments" in found[1]
    (found,) = culprits(files | {"plan.json": document({"plan": None})})
    assert found.startswith(
        "plan.json: the plan is told without the seed of campaign.json, or the seed without the plan"
    )


def test_nobody_learns_what_is_ahead_of_them(drawn, culprits):
    first = drawn.assignments.order_by("pk").first()
    now = timezone.now()
    Dialogue.objects.create(assignment=first, tester=first.tester, status="unfinished", opened_at=now, closed_at=now)
    for hides_teams in (False, True):
        rows, plan = told(drawn, hides_teams=hides_teams)
        assert plan is None
        assert [(row["position"], row["made_by"]) for row in rows] == [(first.position, "drawn")]
    files = bundle_of(drawn)
    assert json.loads(files["campaign.json"])["seed"] is None
    assert culprits(files) == []
    (found,) = culprits(changed_row(files, "assignments.jsonl", lambda row: row.update(made_by="plan")))
    assert found.endswith("is told as plan, but the seed that shows it is not told")
    found = culprits(changed_row(files, "assignments.jsonl", lambda row: row.update(made_by="hand", dialogues=[])))
    assert any("has no dialogue: without the seed only those that have one are told" in one for one in found)


def test_the_order_of_the_bots_is_not_that_of_their_aliases(drawn):
    """Beside names it would tell the alias of each."""
    orders = set()
    for seed in range(1, 9):
        drawn.drawing_seed = seed
        keys = dict(drawn.entries.values_list("key", "alias"))
        ordered = [keys[key] for key in bots_in_hidden_order(drawn, keys.items())]
        assert sorted(ordered) == sorted(keys.values())
        orders.add(tuple(ordered))
    assert len(orders) > 1


@pytest.mark.parametrize("kind", KINDS)
def test_under_aliases_it_is_the_same_whoever_is_behind_them(kind, drawn):
    """Two campaigns that differ in nothing but which team has which alias tell the same."""

    def seen():
        rows, plan = told(done(redrawn(drawn, kind)), hides_teams=True)
        Dialogue.objects.all().delete()
        return [row | {"dialogues": len(row["dialogues"])} for row in rows], plan

    before = seen()
    entries = list(drawn.entries.order_by("key"))
    aliases = [one.alias for one in entries]
    for entry in entries:
        drawn.entries.filter(pk=entry.pk).update(alias=f"was {entry.alias}")
    for entry, alias in zip(entries, [*aliases[1:], aliases[0]], strict=True):
        drawn.entries.filter(pk=entry.pk).update(alias=alias)
    assert seen() == before


def test_a_plan_that_is_too_large_to_be_drawn_again_is_told_without_its_seed(drawn, verified, culprits, monkeypatch):
    done(drawn)
    monkeypatch.setattr(plans, "MOST_DRAWN", drawn.assignments.count() - 1)
    files = bundle_of(drawn)
    assert (json.loads(files["plan.json"]), json.loads(files["campaign.json"])["seed"]) == ({"plan": None}, None)
    assert {row["made_by"] for row in rows_in(files["assignments.jsonl"])} == {"drawn"}
    assert culprits(files) == []
    assert verified(files).counts["plan.json"] == 0


def test_a_bundle_draws_its_plan_once_and_holds_the_assignments_of_one_tester(drawn, monkeypatch):
    drawings, held = [], []
    draw, say = plans.drawn_plan, plan_document._say_how_made
    monkeypatch.setattr(plans, "drawn_plan", lambda *asked: drawings.append(1) or draw(*asked))
    monkeypatch.setattr(
        plan_document,
        "_say_how_made",
        lambda rows, drawn: held.append({row["tester"] for row in rows}) or say(rows, drawn),
    )
    bundle_of(done(drawn))
    assert drawings == [1]
    assert sorted(map(len, held)) == [1, 1, 1, 1]


def test_a_skill_that_names_a_team_has_a_number_wherever_the_plan_names_it(drawn, verified):
    name = Team.objects.order_by("pk").first().name
    skills = [f"{name} {n}" for n in (1, 2)]
    for n, scenario in enumerate(drawn.scenarios.order_by("key")):
        scenario.skill = skills[n % 2]
        scenario.save()
    drawn.plan, drawn.quota = "quota", {skills[0]: 2, skills[1]: 1}
    drawn.save()
    drawn.assignments.all().delete()
    draw_assignments(campaign=drawn)
    files = bundle_of(done(drawn), hides_teams=True)
    assert json.loads(files["campaign.json"])["settings"]["quota"] == {"masked-skill-1": 2, "masked-skill-2": 1}
    assert name.encode() not in files["plan.json"] + files["campaign.json"]
    report = verified(files)
    assert not [one for one in report.findings if one.file in ("plan.json", "assignments.jsonl", "campaign.json")]
    assert report.counts["plan.json"] == drawn.assignments.count() > 3
