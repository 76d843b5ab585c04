"""Records and sums, computed from turns, verdicts, ratings and the campaign's rules alone. Pure.

On purpose it repeats the rule of leaderboards/records.py: shared code would repeat the platform's mistakes.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from dialogues.turn_policy import turn_policy_of
from measures.live import AlikeSums, LiveSums, Record, SubtaskOutcome, record_of, weight_in
from verification.bundle_format import IMPORTED_SCENARIO
from verification.scores import REVIEWABLE, Scores
from verification.tables import Object
from verification.talks import Talk

# Why a bot has no rank, as `Unranked` in `leaderboards/live_board.py` says it.
NO_RECORDS, NO_REVIEWS, NOT_SCORED = "no records", "no reviews", "not scored"
DISPUTED, NOT_VETTED = "disputed", "not vetted"


class Charging:
    """What a talk costs, by the settings of campaign.json."""

    def __init__(self, settings: Object) -> None:
        self.policy = turn_policy_of(SimpleNamespace(**{name: settings[name] for name in ("turns_are", "opened_by")}))
        self.opened_by = settings["opened_by"]
        self._charges_failed = settings.get("failed_turns") == "charged"

    def turns_of(self, talk: Talk) -> list[int]:
        """What each subtask is charged where it is finished."""
        answered = talk.answered_turns()
        failed = talk.turns_failed_by_bot() if self._charges_failed else Counter[int]()
        return [
            self.policy.charged(answered[index] + failed[index], has_opening=index == 1 and talk.has_answered_opening)
            for index in range(1, len(talk.dialogue["subtasks"]) + 1)
        ]


class Recomputing:
    """Adds up the records of every bot, dialogue by dialogue; `by_cell` also those of every bot on every scenario.

    In the format before records have no weights: each weighs one.
    """

    def __init__(
        self, campaign: Object, entries: Mapping[str, Object], *, by_cell: bool = False, has_weights: bool = True
    ) -> None:
        self._settings = campaign["settings"]
        self._has_weights = has_weights
        self._leaves_out_broken = self._settings.get("broken_dialogues") == "left_out"
        scales = [one["key"] for one in campaign["rubric"]["criteria"] if one["kind"] == "scale"]
        self._scales = dict.fromkeys(scales)
        self._entries = entries
        self.sums: dict[str, LiveSums] = defaultdict(LiveSums)
        self.cells: dict[tuple[str, str], LiveSums] | None = defaultdict(LiveSums) if by_cell else None
        # Imported lines by bot, scenario and dialogue: sums of the lines without a weight, and the number of all lines.
        self._sharing: dict[tuple[str, str, str], AlikeSums] = defaultdict(AlikeSums)
        self._n_of_dialogue: Counter[tuple[str, str, str]] = Counter()
        # By bot: dialogues that could be scored, reviews of them in a part that counts, open disputes.
        self._finished: Counter[str] = Counter()
        self._reviewed: Counter[str] = Counter()
        self._disputed: Counter[str] = Counter()

    def records_of(self, turns: Sequence[int], scores: Scores) -> Iterator[Object]:
        """The lines of records.jsonl that the dialogue makes; they are added to the sums of its bot.

        `turns` is what each of its subtasks is charged where it is finished.
        """
        dialogue = scores.dialogue
        if dialogue["status"] not in REVIEWABLE:
            return
        if self._leaves_out_broken and any(one["status"] == "failed" for one in dialogue["subtasks"]):
            return
        self._note_waiting(dialogue["bot"], scores)
        counted = [review for _, review in scores.reviews if review["is_counted"]]
        for review, weight in zip(counted, scores.weights(), strict=True):
            line = self._line(dialogue, turns, review, scores.ratings[review["reviewer"]])
            record, told = _exact(line), line
            if self._has_weights:
                record, told = replace(record, weight=weight), line | {"weight": float(weight)}
            self._add(dialogue["bot"], _scenario_of(dialogue), record)
            yield told

    def add_imported(self, bot: str, record: Object) -> None:
        """A line without a weight waits for `weigh_imported`: later lines may share its dialogue."""
        if not self._has_weights:
            # What a line calls its weight meant nothing then.
            told = record_of({**record, "weight": None})
            self._add(bot, told.scenario, told)
            return
        told = record_of(record)
        if weight_in(record) is None:
            of_dialogue = bot, told.scenario, record.get("dialogue", "")
            self._sharing[of_dialogue].add_record(told, self._scales)
        else:
            self._add(bot, told.scenario, told)
        self._n_of_dialogue[bot, told.scenario, record.get("dialogue", "")] += 1

    def weigh_imported(self) -> None:
        """Adds the lines without a weight, once all lines are known."""
        for of_dialogue, sums in self._sharing.items():
            bot, scenario, _ = of_dialogue
            weighed = LiveSums({Fraction(1, self._n_of_dialogue[of_dialogue]): sums})
            self.sums[bot].add(weighed)
            if self.cells is not None:
                self.cells[bot, scenario].add(weighed)
        self._sharing.clear()

    def _add(self, bot: str, scenario: str, record: Record) -> None:
        self.sums[bot].add_record(record, self._scales)
        if self.cells is not None:
            self.cells[bot, scenario].add_record(record, self._scales)

    def reasons(self) -> dict[str, str]:
        """Why each bot without records has no rank."""
        return {bot: self._reason(bot) for bot in self._entries if bot not in self.sums}

    def _note_waiting(self, bot: str, scores: Scores) -> None:
        parts = {"self", "panel"} if (counted := self._settings["counted_reviews"]) == "both" else {counted}
        self._finished[bot] += 1
        self._reviewed[bot] += sum(review["part"] in parts for _, review in scores.reviews)
        self._disputed[bot] += scores.has_open_dispute

    def _reason(self, bot: str) -> str:
        if not self._finished[bot]:
            return NO_RECORDS
        if self._settings["counted_reviews"] == "nobody":
            return NOT_SCORED
        if not self._reviewed[bot]:
            return NO_REVIEWS
        if self._disputed[bot]:
            return DISPUTED
        return NOT_VETTED if self._settings["experts_per_dialogue"] else NO_REVIEWS

    def _line(self, dialogue: Object, turns: Sequence[int], review: Object, ratings: Sequence[Object]) -> Object:
        entry = self._entries[dialogue["bot"]]
        cap = dialogue["turn_cap"]
        subtasks = [
            {
                "kind": subtask["kind"],
                "completed": review["verdicts"].get(str(index), False),
                "turns": spent,
                "cap": cap or subtask["cap"] or 0,
            }
            for index, (subtask, spent) in enumerate(zip(dialogue["subtasks"], turns, strict=True), start=1)
        ]
        names = {"team": entry["team"] or entry["bot"], "bot": entry["name"], "scenario": dialogue["scenario"]}
        who = {"reviewer": review["reviewer"], "dialogue": dialogue["dialogue"]}
        line = names | who | {"subtasks": subtasks, "ratings": self._ratings(ratings)}
        return line if cap is None else line | {"dialogue_cap": cap}

    def _ratings(self, ratings: Sequence[Object]) -> Object:
        """One score per criterion, or its scores by place. Labels have no mean."""
        scores: dict[str, Any] = {}
        for rating in ratings:
            if rating["criterion"] not in self._scales:
                continue
            if rating["place"]:
                scores.setdefault(rating["criterion"], {})[rating["place"]] = rating["score"]
            else:
                scores[rating["criterion"]] = rating["score"]
        return scores


def _scenario_of(dialogue: Object) -> str:
    """What its records are drawn with: imported dialogues that name no scenario are one each."""
    name: str = dialogue["dialogue" if dialogue["scenario"] == IMPORTED_SCENARIO else "scenario"]
    return name


def _exact(line: Object) -> Record:
    """The record of a line, its means as fractions: then no order of addition changes a figure in its last digit."""
    ratings = {
        key: Fraction(sum(given.values()), len(given)) if isinstance(given, dict) else given
        for key, given in line["ratings"].items()
    }
    return Record(
        team=line["team"],
        bot=line["bot"],
        scenario=line["scenario"],
        reviewer=line["reviewer"],
        subtasks=tuple(
            SubtaskOutcome(one["kind"], one["completed"], one["turns"], one["cap"]) for one in line["subtasks"]
        ),
        ratings=ratings,  # type: ignore[arg-type]
        dialogue_cap=line.get("dialogue_cap"),
    )
