from django.urls import path

from operating.page import operate

urlpatterns = [path("operate/", operate, name="operate")]
