"""Failures: exit codes, one or two lines, what is wrong and how to mend it; settings; help."""

from __future__ import annotations

import pytest

from advisor.cli import COMMANDS_BY_NAME

KEEP = ("keep", "/6552:Fa-", "--goal", "guard")


@pytest.mark.parametrize(
    ("arguments", "named", "mend"),
    [
        ("keep /6752:Fa- --goal guard", "'7'", "1 to 6"),
        ("keep 16:Fa- --goal guard", "'16:Fa-'", "for example"),
        ("keep /6552:Framer- --goal guard", "'Framer'", "did you mean farmer"),
        ("keep /123:Nob- --goal guard", "'Nob'", "noblewoman or nobleman"),
        ("keep /123456:Fa- --goal guard", "'/123456:Fa-'", "correct the dice"),
        ("keep /12345:Fa-Gu --goal hunter,guard", "'guard'", "another goal"),
        ("keep /123:Fo,Fo- --goal guard", "2 x Fool", "write fool once"),
        ("keep /123:Ki- --goal guard", "King", "leave it out"),
        ("keep /123:- --goal queen", "'queen'", "aim for king"),
        ("keep /123:- --goal charlatan", "'charlatan'", "aim for fool"),
        ("keep /123:- --goal huntr", "'huntr'", "did you mean hunter"),
        ("keep /123:- --goal values:", "''", "for example"),
        ("keep /123:- --goal values:guard=", "'guard='", "guard=2.5"),
        ("keep /123:- --goal rank:3", "'rank:3'", "rank:8x3"),
        ("keep 123/:- --goal guard", "'123/:-'", "4d"),
        ("keep /123+:- --goal guard", "'/123+:-'", "leave it out"),
        ("keep /4d:-La --goal guard", "'/4d:-La'", "--rules brettspielwelt"),
        ("keep --cards farmer --used guard --roll 2225 --goal hunter", "guard", "--cards"),
        ("keep --aside 16 --goal hunter", "--roll", "3d"),
        ("keep /123:- --roll 123 --goal guard", "'/123:-'", "one or the other"),
        ("keep /123:- --may-roll --goal guard", "--may-roll", "one or the other"),
        ("keep", "no position", "for example"),
        ("keep --goal guard", "no position", "for example"),
        ("keep /6552:Fa- --goal guard --memory much", "'much'", "8G"),
        ("odds --cards farmer,farmer", "2 x Farmer", "write farmer once"),
        ("odds --cards king", "King", "leave it out"),
        ("odds --plot odds.pdf", "'odds.pdf'", ".png or .svg"),
        ("cards astronomr", "'astronomr'", "did you mean astronomer"),
        ("kep", "'kep'", "did you mean 'keep'"),
        ("keep /6552:Fa- --gaol guard", "--gaol", "--goal"),
        ("keep /6552:Fa- --rules house", "'house'", "rulebook"),
        ("keep /6552:Fa- --lang fr", "'fr'", "'de'"),
        ("keep /6552:Fa- extra", "extra", ""),
        ("keep /6552:Fa- --goal", "--goal", ""),
    ],
)
def test_bad_input_is_named_with_a_mend(refuse, arguments, named, mend):
    text = refuse(*arguments.split())
    assert named in text
    assert mend in text


@pytest.mark.parametrize(
    "flags", [["--roll", ""], ["--roll", "123", "--aside", ""], ["--cards", ""]]
)
def test_empty_values_are_refused(refuse, flags):
    assert flags[-2] in refuse("keep", *flags, "--goal", "guard")


@pytest.mark.parametrize("text", ["", " ", ":", "/", "+", "\n", "\x00/123:-", "/１２３:-"])
def test_odd_positions_are_refused(refuse, text):
    refuse("keep", text, "--goal", "guard")


@pytest.mark.parametrize(
    "arguments",
    [
        ["keep", "/6d:Fa,Ge,La,Gu,Hu,As,Me,Ma-", "--goal", "king"],
        ["odds", "--cards", "Fa,Ge,La,Gu,Hu,As,Me,Ma"],
    ],
)
def test_a_question_too_large_for_the_memory_says_what_would_fit(refuse, arguments):
    text = refuse(*arguments, "--memory", "100k", code=1)
    assert "100.0 KiB" in text
    assert "--memory" in text
    assert "at most" in text


def test_the_memory_advice_makes_sense_without_cards(refuse):
    assert "0 of the 0" not in refuse(*KEEP, "--memory", "1k", code=1)


def test_the_cards_said_to_fit_do_fit(run, refuse):
    cards = ["Ma", "La", "Gu", "Hu", "As", "Me", "Pb", "Kn"]
    question = ["odds", "--cards", ",".join(cards), "--memory", "100k"]
    text = refuse(*question, code=1)
    number = int(text.split("at most ")[1].split()[0])
    assert 0 <= number < len(cards)
    position = f"/3d:{','.join(cards[:number])}-"
    assert run("keep", position, "--goal", "farmer", "--memory", "100k").exit_code == 0


# ---------------------------------------------------------------- settings


@pytest.fixture
def configure(tmp_path, monkeypatch):
    """Write the user's config file."""

    def configure(text):
        monkeypatch.setenv("ADVISOR_CONFIG", str(tmp_path / "config.toml"))
        (tmp_path / "config.toml").write_text(text, encoding="utf-8")

    return configure


@pytest.mark.parametrize(
    ("config", "environment", "flag", "rules"),
    [
        (None, None, None, "rulebook"),
        ("brettspielwelt", None, None, "brettspielwelt"),
        ("brettspielwelt", "rulebook", None, "rulebook"),
        ("rulebook", "brettspielwelt", None, "brettspielwelt"),
        (None, "brettspielwelt", None, "brettspielwelt"),
        ("rulebook", "rulebook", "brettspielwelt", "brettspielwelt"),
        ("brettspielwelt", "brettspielwelt", "rulebook", "rulebook"),
    ],
)
def test_flags_go_before_environment_before_config_file(
    ask, configure, monkeypatch, config, environment, flag, rules
):
    if config:
        configure(f'rules = "{config}"')
    if environment:
        monkeypatch.setenv("ADVISOR_RULES", environment)
    for command in ("keep", "odds"):
        answer = ask(command, "/123:-", *(["--rules", flag] if flag else []))
        assert answer["rules"] == rules


def test_the_config_file_sets_language_colour_memory_and_cache(run, refuse, configure):
    configure('lang = "de"\ncolor = "always"\ncache = false')
    assert "Jäger" in run("odds", color=True).stdout
    assert "\x1b[" in run("odds", color=True).stdout
    assert "solved now" in run("odds").stdout
    configure('memory = "1k"')
    refuse(*KEEP, code=1)
    configure("memory = 1000000000")
    assert run(*KEEP).exit_code == 0


@pytest.mark.parametrize(
    "text",
    [
        "rules",
        "rules = 3",
        'rules = "house"',
        'colour = "never"',
        "memory = 1.5",
        "memory = -5",
        "memory = true",
        "memory = []",
        'lang = ["de"]',
        'cache = "perhaps"',
        "[keep]\ngoal = 1",
        "a = " + 5000 * "[",
    ],
)
def test_a_bad_config_file_is_refused(refuse, configure, text):
    configure(text)
    refuse(*KEEP)


@pytest.mark.parametrize(
    ("name", "value"),
    [("RULES", "house"), ("LANG", "xx"), ("MEMORY", "much"), ("MEMORY", "-1"), ("COLOR", "red")],
)
def test_a_bad_environment_is_refused(refuse, monkeypatch, name, value):
    monkeypatch.setenv(f"ADVISOR_{name}", value)
    assert value in refuse(*KEEP)


def test_a_config_file_that_is_no_text_is_refused(refuse, configure, tmp_path):
    configure("")
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe\x00")
    assert "config.toml" in refuse(*KEEP)


def test_a_byte_order_mark_in_the_config_file_is_passed_over(ask, configure):
    configure("\ufeffrules = 'brettspielwelt'")
    assert ask(*KEEP)["rules"] == "brettspielwelt"


def test_a_named_config_file_that_is_not_there_is_an_error(refuse, monkeypatch, tmp_path):
    monkeypatch.setenv("ADVISOR_CONFIG", str(tmp_path / "nowhere.toml"))
    assert "is not there" in refuse(*KEEP)


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("text", ["1_0", "１０", "٣", "0x3", "1e9999", "nan", "inf", "-inf", "+ 1"])
@pytest.mark.parametrize(
    "question",
    [
        ["simulate", "--seats", "random,random", "--games"],
        ["quiz", "--count"],
        ["turns", "--cards", "Fa,Ge,Kn,Bi,Hu,La", "--budget"],
        ["precompute", "--goal", "turns", "--minutes"],
    ],
    ids=lambda question: question[-1],
)
def test_numbers_are_written_in_plain_digits(refuse, question, text):
    assert text in refuse(*question, text)


# ---------------------------------------------------------------- help


@pytest.mark.parametrize(
    "command", [[], *([name] for name in COMMANDS_BY_NAME), ["cache", "info"], ["cache", "clear"]]
)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_has_an_example(run, command, flag):
    result = run(*command, flag)
    assert result.exit_code == 0
    assert f"Example: advisor {' '.join(command)}" in result.stdout


@pytest.mark.parametrize("command", [["keep"], ["odds"], ["cards"]])
def test_the_examples_of_the_help_work(run, command):
    (line,) = (line for line in run(*command, "-h").stdout.splitlines() if "Example:" in line)
    assert run(*line.split()[2:]).exit_code == 0


def test_without_arguments_there_is_help(run):
    result = run()
    assert result.exit_code == 0
    assert result.stdout == run("--help").stdout
    assert all(name in result.stdout for name in COMMANDS_BY_NAME)


def test_the_version_is_shown(run):
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.split()[0] == "advisor"
