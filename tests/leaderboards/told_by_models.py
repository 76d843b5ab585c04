"""What exports say, told row by row by the models: the slow form that the fast one is compared with."""

import json

from dialogues.models import Dialogue, LedgerEvent, Turn
from dialogues.queries import attempts_of, lines_of
from dialogues.turn_policy import turn_policy_of
from leaderboards.exports.parts import iso, places_of
from participants.adapters.shown_requests import finding_without, without_secret
from participants.failures import wire_of
from reviews.actions.contents import line_of
from reviews.models import Rating, Review, ReviewChange


def in_order(campaign):
    """The dialogues with their places, in the order of all exports."""
    found = Dialogue.objects.of_campaign(campaign).order_by("assignment_id", "opened_at", "pk")
    places = places_of(found)
    return [(dialogue, places[dialogue.pk]) for dialogue in found]


def turns(campaign):
    for dialogue, place in in_order(campaign):
        for turn in dialogue.turns.all():
            said = (turn.number, turn.subtask, turn.key, turn.status, turn.text, turn.texts, turn.flags)
            yield (*place, *said, turn.attempt_number, turn.latency_ms, iso(turn.asked_at), iso(turn.settled_at))


def dialogues(campaign):
    policy = turn_policy_of(campaign)
    for dialogue, place in in_order(campaign):
        subtasks = []
        for row in dialogue.subtasks.all():
            used, cap = policy.turns_of_part(row.index, row.turns_used, row.turn_cap)
            subtasks.append({"kind": row.kind, "status": row.status, "turns": used, "cap": cap})
        state = (dialogue.status, dialogue.reason, policy.turns(dialogue.turns_used), subtasks)
        when = (iso(dialogue.opened_at), iso(dialogue.closed_at))
        cap = None if dialogue.turn_cap is None else policy.turns(dialogue.turn_cap)
        who = dialogue.assignment.tester.kind
        yield (*place, *state, *when, dialogue.origin, dialogue.external_id, cap, who)


def _told(one, secret):
    return str(finding_without(one.what_happened, secret)) if one.what_happened else ""


def attempts(campaign):
    for dialogue, place in in_order(campaign):
        hidden = dialogue.assignment.entry.secret_to_hide
        for turn in dialogue.turns.all():
            for one in attempts_of(turn):
                secret = hidden if one.pk else ""
                sent = (one.number, one.request, str(one.outcome), one.has_left, one.status, one.is_current)
                failed = (one.kind, one.fault, _told(one, secret), without_secret(one.evidence, secret))
                texts = [without_secret(text, secret) for text in one.texts]
                yield (
                    *place,
                    turn.number,
                    *sent,
                    *failed,
                    texts,
                    one.latency_ms,
                    iso(one.ended_at),
                    *wire_of(one.wire),
                    "",
                )


def ledger(campaign):
    for dialogue, place in in_order(campaign):
        lines = [
            (one.seq, one.kind, one.fault, iso(one.at), one.frame)
            for one in LedgerEvent.objects.filter(dialogue=dialogue)
        ]
        for turn in Turn.objects.filter(dialogue=dialogue):
            for (seq, frame), at in zip(lines_of(turn), (turn.asked_at, turn.settled_at), strict=False):
                lines.append((seq, json.loads(frame)["type"], "", iso(at), frame))
        for seq, *line, frame in sorted(lines):
            yield (*place, seq, *line, json.loads(frame))


def reviews(campaign):
    for dialogue, place in in_order(campaign):
        for review in Review.objects.filter(dialogue=dialogue, is_submitted=True).order_by("pk"):
            verdicts = {str(one.subtask): one.is_finished for one in review.verdicts.all()}
            told = (review.reviewer.username, verdicts, review.comment, review.version, iso(review.submitted_at))
            yield (*place, *told, review.part, review.is_counted, review.reviewer.kind)


def ratings(campaign):
    for dialogue, place in in_order(campaign):
        found = Rating.objects.filter(review__dialogue=dialogue, review__is_submitted=True)
        for one in found.order_by("review_id", "criterion__position", "place"):
            points = one.criterion.points.filter(score=one.score).exclude(key="")
            said = (one.review.reviewer.username, one.criterion.key, one.score, one.place)
            counted = (one.evidence_turn, one.review.part, one.review.is_counted)
            label = points.values_list("key", flat=True).first()
            yield (*place, *said, label, *counted, one.review.reviewer.kind)


def changes(campaign):
    for dialogue, place in in_order(campaign):
        for one in ReviewChange.objects.filter(review__dialogue=dialogue).order_by("review_id", "version"):
            line = line_of(one)
            who = (line["review"], one.review.reviewer.username, line["version"], line["kind"])
            by = (one.changed_by.username, line["changed_by"], line["at"])
            told = (one.before, one.after, one.reason, one.salt, one.gone, one.digest)
            yield (*place, *who, *by, *told, one.review.reviewer.kind)


TOLD = {
    "turns": turns, "dialogues": dialogues, "attempts": attempts, "ledger": ledger, "reviews": reviews,
    "ratings": ratings, "changes": changes,
}  # fmt: skip


def as_json(rows):
    """The types of the values, too, and the order of the keys of each table."""
    return [json.dumps(row, ensure_ascii=False) for row in rows]
