from django.urls import path

from demo.trial_campaigns import new_campaign
from demo.views import guided, sign_in

urlpatterns = [
    path("demo/sign-in/", sign_in, name="demo-sign-in"),
    path("demo/guided/", guided, name="demo-guided"),
    # In a demo this answers in place of the page of that name for staff alone.
    path("campaigns/new/", new_campaign, name="new-campaign"),
]
