"""The task as the tester's goal card shows it: a line per part, its facts, and the data."""

import pytest
from django.utils.translation import override

from testing_console.goal_card import card_parts, fact_tables, facts_of, general_facts, line_of

FLIGHT = {"from": "成都", "to": "北京", "date": "后天", "time": "上午", "class": "商务舱"}
HOTEL = {"city": "北京", "place": "中关村", "budget": 400, "nights": 2}


def test_a_part_is_said_on_one_line():
    with override("en"):
        assert line_of(FLIGHT) == "成都→北京 · 后天上午 · 商务舱"
        assert line_of(HOTEL) == "北京中关村 · ≤ 400 yuan per night · 2 nights"
        assert line_of({"date": "Sunday", "time": "morning"}) == "Sunday morning"
        assert line_of({"nights": 1, "budget": 90} | {"to": "x"}) == "1 night · ≤ 90 yuan per night · x"
    assert line_of({}) == ""


def test_every_part_has_the_facts_that_its_kind_names():
    with override("en"):
        flight, hotel = card_parts([(1, "flight"), (2, "hotel")], {"hotel": HOTEL, "flight": FLIGHT, "hotels": []})
    assert (flight.index, flight.label, flight.icon) == (1, "Flight", "plane")
    assert [fact.label for fact in hotel.facts] == ["City", "Place", "Budget", "Nights"]
    assert [fact.value for fact in hotel.facts][2:] == ["≤ 400 yuan per night", "2 nights"]


def test_a_part_without_facts_of_its_own_still_has_its_line():
    (part,) = card_parts([(1, "banter")], {"note": "靠窗"})
    assert (part.label, part.icon, part.line, part.facts) == ("banter", "", "", ())


def test_a_part_names_the_table_that_it_is_booked_from():
    facts = {"flight": FLIGHT, "flights": [{"number": "CA1"}], "hotels": []}
    assert [part.table for part in card_parts([(1, "flight"), (2, "hotel"), (3, "")], facts)] == ["flights", "", ""]
    stations = {"train_stations": [{"name": "南站"}], "trains": [{"number": "G1"}]}
    assert card_parts([(1, "train")], stations)[0].table == "trains"


def test_what_belongs_to_no_part_is_general():
    facts = {"flight": FLIGHT, "note": "靠窗", "passenger": {"name": "李雷"}, "hotels": [{"name": "云栖"}]}
    assert [fact.value for fact in general_facts(["flight"], facts)] == ["靠窗", "李雷"]


def test_labels_are_in_the_readers_language():
    with override("zh-hans"):
        assert card_parts([(1, "flight")], {})[0].label == "机票"
    with override("en"):
        assert card_parts([(1, "flight")], {})[0].label == "Flight"


@pytest.mark.parametrize(("value", "is_long"), [("北京", False), ("每晚不超过四百元", True), ("Hongqiao", False)])
def test_a_long_fact_takes_a_whole_line(value, is_long):
    with override("en"):
        fact, _beside = card_parts([(1, "hotel")], {"hotel": {"place": value, "city": "北京"}})[0].facts
    assert fact.is_wide is is_long


def test_a_list_of_records_is_a_table_with_every_column_that_a_record_has():
    with override("en"):
        (table,) = fact_tables({"hotels": [{"name": "云栖", "price": 300}, {"name": "望岳", "stars": 4}], "flight": {}})
    assert [is_number for _, is_number in table.heads] == [False, True, True]
    assert table.rows[0] == (("云栖", False), ("300 yuan", True), ("", True))
    assert table.rows[1] == (("望岳", False), ("", True), ("4", True))


def test_lists_of_anything_else_are_no_table():
    assert fact_tables({"a": [], "b": [1, 2], "c": [{"x": 1}, 2], "d": "text"}) == []


def test_a_scenario_without_facts_has_an_empty_card():
    assert (card_parts([], {}), general_facts([], {}), fact_tables({})) == ([], (), [])


@pytest.mark.parametrize(
    ("key", "value", "spoken"),
    [
        ("from", "北京", ("北京",)),
        ("time", "上午/中午", ("上午", "中午")),
        ("time", "in the morning or noon", ("in the morning", "noon")),
        ("budget", 500, ("500",)),
        ("nights", 1, ("1晚", "1个晚", "1 night", "一晚", "一个晚", "一 night")),
        ("pets", True, ()),
    ],
)
def test_a_fact_is_said_in_each_of_its_ways(key, value, spoken):
    (fact,) = facts_of({key: value})
    assert fact.spoken == spoken


def test_no_fact_stands_beside_an_empty_half_of_its_line():
    long = "在虹桥火车站附近，最好能走到"
    facts = facts_of({"from": "北京", "to": "上海", "date": "明天", "place": long, "class": "经济舱"})
    assert [fact.is_wide for fact in facts] == [False, False, True, True, True]
