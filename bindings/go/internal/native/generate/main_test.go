package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestNear: ADRP to a multiple of 4096 after and before it becomes ADR to the same address.
func TestNear(t *testing.T) {
	for _, c := range []struct {
		at        uint64
		adrp, adr uint32
	}{
		{0x1234, 0xd0000005, 0x1000ee65}, // x5, 0x3000
		{0x2ff8, 0xd0ffffe1, 0x10fe8041}, // x1, 0
	} {
		code := make([]byte, c.at+4)
		binary.LittleEndian.PutUint32(code[c.at:], c.adrp)
		near(set{}, code, c.at)
		if got := binary.LittleEndian.Uint32(code[c.at:]); got != c.adr {
			t.Errorf("at %#x: %#x", c.at, got)
		}
	}
}

// TestStale: a file of machine code is stale after a change of code or of how it is compiled, and after no other.
func TestStale(t *testing.T) {
	const code = "//! About.\nfn f() {\n    1 // one\n}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n"
	sound := map[string]string{
		"Cargo.toml":             "[workspace.package]\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace.dependencies]\nsubtle = \"2.6\"\nclap = \"4\"\n",
		"crates/core/Cargo.toml": "version.workspace = true\nedition.workspace = true\n[dependencies]\nsubtle.workspace = true\n",
		"crates/core/src/a.rs":   code, "crates/core/asm/a.s": "nop\n",
	}
	names := []string{"Cargo.toml", "crates/core/Cargo.toml", "crates/core/asm/a.s", "crates/core/src/a.rs"}
	for _, c := range []struct {
		file, content string
		current       bool
	}{
		{"crates/core/src/a.rs", code, true},
		{"crates/core/src/a.rs", "//! More.\n\n// Why.\nfn f() {\n1 // one\n}\n#[cfg(test)]\nmod tests {\n    fn u() {}\n}\n", true},
		{"crates/core/src/a.rs", "fn f() {\n    2 // one\n}\n", false},
		{"crates/core/src/a.rs", code + "fn g() {}\n", false},
		{"crates/core/src/other.rs", "fn g() {}\n", true},
		{"crates/core/asm/a.s", "// nop\n", false},
		{"crates/core/asm/a.s", "", false},
		{"crates/core/Cargo.toml", sound["crates/core/Cargo.toml"] + "zeroize.workspace = true\n", false},
		{"Cargo.toml", "[workspace.package]\nversion = \"0.2.0\"\nedition = \"2024\"\n[workspace.dependencies]\nsubtle = \"2.6\"\nclap = \"5\"\n", true},
		{"Cargo.toml", "[workspace.package]\nedition = \"2024\"\n[workspace.dependencies]\nsubtle = { version = \"2.6\", features = [\"i128\"] }\n", false},
	} {
		top := t.TempDir()
		put := func(name, content string) {
			path := filepath.Join(top, name)
			if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, []byte(content), 0o644) != nil {
				t.Fatal(name)
			}
		}
		for name, content := range sound {
			put(name, content)
		}
		hash, err := sources(top, names)
		if err != nil {
			t.Fatal(err)
		}
		put("kernels.s", fmt.Sprintf("// sources %x:\n//   %s\n//   %s\n//   %s\n//   %s\n\n#include\n", hash, names[0], names[1], names[2], names[3]))
		put(c.file, c.content)
		if got := current(set{name: "test"}, filepath.Join(top, "kernels.s"), top); got != c.current {
			t.Errorf("%s: %q: %v", c.file, c.content, got)
		}
		if current(set{name: "test"}, filepath.Join(top, "none.s"), top) {
			t.Error("a file that does not exist is current")
		}
	}
}
