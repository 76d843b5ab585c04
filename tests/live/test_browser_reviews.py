"""Reviewing in headless Chromium: wholly by keys, with nothing lost; a panel that disagrees; the adjudicator who decides."""

import json
import re
import sqlite3

import pytest
from playwright.sync_api import expect

from tests.live.browser import page_without_errors
from tests.live.page_site import LANGUAGES, page_site
from tests.waiting import until

pytestmark = [pytest.mark.e2e]
N_TURNS, UNANSWERED = 20, 6
CUT_OFF = "all => all.some((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)"
QUEUE = "/campaigns/panel/review/"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with page_site(tmp_path_factory.mktemp("reviews")) as running:
        running.speak("zh")
        yield running


def page_of(site, person):
    """A browser of its own, in which that person is logged in."""
    context = site.browser.new_context(viewport={"width": 1280, "height": 720}, locale="zh-CN")
    cookies = {"sessionid": site.sessions[person], "django_language": LANGUAGES["zh"]}
    context.add_cookies([{"name": name, "value": value, "url": site.base} for name, value in cookies.items()])
    return page_without_errors(context)


def opened(page):
    """The rubric is there with what is stored, and every question can be read to its end."""
    expect(page.locator("#rubric:not([inert])")).to_be_visible()
    assert not page.locator(".rubric-question .question").evaluate_all(CUT_OFF)
    expect(page.locator(".score-row.is-current")).to_have_count(1)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def saved(page):
    expect(page.locator("#draft-state")).to_have_attribute("data-state", "saved")


def label(page, first, last, tester="w", system="a"):
    """Labels both speakers of those turns; the cursor goes on by itself where a turn is complete."""
    for turn in range(first, last + 1):
        expect(page.locator(".read-turn.is-current")).to_have_attribute("data-turn", str(turn))
        press(page, tester, *([] if turn == UNANSWERED else [system]))


def labels(page):
    pressed = page.locator(".label-key[data-value][aria-pressed=true]")
    return pressed.evaluate_all(
        "keys => keys.map((key) => key.closest('.label-set').dataset.rating + '=' + key.dataset.value)"
    )


def scores(page):
    rows = page.locator(".score-row:has(:checked)")
    return rows.evaluate_all("rows => rows.map((row) => [row.dataset.letter, row.querySelector(':checked').value])")


def rows_of(site, statement, *values):
    connection = sqlite3.connect(site.database, timeout=10)
    found = connection.execute(statement, values).fetchall()
    connection.close()
    return found


def counted(site, dialogue):
    """Who counts for the dialogue, with which part."""
    return rows_of(
        site,
        "SELECT p.username, r.part FROM reviews_review r JOIN accounts_person p ON p.id = r.reviewer_id"
        " WHERE r.dialogue_id = ? AND r.is_counted ORDER BY 1",
        dialogue.replace("-", ""),
    )


def board_says(site, dialogue, satisfaction):
    """The board, which is computed within about a second, comes to that mean satisfaction of the dialogue's system."""
    ((bot,),) = rows_of(
        site,
        "SELECT b.name FROM dialogues_dialogue d JOIN campaigns_assignment a ON a.id = d.assignment_id"
        " JOIN campaigns_entry e ON e.id = a.entry_id JOIN participants_bot b ON b.id = e.bot_id WHERE d.id = ?",
        dialogue.replace("-", ""),
    )
    page, _ = page_of(site, "organizer")

    def says_it():
        board = page.request.get(site.base + "/api/v1/campaigns/panel/leaderboard/").json()
        (row,) = [row for row in board["rows"] + board["unranked"] if row["bot"] == bot]
        return row["satisfaction"] == satisfaction

    until(says_it)
    page.context.close()


def begin_next(site, person):
    """Opens the next dialogue of the person's queue."""
    page, errors = page_of(site, person)
    page.goto(site.base + QUEUE)
    expect(page.locator("#next-form button")).to_be_focused()
    press(page, "Enter")
    page.wait_for_url("**/reviews/*/")
    opened(page)
    return page, errors


def dialogue_of(page):
    return page.url.rstrip("/").rpartition("/")[2]


def test_two_reviewers_disagree_by_keys_alone_and_the_adjudicator_decides(site):
    page, errors = begin_next(site, "reviewer-1")
    dialogue, address = dialogue_of(page), page.url
    label(page, 1, 10)
    saved(page)

    page.reload()
    opened(page)
    assert len(labels(page)) == 19
    label(page, 11, 12, system="s")
    saved(page)
    page.locator("button[name=language]").first.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    opened(page)
    assert len(labels(page)) == 23
    label(page, 13, 20, tester="t", system="d")
    expect(page.locator("#labels-given")).to_have_text("39 of 39 labels")

    saved(page)
    page.locator(".read-turn").nth(2).click()
    page.reload()
    opened(page)
    expect(page.locator(".read-turn").nth(2)).to_have_attribute("aria-current", "true")
    page.locator(".read-turn").last.click()

    press(page, "Control+Enter")
    expect(page.locator("#scores-error")).to_have_text("Choose a score for every row: C1, C2, A, S, E.")
    press(page, "1", "0", "2", "Minus", "2", "Shift+Digit1")
    assert scores(page) == [["C", "1"], ["C", "0"], ["A", "2"], ["S", "-2"], ["E", "-1"]]
    expect(page.locator(".score-row.is-current")).to_have_attribute("data-criterion", "effectiveness")
    asked = page.locator(".score-row[data-criterion=satisfaction] .evidence")
    expect(asked).to_have_text("pin a turn with E")
    expect(page.locator("#given")).to_have_text("5 of 5 scored · S without evidence")
    expect(page.locator("#rubric-ruler .ruler")).not_to_contain_class("done")
    press(page, "e")
    expect(asked).to_have_text("turn 20")
    expect(page.locator(".score-row[data-criterion=effectiveness] .evidence")).to_have_count(0)
    expect(page.locator("#rubric-ruler .ruler")).to_contain_class("done")
    press(page, "e", "Control+Enter")
    expect(page.locator("#scores-error")).to_contain_text("S is low")
    press(page, "k", "k", "e")
    expect(asked).to_have_text("turn 18")
    press(page, "c")
    page.keyboard.type("asked for the budget three times")
    press(page, "Escape")
    saved(page)

    elsewhere, other_errors = page_of(site, "reviewer-1")
    elsewhere.goto(address)
    opened(elsewhere)
    expect(elsewhere.locator("#comment")).to_have_value("asked for the budget three times")
    assert (labels(elsewhere), scores(elsewhere)) == (labels(page), scores(page))
    expect(elsewhere.locator(".read-turn[data-turn='18'] .marks .evidence")).to_have_count(1)
    elsewhere.context.close()

    press(page, "Control+Enter")
    page.wait_for_url(lambda url: url != address and "/reviews/" in url)
    opened(page)
    expect(page.locator("#handed-in")).to_be_visible()
    press(page, "Alt+z")
    page.wait_for_url(address)
    opened(page)
    assert len(labels(page)) == 39
    press(page, "Control+Enter")
    page.wait_for_url(lambda url: url != address and "/reviews/" in url)
    assert counted(site, dialogue) == [("reviewer-1", "panel")]
    board_says(site, dialogue, -2)

    second, second_errors = page_of(site, "reviewer-2")
    second.goto(address)
    opened(second)
    assert scores(second) == []
    assert "budget three times" not in second.content()
    label(second, 1, 20)
    press(second, "1", "1", "Minus", "2", "0", "0", "Control+Enter")
    second.wait_for_url(lambda url: url != address and "/reviews/" in url)
    assert counted(site, dialogue) == []
    board_says(site, dialogue, None)

    judge, judge_errors = page_of(site, "adjudicator")
    judge.goto(site.base + QUEUE)
    judge.locator(f".place-row[href*='{dialogue}']").press("Enter")
    opened(judge)
    disputed = judge.locator(".score-row.is-disputed")
    assert disputed.evaluate_all("rows => rows.map((row) => row.dataset.letter)") == ["A", "S"]
    expect(disputed.first.locator(".panel-marks .place")).to_have_count(2)
    assert "reviewer-1" not in judge.content()
    label(judge, 1, 20)
    press(judge, "1", "0", "0", "0", "0", "Control+Enter")
    judge.wait_for_url(f"**/reviews/{site.values['disputed']}/")
    judge.goto(site.base + QUEUE)
    expect(judge.locator(".place-row .pill.good")).to_have_count(1)
    assert counted(site, dialogue) == [("adjudicator", "adjudication")]
    board_says(site, dialogue, 0)
    assert errors == other_errors == second_errors == judge_errors == []


def test_two_tabs_that_disagree_are_shown_side_by_side(site):
    # The first dialogue of a reviewer in whose queue nothing else happens in this module.
    first, _ = begin_next(site, "reviewer-2")
    label(first, 1, 20)
    press(first, "1", "1", "1", "1", "1")
    saved(first)
    second = first.context.new_page()
    second.goto(first.url)
    opened(second)
    press(first, "Control+Enter")
    first.wait_for_url(lambda url: url != second.url)
    press(second, "0")
    dialog = second.locator("#conflict")
    expect(dialog).to_be_visible()
    expect(dialog.locator("tbody tr")).to_have_count(1)
    assert dialog.locator("tbody td").all_text_contents()[1:] == ["已完成", "未完成"]
    press(second, "2")
    saved(second)
    second.reload()
    opened(second)
    assert scores(second) == [["C", "0"], ["C", "1"], ["A", "1"], ["S", "1"], ["E", "1"]]
    first.context.close()


def test_an_ended_login_is_mended_in_place(site):
    page, _ = begin_next(site, "reviewer-1")
    page.context.clear_cookies()
    press(page, "q")
    expect(page.locator("#sign-in")).to_be_visible()
    press(page, "Escape")
    expect(page.locator("#draft-state")).to_have_attribute("data-state", "notSaved")
    waiting = page.evaluate("JSON.stringify(Object.values(localStorage))")
    assert "CNUG0" in json.loads(waiting)[0]
    # Whoever sits down at this machine next does not find these choices as their own.
    next_person = {"name": "sessionid", "value": site.sessions["reviewer-2"], "url": site.base}
    page.context.add_cookies([next_person])
    page.reload()
    opened(page)
    expect(page.locator("#draft-state")).not_to_have_attribute("data-state", "saving")
    # They may have scored the same dialogue before, with labels of their own.
    assert "nugget@1.tester=CNUG0" not in labels(page)
    page.context.close()


def test_a_hand_in_is_undone_from_the_list_and_an_older_one_is_asked_for(site):
    page, errors = page_of(site, "reviewer-1")
    page.goto(site.base + QUEUE)
    disputed = site.values["disputed"]
    row = page.locator(f".place-row[data-dialogue='{disputed}']")
    row.locator("[data-undo]").press("Enter")
    page.wait_for_url(f"**/reviews/{disputed}/")
    opened(page)
    assert len(labels(page)) == 39
    press(page, "Control+Enter")
    page.wait_for_url(lambda url: disputed not in url)

    # By key as long as the server allows: on the next page, on its own page, in the list.
    without_toast(page)
    press(page, "Alt+z")
    page.wait_for_url(f"**/reviews/{disputed}/")
    opened(page)
    press(page, "Control+Enter")
    page.wait_for_url(lambda url: disputed not in url)
    page.goto(f"{site.base}/reviews/{disputed}/")
    without_toast(page)
    opened(page)
    expect(page.locator("#submit-scores")).to_be_hidden()
    press(page, "Alt+z")
    expect(page.locator("#submit-scores")).to_be_visible()
    press(page, "Control+Enter")
    page.wait_for_url(lambda url: disputed not in url)
    page.goto(site.base + QUEUE)
    without_toast(page)
    expect(row.locator("[data-undo-key] kbd")).to_have_text("Alt Z")
    press(page, "Alt+z")
    page.wait_for_url(f"**/reviews/{disputed}/")
    opened(page)
    press(page, "Control+Enter")
    page.wait_for_url(lambda url: disputed not in url)
    an_hour_ago(site, disputed)
    page.goto(f"{site.base}/reviews/{disputed}/")
    page.evaluate("sessionStorage.clear()")
    page.reload()
    opened(page)
    press(page, "Alt+z")
    expect(page.locator("#handed-in")).to_contain_text(re.compile("评审列表|Your list"))

    page.goto(site.base + QUEUE)
    row.locator("[data-revise]").press("Enter")
    page.keyboard.type("pressed the wrong key in turn 12")
    press(page, "Control+Enter")
    expect(row.locator("[data-revise]")).to_have_count(0)

    organizer, organizer_errors = page_of(site, "organizer")
    organizer.goto(site.base + "/campaigns/panel/revisions/")
    asked = organizer.locator(".request").filter(has_text="wrong key")
    asked.locator("[data-granted=true]").press("Enter")
    expect(asked.locator(".pill.good")).to_be_visible()
    page.reload()
    row.get_by_role("link").last.press("Enter")
    opened(page)
    expect(page.locator("#submit-scores")).to_be_visible()
    assert errors == organizer_errors == []


def without_toast(page):
    """The page as it is when the toast has gone, some seconds after the hand-in."""
    page.evaluate(
        "const kept = JSON.parse(sessionStorage.getItem('huace-handed-in'));"
        "sessionStorage.setItem('huace-handed-in', JSON.stringify({ ...kept, shownUntil: 0 }))"
    )
    page.reload()
    expect(page.locator("#handed-in")).to_be_hidden()
    expect(page.locator("#rubric[inert]")).to_have_count(0)


def an_hour_ago(site, dialogue):
    of_it, key = "(SELECT id FROM reviews_review WHERE dialogue_id = ?)", dialogue.replace("-", "")
    site.store(f"UPDATE reviews_reviewchange SET at = datetime(at, '-1 hour') WHERE review_id IN {of_it}", key)
    site.store(f"UPDATE reviews_review SET submitted_at = datetime(submitted_at, '-1 hour') WHERE id IN {of_it}", key)


def test_a_dialogue_that_cannot_be_judged_is_given_back_with_a_reason(site):
    page, errors = begin_next(site, "reviewer-2")
    address, dialogue = page.url, dialogue_of(page)
    press(page, "Alt+l")
    page.keyboard.type("it calls itself by its maker's name")
    press(page, "Control+Enter")
    expect(page.locator("#remark")).to_be_hidden()
    press(page, "Alt+p", "Control+Enter")
    expect(page.locator("#remark-error")).to_be_visible()
    page.keyboard.type("in a language that I do not read")
    press(page, "Control+Enter")
    page.wait_for_url(lambda url: url != address)
    kinds = rows_of(
        site, "SELECT kind FROM reviews_remark WHERE dialogue_id = ? ORDER BY kind", dialogue.replace("-", "")
    )
    assert kinds == [("cannot_judge",), ("leaked",)]
    page.goto(address)
    expect(page.locator("#rubric")).to_have_count(0)
    assert [error for error in errors if "404" not in error] == []


def test_an_expert_accepts_one_dialogue_and_returns_another_with_a_reason_by_keys(site):
    page, errors = page_of(site, "expert")
    page.goto(site.base + "/campaigns/vetted/review/")
    rows = page.locator(".place-row[href$='/vetting/']")
    expect(rows).to_have_count(2)
    rows.first.press("Enter")
    page.wait_for_url("**/vetting/")
    press(page, "j", "j", "r")
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.type("the tester left the topic")
    press(page, "Control+Enter")
    expect(page.locator("#vetting-error")).to_contain_text("1 到 5")
    press(page, "4", "a")
    expect(page.locator("[data-question=coherent]")).not_to_be_checked()
    expect(page.locator("#vetting-error")).to_contain_text("未勾选")
    first = page.url
    page.locator("#reason").focus()
    press(page, "Control+Enter")
    page.wait_for_url(lambda url: url != first and url.endswith("/vetting/"))
    press(page, "a")
    page.wait_for_url("**/campaigns/vetted/review/")
    expect(rows).to_have_count(0)
    stored = rows_of(site, "SELECT is_accepted, faults, reason FROM reviews_vetting ORDER BY is_accepted")
    assert stored == [(0, '["coherent"]', "the tester left the topic"), (1, "[]", "")]
    assert errors == []


@pytest.fixture
def optional_effectiveness(site):
    """The last row of the rubric is optional for the time of a test."""
    site.store("UPDATE rubrics_criterion SET is_required = 0 WHERE key = 'effectiveness'")
    yield
    site.store("UPDATE rubrics_criterion SET is_required = 1 WHERE key = 'effectiveness'")


def test_an_optional_score_is_taken_back_with_its_evidence(site, optional_effectiveness):
    page, errors = begin_next(site, "reviewer-1")
    label(page, 1, 20)
    press(page, "1", "0", "1", "1", "2")
    assert scores(page)[-1] == ["E", "2"]
    press(page, "e")
    evidence = page.locator(".score-row[data-criterion=effectiveness] .evidence")
    expect(evidence).to_have_count(1)
    press(page, "2")
    expect(evidence).to_have_count(0)
    assert scores(page)[-1] == ["S", "1"]
    saved(page)
    page.reload()
    opened(page)
    assert scores(page)[-1] == ["S", "1"]
    # By mouse the same; and a turn that is pinned where there is no score is not handed in.
    point = page.locator(".score-row[data-criterion=effectiveness] label").first
    point.click()
    assert scores(page)[-1] == ["E", "2"]
    point.click()
    assert scores(page)[-1] == ["S", "1"]
    page.locator("#transcript .read-turn").last.click()
    press(page, "e")
    expect(evidence).to_have_count(1)
    address = page.url
    press(page, "Control+Enter")
    page.wait_for_url(lambda url: url != address)
    ratings = rows_of(
        site,
        "SELECT c.key, t.evidence_turn FROM reviews_rating t JOIN rubrics_criterion c ON c.id = t.criterion_id"
        " JOIN reviews_review r ON r.id = t.review_id WHERE r.dialogue_id = ? AND c.scope = 'dialogue' AND r.is_submitted"
        " AND r.reviewer_id = (SELECT id FROM accounts_person WHERE username = 'reviewer-1') ORDER BY 1",
        address.rstrip("/").rpartition("/")[2].replace("-", ""),
    )
    assert ratings == [("accomplishment", None), ("satisfaction", None)]
    page.context.close()
    assert errors == []


def test_a_choice_and_a_hand_in_that_meet_the_same_newer_version_ask_once(site):
    first, _ = begin_next(site, "reviewer-1")
    label(first, 1, 20)
    press(first, "1", "1", "1", "1", "1")
    saved(first)
    second = first.context.new_page()
    second.goto(first.url)
    opened(second)
    sent = []
    second.on("request", lambda request: sent.append(request.method) if request.url.endswith("/review/") else None)
    press(first, "Control+Enter")
    first.wait_for_url(lambda url: url != second.url)
    # The draft's answer comes late, so that the hand-in is pressed while it is under way.
    second.route("**/review/", lambda route: (second.wait_for_timeout(300), route.continue_()))
    with second.expect_request(lambda request: request.method == "PATCH"):
        press(second, "0")
    press(second, "Control+Enter")
    dialog = second.locator("#conflict")
    expect(dialog).to_be_visible()
    second.unroute("**/review/")
    second.wait_for_timeout(500)
    assert sent == ["PATCH"]
    press(second, "2")
    saved(second)
    expect(dialog).to_be_hidden()
    assert scores(second)[0] == ["C", "0"]
    first.context.close()
