package pure

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// TestLimits: the last byte that a message may have, and no byte after it (docs/LIMITS.md).
func TestLimits(t *testing.T) {
	key := make([]byte, 32)
	for _, c := range []struct {
		name string
		iv   int
		s    int
		room uint64
	}{
		{"magma-ctr", 4, 0, 32 << 30}, {"magma-ctr", 4, 3, 3 << 32}, {"magma-ctr-acpkm", 4, 0, 16 << 30}, {"magma-ctr-acpkm", 4, 2, 2 << 31},
		{"kuznyechik-ctr", 8, 0, 1 << 63}, {"kuznyechik-ctr-acpkm", 8, 0, 1 << 63},
	} {
		s, err := NewStream(c.name, key, make([]byte, c.iv), fault.Options{S: c.s})
		if err != nil {
			t.Fatal(err)
		}
		x := s.(*ctr)
		if x.room != c.room {
			t.Errorf("%s: room for %d bytes", c.name, x.room)
		}
		text := make([]byte, 40)
		x.XORKeyStream(text, text)
		if x.room != c.room-40 {
			t.Errorf("%s: 40 bytes were counted as %d", c.name, c.room-x.room)
		}
		x.room = 39
		before := bytes.Clone(text)
		if got := fmt.Sprint(panicked(func() { x.XORKeyStream(text, text) })); got != fault.Limit.Error() || !bytes.Equal(text, before) {
			t.Errorf("%s, past the limit: %s", c.name, got)
		}
		if got := panicked(func() { x.XORKeyStream(text[:39], text[:39]) }); got != nil || x.room != 0 {
			t.Errorf("%s, to the limit: %v", c.name, got)
		}
	}
	// Memory that the system does not make, as no code reads it.
	long := make([]byte, 1<<29)
	m, err := NewAEAD("magma-mgm", key, fault.Options{})
	if err != nil {
		t.Fatal(err)
	}
	nonce := make([]byte, 8)
	if _, err := m.SealTo(nil, nonce, long, nil); !errors.Is(err, fault.Limit) {
		t.Error(err)
	}
	if _, err := m.SealTo(nil, nonce, long[8:], long[:8]); !errors.Is(err, fault.Limit) {
		t.Error(err)
	}
	if _, err := m.Open(nil, nonce, long, long[:8]); !errors.Is(err, fault.Limit) {
		t.Error(err)
	}
}

func panicked(f func()) (with any) {
	defer func() { with = recover() }()
	f()
	return nil
}
