package native

import (
	"sync"
	"syscall"
)

// pmull asks the system, once: PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE.
var pmull = sync.OnceValue(func() bool {
	has, _, _ := syscall.NewLazyDLL("kernel32.dll").NewProc("IsProcessorFeaturePresent").Call(30)
	return has != 0
})
