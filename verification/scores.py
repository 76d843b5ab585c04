"""Whether the scores of a dialogue are on the rubric's scales, are what their trail says, and count by the campaign's rule. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from reviews.counting_rules import (
    ADJUDICATION,
    ONE_MORE,
    PANEL,
    Standing,
    counted_parts,
    distances,
    verdict_of_experts,
    weights,
)
from reviews.rating_places import DIALOGUE, SUBTASK, is_for
from reviews.trail import digest_of
from verification.bundle_format import line_of_trail
from verification.findings import Findings, shown
from verification.tables import Line, Object
from verification.talks import is_same_time

REVIEWS, RATINGS, CHANGES, DISPUTES = "reviews.jsonl", "ratings.jsonl", "changes.jsonl", "disputes.jsonl"
VETTINGS = "vettings.jsonl"
UNDONE = "undone"
REVIEWABLE = {"completed", "unfinished"}


class Rubric:
    """What may be scored: the points of each criterion."""

    def __init__(self, campaign: Mapping[str, Any]) -> None:
        criteria = campaign["rubric"]["criteria"]
        self.is_scale = {one["key"]: one["kind"] == "scale" for one in criteria}
        self._labels = {one["key"]: {point["score"]: point["key"] for point in one["points"]} for one in criteria}
        self._scopes = {one["key"]: one["scope"] for one in criteria}
        self._speakers = {one["key"]: {point["score"]: point["speaker"] for point in one["points"]} for one in criteria}

    def problem(self, rating: Object) -> str:
        """Why there cannot be such a rating; an empty text where there can."""
        points = self._labels.get(rating["criterion"])
        if points is None:
            return f"is on {shown(rating['criterion'])}, which the rubric does not have"
        if type(rating["score"]) is not int or rating["score"] not in points:
            return f"{shown(rating['criterion'])} is {shown(rating['score'])}, which is not a point of the rubric"
        if (rating["label"] or "") != points[rating["score"]]:
            return f"{shown(rating['criterion'])} is labelled {shown(rating['label'])}; the rubric says {shown(points[rating['score']])}"
        if not self._is_place(rating):
            return f"{shown(rating['criterion'])} is scored at {shown(rating['place'])}, where the rubric does not ask for it"
        return ""

    def _is_place(self, rating: Object) -> bool:
        """Whether the place is one of the criterion's scope, and of the speaker whom the point is for."""
        scope, place = self._scopes[rating["criterion"]], rating["place"]
        if scope == DIALOGUE:
            return bool(place == "")
        if scope == SUBTASK:
            return bool(place.startswith("#") and place[1:].isdecimal())
        turn, _, speaker = place.partition(".")
        is_turn = turn.startswith("@") and turn[1:].isdecimal() and speaker in ("tester", "bot")
        return is_turn and is_for(self._speakers[rating["criterion"]][rating["score"]], place)

    def said(self, rating: Object) -> Any:
        """The score, or the name of the label, as the trail has it."""
        return rating["score"] if self.is_scale[rating["criterion"]] else rating["label"]


class Scores:
    """The reviews of one dialogue with their ratings and trail, and what decides which of them count."""

    def __init__(
        self,
        dialogue: Object,
        reviews: Sequence[Line],
        ratings: Sequence[Line],
        changes: Sequence[Line],
        disputes: Sequence[Line],
        vettings: Sequence[Line],
    ) -> None:
        self.dialogue = dialogue
        self.name = shown(dialogue["dialogue"])
        self.reviews = reviews
        self.changes = changes
        self.disputes = disputes
        self.vettings = vettings
        self.votes = [row["is_accepted"] for _, row in vettings]
        self.all_ratings = ratings
        self.ratings: dict[str, list[Object]] = defaultdict(list)
        for _, rating in ratings:
            self.ratings[rating["reviewer"]].append(rating)

    @property
    def has_open_dispute(self) -> bool:
        return any(one["settled_at"] is None for _, one in self.disputes)

    def weights(self) -> list[Fraction]:
        """The weights of the counted reviews, in their order."""
        parts = [review["part"] for _, review in self.reviews if review["is_counted"]]
        n_replaced = sum(review["part"] == PANEL and not review["is_counted"] for _, review in self.reviews)
        return weights(parts, n_replaced)

    def check(self, rubric: Rubric, settings: Object, findings: Findings, *, decides_early: bool = False) -> None:
        """`decides_early`: as in the format before, a majority of the experts decides before all have answered."""
        self._check_reviews(self._standing(settings, decides_early=decides_early), settings, findings)
        self._check_ratings(rubric, findings)
        self._check_trail(rubric, findings)
        self._check_disputes(rubric, settings, findings)
        self._check_votes(findings)

    def _check_reviews(self, standing: Standing, settings: Object, findings: Findings) -> None:
        parts = counted_parts(settings["counted_reviews"], standing)
        seen = set()
        for line, review in self.reviews:
            who = shown(review["reviewer"])
            if review["reviewer"] in seen:
                findings.note(REVIEWS, f"{who} appears twice on dialogue {self.name}", line=line)
            seen.add(review["reviewer"])
            if review["is_counted"] is not (review["part"] in parts):
                counts = "counts" if review["is_counted"] else "does not count"
                text = f"the review of {who} on dialogue {self.name} {counts}; by the campaign's settings it is the other way round"
                findings.note(REVIEWS, text, line=line, figure="is_counted")

    def _standing(self, settings: Object, *, decides_early: bool) -> Standing:
        n_experts, n_accepted = settings["experts_per_dialogue"], self.votes.count(True)
        verdict = verdict_of_experts(n_accepted, self.votes.count(False), n_experts) if n_experts else True
        return Standing(
            is_reviewable=self.dialogue["status"] in REVIEWABLE,
            is_accepted=verdict is True or (decides_early and 2 * n_accepted > n_experts),
            has_open_dispute=self.has_open_dispute,
            is_settled_by_person=any(one["settled_by"] is not None for _, one in self.disputes),
            keeps_panel=settings.get("decisions_count") == ONE_MORE,
        )

    def _check_ratings(self, rubric: Rubric, findings: Findings) -> None:
        of_reviews = {review["reviewer"]: (review["part"], review["is_counted"]) for _, review in self.reviews}
        seen = set()
        for line, rating in self.all_ratings:
            where = rating["reviewer"], rating["criterion"], rating["place"]
            if where in seen:
                findings.note(RATINGS, f"{shown(where)} appears twice on dialogue {self.name}", line=line)
            seen.add(where)
            if rating["reviewer"] not in of_reviews:
                text = f"is by {shown(rating['reviewer'])}, who has no review of dialogue {self.name} in {REVIEWS}"
                findings.note(RATINGS, text, line=line)
            elif (rating["part"], rating["is_counted"]) != of_reviews[rating["reviewer"]]:
                findings.note(RATINGS, f"says another part or counting than {REVIEWS}", line=line)
            if problem := rubric.problem(rating):
                findings.note(RATINGS, problem, line=line, figure=shown(rating["criterion"]))

    def _check_trail(self, rubric: Rubric, findings: Findings) -> None:
        last: dict[str, tuple[int, Object]] = {}
        for who, lines in groupby(self.changes, lambda line: line[1]["reviewer"]):
            if who in last:
                findings.note(CHANGES, f"the changes of {shown(who)} on dialogue {self.name} do not stand together")
            last[who] = self._last_of_chain(list(lines), findings)
        handed_in = self._handed_in()
        for line, review in self.reviews:
            if review["reviewer"] not in last:
                text = f"the review of {shown(review['reviewer'])} on dialogue {self.name} is in no line of {CHANGES}"
                findings.note(REVIEWS, text, line=line)
                continue
            self._check_is_last(line, review, last[review["reviewer"]], rubric, findings)
            if not is_same_time(review["submitted_at"], handed_in.get(review["reviewer"])):
                text = f"the review of {shown(review['reviewer'])} on dialogue {self.name} was handed in at another time than {CHANGES} says"
                findings.note(REVIEWS, text, line=line, figure="submitted_at")
        present = {review["reviewer"] for _, review in self.reviews}
        for who, (line, change) in last.items():
            if who not in present and change["after"] is not None:
                text = f"{shown(who)} handed in scores of dialogue {self.name}, which {REVIEWS} does not have"
                findings.note(CHANGES, text, line=line)

    def _last_of_chain(self, lines: Sequence[Line], findings: Findings) -> tuple[int, Object]:
        """The last change of one review; notes where the chain of digests breaks, or a version is missing."""
        digest, before = "", None
        for version, (line, change) in enumerate(lines, start=1):
            if change["version"] != version:
                text = (
                    f"version {version} of the review of {shown(change['reviewer'])} on dialogue {self.name} is missing"
                )
                findings.note(CHANGES, text, line=line, figure="version")
                break
            covered = line_of_trail(change | {"dialogue": self.dialogue["dialogue"]})
            if digest_of(covered, digest) != change["digest"] or change["before"] != before:
                text = f"the trail of {shown(change['reviewer'])} on dialogue {self.name} breaks: its digest is not that of what it says"
                findings.note(CHANGES, text, line=line, figure="digest")
                break
            if change["changed_by"] != change["reviewer"]:
                text = f"scores of {shown(change['reviewer'])} on dialogue {self.name} were changed by {shown(change['changed_by'])}, which nobody but the reviewer does"
                findings.note(CHANGES, text, line=line, figure="changed_by")
            digest, before = change["digest"], change["after"]
        return lines[-1]

    def _check_disputes(self, rubric: Rubric, settings: Object, findings: Findings) -> None:
        """Who settled a dispute adjudicated when it was settled; until then it is about what the panel differs on."""
        last = {change["reviewer"]: change["at"] for _, change in self.changes}
        parts = {review["reviewer"]: review["part"] for _, review in self.reviews}
        apart = self._apart(rubric, settings) if self.disputes else {}
        for line, dispute in self.disputes:
            by = dispute["settled_by"]
            if by is not None:
                is_theirs = parts.get(by) == ADJUDICATION and is_same_time(dispute["settled_at"], last.get(by))
            else:
                is_theirs = self.dialogue["status"] not in REVIEWABLE or dispute["criteria"] == apart
            if not is_theirs:
                text = f"the dispute on dialogue {self.name} is not what the scores of its panel and adjudicator give"
                findings.note(DISPUTES, text, line=line)

    def _check_votes(self, findings: Findings) -> None:
        """Each expert has one vote, and a dialogue that was returned was not accepted by most of them."""
        experts = [vetting["expert"] for _, vetting in self.vettings]
        is_accepted = self.votes.count(True) > self.votes.count(False)
        if len(set(experts)) < len(experts) or (self.dialogue["status"] == "returned" and is_accepted):
            text = f"what experts say of dialogue {self.name} is not what returned it, or one says it twice"
            findings.note(VETTINGS, text, line=self.vettings[0][0])

    def _apart(self, rubric: Rubric, settings: Object) -> Mapping[str, int]:
        """On which ratings the panel differs, and by how many points."""
        over = settings["adjudicated_over"]
        panel = [review["reviewer"] for _, review in self.reviews if review["part"] == PANEL]
        given = [
            {
                f"{one['criterion']}{one['place']}": one["score"]
                for one in self.ratings[reviewer]
                if rubric.is_scale.get(one["criterion"])
            }
            for reviewer in panel
        ]
        return {} if over is None else distances(given, over=over)

    def _check_is_last(
        self, line: int, review: Object, last: tuple[int, Object], rubric: Rubric, findings: Findings
    ) -> None:
        """What the review says is what was handed in last."""
        at, change = last
        after, now = change["after"] or {}, self._content_of(review, rubric)
        if review["version"] != change["version"]:
            text = f"is version {review['version']}; the last line of its trail is version {change['version']}"
            findings.note(REVIEWS, text, line=line, figure="version")
        for name, file in (("ratings", RATINGS), ("evidence", RATINGS), ("verdicts", REVIEWS), ("comment", REVIEWS)):
            if after.get(name) != now[name]:
                text = (
                    f"{name} of {shown(review['reviewer'])} on dialogue {self.name}: "
                    f"{_difference(now[name], after.get(name), CHANGES, at)}"
                )
                findings.note(
                    file, text, line=line if file == REVIEWS else self._line_of(review, name, now, after), figure=name
                )

    def _handed_in(self) -> dict[str, Any]:
        """By reviewer, when the scores were handed in that hold: those that were undone never do."""
        standing: dict[str, list[Any]] = defaultdict(list)
        for _, change in self.changes:
            of_reviewer = standing[change["reviewer"]]
            if change["kind"] != UNDONE:
                of_reviewer.append(change["at"])
            elif of_reviewer:
                of_reviewer.pop()
        return {reviewer: times[-1] for reviewer, times in standing.items() if times}

    def _line_of(self, review: Object, name: str, now: Object, after: Object) -> int | None:
        """The line of the first rating that is not what the trail says."""
        was = after.get(name) or {}
        for line, rating in self.all_ratings:
            key = f"{rating['criterion']}{rating['place']}"
            if rating["reviewer"] == review["reviewer"] and now[name].get(key) != was.get(key):
                return line
        return None

    def _content_of(self, review: Object, rubric: Rubric) -> Object:
        known = [one for one in self.ratings[review["reviewer"]] if one["criterion"] in rubric.is_scale]
        return {
            "ratings": {f"{one['criterion']}{one['place']}": rubric.said(one) for one in known},
            "evidence": {
                f"{one['criterion']}{one['place']}": one["evidence_turn"]
                for one in known
                if one["evidence_turn"] is not None
            },
            "verdicts": review["verdicts"],
            "comment": review["comment"],
        }


def _difference(now: Any, then: Any, file: str, line: int) -> str:
    if isinstance(now, dict) and isinstance(then, dict):
        key = min(key for key in now.keys() | then.keys() if now.get(key) != then.get(key))
        return (
            f"{shown(key)} is {shown(now.get(key))}; the last change ({file}, line {line}) says {shown(then.get(key))}"
        )
    return f"{shown(now)}; the last change ({file}, line {line}) says {shown(then)}"
