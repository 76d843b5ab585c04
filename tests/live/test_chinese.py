"""What counts as Chinese on an English page, on pages and rows made by hand."""

import sqlite3

import pytest

from tests.live.chinese import chinese_on, is_made_of, stored_without_english


def test_words_attributes_and_strings_for_scripts_are_read():
    page = '<p title="提示">Words 词</p><input placeholder="搜索" value="x"><script type="application/json">{"a":"\\u53d1\\u9001"}</script>'
    assert chinese_on(page) == ["提示", "词", "搜索", "发送"]


def test_what_the_page_says_is_chinese_is_left_out():
    page = '<p><button lang="zh-Hans">中文</button><br><input lang="zh" value="名"> 后</p><div lang="zh"><b>里</b><i lang="en">外</i></div>'
    assert chinese_on(page) == ["后", "外"]


def test_of_a_pair_the_english_alone_may_be_shown(tmp_path):
    database = tmp_path / "one.sqlite3"
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("CREATE TABLE one (name_zh TEXT, name_en TEXT, facts TEXT, n INTEGER)")
        connection.execute(
            'INSERT INTO one VALUES (\'甲\', \'First\', \'{"zh": "丙", "en": "Third", "from": "\\u4e01"}\', 1)'
        )
        connection.execute("INSERT INTO one VALUES ('乙', '', '[\"戊\"]', 2)")
    connection.close()
    allowed = stored_without_english(database)
    assert [word for word in "甲乙丙丁戊" if word in allowed] == ["乙", "丁", "戊"]


@pytest.mark.parametrize(
    ("said", "is_allowed"),
    [("周五", True), ("周五上午", True), ("周五上午到", False), ("周午", False), ("周", True), ("点", False)],
)
def test_words_that_are_allowed_may_stand_side_by_side(said, is_allowed):
    assert is_made_of(said, "周五\n上午") is is_allowed
