"""The command: `python -m bulat.cluster hash|verify|encrypt|decrypt|reencrypt`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

import distributed

from .. import cluster
from .._errors import Error
from . import manifest, work

EXIT_CODES = """\
exit codes:
  0  success
  1  a checksum does not match, or a listed object cannot be read
  2  wrong usage
  3  an object cannot be read or written
  4  wrong key or password, or a list that was not made under the key
  5  damaged, truncated or foreign data

keys: --key-file names a file on the workers' machines; without it their environment says: BULAT_KEY_FILE, BULAT_KEY or
BULAT_PASSWORD_FILE, for the new key BULAT_NEW_KEY_FILE and so on. No key is sent to a worker. The key file of a list
(hash, verify) is read on this machine."""


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    out = argparse.ArgumentParser(
        prog="python -m bulat.cluster",
        description="Hash, verify, encrypt and decrypt trees of files and objects on a Dask cluster.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    common = argparse.ArgumentParser(add_help=False)
    group = common.add_argument_group("the cluster")
    group.add_argument("--scheduler", metavar="ADDRESS", help="the scheduler of a Dask cluster (default: a local cluster)")
    group.add_argument("--workers", metavar="N", type=int, help="workers of the local cluster (default: one for each core)")
    group.add_argument(
        "--storage-options", metavar="JSON", type=json.loads, help="options for fsspec; they are sent, so do not put a key here"
    )
    group.add_argument("--report", metavar="FILE", help="write the report as JSON")
    group.add_argument("-q", "--quiet", action="store_true", help="no progress bar")
    keys = argparse.ArgumentParser(add_help=False)
    keys.add_argument("-k", "--key-file", metavar="FILE", help="the key file, on the workers' machines")
    keys.add_argument(
        "-p",
        "--password-file",
        metavar="FILE",
        help="the password file, on the workers' machines; about a second and 256 MiB of memory for each object",
    )
    sealing = argparse.ArgumentParser(add_help=False)
    sealing.add_argument("--cipher", choices=["kuznyechik-mgm", "magma-mgm"], default="kuznyechik-mgm")
    sealing.add_argument("--chunk", type=int, default=131072, help="bytes of plaintext in a chunk (default: %(default)s)")
    again = argparse.ArgumentParser(add_help=False)
    again.add_argument("-f", "--force", action="store_true", help="write all objects again, and overwrite existing ones")
    again.add_argument("--target-options", metavar="JSON", type=json.loads, help="options for the target's file system")
    suffix = argparse.ArgumentParser(add_help=False)
    suffix.add_argument("--suffix", default=".bulat", help="the end of containers' names (default: %(default)s)")
    commands = out.add_subparsers(dest="operation", required=True)

    def command(name: str, help: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=help, description=help, parents=[*parents, common])

    made = command("hash", "Write a list of checksums of a tree; `bulat hash --check` reads it, too.")
    made.add_argument("source", help="URL of a tree or an object")
    made.add_argument("-o", "--output", metavar="FILE", required=True, help="the list")
    made.add_argument("-a", "--algorithm", default="streebog256")
    made.add_argument("-k", "--key-file", metavar="FILE", help="a key file, on this machine: the list gets a MAC")
    checked = command("verify", "Compare a tree with its list of checksums.")
    checked.add_argument("manifest", help="the list")
    checked.add_argument("source", nargs="?", help="URL of the tree (default: the list's)")
    checked.add_argument("-a", "--algorithm")
    checked.add_argument("-k", "--key-file", metavar="FILE", help="the key file of `hash`, on this machine")
    for name, help, parents in (
        ("encrypt", "Encrypt a tree into containers.", [keys, sealing, again, suffix]),
        ("decrypt", "Decrypt a tree of containers.", [keys, again, suffix]),
        ("reencrypt", "Encrypt a tree of containers to a new key.", [keys, sealing, again]),
    ):
        recoded = command(name, help, *parents)
        recoded.add_argument("source", help="URL of a tree or an object")
        if name == "reencrypt":
            recoded.add_argument("target", nargs="?", help="URL of the new tree (default: in place)")
            recoded.add_argument("--new-key-file", metavar="FILE", help="the new key file, on the workers' machines")
            recoded.add_argument("--new-password-file", metavar="FILE", help="the new password file, on the workers' machines")
        else:
            recoded.add_argument("target", help="URL of the new tree")
    return out


def call(arguments: dict[str, Any]) -> cluster.Report:
    """Runs the subcommand of the command line."""
    given = {k: v for k, v in arguments.items() if k not in ("operation", "scheduler", "workers", "report", "quiet")}
    given["progress"] = not arguments["quiet"] and sys.stderr.isatty()
    if "output" in given:
        given["manifest"] = given.pop("output")
    run: Callable[..., cluster.Report] = getattr(cluster, arguments["operation"])
    if arguments["scheduler"]:
        with distributed.Client(arguments["scheduler"], timeout=10) as client:
            return run(**given, client=client)
    with cluster._connected(None, arguments["workers"]) as client:
        return run(**given, client=client)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. Returns the exit code."""
    given = vars(parser().parse_args(arguments))
    try:
        report = call(given)
    except (Error, OSError, ValueError) as error:
        code = work.failed(work.Item("", ""), error).exit
        print(f"bulat: {error}", file=sys.stderr)
        return code
    if given["report"]:
        with open(given["report"], "w") as file:
            file.write(report.json() + "\n")
    for name in report.changed:
        print(f"{manifest.shown(name)}: FAILED")
    for name, why in report.failed:
        if given["operation"] == "verify":
            print(f"{manifest.shown(name)}: FAILED open or read")
        print(f"bulat: {manifest.shown(name)}: {why}", file=sys.stderr)
    for name, why in report.remarks:
        print(f"bulat: {manifest.shown(name)}: {why}, skipped", file=sys.stderr)
    print(str(report).splitlines()[0], file=sys.stderr)
    return report.exit


if __name__ == "__main__":
    sys.exit(main())
