"""A thousand people at the door of a study of a real server, over loopback; prints how long they took."""

import http.cookiejar
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.live.server import live

pytestmark = [pytest.mark.server, pytest.mark.rehearsal]

N_PEOPLE, QUOTA, AT_ONCE = 1000, 200, 8
STUDY = {
    "key": "burst", "role": "tester", "platform": "prolific", "quota": QUOTA, "needed": 2, "minutes": 20, "pay": "4.00", "currency": "GBP",
}  # fmt: skip


class Browser:
    """Somebody on a network of their own, as a proxy would say it."""

    def __init__(self, base, number):
        self.base, self.cookies = base, http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.opener.addheaders = [("X-Forwarded-For", f"10.{number // 65536}.{number // 256 % 256}.{number % 256}")]

    def get(self, path):
        return self._answer(urllib.request.Request(self.base + path))

    def post(self, path, **fields):
        fields["csrfmiddlewaretoken"] = next(one.value for one in self.cookies if one.name == "csrftoken")
        return self._answer(urllib.request.Request(self.base + path, urllib.parse.urlencode(fields).encode()))

    def _answer(self, request):
        try:
            with self.opener.open(request, timeout=60) as answer:
                return answer.status, answer.url, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.url, refused.read().decode()


def test_a_thousand_arrivals_keep_every_promise(tmp_path):
    with live(tmp_path, "http://127.0.0.1:9/", environment={"HUACE_PROXIES": "1"}) as server:
        status, made = server.request("POST", "/api/v1/campaigns/probe/studies/", STUDY, person="organizer")
        assert status == 201, made
        opened, _ = server.request(
            "POST", f"/api/v1/campaigns/probe/studies/{made['id']}/state/", {"state": "open"}, person="organizer"
        )
        assert opened == 200
        door = made["link"].partition("?")[0].partition("/enter/")[2]

        def arrives(number):
            began = time.monotonic()
            browser = Browser(server.base, number)
            path = f"/enter/{door}?PROLIFIC_PID=person{number}&STUDY_ID=s&SESSION_ID=x{number}"
            status, _url, page = browser.get(path)
            assert status == 200, page[:500]
            if "<form" not in page.partition("<main")[2].partition("</main")[0]:
                return "full", time.monotonic() - began
            status, url, page = browser.post(path)
            assert status == 200, page[:500]
            return "started" if "/testing/" in url else "full", time.monotonic() - began

        began = time.monotonic()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            told = list(pool.map(arrives, range(N_PEOPLE)))
        took = time.monotonic() - began
        times = sorted(seconds for _, seconds in told)
        print(f"{N_PEOPLE} arrivals in {took:.1f} s, p95 {times[int(0.95 * N_PEOPLE)]:.2f} s")
        assert [outcome for outcome, _ in told].count("started") == QUOTA
        counted = dict(server.rows("SELECT state, count(*) FROM crowds_arrival GROUP BY state"))
        assert counted["started"] == QUOTA
        assert sum(counted.values()) == N_PEOPLE
        assert server.rows(
            "SELECT count(*), count(DISTINCT username) FROM accounts_person WHERE came_by = 'crowd'"
        ) == [(QUOTA, QUOTA)]
        assert server.rows("SELECT count(*) FROM crowds_arrival GROUP BY participant HAVING count(*) > 1") == []
        log = server.log.read_text()
        assert server.errors_in_the_log() == []
        assert "person1" not in log
