package native

import "testing"

// TestAlignment: the constants of the kernels lie where their vectors need them.
func TestAlignment(t *testing.T) {
	a, b, c := starts()
	for _, at := range []uintptr{a, b, c} {
		if at == 0 || at%64 != 0 {
			t.Errorf("at %#x", at)
		}
	}
}
