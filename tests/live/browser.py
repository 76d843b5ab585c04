"""A headless Chromium for tests (Debian's build, found on PATH), and a server's people in it."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, Response, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SCREEN = {"width": 1280, "height": 720}
# Keeps every socket of the page at hand, so that a test can end one.
HOLD_SOCKETS = (
    "const Real = WebSocket; window.sockets = [];"
    "window.WebSocket = class extends Real { constructor(url) { super(url); window.sockets.push(this); } };"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def page_without_errors(context: BrowserContext) -> tuple[Page, list[str]]:
    """A page, and the list into which every console error and failed script goes."""
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return page, errors


class People:
    """The people of a server in one browser, each of whom logs in once."""

    def __init__(self, browser: Browser, base: str, password_of: Callable[[str], str]) -> None:
        self.browser, self.base, self.password_of = browser, base, cache(password_of)
        self.logins: dict[str, Any] = {}

    def page(self, username: str, **named: Any) -> tuple[Page, list[str]]:
        """A page of somebody who is logged in."""
        if username not in self.logins:
            page, errors = self.own_login(username, **named)
            self.logins[username] = page.context.storage_state()
            return page, errors
        return self.fresh_page(storage_state=self.logins[username], **named)

    def own_login(self, username: str, **named: Any) -> tuple[Page, list[str]]:
        """A page of somebody with a login that no other page shares: it may be ended."""
        page, errors = self.fresh_page(**named)
        log_in(page, self.base, username, self.password_of(username))
        return page, errors

    def fresh_page(self, **named: Any) -> tuple[Page, list[str]]:
        return page_without_errors(self.browser.new_context(**{"viewport": SCREEN, "locale": "zh-CN"} | named))


def go_to(page: Page, address: str) -> Response | None:
    """Goes there; a page that loads itself anew can interrupt the way from it, then once more."""
    try:
        return page.goto(address)
    except Error as error:
        if "net::ERR_ABORTED" not in error.message:
            raise
        return page.goto(address)


def log_in(page: Page, base: str, username: str, password: str) -> None:
    page.goto(f"{base}/login/")
    page.fill("[name=username]", username)
    page.fill("[name=password]", password)
    page.click("main button.primary")
    page.wait_for_url(lambda url: "/login/" not in url)


def connected(page: Page) -> None:
    expect(page.locator("#connection")).to_have_attribute("data-state", "connected")


def cut_off(page: Page) -> None:
    """The page's connection dies, and no other is to be had (`HOLD_SOCKETS`)."""
    page.context.set_offline(True)
    page.evaluate("() => window.sockets.at(-1).close()")
