"""Every value of the independent solver of days without messages."""

import json
from pathlib import Path

import pytest

from advisor.giveit import questions
from advisor.giveit.questions import Aim, Asking

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "giveit.json").read_text())


def aim_of(case):
    if case["utility"] == "reach":
        return Aim(case["players"])
    return Aim(case["players"], tuple(case["deliver"]), case["captain"])


def test_there_are_thirty():
    assert len(GOLDEN) == 30


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: "-".join(map(str, case["distances"])))
def test_golden(case, tmp_path):
    asking = Asking(tmp_path, 1 << 30)
    found = questions.odds(asking, aim_of(case), tuple(case["distances"]), case["turn"])
    assert found["values"] == pytest.approx(case["values"], abs=1e-12)
    assert len(found["rolls"]) == len(case.get("rolls", {}))
    for roll in found["rolls"]:
        expected = case["rolls"][str(roll["roll"])]
        assert {str(move["messenger"] - 1) for move in roll["moves"]} == set(expected)
        for move in roll["moves"]:
            values = expected[str(move["messenger"] - 1)]
            assert move["values"] == pytest.approx(values, abs=1e-12)
