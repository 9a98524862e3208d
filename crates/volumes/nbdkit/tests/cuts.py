#!/usr/bin/env python3
"""Kills the server at random moments under load, many times: everything flushed, or written with FUA, must survive.

cuts.py KILLS SOCKET COMMAND...   COMMAND serves a volume on SOCKET in the foreground.

A volume is cells of 4096 bytes, each filled with its number and a counter. Several writes are in progress at once, on two
connections. After a kill every cell must hold the data of its last flushed write, or of a later one; a cell that was being
written when the server died may hold anything.
"""
import os, random, select, signal, socket, struct, subprocess, sys, time

CELL = 4096
READ, WRITE, FLUSH, FUA = 0, 1, 3, 1


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        assert self.take(16) == b"NBDMAGICIHAVEOPT"
        self.take(2)
        self.socket.sendall(struct.pack(">I8sII", 3, b"IHAVEOPT", 1, 0))
        self.size, self.flags = struct.unpack(">QH", self.take(10))
        self.under_way, self.next = {}, 0

    def take(self, n):
        parts = []
        while n:
            part = self.socket.recv(n)
            if not part:
                raise ConnectionError
            parts.append(part)
            n -= len(part)
        return b"".join(parts)

    def ask(self, kind, offset, length, data=b"", flags=0, what=None):
        self.next += 1
        self.under_way[self.next] = what
        self.socket.sendall(struct.pack(">IHHQQI", 0x25609513, flags, kind, self.next, offset, length) + data)

    def answer(self):
        magic, error, handle = struct.unpack(">IIQ", self.take(16))
        assert magic == 0x67446698 and error == 0, (hex(magic), error)
        return self.under_way.pop(handle)

    def read(self, offset, length):
        self.ask(READ, offset, length)
        self.answer()
        return self.take(length)


def start(command, path):
    if os.path.exists(path):
        os.unlink(path)
    server = subprocess.Popen(command)
    for _ in range(12000):
        if os.path.exists(path):
            try:
                return server, [Connection(path), Connection(path)]
            except ConnectionError:
                pass
        if server.poll() is not None:
            sys.exit("the server ended")
        time.sleep(0.005)
    sys.exit("the server does not start")


def filled(cell, counter):
    return struct.pack("<QQ", cell, counter) * (CELL // 16)


def main():
    kills, path, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    generator = random.Random(1)
    # Greater than the counters of an earlier run on this volume.
    counter, lasting, done, durable, torn = time.time_ns() // 1000, {}, 0, 0, set()
    written = {}  # for each cell, all counters ever sent
    for kill in range(kills + 1):
        server, connections = start(command, path)
        size = min(connections[0].size, 4 << 20) // CELL
        image = connections[0].read(0, size * CELL)
        for cell in range(size):
            text = image[cell * CELL:(cell + 1) * CELL]
            number, found = struct.unpack("<QQ", text[:16])
            good = text == filled(number, found) and number == cell
            least = lasting.get(cell)
            if cell in torn:
                # The present content must now stay.
                lasting.pop(cell, None)
                if good:
                    lasting[cell] = found
                    written.setdefault(cell, set()).add(found)
                continue
            if least is not None:
                assert good and found >= least and found in written[cell], f"kill {kill}: cell {cell}: {found} for {least}"
        torn = set()
        if kill == kills:
            server.kill()
            server.wait()
            break
        # Writes that were answered but not flushed; those in progress, by cell.
        answered, under_way = {}, {}
        end = time.monotonic() + generator.uniform(0.002, 0.06)
        try:
            while True:
                if time.monotonic() > end and durable >= 20 and server.poll() is None:
                    server.send_signal(signal.SIGKILL)
                    end = float("inf")
                for connection in connections:
                    while len(connection.under_way) < 8 and server.poll() is None:
                        cells = generator.choice((1, 1, 2, 8, 32))
                        first = generator.randrange(size - cells)
                        some = range(first, first + cells)
                        if generator.random() < 0.1:
                            connection.ask(FLUSH, 0, 0, what=("flush", dict(answered)))
                            continue
                        if any(cell in under_way for cell in some):
                            break
                        counter += 1
                        fua = generator.random() < 0.2
                        for cell in some:
                            under_way[cell] = counter
                            written.setdefault(cell, set()).add(counter)
                        data = b"".join(filled(cell, counter) for cell in some)
                        what = ("fua" if fua else "write", dict.fromkeys(some, counter))
                        connection.ask(WRITE, first * CELL, cells * CELL, data, FUA if fua else 0, what)
                ready, _, _ = select.select([c.socket for c in connections], [], [], 1)
                for connection in connections:
                    if connection.socket in ready:
                        kind, cells = connection.answer()
                        done += 1
                        if kind != "flush":
                            for cell in cells:
                                under_way.pop(cell, None)
                            answered.update(cells)
                        if kind != "write":
                            for cell, count in cells.items():
                                if count > lasting.get(cell, 0):
                                    lasting[cell], durable = count, durable + 1
        except (ConnectionError, BrokenPipeError):
            pass
        server.wait()
        for connection in connections:
            connection.socket.close()
        torn = set(under_way)
    print(f"{kills} kills, {done} requests answered, {durable} cells flushed or written through: none lost")


if __name__ == "__main__":
    main()
