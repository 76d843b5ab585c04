"""What every page knows: the reader's theme, and where the page can be loaded again."""

from django.http import HttpRequest

from accounts.form_routes import readable_address
from accounts.models import Person


def theme(request: HttpRequest) -> dict[str, str]:
    user = getattr(request, "user", None)
    chosen = user.theme if user is not None and user.is_authenticated else request.COOKIES.get("huace_theme", "")
    return {"theme": chosen if chosen in Person.Theme.values else Person.Theme.AUTO}


def here(request: HttpRequest) -> dict[str, str]:
    """The address to come back to after a change of language or theme, and after a login."""
    return {"here": readable_address(request)}
