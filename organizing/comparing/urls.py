from django.urls import path

from organizing.comparing.views import compare_boards

urlpatterns = [path("", compare_boards, name="rankings")]
