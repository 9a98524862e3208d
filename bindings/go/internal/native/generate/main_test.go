package main

import (
	"encoding/binary"
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
