"""SMP2018-ECDT Task 1: one label a sentence, macro precision and recall, F1 of the two means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from measures.automatic.hit_counts import macro_scores
from measures.ranking import RankingKey
from reading.checking import Problems, json_lines, read_json, tables
from reading.kinds import LIST, OBJECT, TEXT
from scoring.task_types.contract import (
    CheckedRun,
    Figure,
    Figures,
    Gold,
    Option,
    Options,
    RunCheck,
    Scored,
    TaskType,
    finished_gold,
    missing_option,
    names,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def read_gold(content: bytes, options: Options) -> Gold:
    """JSON Lines `{"id", "content", "label"}`; items are `(content, label)`, `about` the declared classes."""
    problems, seen = Problems(), dict[str, str]()
    items: dict[str, tuple[str, str]] = {}
    declared = tuple(dict.fromkeys(options["classes"]))
    allowed = frozenset(declared)
    for place, row in json_lines(content, problems):
        name = problems.identity(row, place, seen)
        sentence, label = problems.field(row, "content", place, TEXT), problems.field(row, "label", place, TEXT)
        if label is not None and allowed and label not in allowed:
            problems.note(f"{place}, label", gettext_noop("“%(label)s” is not a declared class"), label=label[:80])
        elif name is not None and sentence is not None and label is not None:
            items[name] = (sentence, label)
    classes = declared or tuple(sorted({label for _sentence, label in items.values()}))
    return finished_gold(items, problems, gettext_noop("holds no sentence"), about=classes)


def read_run(content: bytes, gold: Gold, options: Options) -> CheckedRun:
    """`{"resultsList": [{"id", "result"}]}`. A label outside the classes is a wrong answer and a warning."""
    check, classes = RunCheck(gold, options), frozenset(gold.about)
    root = check.problems.read(read_json(content), "file", OBJECT)
    listed = check.problems.field(root, "resultsList", "", LIST) if root is not None else None
    for place, row in tables(listed or [], "resultsList", check.problems):
        name, result = check.problems.identity(row, place, check.seen), check.problems.field(row, "result", place, TEXT)
        if name is None or result is None:
            continue
        if name not in gold.items:
            check.problems.note(f"{place}.id", gettext_noop("“%(name)s” is not a sentence of this task"), name=name)
            continue
        if result not in classes:
            check.warnings.note(
                f"{place}.result",
                gettext_noop("“%(label)s” is not a class of this task, which counts as wrong"),
                label=result[:80],
            )
        check.items[name] = result
    return check.finished("id")


def score(gold: Gold, run: CheckedRun, options: Options) -> Scored:
    """Sums: per class whether it was answered rightly, answered at all, and the gold.

    A macro score needs no more of the confusion matrix, whose size would grow with the square of the classes.
    """
    import numpy as np

    classes = {label: place for place, label in enumerate(gold.about)}
    sums = np.zeros((len(gold.items), 3 * len(classes)))
    for row, (name, (_sentence, label)) in zip(sums, gold.items.items(), strict=True):
        right, answered, wanted = np.split(row, 3)
        answer = classes.get(run.items.get(name, ""))
        wanted[classes[label]] = 1
        if answer is not None:
            answered[answer] = 1
            right[answer] = answer == classes[label]
    return Scored(sums, figures_of(sums.sum(axis=0), gold, options))


def columns(gold: Gold, options: Options) -> tuple[str, ...]:
    return tuple(f"{part}: {label}" for part in ("right", "answered", "gold") for label in gold.about)


def figures_of(total: NDArray[np.float64], gold: Gold, options: Options) -> Figures:
    precision, recall, f1 = macro_scores(*total.reshape(3, len(gold.about)))
    return {"macro_precision": precision, "macro_recall": recall, "f1": f1}


INTENT_CLASSIFICATION = TaskType(
    name="intent-classification",
    title=_("Intent classification"),
    figures=(
        Figure("f1", "higher", "F1"),
        Figure("macro_precision", "higher", "P"),
        Figure("macro_recall", "higher", "R"),
    ),
    ranking=(RankingKey("f1", "higher"),),
    read_gold=read_gold,
    read_run=read_run,
    score=score,
    columns=columns,
    figures_of=figures_of,
    run_format=_('One JSON object: {"resultsList": [{"id": 1, "result": "train"}, …]}.'),
    options=(
        missing_option("refuse"),
        Option(
            "classes", names, (), gettext_noop("the declared classes, with commas between (else those of the gold)")
        ),
    ),
    development_share=0.0,
    is_service=True,
)
