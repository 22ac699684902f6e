"""`python -m advisor` is the same as `advisor`."""

from advisor.cli import main

main(prog_name="advisor")
