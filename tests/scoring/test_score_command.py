"""manage.py score: the organizers' figures from the organizers' formats, and what it says of bad files."""

import csv
import json
from collections import defaultdict
from functools import reduce
from io import StringIO
from operator import getitem
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.conftest import published_rows, reference

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "runs"


def score(task, gold, run, *options, **more) -> dict:
    out = StringIO()
    call_command("score", task, "--gold", gold, "--run", run, "--format", "json", *options, stdout=out, **more)
    return json.loads(out.getvalue())


def refused(task, gold, run, *options) -> list[dict]:
    out = StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("score", task, "--gold", gold, "--run", run, "--format", "json", *options, stdout=out)
    assert left.value.code == 1
    return json.loads(out.getvalue())["problems"]


def example(task: str) -> tuple[Path, Path]:
    (gold,), (run,) = (EXAMPLES / task).glob("gold.*"), (EXAMPLES / task).glob("run.*")
    return gold, run


def written(path: Path, content) -> Path:
    path.write_text(json.dumps(content, ensure_ascii=False))
    return path


def test_the_tiny_case_worked_by_hand(tmp_path):
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(f'{{"id": {i}, "content": "x", "label": "{label}"}}\n' for i, label in enumerate("aaabbc")))
    run = written(tmp_path / "run.json", {"resultsList": [{"id": i, "result": r} for i, r in enumerate("aabbcc")]})
    assert score("intent-classification", gold, run) == {
        "macro_precision": pytest.approx(2 / 3),
        "macro_recall": pytest.approx(13 / 18),
        "f1": pytest.approx(52 / 75),
        "n_items": 6,
    }


def test_classes_that_the_gold_lacks_count_where_they_are_declared(tmp_path):
    gold, run = example("intent-classification")
    classes = "train,flight,weather,music,chat,translation"
    plain, declared = (
        score("intent-classification", gold, run, *options)["macro_recall"]
        for options in ([], ["--classes", f"{classes},app,radio"])
    )
    assert declared == pytest.approx(plain * 6 / 8)
    assert refused("intent-classification", gold, run, "--classes", "train,flight")[0]["place"] == "line 9, label"


@pytest.mark.parametrize("name", ["copy_of_gold", "perturbed_light", "duplicates_added", "no_triples"])
def test_track_1_gives_the_organizers_figures(name):
    wanted = json.loads(reference("seretod", "track1_values.json").read_text())["golden"][name]
    gold, run = reference("seretod", "example.json"), reference("seretod", f"track1_pred_{name}.json")
    figures = score("information-extraction", gold, run)
    assert figures["entity_f1"] == pytest.approx(float(wanted["official_entity_f1"]), abs=1e-6)
    assert figures["triple_f1"] == pytest.approx(float(wanted["official_triple_f1"]), abs=1e-6)
    assert figures["score"] == pytest.approx(float(wanted["ranking_score"]), abs=1e-6)
    assert figures["entity_precision"] == pytest.approx(float(wanted["entity"]["P"]), abs=1e-6)
    assert figures["triple_recall"] == pytest.approx(float(wanted["triple"]["R"]), abs=1e-6)


def track_2_run(name: str, tmp_path: Path) -> Path:
    generated = {
        row["id"]: row["turns"] for row in json.loads(reference("seretod", f"track2_gen_{name}.json").read_text())
    }
    dialogues = json.loads(reference("seretod", "track2_gold_turns.json").read_text())
    for dialogue in dialogues:
        dialogue["content"] = [
            turn | {"用户意图-生成": g["user_intent"], "客服意图-生成": g["system_intent"], "客服-生成": g["reply"]}
            for turn, g in zip(dialogue.pop("turns"), generated[dialogue["id"]], strict=True)
        ]
    return written(tmp_path / "run.json", dialogues)


@pytest.mark.parametrize("gold", ["example.json", "track2_gold_turns.json"])
@pytest.mark.parametrize("name", ["gold_with_names", "perturbed", "constant_system"])
def test_track_2_gives_the_organizers_figures(name, gold, tmp_path):
    wanted = json.loads(reference("seretod", "track2_values.json").read_text())["golden"][name]
    run = track_2_run(name, tmp_path)
    figures = score("task-oriented-dialogue", reference("seretod", gold), run, "--compat", "seretod2022")
    for key, side in (("user_P_R_F1", "user_intent"), ("system_P_R_F1", "system_intent")):
        precision, recall, f1 = map(float, wanted[key])
        assert figures[side] == {
            "precision": pytest.approx(precision, abs=1e-6),
            "recall": pytest.approx(recall, abs=1e-6),
            "f1": pytest.approx(f1, abs=1e-6),
        }
    assert figures["success"] == pytest.approx(float(wanted["Success"]), abs=1e-6)
    assert figures["bleu"] == pytest.approx(float(wanted["BLEU"]), abs=1e-6)
    assert figures["combined"] == pytest.approx(float(wanted["combined"]), abs=1e-6)
    assert figures["reading"] == "seretod2022"


def test_the_strict_reading_is_the_default(tmp_path):
    run = track_2_run("constant_system", tmp_path)
    figures = score("task-oriented-dialogue", reference("seretod", "example.json"), run)
    assert figures["reading"] == "strict"
    # 21 of the 26 bare hits of the lenient reading are acts whose gold has no argument either.
    assert figures["user_intent"]["precision"] == pytest.approx(21 / 79)


def test_local_kb_and_goal_are_those_of_the_organizers():
    from measures.automatic.mobilecs import requests
    from scoring.task_types import TASK_TYPES

    task_type = TASK_TYPES["task-oriented-dialogue"]
    gold = task_type.read_gold(reference("seretod", "example.json").read_bytes(), task_type.default_options())
    wanted = json.loads(reference("seretod", "track2_kb_goals.json").read_text())
    assert list(gold.about) == wanted["dropped"]
    assert set(gold.items) == {row["id"] for row in wanted["dialogues"]}
    for row in wanted["dialogues"]:
        dialogue = gold.items[row["id"]]
        assert len(dialogue.turns) == row["turns"]
        assert as_sets(dialogue.kb) == as_sets(row["KB"])
        assert as_sets(dialogue.goal) == as_sets(row["goal"])
        asked = requests(dialogue.goal, dialogue.kb)
        assert sorted(map(sorted, asked)) == sorted(map(sorted, row["requested_info"]))


def as_sets(knowledge):
    return {
        entity: {name: {value} if isinstance(value, str) else set(value) for name, value in properties.items()}
        for entity, properties in knowledge.items()
    }


# -- NTCIR: gold files made of the vote counts -------------------------------------------------------------------


def gold_of_votes(path: Path) -> Path:
    """Annotated dialogues whose nineteen annotators vote as the counts say."""
    quality: dict[str, dict[str, list[str]]] = defaultdict(dict)
    with reference("ntcir14", "test_gold_quality_counts.csv").open() as file:
        for row in csv.DictReader(file):
            quality[row["dialogue_id"]][row["criterion"]] = [
                score for score in ("2", "1", "0", "-1", "-2") for _ in range(int(row[f"votes_{score}"]))
            ]
    nuggets: dict[str, dict[int, tuple[str, list[str]]]] = defaultdict(dict)
    with reference("ntcir14", "test_gold_nugget_counts.csv").open() as file:
        for row in csv.DictReader(file):
            _, labels = nuggets[row["dialogue_id"]].setdefault(int(row["turn"]), (row["sender"], []))
            labels += [row["type"]] * int(row["votes"])
    dialogues = []
    for name, votes in quality.items():
        turns = [nuggets[name][number] for number in sorted(nuggets[name])]
        annotations = [
            {
                "quality": {criterion: int(scores[a]) for criterion, scores in votes.items()},
                "nugget": [labels[a] for _sender, labels in turns],
            }
            for a in range(19)
        ]
        dialogues.append(
            {
                "id": name,
                "turns": [{"sender": sender, "utterances": ["…"]} for sender, _labels in turns],
                "annotations": annotations,
            }
        )
    return written(path, dialogues)


@pytest.mark.parametrize("name", ["uniform", "popularity"])
def test_the_baselines_reproduce_the_published_means_from_files(name, tmp_path):
    gold = gold_of_votes(tmp_path / "gold.json")
    figures = {}
    for task in ("dialogue-quality", "nugget-detection"):
        run = tmp_path / f"{task}.json"
        call_command("baseline", task, name, gold=gold, output=run)
        figures[task] = score(task, gold, run)
        assert figures[task]["n_items"] == 390
    n_compared = 0
    for task, report in figures.items():
        for row in published_rows(f"ntcir14/{task.replace('-', '_')}.csv"):
            if (row["language"], row["run"]) != ("Chinese", f"BL-{name}"):
                continue
            for figure in row.keys() - {"language", "run"}:
                ours = reduce(getitem, figure.split("."), report)
                assert f"{ours:.4f}" == row[figure], figure
                n_compared += 1
    assert n_compared == 8


def test_alpha_weighs_the_customer_against_the_helpdesk():
    gold, run = example("nugget-detection")
    customer, both, helpdesk = (
        score("nugget-detection", gold, run, "--alpha", alpha)["nugget"]["jsd"] for alpha in ("1", "0.5", "0")
    )
    assert both == pytest.approx((customer + helpdesk) / 2)
    assert customer != pytest.approx(helpdesk)


def test_minus_log2_is_for_distances_only():
    gold, run = example("dialogue-quality")
    plain, logs = score("dialogue-quality", gold, run), score("dialogue-quality", gold, run, "--minus-log2")
    assert 2 ** -logs["quality"]["A"]["nmd"] == pytest.approx(plain["quality"]["A"]["nmd"])
    with pytest.raises(CommandError, match="for distances"):
        call_command("score", "response-generation", gold=gold, run_file=run, minus_log2=True)


@pytest.mark.parametrize(
    "task", ["dialogue-quality", "nugget-detection", "response-generation", "intent-classification"]
)
def test_missing_items_are_refused_or_counted_as_wrong(task, tmp_path):
    gold, run = example(task)
    shorter = tmp_path / run.name
    if run.suffix == ".jsonl":
        shorter.write_text("".join(run.read_text().splitlines(keepends=True)[:-1]))
    else:
        content = json.loads(run.read_text())
        (content["resultsList"] if isinstance(content, dict) else content).pop()
        written(shorter, content)
    (problem,) = refused(task, gold, shorter)
    assert problem["message"] == "is missing"
    counted = score(task, gold, shorter, "--missing", "count")
    assert counted["warnings"] == [f"{problem['place']}: is missing, which counts as wrong"]
    assert counted["n_items"] == score(task, gold, run)["n_items"]


def test_a_missing_dialogue_has_the_worst_value(tmp_path):
    gold, run = example("dialogue-quality")
    one = written(tmp_path / "run.json", json.loads(run.read_text())[:1])
    alone = written(tmp_path / "gold.json", json.loads(gold.read_text())[:1])
    best = score("dialogue-quality", alone, one)["quality"]["A"]["nmd"]
    counted = score("dialogue-quality", gold, one, "--missing", "count")["quality"]["A"]["nmd"]
    assert counted == pytest.approx((best + 5 * 1) / 6)


def test_an_unknown_dialogue_is_skipped_with_a_warning(tmp_path):
    gold, run = example("dialogue-quality")
    content = json.loads(run.read_text())
    more = written(tmp_path / "run.json", [*content, content[0] | {"id": "elsewhere"}])
    with_warning = score("dialogue-quality", gold, more)
    assert with_warning.pop("warnings") == ["[6].id: “elsewhere” is not a dialogue of this task and is left out"]
    assert with_warning == score("dialogue-quality", gold, run)


def test_the_tokenizer_is_named_in_the_result():
    gold, run = example("response-generation")
    characters = score("response-generation", gold, run)
    words = score("response-generation", gold, run, "--tokenizer", "jieba")
    assert (characters["tokenizer"], words["tokenizer"]) == ("characters", "jieba")
    assert words["bleu1"] < characters["bleu1"]


def test_word_vectors_add_their_three_figures(tmp_path):
    gold, run = example("response-generation")
    vectors = tmp_path / "tiny.vec"
    characters = sorted({c for c in gold.read_text() + run.read_text() if "一" <= c <= "龥"})
    vectors.write_text(
        f"{len(characters)} 2\n" + "".join(f"{c} {i} {len(characters) - i}\n" for i, c in enumerate(characters))
    )
    figures = score("response-generation", gold, run, "--vectors", str(vectors))
    assert figures["vectors"] == "tiny.vec"
    assert 0 < figures["embedding_average"] <= 1
    assert {"vector_extrema", "greedy_matching"} <= set(figures)


def test_one_file_may_hold_references_and_responses(tmp_path):
    both = tmp_path / "both.jsonl"
    both.write_text('{"id": 1, "reference": "你好吗", "response": "你好"}\n')
    assert score("response-generation", both, both)["f1"] == pytest.approx(4 / 5)


def test_the_table_for_people_names_the_figures(capsys):
    gold, run = example("information-extraction")
    call_command("score", "information-extraction", gold=gold, run_file=run)
    shown = capsys.readouterr().out
    assert "entity_f1  0.7273" in shown
    assert shown.endswith("4 items\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--alpha", "2"], "--alpha must be a number from 0 to 1"),
        (["--compat", "seretod2022"], "nugget-detection has no --compat"),
        (["--missing", "perhaps"], "--missing must be one of"),
    ],
)
def test_options_that_do_not_fit_are_errors_in_words(options, message):
    gold, run = example("nugget-detection")
    with pytest.raises(CommandError, match=message):
        call_command("score", "nugget-detection", "--gold", gold, "--run", run, *options)


def test_a_file_that_is_not_there_is_an_error_in_words(tmp_path):
    gold, _ = example("nugget-detection")
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        call_command("score", "nugget-detection", gold=gold, run_file=tmp_path / "none.json")


def test_a_bad_gold_file_is_told_from_a_bad_run(tmp_path, capsys):
    _, run = example("nugget-detection")
    bad = written(tmp_path / "gold.json", [{"id": "d1", "turns": [{"sender": "robot"}], "annotations": []}])
    with pytest.raises(SystemExit):
        call_command("score", "nugget-detection", gold=bad, run_file=run)
    said = capsys.readouterr().err
    assert "gold.json: [0].turns[0].sender: must be customer or helpdesk" in said
    assert said.endswith("2 problems in the gold file; nothing was scored.\n")


def test_a_split_holds_the_items_that_the_key_draws_or_that_are_declared(tmp_path):
    gold, run = example("dialogue-quality")
    (tmp_path / "ids").write_text("d6\n\nd1\n")
    declared = {split: score("dialogue-quality", gold, run, "--split", split, "--development-ids", tmp_path / "ids")
                for split in ("development", "hidden")}  # fmt: skip
    assert {split: told["n_items"] for split, told in declared.items()} == {"development": 2, "hidden": 4}
    whole = score("dialogue-quality", gold, run)["quality"]["A"]["nmd"]
    of_parts = 2 * declared["development"]["quality"]["A"]["nmd"] + 4 * declared["hidden"]["quality"]["A"]["nmd"]
    assert whole == pytest.approx(of_parts / 6)
    third = score("dialogue-quality", gold, run, "--split", "development", "--key", "k", "--development-share", "0.34")
    assert third["n_items"] == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--key", "quality"], "say which items a --split holds"),
        (["--split", "hidden"], "Give the --key of the task"),
        (["--split", "hidden", "--development-share", "1"], "The hidden split holds no item"),
        (["--split", "hidden", "--key", "k", "--development-share", "2"], "must be a number from 0 to 1"),
        (["--split", "hidden", "--key", "k", "--development-ids", "ids"], "declared by --development-ids, or drawn"),
        (["--split", "hidden", "--development-ids", "ids"], "“d9” is not in the gold"),
    ],
)
def test_a_split_that_is_not_told_well_is_refused(options, said, tmp_path, monkeypatch):
    gold, run = example("dialogue-quality")
    (tmp_path / "ids").write_text("d9")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match=said):
        score("dialogue-quality", gold, run, *options)
