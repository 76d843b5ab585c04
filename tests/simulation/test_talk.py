"""What a tester knows of its dialogue: whose turn it is, what is left, and what a cut line changes."""

from simulation.talk import BOT, TESTER, Line, Next, Talk


def state(**said):
    parts = [
        {"index": 1, "kind": "flight", "turns_used": 0, "turn_cap": 2, "status": "open"},
        {"index": 2, "kind": "hotel", "turns_used": 0, "turn_cap": 3, "status": "pending"},
    ]
    usual = {
        "type": "dialogue.state", "status": "open", "turns_used": 0, "turn_cap": 5, "subtasks": parts, "last_seq": 0,
        "waiting": None, "opened_by": "tester",
    }  # fmt: skip
    return usual | said


def accepted(seq, turn, text="hi"):
    return {"type": "turn.accepted", "seq": seq, "turn": turn, "text": text}


def answered(seq, turn, text="yes"):
    return {"type": "reply.done", "seq": seq, "turn": turn, "texts": [text]}


def failed(seq, turn, *, retryable):
    return {"type": "turn.failed", "seq": seq, "turn": turn, "retryable": retryable}


def closed(seq, part, status="finished"):
    return {"type": "subtask.closed", "seq": seq, "subtask": part, "status": status}


def heard(*frames):
    talk = Talk()
    for frame in frames:
        talk.hear(frame)
    return talk


def test_it_speaks_first_and_then_waits_for_the_answer():
    talk = heard(state())
    assert (talk.next(), talk.left, talk.current.index) == (Next.SPEAK, 2, 1)
    talk.hear(accepted(1, 1))
    assert talk.next() is Next.HEAR
    talk.hear(answered(2, 1))
    assert (talk.next(), talk.left) == (Next.SPEAK, 1)
    assert talk.lines == [Line(TESTER, "hi"), Line(BOT, "yes")]


def test_at_the_cap_of_a_part_it_waits_for_the_part_to_close():
    talk = heard(state(), accepted(1, 1), answered(2, 1), accepted(3, 2), answered(4, 2))
    assert talk.next() is Next.HEAR
    talk.hear(closed(5, 1, "cap_reached"))
    assert (talk.next(), talk.current.index, talk.left) == (Next.SPEAK, 2, 3)


def test_a_failed_turn_is_asked_again_and_a_lost_one_closes_its_part():
    talk = heard(state(), accepted(1, 1), failed(2, 1, retryable=True))
    assert talk.next() is Next.RETRY
    talk.hear({"type": "turn.retried", "seq": 3, "turn": 1})
    assert talk.next() is Next.HEAR
    talk.hear(failed(4, 1, retryable=False))
    assert talk.next() is Next.HEAR
    talk.hear(closed(5, 1, "failed"))
    assert talk.next() is Next.SPEAK


def test_after_its_last_part_it_waits_for_the_end():
    talk = heard(state(), closed(1, 1), closed(2, 2))
    assert talk.next() is Next.HEAR
    talk.hear({"type": "dialogue.closed", "seq": 3, "status": "completed", "reason": "done"})
    assert (talk.next(), talk.status, talk.reason) == (Next.OVER, "completed", "done")


def test_a_bot_that_opens_is_heard_first_and_one_that_cannot_is_not_waited_for():
    opening = state(opened_by="bot", waiting=0)
    talk = heard(opening, accepted(1, 0, ""), answered(2, 0, "welcome"))
    assert (talk.next(), talk.lines, talk.left) == (Next.SPEAK, [Line(BOT, "welcome")], 2)
    assert heard(opening, accepted(1, 0, ""), failed(2, 0, retryable=False)).next() is Next.SPEAK
    assert heard(opening, accepted(1, 0, ""), failed(2, 0, retryable=True)).next() is Next.RETRY


def test_what_is_told_again_after_a_cut_changes_nothing():
    frames = [state(), accepted(1, 1), answered(2, 1)]
    talk = heard(*frames, state(last_seq=2), *frames[1:])
    assert talk == heard(*frames, state(last_seq=2))
    # Nothing is said before everything that was missed is heard.
    assert heard(state(last_seq=2), accepted(1, 1)).next() is Next.HEAR


def test_a_turn_that_was_sent_into_a_cut_line_is_not_waited_for():
    talk = heard(state())
    talk.in_flight = 1
    talk.hear(state())
    assert talk.next() is Next.SPEAK


def test_one_cap_for_the_whole_dialogue():
    parts = [{"index": 1, "kind": "chat", "turns_used": 0, "turn_cap": None, "status": "open"}]
    talk = heard(state(subtasks=parts, turn_cap=1), accepted(1, 1), answered(2, 1))
    assert (talk.left, talk.next()) == (0, Next.HEAR)
