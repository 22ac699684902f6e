"""The command line: a group of lazily loaded commands, one module each."""

from __future__ import annotations

import importlib
from typing import Any, Final

import click

from advisor import __version__
from advisor.errors import AdvisorError

COMMANDS: Final = {
    "To Court the King": {
        "keep": "What to do now: options ranked, plan, purchase odds.",
        "odds": "How likely each card is, under best play for it.",
        "cards": "The characters: cost, ability, copies, names.",
    },
    "Upkeep": {
        "cache": "The answers kept on disk: show or clear them.",
    },
}
"""Short help by section; the modules load only when their command runs."""


class LazyGroup(click.Group):
    """Lists its commands without importing them and explains failures in a line or two."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return [name for section in COMMANDS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, loading its module."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"advisor.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the arguments; say what a misspelt one may have meant."""
        from difflib import get_close_matches

        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            close = get_close_matches(args[0], self.list_commands(ctx), n=1)
            if close:
                message = f"No such command {args[0]!r}: did you mean {close[0]!r}?"
                raise click.UsageError(message, ctx) from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section."""
        for section, commands in COMMANDS.items():
            with formatter.section(section):
                formatter.write_dl(list(commands.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except AdvisorError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(error.exit_code)


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"advisor {__version__}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: advisor keep /6552:Fa- --goal guard",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Exact advice for the dice game To Court the King."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        return
    from advisor.cli.options import read_config

    ctx.default_map = dict.fromkeys(COMMANDS_BY_NAME, read_config())


COMMANDS_BY_NAME: Final = [name for section in COMMANDS.values() for name in section]
