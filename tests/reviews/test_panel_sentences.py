from django.utils.translation import override

from reviews.panel_gaps import Hindrance, Panel, gap_of, names, what_fills, why_sentences


def panel(n_needed, **hindered):
    return Panel(n_needed, {name: Hindrance(because) for name, because in hindered.items()})


def fills(one, *reviewers):
    with override("en"):
        return what_fills(one, gap_of(one, reviewers))


def test_each_reason_names_its_people():
    with override("en"):
        assert why_sentences(panel(3, ada="scored", bo="talked", cem="talked")) == [
            "scored it: ada",
            "talked in it: bo, cem",
        ]
        assert why_sentences(panel(3)) == ["The campaign has no reviewers."]


def test_ways_to_fill_a_panel_are_only_those_that_there_are():
    assert fills(panel(2)) == ["2 more reviewers who did not talk in it"]
    assert fills(panel(3, ada="scored", bo="ran_out", cem="in_training"), "ada", "bo", "cem") == [
        "2 more reviewers who did not talk in it",
        "the return of bo: the draft and the place are still theirs",
        "the training, once passed: cem",
        "your decision to count it with 1 review",
    ]


def test_many_people_are_counted():
    with override("en"):
        assert names(["a", "b", "c", "d", "e", "f"]) == "a, b, c, d, 2 others"
