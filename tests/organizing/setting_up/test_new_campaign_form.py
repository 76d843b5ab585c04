from organizing.setting_up.new_campaign import read_new_campaign

SENT = {"start": "smp2018", "slug": "fresh", "name_zh": "新评测", "name_en": ""}


def test_a_name_in_one_language_is_the_name_in_both():
    form = read_new_campaign(SENT, ())
    assert (form.is_wrong, form.name.zh, form.name.en) == (False, "新评测", "新评测")


def test_only_what_one_organizes_may_be_copied():
    assert read_new_campaign(SENT | {"start": "copy:small"}, {"small"}).copied == "small"
    assert list(read_new_campaign(SENT | {"start": "copy:other"}, {"small"}).wrong) == ["start"]


def test_each_wrong_field_is_named():
    form = read_new_campaign({"slug": "with space", "name_en": " ", "language": "fr", "ends_at": "soon"}, ())
    assert set(form.wrong) == {"start", "slug", "name_zh", "language"}
    assert set(form.calendar.wrong) == {"ends_at"}
