"""A part of test.sh: in FOLDER every package has the texts of our licences and of its parts; an empty package is refused; variables and JDKs.

    python3 tools/release/licensed.py FOLDER
"""

import gzip, os, re, subprocess, sys, tempfile, zipfile
from pathlib import Path

import common, java, pack

folder = Path(sys.argv[1])
for path in folder.iterdir():
    pack.licensed(path, common.ROOT)
    if path.suffix == ".deb":
        name = path.name.partition("_")[0]
        tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, stdout=subprocess.PIPE).stdout
        packed = subprocess.run(["tar", "-xO", f"./usr/share/doc/{name}/LICENCES.txt.gz"], input=tar, check=True, stdout=subprocess.PIPE).stdout
        text = gzip.decompress(packed).decode()
        assert "\nbulat-core " in text and ("\nrusqlite " in text) == (name == "bulatd"), name
assert "mingw" not in (folder / "LICENCES.txt").read_text(), "a licence of Windows in a release for Linux"
with tempfile.TemporaryDirectory() as work:
    (wheel,) = folder.glob("*.whl")
    changed = Path(work) / wheel.name
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"" if name.endswith("LICENSE-MIT") else old.read(name))
            if name.endswith("/METADATA"):
                assert re.search(rb"\nLicense-File: LICENCES.txt\n", old.read(name))
    try:
        pack.licensed(changed, common.ROOT)
    except common.Refused:
        pass
    else:
        sys.exit("a wheel with an empty licence is not refused")
    # A JDK 8 says its version on standard error; BULAT_CROSS reaches the scripts.
    javac = Path(work) / "bin/javac"
    javac.parent.mkdir()
    javac.write_text("#!/bin/sh\necho javac 1.8.0_402 >&2\n")
    javac.chmod(0o755)
    os.environ |= {"JAVA_HOME": work, "BULAT_CROSS": "/elsewhere"}
    assert java.jdk() is None and common.environment()["BULAT_CROSS"] == "/elsewhere"
print("licences: in every package")
