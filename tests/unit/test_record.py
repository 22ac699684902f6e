"""Records of games and turns: both ways, taken back, cut off, refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.court.play.header import Header, Seat
from advisor.court.play.record import Record, dice_of, format_record, parse_record
from advisor.court.play.record_file import LARGEST, RecordFile, read_record
from advisor.court.rules.notation import parse_position
from advisor.court.rules.options import RULEBOOK
from advisor.errors import ImpossibleStep, InvalidRecord

TURN = """court-record 1
# the example of the rulebook
rules rulebook
turn /3d:La,Gu,As-
roll 256
aside 2
use laborer bring in a 1
roll 335
use guard bring in a 2
aside 2
roll 456
use astronomer turn a 4 into a 2
aside 2
roll 23
aside 2
roll 4
aside 4
buy hunter  # four alike
"""

GAME = """court-record 1
rules rulebook
seat human Anna Maria
seat best
seed 42
"""

HEADER = Header(RULEBOOK, (Seat("human", "Anna Maria"), Seat("best")), 42)


def test_a_turn_reads_and_writes_back():
    record = parse_record(TURN)
    assert format_record(record) == TURN
    assert record.header.position == parse_position("/3d:La,Gu,As-")
    assert record.header.notes == ("the example of the rulebook",)
    assert record.is_over
    assert record.entries[-1].line == TURN.count("\n")
    assert record.entries[2].before.turn.unused == ("laborer", "guard", "astronomer")
    assert record.game.hands == (("laborer", "guard", "hunter", "astronomer"),)
    with pytest.raises(ImpossibleStep, match="over"):
        record.add("roll 123")


def test_the_examples_of_the_documentation_are_records():
    page = (Path(__file__).parents[2] / "docs/records.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^    court-record.*\n(?:    .*\n)+", page, re.MULTILINE)
    game, turn = (block.replace("    ", "") for block in blocks)
    record = parse_record(game, check_dice=True)
    assert format_record(record) == game
    assert record.game.hands == (("farmer",), ())
    assert turn == TURN.replace("# the example of the rulebook\n", "")


def test_what_is_typed_loosely_means_the_same():
    typed = TURN.replace("use guard bring in a 2", "Use  GUARD").replace("turn a 4 into a 2", "4>2")
    typed = typed.replace("roll 256", "roll 6,5,2").replace("buy hunter", "buy Hu")
    assert format_record(parse_record(typed)) == TURN
    assert format_record(parse_record(TURN.removesuffix("\n"))) == TURN


def test_a_name_of_several_words():
    start = "court-record 1\nturn /135:Ma-\n"
    for line in ("use serving maid 1>2", "use Maid turn a 1 into a 2"):
        record = parse_record(f"{start}{line}\n")
        assert record.entries[0].text == "use maid turn a 1 into a 2"


def test_seeded_dice_can_be_rolled_again():
    record = Record(HEADER)
    dice = record.seeded()
    assert dice == dice_of(42, 0, 3)
    record.add(f"roll {''.join(str(f) for f in (1, 2, 3, 4, 5, 6) for _ in range(dice[f - 1]))}")
    text = format_record(record)
    assert text.startswith(GAME)
    assert parse_record(text, check_dice=True).game == record.game
    # A step taken back does not change the dice that follow.
    record.add("undo")
    assert record.seeded() == dice


def test_dice_that_the_seed_does_not_give_are_refused_if_asked_for():
    wrong = "111" if dice_of(42, 0, 3) != (3, 0, 0, 0, 0, 0) else "222"
    text = f"{GAME}roll {wrong}\n"
    assert parse_record(text).falls == 1
    with pytest.raises(InvalidRecord, match=r"line 6: 'roll \d+': the seed 42 gives"):
        parse_record(text, check_dice=True)
    with pytest.raises(InvalidRecord, match="no line 'seed"):
        parse_record(TURN, check_dice=True)


def test_undo_stays_in_the_record():
    record = parse_record(f"{GAME}roll 124\naside 1\nundo\naside 4\n")
    assert [entry.text for entry in record.entries] == ["roll 124", "aside 4"]
    assert format_record(record).endswith("aside 1\nundo\naside 4\n")
    record.add("undo")
    record.add("undo")
    with pytest.raises(ImpossibleStep, match="no step is left"):
        record.add("undo")
    assert record.game == HEADER.first()


def test_a_refused_step_leaves_the_record_as_it_was():
    record = parse_record(f"{GAME}roll 124\n")
    before = format_record(record)
    with pytest.raises(ImpossibleStep):
        record.add("aside 15")
    assert format_record(record) == before


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("roll 123\n", "begins no record"),
        ("court-record 2\n", "version 1"),
        ("court-record 1\n", "0 seats"),
        (f"court-record 1\n{'seat human' * 1}\n" + "seat best\n" * 5, "6 seats"),
        ("court-record 1\nseat human\nturn /3d:-\n", "leave one of them out"),
        ("court-record 1\nrules house\n", "line 2: rules house: 'house' is no rule set"),
        ("court-record 1\nseed -3\nseat best\n", "line 2: seed -3: '-3' is no seed"),
        (f"court-record 1\nseed {10**18}\nseat best\n", "at most 18 digits"),
        ("court-record 1\nseed 3\nseed 4\n", "line 3: seed 4: written twice"),
        ("court-record 1\nturn 1/2\n", "header: '1/2:-' has 2 dice"),
        (f"{GAME}rol 123\n", "line 6: 'rol 123': 'rol 123' is no step: did you mean 'roll'?"),
        (f"{GAME}roll\n", "names no dice"),
        (f"{GAME}buy\n", "buy nothing"),
        (f"{GAME}roll 123\nuse gard 2\n", "line 7.*did you mean Guard|line 7.*guard"),
        (f"{GAME}roll 1234\n", "line 6: 'roll 1234': dice 1234: 4 dice, but 3 fall"),
        (f"{GAME}roll 123\nroll 123\n", "line 7.*set one of 1 2 3 aside first"),
        (f"{GAME}roll 123\nuse guard\n", "not among the unused cards"),
        ("court-record 1\nturn /155:Me-\nuse Me 1\naside 555\n", "line 4.*dice are falling"),
        (TURN + "roll 123\n", "line 19: 'roll 123': the game or the turn is over"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(text, why):
    with pytest.raises(InvalidRecord, match=why):
        parse_record(text)


@pytest.mark.parametrize("between", ["\n", "# thought\n", "roll 124\nundo\n"])
def test_reading_does_not_slow_down_with_the_lines_before(between):
    text = "court-record 1\n" + "\n# note\n" * 10_000 + "seat human\nseed 1\n"
    record = parse_record(text + between * 10_000 + "roll 124\n")
    assert record.length == text.count("\n") + between.count("\n") * 10_000 + 1
    assert record.falls == 1
    assert record.header.notes == ("note",) * 10_000


def test_empty_lines_belong_to_what_they_stand_behind():
    text = "court-record 1\n\n# a\nseat human\n# b\n\nseed 3\n\n# c\nroll 124\n"
    record = parse_record(text)
    assert record.header.notes == ("a", "b")
    assert [line.written() for line in record.lines] == ["", "# c", "roll 124"]
    assert record.entries[0].line == text.count("\n")
    assert parse_record("court-record 1\n# a\nseat human\n").header.notes == ("a",)
    with pytest.raises(InvalidRecord, match="line 4: 'seed 3': 'seed 3' is no step"):
        parse_record("court-record 1\nseat human\nroll 124\nseed 3\n")


def test_nothing_in_a_record_reaches_a_terminal_raw():
    raw = "\x1b[2J\u202e\x07"
    record = parse_record(f"court-record 1\n# {raw}\nseat human An{raw}na\nroll 124  # so{raw}\n")
    assert format_record(record).replace("\n", "").isprintable()
    assert record.header.seats == (Seat("human", "An [2J na"),)
    for line in (f"roll 12{raw}4", f"{raw}", f"use Hu {raw}", f"buy {raw}", f"seat {raw}"):
        with pytest.raises(InvalidRecord) as found:
            parse_record(f"court-record 1\nseat human\n{line}\n")
        assert str(found.value).isprintable()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"court-record 1\nseat human {'x' * 81}\n", "at most 80 letters"),
        (f"court-record 1\nseat human {'x' * 10**6}\n", "line 2.*has 1000011 letters; write at"),
        (f"{GAME}# {'x' * 10_000}\n", "line 6: .* has 10002 letters"),
        (f"{GAME}roll {'1' * 300}\n", "no move is so long"),
        (GAME + "\n" * 10**5, "100005 lines: no game is so long"),
    ],
)
def test_what_is_too_long_is_refused(text, why):
    with pytest.raises(InvalidRecord, match=why) as found:
        parse_record(text)
    assert len(str(found.value)) < 300


def test_a_file_too_large_for_a_record_is_not_read(tmp_path, run):
    where = tmp_path / "large.txt"
    where.write_bytes(GAME.encode() + b"#" * LARGEST)
    for reads in (read_record, RecordFile.resume):
        with pytest.raises(InvalidRecord, match=f"larger than {LARGEST} bytes"):
            reads(where, print)
    with pytest.raises(InvalidRecord, match="larger than"):
        read_record(Path("/dev/zero"), print)
    result = run("analyze", "-", input="#" * (LARGEST + 1))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "record '-' is larger than" in result.stderr


def test_a_file_is_added_to_and_resumed(tmp_path):
    where = tmp_path / "game.txt"
    with RecordFile.begin(where, HEADER) as file:
        file.add("roll 124", "first")
        assert where.read_text() == f"{GAME}roll 124  # first\n"
        file.note("thinking")
    with where.open("a") as raw:
        raw.write("aside 1")
    # To be read it is complete, to be gone on with it is not.
    warned = []
    assert read_record(where, warned.append).entries[-1].text == "aside 1"
    assert warned == []
    with RecordFile.resume(where, warned.append) as file:
        assert file.record.game.turn.active == (1, 1, 0, 1, 0, 0)
        file.add("aside 4")
        file.add("undo")
    assert warned == ["line 8: 'aside 1' was cut off and is left out"]
    assert where.read_text() == f"{GAME}roll 124  # first\n# thinking\naside 4\nundo\n"
    with pytest.raises(InvalidRecord, match="is there already"):
        RecordFile.begin(where, HEADER)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InvalidRecord, match="cannot be read"):
        read_record(tmp_path / "nothing", print)
    with pytest.raises(InvalidRecord, match="cannot be written"):
        RecordFile.begin(tmp_path / "no" / "where", HEADER)
    (tmp_path / "latin").write_bytes("seat human Zoë\n".encode("latin-1"))
    with pytest.raises(InvalidRecord, match="UTF-8"):
        read_record(tmp_path / "latin", print)


def test_a_letter_cut_in_half_is_part_of_the_line_cut_off(tmp_path):
    where = tmp_path / "game.txt"
    where.write_bytes((GAME + "# Zoë").encode()[:-1])
    warned = []
    with RecordFile.resume(where, warned.append) as file:
        assert file.record.lines == []
    assert len(warned) == 1
    assert where.read_text() == GAME


def test_a_line_that_cannot_be_read_was_cut_off(tmp_path):
    where = tmp_path / "game.txt"
    where.write_text(f"{GAME}roll 124\nasid")
    warned = []
    assert read_record(where, warned.append).falls == 1
    assert warned == ["line 7: 'asid' was cut off and is left out"]


def test_a_mark_of_the_encoding_is_no_part_of_the_record(tmp_path):
    where = tmp_path / "game.txt"
    where.write_bytes(b"\xef\xbb\xbf" + f"{GAME}roll 124\n".encode())
    assert read_record(where, print).falls == 1
    with RecordFile.resume(where, print) as file:
        file.add("aside 4")
    assert len(read_record(where, print).entries) == 2


def test_a_record_is_written_by_one_at_a_time(tmp_path):
    where, other = tmp_path / "game.txt", tmp_path / "link.txt"
    other.symlink_to(where)
    with RecordFile.begin(where, HEADER) as file:
        where.write_text(where.read_text() + "roll 1")
        for name in (where, other):
            with pytest.raises(InvalidRecord, match="is being played already"):
                RecordFile.resume(name, print)
        assert where.read_text().endswith("roll 1")
        where.write_text(GAME)
        file.add("roll 124")
    with RecordFile.resume(other, print) as file:
        assert file.record.falls == 1
        with pytest.raises(InvalidRecord, match="is being played already"):
            RecordFile.resume(where, print)
    assert {path.name for path in tmp_path.iterdir()} == {"game.txt", "link.txt"}


def test_a_record_refused_can_be_mended_and_resumed(tmp_path):
    where = tmp_path / "game.txt"
    where.write_text(f"{GAME}roll 12\n")
    with pytest.raises(InvalidRecord, match="3 fall"):
        RecordFile.resume(where, print)
    where.write_text(f"{GAME}roll 124\n")
    with RecordFile.resume(where, print) as file:
        assert file.record.falls == 1


@pytest.mark.parametrize(("kind", "name"), [("Human", ""), ("", ""), ("human", "a#b"), ("x", " y")])
def test_seats_that_could_not_be_read_back(kind, name):
    with pytest.raises(InvalidRecord):
        Seat(kind, name)
