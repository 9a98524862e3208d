"""Provenance, checksums and the signature of a release's folder."""

import datetime, functools, hashlib, json, re, subprocess
from pathlib import Path

import java
from common import HERE, ROOT, Refused, output, say, version

# The sums, and the signature of the sums, do not sum themselves.
SHA, STREEBOG, SIGNATURE = "SHA256SUMS", "STREEBOG256SUMS", "SHA256SUMS.sig"
NAMESPACE = "bulat-release"


@functools.cache
def digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tree(commit: str) -> str:
    """Returns SHA-256 of the commit's files as git archives them."""
    process = subprocess.Popen(["git", "archive", "--format=tar", commit], cwd=ROOT, stdout=subprocess.PIPE)
    sum = hashlib.file_digest(process.stdout, "sha256").hexdigest()
    if process.wait():
        raise Refused(f"git has no commit {commit}")
    return sum


def date(epoch: str) -> str:
    return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def provenance(made: list[dict], targets: dict, folder: Path, source: Path, commit: str, epoch: str, dirty: bool, trial: bool):
    jdk = java.jdk() if any(artefact["name"].endswith(".jar") for artefact in made) else None
    said = {
        "project": "bulat",
        "version": version(source),
        "commit": commit,
        "dirty": dirty,
        "date": date(epoch),
        "tree": {"sha256": tree(commit)},
        "lock": {"sha256": digest(source / "Cargo.lock")},
        "trial": trial,
        "cargo": output("cargo", "--version"),
        "javac": output(jdk[0] / "bin/javac", "-version") if jdk else None,
        "tools": re.findall(r"^\S+==\S+", (HERE / "pack.txt").read_text() + (HERE / "compile.txt").read_text(), re.M),
        "targets": {
            name: {"triple": target["triple"], "glibc": target.get("glibc"), "linker": target["linker"], "compiler": target["compiler"].splitlines(), "call": target["call"]}
            for name, target in targets.items()
        },
        "artefacts": {artefact["name"]: {"sha256": artefact["sum"], "targets": [target["name"] for target in artefact["targets"]]} for artefact in made},
    }
    (folder / "PROVENANCE.json").write_text(json.dumps(said, indent=1) + "\n")


def sums(folder: Path, command: Path | None):
    """Writes the checksums: ours over all files, then SHA-256 over all files and ours."""
    names = sorted(path.name for path in folder.iterdir() if path.name not in (SHA, STREEBOG, SIGNATURE))
    if command:
        (folder / STREEBOG).write_text(output(command, "hash", *names, cwd=folder) + "\n")
        names = sorted([*names, STREEBOG])
    else:
        say(f"left out: {STREEBOG}: no command of this machine was built")
    (folder / SHA).write_text("".join(f"{digest(folder / name)}  {name}\n" for name in names))


def sign(folder: Path, key: Path):
    (folder / SIGNATURE).unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", NAMESPACE, folder / SHA], check=True)
