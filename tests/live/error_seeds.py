"""The pages of errors that no address gives by itself, drawn by the code that draws them for a server."""


def error_pages():
    """HTML by name of the page and language."""
    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpResponse
    from django.test import RequestFactory
    from django.utils import translation
    from django.utils.translation import gettext as _

    from frame.error_pages import WRONGS, ErrorPagesMiddleware, error_page
    from serving.refused import Refused
    from tests.live.page_site import LANGUAGES

    drawn = {}
    for short, language in LANGUAGES.items():
        request = RequestFactory().get("/", headers={"host": "localhost"})
        request.user, request.LANGUAGE_CODE = AnonymousUser(), language
        with translation.override(language):
            drawn |= {f"error-{status}-{short}": error_page(request, status) for status in WRONGS}
            refused = Refused(_("The preview is out of date: look at it again."))
            drawn[f"error-409-{short}"] = ErrorPagesMiddleware(lambda _: HttpResponse()).process_exception(
                request, refused
            )
    return {name: page.content.decode() for name, page in drawn.items()}
