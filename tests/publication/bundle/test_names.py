import pytest

from dialogues.masking import Masker
from publication.bundle.names import Aliases, BotName, TeamNames, numbered

TEAMS = {"a": BotName("a", "Team Alpha", "Alphabot")}


def aliases():
    return Aliases({"a": "W3"}, {}, Masker(["Team Alpha", "Alphabot"]))


def test_teams_are_called_by_their_names_and_texts_stay():
    names = TeamNames(TEAMS, {})
    assert names.bot("a") == BotName("a", "Team Alpha", "Alphabot")
    assert names.text("by Team Alpha") == "by Team Alpha"
    assert names.identifier("case", "alphabot-1") == "alphabot-1"


def test_with_aliases_no_text_inside_of_anything_names_a_team():
    said = {"Alphabot": ["I am Team Alpha", 3, None, True, {"by": "A.l.p.h.a.b.o.t"}]}
    assert aliases().text(said) == {"████████": ["I am ██████████", 3, None, True, {"by": "███████████████"}]}
    assert aliases().bot("a") == BotName("W3", "", "W3")


def test_an_identifier_that_would_be_masked_gets_a_number_of_its_own():
    names = aliases()
    told = [names.identifier("case", one) for one in ("alphabot-1", "alphabot-2", "flight", "alphabot-1")]
    assert told == ["case-1", "case-2", "flight", "case-1"]


def test_people_are_numbered_in_an_order_that_the_key_alone_gives():
    """HMAC-SHA256 of the names begins with a1 (adam), 47 (ben), e7 (zoe) under `k`, and 4d (adam), ab (ben), a5 (zoe) under `l`."""
    people = ["zoe", "adam", "ben", "zoe"]
    assert numbered(people, b"k") == {"ben": "person-1", "adam": "person-2", "zoe": "person-3"}
    assert numbered(people, b"l") == {"adam": "person-1", "zoe": "person-2", "ben": "person-3"}


def test_a_person_whom_nobody_numbered_is_no_person_of_the_bundle():
    with pytest.raises(KeyError):
        TeamNames(TEAMS, {"adam": "person-1"}).person("zoe")
