"""SereTOD Track 1: entities and triples of customer-service dialogues, micro F1 after assignment of entities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from measures.automatic.hit_counts import HitCounts
from measures.automatic.mobilecs import Document
from measures.ranking import RankingKey
from reading.checking import Problems
from reading.findings import under
from scoring.mobilecs_files import annotated_dialogue, dialogues_of, extracted_document
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


@dataclass(frozen=True, slots=True)
class GoldDocument:
    document: Document
    n_turns: int


def read_gold(content: bytes, options: Options) -> Gold:
    problems = Problems()
    items = {}
    for place, name, row in dialogues_of(content, problems):
        dialogue = annotated_dialogue(row, place, problems)
        items[name] = GoldDocument(dialogue.document, len(dialogue.turns))
    return finished_gold(items, problems, gettext_noop("holds no dialogue"))


def read_run(content: bytes, gold: Gold, options: Options) -> CheckedRun:
    """Unknown documents are skipped with a warning; missing ones cost recall or are refused."""
    check = RunCheck(gold, options)
    for place, name, row in dialogues_of(content, check.problems):
        check.seen[name] = place
        unknown = gettext_noop("“%(name)s” is not a document of this task and is left out")
        if check.is_known(name, under(place, "id"), unknown):
            check.items[name] = extracted_document(row, place, gold.items[name].n_turns, check.problems)
    return check.finished("document", gettext_noop("holds no document of this task"))


def score(gold: Gold, run: CheckedRun, options: Options) -> Scored:
    """Sums: hits, predicted and gold of the entities, then of the triples."""
    import numpy as np

    from measures.automatic.extraction import DATA_SERVICE_PRODUCTS, extraction_counts

    products = options["data-service"] or DATA_SERVICE_PRODUCTS
    documents = {name: item.document for name, item in gold.items.items()}
    counted = extraction_counts(documents, run.items, products).values()
    sums = np.array(
        [
            [part for counts in (c.entities, c.triples) for part in (counts.n_hits, counts.n_predicted, counts.n_gold)]
            for c in counted
        ],
        dtype=float,
    )
    return Scored(sums, figures_of(sums.sum(axis=0), gold, options))


def columns(gold: Gold, options: Options) -> tuple[str, ...]:
    return tuple(f"{kind}.{part}" for kind in ("entity", "triple") for part in ("hits", "predicted", "gold"))


def figures_of(total: NDArray[np.float64], gold: Gold, options: Options) -> Figures:
    from measures.automatic.extraction import ExtractionCounts

    entities, triples = (HitCounts(*map(round, part.tolist())) for part in total.reshape(2, 3))
    figures: Figures = {"score": ExtractionCounts(entities, triples).score}
    for name, counts in (("entity", entities), ("triple", triples)):
        figures |= {f"{name}_precision": counts.precision, f"{name}_recall": counts.recall, f"{name}_f1": counts.f1}
    return figures


INFORMATION_EXTRACTION = TaskType(
    name="information-extraction",
    title=_("Information extraction"),
    figures=(
        Figure("score", "higher", _("mean F1")),
        Figure("entity_f1", "higher", _("entity F1")),
        Figure("triple_f1", "higher", _("triple F1")),
        Figure("entity_precision", "higher", _("entity P")),
        Figure("entity_recall", "higher", _("entity R")),
        Figure("triple_precision", "higher", _("triple P")),
        Figure("triple_recall", "higher", _("triple R")),
    ),
    ranking=(RankingKey("score", "higher"),),
    read_gold=read_gold,
    read_run=read_run,
    score=score,
    columns=columns,
    figures_of=figures_of,
    run_format=_(
        'One JSON list: [{"id": "…", "entities": [{"id", "name", "type", "position", "turn_id"}], '
        '"triples": [{"ent-id", "ent-name", "prop", "value", "turn_id"}]}, …].'
    ),
    options=(
        missing_option("count"),
        Option("data-service", names, (), gettext_noop("names that are always typed 数据业务, with commas between")),
    ),
)
