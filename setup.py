"""Builds the compiled kernel and packs the shipped tables; all else is in pyproject.toml."""

import shutil
import sys
from glob import glob
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CCompilerError, ExecError, PlatformError

# Contraction into fused multiply-adds would make results differ between machines.
FLAGS = [] if sys.platform == "win32" else ["-O3", "-ffp-contract=off"]


KERNEL = Extension(
    "advisor._kernel",
    ["ext/_kernel.pyx"],
    depends=[*glob("ext/*.pxi"), *glob("ext/*.h")],
    extra_compile_args=FLAGS,
)


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


class BuildPackage(build_py):
    """Puts the shipped tables into the package; a checkout reads them where they lie."""

    def run(self):
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib, "advisor", "shipped")
        target.mkdir(parents=True, exist_ok=True)
        for table in Path("tables").glob("*.table"):
            shutil.copy(table, target)


setup(
    ext_modules=[KERNEL],
    cmdclass={"build_ext": BuildKernel, "build_py": BuildPackage},
)
