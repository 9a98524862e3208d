"""Parses nvdisasm's output for NVIDIA's machine code: instructions and control flow. For crates/gpu/counts and crates/gpu/constant-time."""

import glob, os, re, subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def tools():
    """Returns the folder of PyPI's tools: target/nvcc, installed by crates/gpu/build-cuda, or target/nvdisasm, by ci/9-gpu.sh."""
    for folder in glob.glob(f"{ROOT}/target/nv*/lib/python3*/site-packages/nvidia/cu*/bin"):
        if all(os.path.exists(f"{folder}/{tool}") for tool in ("cuobjdump", "nvdisasm")):
            return folder
    raise SystemExit("no nvdisasm: python3 -m venv target/nvdisasm, and there pip install nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm")


def run(*args, **more):
    return subprocess.run(args, check=True, capture_output=True, text=True, **more).stdout


def cubins(tools, fatbin, folder, target="all"):
    """Returns the compiled programs in a file, by target."""
    name = os.path.basename(fatbin).removesuffix(".fatbin")
    for old in glob.glob(f"{folder}/{name}.*.cubin"):
        os.remove(old)
    run(f"{tools}/cuobjdump", "-xelf", target, fatbin, cwd=folder)
    found = glob.glob(f"{folder}/{name}.*.cubin")
    return {re.search(r"sm_\d+", f)[0]: f for f in sorted(found, key=lambda f: int(re.search(r"sm_(\d+)", f)[1]))}


def listing(tools, cubin):
    return functions(run(f"{tools}/nvdisasm", "-c", cubin))


def resources(tools, cubin):
    """Returns the functions' resources by name: the numbers REG, STACK, SHARED, LOCAL, CONSTANT[0] and so on."""
    text = run(f"{tools}/cuobjdump", "-res-usage", cubin)
    return {
        name: {k: int(v) for k, v in re.findall(r"(\S+):(\d+)", rest)}
        for name, rest in re.findall(r"Function (\w+):\s+(REG:.*)", text)
    }


def parameters(tools, cubin):
    """Returns the offsets and sizes of the kernels' parameters in the constant memory, by kernel, in order."""
    found = {}
    for name, info in re.findall(r"^\.nv\.info\.(\w+)$(.*?)(?=^\.nv|\Z)", run(f"{tools}/cuobjdump", "-elf", cubin), re.S | re.M):
        base = int(re.search(r"EIATTR_PARAM_CBANK\s+Format:.*\s+Value:\s+0x\w+ 0x(\w+)", info)[1], 16) & 0xFFFF
        each = re.findall(r"Ordinal : 0x(\w+)\s+Offset  : 0x(\w+)\s+Size    : 0x(\w+)", info)
        found[name] = [(base + at, n) for _, at, n in sorted([int(x, 16) for x in e] for e in each)]
    return found


class Instruction:
    def __init__(self, at, guard, opcode, operands):
        self.at, self.guard, self.opcode, self.operands = at, guard, opcode, operands

    def __str__(self):
        guard = f"@{self.guard} " if self.guard else ""
        return f"{guard}{self.opcode} {', '.join(self.operands)}".strip()


def functions(listing):
    """Returns the functions in nvdisasm's text: instructions, and positions of labels."""
    all, code, labels = {}, [], {}
    for line in listing.splitlines():
        if m := re.match(r"\s*\.section\s+\.text\.(\w+),", line):
            code, labels = [], {}
            all[m[1]] = (code, labels)
        elif re.match(r"\s*\.section\s", line):
            code, labels = [], {}
        elif m := re.match(r"(\.L_x_\d+|\$[\w$]+):", line):
            labels[m[1]] = len(code)
        elif m := re.match(r"\s*/\*([0-9a-f]+)\*/\s+(?:@(!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;", line):
            operands = [o.strip() for o in re.split(r",\s*(?![^\[]*\])", m[4])] if m[4] else []
            code.append(Instruction(m[1], m[2], m[3], operands))
    return all


def targets(instruction, labels):
    """Returns the labels that an instruction names."""
    return [labels[t] for o in instruction.operands for t in re.findall(r"\.L_x_\d+|\$[\w$]+", o) if t in labels]


def successors(i, code, labels):
    """Returns the possible successors of instruction i, and whether it is a branch."""
    op, guarded = code[i].opcode.split(".")[0], code[i].guard not in (None, "PT", "!UPT", "UPT")
    target = targets(code[i], labels)
    after = [i + 1] if i + 1 < len(code) else []
    if op in ("BRA", "JMP"):
        conditional = guarded or len(code[i].operands) > 1 or ".DIV" in code[i].opcode or ".CONV" in code[i].opcode
        return (target + after if conditional else target), True
    if op in ("EXIT", "RET"):
        return (after if guarded else []), True
    if op == "BRX":
        return target + (after if guarded else []), True
    if op == "CALL" and "warpsync" in code[i].operands[0]:
        return after, False
    if op == "CALL" and target:
        # In effect a jump, if the guard holds.
        return target + (after if guarded else []), True
    if op in ("JMX", "CALL", "BRXU"):
        raise SystemExit(f"unknown flow: {code[i].opcode}")
    return after, False
