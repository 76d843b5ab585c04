"""make bench-pages: what a page costs a browser that has nothing of it yet. Ends with 1 when a page is over its budget."""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.live.page_site import MOST_BYTES, MOST_SHIFT, PAGES, WATCH, Page, PageSite, page_site


@dataclass(frozen=True)
class Cost:
    n_bytes: int
    n_requests: int
    shift: float
    first_paint_ms: float
    errors: list[str]

    @property
    def is_over(self) -> bool:
        return self.n_bytes > MOST_BYTES or self.shift > MOST_SHIFT or bool(self.errors)


def cost_of(site: PageSite, page: Page, language: str) -> Cost:
    """Of one load with an empty cache, until the network has been quiet for half a second."""
    context = site.context(page.person, language)
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    tab.add_init_script(WATCH)
    devtools = context.new_cdp_session(tab)
    devtools.send("Network.enable")
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[int] = []
    devtools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    site.give_drawn(tab, page, language)
    tab.goto(site.address(page), wait_until="networkidle")
    shift, painted = tab.evaluate(
        "[window.shift, performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0]"
    )
    tab.close()
    expected = f"status of {page.expects}"
    return Cost(round(sum(sizes)), len(sizes), shift, painted, [error for error in errors if expected not in error])


def main() -> None:
    over = []
    print(f"{'page':<24}{'kB':>8}{'requests':>10}{'shift':>8}{'paint ms':>10}  errors")
    with tempfile.TemporaryDirectory(prefix="huace-pages-") as folder, page_site(Path(folder)) as site:
        for page in PAGES:
            cost = cost_of(site, page, "zh")
            said = "; ".join(cost.errors)[:100]
            print(
                f"{page.name:<24}{cost.n_bytes / 1000:>8.1f}{cost.n_requests:>10}{cost.shift:>8.3f}{cost.first_paint_ms:>10.0f}  {said}"
            )
            over += [page.name] if cost.is_over else []
    if over:
        print(f"over the budget: {', '.join(over)}")
        sys.exit(1)


if __name__ == "__main__":
    main()
