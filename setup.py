"""Builds the compiled kernel; everything else is in pyproject.toml."""

import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, ExecError, PlatformError

# Contraction into fused multiply-adds would make results differ between machines.
FLAGS = [] if sys.platform == "win32" else ["-O3", "-ffp-contract=off"]


class BuildKernel(build_ext):
    """Says what to do when the kernel cannot be compiled."""

    def build_extension(self, ext):
        try:
            super().build_extension(ext)
        except (CCompilerError, ExecError, PlatformError) as error:
            raise SystemExit(
                f"court-advisor: the kernel could not be compiled ({error}).\n"
                "A C compiler and the Python headers are needed: on Debian or Ubuntu "
                "'apt install gcc python3-dev', on macOS 'xcode-select --install', on Windows "
                "the Visual Studio Build Tools with C++. Then install again."
            ) from error


setup(
    ext_modules=[Extension("advisor._kernel", ["ext/_kernel.pyx"], extra_compile_args=FLAGS)],
    cmdclass={"build_ext": BuildKernel},
)
