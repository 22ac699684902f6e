"""`advisor cache`: the answers kept on disk."""

from __future__ import annotations

import json

import click

from advisor.storage.answers import AnswerCache
from advisor.terminal import counted
from advisor.units import show_bytes


@click.group("cache", epilog="Example: advisor cache info", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show or clear the answers kept on disk (ADVISOR_CACHE names another folder)."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("info", epilog="Example: advisor cache info --json")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def info(as_json: bool) -> None:
    """Show the folder, the number of answers and their size."""
    found = AnswerCache().info()
    if as_json:
        click.echo(json.dumps({"command": "cache info", **found}))
        return
    click.echo(
        f"{counted(found['entries'], 'answer')}, {show_bytes(found['bytes'])} of at most "
        f"{show_bytes(found['limit'])}, in {found['folder']}"
    )


@command.command("clear", epilog="Example: advisor cache clear")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def clear(as_json: bool) -> None:
    """Remove every answer; they are solved again when asked for."""
    removed = AnswerCache().clear()
    if as_json:
        click.echo(json.dumps({"command": "cache clear", "removed": removed}))
        return
    click.echo(f"{counted(removed, 'answer')} removed")
