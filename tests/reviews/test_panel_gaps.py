"""What a panel lacks, why, and what would fill it."""

from django.utils.translation import override

from reviews.panel_gaps import Gap, Hindrance, Panel, gap_of, names, what_fills, why_nobody, why_sentences

EVERYBODY = ("ada", "bo", "cem", "dan")


def panel(n_needed=3, **hindered):
    return Panel(n_needed, hindered={name: Hindrance(because) for name, because in hindered.items()})


def test_a_panel_that_others_can_fill_lacks_nobody():
    assert gap_of(panel(ada="scored", bo="at_work"), EVERYBODY) == Gap(3, 1, 1, 1, 0)


def test_a_panel_is_short_of_as_many_as_nobody_is_left_for():
    gap = gap_of(panel(ada="scored", bo="talked", cem="cannot_judge"), EVERYBODY)
    assert gap == Gap(n_needed=3, n_scored=1, n_at_work=0, n_to_draw=1, n_short=1)


def test_who_ran_out_of_time_or_is_in_training_fills_no_place():
    gap = gap_of(panel(2, ada="ran_out", bo="in_training", cem="adjudicated", dan="scored"), EVERYBODY)
    assert gap == Gap(2, 1, 0, 0, 1)


def test_whoever_left_counts_with_what_they_scored_alone():
    assert gap_of(panel(2, eve="scored", fay="left"), ["ada"]) == Gap(2, 1, 0, 1, 0)


def test_a_panel_with_more_than_it_needs_lacks_nothing():
    assert gap_of(panel(1, ada="scored", bo="scored"), EVERYBODY) == Gap(1, 2, 0, 0, 0)


def test_an_organizer_may_close_what_has_a_review_and_gets_no_more():
    assert gap_of(panel(2, ada="scored"), ["ada"]).may_be_closed
    assert not gap_of(panel(2), []).may_be_closed
    assert not gap_of(panel(3, ada="scored", bo="at_work"), ["ada", "bo"]).may_be_closed
    assert not gap_of(panel(2, ada="scored"), EVERYBODY).may_be_closed
    assert not gap_of(panel(3, ada="scored"), ["ada", "bo"]).may_be_closed


def test_the_first_hindrance_of_a_reviewer_stays():
    one = panel()
    one.hinder("ada", Hindrance.SCORED)
    one.hinder("ada", Hindrance.IN_TRAINING)
    assert one.hindered == {"ada": Hindrance.SCORED}


def test_reasons_are_given_in_one_order_with_their_people():
    said = why_nobody(panel(dan="talked", bo="scored", ada="talked").hindered)
    assert list(said.items()) == [(Hindrance.SCORED, ["bo"]), (Hindrance.TALKED, ["ada", "dan"])]


def fills(one, *reviewers):
    with override("en"):
        return what_fills(one, gap_of(one, reviewers))


def test_each_reason_names_its_people():
    with override("en"):
        assert why_sentences(panel(3, ada="scored", bo="talked", cem="talked")) == [
            "scored it: ada",
            "talked in it: bo, cem",
        ]
        assert why_sentences(panel()) == ["The campaign has no reviewers."]


def test_ways_to_fill_a_panel_are_only_those_that_there_are():
    assert fills(panel(2)) == ["2 more reviewers who did not talk in it"]
    assert fills(panel(3, ada="scored", bo="ran_out", cem="in_training"), "ada", "bo", "cem") == [
        "2 more reviewers who did not talk in it",
        "the return of bo: the draft and the place are still theirs",
        "the training, once passed: cem",
        "your decision to count it with 1 review",
    ]


def test_nobody_joins_a_panel_that_reviewers_may_have_read():
    read = "reviewers may have read it in the scoring guide"
    one = panel(3, ada="scored", bo="at_work", cem="read_example")
    one.is_read = True
    assert fills(one, "ada", "bo", "cem") == [f"nobody more: {read}; close it once they are done: bo"]
    one.hindered["bo"] = Hindrance.CANNOT_JUDGE
    assert fills(one, "ada", "bo", "cem") == ["your decision to count it with 1 review"]
    one.hindered["ada"] = Hindrance.CANNOT_JUDGE
    assert fills(one, "ada", "bo", "cem") == [f"nobody: {read}"]


def test_many_people_are_counted():
    with override("en"):
        assert names(["a", "b", "c", "d", "e", "f"]) == "a, b, c, d, 2 others"
