"""Packs what cargo has built. Every date is the commit's; owners, rights and order do not depend on the machine."""

import gzip, io, json, os, re, shutil, struct, subprocess, tarfile
from pathlib import Path

import java, parts
from common import ROOT, Refused, environment, expand, output, say, unpacked, version


# The modules of the package for npm.
MODULES = ("bulat.wasm", "container.wasm")


def newest(built: Path, name: str) -> Path:
    """Returns a file that cargo has built; libraries for tests are among the dependencies."""
    found = [path for path in (built / name, built / "deps" / name) if path.exists()]
    if not found:
        raise Refused(f"{built / name} is not built")
    return max(found, key=lambda path: path.stat().st_mtime)


def old_enough(path: Path, target: dict):
    """Refuses a file that needs a newer C library than the target promises."""
    said = output("readelf", "--wide", "--version-info", path)
    needed = {tuple(map(int, number.split("."))) for number in re.findall(r"Name: GLIBC_([0-9.]+)", said)}
    most = max(needed, default=(0,))
    if most > tuple(map(int, target["glibc"].split("."))):
        raise Refused(f"{path.name} needs GLIBC_{'.'.join(map(str, most))}, and {target['name']} promises {target['glibc']}")


def strip(path: Path, target: dict, what: str):
    """Strips a file. A file of Windows keeps the date from its linker, which is no real date: strip would write the time."""
    subprocess.run([target["strip"], "--preserve-dates", what, "--remove-section=.comment", path], check=True)
    content = path.read_bytes()
    if content[:2] == b"MZ" and struct.unpack_from("<I", content, struct.unpack_from("<I", content, 0x3C)[0] + 8) != (0,):
        raise Refused(f"{path.name} has the time in it at which it was linked or stripped")


def equal_dates(folder: Path, epoch: str):
    """Gives all files and folders the commit's date and rights without the user's mask."""
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (int(epoch), int(epoch)), follow_symlinks=False)


def source(name: str, folder: Path, commit: str):
    number = version()
    tar = subprocess.run(
        ["git", "archive", "--format=tar", f"--prefix=bulat-{number}/", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True
    ).stdout
    with open(folder / name, "wb") as out, gzip.GzipFile("", "wb", 9, out, 0) as packed:
        packed.write(tar)


def crates(names: list[str], tree: Path, work: Path):
    """Packs all crates in one call, so that cargo finds crates that are not published yet."""
    call = ["cargo", "package", "--quiet", "--locked", "--no-verify", "--allow-dirty"]
    for name in names:
        call += ["--package", name]
    subprocess.run(call, cwd=tree, env=environment() | {"CARGO_TARGET_DIR": str(work / "target")}, check=True)


def file(name: str, path: Path, target: dict, folder: Path):
    shutil.copyfile(path, folder / name)
    strip(folder / name, target, "--strip-all")
    (folder / name).chmod(0o755)


def wheel(name: str, target: dict, folder: Path, source: Path, work: Path, bin: Path, epoch: str, licences: str):
    """Makes the wheel of the library that is built: maturin writes the metadata, `wheel` the archive."""
    stage = work / "wheel" / target["name"]
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    env = environment() | {"PATH": f"{bin}:{os.environ['PATH']}", "SOURCE_DATE_EPOCH": epoch, "CARGO_TARGET_DIR": str(work / "target")}
    said = subprocess.run(
        ["maturin", "pep517", "write-dist-info", "--metadata-directory", stage, "--interpreter", bin / "python", "--target", "x86_64-unknown-linux-gnu", "--locked"],
        cwd=source / "bindings/python", env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    if said.returncode:
        raise Refused(f"maturin: {said.stdout}")
    (info,) = stage.glob("*.dist-info")
    tag = name.removesuffix(".whl").split("-", 2)[2]
    text = (info / "WHEEL").read_text()
    (info / "WHEEL").write_text(re.sub(r"^Tag: .*$", f"Tag: {tag}", text, flags=re.M))
    (info / "licenses/LICENCES.txt").write_text(licences)
    text, count = re.subn(r"(?m)^License-File: LICENSE-MIT$", r"\g<0>\nLicense-File: LICENCES.txt", (info / "METADATA").read_text())
    if count != 1:
        raise Refused("maturin's METADATA does not name LICENSE-MIT")
    (info / "METADATA").write_text(text)
    shutil.copytree(source / "bindings/python/lib/bulat", stage / "bulat")
    library = stage / "bulat/_bulat.abi3.so"
    shutil.copyfile(newest(target["built"], "lib_bulat.so"), library)
    strip(library, target, "--strip-unneeded")
    library.chmod(0o755)
    equal_dates(stage, epoch)
    subprocess.run([bin / "python", "-m", "wheel", "pack", "--dest-dir", folder, stage], env=env, check=True, stdout=subprocess.DEVNULL)
    if not (folder / name).exists():
        raise Refused(f"wheel made another name than {name}")


def for_java(targets: dict, source: Path, work: Path, epoch: str, trial: bool) -> Path | None:
    """Makes the jars in a folder and returns it, if there are a JDK and a library."""
    with_library = [target for target in targets.values() if "java" in target]
    found = java.jdk()
    if not with_library or not found or found[1] < (17 if trial else java.NEWEST):
        say("left out: jars: " + (f"no JDK from {java.NEWEST} on (JAVA_HOME)" if with_library else "no target with a library for Java"))
        return None
    stage, built = work / "jars", work / "java-libraries"
    for folder in (stage, built):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    natives = {}
    for target in with_library:
        natives[target["java"]] = built / target["java"]
        shutil.copyfile(newest(target["built"], "bulat_java.dll" if "windows" in target["triple"] else "libbulat_java.so"), natives[target["java"]])
        # The linker of Windows orders a library's symbols by chance; Java needs only the exported symbols.
        strip(natives[target["java"]], target, "--strip-all")
    java.jars(source, *found, natives, stage, epoch, work / "java", with_library)
    if trial or not shutil.which("mvn"):
        say("left out: the jar for Spark: " + ("its jars are a large download" if trial else "no mvn"))
    else:
        java.spark(source, found[0], stage, epoch, work / "java")
    return stage


def npm(name: str, modules: Path, folder: Path, source: Path, epoch: str, licences: str):
    """Makes the package for npm: the files that package.json names, the modules that are built, the licences; as `npm pack` does, in order."""
    web = source / "bindings/web"
    said = json.loads((web / "package.json").read_text())
    files = {name: web / name for name in ("README.md", "package.json")} | {name: source / name for name in ("LICENSE-APACHE", "LICENSE-MIT")}
    for part in said["files"]:
        files |= {f"{part}/{path.name}": path for path in (web / part).iterdir() if path.suffix != ".wasm"}
    for module in MODULES:
        files[f"lib/{module}"] = modules / module
    entries = {inner: path.read_bytes() for inner, path in files.items()} | {"LICENCES.txt": licences.encode()}
    with open(folder / name, "wb") as out, gzip.GzipFile("", "wb", 9, out, 0) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for inner, content in sorted(entries.items()):
            entry = tarfile.TarInfo(f"package/{inner}")
            entry.size, entry.mtime, entry.mode = len(content), int(epoch), 0o644
            tar.addfile(entry, io.BytesIO(content))


def debian(target: dict, stage: Path, source: Path, wheel: Path, epoch: str, native: Path, trial: bool, licences: dict[str, str]):
    """Makes all Debian packages of a target in one folder; `licences` are the texts for each package."""
    texts = stage.with_name(f"{stage.name}-licences")
    texts.mkdir(parents=True, exist_ok=True)
    for package, text in licences.items():
        (texts / package).write_text(text)
    env = environment() | {
        "PROFILE": "release", "PACK": "-Znone" if trial else "-Zxz", "BUILT": str(target["built"]), "ARCH": target["debian"], "MULTI": target["multiarch"], "STRIP": target["strip"], "NATIVE": str(native),
        "SOURCE_DATE_EPOCH": epoch, "WHEEL": str(wheel), "LICENCES": str(texts),
    }
    if not trial:
        env |= {"NEEDS": f"libc6 (>= {target['glibc']})"}
    shutil.rmtree(stage, ignore_errors=True)
    subprocess.run(["bash", source / "tools/packaging/debian.sh", stage], env=env, check=True, stdout=subprocess.DEVNULL)


def licensed(path: Path, source: Path):
    """Refuses a package without the texts of both licences, or without the texts of its parts."""
    if not path.name.endswith((".crate", ".whl", ".jar", ".tgz")):
        return
    found = {name.rpartition("/")[2]: content for name, content in unpacked(path).items() if re.search(r"(^|/)(LICENSE-[A-Z]+|LICENCES\.txt)$", name)}
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        if found.get(name) != (source / name).read_bytes():
            raise Refused(f"{path.name} has not the text of {name}")
    if path.name.endswith((".whl", "-all.jar", ".tgz")) and not found.get("LICENCES.txt"):
        raise Refused(f"{path.name} has no licences of its parts")


def everything(release: dict, targets: dict, folder: Path, tree: Path, work: Path, bin: Path, commit: str, epoch: str, trial: bool) -> list[dict]:
    """Makes each artefact, and returns their names, roots and targets."""
    os.umask(0o022)
    number, made, natives, jars = version(tree), [], {}, None
    # A program of this machine prints manual pages and completions for all targets.
    here = [target for target in targets.values() if target["triple"] == output("rustc", "-vV").split("host: ")[1].split()[0]]
    if not here and any(target.get("debian") for target in targets.values()):
        say("left out: Debian packages: they need the manual pages that this machine's own command prints (--target x86_64-linux, too)")
    for target in targets.values():
        if target.get("glibc") and not trial:
            for path in target["built"].iterdir():
                if path.name in ("bulat", "bulatd", "bulat-esp") or path.suffix == ".so":
                    old_enough(path, target)
    crates([entry["crate"] for entry in release["artefact"] if entry["how"] == "crate"], tree, work)
    if any(entry["how"] == "java" for entry in release["artefact"]):
        jars = for_java(targets, tree, work, epoch, trial)
    for entry in release["artefact"]:
        # `natives` are the targets that an artefact is for.
        for name in entry.get("targets", [None]):
            target = targets.get(name, {})
            if name and not target:
                continue
            of = [target] if name else [targets[native] for native in entry.get("natives", []) if native in targets]
            full = expand(entry["name"], target, number)
            roots = set(entry.get("roots", []))
            if entry["how"] == "source":
                source(full, folder, commit)
            elif entry["how"] == "crate":
                shutil.copyfile(work / "target/package" / full, folder / full)
            elif entry["how"] == "file":
                file(full, newest(target["built"], expand(entry["file"], target, number)), target, folder)
            elif entry["how"] == "wheel":
                wheel(full, target, folder, tree, work, bin, epoch, parts.licences(roots, of, tree))
                natives[name] = folder / full
            elif entry["how"] == "debian":
                if not here:
                    continue
                stage = work / "debian" / name
                if not natives.get((name, "debian")):
                    packages = {other["name"].partition("_")[0]: set(other["roots"]) for other in release["artefact"] if other["how"] == "debian"}
                    texts = {package: parts.licences(of_package, of, tree) for package, of_package in packages.items()}
                    debian(target, stage, tree, natives[name], epoch, here[0]["built"], trial, texts)
                    natives[name, "debian"] = True
                shutil.copyfile(stage / full, folder / full)
            elif entry["how"] == "map":
                if not here:
                    continue
                shutil.copyfile(work / "debian" / name / entry["file"], folder / full)
            elif entry["how"] == "java":
                if not jars or not (jars / full).exists():
                    continue
                shutil.copyfile(jars / full, folder / full)
            elif entry["how"] == "npm":
                npm(full, target["built"], folder, tree, epoch, parts.licences(roots, of, tree))
            licensed(folder / full, tree)
            made.append({"name": full, "roots": entry.get("roots", []), "targets": of})
    return made
