"""A team's own pages in headless Chromium: a check that is followed, an address that is tried."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.e2e]
TEAM = "/campaigns/smp2018-demo/team/"


@pytest.fixture(params=["zh-CN", "en-US"])
def participant(site, request):
    page, errors = site.page("participant", locale=request.param)
    page.language = request.param[:2]
    yield page
    assert errors == []
    page.close()


def own_bot(site, page):
    page.goto(site.base + TEAM)
    page.locator(".own-bot a.name").first.click()
    expect(page.locator("#conformance")).to_be_visible()


def test_a_check_grows_while_one_looks_and_ends_with_its_report(site):
    page, errors = site.page("participant", locale="en-US")
    own_bot(site, page)
    with page.expect_navigation():
        page.locator("#conformance button.primary").click()
    page.evaluate("window.isTheSame = true")
    probes = page.locator(".check-rows .probe")
    expect(probes.nth(2)).to_be_visible()
    assert page.evaluate("window.isTheSame"), "the rows came without a new page"
    n_done, total = page.locator(".check-count").inner_text().split("/")
    assert 2 < int(n_done) < int(total)
    rows = page.evaluate(
        "[...document.querySelectorAll('.check-rows .probe > summary')].map((one) => one.children.length)"
    )
    assert set(rows) == {5}, "rows that came look as those that were there: verdict, title, sentence, time, icon"
    expect(page.locator("#report > header")).not_to_contain_text(re.compile(r"\b0 passed"))
    expect(page.locator(".check-count")).to_have_count(0, timeout=120_000)
    expect(page.locator("main h2 .pill")).to_have_class(re.compile("good|care"))
    expect(probes.locator("summary .sentence").first).not_to_be_empty()
    probes.last.locator("summary").press("Enter")
    expect(probes.last.locator("dd").first).to_be_visible()
    own_bot(site, page)
    expect(page.locator("#conformance header .pill")).to_have_class(re.compile("good|care"))
    assert errors == []


def test_a_mapping_is_filled_from_a_preset_and_tried(site, participant):
    participant.goto(f"{site.base}{TEAM}try/")
    expect(participant.locator("button[value=fill]")).to_be_hidden()
    participant.select_option("[name=protocol]", "mapping")
    expect(participant.locator("[name=option-request]")).to_be_visible()
    participant.locator("button[value=fill]").click()
    expect(participant.locator("[name=option-request]")).not_to_be_empty()
    expect(participant.locator("[name=protocol]")).to_have_value("mapping")
    participant.fill("[name=url]", site.bots["booking"])
    participant.fill(
        "[name=option-request]", '{"dialogue": "{{dialogue}}", "text": "{{text}}", "history": "{{history}}"}'
    )
    for name in ("headers", "query", "replies", "state", "end", "error", "delta", "done"):
        participant.fill(f"[name=option-{name}]", "")
    participant.select_option("[name=option-stream_kind]", "")
    participant.fill("[name=option-reply]", "nowhere")
    participant.fill("[name=word]", "你好")
    participant.locator("button[value=try]").click()
    expect(participant.locator("#result .pill.fail")).to_be_visible()
    expect(participant.locator("[name=option-reply]")).to_have_attribute("aria-invalid", "true")
    participant.fill("[name=option-reply]", "text")
    participant.locator("button[value=try]").click()
    expect(participant.locator("#result .pill.good")).to_be_visible()
    expect(participant.locator("#result")).to_contain_text("请问" if participant.language == "zh" else "请")
