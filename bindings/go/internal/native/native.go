// Package native calls the kernels of bindings/go/kernels, which the program has as machine code.
package native

import (
	"sync/atomic"
	"unsafe"
)

// Call is a call of the kernels: bindings/go/kernels/src/lib.rs has the same structure.
type Call struct {
	Work uint64
	P    [5]unsafe.Pointer
	N    [3]uint64
	Done uint64
}

// The works. A cipher's first pointer is its schedule; dst, src and a counter or register follow, in the order of data.
const (
	Blocks = 0 // of Streebog: state, blocks; bytes, the first block's keys: 1 of 512, 2 of 256 bits
	Finish = 1 // of Streebog: state, rest; bytes, as above

	Kuznyechik = 8 // the works of a cipher are from here
	Magma      = 16

	Prepare  = 0 // schedule, key
	Map      = 1 // schedule, dst, src; bytes, direction
	Stream   = 2 // schedule, dst, src, counter; bytes, count
	Chain    = 3 // schedule, dst, src, register; bytes, chain
	Sections = 4 // schedule, dst, src, counter; bytes, section
	Products = 5 // schedule, counter, before, blocks, sum; bytes before, bytes

	Sboxes = 24 // room, rows; byte order
	Mac64  = 25 // sum, h, a; bytes
	Mac128 = 26
)

// The frames that the stubs have: the kernels of Magma go deeper than the others.
const (
	shallow = 24576
	deep    = 65536
)

// ScheduleSize is the room of a schedule of any cipher, at an address that 64 divides.
const ScheduleSize = 320

// Set is an instruction set that the program has kernels for: 0 is no set, then as in names.
type Set int

// chosen is 0 before the processor was asked, then the set plus 1.
var chosen atomic.Int32

// Here returns the set in use.
func Here() Set {
	if n := chosen.Load(); n > 0 {
		return Set(n - 1)
	}
	set := Set(0)
	for i, name := range names {
		if has(name) {
			set = Set(i + 1)
			break
		}
	}
	chosen.Store(int32(set) + 1)
	return set
}

// Force uses the set of this name, for tests; "portable" is no set. It returns whether this machine has it.
func Force(name string) bool {
	if name == "portable" {
		chosen.Store(1)
		return true
	}
	for i, n := range names {
		if n == name && has(name) {
			chosen.Store(int32(i) + 2)
			return true
		}
	}
	return false
}

// Names are the sets of this program, fastest first.
func Names() []string { return names }

// Name is the name of a set.
func (s Set) Name() string {
	if s == 0 {
		return "portable"
	}
	return names[s-1]
}

// Multiplies returns whether the set has Mac64 and Mac128.
func (s Set) Multiplies() bool { return multiplies(s) }

// Run does the work of a call. It panics where the kernels would end the program.
func (s Set) Run(c *Call) {
	if c.wrong() {
		panic("bulat: a call that the kernels do not have")
	}
	run(s, c)
}

// wrong returns whether the kernels do not have the work, or not for these numbers.
func (c *Call) wrong() bool {
	n, m := c.N[0], c.N[1]
	switch c.Work {
	case Blocks:
		return n%64 != 0 || m > 2
	case Finish:
		return n >= 64 || m > 2
	case Sboxes:
		return n > 1
	case Mac64:
		return n%8 != 0
	case Mac128:
		return n%16 != 0
	}
	// GOST 28147-89, under the works of Magma, has a count and a chain more.
	block, more := uint64(16), uint64(0)
	if c.Work >= Magma {
		block, more = 8, 1
	}
	if c.Work < Kuznyechik || c.Work >= Sboxes || n%block != 0 {
		return true
	}
	switch c.Work & 7 {
	case Prepare:
		return n|m != 0
	case Map:
		return m > 1
	case Stream:
		return m > 2+more
	case Chain:
		return m > 3+more
	case Sections:
		return m == 0 || m%block != 0
	case Products:
		return m%block != 0
	}
	return true
}
