//go:build linux || darwin || freebsd

package native

import (
	"bytes"
	"syscall"
	"testing"
)

// guarded returns memory between two pages that no code may touch.
func guarded(t *testing.T, n int) []byte {
	page := syscall.Getpagesize()
	inside := (n + page - 1) / page * page
	b, err := syscall.Mmap(-1, 0, inside+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(b) })
	for _, guard := range [][]byte{b[:page], b[page+inside:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return b[page : page+inside]
}

// TestEdges: every work at every length runs to its end, keeps to its buffers, and writes the same at either end of them,
// and in place.
func TestEdges(t *testing.T) {
	each(t, func(t *testing.T, set Set) {
		m := newMemory(set, func(n int) []byte { return guarded(t, n) })
		text := bytes.Clone(m.src)
		n := 0
		reset := func(last bool, n int) {
			clear(m.state)
			for i, b := range m.small {
				for j := range b {
					b[j] = byte(17 * i)
				}
			}
			from := m.src[:n]
			if last {
				from = m.src[len(m.src)-n:]
			}
			copy(from, text)
			clear(m.dst)
			keyed(set, m)
		}
		for _, w := range works() {
			for _, size := range lengths(&w) {
				var want []byte
				for _, last := range []bool{false, true} {
					reset(last, size)
					c := m.call(&w, size, last)
					set.Run(c)
					n++
					got := m.made(&w, c, size, last)
					if last && !bytes.Equal(got, want) {
						t.Fatalf("%s, %v: %d bytes: another result at the end of memory", w.name, w.call.N, size)
					}
					want = got
				}
				if w.inPlace() {
					reset(true, size)
					c := m.call(&w, size, true)
					copy(m.dst[len(m.dst)-size:], text)
					c.P[2] = c.P[1]
					set.Run(c)
					n++
					if !bytes.Equal(m.made(&w, c, size, true), want) {
						t.Fatalf("%s, %v: %d bytes: another result in place", w.name, w.call.N, size)
					}
				}
			}
		}
		t.Logf("%d calls", n)
	})
}
