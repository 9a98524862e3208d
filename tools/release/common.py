"""The list of a release and small helpers of its tools."""

import os, subprocess, tarfile, tomllib, zipfile, zlib
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


def environment() -> dict[str, str]:
    """Returns the variables that a tool of a release may see: its programs and compilers, and this machine's way to the registries."""
    names = ("HOME", "PATH", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_HOME", "CARGO_NET_OFFLINE", "SSL_CERT_FILE", "BULAT_CROSS")
    kept = {name: value for name, value in os.environ.items() if name in names or name.lower().endswith("_proxy")}
    return kept | {"LC_ALL": "C.UTF-8", "TZ": "UTC"}


def load() -> dict:
    return tomllib.loads((HERE / "release.toml").read_text())


def version(root: Path = ROOT) -> str:
    """Returns the version, of which Cargo.toml is the only place."""
    return tomllib.loads((root / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def unpacked(path: Path) -> dict[str, bytes]:
    """Returns the files of a jar or a wheel, or of a crate or npm's package without their first folder."""
    found: dict[str, bytes] = {}

    def add(name: str, content: bytes):
        if name in found:
            raise Refused(f"{path.name} has {name} twice")
        found[name] = content

    try:
        if path.suffix in (".jar", ".whl"):
            with zipfile.ZipFile(path) as archive:
                for entry in archive.infolist():
                    if entry.is_dir():
                        raise Refused(f"{path.name} has the folder {entry.filename}, and should have only files")
                    add(entry.filename, archive.read(entry))
        else:
            with tarfile.open(path) as archive:
                for member in archive:
                    first, _, name = member.name.partition("/")
                    if not member.isfile() or not name or first != ("package" if path.suffix == ".tgz" else path.stem):
                        raise Refused(f"{path.name} has {member.name}, which is no file of its folder")
                    add(name, archive.extractfile(member).read())
    # RuntimeError: an encrypted entry; NotImplementedError: an unknown compression.
    except (OSError, KeyError, EOFError, RuntimeError, NotImplementedError, ValueError, zlib.error, tarfile.TarError, zipfile.BadZipFile) as e:
        raise Refused(f"{path.name} cannot be read: {e}") from None
    return found


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
