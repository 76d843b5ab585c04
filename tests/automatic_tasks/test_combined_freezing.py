"""A combined board is frozen, published, read by visitors, verified from its download, and withdrawn."""

import io
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import TrailLine
from automatic_tasks.chores import look
from automatic_tasks.combined.freezing import carry_out_combined_orders, freeze_combined
from automatic_tasks.combined.preflight import combined_findings
from automatic_tasks.models import CombinedBoard, CombinedStatistics, Run
from leaderboards.actions import refresh_leaderboard
from publication.actions.freezing import carry_out_orders
from publication.actions.ordering import NotReady
from publication.actions.publishing import publish
from publication.models import FreezeOrder
from tests.automatic_tasks.conftest import TASKS
from tests.automatic_tasks.test_combined_boards import (
    API,
    MAIN,
    PAGE,
    bundles,
    client_of,
    figures_of_runs,
    load,
    played,
    publish_people,
    release,
)
from tests.publication.conftest import add_records, record
from tests.publishing import path_of
from tests.verification.tampering import as_rows, document, files_of, rows_in, with_new_hashes, zipped
from verification.verify import run as verify_and_tell

__all__ = ["bundles", "played"]
pytestmark = [pytest.mark.django_db(transaction=True)]
PUBLICATION = PAGE + "publication/"
SUM = MAIN.replace(
    'ranking = ["completion", "nmd"]',
    'ranking = ["total", "completion"]\ntotal = {by = "sum", of = ["completion", "fluency"]}',
).replace('"fluency"}', '"fluency", weight = 0.25}')


def frozen(organizer):
    return freeze_combined(board=CombinedBoard.objects.get(), by=organizer, at=timezone.now())


def publish_now(snapshot, organizer):
    return publish(snapshot=snapshot, public_from=timezone.now(), by=organizer, at=timezone.now())


def verified(path, **asked):
    out = io.StringIO()
    code = verify_and_tell(path, digest="", format="text", out=out, **asked)
    return code, out.getvalue()


def test_it_is_ordered_frozen_published_read_and_withdrawn(played, quality, organizer, participant, tmp_path):
    release(quality)
    client, visitor = client_of(organizer), client_of()
    page = client.get(PAGE).content.decode()
    assert f'href="{PUBLICATION}"' in page
    page = client.get(PUBLICATION).content.decode()
    for said in (
        "Publication of Main ranking",
        "Team Gamma will be listed without a rank",
        "You choose when it becomes public.",
    ):
        assert said in page
    assert client.post(PUBLICATION + "freeze/").status_code == 302
    assert "is being frozen" in client.get(PUBLICATION).content.decode()
    assert carry_out_orders(at=timezone.now()) == 0, "it is no leaderboard"
    look()
    assert not FreezeOrder.objects.exists()
    snapshot = played.snapshots.get()
    assert (snapshot.of_board, snapshot.number, snapshot.is_intact) == ("main", 1, True)
    assert visitor.get("/campaigns/small/leaderboard/1/").status_code == 302
    assert visitor.get(PAGE).status_code == 302
    told = client.get(PUBLICATION.replace("/campaigns", "/api/v1/campaigns")).json()
    assert [(one["number"], one["board"], one["is_public"]) for one in told["snapshots"]] == [(1, "main", False)]
    details = client.get("/campaigns/small/publication/1/").content.decode()
    assert "Main ranking" in details
    assert "What differs from today" not in details
    assert client.post("/campaigns/small/publication/1/publish/").status_code == 302

    # What comes later changes nothing of it.
    add_records(played, *[record("Team Alpha", n, False, 2) for n in range(5, 9)])
    refresh_leaderboard(campaign=played, at=timezone.now())
    for address in (PAGE, "/campaigns/small/leaderboard/1/", "/campaigns/small/leaderboard/"):
        page = visitor.get(address).content.decode()
        for said in (
            "Main ranking",
            "Team Alpha",
            "0.750",
            "Quality: does not take part",
            "95% interval",
            "C, F: means over n records",
        ):
            assert said in page, (address, said)
        for unsaid in ("/records/", "--statistics", "Team Alpha&#x27;s bot"):
            assert unsaid not in page, (address, unsaid)
    answer = visitor.get(API).json()
    assert [(row["rank"], row["team"], row["n_records"]) for row in answer["rows"]] == [
        (1, "Team Alpha", 4), (2, "Team Beta", 4),
    ]  # fmt: skip
    assert answer["rows"][0]["intervals"]["nmd"]
    assert (answer["snapshot"]["number"], answer["snapshot"]["sha256"]) == (1, snapshot.digest)
    assert answer["columns"][2]["figure"] == "quality.A.nmd"
    assert client.get(API).json()["rows"][0]["team"] == "Team Beta", "organizers read it as it is now"
    assert visitor.get("/api/v1/campaigns/small/leaderboard/").status_code == 404
    table = visitor.get("/campaigns/small/leaderboard/1/leaderboard.csv").getvalue().decode().splitlines()[0]
    assert table.startswith("\ufeffrank,team,n_records,completion,fluency,nmd")
    assert visitor.get("/campaigns/small/leaderboard/1/records/completion/").status_code == 404
    assert visitor.get("/api/v1/campaigns/small/leaderboard/1/records/completion/").status_code == 404

    download = tmp_path / "downloaded.zip"
    download.write_bytes(visitor.get("/campaigns/small/leaderboard/1/bundle.zip").getvalue())
    code, said = verified(download, draws=True)
    assert code == 0, said
    assert "the combined board of 3 teams was recomputed from the leaderboard and the figures of 2 runs" in said
    gold = bytes(quality.gold.content)
    content = files_of(download.read_bytes())
    assert gold not in b"".join(content.values())
    assert quality.gold.sha256.encode() not in b"".join(content.values())

    assert client.post("/campaigns/small/publication/1/withdraw/", {"because": "a wrong name"}).status_code == 302
    for address in (PAGE, "/campaigns/small/leaderboard/1/", "/campaigns/small/leaderboard/"):
        assert visitor.get(address).status_code == 302, address
    acts = (
        TrailLine.objects.filter(campaign="small", details__board="main").order_by("pk").values_list("act", flat=True)
    )
    assert list(acts) == ["freeze.ordered", "board.frozen", "board.published", "board.withdrawn"]


def test_the_api_orders_it_and_says_why_not(played, organizer, participant):
    client, address = client_of(organizer), "/api/v1/campaigns/small/boards/main/publication/"
    found = {one["key"]: one for one in client.get(address).json()["findings"]}
    assert found["not-released"]["text"].startswith("The scores of the task Quality are not released")
    assert not any(one["blocks"] for one in found.values())
    answer = client.post(address)
    assert (answer.status_code, answer.json()["freeze"]["board"]) == (202, "main")
    assert client_of(participant).post(address).status_code == 404
    board = CombinedBoard.objects.get()
    board.columns = [column | ({"split": "development"} if column["task"] else {}) for column in board.columns]
    board.save()
    answer = client.post(address)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_ready")
    assert "A column is of a development split" in str(answer.json())
    page = client.post(PUBLICATION + "freeze/", follow=True).content.decode()
    assert page.count("A column is of a development split") > 1
    carry_out_combined_orders(at=timezone.now())
    assert "Something must be done first" in client.get(PUBLICATION).content.decode()


def test_a_board_without_people_tells_nothing_of_their_dialogues(played, organizer, tmp_path):
    """Joined by team all the same; its bundle is that of figures of runs alone."""
    people = '{figure = "completion"}, {figure = "fluency"}, '
    load(TASKS + MAIN.replace('["completion", "nmd"]', '["nmd"]').replace(people, ""))
    snapshot = frozen(organizer)
    assert (snapshot.of_board, snapshot.has_people) == ("main", False)
    path = path_of(snapshot.bundle_digest)
    assert "dialogues.jsonl" not in files_of(path.read_bytes())
    code, said = verified(path)
    assert code == 0, said
    assert "the board of 2 rows was recomputed from the figures of 2 runs" in said
    publish_now(snapshot, organizer)
    played.refresh_from_db()
    assert not played.is_published
    answer = client_of().get(API).json()
    assert [(row["rank"], row["team"], row["n_records"]) for row in answer["rows"]] == [
        (1, "Team Alpha", None), (2, "Team Beta", None),
    ]  # fmt: skip
    assert "Teams are ranked by" in client_of().get(PAGE).content.decode()


def test_of_a_run_with_another_figure_the_culprit_is_named(played, organizer, tmp_path):
    """In the figure alone, with new hashes, with a new digest of its line, and with the board made to fit."""
    load(TASKS + SUM)
    snapshot = frozen(organizer)
    files, path = files_of(path_of(snapshot.bundle_digest).read_bytes()), tmp_path / "b.zip"

    def findings(changed, *, remade=True):
        path.write_bytes(zipped(with_new_hashes(changed) if remade else changed))
        code, said = verified(path)
        assert code == 1
        return [line.strip() for line in said.splitlines() if "differs:" in line]

    path.write_bytes(zipped(with_new_hashes(files)))
    assert verified(path)[0] == 0
    rows = rows_in(files["runs.jsonl"])
    assert [(row["team"], row["figures"]["quality.A.nmd"]) for row in rows] == list(figures_of_runs().items())
    assert rows[0]["run"] == str(Run.objects.get(team__name="Team Alpha").pk)
    rows[0]["figures"]["quality.A.nmd"] = 0.5
    changed = files | {"runs.jsonl": as_rows(rows)}
    (slip, figure) = findings(changed)
    assert (
        "runs.jsonl, line 1: what it says of the run Team Alpha-run1 of Team Alpha is not what its digest covers"
        in slip
    )
    assert "combined.json: rows[0].figures.nmd (Team Alpha) is" in figure
    assert "recomputed it is 0.5" in figure
    assert any("runs.jsonl: its digest is" in one for one in findings(changed, remade=False))

    from verification.bundle_format import digest_of_run

    rows[0]["sha256"] = digest_of_run(rows[0])
    (figure,) = findings(files | {"runs.jsonl": as_rows(rows)})
    assert "combined.json: rows[0].figures.nmd (Team Alpha)" in figure
    board = json.loads(files["combined.json"])
    board["columns"][1]["weight"] = 0.75
    assert any(".total" in one for one in findings(files | {"combined.json": document(board)}))
    board = json.loads(files["combined.json"])
    board["rule"] = [{"key": "nmd", "better": "lower"}]
    assert any(
        "combined.json: " in one and ".rank" in one for one in findings(files | {"combined.json": document(board)})
    )
    twice = files | {"runs.jsonl": files["runs.jsonl"] + files["runs.jsonl"].splitlines(keepends=True)[0]}
    assert any("Team Alpha appears twice in a part" in one for one in findings(twice))
    without = {name: content for name, content in files.items() if name not in ("runs.jsonl", "combined.json")}
    (format,) = findings(without)
    assert "manifest.json: is of the format huace-bundle/4+combined" in format
    (missing,) = findings({name: content for name, content in files.items() if name != "runs.jsonl"})
    assert "runs.jsonl: is missing" in missing


def test_the_leaderboard_and_a_combined_board_are_published_side_by_side(played, quality, organizer):
    release(quality)
    publish_people(played, organizer)
    publish_now(frozen(organizer), organizer)
    visitor = client_of()
    assert visitor.get("/api/v1/campaigns/small/leaderboard/").json()["snapshot"]["number"] == 1
    assert visitor.get(API).json()["snapshot"]["number"] == 2
    page = client_of(organizer).get("/campaigns/small/publication/").content.decode()
    assert "Everybody reads leaderboard 1" in page
    rankings = client_of(organizer).get("/api/v1/campaigns/small/rankings/").json()
    assert [one["key"] for one in rankings["boards"] if one["key"].startswith("leaderboard/")] == ["leaderboard/1"]


def test_what_changes_while_it_is_frozen_leaves_no_snapshot(played, organizer, monkeypatch, bundles):
    from automatic_tasks.combined import freezing as combined_freezing

    whole = combined_freezing.store_bundle

    def slow(*asked, **named):
        stored = whole(*asked, **named)
        task = played.automatic_tasks.get(key="quality")
        task.board_version += 1
        task.save()
        return stored

    monkeypatch.setattr(combined_freezing, "store_bundle", slow)
    with pytest.raises(combined_freezing.ScoresCameIn):
        frozen(organizer)
    assert list(bundles.iterdir()) == []
    monkeypatch.setattr(combined_freezing, "store_bundle", whole)
    CombinedStatistics.objects.update(version="", began_at=timezone.now() + timedelta(minutes=1))
    with pytest.raises(combined_freezing.ScoresCameIn):
        frozen(organizer)
    assert not played.snapshots.exists()


def test_two_boards_are_not_frozen_at_a_time_and_one_that_is_gone_is_told_as_gone(played, organizer):
    from automatic_tasks.combined.freezing import order_combined_freeze
    from publication.actions.ordering import order_freeze

    at, board = timezone.now(), CombinedBoard.objects.get()
    order_combined_freeze(board=board, by=organizer, at=at)
    with pytest.raises(NotReady, match="Another leaderboard of this campaign is being frozen"):
        order_freeze(campaign=played, hides_teams=False, by=organizer, at=at)
    board.delete()
    assert carry_out_combined_orders(at=at) == 0
    assert FreezeOrder.objects.get().failure == "The board was removed from the file of the tasks."
    # What failed waits for nobody.
    assert order_freeze(campaign=played, hides_teams=False, by=organizer, at=at).of_board == ""


def test_figures_of_a_development_split_are_not_frozen(played):
    board = CombinedBoard.objects.get()
    board.columns = [column | {"split": "development"} if column["task"] else column for column in board.columns]
    assert "development" in {one.key for one in combined_findings(board) if one.blocks}
