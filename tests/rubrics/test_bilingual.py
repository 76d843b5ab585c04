from django.utils import translation

from rubrics.bilingual import Bilingual


class Named(Bilingual):
    def __init__(self, zh, en):
        self.name_zh, self.name_en = zh, en


def test_a_reader_gets_their_language():
    with translation.override("en"):
        assert Named("甲", "A").text("name") == "A"
    with translation.override("zh-hans"):
        assert Named("甲", "A").text("name") == "甲"


def test_a_blank_text_gives_way_to_the_other_language():
    with translation.override("en"):
        assert Named("甲", "").text("name") == "甲"
    with translation.override("zh-hans"):
        assert Named("", "A").text("name") == "A"


def test_without_a_language_the_sites_own_holds():
    with translation.override(None):
        assert Named("甲", "A").text("name") == "甲"
