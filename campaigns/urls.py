from django.urls import path

from campaigns.token_pages import end_token, new_token, tokens

urlpatterns = [
    path("account/tokens/", tokens, name="tokens"),
    path("account/tokens/new/", new_token, name="new-token"),
    path("account/tokens/revoke/", end_token, name="end-token"),
]
