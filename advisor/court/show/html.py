"""The analysis of a record as one HTML page that needs nothing else, with curves as inline SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import ceil, floor
from typing import Final, NamedTuple

from advisor.court.coach.answers import AnalyzeAnswer, TurnAnswer
from advisor.court.rules.names import name_of
from advisor.court.show.analysis import (
    TITLES,
    amount,
    headline,
    legend,
    player_heads,
    player_rows,
    seat_name,
    step_row,
    values,
)
from advisor.storage import whole

COLORS: Final = ("#3a6ea5", "#c2703d", "#4f8a4c", "#8a5a9e", "#8c7a2e")
TONES: Final = {"??": "bad", "?": "poor", "?!": "weak"}
WIDTH, HEIGHT, LEFT, BELOW, TOP = 900, 300, 56, 34, 12

STYLE: Final = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; background: #fff; max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
th, td { text-align: left; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid #ddd;
  vertical-align: top; }
th { font-weight: 600; } .number { text-align: right; font-variant-numeric: tabular-nums; }
details { margin: .3rem 0; } summary { cursor: pointer; }
.bad { background: #f6c9c4; } .poor { background: #fbe3c0; } .weak { background: #fbf5c9; }
.note { color: #555; font-size: .9rem; } svg { width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: #444; }
"""


def check(file: str) -> None:
    """Raise InvalidOption unless a report can be written under this name."""
    whole.check(file, "--html", (".html", ".htm"))


def save(text: str, file: str) -> None:
    """Write a report, whole or not at all."""
    whole.save(file, "--html", lambda draft: draft.write(text.encode()))


def page(answer: AnalyzeAnswer, language: str = "en") -> str:
    """Return the report of an answer of `advisor analyze`."""
    title = headline(answer)
    parts = [
        f"<h1>{escape(title)}</h1>",
        *_players(answer),
        *_curves(answer),
        "<h2>Turns</h2>",
        *(_turn(answer, turn, language) for turn in answer.turns),
        "<h2>What the numbers mean</h2>",
        f'<p class="note">{escape(legend(answer))}.</p>',
        *(f'<p class="note">{escape(text)}.</p>' for text in answer.assumptions),
        f'<p class="note">Rule set {escape(answer.rules)}.</p>',
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


# ---------------------------------------------------------------- tables


def _table(heads: Sequence[str], rows: Iterable[tuple[str, Sequence[object]]], words: int) -> str:
    """Return a table of rows with their class; all but the first `words` columns are numbers."""
    kinds = ["" if place < words else ' class="number"' for place in range(len(heads))]
    head = "".join(f"<th{kind}>{escape(h)}</th>" for kind, h in zip(kinds, heads, strict=True))
    body = "".join(
        f'<tr class="{tone}">'
        + "".join(f"<td{k}>{escape(str(c))}</td>" for k, c in zip(kinds, cells, strict=True))
        + "</tr>\n"
        for tone, cells in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"


def _players(answer: AnalyzeAnswer) -> Iterator[str]:
    for unit, heading in TITLES.items():
        rows = player_rows(answer, unit)
        if rows:
            yield f"<h2>{escape(heading)}</h2>"
            yield _table(player_heads(unit), [("", row) for row in rows], 1)


def _turn(answer: AnalyzeAnswer, turn: TurnAnswer, language: str) -> str:
    """Return a turn that opens and closes, open where a decision has a mark."""
    unit = turn.unit
    named = ", ".join(name_of(key, language) for key in turn.cards) or "no cards"
    shown = ", ".join(f"{label} {amount(value, unit)}" for label, value in values(turn))
    rows = [(TONES.get(step.mark, ""), _wordy(step_row(step, unit))) for step in turn.steps]
    heads = ("line", "step", "mark", "better", "value", "luck", "loss")
    marked = any(step.mark for step in turn.steps)
    return (
        f"<details{' open' if marked else ''}><summary><b>{turn.number} "
        f"{escape(seat_name(answer, turn.seat))}</b> ({escape(turn.kind)}; {escape(named)}): "
        f"{escape(shown)}</summary>\n{_table(heads, rows, 4)}</details>"
    )


def _wordy(row: Sequence[object]) -> list[object]:
    """Return the row of a step with its words before its numbers."""
    line, step, value, luck, loss, mark, better = row
    return [line, step, mark, better, value, luck, loss]


# ---------------------------------------------------------------- curves


class Point(NamedTuple):
    """A value after a step; `mark` and `text` of the step."""

    x: int
    y: float
    mark: str
    text: str


Curves = dict[int, list[Point]]


def _curves(answer: AnalyzeAnswer) -> Iterator[str]:
    for unit, title, note in (
        (
            "turns",
            "Expected turns to the King, all told",
            "turns played and still to come, down is good; luck and losses move it, and between "
            "the turns what others take off the display",
        ),
        ("probability", "Chance to win", "in the turns after the King was taken"),
    ):
        curves = points(answer, unit)
        if curves:
            yield f'<h2>{title}</h2>\n<p class="note">{note}</p>'
            yield _drawing(answer, curves, unit)


def points(answer: AnalyzeAnswer, unit: str) -> Curves:
    """Return the curve of each seat over the steps of the record.

    Of a race the turns played, this one included, and those still to come.
    """
    curves: Curves = {}
    played: dict[int, int] = {}
    place = 0
    for turn in (turn for turn in answer.turns if turn.unit == unit):
        who = turn.seat
        played[who] = played.get(who, 0) + 1
        curve = curves.setdefault(who, [])

        def height(value: float, before: int = played[who]) -> float:
            return before - value if unit == "turns" else value

        curve.append(Point(place, height(turn.value), "", ""))
        for step in turn.steps:
            place += 1
            text = f"{seat_name(answer, turn.seat)}, line {step.line}: {step.step} {step.mark}"
            curve.append(Point(place, height(step.value), step.mark, text.strip()))
        # Other players' turns lie between two chances of one player.
        place += unit != "turns"
    return curves


def _drawing(answer: AnalyzeAnswer, curves: Curves, unit: str) -> str:
    every = [point for curve in curves.values() for point in curve]
    low, high = (0.0, 1.0) if unit == "probability" else _range([point.y for point in every])
    last = max(point.x for point in every) or 1

    def place(point: Point) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - 12) * point.x / last
        y = TOP + (HEIGHT - TOP - BELOW) * (high - point.y) / (high - low)
        return round(x, 1), round(y, 1)

    parts = [*_grid(low, high, unit)]
    for number, (who, curve) in enumerate(sorted(curves.items())):
        color = COLORS[(who - 1) % len(COLORS)]
        line = " ".join(f"{x},{y}" for x, y in map(place, curve))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        for point in curve:
            if point.mark:
                x, y = place(point)
                parts.append(
                    f'<circle cx="{x}" cy="{y}" r="5" fill="{color}"><title>{escape(point.text)}'
                    "</title></circle>"
                )
        name, x = _cut(seat_name(answer, who)), LEFT + 165 * number
        parts.append(
            f'<rect x="{x}" y="{HEIGHT - 16}" width="12" height="12" fill="{color}"/>'
            f'<text x="{x + 18}" y="{HEIGHT - 5}">{escape(name)}</text>'
        )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="curves of the values">'
        + "\n".join(parts)
        + "</svg>"
    )


def _cut(name: str) -> str:
    return name if len(name) <= 16 else name[:15] + "…"


def _grid(low: float, high: float, unit: str) -> Iterator[str]:
    """Yield lines across with their numbers."""
    step = 0.25 if unit == "probability" else max(1, ceil((high - low) / 6))
    for number in range(floor((high - low) / step) + 1):
        value = low + number * step
        y = round(TOP + (HEIGHT - TOP - BELOW) * (high - value) / (high - low), 1)
        shown = f"{100 * value:.0f} %" if unit == "probability" else f"{value:g}"
        yield (
            f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - 12}" y2="{y}" stroke="#ddd"/>'
            f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{shown}</text>'
        )


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return whole numbers around the values, at least one apart."""
    low = floor(min(values))
    return float(low), float(max(ceil(max(values)), low + 1))
