"""Compiles the texts of OpenCL for AMD's cards by clang, for gpu/counts, and parses instructions and control flow.

Needs Debian's clang-16 and libclc-16 (`apt-get install clang-16 libclc-16`)."""

import os, re, subprocess

from sass import Instruction

CLANG = ["clang-16", "-w", "-x", "cl", "-cl-std=CL1.2", "-target", "amdgcn-amd-amdhsa", "-O2", "-S", "-nogpulib", "-Xclang", "-finclude-default-header"]
# ROCm's options for OpenCL.
INLINE = ["-mllvm", "-amdgpu-early-inline-all=true", "-mllvm", "-amdgpu-function-calls=false"]
LIBRARY = ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", "/usr/lib/clc/amdgcn--amdhsa.bc"]


# The time limit for a text, in seconds.
LIMIT = 1200


def assembly(text, target):
    """Returns clang's assembly of a text, cached next to it; None after the time limit."""
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
    """Returns the kernels: instructions, and positions of labels."""
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
    """Returns the kernels' resources according to clang: registers of both kinds, spills, bytes of memory per thread."""
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
