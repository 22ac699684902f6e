"""Everything that can go wrong, one class per cause, each with its exit code."""

from __future__ import annotations


class AdvisorError(Exception):
    """A failure that is explained to the user: what, the offending text, what to do."""

    exit_code = 1


class UsageProblem(AdvisorError):
    """The question cannot be read or has no answer; the user can mend it."""

    exit_code = 2


class InvalidDice(UsageProblem):
    """A text that is not a list of dice."""


class UnknownCard(UsageProblem):
    """A name that belongs to no card, or to several."""


class InvalidCards(UsageProblem):
    """A set of cards that nobody can own."""


class InvalidCombination(UsageProblem):
    """A text that is not the dice combination of a card."""


class InvalidComponents(UsageProblem):
    """A list of a game's components that cannot be read or is not complete."""


class InvalidGoal(UsageProblem):
    """A goal that cannot be read or cannot be wanted with these cards."""


class InvalidPosition(UsageProblem):
    """A position that cannot be read or cannot occur."""


class ImpossibleStep(UsageProblem):
    """A step of a game that the rules do not allow where the game stands."""


class InvalidRecord(UsageProblem):
    """A record of a game that cannot be read or does not follow the rules."""


class InvalidInput(UsageProblem):
    """What a player typed that stands for no move."""


class InvalidOption(UsageProblem):
    """An option of the command line, or a setting, with a value that makes no sense."""


class TooLarge(AdvisorError):
    """A question that needs more memory than it may take."""


class DataProblem(AdvisorError):
    """A file of the user's that cannot be read or written."""


class ForeignValues(AdvisorError):
    """Values of a turn that are damaged or belong to another turn."""


class Cancelled(AdvisorError):
    """A calculation that was stopped from outside before its end."""

    exit_code = 130


class MissingExtra(AdvisorError):
    """An optional library that is not installed."""


class TableProblem(AdvisorError):
    """A table that is missing or cannot be trusted."""

    exit_code = 3


class MissingTable(TableProblem):
    """No table answers the question."""


class StaleTable(TableProblem):
    """A table of another version of the program."""


class CorruptTable(TableProblem):
    """A table whose bytes are not what was written."""


class ForeignTable(TableProblem):
    """A table that answers another question than its name says."""
