from django.urls import path

from operating import views

urlpatterns = [
    path("healthz", views.lives, name="healthz"),
    path("readyz", views.ready, name="readyz"),
]
