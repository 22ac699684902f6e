"""`advisor cache`: the answers kept on disk."""

from __future__ import annotations

import click

from advisor.cli.output import Written, as_json
from advisor.storage.answers import AnswerCache, CacheInfo, Cleared
from advisor.terminal import counted
from advisor.units import show_bytes


@click.group("cache", epilog="Example: advisor cache info", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show or clear the answers kept on disk (ADVISOR_CACHE names another folder)."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("info", epilog="Example: advisor cache info --json")
@as_json
def info(as_json: bool) -> None:
    """Show the folder, the number of answers and their size."""
    Written(as_json).show(AnswerCache().info(), _say_info)


def _say_info(found: CacheInfo) -> None:
    click.echo(
        f"{counted(found.entries, 'answer')}, {show_bytes(found.bytes)} of at most "
        f"{show_bytes(found.limit)}, in {found.folder}"
    )


@command.command("clear", epilog="Example: advisor cache clear")
@as_json
def clear(as_json: bool) -> None:
    """Remove every answer; they are solved again when asked for."""
    Written(as_json).show(AnswerCache().clear(), _say_cleared)


def _say_cleared(found: Cleared) -> None:
    click.echo(f"{counted(found.removed, 'answer')} removed")
