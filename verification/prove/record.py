"""Records a processor's answers: reads lines of `prove --forms`, a seed and an instruction, and writes the answers of answers.txt.

It needs `cc`, and a processor with AVX-512 or AVX2. AVX2 answers for instructions without masks on xmm0 to ymm15; of a
vector it shows 32 bytes, of which VEX forms zero the rest by definition. A state is 32 vectors, 8 masks, 16 registers, flags and 64 bytes of memory, all
from the seed, as `state` of record.rs has it.
"""
import re, struct, subprocess, sys, tempfile
from pathlib import Path

MASKS, GENERAL, FLAGS, MEMORY, STATE = 2048, 2112, 2240, 2248, 2312
NAMES = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
WORD = (1 << 64) - 1


def numbers(seed):
    while True:
        seed = seed + 0x9E3779B97F4A7C15 & WORD
        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
        yield z ^ z >> 31


def state(seed):
    source = numbers(seed)
    all = bytearray(b"".join(struct.pack("<Q", next(source)) for _ in range(STATE // 8)))
    if seed % 3 == 0:
        for i in range(GENERAL, FLAGS):
            if (i - GENERAL) % 8 > 1:
                all[i] = 0
    all[FLAGS:MEMORY] = struct.pack("<Q", next(source) & 0x8C5 | 0x202)
    return bytes(all)


def moves(template, places):
    return "\n".join(template.format(r=r, at=at) for r, at in places)


lines = [line.rstrip("\n").split(" ", 1) for line in sys.stdin if not line.startswith("#")]
WIDE = "avx512vbmi" in Path("/proc/cpuinfo").read_text()
VECTORS = [(r, 64 * r) for r in range(32 if WIDE else 16)]
KS = [(r, MASKS + 8 * r) for r in range(8 if WIDE else 0)]
VECTOR = "vmovdqu64 zmm{r},[rdi+{at}]" if WIDE else "vmovdqu ymm{r},[rdi+{at}]"
BACK = "vmovdqu64 [rdi+{at}],zmm{r}" if WIDE else "vmovdqu [rdi+{at}],ymm{r}"
# Not the stack pointer; rdi points to the state.
REGISTERS = [(name, GENERAL + 8 * i) for i, name in enumerate(NAMES) if i not in (4, 7)]
KEPT = "rbx rbp r12 r13 r14 r15".split()
text = [".intel_syntax noprefix\n.bss\n.balign 64\n.globl mem\nmem: .skip 64\nbase: .skip 8\nkept: .skip 8\n.text"]
for i, (_, instruction) in enumerate(lines):
    text += [f"t{i}:", *(f"push {r}" for r in KEPT), "mov [rip+base],rdi",
             moves(VECTOR, VECTORS), moves("kmovq k{r},[rdi+{at}]", KS),
             f"push QWORD PTR [rdi+{FLAGS}]\npopfq", moves("mov {r},[rdi+{at}]", REGISTERS),
             f"mov rdi,[rdi+{GENERAL + 56}]\n{instruction}\nmov [rip+kept],rdi\nmov rdi,[rip+base]",
             moves("mov [rdi+{at}],{r}", REGISTERS), f"pushfq\npop [rdi+{FLAGS}]",
             f"mov rax,[rip+kept]\nmov [rdi+{GENERAL + 56}],rax",
             moves(BACK, VECTORS), moves("kmovq [rdi+{at}],k{r}", KS),
             "vzeroupper", *(f"pop {r}" for r in reversed(KEPT)), "ret"]
text += [".data\n.globl all\nall:", *(f".quad t{i}" for i in range(len(lines))), ""]
MAIN = f"""#include <stdio.h>
#include <string.h>
extern unsigned char mem[64]; extern void (*all[])(void *);
int main(void) {{
  static unsigned char b[{STATE}]; unsigned n;
  while (fread(&n, 4, 1, stdin) == 1 && fread(b, 1, {STATE}, stdin) == {STATE}) {{
    memcpy(mem, b + {MEMORY}, 64); all[n](b); memcpy(b + {MEMORY}, mem, 64); fwrite(b, 1, {STATE}, stdout);
  }}
}}
"""
with tempfile.TemporaryDirectory() as folder:
    for name, content in (("t.S", "\n".join(text)), ("m.c", MAIN)):
        with open(f"{folder}/{name}", "w") as file:
            file.write(content)
    subprocess.run(["cc", "-O1", "-no-pie", "-o", "m", "m.c", "t.S"], cwd=folder, check=True)
    before = [state(int(seed)) for seed, _ in lines]
    given = b"".join(struct.pack("<I", i) + s for i, s in enumerate(before))
    out = subprocess.run([f"{folder}/m"], input=given, stdout=subprocess.PIPE, check=True).stdout
assert len(out) == STATE * len(lines), "the processor stopped"
for i, (seed, instruction) in enumerate(lines):
    old, new, at, changes = before[i], bytearray(out[STATE * i:STATE * (i + 1)]), 0, []
    to = re.match(r"v\S+ [xy]mm(\d+)", instruction)
    if to and not WIDE:
        new[64 * int(to[1]) + 32:64 * int(to[1]) + 64] = bytes(32)
    while at < STATE:
        end = at
        while end < STATE and old[end] != new[end]:
            end += 1
        if end > at:
            changes.append(f" {at:x}:{new[at:end].hex()}")
        at = end + 1
    print(f"{seed} {instruction} ={''.join(changes)}")
