"""What whoever installs Huace does first: opens the link of `invite --staff`, chooses a password, logs in by it."""

import re
import secrets
import sys
from urllib.parse import urlsplit

import httpx


def may_make_a_campaign(base: str, link: str) -> bool:
    """Whether the log-in opens what organizers of the site alone see. `link` as it was printed, for a site that is reached at `base`."""
    name, password = "first-organizer", secrets.token_urlsafe(12)
    with httpx.Client(base_url=base, follow_redirects=True, timeout=30) as browser:
        send(browser, urlsplit(link).path, {"username": name, "password1": password, "password2": password})
    with httpx.Client(base_url=base, follow_redirects=True, timeout=30) as browser:
        send(browser, "/login/", {"username": name, "password": password})
        return browser.get("/campaigns/new/").status_code == 200


def answers(url: str) -> bytes:
    """The body of a page that is there; nothing until then."""
    try:
        answer = httpx.get(url, timeout=5)
    except httpx.TransportError:
        return b""
    return answer.content if answer.status_code == 200 else b""


def send(browser: httpx.Client, path: str, fields: dict[str, str]) -> httpx.Response:
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.get(path).raise_for_status().text)
    assert token, path
    headers = {"Referer": str(browser.base_url)}
    return browser.post(path, data=fields | {"csrfmiddlewaretoken": token[1]}, headers=headers).raise_for_status()


if __name__ == "__main__":
    print(may_make_a_campaign(*sys.argv[1:]))
