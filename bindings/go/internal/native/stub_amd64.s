#include "textflag.h"

// The kernels follow the C convention, and need a stack: this function's frame, which Go makes before it enters. BX keeps
// the stack pointer, as the convention preserves it. TestStack measures how deep the kernels go.
#define CALL_KERNELS(frame, code) \
	MOVQ c+0(FP), DI; \
	MOVQ SP, BX; \
	LEAQ (frame-64)(SP), AX; \
	ANDQ $~63, AX; \
	MOVQ AX, SP; \
	CALL code(SB); \
	MOVQ BX, SP; \
	VZEROUPPER; \
	RET

TEXT ·callGfni512(SB), 0, $24576-8
	CALL_KERNELS(24576, ·codeGfni512)

TEXT ·callAvx2gfni(SB), 0, $24576-8
	CALL_KERNELS(24576, ·codeAvx2gfni)

TEXT ·callAvx2(SB), 0, $24576-8
	CALL_KERNELS(24576, ·codeAvx2)

TEXT ·deepGfni512(SB), 0, $65536-8
	CALL_KERNELS(65536, ·codeGfni512)

TEXT ·deepAvx2gfni(SB), 0, $65536-8
	CALL_KERNELS(65536, ·codeAvx2gfni)

TEXT ·deepAvx2(SB), 0, $65536-8
	CALL_KERNELS(65536, ·codeAvx2)

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// func xgetbv() uint32
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, ret+0(FP)
	RET

// func starts() (gfni512, avx2gfni, avx2 uintptr)
TEXT ·starts(SB), NOSPLIT, $0-24
	LEAQ ·codeGfni512(SB), AX
	MOVQ AX, gfni512+0(FP)
	LEAQ ·codeAvx2gfni(SB), AX
	MOVQ AX, avx2gfni+8(FP)
	LEAQ ·codeAvx2(SB), AX
	MOVQ AX, avx2+16(FP)
	RET
