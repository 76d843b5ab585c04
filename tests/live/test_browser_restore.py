"""A console that stays open while the installation is restored from a backup."""

import pytest
from playwright.sync_api import expect

from tests.live.browser import People, connected
from tests.live.browser_site import say
from tests.live.server import live

pytestmark = [pytest.mark.e2e]


def test_an_open_console_begins_anew_with_what_the_backup_held(tmp_path, bot, browser):
    backup = tmp_path / "huace.zip"
    with live(tmp_path, bot.url) as server:
        page, _ = People(browser, server.base, server.set_password).page("tester")
        page.goto(f"{server.base}/dialogues/{server.open_dialogue()}/")
        connected(page)
        say(page, "before the backup")
        server.manage("backup", str(backup))
        say(page, "lost with the database")
        server.kill()
        server.environment["DATABASE_URL"] = f"sqlite:///{tmp_path}/restored.sqlite3"
        server.manage("restore", str(backup))
        server.start()
        expect(page.locator("#transcript")).not_to_contain_text("lost with the database")
        connected(page)
        expect(page.locator("#transcript")).to_contain_text("before the backup")
        say(page, "after the restore")
        expect(page.locator("#transcript")).to_contain_text("after the restore")
