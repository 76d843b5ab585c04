"""MSDE: automatic metrics of generated responses against references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from measures.ranking import RankingKey
from reading.checking import Problems, json_lines
from reading.kinds import ANY_TEXT, TEXT
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

MEANS = ("f1", "meteor", "rouge_l", "cider")
VECTOR_MEANS = ("embedding_average", "vector_extrema", "greedy_matching")
MODEL_MEANS = {
    "bertscore-model": ("bertscore_precision", "bertscore_recall", "bertscore_f1"),
    "bleurt-model": ("bleurt",),
    "sentence-model": ("sentence_similarity",),
}
MAX_NGRAM = 2
N_BLEU = 2 * MAX_NGRAM + 2


def read_gold(content: bytes, options: Options) -> Gold:
    """JSON Lines `{"id", "reference"}`; a `response` beside it is passed over."""
    problems, seen = Problems(), dict[str, str]()
    items: dict[str, str] = {}
    for place, row in json_lines(content, problems):
        identity, text = problems.identity(row, place, seen), problems.field(row, "reference", place, TEXT)
        if identity is not None and text is not None:
            items[identity] = text
    return finished_gold(items, problems, gettext_noop("holds no line"))


def read_run(content: bytes, gold: Gold, options: Options) -> CheckedRun:
    """JSON Lines `{"id", "response"}`; a response may be empty."""
    check = RunCheck(gold, options)
    for place, row in json_lines(content, check.problems):
        identity = check.problems.identity(row, place, check.seen)
        response = check.problems.field(row, "response", place, ANY_TEXT)
        unknown = gettext_noop("“%(name)s” is not an item of this task and is left out")
        if identity is not None and response is not None and check.is_known(identity, f"{place}, id", unknown):
            check.items[identity] = response
    return check.finished("item", gettext_noop("holds no item of this task"))


def score(gold: Gold, run: CheckedRun, options: Options) -> Scored:
    """Sums: the item itself, the counts of BLEU, then each mean. A missing response is an empty one."""
    import numpy as np

    from measures.automatic import text

    tokenize = text.TOKENIZERS[options["tokenizer"]]
    raw_references = list(gold.items.values())
    raw_responses = [run.items.get(name, "") for name in gold.items]
    references, responses = [*map(tokenize, raw_references)], [*map(tokenize, raw_responses)]
    pairs = list(zip(references, responses, strict=True))
    means: dict[str, list[float]] = {
        "f1": [text.token_f1(*pair) for pair in pairs],
        "meteor": [text.meteor(*pair) for pair in pairs],
        "rouge_l": [text.rouge_l(*pair) for pair in pairs],
        "cider": text.cider(references, responses),
    }
    means |= _with_vectors(pairs, options) | _with_models(raw_references, raw_responses, options)
    bleu = [text.bleu_tally(*pair, MAX_NGRAM) for pair in pairs]
    sums = np.column_stack([np.ones(len(pairs)), np.array(bleu), *means.values()])
    whole: Figures = {f"dist{n}": text.distinct(responses, n) for n in (1, 2)}
    return Scored(sums, figures_of(sums.sum(axis=0), gold, options) | whole, _notes(options))


def _with_vectors(pairs: list[tuple[list[str], list[str]]], options: Options) -> dict[str, list[float]]:
    if not options["vectors"]:
        return {}
    from measures.automatic import text

    wanted = {token for pair in pairs for tokens in pair for token in tokens}
    with open(options["vectors"], encoding="utf-8") as lines:
        vectors = text.read_vectors(lines, wanted)
    measures = (text.embedding_average, text.vector_extrema, text.greedy_matching)
    return {
        name: [measure(*pair, vectors) for pair in pairs] for name, measure in zip(VECTOR_MEANS, measures, strict=True)
    }


def _with_models(references: list[str], responses: list[str], options: Options) -> dict[str, list[float]]:
    from measures.automatic import local_models

    columns: dict[str, list[float]] = {}
    if options["bertscore-model"]:
        scores = local_models.bert_scores(references, responses, options["bertscore-model"])
        columns |= {
            name: [score[place] for score in scores] for place, name in enumerate(MODEL_MEANS["bertscore-model"])
        }
    if options["bleurt-model"]:
        columns["bleurt"] = local_models.bleurt_scores(references, responses, options["bleurt-model"])
    if options["sentence-model"]:
        columns["sentence_similarity"] = local_models.sentence_similarities(
            references, responses, options["sentence-model"]
        )
    return columns


def columns(gold: Gold, options: Options) -> tuple[str, ...]:
    ngrams = [f"bleu.{part}{n}" for part in ("matches", "totals") for n in range(1, MAX_NGRAM + 1)]
    return ("n_items", *ngrams, "bleu.n_response", "bleu.n_reference", *_means(options))


def figures_of(total: NDArray[np.float64], gold: Gold, options: Options) -> Figures:
    from measures.automatic.text import bleu_of

    n_items, counts, means = float(total[0]), total[1 : 1 + N_BLEU], total[1 + N_BLEU :]
    tally = [float(count) for count in counts]
    figures: Figures = {
        "bleu1": bleu_of([tally[0], tally[MAX_NGRAM], *tally[-2:]], 1),
        "bleu2": bleu_of(tally, MAX_NGRAM),
    }
    return figures | {name: float(mean) / n_items for name, mean in zip(_means(options), means, strict=True)}


def _means(options: Options) -> list[str]:
    with_models = [name for option, names in MODEL_MEANS.items() if options[option] for name in names]
    return [*MEANS, *(VECTOR_MEANS if options["vectors"] else ()), *with_models]


def _notes(options: Options) -> dict[str, str]:
    """What the figures depend on: the tokenizer, and the models by the names of their folders."""
    from pathlib import Path

    used = {name: Path(options[name]).name for name in ("vectors", *MODEL_MEANS) if options[name]}
    return {gettext_noop("tokenizer"): options["tokenizer"]} | used


RESPONSE_GENERATION = TaskType(
    name="response-generation",
    title=_("Response generation"),
    figures=(
        Figure("f1", "higher", "F1"),
        Figure("bleu1", "higher", "BLEU-1"),
        Figure("bleu2", "higher", "BLEU-2"),
        Figure("dist1", "higher", "DIST-1"),
        Figure("dist2", "higher", "DIST-2"),
        Figure("meteor", "higher", "METEOR"),
        Figure("rouge_l", "higher", "ROUGE-L", aliases=("ROUGE",)),
        Figure("cider", "higher", "CIDEr"),
        Figure("embedding_average", "higher", "EV"),
        Figure("vector_extrema", "higher", "VE"),
        Figure("greedy_matching", "higher", "GM"),
        Figure("sentence_similarity", "higher", "ST"),
        Figure("bertscore_precision", "higher", "BS-P"),
        Figure("bertscore_recall", "higher", "BS-R"),
        Figure("bertscore_f1", "higher", "BS-F1"),
        Figure("bleurt", "higher", "BLEURT"),
    ),
    ranking=(RankingKey("f1", "higher"),),
    read_gold=read_gold,
    read_run=read_run,
    score=score,
    columns=columns,
    figures_of=figures_of,
    run_format=_('JSON Lines, one item per line: {"id": "…", "response": "…"}.'),
    options=(
        missing_option("refuse"),
        Option(
            "tokenizer",
            choice_of("tokenizer", gettext_noop("characters"), "jieba", gettext_noop("whitespace")),
            "characters",
            gettext_noop("what a token is: characters, jieba or whitespace"),
        ),
        Option(
            "vectors",
            str,
            "",
            "word vectors as text, for embedding average, vector extrema and greedy matching",
            is_local=True,
        ),
        Option("bertscore-model", str, "", "folder of a local encoder for BERTScore", is_local=True),
        Option("bleurt-model", str, "", "folder of a local regression model for BLEURT", is_local=True),
        Option("sentence-model", str, "", "folder of a local encoder for sentence vectors", is_local=True),
    ),
)
