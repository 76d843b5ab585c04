from scoring.mixing import Asked, batches, drawn_order, numbered

ITEMS = [str(n) for n in range(10)]


def test_every_item_is_asked_once_and_noise_is_repeated_only_when_all_of_it_is_used():
    order = drawn_order(ITEMS, 3, 0.5, seed=3)
    assert sorted(drawn for drawn in order if isinstance(drawn, str)) == ITEMS
    noise = [drawn for drawn in order if isinstance(drawn, int)]
    assert len(noise) == 5
    assert sorted(noise.count(place) for place in range(3)) == [1, 2, 2]


def test_the_seed_alone_decides_the_order():
    assert drawn_order(ITEMS, 1, 0.5, seed=3) == drawn_order(ITEMS, 1, 0.5, seed=3)
    assert drawn_order(ITEMS, 1, 0.5, seed=4) != drawn_order(ITEMS, 1, 0.5, seed=3)


def test_without_sentences_of_noise_the_ratio_draws_nothing():
    assert sorted(drawn_order(ITEMS, 0, 0.5, seed=3)) == ITEMS


def test_sentences_are_numbered_from_one_and_noise_is_no_item():
    asked = numbered(["7", 1, "3"], {"3": "三", "7": "七"}, ["噪一", "噪二"])
    assert asked == [Asked(1, "七", "7"), Asked(2, "噪二", None), Asked(3, "三", "3")]


def test_the_last_batch_holds_what_is_left():
    asked = numbered(ITEMS, dict.fromkeys(ITEMS, "句"), [])
    assert [len(part) for part in batches(asked, 4)] == [4, 4, 2]
    assert [part[0].number for part in batches(asked, 4)] == [1, 5, 9]
