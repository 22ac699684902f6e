"""Numbers of turns as they are shown."""

import pytest

from advisor.court.race.answers import BoundedPurchase
from advisor.court.show.turn import bounds, lost


def purchase(lower, upper, loss=None):
    width = None if upper is None else upper - lower
    return BoundedPurchase(
        card=None, lower=lower, upper=upper, width=width, rank=1, loss=loss, text=""
    )


@pytest.mark.parametrize(
    ("lower", "upper", "shown"),
    [
        (3.0, 4.67944, ("3.0", "4.7", "2")),
        (2.8, 17.4, ("2.8", "17.4", "15")),
        (6.7583, 6.75899, ("6.75830", "6.75899", "0.0007")),
        (5.4281, 5.4479, ("5.428", "5.448", "0.02")),
        (3.09091, 3.09092, ("3.09091", "3.09092", "1e-05")),
        (0.0, 0.0, ("0.00000", "0.00000", "0")),
        (3.07, None, ("3.0", "unknown", "unknown")),
    ],
)
def test_bounds_are_shown_outward_and_no_finer_than_they_are_known(lower, upper, shown):
    assert bounds(purchase(lower, upper)) == shown


def test_a_loss_is_shown_no_finer_than_both_intervals():
    best, wide = purchase(2.9, 4.8), purchase(2.9, 4.81, 0.0018)
    assert lost(wide, best) == "0.0"
    near = purchase(5.0, 5.0001, 0.0)
    assert lost(purchase(5.1, 5.1001, 0.1), near) == "0.1000"
    assert lost(near, near) == ""
