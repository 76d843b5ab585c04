"""The addresses of a site that runs as a demo."""

from django.urls import include, path

from config.urls import handler400, handler403, handler404, handler500, urlpatterns

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [path("", include("demo.urls")), *urlpatterns]
