from django.urls import path

from frame.api_pages.views import ApiSchema, FrameSchemas

urlpatterns = [
    path("schema/", ApiSchema.as_view(), name="api-schema"),
    path("schema/frames/", FrameSchemas.as_view(), name="api-frames"),
]
