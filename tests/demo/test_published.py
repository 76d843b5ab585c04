"""What stands beside the demo: SMP2018's Table A2 as the server computes and publishes it from the records."""

import json
from urllib.parse import parse_qs

import pytest
from django.test import Client
from django.utils import timezone

from demo.context import published_links
from demo.people import PUBLISHED
from demo.published import METRIC, load_published
from leaderboards.actions import refresh_leaderboard
from organizing.actions import refresh_meta_evaluation
from organizing.correlations import ORGANIZERS
from publication.actions.freezing import carry_out_orders
from publication.actions.publishing import follow_publications
from tests.conftest import published_rows
from tests.leaderboards.test_records import FIGURES

pytestmark = pytest.mark.django_db


@pytest.fixture
def loaded(db):
    return load_published(timezone.now())


def test_table_a2_is_published_with_intervals_for_everybody(loaded, tmp_path, settings):
    settings.VAR_DIR = tmp_path
    follow_publications(at=timezone.now())
    carry_out_orders(at=timezone.now())
    document = json.loads(loaded.snapshots.get().board)
    wanted = published_rows("smp2018/task2.csv")
    assert [row["team"] for row in document["rows"]] == [row["team"] for row in wanted]
    assert [row["rank"] for row in document["rows"]] == list(range(1, 11))
    for row, printed in zip(document["rows"], wanted, strict=True):
        for figure, rounding in FIGURES.items():
            assert row["figures"][figure] == pytest.approx(float(printed[figure]), abs=rounding), row["team"]
    assert document["n_reconstructed"] == 630
    first = document["rows"][0]
    low, high = document["statistics"]["rows"][first["key"]]["intervals"]["completion"]
    assert low < 25 / 63 < high
    assert Client().get(f"/campaigns/{PUBLISHED}/leaderboard/").status_code == 200
    links = published_links()
    keys = {row["rank"]: row["key"] for row in document["rows"]}
    assert parse_qs(links.why.removeprefix("?").removesuffix("#why")) == {"compare": [keys[1], keys[2]]}
    assert Client().get(f"/campaigns/{links.slug}/leaderboard/{links.why}").status_code == 200


def test_the_front_page_links_to_it_once_it_is_public(loaded):
    assert published_links() is None


def test_loading_it_again_changes_nothing(loaded):
    loaded.refresh_from_db()
    version = loaded.scores_version
    records = set(loaded.imported_records.values_list("pk", flat=True))
    file = loaded.metric_file.pk
    again = load_published(timezone.now())
    assert again.scores_version == version
    assert set(again.imported_records.values_list("pk", flat=True)) == records
    assert again.metric_file.pk == file


def test_f1_of_task_1_is_compared_with_people_over_the_teams_of_both_tasks(loaded):
    refresh_leaderboard(campaign=loaded, at=timezone.now())
    kept = refresh_meta_evaluation(campaign=loaded, audience=ORGANIZERS, at=timezone.now())
    rows = {row["criterion"]: row for row in kept.content["rows"] if row["metric"] == METRIC}
    # 深圳市人马互动 took part in Task 2 alone.
    assert {row["n"] for row in rows.values()} == {9}
    # Ranks in Table A1 and by Sa in Table A2 differ by 0 1 3 2 2 2 2 1 3: 1 − 6·36/(9·80).
    assert rows["satisfaction"]["spearman"] == pytest.approx(0.7)
