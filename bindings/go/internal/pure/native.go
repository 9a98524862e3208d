package pure

import (
	"unsafe"

	"github.com/bulat-crypto/bulat/bindings/go/internal/native"
)

// The kernels in machine code, where the processor has them.

func ptr(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// firstKeys is the number of the first block's keys.
func firstKeys(size int) uint64 {
	switch size {
	case 32:
		return 2
	case 64:
		return 1
	}
	return 0
}

func nativeHash(work uint64, s *streebogState, data []byte, first int) bool {
	set := native.Here()
	if set == 0 {
		return false
	}
	if len(data) > 0 || work == native.Finish {
		c := native.Call{Work: work}
		c.P[0], c.P[1] = unsafe.Pointer(s), ptr(data)
		c.N[0], c.N[1] = uint64(len(data)), firstKeys(first)
		set.Run(&c)
	}
	return true
}

// room is memory for a schedule, of the heap, so that its address does not change.
//
//go:noinline
func room() []byte {
	b := make([]byte, native.ScheduleSize+63)
	at := int(-uintptr(ptr(b)) & 63)
	return b[at : at+native.ScheduleSize]
}

func nativeSchedule(c *Cipher) []byte {
	c.set = native.Here()
	if c.set == 0 {
		return nil
	}
	b := room()
	if c.kind != Kuznyechik {
		call := native.Call{Work: native.Sboxes}
		call.P[0], call.P[1] = ptr(b), unsafe.Pointer(c.rows)
		if c.kind == Gost28147 {
			call.N[0] = 1
		}
		c.set.Run(&call)
		if call.Done != 1 {
			panic("bulat: S-boxes") // the tables are permutations
		}
	}
	return b
}

func (c *Cipher) work(work uint64) uint64 {
	if c.kind == Kuznyechik {
		return native.Kuznyechik + work
	}
	return native.Magma + work
}

func nativePrepare(c *Cipher, key []byte) {
	call := native.Call{Work: c.work(native.Prepare)}
	call.P[0], call.P[1] = ptr(c.native), ptr(key[:32])
	c.set.Run(&call)
}

func nativeMap(c *Cipher, decrypt bool, dst, src []byte) {
	call := native.Call{Work: c.work(native.Map)}
	call.P[0], call.P[1], call.P[2] = ptr(c.native), ptr(dst[:len(src)]), ptr(src)
	call.N[0] = uint64(len(src))
	if decrypt {
		call.N[1] = 1
	}
	c.set.Run(&call)
}

func nativeStream(c *Cipher, counter []byte, count Count, dst, src []byte) {
	call := native.Call{Work: c.work(native.Stream)}
	call.P[0], call.P[1], call.P[2], call.P[3] = ptr(c.native), ptr(dst[:len(src)]), ptr(src), ptr(counter)
	call.N[0], call.N[1] = uint64(len(src)), uint64(count)
	c.set.Run(&call)
}

func nativeChain(c *Cipher, kind Chain, z, dst, src []byte) {
	call := native.Call{Work: c.work(native.Chain)}
	call.P[0], call.P[2], call.P[3] = ptr(c.native), ptr(src), ptr(z)
	if kind < mac {
		call.P[1] = ptr(dst[:len(src)])
	}
	call.N[0], call.N[1] = uint64(len(src)), uint64(kind)
	c.set.Run(&call)
}

func nativeMultiply(set native.Set, sum, h, a []byte) {
	call := native.Call{Work: native.Mac128}
	if len(sum) == 8 {
		call.Work = native.Mac64
	}
	call.P[0], call.P[1], call.P[2] = ptr(sum), ptr(h), ptr(a[:len(h)])
	call.N[0] = uint64(len(h))
	set.Run(&call)
}

// nativeSections returns how many bytes of whole sections it did, at most a piece.
func nativeSections(c *Cipher, counter []byte, section int, dst, src []byte) int {
	n := min(len(src), max(piece, 8*section)) / section * section
	if c.native == nil || n == 0 {
		return 0
	}
	call := native.Call{Work: c.work(native.Sections)}
	call.P[0], call.P[1], call.P[2], call.P[3] = ptr(c.native), ptr(dst[:n]), ptr(src[:n]), ptr(counter)
	call.N[0], call.N[1] = uint64(n), uint64(section)
	c.set.Run(&call)
	return int(call.Done)
}

// nativeProducts returns how many bytes of blocks it did.
func nativeProducts(c *Cipher, counter, blocks, sum []byte) int {
	if c.native == nil || len(blocks) < 1024 {
		return 0
	}
	call := native.Call{Work: c.work(native.Products)}
	call.P[0], call.P[1], call.P[2], call.P[3], call.P[4] = ptr(c.native), ptr(counter), nil, ptr(blocks), ptr(sum)
	call.N[1] = uint64(len(blocks))
	c.set.Run(&call)
	return int(call.Done)
}
