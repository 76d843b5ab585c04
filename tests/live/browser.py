"""A headless Chromium for tests: Debian's build, found on PATH."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Error, Page, Response, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


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
