from django.utils import translation

from campaigns.labels import fact_label, kind_label


def test_known_kinds_and_facts_are_called_by_their_names():
    with translation.override("en"):
        assert (kind_label("flight"), fact_label("from")) == ("Flight", "From")
    with translation.override("zh-hans"):
        assert kind_label("flight") == "机票"


def test_a_group_of_facts_is_called_as_its_kind():
    with translation.override("en"):
        assert fact_label("hotel") == "Hotel"
        assert fact_label("hotels") == "Hotels"


def test_what_is_not_known_is_shown_as_it_stands():
    assert (kind_label("spaceship"), fact_label("orbit")) == ("spaceship", "orbit")
