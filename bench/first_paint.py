"""make bench NAME=first_paint: when a browser that has nothing of it yet paints the console, beside a bare page; medians of some loads, in turn.

python -m bench.first_paint [--loads 9]    Ends with 1 when a console is painted later than it may be.
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median

from bench.limits import Limit, exit_code
from tests.live.page_site import MOST_SHIFT, PAGES, WATCH, Page, PageSite, page_site

MOST_MS = 300
BARE = "login"
WINDOW_SETTLES_MS, TAB_SETTLES_MS = 2500, 700
MEASURED = (BARE, "console-start", "console", "console-fail", "console-score")
# Of the page itself, of the last style sheet, of the paint; what was asked for before the paint; how far things moved.
READ = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const parts = performance.getEntriesByType("resource");
  const styles = parts.filter((one) => new URL(one.name).pathname.endsWith(".css")).map((one) => one.responseEnd);
  const painted = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
  const before = parts.filter((one) => one.startTime < painted).length;
  return [page.responseStart - page.requestStart, Math.max(0, ...styles), painted, performance.now(), before, window.shift];
}"""


@dataclass(frozen=True, slots=True)
class Load:
    """One load: milliseconds of the server, then since the navigation began; `usable_ms` is when the page was ready."""

    server_ms: float
    styles_ms: float
    painted_ms: float
    usable_ms: float
    n_before: float
    shift: float


def open_window(site: PageSite, page: Page) -> None:
    """As a person has one open already: Chromium draws a new window by pages of its own, half a second of work that is not ours."""
    context = site.context(page.person, "zh")
    if not context.pages:
        context.new_page().wait_for_timeout(WINDOW_SETTLES_MS)


def load(site: PageSite, page: Page) -> Load:
    """In a tab of its own, with an empty cache."""
    open_window(site, page)
    context = site.context(page.person, "zh")
    tab = context.new_page()
    tab.add_init_script(WATCH)
    devtools = context.new_cdp_session(tab)
    devtools.send("Network.enable")
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    # A page is opened in a tab that is there already: that Chromium draws one is no part of it either.
    tab.wait_for_timeout(TAB_SETTLES_MS)
    # Before that nothing may be asked of the page: Playwright would run a script of its own in it.
    tab.goto(site.address(page), wait_until="load")
    tab.wait_for_selector(page.ready)
    tab.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    read = Load(*tab.evaluate(READ))
    tab.close()
    return read


def middle(loads: Sequence[Load]) -> Load:
    """The median of each figure; of shifts the largest, since one that is seen is one too many."""
    medians = [median(figures) for figures in zip(*map(astuple, loads), strict=True)]
    return Load(*medians[:-1], shift=max(one.shift for one in loads))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loads", type=int, default=9, help="of each page")
    n_loads = parser.parse_args().loads
    pages = [page for page in PAGES if page.name in MEASURED]
    loads: dict[str, list[Load]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="huace-paint-") as folder, page_site(Path(folder)) as site:
        for page in pages:
            load(site, page)  # what the server does once, such as reading templates
        for _ in range(n_loads):
            for page in pages:
                loads[page.name].append(load(site, page))
    print(
        f"{'page':<16}{'server':>8}{'styles':>8}{'painted':>9}  {'(range)':<12}{'usable':>8}{'before':>8}{'shift':>8}"
    )
    limits = []
    for name, measured in loads.items():
        one = middle(measured)
        paints = sorted(each.painted_ms for each in measured)
        spread = f"{paints[0]:.0f}–{paints[-1]:.0f}"
        print(
            f"{name:<16}{one.server_ms:>8.0f}{one.styles_ms:>8.0f}{one.painted_ms:>9.0f}  {spread:<12}"
            f"{one.usable_ms:>8.0f}{one.n_before:>8.0f}{one.shift:>8.3f}"
        )
        if name != BARE:
            limits.append(Limit(f"{name}, first paint", one.painted_ms, MOST_MS, " ms"))
            limits.append(Limit(f"{name}, the largest shift", one.shift, MOST_SHIFT))
    sys.exit(exit_code(limits))


if __name__ == "__main__":
    main()
