package native

//go:noescape
func callNeon(c *Call)

// With a stack for Magma's kernels.
//
//go:noescape
func deepNeon(c *Call)

// The machine code, which is no function of Go.
func codeNeon()

func starts() (neon uintptr)

// names of the sets: every arm64 processor that Go runs on has this set.
var names = []string{"neon"}

func has(name string) bool { return name == "neon" }

// multiplies returns whether the processor has PMULL, which some older ones lack.
func multiplies(Set) bool { return pmull() }

func run(_ Set, c *Call) {
	if c.Work >= Magma && c.Work < Sboxes {
		deepNeon(c)
	} else {
		callNeon(c)
	}
}
