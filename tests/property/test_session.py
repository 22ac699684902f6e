"""No text that somebody types breaks a session or its record."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.court.asking import Asking
from advisor.court.coach.coach import Coach
from advisor.court.play.events import Stands
from advisor.court.play.header import Header
from advisor.court.play.players import read_seats
from advisor.court.play.record import parse_record
from advisor.court.play.record_file import RecordFile
from advisor.court.play.session import Session
from advisor.court.rules.cards import CARDS
from advisor.court.rules.notation import parse_position
from advisor.court.rules.options import RULE_SETS
from advisor.court.show.game import PlayOutput

DICE = st.text("123456", min_size=1, max_size=4)
LINES = st.one_of(
    st.sampled_from(["a", "a", "a", "r", "", "n", "y", "1", "u", "u", "h", "c", "why", "p"]),
    DICE,
    DICE.map(lambda dice: f"{dice}r"),
    st.tuples(
        st.sampled_from([card.code for card in CARDS]),
        st.sampled_from(["", " ", ">"]),
        DICE,
        st.sampled_from(["", ">2", ">16", " turn a 4 into a 2"]),
    ).map("".join),
    st.sampled_from([card.name for card in CARDS]),
    st.text(max_size=12),
    st.sampled_from(["?", "??", "use guard", "aside 1", "buy nothing", "buy", "roll 123", "undo"]),
)
HEADERS = st.one_of(
    st.builds(
        Header,
        rules=st.sampled_from([*RULE_SETS.values()]),
        seats=st.sampled_from(["human", "human,random", "random,human,human:Bo"]).map(read_seats),
        seed=st.integers(0, 10),
    ),
    st.builds(
        Header,
        seed=st.integers(0, 10),
        position=st.sampled_from(
            ["/4d:Fa,Fo,Me-", "/23344:Fa,As,Al,Nw-La", "2/455+:Mg,Ph,Qu,Ch-"]
        ).map(parse_position),
    ),
)


@settings(max_examples=60, deadline=None)
@given(HEADERS, st.lists(LINES, max_size=40), st.sampled_from([None, 0.0, 0.1]))
def test_whatever_is_typed(header, lines, threshold):
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder) / "game.txt"
        counsel = Coach(Asking(header.rules), 0.01)
        with RecordFile.begin(where, header) as file:
            session = Session(file, counsel, threshold)
            output = PlayOutput(session, "never", "de")
            output.begin(0)
            shown = [*session.advance()]
            for line in lines:
                if session.is_over:
                    break
                output.prompt()
                shown = [*session.hear(line)]
                assert shown
                for event in shown:
                    output.show(event)
            written = parse_record(where.read_text(encoding="utf-8"), check_dice=True)
            assert written.game == session.record.game
        # Somebody else goes on exactly there.
        with RecordFile.resume(where, lambda message: None) as file:
            again = Session(file, counsel, threshold)
            if not session.is_over:
                (stands,) = again.advance()
                assert isinstance(stands, Stands)
                assert stands.game == session.record.game
