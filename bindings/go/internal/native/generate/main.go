// Generate builds the crate bindings/go/kernels for each instruction set and writes its machine code as Go assembly.
//
//	go run ./internal/native/generate           writes kernels_*.s: three minutes of processor time, two sets side by side
//	go run ./internal/native/generate -check    builds, and compares with the files
//	go run ./internal/native/generate -stale    builds nothing: fails, and names the files that were made of other sources
//	go run ./internal/native/generate -places   lists the places where the code ends the program
//	go run ./internal/native/generate -map FILE  prints the functions of a program for Linux on amd64, the kernels' among them
//
// With -set NAME each does so for one set. A file names the sources that it was made of, as the compiler listed them, and
// their hash: comments, indentation and unit tests do not count.
//
// The code becomes one piece with its constants, in which every address is relative to the instruction that uses it, so that
// Go's linker, which applies no relocations of ELF in a static program, has no relocation to apply: for Linux, macOS
// and Windows alike. Four kinds of relocations need a change here:
//   - a call through the table of offsets becomes a call;
//   - an absolute address in a description that no code reads, the place of a panic or a name in the tuning table,
//     becomes an address that faults;
//   - a table of addresses becomes data of Go with the same addresses, which Go's linker places, and the instruction that loads
//     the table's address becomes an instruction of Go's assembler;
//   - the choice of forms by processor, which the library keeps in a variable, becomes a constant;
//   - ADRP of arm64, a multiple of 4096 bytes away, becomes ADR: then the code need not begin at such a multiple.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
)

type set struct {
	name, goarch, target string
	features             string
}

var sets = []set{
	{"gfni512", "amd64", "x86_64-unknown-linux-gnu", "+avx512f,+avx512bw,+avx512vl,+avx512vbmi,+gfni,+avx2,+bmi2,+vpclmulqdq,+pclmulqdq,+ssse3"},
	{"avx2gfni", "amd64", "x86_64-unknown-linux-gnu", "+avx2,+gfni,+vpclmulqdq,+pclmulqdq,+ssse3"},
	{"avx2", "amd64", "x86_64-unknown-linux-gnu", "+avx2,+pclmulqdq,+ssse3"},
	{"neon", "arm64", "aarch64-unknown-linux-gnu", "+neon,+aes,+reserve-x18,+reserve-x28"},
}

// script puts everything in one section: first the function that Go calls.
const script = `SECTIONS {
  .all 0 : ALIGN(64) {
    KEEP(*(.text.first))
    *(.text .text.*)
    end_of_code = .;
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

// wrapper is set where Cargo calls this program in place of rustc.
const wrapper = "BULAT_GENERATE_WRAPPER"

// wrapped calls rustc, with a crate's name as all that tells it from others. Cargo would add the path of the checkout, and
// the order of the functions would follow from it.
func wrapped() {
	args := os.Args[1:]
	name := ""
	for i, a := range args {
		if a == "--crate-name" && i+1 < len(args) {
			name = args[i+1]
		}
	}
	for i, a := range args {
		if strings.HasPrefix(a, "metadata=") {
			args[i] = "metadata=" + name
		}
	}
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		os.Exit(1)
	}
}

func main() {
	if os.Getenv(wrapper) != "" {
		wrapped()
		return
	}
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare with the files")
	stale := flag.Bool("stale", false, "build nothing: compare the hash of the sources with the files")
	places := flag.Bool("places", false, "list the places of panics, and write nothing")
	only := flag.String("set", "", "only this set")
	program := flag.String("map", "", "print the functions of this program")
	flag.Parse()
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		log.Fatal("generate: run it in a checkout of the repository")
	}
	top := strings.TrimSpace(string(root))
	if *program != "" {
		if err := printMap(*program, top); err != nil {
			log.Fatal(err)
		}
		return
	}
	right := make([]bool, len(sets))
	var all sync.WaitGroup
	room := make(chan bool, 2) // a set is compiled by one processor, in 1 GB of memory
	for i, s := range sets {
		if *only != "" && *only != s.name {
			right[i] = true
			continue
		}
		all.Go(func() {
			room <- true
			right[i] = done(s, top, *check, *stale, *places)
			<-room
		})
	}
	all.Wait()
	if slices.Contains(right, false) {
		os.Exit(1)
	}
}

// done does what was asked for a set. It returns false if the file differs from what it should be.
func done(s set, top string, check, stale, places bool) bool {
	file := filepath.Join(top, fmt.Sprintf("bindings/go/internal/native/kernels_%s_%s.s", s.name, s.goarch))
	if stale {
		return current(s, file, top)
	}
	compiler, missing := version(s)
	if missing != "" {
		log.Printf("skipped: %s: %s", s.name, missing)
		return true
	}
	switch {
	case places:
		f, _ := build(s, top)
		flat(s, f, true)
	case check:
		return compare(s, file, compiler, top)
	default:
		made := text(s, compiler, top)
		if err := os.WriteFile(file, made, 0o644); err != nil {
			log.Fatal(err)
		}
		size := map[string]int{"amd64": 8, "arm64": 4}[s.goarch]
		log.Printf("%s: %d KB of code", s.name, bytes.Count(made, []byte("$0x"))*size/1024)
	}
	return true
}

// current returns whether the file was made of these sources.
func current(s set, file, top string) bool {
	old, err := os.ReadFile(file)
	if err != nil {
		log.Print(err)
		return false
	}
	var names []string
	for _, name := range regexp.MustCompile(`(?m)^//   (.+)$`).FindAllSubmatch(old, -1) {
		names = append(names, string(name[1]))
	}
	if hash, err := sources(top, names); err != nil || !bytes.Contains(old, fmt.Appendf(nil, "// sources %x:\n", hash)) {
		log.Printf("stale: kernels, %s: made of other sources: go run ./internal/native/generate -set %s", s.name, s.name)
		return false
	}
	log.Printf("kernels, %s: of these sources", s.name)
	return true
}

// compare returns false if the file has other code than this checkout.
func compare(s set, file, compiler, top string) bool {
	old, err := os.ReadFile(file)
	if err != nil {
		log.Print(err)
		return false
	}
	if !bytes.Contains(old, []byte("// "+compiler+"\n")) {
		log.Printf("skipped: %s: made by another compiler than %s", s.name, compiler)
		return true
	}
	// The name of the sources apart: a comment changes it, and no code.
	code := func(file []byte) []byte { return file[bytes.Index(file, []byte("\n#include")):] }
	if !bytes.Equal(code(text(s, compiler, top)), code(old)) {
		log.Printf("%s: other code than that of this checkout: go run ./internal/native/generate -set %s", file, s.name)
		return false
	}
	log.Printf("%s: regenerated equal", s.name)
	return true
}

// rustc is a compiler with std for the set: the usual one, or the compiler of tools/ci/cross-toolchain.
func rustc(s set) string {
	if dir, err := exec.Command("rustc", "--print", "target-libdir", "--target", s.target).Output(); err == nil {
		if _, err := os.Stat(strings.TrimSpace(string(dir))); err == nil {
			return "rustc"
		}
	}
	cross := os.Getenv("BULAT_CROSS")
	if cross == "" {
		cross = "/opt/rust-cross"
	}
	return filepath.Join(cross, "bin/rustc")
}

// version is the compiler's version, or why the set cannot be built here.
func version(s set) (version, missing string) {
	out, err := exec.Command(rustc(s), "--version").Output()
	if err != nil {
		return "", "no std of " + s.target + " (rustup target add, or tools/ci/cross-toolchain)"
	}
	if _, err := exec.LookPath(tool(s, "ld")); err != nil {
		return "", "no " + tool(s, "ld") + " (apt-get install binutils-aarch64-linux-gnu)"
	}
	return strings.TrimSpace(string(out)), ""
}

// tool is a program of binutils for the set.
func tool(s set, name string) string {
	if s.goarch == "arm64" {
		return "aarch64-linux-gnu-" + name
	}
	return name
}

// run runs a command in a folder.
func run(dir string, env []string, name string, args ...string) {
	c := exec.Command(name, args...)
	c.Dir, c.Env, c.Stderr = dir, append(os.Environ(), env...), os.Stderr
	if err := c.Run(); err != nil {
		log.Fatalf("%s: %v", name, err)
	}
}

// folder is where a set is built.
func folder(s set, top string) string {
	target := os.Getenv("CARGO_TARGET_DIR")
	if target == "" {
		target = filepath.Join(top, "target")
	}
	return filepath.Join(target, "go-kernels", s.name)
}

// build returns the linked code, and the sources that the compiler read.
func build(s set, top string) (*elf.File, []string) {
	crate := filepath.Join(top, "bindings/go/kernels")
	target := folder(s, top)
	home := os.Getenv("CARGO_HOME")
	if home == "" {
		home = filepath.Join(os.Getenv("HOME"), ".cargo")
	}
	model := "pic"
	if s.goarch == "arm64" {
		model = "static" // no table of offsets
	}
	flags := []string{"-Ctarget-feature=" + s.features, "-Crelocation-model=" + model, "-Cno-redzone=yes", "--cfg", "bulat_set", "--cfg", `bulat_set="` + s.name + `"`,
		"--remap-path-prefix", home + "=cargo", "--remap-path-prefix", top + "=bulat"}
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	env := []string{"CARGO_ENCODED_RUSTFLAGS=" + strings.Join(flags, "\x1f"), "CARGO_TARGET_DIR=" + target, "RUSTC=" + rustc(s),
		"RUSTC_WRAPPER=" + self, wrapper + "=1"}
	run(crate, env, "cargo", "build", "--quiet", "--release", "--locked", "--target", s.target)
	made := filepath.Join(target, s.target, "release/libbulat_go_kernels")
	scriptFile, linked := filepath.Join(target, "flat.ld"), filepath.Join(target, "kernels.elf")
	if err := os.WriteFile(scriptFile, []byte(script), 0o644); err != nil {
		log.Fatal(err)
	}
	run(crate, nil, tool(s, "ld"), "-static", "-nostdlib", "--gc-sections", "--emit-relocs", "--no-warn-rwx-segments", "-e", "bulat_go", "-T", scriptFile,
		"-o", linked, made+".a")
	f, err := elf.Open(linked)
	if err != nil {
		log.Fatal(err)
	}
	if s.goarch == "arm64" {
		reserved(s, f, linked)
	}
	rule, err := os.ReadFile(made + ".d")
	if err != nil {
		log.Fatal(err)
	}
	names := []string{"Cargo.toml", "crates/core/Cargo.toml", "bindings/go/kernels/Cargo.toml", "bindings/go/kernels/Cargo.lock",
		"bindings/go/internal/native/generate/main.go"}
	_, list, _ := strings.Cut(strings.ReplaceAll(string(rule), `\ `, "\x00"), ": ")
	for _, path := range strings.Fields(list) {
		name, err := filepath.Rel(top, strings.ReplaceAll(path, "\x00", " "))
		if err != nil || strings.HasPrefix(name, "..") {
			log.Fatalf("%s: a source outside the checkout: %s", s.name, path)
		}
		names = append(names, filepath.ToSlash(name))
	}
	sort.Strings(names)
	return f, names
}

// symbol is the address of a name.
func symbol(f *elf.File, name string) uint64 {
	symbols, err := f.Symbols()
	if err != nil {
		log.Fatal(err)
	}
	for _, y := range symbols {
		if y.Name == name {
			return y.Value
		}
	}
	log.Fatalf("no %s", name)
	return 0
}

// reserved refuses code that uses a register which is not its own: R28 is Go's, R18 the system's.
func reserved(s set, f *elf.File, linked string) {
	end := fmt.Sprintf("--stop-address=%#x", symbol(f, "end_of_code"))
	listing, err := exec.Command(tool(s, "objdump"), "-d", "--section=.all", end, linked).Output()
	if err != nil {
		log.Fatal(err)
	}
	if found := regexp.MustCompile(`.*\b[wx](18|28)\b.*`).FindAll(listing, 4); found != nil {
		log.Fatalf("%s: a register that is not free:\n%s", s.name, bytes.Join(found, []byte("\n")))
	}
}

// text is the file of a set.
func text(s set, compiler, top string) []byte {
	f, names := build(s, top)
	functions := functions(s, top)
	code, tables := flat(s, f, false)
	hash, err := sources(top, names)
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	title := strings.ToUpper(s.name[:1]) + s.name[1:]
	fmt.Fprintf(&b, "// Code generated by internal/native/generate; DO NOT EDIT.\n//\n// %s\n// sources %x:\n//   %s\n\n#include \"textflag.h\"\n\n", compiler, hash, strings.Join(names, "\n//   "))
	for _, line := range functions {
		fmt.Fprintf(&b, "// code %s\n", line)
	}
	fmt.Fprintf(&b, "// The outermost frame, where a profiler's walk ends: it cannot know the frames of this code.\nTEXT ·code%s(SB), NOSPLIT|NOFRAME|TOPFRAME, $0-0\n\tPCALIGN $64\n", title)
	if s.goarch == "arm64" {
		lines(&b, code, 4, "WORD")
		return b.Bytes()
	}
	// Between the instructions that load addresses of tables.
	at := uint64(0)
	for i, t := range tables {
		for _, load := range t.loads {
			lines(&b, code[at:load.at], 8, "QUAD")
			fmt.Fprintf(&b, "\tLEAQ ·table%s%d(SB), %s\n", title, i, load.register)
			at = load.at + loadSize
		}
	}
	lines(&b, code[at:], 8, "QUAD")
	for i, t := range tables {
		b.WriteByte('\n')
		for j, to := range t.addresses {
			fmt.Fprintf(&b, "DATA ·table%s%d+%d(SB)/8, $·code%s+%#x(SB)\n", title, i, 8*j, title, to)
		}
		fmt.Fprintf(&b, "GLOBL ·table%s%d(SB), RODATA, $%d\n", title, i, 8*len(t.addresses))
	}
	return b.Bytes()
}

// lines writes bytes as words of n bytes, and the rest as single bytes.
func lines(b *bytes.Buffer, code []byte, n int, word string) {
	if rest := len(code) % n; rest > 0 {
		defer func(last []byte) {
			for _, x := range last {
				fmt.Fprintf(b, "\tBYTE $%#x\n", x)
			}
		}(code[len(code)-rest:])
		code = code[:len(code)-rest]
	}
	if len(code) == 0 {
		return
	}
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

// sources is the hash of what decides the code in these files.
func sources(top string, names []string) ([]byte, error) {
	h := sha256.New()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(top, name))
		if err != nil {
			return nil, err
		}
		switch {
		case name == "Cargo.toml":
			core, err := os.ReadFile(filepath.Join(top, "crates/core/Cargo.toml"))
			if err != nil {
				return nil, err
			}
			data = inherited(data, core)
		case strings.HasSuffix(name, ".rs"), strings.HasSuffix(name, ".go"):
			data = bare(data)
		}
		fmt.Fprintf(h, "%s %d\n", name, len(data))
		h.Write(data)
	}
	return h.Sum(nil)[:16], nil
}

// bare is a source without comments that have lines of their own, indentation, and the unit tests at its end.
func bare(source []byte) []byte {
	if i := bytes.Index(source, []byte("\n#[cfg(test)]\nmod tests {\n")); i >= 0 && bytes.Index(source[i:], []byte("\n}\n")) == len(source)-i-3 {
		source = source[:i+1]
	}
	return regexp.MustCompile(`(?m)^[ \t]*(//.*)?\n|^[ \t]+`).ReplaceAll(source, nil)
}

// inherited are the lines of the workspace's manifest that core's manifest asks for, without the version.
func inherited(manifest, core []byte) (lines []byte) {
	for _, key := range regexp.MustCompile(`(?m)^([\w-]+)\.workspace = true$`).FindAllSubmatch(core, -1) {
		if string(key[1]) != "version" {
			lines = append(lines, regexp.MustCompile(`(?m)^`+string(key[1])+` = .*\n`).Find(manifest)...)
		}
	}
	return lines
}

// table is a table of addresses in the code, and the instructions that load its address.
type table struct {
	at, size  uint64
	addresses []uint64
	loads     []load
}

type load struct {
	at       uint64
	register string
}

// loadSize is the length of LEAQ.
const loadSize = 7

// tablesOf are the objects of the library with addresses; constants without a name are descriptions.
func tablesOf(s set, symbols []elf.Symbol, absolute []uint64) (tables []*table) {
	for _, y := range symbols {
		if elf.ST_TYPE(y.Info) != elf.STT_OBJECT || strings.HasPrefix(y.Name, ".") || strings.Contains(y.Name, "6tuning") {
			continue
		}
		t := &table{at: y.Value, size: y.Size}
		inside := 0
		for _, at := range absolute {
			if at >= t.at && at < t.at+t.size {
				inside++
			}
		}
		if inside == 0 {
			continue
		}
		if uint64(inside)*8 != t.size {
			log.Fatalf("%s: %s has addresses and other things", s.name, y.Name)
		}
		tables = append(tables, t)
	}
	return tables
}

// in returns whether a place is in the table.
func (t *table) in(at uint64) bool { return at >= t.at && at < t.at+t.size }

// loaded notes that the instruction with its displacement at `at` loads the address of the table.
func (t *table) loaded(s set, code []byte, at, to uint64) {
	rex, op, mod := code[at-3], code[at-2], code[at-1]
	if to != t.at || rex&^4 != 0x48 || op != 0x8d || mod&0xc7 != 5 {
		log.Fatalf("%s: no LEAQ of a table at %#x: %x", s.name, at, code[at-3:at])
	}
	registers := strings.Fields("AX CX DX BX SP BP SI DI R8 R9 R10 R11 R12 R13 R14 R15")
	t.loads = append(t.loads, load{at - 3, registers[mod>>3&7|rex&4<<1]})
}

// flat is the section, without anything that its place in memory determines, and its tables of addresses.
func flat(s set, f *elf.File, places bool) ([]byte, []*table) {
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
	settle(s, code, symbols)
	relocations := relocationsOf(f, all)
	var addresses []uint64
	for _, r := range relocations {
		if s.goarch == "amd64" && elf.R_X86_64(r.kind) == elf.R_X86_64_64 {
			addresses = append(addresses, r.at)
		}
	}
	image := image{s: s, code: code, tables: tablesOf(s, symbols, addresses), panics: map[string]bool{}}
	for _, r := range relocations {
		if s.goarch == "arm64" {
			image.arm64(r)
		} else {
			image.amd64(r)
		}
	}
	image.end(places)
	for len(code)%8 != 0 {
		code = append(code, 0)
	}
	return code, image.tables
}

// settle puts numbers for what a program would find out when it runs: the forms of the code.
func settle(s set, code []byte, symbols []elf.Symbol) {
	for _, y := range symbols {
		switch {
		case y.Name == "bulat_go" && y.Value != 0:
			log.Fatalf("%s: bulat_go is not the first function", s.name)
		case strings.Contains(y.Name, "6tuning5TAKEN"):
			if y.Size != 4 {
				log.Fatalf("%s: another tuning variable", s.name)
			}
			binary.LittleEndian.PutUint32(code[y.Value:], forms)
		case strings.Contains(y.Name, "6tuning3ask") && s.goarch == "amd64":
			// It would write the variable: an undefined instruction.
			code[y.Value], code[y.Value+1] = 0x0f, 0x0b
		case strings.Contains(y.Name, "6select6FORCED"):
			log.Fatalf("%s: a kernel is chosen when the program runs", s.name)
		}
	}
}

// A relocation is a place in the code with an address to be known: its offset, and its kind in the ABI's numbers.
type relocation struct {
	at   uint64
	kind uint32
}

// relocationsOf returns the relocations of a section.
func relocationsOf(f *elf.File, section *elf.Section) (all []relocation) {
	var data []byte
	for _, other := range f.Sections {
		if other.Type == elf.SHT_RELA && f.Sections[other.Info] == section {
			var err error
			if data, err = other.Data(); err != nil {
				log.Fatal(err)
			}
		}
	}
	for r := data; len(r) > 0; r = r[24:] {
		all = append(all, relocation{binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint32(r[8:])})
	}
	return all
}

// An image is a set's code whose relocations are being done.
type image struct {
	s        set
	code     []byte
	tables   []*table
	absolute int             // addresses of descriptions
	panics   map[string]bool // places of panics
	names    [][]byte        // of source files, which go when all places were read
}

// describe does an absolute address: an entry of a table, or the address of a description.
func (m *image) describe(at uint64) {
	for _, t := range m.tables {
		if t.in(at) {
			t.addresses = append(t.addresses, binary.LittleEndian.Uint64(m.code[at:]))
			binary.LittleEndian.PutUint64(m.code[at:], poison)
			return
		}
	}
	if place, name := forget(m.code, at); place != "" {
		m.panics[place] = true
		m.names = append(m.names, name)
	}
	m.absolute++
}

// refer notes a load from a table.
func (m *image) refer(at uint64) {
	to := at + 4 + uint64(int64(int32(binary.LittleEndian.Uint32(m.code[at:]))))
	for _, t := range m.tables {
		if t.in(to) {
			t.loaded(m.s, m.code, at, to)
		}
	}
}

// arm64 does a relocation of AArch64.
func (m *image) arm64(r relocation) {
	switch kind := elf.R_AARCH64(r.kind); kind {
	case elf.R_AARCH64_CALL26, elf.R_AARCH64_JUMP26, elf.R_AARCH64_ADR_PREL_LO21, elf.R_AARCH64_LD_PREL_LO19,
		elf.R_AARCH64_CONDBR19, elf.R_AARCH64_TSTBR14, elf.R_AARCH64_PREL32, elf.R_AARCH64_NONE:
	case elf.R_AARCH64_ADD_ABS_LO12_NC, elf.R_AARCH64_LDST8_ABS_LO12_NC, elf.R_AARCH64_LDST16_ABS_LO12_NC,
		elf.R_AARCH64_LDST32_ABS_LO12_NC, elf.R_AARCH64_LDST64_ABS_LO12_NC, elf.R_AARCH64_LDST128_ABS_LO12_NC:
		// The rest of an address whose multiple of 4096 is from ADRP.
	case elf.R_AARCH64_ADR_PREL_PG_HI21:
		near(m.s, m.code, r.at)
	case elf.R_AARCH64_ABS64:
		m.describe(r.at)
	default:
		log.Fatalf("%s: a relocation %v at %#x", m.s.name, kind, r.at)
	}
}

// amd64 does a relocation of x86-64.
func (m *image) amd64(r relocation) {
	switch kind := elf.R_X86_64(r.kind); kind {
	case elf.R_X86_64_PC32:
		m.refer(r.at)
	case elf.R_X86_64_PLT32, elf.R_X86_64_NONE:
	case elf.R_X86_64_GOTPCREL, elf.R_X86_64_GOTPCRELX, elf.R_X86_64_REX_GOTPCRELX:
		direct(m.s, m.code, r.at)
		m.refer(r.at)
	case elf.R_X86_64_64:
		m.describe(r.at)
	default:
		log.Fatalf("%s: a relocation %v at %#x", m.s.name, kind, r.at)
	}
}

// end checks and orders what the relocations have shown; it prints the places of panics on request.
func (m *image) end(places bool) {
	if places {
		for _, place := range slices.Sorted(maps.Keys(m.panics)) {
			fmt.Println(m.s.name, place)
		}
	}
	log.Printf("%s: %d absolute addresses of descriptions, %d tables of addresses; %d places of panics",
		m.s.name, m.absolute, len(m.tables), len(m.panics))
	if len(m.tables) > 1 {
		log.Fatalf("%s: more than one table: their loads are not in order", m.s.name)
	}
	for _, t := range m.tables {
		sort.Slice(t.loads, func(i, j int) bool { return t.loads[i].at < t.loads[j].at })
	}
	for _, name := range m.names {
		clear(name)
	}
}

// forget makes an absolute address fault. If this is the description of a place in the sources, it is cleared, and
// forget returns the place and the name in the code.
func forget(code []byte, at uint64) (place string, name []byte) {
	word := func(at uint64) uint64 { return uint64(binary.LittleEndian.Uint32(code[at:])) }
	to, size := binary.LittleEndian.Uint64(code[at:]), binary.LittleEndian.Uint64(code[at+8:])
	if to < uint64(len(code)) && size < 256 && to+size <= uint64(len(code)) && bytes.HasSuffix(code[to:to+size], []byte(".rs")) {
		name = code[to : to+size]
		place = fmt.Sprintf("%s:%d:%d", name, word(at+16), word(at+20))
		clear(code[at+8 : at+24])
	}
	binary.LittleEndian.PutUint64(code[at:], poison)
	return place, name
}

// near makes ADR of the ADRP at `at`: an address within 1 MB, with the same rest modulo 4096 still to be added.
func near(s set, code []byte, at uint64) {
	i := binary.LittleEndian.Uint32(code[at:])
	if i>>31 != 1 || i>>24&0x1f != 0x10 {
		log.Fatalf("%s: no ADRP at %#x: %#x", s.name, at, i)
	}
	pages := (int64(int32(i<<8)>>13)<<2 | int64(i>>29&3)) << 12
	by := int64(at&^0xfff) + pages - int64(at)
	if by < -1<<20 || by >= 1<<20 {
		log.Fatalf("%s: too far at %#x: %d", s.name, at, by)
	}
	i = i&0x1f | 0x10<<24 | uint32(by)&3<<29 | uint32(by)>>2&0x7ffff<<5
	binary.LittleEndian.PutUint32(code[at:], i)
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
