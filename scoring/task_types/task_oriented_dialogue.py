"""SereTOD Track 2, automatic part: intents, success, BLEU and the combined score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from measures.automatic.task_oriented import (
    MAX_NGRAM,
    BleuCounts,
    DialogueCounts,
    GeneratedTurn,
    IntentCounts,
    dialogue_counts,
)
from measures.ranking import RankingKey
from reading.checking import Problems
from reading.findings import under
from reading.kinds import ANY_TEXT
from scoring.mobilecs_files import dialogues_of, goal_dialogue, turns_of
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
    choice_of,
    finished_gold,
    missing_option,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FIELDS = ("用户意图-生成", "客服意图-生成", "客服-生成")


def read_gold(content: bytes, options: Options) -> Gold:
    """Annotated dialogues, without those that Track 2 leaves out; `about` names these."""
    problems = Problems()
    items, left_out = {}, []
    for place, name, row in dialogues_of(content, problems):
        dialogue = goal_dialogue(row, place, problems)
        if dialogue is None:
            left_out.append(name)
        else:
            items[name] = dialogue
    nothing = gettext_noop("holds no dialogue with all intents and a steady order of speakers")
    return finished_gold(items, problems, nothing, about=tuple(left_out))


def read_run(content: bytes, gold: Gold, options: Options) -> CheckedRun:
    check, left_out = RunCheck(gold, options), frozenset(gold.about)
    for place, name, row in dialogues_of(content, check.problems):
        check.seen[name] = place
        unknown = gettext_noop("“%(name)s” is not a dialogue of this task and is left out")
        if name in left_out or not check.is_known(name, under(place, "id"), unknown):
            continue
        turns = [
            GeneratedTurn(*(check.problems.field(turn, name, turn_place, ANY_TEXT) or "" for name in FIELDS))
            for turn_place, turn in turns_of(row, place, check.problems)
        ]
        n_wanted = len(gold.items[name].turns)
        if len(turns) != n_wanted:
            check.problems.note(
                place, gettext_noop("has %(n)s turns; the dialogue has %(wanted)s"), n=len(turns), wanted=n_wanted
            )
        check.items[name] = turns
    return check.finished("dialogue", gettext_noop("holds no dialogue of this task"))


def score(gold: Gold, run: CheckedRun, options: Options) -> Scored:
    """Sums: every count that the figures are made of. A missing dialogue was answered by silence."""
    import numpy as np

    silence = GeneratedTurn("", "", "")
    rows = []
    for name, dialogue in gold.items.items():
        generated = run.items.get(name, [silence] * len(dialogue.turns))
        rows.append(_row(dialogue_counts(dialogue, generated, options["compat"])))
    sums = np.array(rows, dtype=float)
    return Scored(
        sums,
        figures_of(sums.sum(axis=0), gold, options),
        notes={gettext_noop("reading"): options["compat"] or gettext_noop("strict")},
    )


def _row(counts: DialogueCounts) -> list[int]:
    intents = [
        part for intent in (counts.user, counts.service) for part in (intent.n_hits, intent.n_false, intent.n_missed)
    ]
    bleu = [*counts.bleu.matches, *counts.bleu.totals, counts.bleu.n_reply, counts.bleu.n_reference]
    return [*intents, *bleu, counts.n_successful, counts.n_answerable]


def _counts(total: NDArray[np.float64]) -> DialogueCounts:
    row = [round(float(value)) for value in total]
    return DialogueCounts(
        IntentCounts(*row[0:3]),
        IntentCounts(*row[3:6]),
        BleuCounts(tuple(row[6:10]), tuple(row[10:14]), row[14], row[15]),
        row[16],
        row[17],
    )


def columns(gold: Gold, options: Options) -> tuple[str, ...]:
    intents = [f"{side}.{part}" for side in ("user", "service") for part in ("hits", "false", "missed")]
    ngrams = [f"bleu.{part}{n}" for part in ("matches", "totals") for n in range(1, MAX_NGRAM + 1)]
    return (*intents, *ngrams, "bleu.n_reply", "bleu.n_reference", "n_successful", "n_answerable")


def figures_of(total: NDArray[np.float64], gold: Gold, options: Options) -> Figures:
    counts = _counts(total)
    figures: Figures = {}
    for name, intents in (("user_intent", counts.user.scores), ("system_intent", counts.service.scores)):
        figures |= {
            f"{name}.precision": intents.precision,
            f"{name}.recall": intents.recall,
            f"{name}.f1": intents.f1,
        }
    return figures | {"success": counts.success, "bleu": counts.bleu.bleu, "combined": counts.combined}


TASK_ORIENTED_DIALOGUE = TaskType(
    name="task-oriented-dialogue",
    title=_("Task-oriented dialogue"),
    figures=(
        Figure("combined", "higher", _("combined")),
        Figure("user_intent.precision", "higher", _("user P")),
        Figure("user_intent.recall", "higher", _("user R")),
        Figure("user_intent.f1", "higher", _("user F1")),
        Figure("system_intent.precision", "higher", _("system P")),
        Figure("system_intent.recall", "higher", _("system R")),
        Figure("system_intent.f1", "higher", _("system F1")),
        Figure("success", "higher", _("success")),
        Figure("bleu", "higher", "BLEU-4", 2),
    ),
    ranking=(RankingKey("combined", "higher"),),
    read_gold=read_gold,
    read_run=read_run,
    score=score,
    columns=columns,
    figures_of=figures_of,
    run_format=_(
        "One JSON list: the same dialogues, each turn under `content` with 用户意图-生成, 客服意图-生成 and 客服-生成 filled."
    ),
    options=(
        missing_option("refuse"),
        Option(
            "compat",
            choice_of("compat", "", "seretod2022"),
            "",
            gettext_noop("seretod2022: read as the organizers' script does"),
        ),
    ),
)
