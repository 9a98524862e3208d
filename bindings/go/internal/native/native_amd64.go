package native

import "sync"

//go:noescape
func callGfni512(c *Call)

//go:noescape
func callAvx2gfni(c *Call)

//go:noescape
func callAvx2(c *Call)

// With a stack for Magma's kernels.
//
//go:noescape
func deepGfni512(c *Call)

//go:noescape
func deepAvx2gfni(c *Call)

//go:noescape
func deepAvx2(c *Call)

// The machine code, which is no function of Go.
func codeGfni512()
func codeAvx2gfni()
func codeAvx2()

// starts returns the addresses of the code, multiples of 64, as vectors of constants need.
func starts() (gfni512, avx2gfni, avx2 uintptr)

func cpuid(leaf, sub uint32) (a, b, c, d uint32)
func xgetbv() uint32

// names of the sets, fastest first.
var names = []string{"gfni512", "avx2gfni", "avx2"}

// has returns whether this processor and its system have the set.
func has(name string) bool {
	f := features()
	switch name {
	case "gfni512":
		return f.avx512 && f.gfni && f.vpclmul && f.avx2
	case "avx2gfni":
		return f.avx2 && f.gfni && f.vpclmul
	case "avx2":
		return f.avx2
	}
	return false
}

func multiplies(s Set) bool { return s != 0 }

type flags struct{ avx2, gfni, vpclmul, avx512 bool }

// features asks the processor once, since to ask traps in some virtual machines.
var features = sync.OnceValue(func() (f flags) {
	last, _, _, _ := cpuid(0, 0)
	if last < 7 {
		return f
	}
	_, _, c1, _ := cpuid(1, 0)
	const ssse3, pclmul, osxsave, avx = 1 << 9, 1 << 1, 1 << 27, 1 << 28
	if c1&(ssse3|pclmul|osxsave|avx) != ssse3|pclmul|osxsave|avx {
		return f
	}
	state := xgetbv()
	_, b, c, _ := cpuid(7, 0)
	bit := func(r uint32, n int) bool { return r>>n&1 == 1 }
	f.avx2 = state&6 == 6 && bit(b, 5)
	f.gfni, f.vpclmul = bit(c, 8), bit(c, 10)
	// F, BW, VL, VBMI and BMI2, and a system that keeps the registers.
	f.avx512 = state&0xe6 == 0xe6 && bit(b, 16) && bit(b, 30) && bit(b, 31) && bit(c, 1) && bit(b, 8)
	return f
})

// run does the work of a call.
func run(s Set, c *Call) {
	deep := c.Work >= Magma && c.Work < Sboxes
	switch {
	case s == 1 && deep:
		deepGfni512(c)
	case s == 1:
		callGfni512(c)
	case s == 2 && deep:
		deepAvx2gfni(c)
	case s == 2:
		callAvx2gfni(c)
	case deep:
		deepAvx2(c)
	default:
		callAvx2(c)
	}
}
