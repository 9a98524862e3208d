#!/usr/bin/env python3
"""Tests the plugin and `bulat volume open` at their edges: files in use by others, combinations of parameters, refused writes, and
the server's remains in memory and on the disk.

edges.py PLUGIN COMMAND

Tests that need root, loop devices, qemu or the headers of other programs (in BULAT_VOLUMES) are skipped without them, with a
message.
"""
import os, pathlib, re, shutil, signal, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
import cuts
from cuts import READ, WRITE

PLUGIN, BULAT = (os.path.abspath(path) for path in sys.argv[1:])
CHEAP = ["--pbkdf", "pbkdf2", "--iterations", "1000"]
VERA = ["--type", "veracrypt", "--pim", "1", "--hash", "sha512"]
EPERM = 1
VOLUMES = pathlib.Path(os.environ.get("BULAT_VOLUMES", "none")).absolute()
passed = 0


def good(what):
    global passed
    passed += 1
    print(what, flush=True)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300, **options)


def bulat(*args):
    ran = run(BULAT, *args)
    assert ran.returncode == 0, (args, ran.stderr)
    return ran.stdout


def refuses(*args, code, words):
    ran = run(BULAT, *args)
    assert ran.returncode == code and all(word in ran.stderr for word in words), (args, words, ran)


def nbdkit(*parameters):
    return run("nbdkit", "-U", "-", PLUGIN, *parameters, "--run", "true")


def takes(*parameters):
    ran = nbdkit(*parameters)
    assert ran.returncode == 0, (parameters, ran.stderr)


def denies(*parameters, words):
    ran = nbdkit(*parameters)
    assert ran.returncode != 0 and all(word in ran.stderr for word in words), (parameters, words, ran)


connections = []


def Connection(path):
    for _ in range(6000):
        try:
            connections.append(cuts.Connection(path))
            return connections[-1]
        except ConnectionRefusedError:
            # The socket exists before anybody listens.
            time.sleep(0.01)
    raise AssertionError("nobody listens")


class Server:
    """nbdkit with the plugin, or another command that makes a socket."""

    def __init__(self, *parameters, command=None, ready=None):
        command = command or ["nbdkit", "-f", "-t", "2", "-U", "sk", PLUGIN, *parameters]
        self.errors = open("errors", "w+")
        self.process = subprocess.Popen(command, stderr=self.errors, stdout=self.errors, stdin=subprocess.DEVNULL)
        for _ in range(6000):
            assert self.process.poll() is None, (command, self.said())
            if ready in self.said() if ready else os.path.exists("sk"):
                return
            time.sleep(0.01)
        raise AssertionError((command, "does not start"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGTERM)
        if os.path.exists("sk"):
            os.unlink("sk")

    def end(self, how):
        # nbdkit waits for its clients.
        while connections:
            connections.pop().socket.close()
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(60)

    def said(self):
        return pathlib.Path("errors").read_text()


def error(connection, kind, offset, length, data=b""):
    """Returns the error number of a request; 0: none."""
    connection.ask(kind, offset, length, data)
    try:
        connection.answer()
    except AssertionError as e:
        return e.args[0][1]
    if kind == READ:
        connection.take(length)
    return 0


def parameters():
    for kind, given, words in [
        ("luks", ["cipher=aes-xts-plain64"], ["cipher: not with type=luks", "type=veracrypt, type=plain"]),
        ("luks", ["skip=77"], ["skip: not with type=luks"]),
        ("luks", ["pim=5"], ["pim: not with type=luks", "type=veracrypt"]),
        ("luks", ["keyfile=one"], ["keyfile: not with"]),
        ("luks", ["protect-file=one"], ["protect-file: not with"]),
        ("veracrypt", ["cipher=aes-xts-plain64"], ["cipher: not supported", "kuznyechik-serpent-camellia"]),
        ("veracrypt", ["slot=0"], ["slot: not with type=veracrypt", "type=luks"]),
        ("veracrypt", ["hidden-pim=3"], ["hidden-pim: only with protect-file"]),
        ("plain", ["slot=0"], ["slot: not with type=plain"]),
        ("plain", ["max-memory=1"], ["max-memory: not with type=plain"]),
        ("none", [], ["password-file: not with type=none"]),
        ("luks", ["type=luks"], ["type: given twice"]),
        ("luks", ["key-file=one"], ["key-file: not together with password-file"]),
    ]:
        denies("file=pr", f"type={kind}", "password-file=one", *given, words=words)
    denies("plain", "type=plain", "password-file=one", words=["password-file: not with type=plain"])
    denies("pr", words=["no password: password-file="])
    denies("pr", "type=veracrypt", words=["no password: password-file="])
    denies("pr", "type=plain", words=["no key: key-file="])
    denies("password-file=one", words=["which volume? file="])
    good("each parameter that is not for the kind is refused by its name, and so is a password that is missing")


def plain_key():
    key = bytes(range(64))
    pathlib.Path("raw").write_bytes(key)
    pathlib.Path("digits").write_text(key.hex() + "\n")
    pathlib.Path("plain").write_bytes(bytes(1 << 20))
    with Server("plain", "type=plain", "key-file=raw"):
        assert error(Connection("sk"), WRITE, 4096, 512, b"b" * 512) == 0
    with Server("plain", "type=plain", "key-file=digits"):
        assert Connection("sk").read(4096, 512) == b"b" * 512
    pathlib.Path("digits").write_text(key.hex()[2:])
    denies("plain", "type=plain", "key-file=digits", words=["keys of 126 bytes"])
    good("a plain mapping's key as 128 digits is the key of 64 bytes")


def cut_short():
    for name, size in [("disk", 512 << 10), ("box", 300 << 10)]:
        shutil.copy(name, "short")
        os.truncate("short", size)
        kind = ["type=veracrypt", "pim=1", "hash=sha512"] if name == "box" else []
        denies("short", "password-file=one", *kind, words=["short: cut short", str(size)])
    os.truncate("short", 0)
    denies("short", "password-file=one", words=["short: no LUKS header"])
    shutil.copy("disk", "short")
    os.truncate("short", 512 << 10)
    for command in ["info"], ["verify"]:
        refuses("volume", *command, "short", code=5, words=["short: cut short", "copy the whole file"])
    shutil.copy("disk", "short")
    with Server("short", "password-file=one") as server:
        connection = Connection("sk")
        os.truncate("short", (1 << 20) + 4096)
        assert error(connection, READ, 8192, 4096) == 5
        assert re.search(r"short: bytes 8192 to 12288 of the volume: the file ends before", server.said()), server.said()
        assert error(connection, READ, 0, 4096) == 0
    good("a store that is cut short is called so, with its name and the place")


def hidden():
    hidden = ["--hidden-pim", "2", "--hidden-keyfile", "kf", "--hidden-hash", "sha256", "--new-password-file", "two"]
    outer = [*VERA, "-p", "one", "--keyfile", "kf1"]
    bulat("volume", "create", *outer, "--size", "4M", "vera")
    bulat("volume", "create", *outer, "--hidden", "1M", *hidden, "vera")
    assert "hidden volume" in bulat("volume", "info", "--type", "veracrypt", "-p", "two", "--pim", "2", "--keyfile", "kf",
                                    "--hash", "sha256", "vera")
    mine = ["type=veracrypt", "password-file=one", "pim=1", "hash=sha512", "keyfile=kf1"]
    theirs = ["protect-file=two", "hidden-pim=2", "hidden-keyfile=kf"]
    denies("vera", *mine, theirs[0], "hidden-hash=sha256", words=["wrong password or key", "tried: all ciphers"])
    with Server("vera", "type=veracrypt", "password-file=two", "pim=2", "hash=sha256", "keyfile=kf"):
        assert error(Connection("sk"), WRITE, 0, 1 << 20, b"h" * (1 << 20)) == 0
    command = [BULAT, "volume", "open", "--plugin", PLUGIN, "--socket", "sk", *outer, "--protect", *hidden, "vera"]
    begin = (4 << 20) - 2 * (128 << 10) - (1 << 20)
    for given in [{"command": command, "ready": "is served at"}, {"command": None}]:
        with Server("vera", *mine, *theirs, "hidden-hash=sha256", **given):
            connection = Connection("sk")
            assert connection.flags & 2 == 0, "read-only"
            assert error(connection, WRITE, begin - 4096, 4096, b"o" * 4096) == 0
            assert error(connection, WRITE, begin - 512, 1024, b"o" * 1024) == EPERM
            # From here on the outer filesystem is inconsistent.
            assert error(connection, WRITE, 0, 512, b"o" * 512) == EPERM
            assert Connection("sk").flags & 2, "read-only to those who come later"
            assert error(connection, READ, begin - 4096, 4096) == 0
    with Server("vera", "type=veracrypt", "password-file=two", "pim=2", "hash=sha256", "keyfile=kf"):
        assert Connection("sk").read(0, 1 << 20) == b"h" * (1 << 20)
    good("a hidden volume with its own PIM and keyfile is made, and protected: after a refused write nothing is written")


def others():
    volumes = VOLUMES / "veracrypt"
    words = ["wrong password or key", "tried: all ciphers and cascades of VeraCrypt; the hashes sha512;", "both backups"]
    with open("hashcat", "w") as file:
        file.write("hashcat")
    name = "hashcat_sha512_kuznyechik-aes.vc"
    if (volumes / name).exists():
        info = ["volume", "info", "--type", "veracrypt", "-p", "hashcat", "--hash", "sha512"]
        assert re.search(r"cipher +kuznyechik-aes", bulat(*info, str(volumes / name)))
        refuses(*info, "--cipher", "kuznyechik", str(volumes / name), code=4, words=["tried: kuznyechik; the hashes sha512;"])
        denies(str(volumes / name), "type=veracrypt", "password-file=hashcat", "hash=sha512", "cipher=kuznyechik",
               words=["tried: kuznyechik;"])
    else:
        print("skipped: a cascade: no headers of VeraCrypt (BULAT_VOLUMES)")
    refuses("volume", "verify", *VERA, "-p", "two", "box", code=4, words=words)
    good("the message of a wrong password lists the methods tried")


def locks():
    with Server("disk", "password-file=one"):
        denies("disk", "password-file=one", words=["disk: another program has it open"])
        if shutil.which("qemu-io"):
            for command in ["qemu-io", "-f", "raw", "-c", "write 1M 512"], ["qemu-img", "convert", "-O", "raw"]:
                ran = run(*command, "disk", *["copy"] * ("convert" in command))
                assert ran.returncode and "lock" in ran.stderr, ran
            assert run("qemu-img", "info", "-U", "disk").returncode == 0
    with Server("disk", "password-file=one", "readonly=true"):
        takes("disk", "password-file=one", "readonly=true")
        denies("disk", "password-file=one", words=["another program has it open"])
        if shutil.which("qemu-io"):
            assert run("qemu-io", "-f", "raw", "-r", "-c", "read 1M 512", "disk").returncode == 0
            assert run("qemu-io", "-f", "raw", "-c", "write 1M 512", "disk").returncode
    if not shutil.which("qemu-nbd"):
        print("skipped: qemu's locks: no qemu-io and qemu-nbd (apt-get install qemu-utils)")
        return
    with Server(command=["qemu-nbd", "-t", "-f", "raw", "-k", os.path.abspath("sk"), "disk"]):
        # nbdkit makes the socket before it opens the image.
        assert Connection("sk").size == 2 << 20
        for more in [], ["readonly=true"]:
            denies("disk", "password-file=one", *more, words=["another program has it open", "qemu"])
        refuses("volume", "change-key", "-p", "one", "--new-password-file", "two", "disk", code=3, words=["qemu"])
    good("qemu sees the plugin's lock, and the plugin and the command see qemu's")


def in_use():
    """The header of a volume changes while a server has it; nothing else does."""
    shutil.copy("disk", "used")
    shutil.copy("box", "usedbox")
    pathlib.Path("three").write_text("three\n")
    bulat("volume", "backup-header", "-o", "backup", "used")
    new = lambda old, new: ["-p", old, "--new-password-file", new]
    data = b"d" * (1 << 20)
    for more in [], ["readonly=true"]:
        with Server("used", "password-file=one", *more):
            connection = Connection("sk")
            if not more:
                assert error(connection, WRITE, 0, 1 << 20, data) == 0
            assert "LUKS2" in bulat("volume", "info", "used")
            bulat("volume", "backup-header", "--force", "-o", "backup2", "used")
            assert bulat("volume", "add-key", *CHEAP, *new("one", "two"), "used") == "keyslot 1\n"
            bulat("volume", "change-key", *CHEAP, *new("two", "three"), "used")
            assert "keyslot 1: opens" in bulat("volume", "verify", "-p", "three", "used")
            assert bulat("volume", "remove-key", "-p", "three", "used") == "keyslot 1 is destroyed\n"
            bulat("volume", "verify", "-p", "one", "used")
            busy = {"code": 3, "words": ["used: another program has it open"]}
            refuses("volume", "create", "--force", *CHEAP, "-p", "one", "--header-size", "1M", "used", **busy)
            refuses("volume", "restore-header", "--from", "backup", "used", **busy)
            denies("used", "password-file=one", words=["used: another program has it open"])
            assert Connection("sk").read(0, 1 << 20) == data
    for kind in ["type=none"], ["type=plain", "key-file=raw"]:
        # The clients may write to the place of the header.
        pathlib.Path("raw").write_bytes(bytes(range(64)))
        with Server("used", *kind):
            refuses("volume", "add-key", *CHEAP, *new("one", "two"), "used", **busy)
            refuses("volume", "verify", "used", **busy)
    # Changes that are killed, and servers that are killed during a change.
    command = [BULAT, "volume", "change-key", *CHEAP]
    passwords, kills = ["one", "two"], 12
    server = Server("used", "password-file=one")
    begun = time.monotonic()
    bulat(*command[1:], *new(*passwords), "used")
    passwords.reverse()
    whole = time.monotonic() - begun
    for n in range(kills):
        change = subprocess.Popen([*command, *new(*passwords), "used"], stderr=subprocess.DEVNULL)
        time.sleep(whole * n / kills)
        if n % 4 == 3:
            server.end(signal.SIGKILL)
            change.wait(60)
            os.unlink("sk")
        else:
            change.kill()
            change.wait(60)
        opens = lambda name: run(BULAT, "volume", "verify", "-p", name, "used").returncode in (0, 5)
        if not opens(passwords[0]):
            assert opens(passwords[1]), "neither opens"
            passwords.reverse()
        if n % 4 == 3:
            server = Server("used", f"password-file={passwords[0]}")
            assert Connection("sk").read(0, 1 << 20) == data
    # Kills after the first write, until one of them comes before the end.
    for n in range(100):
        before = os.stat("used").st_mtime_ns
        change = subprocess.Popen([*command, *new(*passwords), "used"], stderr=subprocess.DEVNULL)
        while os.stat("used").st_mtime_ns == before and change.poll() is None:
            pass
        change.kill()
        killed = change.wait(60) != 0
        if not opens(passwords[0]):
            assert opens(passwords[1]), "neither opens"
            passwords.reverse()
        if killed and os.stat("used").st_mtime_ns != before:
            break
    else:
        raise AssertionError("no change was killed between its writes")
    server.end(signal.SIGTERM)
    os.unlink("sk")
    # VeraCrypt: the outer and the hidden volume, each while either is served.
    bulat("volume", "create", *VERA, "-p", "one", "--hidden", "512K", "--hidden-pim", "1", "--hidden-hash", "sha512",
          "--new-password-file", "two", "usedbox")
    serve = ["type=veracrypt", "pim=1", "hash=sha512"]
    with Server("usedbox", *serve, "password-file=two"):
        assert error(Connection("sk"), WRITE, 0, 512 << 10, b"h" * (512 << 10)) == 0
    for served, protect in ("one", ["protect-file=two", "hidden-pim=1", "hidden-hash=sha512"]), ("two", []):
        with Server("usedbox", *serve, f"password-file={served}", *protect):
            for password in "one", "two":
                bulat("volume", "change-key", *VERA, *new(password, "three"), "usedbox")
                bulat("volume", "verify", *VERA, "-p", "three", "usedbox")
                bulat("volume", "change-key", *VERA, *new("three", password), "usedbox")
            refuses("volume", "resize", *VERA, "-p", "one", "usedbox", code=3, words=["usedbox: another program has it open"])
            refuses("volume", "create", *VERA, "-p", "one", "--hidden", "256K", "--new-password-file", "three", "usedbox",
                    code=3, words=["usedbox: another program has it open"])
    with Server("usedbox", *serve, "password-file=two"):
        assert Connection("sk").read(0, 512 << 10) == b"h" * (512 << 10)
    good("a served volume's header is read and changed, its data is not; killed changes leave an old or a new password")


def detached():
    create = ["volume", "create", *CHEAP, "-p", "one", "--header-size", "1M"]
    bulat(*create, "--size", "1M", "--header", "h", "apart")
    shutil.copy("h", "h2")
    data = b"d" * (1 << 20)
    command = [BULAT, "volume", "open", "-p", "one", "--plugin", PLUGIN, "--socket", "sk", "--header", "h", "apart"]
    with Server(command=command, ready="apart is served at"):
        connection = Connection("sk")
        assert connection.size == 1 << 20
        assert error(connection, WRITE, 0, 1 << 20, data) == 0
        # The header of served data is not overwritten, and its passwords change.
        busy = {"code": 3, "words": ["h: another program has it open"]}
        bulat("volume", "backup-header", "--header", "h", "-o", "h.backup", "apart")
        pathlib.Path("more").write_bytes(bytes(1 << 20))
        refuses(*create, "--force", "--header", "h", "more", **busy)
        refuses("volume", "restore-header", "--header", "h", "--from", "h.backup", "apart", **busy)
        refuses(*create, "--force", "--header", "h3", "apart", code=3, words=["apart: another program has it open"])
        assert not os.path.exists("h3")
        for old, new in ("one", "two"), ("two", "one"):
            bulat("volume", "change-key", *CHEAP, "--header", "h", "-p", old, "--new-password-file", new, "apart")
        denies("apart", "password-file=one", "header=h2", words=["apart, with the header h2: another program has it open"])
    with Server("apart", "header=h", "password-file=one", "readonly=true"):
        assert Connection("sk").read(0, 1 << 20) == data
        takes("apart", "header=h2", "password-file=one", "readonly=true")
    assert data not in pathlib.Path("apart").read_bytes()
    for more, words in [
        (["header=nothing"], ["with the header nothing: No such file"]),
        (["header=one"], ["with the header one: no LUKS header"]),
        (["header=apart"], ["with the header apart: the volume and its header are the same file"]),
        ([], ["apart: no LUKS header"]),
    ]:
        denies("apart", "password-file=one", *more, words=words)
    # Another volume, which is not written.
    shutil.copy("disk", "other")
    denies("other", "password-file=one", "header=h", words=["other, with the header h: there is a LUKS header", "only for reading"])
    takes("other", "password-file=one", "header=h", "readonly=true")
    denies("h", "password-file=one", words=["h: a detached header: its data is in another file"])
    denies("box", "type=veracrypt", "password-file=one", "header=h", words=["header: volume, hidden, backup or hidden-backup"])
    denies("box", "type=plain", "key-file=one", "header=h", words=["header: not with type=plain"])
    good("a detached header: served, changed meanwhile, never overwritten")


def devices():
    if os.getuid() or not os.path.exists("/dev/loop-control") or not shutil.which("losetup"):
        print("skipped: block devices: that needs root and loop devices")
        return
    loops = []

    def loop(file, *options):
        ran = run("losetup", "-f", "--show", *options, file)
        if ran.returncode:
            return None
        loops.append(ran.stdout.strip())
        return loops[-1]

    def detached():
        run("losetup", "-d", loops.pop())

    try:
        device = loop("disk")
        if not device:
            print("skipped: block devices: losetup fails")
            return
        # A file under a loop device.
        denies("disk", "password-file=one", words=[f"disk: {device} is backed by it"])
        refuses("volume", "add-key", "-p", "one", "--new-password-file", "two", "disk", code=3, words=[device, "losetup -d"])
        refuses("volume", "open", "-p", "one", "--plugin", PLUGIN, "--socket", "sk", "disk", code=1, words=[device])
        # A device that another program has opened exclusively, as a mount does.
        with open(os.open(device, os.O_RDWR | os.O_EXCL), "rb+"):
            denies(device, "password-file=one", words=[f"{device}: it is mounted, or another program has opened it exclusively"])
            for args in [["add-key", "-p", "one", "--new-password-file", "two"], ["create", "--force", "-p", "one", *CHEAP]]:
                refuses("volume", *args, device, code=3, words=[device, "it is mounted"])
            refuses("encrypt", "-p", "one", "-o", device, "--force", "two", code=3, words=[device, "it is mounted"])
        refuses("encrypt", "-p", "one", "-o", device, "two", code=3, words=[f"{device}: is a block device", "--force"])
        with Server(device, "password-file=one", "readonly=true"):
            change = ["volume", "change-key", *CHEAP, "-p", "one", "--new-password-file"]
            bulat(*change, "one", device)
            with open(os.open(device, os.O_RDWR | os.O_EXCL), "rb+"):
                refuses(*change, "two", device, code=3, words=[device, "it is mounted"])
        with Server(device, "password-file=one"):
            # The header can change; nobody else can open it exclusively meanwhile.
            bulat("volume", "change-key", *CHEAP, "-p", "one", "--new-password-file", "two", device)
            bulat("volume", "change-key", *CHEAP, "-p", "two", "--new-password-file", "one", device)
            try:
                os.open(device, os.O_RDWR | os.O_EXCL)
                raise SystemExit("the device is not taken exclusively")
            except OSError:
                pass
        detached()
        with Server("disk", "password-file=one"):
            device = loop("disk")
            denies(device, "password-file=one", words=[f"{device}: it is backed by", "another program has it open"])
            denies(device, "password-file=one", "readonly=true", words=["it is backed by"])
            detached()
        # Two devices over one file.
        first, second = loop("disk"), loop("disk")
        denies(first, "password-file=one", words=[f"{first}: it is backed by", f"{second} is backed by it"])
        detached()
        takes(first, "password-file=one")
        detached()
        # A read-only device.
        device = loop("disk", "-r")
        takes("disk", "password-file=one", "readonly=true")
        denies("disk", "password-file=one", words=[f"{device} is backed by it"])
        takes(device, "password-file=one")
        good("block devices are taken exclusively; loop devices over a file are seen, and the file under a device")
    finally:
        while loops:
            detached()


def opened():
    command = [BULAT, "volume", "open", "-p", "one", "--plugin", PLUGIN, "--socket", "sk", "disk"]
    server = Server(command=command, ready="disk is served at")
    assert os.stat("sk").st_mode & 0o777 == 0o600, oct(os.stat("sk").st_mode)
    line = pathlib.Path(f"/proc/{server.process.pid}/cmdline").read_bytes().split(b"\0")
    # A quota may allow fewer threads.
    assert 1 <= int(line[line.index(b"--threads") + 1]) <= len(os.sched_getaffinity(0)), line
    refuses(*command[1:], code=3, words=["sk: a server listens there"])
    assert Connection("sk").size == 1 << 20
    server.end(signal.SIGTERM)
    assert not os.path.exists("sk"), "the socket stays"
    server = Server(command=command, ready="is served at")
    server.end(signal.SIGKILL)
    assert os.path.exists("sk")
    # Nobody listens on it.
    with Server(command=command, ready="is served at"):
        assert Connection("sk").size == 1 << 20
    good("volume open says when it is ready, leaves no socket behind, and replaces the socket of a dead server")


def locked(pid):
    """Returns the locked memory of a process, in KiB."""
    return int(re.search(r"VmLck:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text())[1])


def memory():
    """Reads a server's memory: the volume key's pieces are in the key schedule, once, and nowhere else."""
    limits = "Max core file size 0 0 bytes"
    key = bytes((97 * i * i + 31 * i + 5) % 251 for i in range(64))
    pathlib.Path("raw").write_bytes(key)
    pathlib.Path("plain").write_bytes(bytes(1 << 20))
    with Server("plain", "type=plain", "key-file=raw") as server:
        proc = pathlib.Path(f"/proc/{server.process.pid}")
        assert limits in re.sub(" +", " ", (proc / "limits").read_text())
        if os.getuid():
            # Only root owns the files of a process that cannot be dumped.
            assert os.stat(proc / "mem").st_uid == 0
            print("skipped: the server's memory: that needs root")
            return
        assert error(Connection("sk"), WRITE, 0, 4096, b"x" * 4096) == 0
        found = dict.fromkeys(range(0, 64, 8), 0)
        with open(proc / "mem", "rb", 0) as mem:
            for line in (proc / "maps").read_text().splitlines():
                begin, end = (int(n, 16) for n in line.split()[0].split("-"))
                if line.split()[1][:2] == "rw" and "[v" not in line:
                    mem.seek(begin)
                    text = mem.read(end - begin)
                    for at in found:
                        found[at] += text.count(key[at:at + 8])
        assert max(found.values()) <= 1, found
        assert locked(server.process.pid), "the keys may be swapped out"
    # A child in the background does not inherit memory locks.
    ran = run("nbdkit", "-P", "pid", "-U", os.path.abspath("sk"), PLUGIN, "plain", "type=plain", "key-file=raw")
    assert ran.returncode == 0, ran
    # It answers after it has written its number and locked the keys.
    Connection("sk").socket.close()
    pid = int(pathlib.Path("pid").read_text())
    try:
        assert locked(pid), "in the background the keys may be swapped out"
    finally:
        os.kill(pid, signal.SIGTERM)
        for _ in range(6000):
            if not os.path.exists(f"/proc/{pid}"):
                break
            time.sleep(0.01)
    good("a server's memory has the key once, locked; no core files")


def main():
    work = tempfile.mkdtemp()
    os.chdir(work)
    os.umask(0o077)
    try:
        for name in "one", "two":
            pathlib.Path(name).write_text(name + "\n")
        for name in "kf", "kf1":
            pathlib.Path(name).write_text(f"the keyfile {name}")
        small = ["--size", "2M", "-p", "one"]
        for name in "disk", "pr":
            bulat("volume", "create", *CHEAP, *small, "--header-size", "1M", name)
        bulat("volume", "create", *VERA, *small, "box")
        chosen = os.environ.get("EDGES", "").split() or [t.__name__ for t in TESTS]
        for test in TESTS:
            if test.__name__ in chosen:
                begun = time.monotonic()
                test()
                if "EDGES_TIMES" in os.environ:
                    print(f"  {test.__name__}: {time.monotonic() - begun:.1f} s")
        print(f"{passed} edges passed")
    finally:
        os.chdir("/")
        shutil.rmtree(work)


TESTS = [parameters, plain_key, cut_short, hidden, others, locks, in_use, detached, devices, opened, memory]
main()
