"""The facts of a scenario as the tester's goal card groups them."""

from django.utils.translation import override

from testing_console.goal_card import fact_groups, fact_tables


def test_plain_facts_come_first_then_one_group_per_part():
    facts = {"flight": {"from": "北京", "seats": 2}, "note": "靠窗", "hotels": [{"name": "云栖"}]}
    groups = fact_groups(facts)
    assert groups[0].facts == (("note", "靠窗"),)
    assert groups[0].label == ""
    assert [value for _, value in groups[1].facts] == ["北京", "2"]
    assert len(groups) == 2


def test_labels_are_in_the_readers_language():
    with override("zh-hans"):
        assert fact_groups({"flight": {}})[0].label == "机票"
    with override("en"):
        assert fact_groups({"flight": {}})[0].label == "Flight"


def test_a_list_of_records_is_a_table_with_every_column_that_a_record_has():
    (table,) = fact_tables({"hotels": [{"name": "云栖", "price": 300}, {"name": "望岳", "stars": 4}], "flight": {}})
    assert len(table.heads) == 3
    assert table.rows == (("云栖", "300", ""), ("望岳", "", "4"))


def test_lists_of_anything_else_are_no_table():
    assert fact_tables({"a": [], "b": [1, 2], "c": [{"x": 1}, 2], "d": "text"}) == []


def test_a_scenario_without_facts_has_an_empty_card():
    assert (fact_groups({}), fact_tables({})) == ([], [])
