#include "textflag.h"

// As stub_amd64.s: R19 keeps the stack pointer. The kernels leave alone R28, which is the goroutine, also in a signal's
// handler, and R18, which is the system's: the generator looks for both. Below the frame lies Go's saved frame pointer.
#define CALL_KERNELS(frame, code) \
	MOVD c+0(FP), R0; \
	MOVD RSP, R19; \
	ADD $(frame-64), R19, R1; \
	AND $~63, R1, R1; \
	MOVD R1, RSP; \
	CALL code(SB); \
	MOVD R19, RSP; \
	RET

TEXT ·callNeon(SB), 0, $24576-8
	CALL_KERNELS(24576, ·codeNeon)

TEXT ·deepNeon(SB), 0, $65536-8
	CALL_KERNELS(65536, ·codeNeon)

// func starts() (neon uintptr)
TEXT ·starts(SB), NOSPLIT, $0-8
	MOVD $·codeNeon(SB), R0
	MOVD R0, neon+0(FP)
	RET
