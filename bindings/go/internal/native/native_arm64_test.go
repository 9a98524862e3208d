package native

import "testing"

// TestAlignment: the constants of the kernels lie where their vectors need them.
func TestAlignment(t *testing.T) {
	if at := starts(); at == 0 || at%64 != 0 {
		t.Errorf("at %#x", at)
	}
}
