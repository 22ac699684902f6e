"""Groups of commands that load a command's module only when it runs."""

from __future__ import annotations

import errno
import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from advisor import interrupts
from advisor.cli.numbers import plain
from advisor.errors import AdvisorError
from advisor.text import quoted

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Sections = Mapping[str, Mapping[str, str]]


class LazyGroup(click.Group):
    """Lists its commands without importing them and explains failures in a line or two.

    `sections`: the short help of each command by section; `package`: where a module of the same
    name has it as `command`, other modules in `modules`; `types`: the type of options and arguments
    by their metavar.
    """

    def __init__(
        self,
        *args: Any,
        sections: Sections,
        package: str,
        modules: Mapping[str, str] | None = None,
        types: Mapping[str, click.ParamType[Any]] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.sections, self.package = sections, package
        self.modules, self.types = modules or {}, types or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return [name for section in self.sections.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, loading its module."""
        if cmd_name not in self.list_commands(ctx):
            return None
        name = self.modules.get(cmd_name, f"{self.package}.{cmd_name}")
        module = importlib.import_module(name)
        command: click.Command = module.command
        for param in command.params:
            param.type = self.types.get(param.metavar or "", plain(param.type))
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin so, without loading a command."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=text)
            for section in self.sections.values()
            for name, text in section.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

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
                message = f"No such command {quoted(args[0])}: did you mean {close[0]!r}?"
                raise click.UsageError(message, ctx) from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section."""
        for section, commands in self.sections.items():
            with formatter.section(section):
                formatter.write_dl(list(commands.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except AdvisorError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            interrupts.say()
            ctx.exit(interrupts.INTERRUPTED)
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader has gone: click ends quietly
                raise
            click.echo(f"Error: {error.filename or 'output'}: {error.strerror or error}", err=True)
            ctx.exit(1)
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else ctx.command_path
            click.echo(f"Error: {error.format_message()} ('{path} --help' shows more)", err=True)
            ctx.exit(error.exit_code)
