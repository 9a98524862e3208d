"""Code for AMD's cards as clang writes it, for gpu/counts: compiled from the texts of OpenCL, instructions, where control goes.

Debian's clang-16 and libclc-16 (`apt-get install clang-16 libclc-16`)."""

import os, re, subprocess

from sass import Instruction

CLANG = ["clang-16", "-w", "-x", "cl", "-cl-std=CL1.2", "-target", "amdgcn-amd-amdhsa", "-O2", "-S", "-nogpulib", "-Xclang", "-finclude-default-header"]
# As ROCm calls it for OpenCL.
INLINE = ["-mllvm", "-amdgpu-early-inline-all=true", "-mllvm", "-amdgpu-function-calls=false"]
LIBRARY = ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", "/usr/lib/clc/amdgcn--amdhsa.bc"]


# Seconds that a text may take.
LIMIT = 1200


def assembly(text, target):
    """What clang makes of a text, kept beside it; nothing where that takes too long."""
    to = f"{text.removesuffix('.cl')}.{target}.s"
    if not os.path.exists(to) or os.path.getmtime(to) < os.path.getmtime(text):
        command = ["nice", *CLANG, *INLINE, *LIBRARY, f"-mcpu={target}", text, "-o", to + ".new"]
        try:
            subprocess.run(command, check=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None
        os.rename(to + ".new", to)
    return open(to).read()


def functions(text):
    """The kernels: instructions, and where labels stand."""
    all_, code, labels = {}, [], {}
    for line in text.splitlines():
        line = line.split(";")[0].rstrip()
        if m := re.match(r"([A-Za-z_]\w*):", line):
            code, labels = [], {}
            all_[m[1]] = (code, labels)
        elif m := re.match(r"(\.LBB\w+):", line):
            labels[m[1]] = len(code)
        elif m := re.match(r"\t([a-z]\w*)\s*(.*)", line):
            code.append(Instruction(None, None, m[1], [m[2]]))
    return {name: f for name, f in all_.items() if f[0]}


def resources(text):
    """What the kernels use, as clang says: registers of both kinds, spills, bytes of a thread in memory."""
    kernels = re.split(r"\n  - \.a", text[text.index("amdhsa.kernels:") :])[1:]
    return {re.search(r"\n    \.name:\s+(\w+)", k)[1]: {n: int(v) for n, v in re.findall(r"\.(\w+): +(\d+)\n", k)} for k in kernels}


def successors(i, code, labels):
    op = code[i].opcode
    target = [labels[t] for t in re.findall(r"\.LBB\w+", code[i].operands[0])]
    if op == "s_endpgm":
        return [], True
    if op == "s_branch":
        return target, True
    if op in ("s_setpc_b64", "s_swappc_b64", "s_cbranch_g_fork"):
        raise SystemExit(f"unknown flow: {op}")
    return target + ([i + 1] if i + 1 < len(code) else []), bool(target)
