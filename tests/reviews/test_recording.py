from reviews.actions.submitting import changed_criteria


def content(ratings=(), evidence=(), verdicts=(), comment=""):
    return {"ratings": dict(ratings), "evidence": dict(evidence), "verdicts": dict(verdicts), "comment": comment}


def test_a_first_hand_in_changes_all_that_it_scores():
    after = content({"fluency": 1, "nugget@1.bot": "HNUG", "nugget@2.bot": "HNUG"}, verdicts={"1": True})
    assert changed_criteria(None, after) == ["fluency", "nugget", "verdicts"]
    assert changed_criteria(after, None) == ["fluency", "nugget", "verdicts"]


def test_what_stays_is_not_named():
    before = content({"fluency": 1, "guidance": 0}, evidence={"guidance": 2}, verdicts={"1": True})
    after = content({"fluency": 1, "guidance": 0}, evidence={"guidance": 3}, verdicts={"1": True})
    assert changed_criteria(before, after) == ["guidance"]


def test_another_comment_is_no_changed_criterion():
    assert changed_criteria(content({"fluency": 1}, comment="a"), content({"fluency": 1}, comment="b")) == []
