"""@for_staff: people whom the site itself trusts; everybody else gets 404."""

from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase

from accounts.access import Access, View


def for_staff(view: View) -> View:
    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if not getattr(request.user, "is_staff", False):
            raise Http404
        return view(request, **kwargs)

    guarded.access = Access("staff")  # type: ignore[attr-defined]
    return guarded
