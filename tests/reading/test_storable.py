from reading.storable import is_storable, unstorable_in, unstorable_place


def test_nul_and_halves_of_surrogate_pairs_cannot_be_stored():
    assert is_storable("你好 👩‍🚀\n\t\u200b")
    assert not is_storable("a\x00b")
    assert not is_storable("\ud83d")


def test_the_place_of_such_a_text_is_named_however_deep():
    assert unstorable_place({"a": [1, None, {"b": "ok"}], "c": True}) is None
    assert unstorable_place({"a": [1, {"b": "\x00"}]}) == "a[1].b"
    assert unstorable_place({"a": {"\ud800": 1}}) == "a (the name of a field)"
    assert unstorable_place({"x" * 1000: ["\ud800"]}) == "x" * 60 + "[0]"


def test_two_megabytes_of_any_shape_are_looked_through_at_once():
    """Naming every value under a name of a megabyte would copy terabytes: it would not end."""
    assert unstorable_place({"x" * 1_000_000: [1] * 500_000}) is None
    assert unstorable_place(["x" * 2_000_000, {"a": "b" * 2_000_000}]) is None


def test_such_a_text_is_a_finding_with_its_place():
    assert unstorable_in({"a": "b"}) is None
    assert str(unstorable_in({"a": ["\x00"]})).startswith("a[0]: holds a NUL character or half a surrogate pair")
