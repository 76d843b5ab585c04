from django.urls import path

from demo.views import guided, sign_in

urlpatterns = [
    path("sign-in/", sign_in, name="demo-sign-in"),
    path("guided/", guided, name="demo-guided"),
]
