"""What every page knows: the reader's theme."""

from django.http import HttpRequest

from accounts.models import Person


def theme(request: HttpRequest) -> dict[str, str]:
    user = getattr(request, "user", None)
    chosen = user.theme if user is not None and user.is_authenticated else request.COOKIES.get("huace_theme", "")
    return {"theme": chosen if chosen in Person.Theme.values else Person.Theme.AUTO}
