"""Compiles the classes for Java, and packs them and the libraries: one JDK makes equal jars in any folder, by any user, at any time.

    python3 tools/release/java.py FOLDER [PLATFORM=LIBRARY]...     of this checkout, as bindings/java/jars.sh calls it
"""

import hashlib, os, re, shutil, subprocess, sys, tempfile, time, zipfile
from pathlib import Path

import parts
from common import HERE, ROOT, Refused, environment, load, output, say, version

# The class behind javax.crypto.KDF needs a JDK of this version.
NEWEST = 25


def jdk() -> tuple[Path, int] | None:
    """Returns the folder and the version of the newest JDK; JAVA_HOME decides where it is set."""
    chosen = os.environ.get("JAVA_HOME")
    there = [Path(chosen)] if chosen else sorted(Path("/usr/lib/jvm").glob("*"))
    if not chosen and (javac := shutil.which("javac")):
        there.append(Path(javac).resolve().parents[1])
    # JDK 8 says its version elsewhere, and is too old.
    said = [(folder, re.match(r"javac (\d+)", output(folder / "bin/javac", "-version", stderr=subprocess.DEVNULL))) for folder in there if (folder / "bin/javac").exists()]
    return max(((folder, int(number[1])) for folder, number in said if number), key=lambda pair: pair[1], default=None)


def calls(source: Path) -> list[str]:
    """Returns the native calls: a library exports these and no others."""
    text = (source / "bindings/java/src/main/java/io/github/bulatcrypto/Native.java").read_text()
    return sorted(re.findall(r"static native \S+ (\w+)\(", text))


def check(platform: str, file: Path, source: Path):
    """Refuses a library for a different processor, with other exports than the calls of Native.java, or that needs more than the system's."""
    if platform.startswith("windows-"):
        said = output("objdump", "-fp", file)
        kind = re.search(r"file format (\S+)", said)[1]
        exports = re.findall(r"^\s*\[\s*\d+\]\s(?:.*\s)?([A-Za-z_]\w*)$", said.split("[Ordinal/Name Pointer]")[1].split("\n\n")[0], re.M)
        foreign = [name for name in re.findall(r"DLL Name: (\S+)", said) if re.match(r"(?i)lib|vc|msvcp", name)]
    else:
        kind = re.search(r"Machine:\s*(.*)", output("readelf", "-h", file))[1]
        exports = [line.split()[-1] for line in output("nm", "--dynamic", "--defined-only", file).splitlines()]
        needed = re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "-d", file))
        foreign = [name for name in needed if not re.match(r"(libc|libgcc_s|libm|libdl|libpthread|ld-linux[^.]*)\.so", name)]
    if {"linux-x86_64": "X86-64", "linux-aarch64": "AArch64", "windows-x86_64": "pei-x86-64"}[platform] not in kind:
        raise Refused(f"{file}: for {platform}, and it is for {kind}")
    wanted = [f"Java_io_github_bulatcrypto_Native_{name}" for name in calls(source)]
    if sorted(exports) != wanted:
        raise Refused(f"{file}: its calls differ from Native.java: {', '.join(sorted(set(exports) ^ set(wanted)))}")
    if foreign:
        raise Refused(f"{file} needs {', '.join(foreign)}")


def javac(home: Path, folder: Path, to: Path, path: str = "", lint: str = "all", version=("--release", "17")):
    """Compiles all classes below a folder, in order, for Java 17."""
    short = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]  # half the time
    call = [home / "bin/javac", *short, "-encoding", "UTF-8", *version, "-g", f"-Xlint:{lint}", "-Werror", "-d", to, "-classpath", path]
    subprocess.run([*call, *sorted(folder.rglob("*.java"))], env=environment(), check=True)


def files(folder: Path, below: str = "") -> dict[str, bytes]:
    return {f"{below}{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def manifest(lines: str = "") -> bytes:
    return f"Manifest-Version: 1.0\n{lines}\n".encode()


def archive(to: Path, entries: dict[str, bytes], source: Path, epoch: str, lines: str = ""):
    """Writes a jar: its manifest, its licences, then the files in order, with the commit's date."""
    entries = {f"META-INF/{name}": (source / name).read_bytes() for name in ("LICENSE-APACHE", "LICENSE-MIT")} | entries
    entries = {"META-INF/MANIFEST.MF": manifest(lines)} | dict(sorted(entries.items()))
    with zipfile.ZipFile(to, "w") as jar:
        for name, content in entries.items():
            entry = zipfile.ZipInfo(name, time.gmtime(int(epoch))[:6])
            entry.create_system, entry.external_attr, entry.compress_type = 3, 0o100644 << 16, zipfile.ZIP_DEFLATED
            jar.writestr(entry, content, compresslevel=9)


def pom(path: Path) -> dict[str, bytes]:
    """Returns the description by which Maven installs a jar without more words."""
    name = re.search(r"<artifactId>(.+?)</artifactId>", path.read_text())[1]
    return {f"META-INF/maven/io.github.bulat-crypto/{name}/pom.xml": path.read_bytes()}


def jars(source: Path, home: Path, newest: int, natives: dict[str, Path], to: Path, epoch: str, work: Path, targets: list[dict]):
    """Makes the jar of the classes, a jar for each platform, a jar with all, and a jar with the sources; `targets` are the libraries' targets."""
    shutil.rmtree(work, ignore_errors=True)
    classes, java, number = work / "classes", source / "bindings/java", version(source)
    javac(home, java / "src/main/java", classes)
    if newest >= NEWEST:
        # For Java 17 as well, which never loads it: a jar that others merge needs no Multi-Release in its manifest.
        javac(home, java / "src/main/java25", classes, str(classes), "all,-options", ["-source", "17", "-target", "17"])
    lines = "Automatic-Module-Name: io.github.bulatcrypto\n"
    plain = files(classes) | files(java / "src/main/resources") | pom(java / "pom.xml")
    archive(to / f"bulat-{number}.jar", plain, source, epoch, lines)

    def licences(*platforms: str) -> dict[str, bytes]:
        text = parts.licences({"bulat-java"}, [target for target in targets if target["java"] in platforms], source)
        return {"META-INF/LICENCES.txt": text.encode()}

    libraries = {}
    for platform, path in natives.items():
        check(platform, path, source)
        name = "bulat_java.dll" if platform.startswith("windows-") else "libbulat_java.so"
        one = {f"META-INF/native/{platform}/{name}": path.read_bytes()}
        archive(to / f"bulat-{number}-{platform}.jar", one | licences(platform), source, epoch)
        libraries |= one
    archive(to / f"bulat-{number}-all.jar", plain | libraries | licences(*natives), source, epoch, lines)
    sources = files(java / "src/main/java") | files(java / "src/main/java25") | files(java / "src/main/resources")
    archive(to / f"bulat-{number}-sources.jar", sources, source, epoch)


def pinned() -> list[tuple[str, str, str, str]]:
    """Returns group, name, version and SHA-256 of the jars that the module for Spark is compiled against."""
    lines = (HERE / "spark.txt").read_text().splitlines()
    return [(*line.split()[0].split(":"), line.split()[1]) for line in lines if not line.startswith("#")]


def spark(source: Path, home: Path, to: Path, epoch: str, work: Path):
    """Makes the jar for Spark; its classes are compiled against the classes of `jars` and the jars of spark.txt."""
    folder, classes, there = source / "bindings/java/spark", work / "spark", work.parent / "spark-jars"
    pins = pinned()
    text = (folder / "pom.xml").read_text()
    group, name, number, _ = pins[0]
    if not re.search(rf"<groupId>{group}</groupId>\s*<artifactId>{name}</artifactId>\s*<version>{number}</version>", text):
        raise Refused(f"tools/release/spark.txt has {name} {number}, and bindings/java/spark/pom.xml another")
    wanted = "".join(f"<dependency><groupId>{g}</groupId><artifactId>{n}</artifactId><version>{v}</version><exclusions><exclusion><groupId>*</groupId>"
                     f"<artifactId>*</artifactId></exclusion></exclusions></dependency>" for g, n, v, _ in pins)
    jars = [there / f"{name}-{number}.jar" for _, name, number, _ in pins]
    if not all(path.exists() for path in jars):
        there.mkdir(exist_ok=True)
        (there / "pom.xml").write_text(f"<project><modelVersion>4.0.0</modelVersion><groupId>bulat</groupId><artifactId>jars</artifactId><version>1</version>"
                                       f"<packaging>pom</packaging><dependencies>{wanted}</dependencies></project>")
        call = ["mvn", "--quiet", "--batch-mode", "-f", there / "pom.xml", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies", f"-DoutputDirectory={there}"]
        said = subprocess.run(call, env=environment() | {"JAVA_HOME": str(home)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if said.returncode:
            raise Refused(f"the jars of tools/release/spark.txt cannot be downloaded: {said.stdout}")
    for path, (*_, sum) in zip(jars, pins):
        if hashlib.sha256(path.read_bytes()).hexdigest() != sum:
            raise Refused(f"{path.name} differs from tools/release/spark.txt")
    javac(home, folder / "src/main/java", classes, ":".join(map(str, [work / "classes", *jars])), "none")
    archive(to / f"bulat-spark_2.13-{version(source)}.jar", files(classes) | pom(folder / "pom.xml"), source, epoch)


def main():
    to = Path(sys.argv[1])
    found = jdk()
    if not found or found[1] < 17:
        raise Refused("no JDK from 17 on: JAVA_HOME names it (apt-get install openjdk-17-jdk-headless)")
    if found[1] < NEWEST:
        say(f"skipped: javax.crypto.KDF: JDK {NEWEST} makes its class, and this is {found[1]}")
    natives = {platform: Path(path) for platform, path in (word.split("=", 1) for word in sys.argv[2:])}
    # The licences are of the crates of all targets.
    subprocess.run(["cargo", "fetch", "--locked", "--quiet"], cwd=ROOT, check=True)
    # The linker of this machine, and not zig, has made them.
    targets = [target | ({"linker": "cc"} if target["linker"] == "zig" else {}) for target in load()["target"] if target.get("java") in natives]
    with tempfile.TemporaryDirectory() as work:
        jars(ROOT, *found, natives, to, output("git", "log", "-1", "--format=%ct", cwd=ROOT), Path(work) / "java", targets)


if __name__ == "__main__":
    try:
        main()
    except Refused as e:
        sys.exit(f"tools/release/java.py: {e}")
    except subprocess.CalledProcessError as e:
        sys.exit(f"tools/release/java.py: {' '.join(map(str, e.cmd[:3]))}: exit code {e.returncode}")
