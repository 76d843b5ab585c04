from django.urls import path

from organizing.scenarios.api import ExampleTable, OneScenario, ScenarioCard, Scenarios, ScenarioTable

urlpatterns = [
    path("", Scenarios.as_view(), name="api-scenarios"),
    path("import/", ScenarioTable.as_view(), name="api-scenario-import"),
    path("example/<slug:format>/", ExampleTable.as_view(), name="api-scenario-example"),
    path("one/<slug:scenario>/", OneScenario.as_view(), name="api-scenario"),
    path("one/<slug:scenario>/card/", ScenarioCard.as_view(), name="api-scenario-card"),
]
