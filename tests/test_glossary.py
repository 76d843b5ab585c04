"""The words of docs/glossary.md are kept: what it says to avoid stands in no page, translation, campaign file or document."""

import re
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
NOT_IN_CHINESE = {
    "您": "你",
    "榜单": "排行榜",
    "匿名评审": "盲评",
    "匿名评分": "盲评",
    "自动任务": "评测任务",
    "登陆": "登录",
    "打分": "评分",
    "发布": "公布",
    "场景": "测试用例",
    "审计记录": "操作记录",
    r"95 ?%?% 区间": "95% 置信区间",
    "本活动": "本次评测活动",
    "重新抽取": "重新分配",
    "通过检查": "通过检测",
    "撤出|让它退出|系统已?退出": "撤下",
    "[说写]明原因": "说明理由",
    "评审人(?!数)|评审者": "评审员",
    "测试者": "测试员",
    "金标": "标准评分",
    "动态码": "验证码",
    "应答": "回答",
}
# Chinese pages show amounts of campaign files as they stand.
NOT_IN_CAMPAIGNS = {r"\d元": "400 元"}
NOT_IN_ENGLISH = {
    r"kept standing": "stored",
    r"\bsign(ed)? on\b": "log in",
    r"\blog off\b": "log out",
    r"\b(one|two|\d+|items?|turns?|runs?|frames?|yuan) an? (day|night|item|id|turn|second|minute|hour)\b": "per …",
    r"\bis not there for them\b": "they may not see it",
}
# Of pages alone.
NOT_ON_ENGLISH_PAGES = {
    r"\bis no (token|role (?!%)|team|label|e-mail|tester|organizer|date|Excel)\b": "is not a …",
    r"\btakes? no part\b": "does not take part",
    r"\bis none of\b": "is not one of",
    r"\b(failed|count) for good\b": "permanently",
    r"\banew\b": "again, re-",
    r"\bof now\b": "current",
    r"\bthe own (scores|ratings)\b": "the reviewer's own …",
    r"\btakes no (runs|files|frames?|GET|applications)\b": "does not accept",
    r"\bspeaks for it\b": "represents",
    r"\blet(ting)? (%\(about\)s )?go on\b": "end the pause",
    r"\d %%? (?!\})": "95%",
}
# Products whose makers call them so, and the word that rows hold.
CALLED_BOTS = ("Coze", "coze:", "Bot Framework")
BOT = r"(?<![{(%])\bbots?\b"
# What a tester does in a dialogue, and a kind of dialogue.
OTHER_TASKS = {
    "Task-oriented dialogue",
    "Did the tester follow the task, and does the dialogue show what it was collected for?",
}


def said_in_templates() -> str:
    return "\n".join(path.read_text() for path in sorted((ROOT / "templates").rglob("*.html")))


def campaign_files() -> list[Path]:
    return [path for room in ("demo", "examples") for path in sorted((ROOT / room).rglob("*.toml"))]


def documents() -> list[Path]:
    """All that people read about Huace, but the glossary, which names the words to avoid."""
    docs = [path for path in sorted((ROOT / "docs").rglob("*.md")) if path.name != "glossary.md"]
    return [ROOT / "README.md", *docs, *sorted((ROOT / "examples").rglob("*.md"))]


def messages() -> list[tuple[str, str]]:
    """English and Chinese of each message; plurals as several."""
    pairs = []
    for entry in polib.pofile(str(CATALOGUE)):
        pairs += [(entry.msgid, text) for text in entry.msgstr_plural.values() or [entry.msgstr]]
    return pairs


def found(unwanted: dict[str, str], text: str) -> list[str]:
    return [f"{match[0]!r}: write {instead}" for word, instead in unwanted.items() for match in re.finditer(word, text)]


def test_the_chinese_of_pages_keeps_to_the_glossary():
    assert {
        english: found(NOT_IN_CHINESE, chinese) for english, chinese in messages() if found(NOT_IN_CHINESE, chinese)
    } == {}
    assert found(NOT_IN_CHINESE, said_in_templates()) == []


def test_an_automatic_task_is_never_called_as_an_assignment_is():
    tasks = [
        pair for pair in messages() if re.search(r"\btasks?\b", pair[0], re.IGNORECASE) and pair[0] not in OTHER_TASKS
    ]
    assert len(tasks) > 100
    assert [pair for pair in tasks if re.search("(?<!评测)任务", pair[1])] == []


def test_the_english_of_pages_keeps_to_the_glossary():
    unwanted = NOT_IN_ENGLISH | NOT_ON_ENGLISH_PAGES
    assert [line for english, _ in messages() for line in found(unwanted, english)] == []
    assert found(unwanted, said_in_templates()) == []


def test_pages_call_what_is_tested_a_system():
    said = [english for english, _ in messages() if english != "bot" and not any(one in english for one in CALLED_BOTS)]
    assert [english for english in said if re.search(BOT, english, re.IGNORECASE)] == []
    assert re.search(BOT, "Failing bots pause")
    assert not re.search(BOT, "{bots} wait, %(bot)s too")


def test_campaign_files_and_documents_keep_to_the_glossary():
    everywhere = NOT_IN_CHINESE | NOT_IN_ENGLISH
    read = [(path, everywhere | NOT_IN_CAMPAIGNS) for path in campaign_files()] + [
        (path, everywhere) for path in documents()
    ]
    assert len(campaign_files()) > 5
    wrong = {str(path.relative_to(ROOT)): found(words, path.read_text()) for path, words in read}
    assert {path: lines for path, lines in wrong.items() if lines} == {}


def test_the_check_sees_a_word_to_avoid():
    assert found(NOT_IN_CHINESE, "请您登陆") == ["'您': write 你", "'登陆': write 登录"]
    assert found(NOT_IN_CHINESE, "95 %% 区间") == ["'95 %% 区间': write 95% 置信区间"]
    assert found(NOT_IN_ENGLISH, "50 runs a day") == ["'runs a day': write per …"]
    assert found(NOT_IN_ENGLISH | NOT_IN_CAMPAIGNS, "400元, 400 yuan a night") == [
        "'yuan a night': write per …",
        "'0元': write 400 元",
    ]
