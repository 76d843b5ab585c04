"""The tags that draw, as a template uses them."""

import pytest
from django.template import engines
from django.utils import translation


def rendered(source: str) -> str:
    return engines["django"].from_string(source).render({"alias": "<b>K7</b>"})


def test_an_icon_is_drawn_in_place_and_silent():
    drawn = rendered('{% icon "check" "small" %}')
    assert drawn.startswith('<svg class="icon small" viewBox="0 0 24 24" aria-hidden="true"><path')


def test_an_icon_that_is_not_vendored_names_what_to_do():
    with pytest.raises(ValueError, match="copy it from lucide-static"):
        rendered('{% icon "no-such-icon" %}')


def test_a_ruler_without_words_is_hidden_from_readers_and_with_words_is_one_image():
    assert 'aria-hidden="true"' in rendered("{% ruler 20 4 %}")
    drawn = rendered("{% ruler 20 4 label=alias state='low' %}")
    assert 'role="img" aria-label="&lt;b&gt;K7&lt;/b&gt;"' in drawn
    assert 'class="ruler low"' in drawn


def test_a_ruler_is_as_wide_as_the_ticks_that_were_asked_for():
    assert 'width="191"' in rendered("{% ruler 945 444 ticks=63 pitch=3 %}")
    assert 'width="191"' in rendered("{% ruler 9 4 ticks=63 pitch=3 %}")
    assert "r-cap" not in rendered("{% ruler 0 0 ticks=63 pitch=3 %}")


def test_the_budget_says_what_is_left():
    with translation.override("en"):
        drawn = rendered("{% budget 20 17 in_flight=1 %}")
    assert 'aria-label="17 of 20 turns used, 3 left"' in drawn
    assert "<b>3</b> turns left" in drawn
    assert 'class="scale low"' in drawn


def test_a_ruler_for_many_uses_fills_its_width_whatever_its_ticks():
    few = rendered("{% ruler_symbol 3 1 width=38 %}")
    many = rendered("{% ruler_symbol 10 4 width=38 %}")
    assert 'id="ruler-3-1"' in few
    assert "M37 0v10" in few
    assert 'id="ruler-10-4"' in many
    assert "M37 0v10" in many
    assert "M0 5H17" in rendered("{% ruler_symbol 0 17 width=38 %}")


def test_a_range_stays_on_one_line_and_what_is_around_it_is_text():
    drawn = rendered("{{ '<b>, Satisfaction −2…2, Fluency 0…1'|whole_ranges }}")
    assert drawn == (
        '&lt;b&gt;, Satisfaction <span class="nowrap">−2…2,</span> Fluency <span class="nowrap">0…1</span>'
    )


def test_modules_that_wait_for_the_styles_are_inert_until_then():
    drawn = rendered('{% module_after_styles "testing_console/console.js" %}')
    assert drawn.startswith(
        '<template data-after-styles><script type="module" src="/static/testing_console/console.js">'
    )
    assert drawn.endswith("</template>")
    assert 'rel="modulepreload" href="/static/look/ruler.js"' in drawn
