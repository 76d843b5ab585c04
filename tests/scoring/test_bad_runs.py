"""A hundred bad runs, each a good one with one thing broken: problems with places, never a traceback, never a score."""

import copy
import json
import random
from pathlib import Path

import pytest

from reading.checking import BadFile
from scoring.task_types import TASK_TYPES

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "runs"
WRONG = [None, True, -1.5, [], {}, [[]], {"x": 1}, float("nan"), "\x00"]


def example(task):
    (gold,), (run,) = (EXAMPLES / task).glob("gold.*"), (EXAMPLES / task).glob("run.*")
    return gold.read_bytes(), run.read_bytes()


def is_lines(task, kind: str) -> bool:
    (file,) = (EXAMPLES / task).glob(f"{kind}.*")
    return file.suffix == ".jsonl"


def rows_of(task, content: bytes):
    if is_lines(task, "run"):
        return [json.loads(line) for line in content.splitlines()]
    return json.loads(content)


def content_of(task, rows) -> bytes:
    if is_lines(task, "run"):
        return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
    return json.dumps(rows, ensure_ascii=False).encode()


def items_of(rows) -> list:
    return rows["resultsList"] if isinstance(rows, dict) else rows


# What must be there in the formats of organizers: paths below an item, `*` for any place of a list or key of an object.
NEEDED = {
    "intent-classification": [["id"], ["result"]],
    "dialogue-quality": [["id"], ["quality"], ["quality", "*"], ["quality", "*", "*"]],
    "nugget-detection": [["id"], ["nugget"], ["nugget", "*"], ["nugget", "*", "*"]],
    "information-extraction": [
        ["id"], ["entities"], ["triples"], ["entities", "*", "id"], ["entities", "*", "name"], ["entities", "*", "type"],
        ["entities", "*", "position"], ["entities", "*", "turn_id"], ["triples", "*", "ent-id"],
        ["triples", "*", "prop"], ["triples", "*", "value"], ["triples", "*", "turn_id"],
    ],
    "task-oriented-dialogue": [
        ["id"], ["content"], ["content", "*", "用户意图-生成"], ["content", "*", "客服意图-生成"], ["content", "*", "客服-生成"],
    ],
    "response-generation": [["id"], ["response"]],
}  # fmt: skip


def spots(item, path):
    """Every (parent, key) that the path means in this item."""
    parents = [item]
    for step in path[:-1]:
        parents = [child for parent in parents for child in (values(parent) if step == "*" else [parent[step]])]
    last = path[-1]
    return [
        (parent, key) for parent in parents for key in (keys(parent) if last == "*" else [last]) if key in keys(parent)
    ]


def keys(parent):
    return list(parent) if isinstance(parent, dict) else list(range(len(parent)))


def values(parent):
    return list(parent.values()) if isinstance(parent, dict) else list(parent)


def break_value(rng, task, rows):
    """A needed value becomes something that it must not be."""
    choices = [spot for path in NEEDED[task] for item in items_of(rows) for spot in spots(item, path)]
    parent, key = rng.choice(choices)
    wrong = [
        value for value in WRONG if not (isinstance(value, str) and value.strip() and isinstance(parent[key], str))
    ]
    if task == "information-extraction" and parent[key] in (0, 1):
        wrong = [value for value in wrong if value is not True]
    parent[key] = rng.choice(
        [value for value in wrong if type(value) is not type(parent[key]) or value in (-1.5, "\x00")]
    )


def drop_key(rng, task, rows):
    path = rng.choice([path for path in NEEDED[task] if path[-1] != "*"])
    choices = [spot for item in items_of(rows) for spot in spots(item, path)]
    parent, key = rng.choice(choices)
    del parent[key]


def repeat_item(rng, task, rows):
    items_of(rows).append(copy.deepcopy(rng.choice(items_of(rows))))


def lose_item(rng, task, rows):
    if task == "information-extraction":
        items_of(rows).clear()
    else:
        items_of(rows).pop(rng.randrange(len(items_of(rows))))


def wrong_length(rng, task, rows):
    """A turn too few, a probability below zero, a turn that the dialogue does not have, a text far too long."""
    item = rng.choice(items_of(rows))
    match task:
        case "dialogue-quality":
            item["quality"]["A"]["2"] = -0.1
        case "nugget-detection":
            item["nugget"].pop()
        case "information-extraction":
            item["triples"].append({"ent-id": "NA", "ent-name": "NA", "prop": "x", "value": "y", "turn_id": 99})
        case "task-oriented-dialogue":
            item["content"].pop()
        case "intent-classification":
            item["id"] = "nowhere"
        case "response-generation":
            item["response"] = "长" * 6000


def break_bytes(rng, content: bytes) -> bytes:
    """The end is cut off, or a byte in the middle is no longer UTF-8."""
    if rng.random() < 0.5:
        return content[: rng.randrange(1, len(content.rstrip()) - 2)]
    place = rng.randrange(len(content) // 4, len(content) // 2)
    return content[:place] + b"\xff\xfe" + content[place:]


MUTATIONS = [break_value, drop_key, repeat_item, lose_item, wrong_length]


def bad_run(seed: int) -> tuple[str, bytes]:
    rng = random.Random(seed)
    task = list(NEEDED)[seed % len(NEEDED)]
    _gold, content = example(task)
    if seed % 7 == 0:
        return task, break_bytes(rng, content)
    rows = rows_of(task, content)
    rng.choice(MUTATIONS)(rng, task, rows)
    return task, content_of(task, rows)


@pytest.mark.parametrize("seed", range(120))
def test_a_broken_run_gives_a_list_of_problems_with_places(seed):
    task, content = bad_run(seed)
    task_type = TASK_TYPES[task]
    options = task_type.default_options()
    gold = task_type.read_gold(example(task)[0], options)
    task_type.read_run(example(task)[1], gold, options)
    with pytest.raises(BadFile) as bad:
        task_type.read_run(content, gold, options)
    assert bad.value.problems
    for problem in bad.value.problems:
        assert problem.place
        assert problem.message
        assert "Traceback" not in problem.message


def test_every_problem_is_listed_not_only_the_first():
    task_type = TASK_TYPES["dialogue-quality"]
    gold_content, run = example("dialogue-quality")
    rows = json.loads(run)
    rows[0]["quality"]["A"] = {"2": 0, "1": 0}
    rows[1]["quality"]["S"]["7"] = 0.5
    rows[2]["quality"]["E"]["1"] = "many"
    del rows[3]["quality"]
    rows[4]["id"] = rows[0]["id"]
    options = task_type.default_options()
    with pytest.raises(BadFile) as bad:
        task_type.read_run(json.dumps(rows).encode(), task_type.read_gold(gold_content, options), options)
    assert [str(problem) for problem in bad.value.problems] == [
        "[0].quality.A: has no positive probability",
        "[1].quality.S.7: is not one of 2, 1, 0, -1, -2",
        "[2].quality.E.1: must be a number, not a text",
        "[3].quality: is missing",
        "[4].id: “d1” already appears at [0]",
        "dialogue d5: is missing",
    ]


def test_beyond_a_thousand_problems_are_counted():
    task_type = TASK_TYPES["response-generation"]
    options = task_type.default_options()
    gold = task_type.read_gold(example("response-generation")[0], options)
    with pytest.raises(BadFile) as bad:
        task_type.read_run(b"{}\n" * 1000, gold, options)
    assert len(bad.value.problems) == 1001
    # Two a line (id and response), and ten items are missing.
    assert str(bad.value.problems[-1]) == "…: 1010 more problems of the same file"


def test_a_file_nested_too_deeply_is_a_problem_not_a_crash():
    task_type = TASK_TYPES["dialogue-quality"]
    options = task_type.default_options()
    gold = task_type.read_gold(example("dialogue-quality")[0], options)
    for content in (b"[" * 100_000, b'{"a":' * 5000, b"", b"null", b"7", b"[]", b"\xef\xbb\xbf[]"):
        with pytest.raises(BadFile):
            task_type.read_run(content, gold, options)


ANYTHING = [
    None, True, 0, -1, 2**70, 1e308, 5e-324, "", "x", "NA", "ent-1", "询问(", "）（", ",,", "\x00", "长" * 6000, [], {},
    [[]], [1, 0], [2, 0, 3], {"2": 1}, "CNUG", "[UNK]", "ent-1-", "\u3000", "🙂",
]  # fmt: skip


def nodes(tree):
    """Every (parent, key) of a file."""
    if isinstance(tree, dict | list):
        for key in keys(tree):
            yield tree, key
            yield from nodes(tree[key])


def mutated(rng, task, content: bytes, is_gold: bool) -> bytes:
    has_lines = is_lines(task, "gold" if is_gold else "run")
    rows = [json.loads(line) for line in content.splitlines()] if has_lines else json.loads(content)
    for _ in range(rng.randint(1, 4)):
        parent, key = rng.choice(list(nodes(rows)) or [(rows, None)])
        if key is None:
            break
        if rng.random() < 0.7:
            parent[key] = copy.deepcopy(rng.choice(ANYTHING))
        elif isinstance(parent, list):
            parent.insert(key, copy.deepcopy(parent[key]))
        else:
            del parent[key]
    if has_lines:
        return "\n".join(json.dumps(row) for row in rows).encode()
    return json.dumps(rows).encode()


@pytest.mark.parametrize("task", list(TASK_TYPES))
def test_whatever_stands_in_the_files_ends_as_problems_or_as_a_finite_score(task):
    task_type, rng, n_scored, n_refused = TASK_TYPES[task], random.Random(5), 0, 0
    gold_content, run_content = example(task)
    for _ in range(150):
        options = task_type.default_options() | {"missing": rng.choice(["refuse", "count"])}
        breaks_gold = rng.random() < 0.4
        try:
            gold_file = mutated(rng, task, gold_content, True) if breaks_gold else gold_content
            gold = task_type.read_gold(gold_file, options)
            run_file = run_content if breaks_gold else mutated(rng, task, run_content, False)
            scored = task_type.score(gold, task_type.read_run(run_file, gold, options), options)
            json.dumps(task_type.report(scored, len(gold.items)), allow_nan=False)
            n_scored += 1
        except BadFile as bad:
            n_refused += len(list(map(str, bad.problems))) > 0
    assert n_scored > 0
    assert n_refused > 50
