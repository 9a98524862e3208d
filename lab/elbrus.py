#!/usr/bin/env python3
"""Elbrus on paper: a model of e2k v3, v4 and v5 that schedules operations on the six channels of a wide instruction.

    lab/elbrus.py [--check]     writes its tables into lab/ELBRUS.md, and docs/elbrus.svg

It schedules the published designs, to be compared with their published figures, and then our constant-time forms, which it reads
from the sources in core/. With --check nothing is written, and the run fails if a file would change. It always fails if the model
misses a figure that it claims to reproduce by more than 15 %.

Caches, the number of registers (224), the cost of a loop and of a branch are not modelled. So the figures are for data and tables
in the first cache, and rather too low than too high.
"""

import heapq, re, sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE, CHART = ROOT / "lab/ELBRUS.md", ROOT / "docs/elbrus.svg"

# The channels that can begin an operation, from the opcode tables of binutils for e2k (github.com/OpenE2K/binutils-gdb, opcodes/e2k-opc.h,
# commit ae2c13e). A vector has 64 bits on v3 and v4, and its logic is that of integers, as registers are the same; v5 has 128 bits.
CHANNELS = {
    "v3, v4": {
        "integer": "012345",  # addd, andd, xord, shrd
        "combined": "14",  # shr_andd: two operations in one
        "load": "0235",  # ldd, 64 bits
        "store": "25",  # std
        "sum": "03",  # paddb, psubb, pcmpgtb, pminub
        "shift": "14",  # psrlw
        "shuffle": "0134",  # pshufb: eight bytes out of a table of sixteen
        "unpack": "14",  # punpcklbh
        "logic": "012345",  # andd, xord
    },
    "v5": {
        "integer": "012345",
        "combined": "14",
        "load": "0235",  # ldqp, 128 bits
        "store": "25",  # stqp
        "sum": "03",  # qpaddb
        "shift": "0134",  # qpsrlw
        "shuffle": "0134",  # qpshufb
        "unpack": "0134",  # qppermb
        "logic": "0134",  # qpand, qpxor
        "gate": "0134",  # qplog: any function of three inputs
    },
}

MODEL = {
    # Cycles until a result can be used. Of an integer operation and of a load on v4: the interpreter of LuaJIT for e2k
    # (github.com/helce/LuaJIT, src/vm_e2k.dasc, commit 1f3006ce). The others are not in the literature that we found: assumed.
    "integer": 1,
    "load": 3,
    "load of v5": 3,
    "combined": 2,
    "vector": 1,
    "store": 1,
    # Choices of form. Batches at once, by their place in a row of PUBLISHED; gates of three inputs on v5; Magma's design.
    "flight": 1,
    "gates": True,
    "magma": "bytes",
}


@contextmanager
def changed(where, change):
    kept = dict(where)
    where.update(change)
    yield
    where.update(kept)


class Program:
    """Operations: a kind, and the numbers of those that it waits for."""

    def __init__(self, machine):
        self.machine, self.wide, self.ops = machine, machine == "v5", []
        # Vectors of this many bytes.
        self.bytes = 16 if self.wide else 8

    def do(self, kind, *inputs):
        self.ops.append((kind, {x for x in inputs if x is not None}))
        return len(self.ops) - 1

    def sum(self, *values):
        """The sum of the values modulo 2; by threes where a gate has three inputs."""
        values, n = list(values), 3 if self.wide and MODEL["gates"] else 2
        while len(values) > 1:
            parts = [values[i : i + n] for i in range(0, len(values), n)]
            values = [p[0] if len(p) == 1 else self.do("gate" if len(p) == 3 else "logic", *p) for p in parts]
        return values[0]

    def merged(self):
        """The program with two gates in one of three inputs, where the processor has them and nobody else needs the first."""
        if not (self.wide and MODEL["gates"]):
            return self
        users, gone, to, ops = Counter(x for _, inputs in self.ops for x in inputs), set(), {}, self.ops
        for i, (kind, inputs) in enumerate(ops):
            for x in inputs if kind == "logic" else ():
                both = ops[x][1] | inputs - {x}
                if ops[x][0] == "logic" and users[x] == 1 and len(both) <= 3:
                    ops[i] = ("gate", both)
                    gone.add(x)
                    break
        self.ops = []
        for i, (kind, inputs) in enumerate(ops):
            if i not in gone:
                to[i] = self.do(kind, *(to[x] for x in inputs))
        return self

    def latency(self, kind):
        if kind == "logic" and not self.wide:
            kind = "integer"
        elif kind == "load" and self.wide:
            kind = "load of v5"
        return MODEL.get(kind, MODEL["vector"])

    def cycles(self):
        """The length of a schedule: in each cycle the operations that the most work waits for, as many as find a channel."""
        channels = CHANNELS[self.machine]
        users, waits, height = [[] for _ in self.ops], [len(i) for _, i in self.ops], [0] * len(self.ops)
        for i, (_, inputs) in enumerate(self.ops):
            for x in inputs:
                users[x].append(i)
        for i in reversed(range(len(self.ops))):
            height[i] = self.latency(self.ops[i][0]) + max((height[u] for u in users[i]), default=0)
        at, later, ready, left = [0] * len(self.ops), {}, {k: [] for k in channels}, len(self.ops)
        later[0] = [i for i, n in enumerate(waits) if n == 0]
        cycle = end = 0
        while left:
            for i in later.pop(cycle, ()):
                heapq.heappush(ready[self.ops[i][0]], (-height[i], i))
            held, full = {}, set()

            def place(kind, seen):
                for c in channels[kind]:
                    if c not in seen:
                        seen.add(c)
                        if c not in held or place(held[c], seen):
                            held[c] = kind
                            return True
                return False

            while heads := [(q[0], k) for k, q in ready.items() if q and k not in full]:
                (_, i), kind = min(heads)
                if not place(kind, set()):
                    full.add(kind)
                    continue
                heapq.heappop(ready[kind])
                left -= 1
                done = cycle + self.latency(kind)
                end = max(end, done)
                for u in users[i]:
                    waits[u] -= 1
                    at[u] = max(at[u], done)
                    if not waits[u]:
                        later.setdefault(at[u], []).append(u)
            cycle += 1
        return end


# The published designs.


def kuznyechik_tables(p, blocks):
    """E-KUZ: L(S(x)) by a table of 64 KB; a byte is shifted and masked to its offset (lab/engines/designs/src/e_kuz.rs)."""
    for _ in range(blocks):
        x = [p.do("load") for _ in range(16 // p.bytes)]
        for _ in range(9):
            x = [p.do("logic", v) for v in x]
            # On v5 the high half moves down first.
            halves = [x[0], p.do("unpack", x[0])] if p.wide else x
            at = [p.do("combined", halves[i // 8]) for i in range(16)]
            x = [p.sum(*(p.do("load", a) for a in at)) for _ in x]
        for v in x:
            p.do("store", p.do("logic", v))


def zip_(p, x, bits):
    for bit in bits:
        x = [p.do("unpack", x[i & ~bit], x[i | bit]) for i in range(len(x))]
    return x


def magma_bytes(p, batches):
    """Sixteen blocks, a byte of all of them in a vector, an S-box a look-up: our form (core/src/magma/bytes.rs)."""
    for _ in range(batches * 16 // p.bytes):
        x = zip_(p, [p.do("load") for _ in range(8)], (1, 4, 2, 1))
        n1, n2 = x[:4], x[4:]
        for _ in range(32):
            sums, carry = [], None
            for j, a in enumerate(n1):
                t = p.do("sum", a)
                over = None if j == 3 else p.do("sum", t)
                s = t if j == 0 else p.do("sum", t, carry)
                carry = over if j in (0, 3) else p.do("logic", over, p.do("sum", t, s))
                sums.append(s)
            for j, s in enumerate(sums):
                low, high = p.do("logic", s), p.do("logic", p.do("shift", s))
                i, n = (j + 1) % 4, (j + 2) % 4
                n2[i] = p.sum(p.do("shuffle", low), p.do("shuffle", high), n2[i])
                n2[n] = p.do("logic", n2[n], p.do("shuffle", high))
            n1, n2 = n2, n1
        for v in zip_(p, n1 + n2, (4, 2, 1)):
            p.do("store", v)


def magma_transposed(p, batches):
    """Sixteen blocks, words transposed to bytes and back in each round: the lab's (lab/engines/designs/src/e_mag.rs, AVX)."""
    parts = 16 // p.bytes
    for _ in range(batches):
        halves = [[p.do("load") for _ in range(4 * parts)] for _ in range(2)]
        for r in range(32):
            a, b = halves[r % 2], halves[1 - r % 2]
            x = zip_(p, [p.do("shuffle", p.do("sum", v)) for v in a], (1, 2))
            x = [
                p.do("logic", p.do("shuffle", p.do("logic", v)), p.do("shuffle", p.do("logic", p.do("shift", v))))
                for v in x
            ]
            x = [p.do("logic", p.do("shift", v), p.do("shift", v)) for v in zip_(p, x, (1, 2))]
            halves[1 - r % 2] = [p.do("logic", v, y) for v, y in zip(x, b)]
        for v in halves[0] + halves[1]:
            p.do("store", v)


# Our forms, from the sources.

# The kind of an instruction of AVX2. Those without one only move halves or names of registers.
INSTRUCTIONS = {
    "vpxor": "logic", "vpand": "logic", "vpshufb": "shuffle", "vpaddb": "sum", "vpsubb": "sum", "vpminub": "sum",
    "vpaddusb": "sum", "vpsubusb": "sum", "vpsrlw": "shift", "vpunpcklwd": "unpack", "vpunpckhwd": "unpack",
    "vpermq": "unpack", "vperm2i128": None, "vmovdqa": None, "vbroadcasti128": None,
}  # fmt: skip


def assembly(p, path, times, parts, moved=()):
    """A loop's body in core/asm, several times over, on `parts` vectors for each of its registers. Memory at a register of `moved` is
    another register, since there are 224; other memory is tables, each loaded once a pass: one of 16 bytes for all parts if it is
    broadcast, else one for each 16 bytes of a register."""
    registers, rows = {}, []
    for line in (ROOT / path).read_text().splitlines():
        if found := re.match(r"(v\w+) (.*)", line):
            if found[1] != "vzeroupper":
                rows.append((found[1], re.findall(r"\[[^]]*\]|\w+", re.sub(r"\w+ ptr ", "", found[2]))))
    for _ in range(times):
        tables = {}

        def read(place, name):
            if place.isdigit():
                return [None] * parts
            if not place.startswith("[") or place[1:4] in moved:
                return registers.get(place, [None] * parts)
            if place not in tables:
                n, each = 1 if name == "vbroadcasti128" else parts * p.bytes // 16, 16 // p.bytes
                loads = [[p.do("load") for _ in range(each)] for _ in range(n)]
                tables[place] = [loads[i // each % n] for i in range(parts)]
            return tables[place]

        for name, (to, *of) in rows:
            inputs, kind = [read(x, name) for x in of], INSTRUCTIONS[name]
            if name == "vperm2i128":
                half = parts // 2
                out = inputs[0][half:] + inputs[0][:half]
            elif kind is None:
                out = inputs[0]
            else:
                out = []
                for part in range(parts):
                    flat = []
                    for x in inputs:
                        flat += x[part] if isinstance(x[part], list) else [x[part]]
                    out.append(p.do(kind, *flat))
            registers[to] = out


def circuits(name):
    """The gates of the eight boxes of tc26-Z, of two or three inputs (core/src/magma/sbox/circuits.rs)."""
    text = (ROOT / "core/src/magma/sbox/circuits.rs").read_text().split(f"fn {name}<")[1]
    for box in range(40, 48):
        body = re.search(rf"\n +{box} => {{ (.*) \[(.*)\] }}", text)
        gates = [(to, re.findall(r"\b[a-z]\b", of)) for to, of in re.findall(r"let (\w) = ([^;]*);", body[1])]
        yield gates, [re.findall(r"\b[a-x]\b", out) for out in re.split(r", (?=y\[|!?\w(?:,|$))", body[2])]


def exchange(p, x, levels):
    """A stage of a transposition of bits for each of `levels`: shift, sum, mask, and back (core/src/magma/bitslice/nibbles.rs)."""
    for level in levels:
        for i in range(len(x)):
            if not i & level:
                j, shift = i | level, "shift" if p.wide else "integer"
                t = p.do("logic", p.do("logic", p.do(shift, x[i]), x[j]))
                x[i], x[j] = p.do("logic", x[i], p.do(shift, t)), p.do("logic", x[j], t)
    return x


def magma_planes(p, batches):
    """Bit planes: as many blocks a batch as a vector has bits (core/src/magma/bitslice)."""
    boxes, gate = list(circuits("three" if p.wide else "two")), "gate" if p.wide else "logic"
    for _ in range(batches):
        x = [p.do("load") for _ in range(64)]
        if p.wide:
            x = [p.do("shuffle", v) for v in x]
        x = exchange(p, zip_(p, x, (8, 16, 32)), (1, 2, 4))
        n1, n2 = x[:32], x[32:]
        for _ in range(32):
            carry, sums = None, []
            for i, a in enumerate(n1):
                key = p.do("load")
                if i == 0:
                    sums.append(p.do("logic", a, key))
                    carry = p.do("logic", a, key)
                elif p.wide:
                    sums.append(p.do("gate", a, key, carry))
                    carry = p.do("gate", a, key, carry)
                else:
                    t = p.do("logic", a, key)
                    sums.append(p.do("logic", t, carry))
                    carry = p.do("logic", key, p.do("logic", t, p.do("logic", key, carry)))
            for n, (gates, outputs) in enumerate(boxes):
                at = dict(zip("abcd", sums[4 * n : 4 * n + 4]))
                for to, of in gates:
                    at[to] = p.do(gate, *(at[x] for x in of))
                for j, of in enumerate(outputs):
                    i = (4 * n + 11 + j) % 32
                    n2[i] = p.do(gate, n2[i], *(at[x] for x in of))
            n1, n2 = n2, n1
        x = zip_(p, exchange(p, n1 + n2, (1, 2, 4)), (8, 16, 32))
        if p.wide:
            x = [p.do("shuffle", v) for v in x]
        for v in x:
            p.do("store", v)


def pi(p, x):
    """S by gates (core/src/pi.rs); inverters are in the gates that follow."""
    body = re.search(r"pub fn pi<.*?\n}", (ROOT / "core/src/pi.rs").read_text(), re.S)[0]
    at = {f"x{i}": v for i, v in enumerate(x)}
    for to, of in re.findall(r"let (\w+) = (.*);", body):
        of = [at[v] for v in re.findall(r"\b[txy]\d+\b", of)]
        at[to] = of[0] if len(of) == 1 else p.do("logic", *of)
    return [at[f"y{i}"] for i in range(8)]


# The constants of l (RFC 7801, section 4.2), the first eight; they read the same backwards.
L = (148, 32, 133, 16, 194, 192, 1, 251)


def kuznyechik_planes(p, rounds):
    """Bit planes, L as sixteen steps of its register (core/src/kuznyechik/bitslice.rs): rounds on as many blocks as a vector has bits."""
    add = lambda a, b: [y if x is None else p.do("logic", x, y) for x, y in zip(a, b)]
    state = [[None] * 8 for _ in range(16)]
    for _ in range(rounds):
        state = [pi(p, [p.do("logic", v, p.do("load")) for v in byte]) for byte in state]
        window = [None] * 16 + state
        for i in reversed(range(16)):
            at = window[i + 1 : i + 16]
            pairs = [add(at[k], at[14 - k]) for k in range(7)] + [at[7]]
            new = [None] * 8
            for bit in reversed(range(8)):
                top = new[7]
                new = [top] + new[:7]
                for k in (1, 6, 7) if top is not None else ():
                    new[k] = p.do("logic", new[k], top)
                for k in range(8):
                    if L[k] >> bit & 1:
                        new = add(new, pairs[k])
            window[i] = add(new, window[i + 16])
        state = window[:16]


def transpositions(p):
    """Of 64 rows of 64 bits, twice, to planes and back, and the last key (the same file)."""
    for key in (False, True):
        for _ in range(2):
            x = [p.do("load") for _ in range(64)]
            for v in exchange(p, [p.do("logic", v, p.do("load")) for v in x] if key else x, (1, 2, 4, 8, 16, 32)):
                p.do("store", v)


def unpacked(p):
    """Of sixteen vectors of bytes to places and back, with the product by D1 and the last key (core/src/kuznyechik/round.rs)."""
    x = zip_(p, [p.do("load") for _ in range(16)], (1, 2, 4, 8))
    for i, v in enumerate(x):
        tables = [[p.do("load") for _ in range(16 // p.bytes)] for _ in range(2)]
        low, high = p.do("logic", v), p.do("logic", p.do("shift", v))
        x[i] = p.sum(p.do("shuffle", low, *tables[0]), p.do("shuffle", high, *tables[1]), p.do("load"))
    for v in zip_(p, x, (1, 2, 4, 8)):
        p.do("store", v)


# The comparison.


def made(machine, form, *size):
    p = Program(machine)
    form(p, *size)
    return p.merged()


def cost(machine, form, size, bytes_):
    return made(machine, form, size).cycles() / bytes_


def grown(machine, form, n):
    """The cycles that one more round costs."""
    return made(machine, form, n + 1).cycles() - made(machine, form, n).cycles()


def magma(p, batches):
    (magma_bytes if MODEL["magma"] == "bytes" else magma_transposed)(p, batches)


# Row, machine, form, blocks or batches at once (one batch; in flight, as many as hide every latency), bytes of one, and the published
# figure (E-KUZ and E-MAG in docs/BENCHMARKS.md).
PUBLISHED = [
    ("Kuznyechik, one block after another", "v3, v4", kuznyechik_tables, (1, 1), 16, 10.4),
    ("Kuznyechik, 8 blocks", "v3, v4", kuznyechik_tables, (8, 16), 16, 8.6),
    ("Kuznyechik, 8 blocks", "v5", kuznyechik_tables, (8, 16), 16, 5.1),
    ("Magma, 16 blocks", "v3, v4", magma, (1, 3), 128, 5.2),
    ("Magma, 16 blocks", "v5", magma, (1, 3), 128, 2.8),
]
OTHERWISE = [
    ("one batch at a time", MODEL, {"flight": 0}),
    ("no gates of three inputs", MODEL, {"gates": False}),
    ("logic on the four channels of vectors", CHANNELS["v3, v4"], {"logic": "0134"}),
    ("Magma by words, transposed in each round", MODEL, {"magma": "words"}),
    ("combined operations in 1 cycle", MODEL, {"combined": 1}),
    ("combined operations in 3 cycles", MODEL, {"combined": 3}),
    ("operations on vectors in 2 cycles", MODEL, {"vector": 2}),
    ("the same, one batch at a time", MODEL, {"vector": 2, "flight": 0}),
    ("loads of v5 in 5 cycles", MODEL, {"load of v5": 5}),
]


def kuznyechik_nibbles(machine):
    rounds = lambda p, n: assembly(p, "core/asm/kuznyechik/avx2-encrypt.s", n, 2, ("rdi", "r10"))
    size = Program(machine).bytes
    return grown(machine, rounds, 2) * 9 / (32 * size) + cost(machine, lambda p, _: unpacked(p), 0, 16 * size)


def kuznyechik_by_planes(machine):
    size = Program(machine).bytes
    return (9 * grown(machine, kuznyechik_planes, 1) + made(machine, transpositions).cycles()) / (128 * size)


def streebog_nibbles(machine):
    lps = lambda p, n: assembly(p, "core/asm/streebog/avx2.s", n, 32 // p.bytes)
    return 13 * grown(machine, lps, 2) / 64


# Row, source, cycles a byte, and the rows of PUBLISHED for v3, v4 and for v5 that do the same work.
OURS = [
    ("Kuznyechik ECB, nibbles", "core/asm/kuznyechik/avx2-encrypt.s", kuznyechik_nibbles, (1, 2)),
    ("Kuznyechik ECB, bit planes", "core/src/kuznyechik/bitslice.rs", kuznyechik_by_planes, (1, 2)),
    ("Magma ECB, bytes", "core/src/magma/bytes.rs", lambda m: cost(m, magma_bytes, 3, 384), ()),
    (
        "Magma ECB, bit planes",
        "core/src/magma/bitslice",
        lambda m: cost(m, magma_planes, 2, 128 * Program(m).bytes),
        (3, 4),
    ),
    ("Streebog-512, one message, nibbles", "core/asm/streebog/avx2.s", streebog_nibbles, ()),
]


def miss(model, published):
    return f"{model:.1f} ({100 * (model / published - 1):+.0f} %)".replace("-", "−")


def table(head, rows):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(r) + " |" for r in lines).replace("| --- |", "|---|").replace("--: |", "--:|").replace(" --:", "--:")


def modelled(row):
    _, machine, form, sizes, bytes_, _ = row
    n = sizes[MODEL["flight"]]
    return cost(machine, form, n, bytes_ * n)


def report():
    """The tables, the bars of the chart, and the worst miss."""
    model = [modelled(row) for row in PUBLISHED]
    cells = [miss(m, row[-1]) for m, row in zip(model, PUBLISHED)]
    first = [["published", *(str(row[-1]) for row in PUBLISHED)], ["**the model**", *(f"**{c}**" for c in cells)]]
    for name, where, change in OTHERWISE:
        with changed(where, change):
            other = [miss(modelled(row), row[-1]) for row in PUBLISHED]
        first.append([name, *("" if o == c else o for o, c in zip(other, cells))])
    third, best = [], {}
    for name, source, form, published in OURS:
        cells = []
        for machine, row in zip(CHANNELS, published or [None] * 2):
            c = form(machine)
            cells.append(f"{c:.1f}" + (f" ({c / model[row]:.2f} times {model[row]:.1f})" if row else ""))
            key = name.split()[0], machine
            best[key] = min(best.get(key, (1e9, "")), (c, name.split(", ")[-1]))
        third.append([f"{name} (`{source}`)", *cells])
    heads = [f"{name}, {machine}" for name, machine, *_ in PUBLISHED]
    text = table(["cycles a byte", *heads], first) + "\n\n" + table(["our form", *CHANNELS], third) + "\n"
    bars = []
    for (name, machine, *_, published), m in zip(PUBLISHED, model):
        ours = best[(name.split(",")[0], machine)] if "one block" not in name else None
        bars.append((name, machine, published, m, ours))
    worst = max(abs(m / row[-1] - 1) for m, row in zip(model, PUBLISHED))
    return text, chart(bars), worst


def chart(bars):
    """Published, the model of it, and ours by the model; it has its own ground, for light pages and dark ones."""
    style = (
        "text{fill:#1b1d20}.soft{fill:#5b636d}.peer{fill:#9aa5b1}.model{fill:#d3d9df}.ours{fill:#0a84d6}.ground{fill:#fff}"
        "@media(prefers-color-scheme:dark){text{fill:#e8eaed}.soft{fill:#a3abb5}.peer{fill:#66717d}.model{fill:#3f4750}"
        ".ours{fill:#3ba3f0}.ground{fill:#16181b}}"
    )
    left, top, wide, high = 300, 84, 290, 16
    most = max(max(b[2], b[3], b[4][0] if b[4] else 0) for b in bars)
    out, y = [], top
    for name, machine, published, model, ours in bars:
        rows = [("peer", published, "published"), ("model", model, "model of it")]
        if ours:
            rows.append(("ours", ours[0], f"bulat, {ours[1]}, more blocks: model"))
        out.append(f'<text x="{left - 10}" y="{y + high * len(rows) / 2 + 4:.0f}" text-anchor="end">{name}, {machine}</text>')
        for kind, value, word in rows:
            length = wide * value / most
            out.append(
                f'<rect class="{kind}" x="{left}" y="{y}" width="{length:.1f}" height="13" rx="2"/>'
                f'<text class="soft" x="{left + length + 8:.1f}" y="{y + 11}">{value:.1f} {word}</text>'
            )
            y += high
        y += 14
    title = "Cycles per byte on Elbrus: published, and by a model"
    note = "Less is faster. No program of ours has run there: bars of the model are computed, not measured"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {y}" font-family="system-ui, sans-serif" font-size="14" role="img" '
        f'aria-label="{title}. {note}."><style>{style}</style>\n<rect class="ground" width="800" height="{y}" rx="6"/>\n'
        f'<text x="20" y="32" font-size="18" font-weight="600">{title}</text>\n<text class="soft" x="20" y="56">{note}</text>\n'
        + "\n".join(out)
        + "\n</svg>\n"
    )


def main():
    text, svg, worst = report()
    page = PAGE.read_text()
    new = re.sub(r"(?<=<!-- lab/elbrus.py -->\n).*?(?=<!-- end -->)", lambda _: text, page, flags=re.S)
    stale = False
    for path, old, made_ in ((PAGE, page, new), (CHART, CHART.read_text() if CHART.exists() else "", svg)):
        if old != made_:
            stale = True
            print(f"{path.relative_to(ROOT)}: {'is out of date' if '--check' in sys.argv else 'written'}")
            if "--check" not in sys.argv:
                path.write_text(made_)
    if worst > 0.15:
        sys.exit(f"the model misses a published figure by {100 * worst:.0f} %")
    if stale and "--check" in sys.argv:
        sys.exit("lab/elbrus.py writes them")


if __name__ == "__main__":
    main()
