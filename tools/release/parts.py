"""Lists of parts: for each artefact a CycloneDX file, from the graph that cargo built and from Cargo.lock; and the licences of all."""

import functools, json, re, subprocess, tomllib, uuid
from pathlib import Path

from common import HERE, output, version

# Code in our programs that is not in Cargo.lock: (a crate or a linker that brings it, name, licence, file and pattern of its version).
OTHERS = [
    ("libsqlite3-sys", "sqlite", "blessing", "sqlite3/sqlite3.h", r'#define SQLITE_VERSION\s+"([^"]+)"'),
]


def graph(source: Path, target: dict) -> dict[tuple, set[tuple]]:
    return tree(source, target["triple"], tuple(target["packages"]), target.get("features"))


@functools.cache
def tree(source: Path, triple: str, packages: tuple[str, ...], features: str | None) -> dict[tuple, set[tuple]]:
    """Returns the parts of each part of a target, as (name, version), with the features of cargo's one call, without macros that run
    in the compiler."""
    command = ["cargo", "tree", "--offline", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "depth", "--target", triple]
    for package in packages:
        command += ["--package", package]
    if features:
        command += ["--features", features]
    found, path = {}, []
    for line in filter(None, output(*command, cwd=source).splitlines()):
        depth, name, number = re.match(r"(\d+)(\S+) v(\S+)", line).groups()
        node = (name, number)
        path = [*path[: int(depth)], node]
        found.setdefault(node, set())
        if len(path) > 1:
            found[path[-2]].add(node)
    return found


def reach(found: dict[tuple, set[tuple]], roots: list[str] | set[str]) -> list[tuple]:
    open_, seen = [node for node in found if node[0] in roots], set()
    while open_:
        node = open_.pop()
        if node not in seen:
            seen.add(node)
            open_ += found[node]
    return sorted(seen)


@functools.cache
def crates(source: Path) -> dict[tuple, dict]:
    """Returns cargo's knowledge of each crate: its licence, its folder."""
    said = json.loads(output("cargo", "metadata", "--format-version", "1", "--offline", "--locked", cwd=source))
    return {(p["name"], p["version"]): p for p in said["packages"]}


def expression(text: str) -> str:
    """Returns a licence as SPDX writes it: some crates separate alternatives by a slash."""
    return re.sub(r"\s*/\s*", " OR ", text)


def component(node: tuple, known: dict, lock: dict) -> dict:
    name, number = node
    purl = f"pkg:cargo/{name}@{number}"
    entry = {"type": "library", "bom-ref": purl, "name": name, "version": number}
    if sum := lock.get(node, {}).get("checksum"):
        entry["hashes"] = [{"alg": "SHA-256", "content": sum}]
    entry["licenses"] = [{"expression": expression(known[node]["license"])}]
    entry["purl"] = purl
    return entry


def toolchain(target: dict) -> list[dict]:
    """Returns the standard library, and the run time of zig or of mingw-w64, that every program contains."""
    said = dict(line.split(": ", 1) for line in target["compiler"].splitlines() if ": " in line)
    entries = [("rust-std", said["release"], "MIT OR Apache-2.0")]
    if target["linker"] == "zig":
        pin = re.search(r"^ziglang==(\S+)", (HERE / "compile.txt").read_text(), re.M)[1]
        entries += [("llvm-libunwind-of-zig", pin, "Apache-2.0 WITH LLVM-exception"), ("compiler-rt-of-zig", pin, "MIT")]
    if "mingw" in target["linker"]:
        text = subprocess.run([target["linker"], "-E", "-P", "-"], input="#include <_mingw.h>\n__MINGW64_VERSION_STR", check=True, stdout=subprocess.PIPE, text=True).stdout
        number = ".".join(re.findall(r"[0-9]+", text.splitlines()[-1]))
        entries += [("libgcc", output(target["linker"], "-dumpfullversion"), "GPL-3.0-or-later WITH GCC-exception-3.1"), ("mingw-w64", number, "ZPL-2.1")]
    return [other(*entry) for entry in entries]


def other(name: str, number: str, licence: str) -> dict:
    ref = f"pkg:generic/{name}@{number}"
    return {"type": "library", "bom-ref": ref, "name": name, "version": number, "licenses": [{"expression": licence}], "purl": ref}


def write(made: list[dict], folder: Path, source: Path, stamp: str):
    number, known, all = version(source), crates(source), {}
    lock = {(p["name"], p["version"]): p for p in tomllib.loads((source / "Cargo.lock").read_text())["package"]}
    for artefact in made:
        if not artefact["roots"]:
            continue
        found, tools = {}, {}
        for target in artefact["targets"]:
            for node, parts in graph(source, target).items():
                found[node] = found.get(node, set()) | parts
            tools |= {entry["bom-ref"]: entry for entry in toolchain(target)}
        nodes = reach(found, artefact["roots"])
        for target in artefact["targets"]:
            all[target["name"]] = target
        roots = {f"pkg:cargo/{name}@{number}" for name in artefact["roots"]}
        entries = [component(node, known, lock) for node in nodes]
        for crate, name, licence, file, pattern in OTHERS:
            for node in nodes:
                if node[0] == crate:
                    text = (Path(known[node]["manifest_path"]).parent / file).read_text(errors="replace")
                    entries.append(other(name, re.search(pattern, text)[1], licence))
        entries += tools.values()
        links = [{"ref": f"pkg:cargo/{n}@{v}", "dependsOn": sorted(f"pkg:cargo/{a}@{b}" for a, b in found[n, v])} for n, v in nodes]
        bom = {
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'https://github.com/bulat-crypto/bulat/' + artefact['name'] + artefact['sum'])}",
            "version": 1,
            "metadata": {
                "timestamp": stamp,
                "component": {
                    "type": "application", "bom-ref": artefact["name"], "name": artefact["name"], "version": number,
                    "hashes": [{"alg": "SHA-256", "content": artefact["sum"]}], "licenses": [{"expression": "MIT OR Apache-2.0"}],
                },
            },
            "components": entries,
            "dependencies": [{"ref": artefact["name"], "dependsOn": sorted(roots)}, *links],
        }
        (folder / f"{artefact['name']}.cdx.json").write_text(json.dumps(bom, indent=1, sort_keys=False) + "\n")
    roots = {root for artefact in made for root in artefact["roots"]}
    (folder / "LICENCES.txt").write_text(licences(roots, list(all.values()), source))


def licences(roots: set[str], targets: list[dict], source: Path) -> str:
    """Returns the licences of all parts of some targets' packages: a list, then each text once with the parts that have it."""
    known, texts, list_, bare = crates(source), {}, [], []
    nodes = sorted({node for target in targets for node in reach(graph(source, target), roots)})
    for node in nodes:
        entry = known[node]
        list_.append(f"{node[0]} {node[1]}: {expression(entry['license'])}")
        where = Path(entry["manifest_path"]).parent
        files = [] if where.is_relative_to(source) else sorted(f for f in where.iterdir() if re.match(r"(?i)(licen[cs]e|copying|notice|unlicense)", f.name) and f.is_file())
        for file in files:
            text = file.read_text(errors="replace").replace("\r\n", "\n").strip()
            texts.setdefault(text, []).append(f"{node[0]} {node[1]}")
        if not files and not where.is_relative_to(source):
            bare.append(f"{node[0]} {node[1]}")
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        texts.setdefault((source / name).read_text().strip(), []).insert(0, "bulat")
    rule = "\n" + "-" * 100 + "\n"
    head = "bulat is under MIT OR Apache-2.0, at your choice. It contains these parts:\n\n" + "\n".join(list_) + "\n"
    head += "\nRust's standard library is under MIT OR Apache-2.0.\n"
    linkers = {target["linker"] for target in targets}
    if any(name == "libsqlite3-sys" for name, _ in nodes):
        head += "SQLite, in bulatd, is in the public domain.\n"
    if "zig" in linkers:
        head += "The unwinder and the run time of LLVM are under Apache-2.0 WITH LLVM-exception, those of zig under MIT.\n"
    if any("mingw" in linker for linker in linkers):
        texts[(HERE / "ZPL-2.1.txt").read_text().strip()] = ["the run time of mingw-w64, in programs for Windows"]
        head += "Programs for Windows have the run time of mingw-w64 under ZPL-2.1, below, and libgcc under GPL-3.0 with the GCC Runtime Library Exception.\n"
    if bare:
        head += "\nThese have no file with their licence; the texts of the expressions above apply: " + ", ".join(bare) + "\n"
    body = [f"{rule}{', '.join(of)}\n\n{text}\n" for text, of in sorted(texts.items(), key=lambda pair: (pair[1], pair[0]))]
    return head + "".join(body)
