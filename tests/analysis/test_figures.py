"""Figures of frames are the platform's to 1e-9: of the demo's published campaign, of played ones, of bundles of the format before."""

import json
from datetime import UTC, datetime
from pathlib import Path

import krippendorff
import pandas as pd
import pytest
from django.utils import timezone
from django.utils.translation import override

from analysis import agreement, board, correlations, frames, to_latex
from demo.published import load_published
from leaderboards.actions import agreement_with_imported, refresh_leaderboard, refresh_statistics
from leaderboards.explanations import with_statistics
from leaderboards.live_board import leaderboard
from leaderboards.paper.paper_tables import latex, paper_table
from measures.correlation import correlations as of_two
from organizing.actions import refresh_meta_evaluation
from organizing.models import MetaEvaluation, MetricFile
from publication.actions.freezing import freeze
from publication.actions.publishing import publish
from publication.bundle import bundle_pieces
from publication.documents import board_in
from tests.leaderboards.played import played
from tests.publishing import path_of
from tests.verification.conftest import bundle
from tests.verification.tampering import files_of

__all__ = ["bundle"]
AT = datetime(2026, 5, 1, 8, tzinfo=UTC)
FORMER = sorted((Path(__file__).parents[1] / "verification").glob("format_3*.zip"))
EXACT = {"rel": 0, "abs": 1e-9}


def frames_of(campaign, tmp_path):
    with (tmp_path / "bundle.zip").open("wb") as file:
        file.writelines(bundle_pieces(campaign, hides_teams=False, at=AT))
    return frames(tmp_path / "bundle.zip")


def check_board(made, rows, unranked, keys):
    """`rows` have key, rank, n_records and figures."""
    assert made.index.tolist() == [row["key"] for row in (*rows, *unranked)]
    assert made["rank"].dropna().tolist() == [row["rank"] for row in rows]
    assert made["n_records"].tolist() == [row["n_records"] for row in (*rows, *unranked)]
    for key in keys:
        expected = [row["figures"][key] for row in (*rows, *unranked)]
        assert made[key].tolist() == pytest.approx(
            [float("nan") if one is None else one for one in expected], nan_ok=True, **EXACT
        )


def check_document(path):
    document = json.loads(files_of(path.read_bytes())["leaderboard.json"])
    made = board(frames(path))
    check_board(made, document["rows"], document["unranked"], [key["key"] for key in document["keys"]])
    return made


def check_agreement(campaign, made):
    """The platform stores them rounded to six decimals; alpha is computed again by another library."""
    expected = agreement_with_imported(campaign)["criteria"]
    told = agreement(made)
    assert set(told.index) == expected.keys()
    for key, row in told.iterrows():
        assert (row["level"], row["n_ratings"], row["n_shared"]) == tuple(
            expected[key][name] for name in ("level", "n_ratings", "n_shared")
        )
        for name in ("alpha", "kappa", "raw"):
            assert (None if pd.isna(row[name]) else round(row[name], 6) + 0.0) == expected[key][name], (key, name)
    return told


def alpha_by_library(scores, things, reviewers, level):
    table = pd.Series(scores.astype("float64").to_numpy(), index=[reviewers, things]).unstack()
    return krippendorff.alpha(table.to_numpy(), level_of_measurement=level)


@pytest.mark.parametrize("path", FORMER, ids=lambda path: path.stem)
def test_the_board_of_a_bundle_of_the_format_before(path):
    check_document(path)


@pytest.mark.django_db
def test_of_a_played_campaign_with_panels_disputes_and_imported_records(bundle, tmp_path):
    path = tmp_path / "played.zip"
    path.write_bytes(bundle)
    made = check_document(path)
    assert made["rank"].notna().any()
    read = frames(path)
    assert 0 < read.records["is_imported"].sum() < len(read.records)
    live = read.records[~read.records["is_imported"]]
    assert live.groupby("dialogue")["weight"].sum().tolist() == pytest.approx([1.0] * live["dialogue"].nunique())


@pytest.mark.django_db
@pytest.mark.parametrize("preset", ["smp2018", "ntcir14"])
def test_of_a_played_campaign_as_the_platform_has_it_now(preset, tmp_path):
    campaign = played(preset)
    made = frames_of(campaign, tmp_path)
    now = leaderboard(campaign)
    keys = dict(campaign.entries.values_list("pk", "key"))
    rows = {keys[int(row.key)]: row for row in (*now.rows, *now.unranked)}
    told = board(made)
    assert set(told.index) == rows.keys()
    for bot, row in told.iterrows():
        assert (None if pd.isna(row["rank"]) else row["rank"]) == rows[bot].rank
        for key in (one.name for one in now.keys):
            value = rows[bot].figures.get(key)
            assert pd.isna(row[key]) if value is None else row[key] == pytest.approx(value, **EXACT)
    told = check_agreement(campaign, made)
    panel = made.ratings[made.ratings["part"] == "panel"]
    for key, row in told.iterrows():
        own = panel[panel["criterion"] == key]
        things = own["dialogue"] + own["place"].astype("str")
        expected = alpha_by_library(own["score"], things, own["reviewer"].astype("str"), row["level"])
        assert row["alpha"] == pytest.approx(expected, **EXACT)


@pytest.mark.django_db
def test_of_the_published_campaign_of_the_demo(settings, tmp_path):
    """SMP2018's Table A2 from its records, frozen and published with its intervals, and F1 of Table A1 as a metric."""
    settings.VAR_DIR, at = tmp_path, timezone.now()
    campaign = load_published(at)
    refresh_leaderboard(campaign=campaign, at=at)
    refresh_statistics(campaign=campaign, at=at)
    snapshot = freeze(campaign=campaign, hides_teams=False, by=None, at=at)
    publish(snapshot=snapshot, public_from=at, by=None, at=at)
    made = frames(path_of(snapshot.bundle_digest))
    told = check_document(path_of(snapshot.bundle_digest))
    check_agreement(campaign, made)

    document = json.loads(snapshot.board)
    shown = with_statistics(board_in(document), document["statistics"])
    for row in shown.rows:
        assert told.loc[row.key, ["rank_low", "rank_high"]].tolist() == list(row.rank_interval)
        for key, (low, high) in row.intervals.items():
            assert told.loc[row.key, [f"{key}_low", f"{key}_high"]].tolist() == pytest.approx([low, high], **EXACT)
    for language, code in (("en", "en"), ("zh", "zh-hans")):
        with override(code):
            expected = latex(paper_table(shown, caption="Table A2"), label="tab:a2")
        assert to_latex(told, caption="Table A2", label="tab:a2", language=language) == expected

    stored = refresh_meta_evaluation(campaign=campaign, audience=MetaEvaluation.Audience.EVERYBODY, at=at)
    of_team = {row["system"]: row["figures"] for row in MetricFile.objects.get().figures}
    metrics = pd.DataFrame({bot: of_team[team] for bot, team in told["team"].items() if team in of_team}).T
    found = correlations(made, metrics)
    rows = {(row["skill"], row["metric"], row["criterion"]): row for row in stored.content["rows"]}
    assert len(found) == len(rows) == 5
    for (skill, metric, criterion), row in found.set_index(["skill", "metric", "criterion"]).iterrows():
        expected = rows[skill, metric, criterion]
        assert row["n"] == expected["n"] == 9
        for name in ("pearson", "spearman", "kendall"):
            figures = [expected[name], *expected[f"{name}_interval"], expected[f"{name}_p"]]
            assert row[[name, f"{name}_low", f"{name}_high", f"{name}_p"]].tolist() == pytest.approx(figures, **EXACT)


@pytest.mark.django_db
def test_metrics_by_skill_go_with_the_records_of_its_scenarios(tmp_path):
    campaign = played("msde")
    made = frames_of(campaign, tmp_path)
    bots = board(made).index
    index = pd.MultiIndex.from_tuples([("knowledge", bot) for bot in bots])
    found = correlations(made, pd.DataFrame({"m": [0.25, 0.5]}, index=index)).set_index("criterion")
    records = made.records.merge(made.scenarios[["scenario", "skill"]].astype("str"), on="scenario")
    own = records[records["skill"] == "knowledge"]
    means = {
        bot: (one["weight"] * one["coherence"]).sum() / one["weight"].sum()
        for bot, one in own.groupby(own["bot"].astype("str"))
    }
    both = [bot for bot in bots if bot in means]
    expected = of_two([[0.25, 0.5][list(bots).index(bot)] for bot in both], [means[bot] for bot in both])
    assert found.loc["coherence", ["skill", "n"]].tolist() == ["knowledge", expected.n]


def test_metrics_of_no_bot_are_refused():
    with pytest.raises(ValueError, match="bots by their keys"):
        correlations(frames(FORMER[0]), pd.DataFrame({"m": [1.0]}, index=["stranger"]))


def test_rows_that_were_left_out_stay_out_of_the_table():
    told = board(frames(FORMER[0]))
    text = to_latex(told.head(2), caption="50% of it", label="tab:x")
    assert text.count(r" \\") == 3
    assert r"\caption{50\% of it}" in text
