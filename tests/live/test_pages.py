"""Every page in Chromium: no barrier that axe-core finds, nothing wider than the screen, no complaint of the browser."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from look.ruler import draw, marks
from tests.live.chinese import chinese_on, is_made_of, stored_without_english
from tests.live.page_site import CONNECTED, LANGUAGES, MOST_BYTES, MOST_SHIFT, PAGES, PASSWORD, SIZES, THEMES, page_site

pytestmark = [pytest.mark.e2e]
AXE = (Path(__file__).resolve().parents[1] / "vendor" / "axe-core" / "axe.min.js").read_text()
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
# What a page is made of, as it came over the wire but for the heads of the answers; the same when the cache had it.
WEIGHT = """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with page_site(tmp_path_factory.mktemp("pages")) as running:
        yield running


@pytest.fixture(scope="module")
def english(site):
    """What the server sends for each page."""
    return {page.name: site.read(page, "en") for page in PAGES}


@pytest.fixture
def opened(site):
    """Opens a page in a tab of its own; in the end the browser has complained of nothing."""
    looked_at = []

    def open_page(name, language):
        looked_at.append(site.open(named(name), language))
        return looked_at[-1][0]

    yield open_page
    for tab, errors in looked_at:
        tab.close()
        assert errors == []


def named(name):
    return next(page for page in PAGES if page.name == name)


def barriers(tab) -> list[str]:
    """What axe-core finds, as lines that name the rule and the first element."""
    found = tab.evaluate("rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", RULES)
    return [
        f"{one['id']}: {len(one['nodes'])} × {one['nodes'][0]['target']} {one['nodes'][0]['failureSummary'][:200]}"
        for one in found["violations"]
    ]


def is_wider_than_the_screen(tab) -> bool:
    return tab.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def scrolls_as_a_whole(tab) -> bool:
    return tab.evaluate("document.documentElement.scrollHeight > innerHeight")


# Each page is looked at once, in a language and a theme in turn; `make test-night` looks at all others.
LOOKED_AT = [
    pytest.param(
        page, language, theme, id=f"{page.name}-{language}-{theme}",
        marks=() if (number + place) % 2 == 0 and theme == THEMES[number // 2 % 2] else pytest.mark.night,
    )
    for number, page in enumerate(PAGES)
    for place, language in enumerate(LANGUAGES)
    for theme in THEMES
]  # fmt: skip


@pytest.mark.parametrize(("page", "language", "theme"), LOOKED_AT)
def test_a_page_has_no_barrier_fits_the_screen_stands_still_and_is_light(site, page, language, theme):
    tab, errors = site.look(page, language)
    weight = tab.evaluate(WEIGHT)
    tab.evaluate(AXE)
    tab.emulate_media(color_scheme=theme)
    assert barriers(tab) == []
    assert not is_wider_than_the_screen(tab)
    # Paper is another size than the screen, so what is printed has moved.
    assert page.media or tab.evaluate("window.shift") <= MOST_SHIFT
    assert weight <= MOST_BYTES
    assert not (page.name.startswith("console") and scrolls_as_a_whole(tab))
    tab.set_viewport_size({"width": 390, "height": 844})
    assert not is_wider_than_the_screen(tab), "at 390 px"
    # Of a console the transcript alone scrolls.
    assert not (page.name.startswith("console") and scrolls_as_a_whole(tab))
    assert errors == []


def test_each_page_is_looked_at_once_before_the_night():
    assert tuple(page.values[0] for page in LOOKED_AT if not page.marks) == PAGES


def test_the_check_sees_a_barrier(opened):
    tab = opened("login", "en")
    tab.evaluate("document.querySelector('label.field span').remove()")
    tab.evaluate(AXE)
    assert any(line.startswith("label:") for line in barriers(tab))


def test_an_uploaded_table_becomes_a_heat_map_while_one_looks(site):
    tab, errors = site.open(named("correlations-organizer"), "en")
    expect(tab.locator(".heat")).to_have_count(0)
    tab.goto(f"{site.base}/campaigns/smp2018/correlations/")
    rows = [f"{team},{number}" for number, team in enumerate(("山西大学", "复旦大学 KELAB", "北京大学网络所"))]
    table = "\n".join(["system,Length", *rows]).encode()
    tab.set_input_files("input[type=file]", {"name": "metrics.csv", "mimeType": "text/csv", "buffer": table})
    tab.get_by_role("button", name="Replace").click()
    # The page updates by itself once the server has computed it.
    expect(tab.locator(".heat tbody th")).to_have_text("Length", timeout=30_000)
    expect(tab.locator(".heat tbody td").first).to_have_text("−0.87")
    assert errors == []
    tab.close()


# How a tester may say a fact, in either language.
SPOKEN = re.compile("[一二两三四五六七八九十]*个?晚")
# A setting that is a name in both languages, and the names that fields of a file must have.
NAMED_IN_BOTH = {
    # The editor has both languages side by side.
    "rubric": {"任务完成", "信息点", "效率", "满意度"},
    "rubric-fixed": {"满意度", "流畅度", "引导能力"},
    "organize": {"任务二", "演示"},
    # Its form has both languages of what people read.
    "study": {"不需要任何专业知识", "并为每段对话评分", "你将与几个订票助手对话", "第一轮众测"},
    "team": {"用户意图", "客服意图", "生成", "客服"},
}
# Of one campaign, one person or one state of the same page.
OF_ONE_TITLE = {
    "campaign-organizer",
    "leaderboard-organizer",
    "leaderboard-print",
    "about",
    "home-of-nothing",
    "apply-newcomer",
    "find-dialog",
    "dialogues-found",
    "apply-waiting",
    "apply-refused",
    "check-green",
    "leaderboard-snapshot",
    "crowd-list",
    "pair-keys",
}


def test_a_page_in_english_holds_no_chinese_that_has_an_english_twin(site, english):
    allowed = stored_without_english(site.database)
    wrong = {}
    for page in PAGES:
        said = {
            one for one in chinese_on(english[page.name]) if not (is_made_of(one, allowed) or SPOKEN.fullmatch(one))
        }
        wrong[page.name] = said - NAMED_IN_BOTH.get(page.name, frozenset())
    assert {name: said for name, said in wrong.items() if said} == {}


def test_every_page_has_a_title_of_its_own(english):
    titles = {}
    for page in PAGES:
        if page.name not in OF_ONE_TITLE and page.expects == 200 and not page.name.startswith("console"):
            titles.setdefault(TITLE.search(english[page.name])[1].strip(), []).append(page.name)
    assert "" not in titles
    assert {title: names for title, names in titles.items() if len(names) > 1} == {}


def test_the_ruler_of_the_script_is_the_ruler_of_the_page(opened):
    tab = opened("front", "en")
    cases = [
        {"total": 20, "used": 7, "pitch": 8, "height": 12, "in_flight": 1, "lost": []},
        {"total": 20, "used": 0, "pitch": 4, "height": 10, "in_flight": 0, "lost": []},
        {"total": 20, "used": 20, "pitch": 16, "height": 20, "in_flight": 1, "lost": [9]},
        {"total": 63, "used": 7, "pitch": 3, "height": 12, "in_flight": 0, "lost": [3, 12]},
        {"total": 4, "used": 9, "pitch": 8, "height": 14, "in_flight": 0, "lost": []},
        {"total": 7, "used": 3, "pitch": 4, "height": 12, "in_flight": 1, "lost": [2], "ticks": 20},
        {"total": 45, "used": 44, "pitch": 4, "height": 10, "in_flight": 0, "lost": [], "ticks": 20},
        {"total": 0, "used": 0, "pitch": 4, "height": 12, "in_flight": 0, "lost": [], "ticks": 20},
    ]
    for case in cases:
        drawn = draw(**case)
        by_script = tab.evaluate(
            "async (one) => (await import('/static/look/ruler.js')).paths({...one, inFlight: !!one.in_flight})", case
        )
        assert by_script == {name: getattr(drawn, name) for name in ("left", "line", "used", "flight", "lost", "cap")}
        if case["used"] > case["total"]:
            continue
        scale = tab.evaluate(
            """async (one) => {
              const list = document.createElement("ol");
              (await import('/static/look/ruler.js')).drawScale(list, {...one, inFlight: !!one.in_flight});
              return [...list.children].map((tick) => [tick.className, tick.textContent]);
            }""",
            case,
        )
        wanted = marks(case["total"], case["used"], in_flight=case["in_flight"], lost=case["lost"])
        assert scale == [[mark.classes, str(mark.number) if mark.is_written else ""] for mark in wanted]


def test_who_has_two_dialogues_with_a_system_talks_to_it_once(opened):
    tab = opened("wall", "en")
    row = {"assigned": 2, "done": 0, "today": 0, "per_hour": None, "online": True, "talking": ["G2", "M7", "G2"]}
    said = tab.evaluate(
        "async (row) => (await import('/static/organizing/wall_rows.js')).testerCells('tester-1', row).at(-1).textContent",
        row,
    )
    assert said.count("G2") == said.count("M7") == 1


def test_the_menu_opens_by_key_and_closes_by_escape_and_outside(opened):
    tab = opened("home", "en")
    menu = tab.locator(".bar details.menu")
    menu.locator("summary").press("Enter")
    expect(menu.get_by_role("button", name="Log out")).to_be_visible()
    tab.keyboard.press("Escape")
    expect(menu.get_by_role("button", name="Log out")).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()
    menu.locator("summary").click()
    tab.locator("h1").click()
    expect(menu.get_by_role("button", name="Log out")).to_be_hidden()


def test_a_change_of_language_keeps_the_page_and_what_was_typed(opened):
    tab = opened("task", "en")
    before = tab.url
    tab.fill("[name=note]", "half a sentence")
    tab.locator(".bar .account > form button[name=language]").click()
    tab.wait_for_selector("html[lang=zh-hans]")
    assert tab.url == before
    expect(tab.locator("[name=note]")).to_have_value("half a sentence")


def test_what_was_typed_outlives_a_log_in_that_ended_and_a_form_that_was_refused(site):
    """One person at a tab of their own, since its cookies go."""
    context = site.browser.new_context(viewport={"width": 1280, "height": 720})
    session = {"name": "sessionid", "url": site.base}
    context.add_cookies([session | {"value": site.sessions["nobody"]}])
    tab = context.new_page()
    name, again = tab.locator("[name=name]"), tab.locator("[data-typed-again]")

    # The log-in ends while the form is open; a change of language and a wrong password lie on the way back.
    with_form = f"{site.base}/account/tokens/?from=menu"
    tab.goto(with_form)
    name.fill("half a program")
    days = tab.locator("[name=days] option").first.get_attribute("value")
    tab.select_option("[name=days]", days)
    context.clear_cookies(name="sessionid")
    tab.locator("form[action$='/new/'] button").click()
    expect(tab.locator("[data-form-waits]")).to_be_visible()
    tab.locator(".bar .account > form button[name=language]").click()
    for password in ("a wrong one", PASSWORD):
        tab.fill("[name=username]", "nobody")
        tab.fill("[name=password]", password)
        tab.locator("main button").click()
    expect(again).to_be_visible()
    assert tab.url == with_form
    expect(name).to_have_value("half a program")
    expect(tab.locator("[name=days]")).to_have_value(days)
    # A second log-in elsewhere changed the token of forms: the page says where the form is, and what was typed is in it.
    name.fill("a whole program")
    context.clear_cookies(name="csrftoken")
    tab.locator("form[action$='/new/'] button").click()
    tab.locator("main section:first-child a[data-form-waits]").click()
    expect(again).to_be_visible()
    expect(name).to_have_value("a whole program")
    # It came back once. And nobody else is shown it: here another person logs in at the same tab.
    tab.reload()
    expect(name).to_have_value("")
    name.fill("not for others")
    context.clear_cookies(name="sessionid")
    tab.locator("form[action$='/new/'] button").click()
    expect(tab.locator("[data-form-waits]")).to_be_visible()
    context.add_cookies([session | {"value": site.sessions["tester-1"]}])
    tab.goto(f"{site.base}/nowhere/")
    expect(tab.locator("[data-form-waits]").first).to_be_hidden()
    assert tab.evaluate("sessionStorage.length") == 0
    tab.goto(with_form)
    expect(name).to_have_value("")
    # A button that sends the form elsewhere; and what was not touched is what the server says now.
    context.add_cookies([session | {"value": site.sessions["participant"]}])
    tab.goto(f"{site.base}/campaigns/smp2018-demo/team/")
    tab.locator("#register > summary").click()
    tab.fill("#register [name=url]", "https://half.example/")
    context.clear_cookies(name="csrftoken")
    tab.locator("#register button[value=try]").click()
    expect(tab.locator("[data-form-waits]").first).to_be_visible()
    tab.goto(f"{site.base}/account/password/")
    tab.route("**/team/", answer_with_another_number)
    tab.goto(f"{site.base}/campaigns/smp2018-demo/team/")
    expect(again).to_be_visible()
    expect(tab.locator("#register [name=url]")).to_have_value("https://half.example/")
    expect(tab.locator("#register [name=parallel]")).to_have_value("7")
    context.close()


MORE_FIELDS = """
  <input type="checkbox" name="may" value="ticked" checked><input type="checkbox" name="may" value="unticked">
  <input type="radio" name="one" value="first" checked><input type="radio" name="one" value="second">
  <input type="file" name="file" multiple>
"""
A_FIELD = '<textarea name="about"></textarea>'


def test_what_was_typed_outlives_a_failure_of_the_server_whatever_its_field(site, tmp_path):
    context = site.browser.new_context(viewport={"width": 1280, "height": 720})
    context.add_cookies([{"name": "sessionid", "url": site.base, "value": site.sessions["nobody"]}])
    tab = context.new_page()
    more = [MORE_FIELDS, A_FIELD]

    def answer_with_more_fields(route):
        page = route.fetch()
        route.fulfill(response=page, body=re.sub("(?=<label)", "".join(more), page.text(), count=1))

    tab.route("**/account/tokens/", answer_with_more_fields)
    tab.route(
        "**/account/tokens/new/",
        lambda route: route.fulfill(status=500, content_type="text/html", body=site.drawn["error-500-en"]),
    )
    tab.goto(f"{site.base}/account/tokens/")
    tab.fill("[name=name]", "half a program")
    tab.fill("[name=about]", "a text of its own")
    tab.uncheck("[value=ticked]")
    tab.check("[value=unticked]")
    tab.check("[value=second]")
    secret = tmp_path / "rows.csv"
    secret.write_text("what is in it stays out")
    tab.set_input_files("[name=file]", str(secret))
    tab.locator("form[action$='/new/'] button").click()
    # The field of one text is gone meanwhile; nobody knows whether the form was stored.
    more.remove(A_FIELD)
    assert "stays out" not in tab.evaluate("JSON.stringify(sessionStorage)")
    tab.locator("main section:first-child a[data-form-waits]").click()
    again = tab.locator("[data-typed-again]")
    expect(again.locator("[data-unsure]")).to_be_visible()
    expect(again.locator("[data-sure]")).to_be_hidden()
    expect(again.locator("[data-files]")).to_contain_text("rows.csv")
    expect(again.locator("[data-homeless]")).to_contain_text("a text of its own")
    assert tab.locator("main :checked:not(option)").evaluate_all("all => all.map((one) => one.value)") == [
        "unticked",
        "second",
    ]
    expect(tab.locator("[name=name]")).to_have_value("half a program")
    expect(tab.locator("[name=file]")).to_have_value("")
    tab.reload()
    expect(again).to_be_hidden()
    assert tab.locator("main :checked:not(option)").evaluate_all("all => all.map((one) => one.value)") == [
        "ticked",
        "first",
    ]
    expect(tab.locator("[name=name]")).to_have_value("")
    context.close()


def answer_with_another_number(route):
    """As if the server's own value had changed meanwhile."""
    page = route.fetch()
    route.fulfill(response=page, body=page.text().replace('value="50"', 'value="7"'))


def test_a_change_of_language_after_a_bad_hand_in_keeps_its_problems(site, tmp_path):
    tab, _ = site.open(named("task"), "en")
    bad = tmp_path / "bad.json"
    bad.write_text("[1, 2]")
    tab.set_input_files("input[type=file]", str(bad))
    expect(tab.locator(".file .name")).to_have_text("bad.json")
    tab.click("form[enctype] button.primary")
    tab.wait_for_load_state()
    expect(tab.locator("#problems")).to_be_visible()
    n_problems = tab.locator("table.problems tbody tr").count()
    tab.locator(".bar .account > form button[name=language]").click()
    tab.wait_for_selector("html[lang=zh-hans]")
    expect(tab.locator("#problems")).to_be_visible()
    expect(tab.locator("table.problems tbody tr")).to_have_count(n_problems)


def test_what_cannot_be_undone_is_asked_once(opened):
    tab = opened("snapshot", "en")
    withdraw = tab.get_by_role("button", name="Withdraw the leaderboard")
    tab.get_by_label("Reason").fill("a test")
    withdraw.click()
    dialog = tab.locator("dialog#ask")
    expect(dialog).to_contain_text("Withdraw the leaderboard?")
    tab.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(withdraw).to_be_focused()
    withdraw.click()
    dialog.get_by_role("button", name="Withdraw the leaderboard").click()
    publish = tab.get_by_role("button", name="Publish this leaderboard")
    expect(publish).to_be_visible()
    tab.wait_for_load_state()  # before its script runs, the button would not ask
    publish.click()
    dialog.get_by_role("button", name="Publish this leaderboard").click()
    expect(tab.get_by_text("Withdraw it, with a reason")).to_be_visible()


def test_a_demo_signs_in_with_one_click_and_guides_a_first_dialogue(site):
    context = site.browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-US")
    tab = context.new_page()
    tab.goto(site.base)
    tab.locator(".demo button[value=participant]").click()
    expect(tab.locator(".account")).to_contain_text("participant")
    tab.goto(site.base + "/about/")
    tab.locator("form[action='/demo/guided/'] button").click()
    tab.wait_for_url("**/dialogues/**?guide")
    expect(tab.locator("#guide [data-step='1']")).to_be_visible()
    expect(tab.locator("#guide [data-step='2']")).to_be_hidden()
    tab.locator("#guide-close").click()
    expect(tab.locator("#guide")).to_have_count(0)
    context.close()


def test_the_guide_covers_no_message_and_goes_with_the_hand_in(site):
    context = site.browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-US")
    tab = context.new_page()
    tab.goto(site.base + "/about/")
    tab.locator("form[action='/demo/guided/'] button").click()
    tab.wait_for_url("**/dialogues/**?guide")
    expect(tab.locator("#connection")).to_have_attribute("data-state", "connected")
    guided, guide = tab.url, tab.locator("#guide")
    goal, beside = tab.locator(".goal").bounding_box(), guide.bounding_box()
    assert beside["x"] + beside["width"] <= goal["x"] + goal["width"]
    tab.fill("#text", "你好")
    tab.press("#text", "Enter")
    expect(tab.locator(".turn .from-tester")).to_have_count(1)
    tab.set_viewport_size({"width": 390, "height": 844})
    assert guide.bounding_box()["y"] + guide.bounding_box()["height"] < tab.locator(".turn").bounding_box()["y"]
    tab.keyboard.press("F9")
    tab.keyboard.press("1")
    expect(tab.locator("#guide [data-step='4']")).to_be_visible()
    for row in tab.locator("#rubric [role=radiogroup]").all():
        row.locator("label").first.click()
    tab.keyboard.press("Control+Enter")
    tab.wait_for_url("**/testing/?guide")
    # The tester of the guide may have chosen another language before.
    expect(guide).to_have_class("guide is-end")
    expect(tab.locator("#handed-in")).to_be_visible()
    list_url = tab.url
    tab.goto(guided)
    expect(guide).to_have_count(0)
    tab.goto(list_url)
    # The organizer of this site is of its staff, whom no click signs in.
    expect(guide.locator("button[name=board]")).to_be_visible()
    context.close()


def test_on_a_phone_the_guide_names_buttons_and_no_keys(site):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    for named_keys, options in ((False, phone), (True, {"viewport": {"width": 1280, "height": 720}})):
        context = site.browser.new_context(locale="en-US", **options)
        tab = context.new_page()
        tab.goto(site.base + "/about/")
        tab.locator("form[action='/demo/guided/'] button").click()
        tab.wait_for_url("**/dialogues/**?guide")
        # At once: the guide hides its steps again, and what is hidden says all its words.
        said = tab.locator("#guide [data-step]").evaluate_all(
            "steps => { steps.forEach((step) => step.removeAttribute('hidden')); return steps.map((step) => step.innerText); }"
        )
        assert [("F2" in step, "Enter" in step) for step in said] == [
            (False, named_keys), (False, False), (named_keys, named_keys), (False, named_keys),
        ]  # fmt: skip
        context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_is_searched_and_filtered_by_system_and_state(opened, language):
    tab = opened("list", language)
    rows, nothing = tab.locator(".assignment:visible"), tab.locator("#nothing-fits")
    n_all, n_groups = rows.count(), tab.locator(".group:visible").count()
    alias = rows.first.get_attribute("data-system")
    of_system = tab.locator(f".assignment[data-system='{alias}']").count()
    assert 0 < of_system < n_all
    tab.select_option("#system", alias)
    expect(rows).to_have_count(of_system)
    tab.locator("[data-filter=to_score]").press("Enter")
    expect(rows).to_have_count(tab.locator(f".assignment[data-state=to_score][data-system='{alias}']").count())
    expect(tab.locator("[data-filter=to_score]")).to_have_attribute("aria-pressed", "true")
    expect(tab.locator("[data-filter='']")).to_have_attribute("aria-pressed", "false")
    tab.locator("[data-filter='']").click()
    tab.select_option("#system", "")
    expect(rows).to_have_count(n_all)
    words = {"zh": "成都 北京", "en": "CHENGDU beijing"}[language]
    tab.fill("#search", words)
    for row in rows.all():
        assert all(word in row.inner_text().lower() for word in words.lower().split())
    assert 0 < rows.count() < n_all
    expect(nothing).to_be_hidden()
    tab.fill("#search", "xyzzy")
    expect(rows).to_have_count(0)
    expect(tab.locator(".group:visible")).to_have_count(0)
    expect(nothing).to_be_visible()
    tab.fill("#search", "")
    expect(nothing).to_be_hidden()
    expect(tab.locator(".group:visible")).to_have_count(n_groups)


def test_whose_system_failed_is_offered_another_assignment_by_a_button(opened):
    """The key does the same: `test_browser_bots.py`."""
    tab = opened("console-fail", "en")
    failure = tab.locator(".failure").last
    assert failure.locator("kbd").all_inner_texts() == ["Alt R", "Alt E", "Alt N", "F9 / Alt 9"]
    tab.keyboard.press("Alt+h")
    expect(tab.locator("#help li").get_by_text("N", exact=True)).to_be_visible()
    tab.keyboard.press("Escape")
    failed = tab.url
    another = failure.locator("button", has=tab.locator("kbd", has_text="Alt N"))
    expect(another).to_contain_text("nother")
    another.click()
    tab.wait_for_url(lambda url: "/dialogues/" in url and url != failed)
    tab.wait_for_selector(CONNECTED)
    expect(tab.locator(".failure")).to_have_count(0)


def test_a_console_says_while_several_systems_fail_together(opened, site):
    tab = opened("console-start", "en")
    notice = tab.locator("#announcements")
    expect(notice).to_be_hidden()
    began = datetime.now(UTC).replace(tzinfo=None)
    site.store(
        "INSERT INTO dialogues_outage (process, began_at, until) VALUES ('x', ?, ?)",
        began,
        began + timedelta(hours=1),
    )
    expect(notice).to_contain_text("Several systems fail at once")
    site.store("DELETE FROM dialogues_outage")
    expect(notice).to_be_hidden()


def test_the_request_of_a_failed_probe_is_copied_by_its_button(opened):
    tab = opened("check", "zh")
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = tab.locator(".probe[open] button[data-copy]").first
    button.click()
    expect(button).to_have_text("已复制")
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl -X POST http://127.0.0.1:8101/ ")
    assert copied == tab.locator(".probe[open] pre").first.inner_text()


def test_a_strip_of_tabs_that_scrolls_fades_at_its_edge(site):
    tab, _ = site.open(named("leaderboard-organizer"), "en")
    tab.set_viewport_size({"width": 320, "height": 700})
    faded = """(edge) => {
      const strip = document.querySelector(".tabs");
      strip.scrollLeft = edge === "start" ? 0 : strip.scrollWidth;
      const ends = strip.getBoundingClientRect(), tabs = [...strip.querySelectorAll("a")].map((one) => one.getBoundingClientRect());
      const [before, after] = ["::before", "::after"].map((name) => getComputedStyle(strip, name));
      const first = tabs[0].left + 10 - ends.left, last = ends.right - tabs.at(-1).right;
      return [strip.scrollWidth > strip.clientWidth, before.position, after.position,
        Math.min(parseInt(before.width), first), Math.min(parseInt(after.width), last)];
    }"""
    # At its start and end the strip fades over its own padding, never over a tab that is whole.
    assert tab.evaluate(faded, "start")[:4] == [True, "sticky", "sticky", 16]
    assert tab.evaluate(faded, "end")[4] == 32
    tab.close()


# A scale of −2 to 20: its fields, those that are too small or reach out of the row, whether the row stays low, and what is chosen.
LONG_ROW = """() => {
  const row = document.querySelector("[data-criterion=satisfaction]"), fields = [...row.querySelectorAll(".points label")];
  const room = row.getBoundingClientRect();
  const isOut = (field) => {
    const place = field.getBoundingClientRect(), number = field.querySelector("b").getBoundingClientRect();
    return number.width > place.width || place.right > room.right + 1 || place.height < 24 || place.width < 24;
  };
  return [fields.length, fields.filter(isOut).length, room.height < 200, row.querySelector(":checked")?.value];
}"""


def test_a_scale_of_many_points_wraps_and_is_scored_by_its_digits(site):
    add = """WITH RECURSIVE n(score) AS (SELECT 3 UNION ALL SELECT score + 1 FROM n WHERE score < 20)
      INSERT INTO rubrics_scalepoint (criterion_id, score, key, speaker, label_zh, label_en)
      SELECT c.id, n.score, '', '', n.score, n.score FROM rubrics_criterion c, n WHERE c.key = 'satisfaction'"""
    site.store(add)
    try:
        for name in ("console-score", "review"):
            tab, errors = site.open(named(name), "en")
            # What is chosen here is not stored: the dialogues are those of other tests.
            tab.route("**/api/v1/dialogues/*/review/", lambda route: route.fulfill(json={"version": 1}))
            tab.locator("[data-criterion=satisfaction] input").last.focus()
            tab.keyboard.press("1")
            tab.keyboard.press("7")
            for size in SIZES[::2]:
                tab.set_viewport_size({"width": size[0], "height": size[1]})
                if tab.locator("#open-rubric").is_visible():
                    tab.locator("#open-rubric").click()
                assert tab.evaluate(LONG_ROW) == [23, 0, True, "17"], (name, size)
                assert not is_wider_than_the_screen(tab)
            assert errors == []
            tab.close()
    finally:
        site.store("DELETE FROM rubrics_scalepoint WHERE score > 2 AND label_en = CAST(score AS TEXT)")


def test_a_dark_page_prints_light(opened):
    tab = opened("leaderboard", "en")
    tab.evaluate("document.documentElement.dataset.theme = 'dark'")
    tab.emulate_media(media="print")
    colour = tab.evaluate("getComputedStyle(document.querySelector('h1')).color")
    lightness = sum(int(part) for part in re.findall(r"\d+", colour)[:3])
    assert lightness < 200, colour
    expect(tab.locator("header.bar")).to_be_hidden()


def test_the_font_is_there_and_the_icon_too(opened, site):
    tab = opened("front", "zh")
    assert tab.evaluate("document.fonts.check('600 20px Geist')")
    assert tab.request.get(site.base + "/favicon.ico").headers["content-type"] == "image/x-icon"


def test_enter_before_the_hits_of_a_word_are_there_asks_for_its_page(site):
    """The hits in view are those of an earlier word: none of them was chosen."""
    tab, errors = site.open(named("campaign"), "en")
    tab.keyboard.press("Control+k")
    tab.keyboard.type("testing")
    expect(tab.locator("#find form[data-listed*='q=testing'] .found a").first).to_be_visible()
    tab.route("**/find/?*", lambda route: route.continue_() if route.request.is_navigation_request() else None)
    tab.locator("#find input").first.fill("message")
    with tab.expect_navigation():
        tab.keyboard.press("Enter")
    assert "/find/?q=message" in tab.url
    assert errors == []
    tab.close()


def test_a_page_is_found_and_opened_by_keys_alone_also_from_the_composer(site):
    tab, errors = site.open(named("console"), "en")
    expect(tab.locator("#text")).to_be_focused()
    tab.keyboard.press("Control+k")
    tab.keyboard.type("testing")
    expect(tab.locator("#find form[data-listed*='q=testing']")).to_be_visible()
    first = tab.locator("#find .found a").first
    expect(first).to_contain_text("Testing")
    tab.keyboard.press("ArrowDown")
    expect(first).to_be_focused()
    tab.keyboard.press("ArrowUp")
    with tab.expect_navigation():
        tab.keyboard.press("Enter")
    assert tab.url.endswith("/campaigns/smp2018-demo/testing/")
    tab.keyboard.press("Control+k")
    expect(tab.locator("#find")).to_be_visible()
    tab.keyboard.press("Escape")
    expect(tab.locator("#find")).to_be_hidden()
    assert errors == []
    tab.close()
