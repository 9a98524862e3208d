// Generate builds the crate bindings/go/kernels for each instruction set and writes its machine code as Go assembly.
//
//	go run ./internal/native/generate            writes kernels_*.s
//	go run ./internal/native/generate -check     builds, and compares with the files
//
// The code becomes one piece with its constants, in which every address is relative to the instruction that uses it, so that
// Go's linker, which applies no relocations of ELF in a static program, has none to apply: for Linux, macOS and Windows alike.
// Three kinds of relocations need a change here:
//   - a call through the table of offsets becomes a call;
//   - an absolute address may only be in a description that nobody reads: the place of a panic, or the names in the tuning
//     table. It becomes an address that faults;
//   - the choice of forms by processor, which the library keeps in a variable, becomes a constant.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

type set struct {
	name, goarch, target string
	features             string
}

var sets = []set{
	{"gfni512", "amd64", "x86_64-unknown-linux-gnu", "+avx512f,+avx512bw,+avx512vl,+avx512vbmi,+gfni,+avx2,+bmi2,+vpclmulqdq,+pclmulqdq,+ssse3"},
	{"avx2gfni", "amd64", "x86_64-unknown-linux-gnu", "+avx2,+gfni,+vpclmulqdq,+pclmulqdq,+ssse3"},
	{"avx2", "amd64", "x86_64-unknown-linux-gnu", "+avx2,+pclmulqdq,+ssse3"},
	{"neon", "arm64", "aarch64-unknown-linux-gnu", "+neon,+aes,+reserve-x18"},
}

// script puts everything in one section: first the function that Go calls.
const script = `SECTIONS {
  .all 0 : ALIGN(64) {
    KEEP(*(.text.first))
    *(.text .text.*)
    . = ALIGN(64);
    *(.rodata .rodata.*)
    . = ALIGN(64);
    *(.data.rel.ro .data.rel.ro.* .data .data.* .bss .bss.* COMMON)
    . = ALIGN(8);
    *(.got .got.*)
  }
  /DISCARD/ : { *(.comment) *(.note*) *(.eh_frame*) *(.gnu*) *(.debug*) *(.gcc_except_table*) }
}
`

// forms of the tuning table that a Go program has: "asked", and the first form of each choice.
const forms = 1 << 31

// poison is no address of a program: a read of it faults.
const poison = 0xdead_0000_0000_0000

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare with the files")
	only := flag.String("set", "", "only this set")
	flag.Parse()
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		log.Fatal("generate: run it in a checkout of the repository")
	}
	top := strings.TrimSpace(string(root))
	dir := filepath.Join(top, "bindings/go/internal/native")
	failed := false
	for _, s := range sets {
		if *only != "" && *only != s.name {
			continue
		}
		if s.goarch == "arm64" && os.Getenv("BULAT_CROSS") == "" {
			log.Printf("skipped: %s: set BULAT_CROSS to the folder of tools/ci/cross-toolchain", s.name)
			continue
		}
		file := filepath.Join(dir, fmt.Sprintf("kernels_%s_%s.s", s.name, s.goarch))
		compiler := version(s)
		if *check {
			old, err := os.ReadFile(file)
			if err != nil {
				log.Fatal(err)
			}
			if !bytes.Contains(old, []byte("// "+compiler+"\n")) {
				log.Printf("skipped: %s: made by another compiler than %s", s.name, compiler)
				continue
			}
			if made := text(s, compiler, top); !bytes.Equal(made, old) {
				log.Printf("%s: differs from the kernels of this checkout: run go generate", file)
				failed = true
			} else {
				log.Printf("%s: regenerated equal", s.name)
			}
			continue
		}
		made := text(s, compiler, top)
		if err := os.WriteFile(file, made, 0o644); err != nil {
			log.Fatal(err)
		}
		log.Printf("%s: %d KB of code", s.name, bytes.Count(made, []byte("$0x"))*8/1024)
	}
	if failed {
		os.Exit(1)
	}
}

func rustc(s set) string {
	if s.goarch == "arm64" {
		return filepath.Join(os.Getenv("BULAT_CROSS"), "bin/rustc")
	}
	return "rustc"
}

func version(s set) string {
	out, err := exec.Command(rustc(s), "--version").Output()
	if err != nil {
		log.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// run runs a command in a folder.
func run(dir string, env []string, name string, args ...string) {
	c := exec.Command(name, args...)
	c.Dir, c.Env, c.Stderr = dir, append(os.Environ(), env...), os.Stderr
	if err := c.Run(); err != nil {
		log.Fatalf("%s: %v", name, err)
	}
}

func build(s set, top string) *elf.File {
	crate := filepath.Join(top, "bindings/go/kernels")
	target := os.Getenv("CARGO_TARGET_DIR")
	if target == "" {
		target = filepath.Join(top, "target")
	}
	target = filepath.Join(target, "go-kernels", s.name)
	home := os.Getenv("CARGO_HOME")
	if home == "" {
		home = filepath.Join(os.Getenv("HOME"), ".cargo")
	}
	flags := []string{"-Ctarget-feature=" + s.features, "-Crelocation-model=pic", "-Cno-redzone=yes", "--cfg", `bulat_set="` + s.name + `"`,
		"--remap-path-prefix", home + "=cargo", "--remap-path-prefix", top + "=bulat"}
	if s.goarch == "arm64" {
		flags = append(flags, "-Ccode-model=tiny")
	}
	env := []string{"CARGO_ENCODED_RUSTFLAGS=" + strings.Join(flags, "\x1f"), "CARGO_TARGET_DIR=" + target, "RUSTC=" + rustc(s)}
	run(crate, env, "cargo", "build", "--quiet", "--release", "--locked", "--target", s.target)
	ld := "ld"
	if s.goarch == "arm64" {
		ld = "ld.lld"
		if _, err := exec.LookPath(ld); err != nil {
			ld = "/usr/lib/llvm-19/bin/ld.lld"
		}
	}
	scriptFile, linked := filepath.Join(target, "flat.ld"), filepath.Join(target, "kernels.elf")
	if err := os.WriteFile(scriptFile, []byte(script), 0o644); err != nil {
		log.Fatal(err)
	}
	run(crate, nil, ld, "-static", "-nostdlib", "--gc-sections", "--emit-relocs", "--no-warn-rwx-segments", "-e", "bulat_go", "-T", scriptFile,
		"-o", linked, filepath.Join(target, s.target, "release/libbulat_go_kernels.a"))
	f, err := elf.Open(linked)
	if err != nil {
		log.Fatal(err)
	}
	return f
}

// text is the file of a set.
func text(s set, compiler, top string) []byte {
	f := build(s, top)
	code := flat(s, f)
	var b bytes.Buffer
	title := strings.ToUpper(s.name[:1]) + s.name[1:]
	fmt.Fprintf(&b, "// Code generated by internal/native/generate; DO NOT EDIT.\n//\n// %s\n// sources %x\n\n#include \"textflag.h\"\n\n", compiler, sources(top))
	fmt.Fprintf(&b, "TEXT ·code%s(SB), NOSPLIT|NOFRAME, $0-0\n\tPCALIGN $64\n", title)
	if s.goarch == "amd64" {
		lines(&b, code, 8, "QUAD")
	} else {
		lines(&b, code, 4, "WORD")
	}
	return b.Bytes()
}

func lines(b *bytes.Buffer, code []byte, n int, word string) {
	for i := 0; i < len(code); i += n {
		sep := "; "
		if i/n%8 == 0 {
			sep = "\t"
			if i > 0 {
				b.WriteByte('\n')
			}
		}
		if n == 8 {
			fmt.Fprintf(b, "%s%s $%#x", sep, word, binary.LittleEndian.Uint64(code[i:]))
		} else {
			fmt.Fprintf(b, "%s%s $%#x", sep, word, binary.LittleEndian.Uint32(code[i:]))
		}
	}
	b.WriteByte('\n')
}

// sources is the hash of what the kernels are made of.
func sources(top string) []byte {
	var files []string
	for _, dir := range []string{"core/src", "core/asm", "bindings/go/kernels/src"} {
		filepath.WalkDir(filepath.Join(top, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files = append(files, path)
			}
			return err
		})
	}
	sort.Strings(files)
	h := sha256.New()
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			log.Fatal(err)
		}
		name, _ := filepath.Rel(top, path)
		fmt.Fprintf(h, "%s %d\n", name, len(data))
		h.Write(data)
	}
	return h.Sum(nil)[:16]
}

// flat is the section, without anything that its place in memory determines.
func flat(s set, f *elf.File) []byte {
	all := f.Section(".all")
	code, err := all.Data()
	if err != nil {
		log.Fatal(err)
	}
	for _, other := range f.Sections {
		if other.Flags&elf.SHF_ALLOC != 0 && other != all && other.Size > 0 {
			log.Fatalf("%s: a section %s outside the code", s.name, other.Name)
		}
	}
	symbols, err := f.Symbols()
	if err != nil {
		log.Fatal(err)
	}
	for _, y := range symbols {
		switch {
		case y.Name == "bulat_go" && y.Value != 0:
			log.Fatalf("%s: bulat_go is not the first function", s.name)
		case strings.Contains(y.Name, "6tuning5TAKEN"):
			if y.Size != 4 {
				log.Fatalf("%s: another tuning variable", s.name)
			}
			binary.LittleEndian.PutUint32(code[y.Value:], forms)
		case strings.Contains(y.Name, "6tuning3ask"):
			// It would write the variable: an undefined instruction.
			code[y.Value], code[y.Value+1] = 0x0f, 0x0b
		case strings.Contains(y.Name, "6select6FORCED"):
			log.Fatalf("%s: a kernel is chosen when the program runs", s.name)
		}
	}
	var relocations []byte
	for _, other := range f.Sections {
		if other.Type == elf.SHT_RELA && f.Sections[other.Info] == all {
			if relocations, err = other.Data(); err != nil {
				log.Fatal(err)
			}
		}
	}
	absolute := 0
	for ; len(relocations) > 0; relocations = relocations[24:] {
		at := binary.LittleEndian.Uint64(relocations)
		kind := uint32(binary.LittleEndian.Uint64(relocations[8:]))
		if s.goarch == "arm64" {
			switch elf.R_AARCH64(kind) {
			case elf.R_AARCH64_CALL26, elf.R_AARCH64_JUMP26, elf.R_AARCH64_ADR_PREL_LO21, elf.R_AARCH64_LD_PREL_LO19,
				elf.R_AARCH64_CONDBR19, elf.R_AARCH64_TSTBR14, elf.R_AARCH64_PREL32, elf.R_AARCH64_NONE:
			case elf.R_AARCH64_ABS64:
				forget(code, at)
				absolute++
			default:
				log.Fatalf("%s: a relocation %v at %#x", s.name, elf.R_AARCH64(kind), at)
			}
			continue
		}
		switch elf.R_X86_64(kind) {
		case elf.R_X86_64_PC32, elf.R_X86_64_PLT32, elf.R_X86_64_NONE:
		case elf.R_X86_64_GOTPCREL, elf.R_X86_64_GOTPCRELX, elf.R_X86_64_REX_GOTPCRELX:
			direct(s, code, at)
		case elf.R_X86_64_64:
			forget(code, at)
			absolute++
		default:
			log.Fatalf("%s: a relocation %v at %#x", s.name, elf.R_X86_64(kind), at)
		}
	}
	log.Printf("%s: %d absolute addresses, all of descriptions", s.name, absolute)
	for len(code)%8 != 0 {
		code = append(code, 0)
	}
	return code
}

// forget makes an absolute address one that faults, and clears the name of a source file that it led to.
func forget(code []byte, at uint64) {
	to, size := binary.LittleEndian.Uint64(code[at:]), binary.LittleEndian.Uint64(code[at+8:])
	if to < uint64(len(code)) && size < 256 && to+size <= uint64(len(code)) && bytes.HasSuffix(code[to:to+size], []byte(".rs")) {
		clear(code[to : to+size])
	}
	binary.LittleEndian.PutUint64(code[at:], poison)
}

// direct replaces the use of an address in the table of offsets, whose place is at `at`, by the address.
func direct(s set, code []byte, at uint64) {
	slot := at + 4 + uint64(int64(int32(binary.LittleEndian.Uint32(code[at:]))))
	if code[at-2] == 0x67 && code[at-1] == 0xe8 || code[at-2] == 0x8d { // the linker did it
		return
	}
	to := binary.LittleEndian.Uint64(code[slot:])
	binary.LittleEndian.PutUint32(code[at:], uint32(to-at-4))
	switch {
	case code[at-2] == 0xff && code[at-1] == 0x15: // call *slot -> addr32 call to
		code[at-2], code[at-1] = 0x67, 0xe8
	case code[at-2] == 0xff && code[at-1] == 0x25: // jmp *slot -> jmp to; nop
		code[at-2], code[at-1] = 0x90, 0xe9
	case code[at-2] == 0x8b: // mov slot, r -> lea to, r
		code[at-2] = 0x8d
	default:
		log.Fatalf("%s: no direct form of %x", s.name, code[at-3:at])
	}
}
