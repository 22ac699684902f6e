"""`advisor cards`: all characters, and one in full."""

from __future__ import annotations

import pytest

from advisor.court.rules.cards import CARDS, LANGUAGES

KEYS = [card.key for card in CARDS]


def test_all_characters_in_json(ask):
    answer = ask("cards")
    assert answer["command"] == "cards"
    assert [card["card"] for card in answer["cards"]] == KEYS
    for card in answer["cards"]:
        assert {"card", "code", "row", "cost", "ability", "copies", "names", "note"} <= set(card)
        assert set(card["names"]) == set(LANGUAGES)
        assert card["cost"]
        assert card["ability"]


@pytest.mark.parametrize("name", ["astronomer", "As", "astro", "Astrónomo", "天文学者"])
def test_one_character_by_any_name(ask, name):
    (card,) = ask("cards", name)["cards"]
    assert (card["card"], card["code"], card["row"]) == ("astronomer", "As", 2)
    assert card["cost"] == "two pairs"
    assert card["copies"] == {"2": 1, "3": 2, "4": 3, "5": 3}
    assert card["names"]["de"] == "Astronom"


@pytest.mark.parametrize("key", KEYS)
def test_the_page_of_a_character_says_cost_ability_row_and_copies(run, key):
    output = run("cards", key).stdout
    card = next(card for card in CARDS if card.key == key)
    text = " ".join(output.split())
    for wanted in (card.name, card.code, card.cost_text, card.ability_text, card.note):
        assert wanted in text
    assert [line.split()[0] for line in output.splitlines()[1:4]] == ["row", "cost", "ability"]
    assert "copies" in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_follow_the_language(run, lang):
    output = run("cards", "--lang", lang).stdout
    assert all(card.named(lang) in output for card in CARDS)


def test_the_supply_of_fools_follows_the_rule_set(run):
    assert "unlimited" in run("cards").stdout.splitlines()[-1]
    assert "as many as players" in run("cards", "--rules", "brettspielwelt").stdout.splitlines()[-1]


@pytest.mark.parametrize("lang", ["ja", "de"])
def test_columns_line_up_in_every_language(run, lang):
    # East Asian letters take two columns of a terminal.
    import unicodedata

    def width(text):
        return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)

    lines = run("cards", "--lang", lang).stdout.splitlines()[2:-1]
    starts = {
        width(line[: line.index(card.cost_text[:8])])
        for line in lines
        for card in CARDS
        if line.startswith(card.code + " ")
    }
    assert len(starts) == 1, starts
