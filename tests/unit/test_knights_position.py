"""Card lists and described positions: what is accepted, what is refused and why."""

from importlib import resources

import pytest

from advisor.errors import AdvisorError, InvalidComponents, InvalidPosition, UnknownCard
from advisor.knights import target
from advisor.knights.rules import components
from advisor.knights.rules.cards import KINDS, parse_card
from advisor.knights.turn.position import load, parse_position
from advisor.knights.turn.targets import refusal, targets

BOX = components.default()
LIST = resources.files("advisor.knights.rules").joinpath("components.toml").read_text("utf-8")

POSITION = """
[[players]]
name = "Alice"
cards = ["red 3332", "blue 3334", "green 2223"]
[[players]]
name = "Boris"
cards = ["violet 3331", "white 4442", "castle-guard 3332", "pile 3334", "tournament"]
castle_guard = ["violet 3331", "white 4442"]
[[players]]
name = "Christina"
cards = ["black 2225", "pile 1115", "special-guard 2223"]
special_guard = "pile 1115"
[[decks]]
top = "die1 2223"
[[decks]]
top = "red 2224"
bottom = ["blue 1115"]
"""


def test_the_box_of_the_rulebook():
    castles = [card for card in BOX.cards if card.is_castle]
    assert len(castles) == 16
    assert len({card.name for card in castles}) == 6
    assert sum(card.is_tournament for card in BOX.cards) == 9
    assert sum(card.is_special for card in BOX.cards) == 23
    for known in ("red 3332", "white 4442", "die3 4441", "pile 3334"):
        assert str(parse_card(known, BOX.cards)) == known
    assert BOX.invented
    assert "invented" in BOX.describe()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tournaments = 9", "tournaments = 8", "there are 9"),
        ('"2225", "3335", "5552"', '"2225", "3335"', "15 cards"),
        ('"2225", "3335", "5552"', '"2225", "3336", "5552"', "castles.black.*6"),
        ("invented = true", 'invented = "yes"', "true or false"),
        ("invented = true", "", "missing"),
        ("white = [", "pile = [", "no name for a coat"),
        ("[castles]", "[castle]", "castle"),
        ('die5 = ["4441"]', 'die5 = ["4441", "3332"]', "die1 to die5"),
        ('champion = ["3332"]', 'champion = "3332"', "list of texts"),
        ('champion = ["3332"]', "", "specials.champion: 0 cards"),
        ("treason =", "traitor =", "traitor is no kind"),
        ("tournaments = 9", "tournaments 9", "no TOML"),
    ],
)
def test_card_lists_that_are_refused(old, new, message):
    assert old in LIST
    with pytest.raises(InvalidComponents, match=message):
        components.parse_components(LIST.replace(old, new), "mine.toml")


def test_a_card_list_of_the_user(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(LIST.replace("invented = true", "invented = false"), encoding="utf-8")
    where = tmp_path / "position.toml"
    where.write_text('components = "mine.toml"\n' + POSITION, encoding="utf-8")
    box = load(where).box
    assert not box.invented
    assert box.describe() == "card list mine.toml"
    with pytest.raises(InvalidComponents, match="cannot be read"):
        components.load(tmp_path / "other.toml")


def test_the_unseen_cards_and_the_decks():
    position = parse_position(POSITION)
    assert len(position.unseen) == 48 - 11 - 3
    first, second = position.decks
    assert first.unknown + second.unknown == len(position.unseen)
    assert abs(first.unknown - second.unknown - 1) <= 1
    assert [str(card) for card in second.bottom] == ["blue 1115"]


def test_given_sizes_of_decks():
    sized = POSITION.replace('top = "die1 2223"', 'top = "die1 2223"\nsize = 5')
    first, second = parse_position(sized).decks
    assert (first.unknown, second.unknown) == (4, 30)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"red 3332"', '"red 3332", "red 2224"', "2 x red"),
        ('"red 3332"', '"blue 1115"', "2 x blue"),
        ('"blue 3334"', '"red 3332"', "identical"),
        ('top = "red 2224"', 'top = "pile 1115"', "described 2 times"),
        ('["black 2225", ', "[", "no castle"),
        ("castle_guard", "castle_gard", "unknown"),
        ('"castle-guard 3332", ', "", "no castle-guard"),
        ('castle_guard = ["violet 3331"', 'castle_guard = ["red 3332"', "cannot cover"),
        ('special_guard = "pile 1115"', 'special_guard = "special-guard 2223"', "cannot cover"),
        ('name = "Boris"', 'name = "Alice"', "another name"),
        ('"green 2223"', '"green 2223", "violet 4442"', "has won"),
        ('top = "die1 2223"', 'top = "die1 2223"\nsize = 99', "sizes"),
        ('top = "die1 2223"', "size = 3", "no top"),
        ('top = "die1 2223"', 'top = "die9"', "is no card"),
        ('top = "die1 2223"', 'top = "die1"', "write the dice"),
        ('top = "die1 2223"', 'top = "die1 2226"', "6"),
        ('top = "die1 2223"', 'top = "die1 5551"', "not in the box"),
        ("[[decks]]", "[[deck]]", "unknown"),
        ("[[players]]", "changed = 5\n[[players]]", "changed"),
        ("[[players]]", "changed = 2\n[[players]]", "without the Pile"),
        ('"green 2223"]', '"green 2223"', "no TOML"),
    ],
)
def test_positions_that_are_refused(old, new, message):
    assert old in POSITION
    with pytest.raises(AdvisorError, match=message) as error:
        parse_position(POSITION.replace(old, new, 1))
    assert error.value.exit_code == 2


def test_number_of_players():
    with pytest.raises(InvalidPosition, match="2 to 6"):
        parse_position('[[players]]\ncards = ["red 3332"]\n[[decks]]\n[[decks]]')


def legal(position, throne=True):
    return [target.target_text(position.table, each) for each in targets(position.table, throne)]


def test_legal_targets():
    found = legal(parse_position(POSITION))
    assert found == [
        "die1 2223 on deck 1",
        "castle-guard 3332 of Boris",
        "pile 3334 of Boris",
        "special-guard 2223 of Christina",
        "the throne (5551)",
    ], "red is owned, castles and a pile are covered, Christina has one castle"


def test_without_guards_castles_are_open():
    open_castles = POSITION.replace('castle_guard = ["violet 3331", "white 4442"]', "")
    found = legal(parse_position(open_castles))
    assert "violet 3331 of Boris" in found
    assert "black 2225 of Christina" not in found


def test_with_two_players_three_castles_are_needed():
    two = """
    [[players]]
    cards = ["red 3332"]
    [[players]]
    cards = ["violet 3331", "white 4442"%s]
    [[decks]]
    top = "tournament"
    [[decks]]
    top = "red 2224"
    """
    assert legal(parse_position(two % ""), False) == ["tournament on deck 1"]
    more = legal(parse_position(two % ', "green 2223"'), False)
    assert len(more) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Christina: black 2225", "only castle of Christina"),
        ("Boris: violet", "guard of Boris covers"),
        ("Alice: red 3332", "own card"),
        ("Boris: red", "'red' is no card"),
        ("Boris: tournament", "safe"),
        ("deck 2", "identical"),
        ("deck 3", "no target"),
        ("Boris", "no target"),
        ("Boris: treason", "no card"),
    ],
)
def test_targets_that_cannot_be_chosen(text, message):
    with pytest.raises(AdvisorError, match=message):
        target.find(parse_position(POSITION), text)


def test_the_throne_needs_three_castles():
    position = parse_position(POSITION.replace(', "green 2223"', ""))
    with pytest.raises(InvalidPosition, match="needs 3 castles"):
        target.find(position, "throne")
    assert refusal(position.table, target.find(position, "deck 1"), False) is None


def test_every_special_says_what_it_does():
    assert all(kind.text for kind in KINDS.values())
    with pytest.raises(UnknownCard, match="did you mean"):
        parse_card("tresaon", BOX.cards)
