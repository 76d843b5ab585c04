from django.utils import translation

from campaigns.presets import PRESETS
from organizing.setting_up.new_campaign import preset_cards


def test_each_preset_has_a_card_that_says_what_it_means():
    with translation.override("en"):
        cards = {card.key: card for card in preset_cards()}
    assert cards.keys() == PRESETS.keys()
    assert dict(cards["smp2018"].lines) == {
        "Scored": "Satisfaction −2…2, Fluency −1…1, Guidance 0…1",
        "Ranked by": "C › T › Sa › F › G",
        "Turns": "at most 20 per subtask",
        "Who talks to what": "every tester talks to every system about every scenario",
        "Who scores": "a panel of 3",
    }
    assert dict(cards["msde"].lines)["Turns"] == "at most 10 per dialogue"
    assert dict(cards["msde"].lines)["Who scores"] == "a panel of 3"
    assert dict(cards["seretod2022"].lines)["Who scores"] == "its tester"
