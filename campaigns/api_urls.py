from django.urls import path

from campaigns.tokens_api import OneToken, Tokens

urlpatterns = [
    path("account/tokens/", Tokens.as_view(), name="api-tokens"),
    path("account/tokens/<slug:token_key>/", OneToken.as_view(), name="api-token"),
]
