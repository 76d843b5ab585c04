"""The board of a task is frozen, published, read by visitors, verified from its download, and withdrawn."""

import json

import pytest
from django.utils import timezone

from audit.models import TrailLine
from automatic_tasks.chores import look
from automatic_tasks.combined.access import board_of_key, run_board
from automatic_tasks.combined.freezing import freeze_combined
from automatic_tasks.models import PublishedFigures, Split
from publication.documents import board_in
from publication.models import FreezeOrder
from tests.automatic_tasks.test_combined_boards import bundles, client_of, played, publish_people
from tests.automatic_tasks.test_combined_freezing import verified
from tests.publishing import path_of
from tests.verification.tampering import as_rows, files_of, rows_in, with_new_hashes, zipped
from verification.bundle_format import digest_of_run

__all__ = ["bundles", "played"]
pytestmark = [pytest.mark.django_db(transaction=True)]
BOARD = "/campaigns/small/tasks/quality/board/hidden/"
API = f"/api/v1{BOARD}"
FROZEN = "/campaigns/small/leaderboard/1/"


def test_it_is_ordered_frozen_published_read_and_withdrawn(played, quality, organizer, participant, tmp_path):
    PublishedFigures.objects.create(
        task=quality, split="hidden", name="Printed one", source="A paper, Table 1", figures={"quality.A.nmd": 0.5}
    )
    client, visitor, team = client_of(organizer), client_of(), client_of(participant)
    assert f'href="{BOARD}publication/"' in client.get(BOARD).content.decode()
    page = client.get(BOARD + "publication/").content.decode()
    assert "Publication of Quality · hidden split" in page
    assert "are not released" in page
    assert "without any dialogue" in page
    assert team.post(BOARD + "publication/freeze/").status_code == 404
    assert team.post(API + "publication/").status_code == 404
    development = API.replace("hidden", "development") + "publication/"
    assert {one["key"] for one in client.get(development).json()["findings"] if one["blocks"]} >= {"development"}
    assert client.post(development).status_code == 409
    assert client.post(BOARD + "publication/freeze/").status_code == 302
    assert FreezeOrder.objects.get().of_board == "quality/hidden"
    look()
    assert not FreezeOrder.objects.exists()
    snapshot = played.snapshots.get()
    assert (snapshot.of_board, snapshot.has_people, snapshot.is_intact) == ("quality/hidden", False, True)
    told = client.get(API + "publication/").json()
    assert [(one["number"], one["board"], one["is_public"]) for one in told["snapshots"]] == [
        (1, "quality/hidden", False)
    ]
    for address in (BOARD, FROZEN):
        assert visitor.get(address).status_code == 302, "nobody reads it before"
    assert (visitor.get(API).status_code, team.get(API).status_code) == (404, 404)
    assert client.post("/campaigns/small/publication/1/publish/").status_code == 302

    live = client.get(API).json()
    played.refresh_from_db()
    assert not played.is_published, "people go on scoring: nothing of theirs is on it"
    for address in (BOARD, FROZEN, "/campaigns/small/leaderboard/"):
        page = visitor.get(address).content.decode()
        for said in (
            "Runs are ranked by",
            "Quality · hidden split",
            "Team Alpha-run1",
            "95% interval",
            "one run per team",
            "A paper, Table 1",
            "Cite it",
            "The bundle holds the figures of the runs",
        ):
            assert said in page, (address, said)
        assert address == BOARD or f'href="{BOARD}"' in page, "the room of boards lists it"
        for unsaid in ("/records/", "--statistics", "aliases", "Systems are ranked"):
            assert unsaid not in page, (address, unsaid)
    assert visitor.get(BOARD, {"format": "csv"}).url == FROZEN + "leaderboard.csv"
    assert visitor.get(BOARD, {"by": "A.nmd"}).url == BOARD, "a published board has one order"
    answer = visitor.get(API).json()
    assert (answer["snapshot"]["number"], answer["snapshot"]["sha256"]) == (1, snapshot.digest)
    assert "snapshot" not in live
    assert [(row["rank"], row["run"], row["team"], row["figures"]) for row in answer["rows"]] == [
        (row["rank"], row["run"], row["team"], {key: row["figures"].get(key) for key in answer["rows"][0]["figures"]})
        for row in live["rows"]
    ]
    assert answer["rows"][0]["intervals"]
    assert answer["rows"][-1]["source"] == "A paper, Table 1"
    document = json.loads(snapshot.board)
    assert not {"n_dialogues", "counted_reviews", "rubric"} & document.keys(), "it tells nothing of people's work"
    assert "people" not in document["statistics"]
    assert board_in(document).rows[-1].note == "A paper, Table 1"
    table = visitor.get(FROZEN + "leaderboard.csv").getvalue().decode().splitlines()[0]
    assert table.startswith("\ufeffrank,team,run,n_records,quality.A.nmd")

    download = tmp_path / "downloaded.zip"
    download.write_bytes(visitor.get(FROZEN + "bundle.zip").getvalue())
    files = files_of(download.read_bytes())
    assert sorted(files) == ["README.md", "combined.json", "manifest.json", "runs.jsonl"]
    assert b'"huace-bundle/4+runs"' in files["manifest.json"]
    assert bytes(quality.gold.content) not in b"".join(files.values())
    code, said = verified(download, draws=True)
    assert code == 0, said
    assert "the board of 3 rows was recomputed from the figures of 2 runs" in said
    assert "cannot be drawn again" in said
    assert "VERIFIED: the board follows from the figures of its runs." in said

    assert client.post("/campaigns/small/publication/1/withdraw/", {"because": "a wrong name"}).status_code == 302
    for address in (BOARD, FROZEN, "/campaigns/small/leaderboard/"):
        assert visitor.get(address).status_code == 302, address
    acts = TrailLine.objects.filter(campaign="small", details__board="quality/hidden").order_by("pk")
    assert list(acts.values_list("act", flat=True)) == [
        "freeze.ordered", "board.frozen", "board.published", "board.withdrawn",
    ]  # fmt: skip


def test_whatever_is_changed_in_its_bundle_is_named(played, quality, organizer, tmp_path):
    shares = []
    board = run_board(quality, Split.HIDDEN)
    snapshot = freeze_combined(board=board, by=organizer, at=timezone.now(), report_progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    files, path = files_of(path_of(snapshot.bundle_digest).read_bytes()), tmp_path / "b.zip"

    def findings(changed, *, remade=True):
        path.write_bytes(zipped(with_new_hashes(changed) if remade else changed))
        code, said = verified(path)
        assert code == 1
        return [line.strip() for line in said.splitlines() if "differs:" in line]

    rows = rows_in(files["runs.jsonl"])
    rows[0]["figures"]["quality.A.nmd"] = 0.9
    changed = files | {"runs.jsonl": as_rows(rows)}
    found = findings(changed)
    assert "runs.jsonl, line 1: what it says of the run Team Alpha-run1" in found[0]
    assert any("combined.json: rows[" in one and ".figures.quality.A.nmd" in one for one in found[1:])
    assert any("runs.jsonl: its digest is" in one for one in findings(changed, remade=False))
    rows[0]["sha256"] = digest_of_run(rows[0])
    assert all("combined.json" in one for one in findings(files | {"runs.jsonl": as_rows(rows)}))
    board = json.loads(files["combined.json"])
    for name, value in (
        ("campaign", "another"),
        ("parts", [{"task": None, "split": None, "name": {"zh": "", "en": ""}}]),
    ):
        content = json.dumps(board | {name: value}).encode()
        assert any("combined.json" in one for one in findings(files | {"combined.json": content})), name
    by_team = {name: one for name, one in board.items() if name != "of_runs"}
    assert any("combined.json" in one for one in findings(files | {"combined.json": json.dumps(by_team).encode()}))
    twice = files | {"runs.jsonl": files["runs.jsonl"] + files["runs.jsonl"].splitlines(keepends=True)[0]}
    assert any("Team Alpha appears twice in a part" in one for one in findings(twice))
    (missing,) = findings({name: content for name, content in files.items() if name != "combined.json"})
    assert "combined.json: is missing" in missing
    assert any("does not belong to a bundle" in one for one in findings(files | {"gold.json": b"{}"}))
    path.write_bytes(zipped(with_new_hashes(files)))
    assert verified(path)[0] == 0


def test_a_leaderboard_under_aliases_stays_beside_it_and_a_board_that_is_gone_is_none(played, quality, organizer):
    publish_people(played, organizer, hides_teams=True)
    board = run_board(quality, Split.HIDDEN)
    snapshot = freeze_combined(board=board, by=organizer, at=timezone.now())
    from tests.automatic_tasks.test_combined_freezing import publish_now

    publish_now(snapshot, organizer)
    page = client_of().get("/campaigns/small/leaderboard/").content.decode()
    assert f'href="{BOARD}"' in page, "the room of boards lists it"
    assert "Systems are named by their aliases" in page
    assert board_of_key(played, board.key).columns == board.columns
    assert board_of_key(played, "quality/gone") is None
    assert board_of_key(played, "gone/hidden") is None
