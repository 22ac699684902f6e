"""Names of cards on input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.court.rules.cards import BY_KEY, CARDS
from advisor.court.rules.names import format_codes, parse_card, parse_cards
from advisor.errors import UnknownCard

SPELLINGS = {
    "fool": "Fool Fo Jester Hofnarr 道化師 Bufón bufon jes",
    "charlatan": "Ch Scharlatan ペテン師 Charlatán char",
    "farmer": "Fa Bauer 農夫 Granjero gran",
    "maid": "Ma MA ma Servant Chambermaid Dienstmagd 下女 Doncella mai",
    "philosopher": "Ph Philosoph 哲学者 Filósofo filosofo",
    "laborer": "La Worker Handwerker 職人 Artesano lab",
    "guard": "Gu Wachmann 衛兵 Vigilante gua",
    "hunter": "Hu Jäger jager JÄGER 狩人 Cazador hunt",
    "astronomer": "As Astronom 天文学者 Astrónomo astronomo ASTRO",
    "merchant": "Me Trader Händler handler 商人 Mercader merch",
    "noblewoman": "Nw Hostess Hofdame 女官 Dama noblew lady",
    "pawnbroker": "Pb Pfandleiher 質屋 Prestamista pawn",
    "knight": "Kn Ritter 騎士 kni",
    "magician": "Mg Sorcerer Zauberer 魔術師 mag",
    "alchemist": "Al Alchemist 錬金術師 alch",
    "bishop": "Bi Bischof 司教 bish",
    "nobleman": "Nm Noble NOBLE Edelmann 貴族 noblem",
    "general": "Ge Feldherr 将軍 gen",
    "queen": "Qu Königin konigin KÖNIGIN 王妃 que",
    "king": "Ki König könig konig KÖNIG 国王 king",
}


@pytest.mark.parametrize(
    ("text", "key"), [(text, key) for key, texts in SPELLINGS.items() for text in texts.split()]
)
def test_every_spelling_finds_its_card(text, key):
    assert parse_card(text) == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Serving Maid", "maid"),
        ("  serving   maid ", "maid"),
        ("Lady in Waiting", "noblewoman"),
        ("Pawn Broker", "pawnbroker"),
        ("Ko\u0308nig", "king"),
    ],
)
def test_names_of_several_words_and_letters_in_two_parts(text, key):
    assert parse_card(text) == key


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.key)
@pytest.mark.parametrize("change", [str.upper, str.lower, str.title, str.swapcase])
def test_case_does_not_matter(card, change):
    for name in (card.key, card.code, card.name, *card.other, *card.names.values()):
        assert parse_card(change(name)) == card.key


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("n", {"noblewoman", "nobleman"}),
        ("f", {"fool", "farmer"}),
        ("kö", {"queen", "king"}),
        ("hof", {"fool", "noblewoman"}),
    ],
)
def test_an_ambiguous_prefix_names_the_cards_it_may_be(text, meant):
    with pytest.raises(UnknownCard) as refusal:
        parse_card(text)
    assert repr(text) in str(refusal.value)
    assert all(key in str(refusal.value) for key in meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("huntr", "hunter"),
        ("famer", "farmer"),
        ("astonomer", "astronomer"),
        ("philospher", "philosopher"),
        ("Knihgt", "knight"),
        ("labourer", "laborer"),
    ],
)
def test_a_misspelt_name_names_the_card_meant(text, meant):
    with pytest.raises(UnknownCard, match=f"'{text}'.*did you mean .*{meant}"):
        parse_card(text)


@pytest.mark.parametrize("text", ["", " ", "xyzzy", "*", "12"])
def test_what_is_no_name_is_refused_with_a_mend(text):
    with pytest.raises(UnknownCard, match=r"example|advisor cards"):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("guard,farmer", ("farmer", "guard")),
        ("Gu , Fa", ("farmer", "guard")),
        ("charlatan*2", ("charlatan", "charlatan")),
        ("Ch,fool,Ch", ("fool", "charlatan", "charlatan")),
        ("Ch * 2, Ch", ("charlatan",) * 3),
    ],
)
def test_lists_are_put_in_the_order_of_the_rules(text, keys):
    assert parse_cards(text) == keys
    assert parse_cards(format_codes(keys)) == keys


@pytest.mark.parametrize(
    "text", ["charlatan*", "charlatan*0", "charlatan*x", "charlatan*-1", "Fa,,La", ",", "Ch*²"]
)
def test_lists_with_gaps_or_senseless_numbers_are_refused(text):
    with pytest.raises(UnknownCard):
        parse_cards(text)


def test_a_number_of_cards_too_long_to_read_is_refused():
    with pytest.raises(UnknownCard):
        parse_cards("charlatan*" + "9" * 5000)


@given(st.text() | st.text(alphabet="abcehiklmnorstuFGK*, ", max_size=8))
def test_any_text_is_cards_or_refused(text):
    try:
        keys = parse_cards(text)
    except UnknownCard:
        return
    assert set(keys) <= set(BY_KEY)
