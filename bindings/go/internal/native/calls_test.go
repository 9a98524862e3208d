package native

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// work is a work with its numbers: block is the unit of its lengths, and n the length's number in the call.
type work struct {
	name  string
	call  Call
	block int
	n     int
	key   int // the schedule's place in the memory
}

// works are all works, of every count, chain, direction and first block.
func works() (all []work) {
	key := 0
	add := func(name string, block, n int, c Call) {
		all = append(all, work{name, c, block, n, key})
	}
	for first := range uint64(3) {
		add("Streebog", 64, 0, Call{Work: Blocks, N: [3]uint64{1: first}})
		add("Streebog's end", 1, 0, Call{Work: Finish, N: [3]uint64{1: first}})
	}
	add("product", 8, 0, Call{Work: Mac64})
	add("product", 16, 0, Call{Work: Mac128})
	for _, c := range []struct {
		name  string
		first uint64
		block int
		more  uint64
		key   int
	}{{"Kuznyechik", Kuznyechik, 16, 0, 0}, {"Magma", Magma, 8, 1, 1}, {"GOST 28147-89", Magma, 8, 1, 2}} {
		key = c.key
		add(c.name+"'s key", 0, 0, Call{Work: c.first + Prepare})
		for way := range uint64(2) {
			add(c.name+"'s blocks", c.block, 0, Call{Work: c.first + Map, N: [3]uint64{1: way}})
		}
		for count := range 3 + c.more {
			add(c.name+"'s gamma", c.block, 0, Call{Work: c.first + Stream, N: [3]uint64{1: count}})
		}
		for chain := range 4 + c.more {
			add(c.name+"'s chain", c.block, 0, Call{Work: c.first + Chain, N: [3]uint64{1: chain}})
		}
		for _, section := range []uint64{1, 2, 3, 8, 64, 256} {
			add(c.name+"'s sections", c.block, 0, Call{Work: c.first + Sections, N: [3]uint64{1: section * uint64(c.block)}})
		}
		for before := range uint64(3) {
			add(c.name+"'s products", c.block, 1, Call{Work: c.first + Products, N: [3]uint64{before * uint64(c.block)}})
		}
	}
	return all
}

func (w *work) products() bool { return w.n == 1 }

// inPlace returns whether source and destination may be one buffer.
func (w *work) inPlace() bool {
	switch k := w.call.Work & 7; {
	case w.call.Work < Kuznyechik || w.call.Work >= Sboxes || k == Prepare || k == Products:
		return false
	default:
		return k != Chain || w.call.N[1] < 3
	}
}

// memory is what the calls point to.
type memory struct {
	schedule [3][]byte // of Kuznyechik, of Magma, and with S-boxes that no circuit is for
	dst, src []byte
	small    [3][]byte // 64 bytes: a register, a sum, a few blocks
	state    []byte    // of Streebog
	key      []byte
}

// boxes are Magma's S-boxes, row by row.
const boxes = "c462a5b9e8d703f1" + "68239a5c1e47bd0f" + "b3582fade174c960" + "c821d4f670a53e9b" +
	"7f5a816d093eb42c" + "5df692cab78143e0" + "8e25691cf4b0da37" + "17ed05834fa69cb2"

func newMemory(set Set, make func(int) []byte) *memory {
	m := &memory{dst: make(1 << 16), src: make(1 << 16), state: make(192), key: make(32)}
	for i := range m.small {
		m.small[i] = make(64)
	}
	for i := range m.src {
		m.src[i] = byte(i * i / 7)
	}
	room, rows := make(3*384+63), make(128)
	at := int(-uintptr(unsafe.Pointer(&room[0])) & 63)
	for i := range m.schedule {
		m.schedule[i] = room[at+384*i : at+384*i+ScheduleSize]
		if i == 0 {
			continue
		}
		for j := range boxes {
			rows[j] = byte(j % 16)
			if i == 1 {
				rows[j] = byte(strings.IndexByte("0123456789abcdef", boxes[j]))
			}
		}
		c := Call{Work: Sboxes, N: [3]uint64{uint64(i - 1)}}
		c.P[0], c.P[1] = unsafe.Pointer(&m.schedule[i][0]), unsafe.Pointer(&rows[0])
		if set.Run(&c); c.Done != 1 {
			panic("S-boxes")
		}
	}
	keyed(set, m)
	return m
}

// keyed prepares the keys again, which sections change.
func keyed(set Set, m *memory) {
	for i, first := range []uint64{Kuznyechik, Magma, Magma} {
		c := Call{Work: first + Prepare}
		c.P[0], c.P[1] = unsafe.Pointer(&m.schedule[i][0]), unsafe.Pointer(&m.key[0])
		set.Run(&c)
	}
}

// call points to the last bytes of the memory, or to the first, so that a page that no code may touch is next to each.
func (m *memory) call(w *work, n int, last bool) *Call {
	c := w.call
	c.N[w.n] = uint64(n)
	edge := func(b []byte, n int) unsafe.Pointer {
		if n > len(b) {
			n = len(b)
		}
		if last {
			b = b[len(b)-n:]
		}
		return unsafe.Pointer(unsafe.SliceData(b))
	}
	src, register, sum := edge(m.src, n), edge(m.small[0], w.block), edge(m.small[1], w.block)
	switch {
	case c.Work <= Finish:
		c.P[0], c.P[1] = edge(m.state, 192), src
	case c.Work >= Mac64:
		c.P[0], c.P[1], c.P[2] = sum, edge(m.dst, n), src
	default:
		c.P[0] = unsafe.Pointer(&m.schedule[w.key][0])
		switch c.Work & 7 {
		case Prepare:
			c.P[1] = edge(m.key, 32)
		case Products:
			c.P[1], c.P[2], c.P[3], c.P[4] = register, edge(m.small[2], int(c.N[0])), src, sum
		default:
			c.P[1], c.P[2], c.P[3] = edge(m.dst, n), src, register
		}
	}
	return &c
}

// made is what a call has written; of sections it may do the first ones.
func (m *memory) made(w *work, c *Call, n int, last bool) []byte {
	end := func(b []byte, n int) []byte {
		if last {
			return b[len(b)-n:]
		}
		return b[:n]
	}
	dst := end(m.dst, n)
	if c.Work >= Kuznyechik && c.Work < Sboxes && c.Work&7 == Sections {
		dst = dst[:c.Done]
	}
	return bytes.Join([][]byte{dst, end(m.small[0], w.block), end(m.small[1], w.block), end(m.state, 192)}, nil)
}

// lengths are all up to the ends of a few of the longest vectors, and some up to the longest piece.
func lengths(w *work) (all []int) {
	if w.block == 0 {
		return []int{0}
	}
	most := 1 << 16
	if w.call.Work == Finish {
		most = 63
	}
	for n := 0; n <= most; n += w.block {
		if k := n / w.block; n > 1100 && k > 140 && k%64 > 1 && k%64 < 63 || n > 9000 && n < most-1100 && k%509 != 0 {
			continue
		}
		all = append(all, n)
	}
	return all
}

// each calls f with each set of this machine.
func each(t *testing.T, f func(*testing.T, Set)) {
	found := false
	for i, name := range Names() {
		if !has(name) {
			fmt.Println("skipped: this machine has no", name)
			continue
		}
		found = true
		t.Run(name, func(t *testing.T) { f(t, Set(i+1)) })
	}
	if !found {
		t.Skip("skipped: no kernels")
	}
}

// TestWrong: what a kernel has no work for, Run refuses, as the kernel would end the program.
func TestWrong(t *testing.T) {
	each(t, func(t *testing.T, set Set) {
		m := newMemory(set, func(n int) []byte { return make([]byte, n) })
		refused := func(c *Call) (yes bool) {
			defer func() {
				if s := recover(); s != nil {
					yes = strings.HasPrefix(fmt.Sprint(s), "bulat: ")
				}
			}()
			set.Run(c)
			return false
		}
		for _, w := range works() {
			for n := range 200 {
				if wrong := w.block == 0 && n > 0 || w.block > 0 && n%w.block != 0 || w.call.Work == Finish && n > 63; wrong != refused(m.call(&w, n, false)) {
					t.Errorf("%s, %v: %d bytes", w.name, w.call.N, n)
				}
			}
			c := m.call(&w, w.block, false)
			if w.products() {
				c.N[0] = uint64(w.block) / 2
			} else if c.Work >= Mac64 || w.block == 0 {
				continue
			} else if c.Work&7 == Sections && c.Work > Finish {
				c.N[1] = 0
			} else {
				c.N[1] = 5
			}
			if !refused(c) {
				t.Errorf("%s: %v", w.name, c.N)
			}
		}
		for _, n := range []uint64{2, 7, 14, 15, 22, 23, 27, 1 << 63} {
			if !refused(&Call{Work: n}) {
				t.Errorf("work %d", n)
			}
		}
	})
}

// TestStack: no kernel goes deeper than the frame of its stub, with room to spare.
func TestStack(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which might shrink the stack
	each(t, func(t *testing.T, set Set) {
		m := newMemory(set, func(n int) []byte { return make([]byte, n) })
		deepest := map[int]int{}
		name := map[int]string{}
		for _, w := range works() {
			frame := shallow
			if w.call.Work >= Magma && w.call.Work < Sboxes {
				frame = deep
			}
			all := lengths(&w)
			for _, n := range []int{all[0], all[min(1, len(all)-1)], all[len(all)/8], all[len(all)/4], all[len(all)/2], all[len(all)-1]} {
				if d := depth(set, m.call(&w, n, false)); d > deepest[frame] {
					deepest[frame], name[frame] = d, w.name
				}
			}
		}
		for frame, d := range deepest {
			t.Logf("%s: %d bytes of %d", name[frame], d, frame)
			if d > frame-1024 {
				t.Errorf("%s: %d bytes of a frame of %d", name[frame], d, frame)
			}
		}
	})
}

// spilled is how many runs of 16 bytes of a key the compiler may leave in the stack, one vector of 64: crates/bulat/tests/memory has
// the same bound. A copy of a key or of a schedule has more.
const spilled = 4

// TestRemains: after a call no copy of a key is in the stack, in the forms that the kernels have.
func TestRemains(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which might shrink the stack
	each(t, func(t *testing.T, set Set) {
		m := newMemory(set, func(n int) []byte { return make([]byte, n) })
		for i := range m.key {
			m.key[i] = byte(i*i*7 + i*59 + 91)
		}
		for _, w := range works() {
			if w.call.Work < Kuznyechik || w.call.Work >= Sboxes {
				continue
			}
			for _, n := range []int{w.block, 5 * w.block, 20 * w.block, 600 * w.block, 8192} {
				keyed(set, m)
				secrets := forms(m)
				c := m.call(&w, n, false)
				if w.block == 0 {
					c.N[0] = 0
				}
				if found := remains(set, c, secrets); found > spilled {
					t.Errorf("%s, %v, %d bytes: %d runs of a key in the stack", w.name, w.call.N, n, found)
				}
			}
		}
	})
}

// forms are all runs of 16 bytes of the key, of the schedule of Kuznyechik and of the key's words as vectors of Magma have
// them: four times, and a nibble in each byte, beside ones.
func forms(m *memory) map[[16]byte]bool {
	all := map[[16]byte]bool{}
	add := func(b []byte) {
		for i := range len(b) - 15 {
			all[[16]byte(b[i:])] = true
		}
	}
	add(m.key)
	add(m.schedule[0])
	var turned []byte
	for word := range slices.Chunk(m.key, 4) {
		word := [4]byte(word)
		other := [4]byte{word[3], word[2], word[1], word[0]}
		turned = append(turned, other[:]...)
		for _, w := range [][4]byte{word, other} {
			add(bytes.Repeat(w[:], 4))
			var spread [16]byte
			for i, up := range []bool{false, true, false, true, true, false, false, true} {
				nibble := w[i/2] >> (4 * (i % 2)) & 15
				if spread[i] = 0xf0 | nibble; up {
					spread[i] = nibble<<4 | 15
				}
			}
			all[spread] = true
		}
	}
	add(turned)
	return all
}

// remains counts the secrets that a call leaves in the stack.
//
//go:noinline
func remains(set Set, c *Call, secrets map[[16]byte]bool) (found int) {
	var top byte
	grow(whole/4096 + 2)
	paint(&top, true)
	run(set, c)
	for i := whole; i > near; i-- {
		if secrets[[16]byte(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(&top), -i)), 16))] {
			found++
		}
	}
	return found
}

const (
	near  = 2048   // below the caller, where these functions have their own frames
	whole = 160000 // more than any frame
	color = 0xa7
)

// depth returns how far below this function a call writes.
//
//go:noinline
func depth(set Set, c *Call) int {
	var top byte
	grow(whole/4096 + 2)
	paint(&top, true)
	run(set, c)
	return paint(&top, false)
}

// grow makes the stack large enough, so that it is not moved later.
//
//go:noinline
func grow(n int) byte {
	var room [4096]byte
	room[n] = byte(n)
	if n > 0 {
		room[0] = grow(n - 1)
	}
	return room[n/2]
}

// paint colors the stack, or finds the lowest byte that has a different color. On arm64 the stub itself writes the
// lowest bytes, with the link and the frame pointer: the search goes on after these.
//
//go:noinline
func paint(top *byte, fill bool) int {
	stub := runtime.GOARCH == "arm64"
	for i := whole; i > near; i-- {
		p := (*byte)(unsafe.Add(unsafe.Pointer(top), -i))
		switch {
		case fill:
			*p = color
		case *p != color && stub:
			i, stub = i-15, false
		case *p != color:
			return i
		}
	}
	return near
}
