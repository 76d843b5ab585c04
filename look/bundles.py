"""Style sheets that go out as one: a page is not painted before all of its styles are there, and each costs a request."""

from collections.abc import Iterable

# Each stands in the folder of its first part, so what the parts name relative to themselves is found.
BUNDLES: dict[str, tuple[str, ...]] = {
    "look/all.css": ("look/tokens.css", "look/base.css", "look/parts.css", "look/forms.css", "look/ruler.css"),
    "testing_console/all.css": (
        "testing_console/console.css",
        "testing_console/talk.css",
        "testing_console/scores.css",
        "testing_console/over.css",
    ),
}


def joined(contents: Iterable[bytes]) -> bytes:
    """One style sheet of several, in their order: what comes later wins, as it would on the page."""
    return b"\n".join(contents)
