"""What needs a person: each thing says since when, for whom and until when, and where it is acted on."""

from datetime import UTC, datetime

from django.utils.translation import override

from organizing.wall.needs import BotInNeed, Facts, PersonInNeed, Waiting, needs_of

NOON = datetime(2026, 5, 17, 12, tzinfo=UTC)
ALL = Facts(
    failing=[BotInNeed("K7", NOON, 3)],
    paused=[BotInNeed("M2", NOON, 9, "It restarts.")],
    unconnected=[BotInNeed("P4", NOON, 2)],
    away=[PersonInNeed("tester", NOON, "ill", 30)],
    idle=[PersonInNeed("reviewer", NOON, n=12)],
    **{
        name: Waiting(2, NOON)
        for name in ("stuck", "problems", "requests", "panels", "disputes", "unvetted", "freeze_failed", "freezing", "tasks", "runs_without_worker", "undrawn", "applications", "submitted", "changed", "unchecked", "services_submitted", "services_changed", "services_failing")
    },
)  # fmt: skip


def shown(facts):
    with override("en"):
        return [need.shown("/there/") for need in needs_of(facts)]


def test_nothing_is_nothing():
    assert needs_of(Facts()) == []


def test_what_stops_testers_comes_first_and_everything_says_where_to_act():
    needs = shown(ALL)
    keys = [need["key"] for need in needs]
    assert keys == [
        "failing:K7", "stuck", "paused:M2", "unconnected:P4", "away:tester", "problems", "undrawn", "panels", "idle:reviewer", "requests", "disputes", "unvetted", "unchecked", "changed", "submitted", "services-failing", "services-changed", "services-submitted", "applications", "freeze", "freezing", "task-troubles", "worker",
    ]  # fmt: skip
    assert all(need["text"] and need["who"] and need["until"] and need["act"] for need in needs)
    assert all(need["since"] == "2026-05-17T12:00:00+00:00" for need in needs)


def test_a_failing_bot_says_how_many_testers_wait():
    (need,) = shown(Facts(failing=[BotInNeed("K7", NOON, 1)]))
    assert (need["text"], need["who"]) == ("K7 does not answer", "1 tester talks with it now")


def test_somebody_who_pauses_is_named_with_the_reason_and_what_waits():
    (need,) = shown(Facts(away=[PersonInNeed("tester", NOON, "ill", 1)]))
    assert (need["text"], need["who"]) == ("tester pauses: ill", "1 assignment waits for them")
    (need,) = shown(Facts(away=[PersonInNeed("reviewer", NOON, "ill", 0)]))
    assert need["who"] == "what they have not scored waits for them"


def test_a_dispute_without_an_adjudicator_says_so():
    (waits,) = shown(Facts(disputes=Waiting(1, NOON), n_adjudicators=1))
    (stuck,) = shown(Facts(disputes=Waiting(1, NOON)))
    assert (waits["who"], stuck["who"]) == ("for an adjudicator", "for an adjudicator, and there is none")


def test_dialogues_to_vet_say_when_there_are_too_few_experts():
    (waits,) = shown(Facts(unvetted=Waiting(2, NOON), n_experts=2, n_experts_needed=2))
    (stuck,) = shown(Facts(unvetted=Waiting(2, NOON), n_experts=1, n_experts_needed=2))
    assert (waits["who"], waits["until"]) == ("for its experts", "until all of them have answered")
    assert (stuck["who"], stuck["until"]) == ("for 2 experts, and there is 1", "until you invite more")


def test_a_reviewer_who_does_nothing_is_named_with_what_waits():
    (need,) = shown(Facts(idle=[PersonInNeed("reviewer", NOON, n=1)]))
    assert (need["text"], need["who"]) == ("reviewer has reviewed nothing for a day", "1 dialogue waits for them")
