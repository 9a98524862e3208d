//go:build !windows

package native

import (
	"encoding/binary"
	"os"
	"runtime"
	"sync"
)

// pmull asks the system, once.
var pmull = sync.OnceValue(func() bool {
	switch runtime.GOOS {
	case "darwin", "ios":
		return true // of every processor of Apple
	case "linux", "android":
		const hwcap, bit = 16, 1 << 4
		pairs, _ := os.ReadFile("/proc/self/auxv")
		for ; len(pairs) >= 16; pairs = pairs[16:] {
			if binary.LittleEndian.Uint64(pairs) == hwcap {
				return binary.LittleEndian.Uint64(pairs[8:])&bit != 0
			}
		}
	}
	return false
})
