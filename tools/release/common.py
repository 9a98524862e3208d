"""The list of a release and small helpers of its tools."""

import subprocess, sys, tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


class Refused(Exception):
    """A message for the user."""


def say(text: str):
    print(text, flush=True)


def output(*command, **options) -> str:
    """Returns the output of a command without its last line break."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout.strip()


def load() -> dict:
    return tomllib.loads((HERE / "release.toml").read_text())


def version(root: Path = ROOT) -> str:
    """Returns the version, of which Cargo.toml is the only place."""
    return tomllib.loads((root / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def expand(text: str, target: dict, number: str) -> str:
    """Fills the name of an artefact."""
    glibc = target.get("glibc", "").replace(".", "_")
    triple = target.get("triple", "")
    fields = {
        "version": number,
        "target": target.get("name", ""),
        "debian": target.get("debian", ""),
        "exe": ".exe" if "windows" in triple else "",
        "manylinux": f"manylinux_{glibc}_{triple.split('-')[0]}",
    }
    return text.format(**fields)
