from django.utils.translation import override

from organizing.wall.views import wall_strings


def test_testers_choose_freely_only_where_they_do():
    with override("en"):
        assert wall_strings(testers_choose=True)["freely"] == "testers choose freely"
        assert wall_strings(testers_choose=False)["freely"] == "no plan is drawn yet"
