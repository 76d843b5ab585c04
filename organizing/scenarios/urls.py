from django.urls import path

from organizing.scenarios.import_views import example, import_table
from organizing.scenarios.views import add, preview, remove, scenario_page, scenarios

urlpatterns = [
    path("", scenarios, name="scenarios"),
    path("new/", add, name="scenario-new"),
    path("import/", import_table, name="scenario-import"),
    path("example/<slug:format>/", example, name="scenario-example"),
    path("one/<slug:scenario>/", scenario_page, name="scenario"),
    path("one/<slug:scenario>/preview/", preview, name="scenario-preview"),
    path("one/<slug:scenario>/remove/", remove, name="scenario-remove"),
]
