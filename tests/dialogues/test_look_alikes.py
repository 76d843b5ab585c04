from dialogues.masking import LOOK_ALIKES, folded, script_of


def test_every_look_alike_is_a_letter_for_a_latin_one_that_folding_does_not_know_yet():
    assert len(LOOK_ALIKES) > 200
    for character, latin in LOOK_ALIKES.items():
        assert character.isalpha()
        assert latin.isascii()
        assert latin.islower()
        assert not folded(character).isascii()


def test_no_letter_of_scripts_without_latin_shapes_is_one():
    assert {script_of(one) for one in LOOK_ALIKES} == {
        "LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU",
    }  # fmt: skip


def test_the_script_of_a_letter():
    assert [script_of(one) for one in "aж华α"] == ["LATIN", "CYRILLIC", "CJK", "GREEK"]
    assert script_of("\ue000") == ""
