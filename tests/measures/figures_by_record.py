"""The figures of a bot straight from its records, without sums: what the platform's sums are compared with."""

from fractions import Fraction

from measures.live import LiveFigures, charged_turns, completion


def live_figures(records, criteria):
    """Every figure as a mean over records, in which every dialogue weighs the same."""

    def mean_of(value):
        present = [(Fraction(score), one.weight) for one in records if (score := value(one)) is not None]
        weight = sum(weight for _, weight in present)
        return float(sum(score * weight for score, weight in present) / weight) if weight else None

    return LiveFigures(
        n_records=len(records),
        completion=mean_of(lambda record: completion(record.subtasks)),
        mean_turns=mean_of(lambda record: charged_turns(record.subtasks, record.dialogue_cap)),
        ratings={key: mean_of(lambda record, key=key: record.ratings.get(key)) for key in criteria},
    )
