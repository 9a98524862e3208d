# Kuznyechik, rounds of decryption by nibbles: 16 vectors of 16 bytes, ssse3.
#
# rsi        pointers, one a round, to the tables of its 16 places; left behind the last
# rdx        16 tables of 16 bytes a round, with its key; left behind the last
# rcx        rounds, at least 1; left 0
# r8         the 81 constants of L
# r9         tables of logarithms
# rdi        16 vectors, byte i of each block in vector i: read, and written at the end of each round
# r10        64 vectors of memory for what does not fit into registers
# changes    rax, xmm0 to xmm15, flags
# used by    core/src/kuznyechik/rounds/assembly.rs
# checked by cargo test -p bulat --lib kuznyechik::logs, --test kuznyechik_kernels (reference)
# written by cargo run -p asmgen; stands alone for as -msyntax=intel -mnaked-reg
2:
mov rax, qword ptr [rsi]
movdqa xmm0, xmmword ptr [rdi + 48]
movdqa xmm1, xmmword ptr [r9 + 0]
movdqa xmm2, xmm0
pand xmm2, xmm1
psrlw xmm0, 4
movdqa xmm3, xmmword ptr [rdi + 112]
movdqa xmm4, xmm3
pand xmm4, xmm1
psrlw xmm3, 4
movdqa xmm5, xmmword ptr [rdi + 176]
movdqa xmm6, xmm5
pand xmm6, xmm1
psrlw xmm5, 4
movdqa xmm7, xmmword ptr [rdi + 240]
movdqa xmm8, xmm7
pand xmm8, xmm1
psrlw xmm7, 4
pand xmm0, xmm1
pand xmm3, xmm1
pand xmm5, xmm1
pand xmm7, xmm1
movdqa xmm9, xmmword ptr [r8 + 256]
pshufb xmm9, xmm4
movdqa xmm10, xmmword ptr [r8 + 272]
pshufb xmm10, xmm3
movdqa xmm11, xmmword ptr [r8 + 320]
pshufb xmm11, xmm2
movdqa xmm12, xmmword ptr [r8 + 336]
pshufb xmm12, xmm0
pxor xmm9, xmm10
pxor xmm11, xmm12
movdqa xmm12, xmm2
pxor xmm12, xmm6
movdqa xmm10, xmm0
pxor xmm10, xmm5
movdqa xmm13, xmm4
pxor xmm13, xmm8
movdqa xmm14, xmm3
pxor xmm14, xmm7
movdqa xmm15, xmmword ptr [r8 + 64]
pshufb xmm15, xmm8
movdqa xmmword ptr [r10 + 0], xmm3
movdqa xmm3, xmmword ptr [r8 + 80]
pshufb xmm3, xmm7
movdqa xmmword ptr [r10 + 16], xmm4
movdqa xmm4, xmmword ptr [r8 + 128]
pshufb xmm4, xmm6
movdqa xmmword ptr [r10 + 32], xmm0
movdqa xmm0, xmmword ptr [r8 + 144]
pshufb xmm0, xmm5
movdqa xmmword ptr [r10 + 48], xmm2
movdqa xmm2, xmm6
pxor xmm2, xmm8
movdqa xmmword ptr [r10 + 64], xmm8
movdqa xmm8, xmm5
pxor xmm8, xmm7
pxor xmm15, xmm3
pxor xmm4, xmm0
movdqa xmm0, xmmword ptr [r8 + 0]
pshufb xmm0, xmm2
movdqa xmm2, xmmword ptr [r8 + 16]
pshufb xmm2, xmm8
pxor xmm0, xmm2
pxor xmm15, xmm0
pxor xmm4, xmm0
movdqa xmm0, xmmword ptr [r8 + 448]
pshufb xmm0, xmm13
movdqa xmm2, xmmword ptr [r8 + 464]
pshufb xmm2, xmm14
movdqa xmm8, xmmword ptr [r8 + 512]
pshufb xmm8, xmm12
movdqa xmm3, xmmword ptr [r8 + 528]
pshufb xmm3, xmm10
pxor xmm12, xmm13
pxor xmm10, xmm14
movdqa xmm14, xmmword ptr [rdi + 16]
movdqa xmm13, xmm14
pand xmm13, xmm1
psrlw xmm14, 4
movdqa xmmword ptr [r10 + 80], xmm7
movdqa xmm7, xmmword ptr [rdi + 80]
movdqa xmmword ptr [r10 + 96], xmm5
movdqa xmm5, xmm7
pand xmm5, xmm1
psrlw xmm7, 4
movdqa xmmword ptr [r10 + 112], xmm6
movdqa xmm6, xmmword ptr [rdi + 144]
movdqa xmmword ptr [r10 + 128], xmm5
movdqa xmm5, xmm6
pand xmm5, xmm1
psrlw xmm6, 4
movdqa xmmword ptr [r10 + 144], xmm5
movdqa xmm5, xmmword ptr [rdi + 208]
movdqa xmmword ptr [r10 + 160], xmm13
movdqa xmm13, xmm5
pand xmm13, xmm1
psrlw xmm5, 4
pxor xmm0, xmm2
pxor xmm8, xmm3
movdqa xmm3, xmmword ptr [r8 + 384]
pshufb xmm3, xmm12
movdqa xmm12, xmmword ptr [r8 + 400]
pshufb xmm12, xmm10
pand xmm14, xmm1
pand xmm7, xmm1
pand xmm6, xmm1
pand xmm5, xmm1
pxor xmm3, xmm12
pxor xmm0, xmm3
pxor xmm8, xmm3
pxor xmm15, xmm0
pxor xmm4, xmm8
pxor xmm9, xmm0
pxor xmm11, xmm8
movdqa xmm8, xmmword ptr [r10 + 160]
movdqa xmm0, xmm8
pxor xmm0, xmmword ptr [r10 + 48]
movdqa xmm3, xmm14
pxor xmm3, xmmword ptr [r10 + 32]
movdqa xmm12, xmmword ptr [r10 + 128]
movdqa xmm10, xmm12
pxor xmm10, xmmword ptr [r10 + 16]
movdqa xmm2, xmm7
pxor xmm2, xmmword ptr [r10 + 0]
movdqa xmm1, xmmword ptr [r10 + 144]
movdqa xmmword ptr [r10 + 176], xmm11
movdqa xmm11, xmm1
pxor xmm11, xmmword ptr [r10 + 112]
movdqa xmmword ptr [r10 + 192], xmm9
movdqa xmm9, xmm6
pxor xmm9, xmmword ptr [r10 + 96]
movdqa xmmword ptr [r10 + 208], xmm4
movdqa xmm4, xmm13
pxor xmm4, xmmword ptr [r10 + 64]
movdqa xmmword ptr [r10 + 224], xmm15
movdqa xmm15, xmm5
pxor xmm15, xmmword ptr [r10 + 80]
movdqa xmmword ptr [r10 + 240], xmm5
movdqa xmm5, xmmword ptr [r8 + 1344]
pshufb xmm5, xmm0
movdqa xmmword ptr [r10 + 256], xmm13
movdqa xmm13, xmmword ptr [r8 + 1360]
pshufb xmm13, xmm3
movdqa xmmword ptr [r10 + 272], xmm6
movdqa xmm6, xmmword ptr [r8 + 1344]
pshufb xmm6, xmm10
movdqa xmm1, xmmword ptr [r8 + 1360]
pshufb xmm1, xmm2
movdqa xmm8, xmmword ptr [r8 + 1408]
pshufb xmm8, xmm10
movdqa xmm12, xmmword ptr [r8 + 1424]
pshufb xmm12, xmm2
movdqa xmmword ptr [r10 + 288], xmm7
movdqa xmm7, xmmword ptr [r8 + 1488]
pshufb xmm7, xmm3
pxor xmm5, xmm13
pxor xmm6, xmm1
pxor xmm5, xmm8
pxor xmm6, xmm0
pxor xmm5, xmm12
pxor xmm6, xmm7
movdqa xmm7, xmm0
pxor xmm7, xmm11
movdqa xmm12, xmm3
pxor xmm12, xmm9
movdqa xmm8, xmm10
pxor xmm8, xmm4
movdqa xmm1, xmm2
pxor xmm1, xmm15
movdqa xmm13, xmmword ptr [r8 + 1216]
pshufb xmm13, xmm4
movdqa xmmword ptr [r10 + 304], xmm2
movdqa xmm2, xmmword ptr [r8 + 1232]
pshufb xmm2, xmm15
movdqa xmmword ptr [r10 + 320], xmm10
movdqa xmm10, xmmword ptr [r8 + 1280]
pshufb xmm10, xmm11
movdqa xmmword ptr [r10 + 336], xmm3
movdqa xmm3, xmmword ptr [r8 + 1296]
pshufb xmm3, xmm9
movdqa xmmword ptr [r10 + 352], xmm0
movdqa xmm0, xmm11
pxor xmm0, xmm4
movdqa xmmword ptr [r10 + 368], xmm4
movdqa xmm4, xmm9
pxor xmm4, xmm15
pxor xmm13, xmm2
pxor xmm10, xmm3
movdqa xmm3, xmmword ptr [r8 + 1152]
pshufb xmm3, xmm0
movdqa xmm0, xmmword ptr [r8 + 1168]
pshufb xmm0, xmm4
pxor xmm3, xmm0
pxor xmm13, xmm3
pxor xmm10, xmm3
movdqa xmm3, xmmword ptr [r8 + 1552]
pshufb xmm3, xmm12
movdqa xmm0, xmmword ptr [r8 + 1552]
pshufb xmm0, xmm1
movdqa xmm4, xmmword ptr [r8 + 1600]
pshufb xmm4, xmm8
movdqa xmm2, xmmword ptr [r8 + 1616]
pshufb xmm2, xmm1
movdqa xmm1, xmmword ptr [r8 + 1664]
pshufb xmm1, xmm7
movdqa xmmword ptr [r10 + 384], xmm15
movdqa xmm15, xmmword ptr [r8 + 1680]
pshufb xmm15, xmm12
pxor xmm3, xmm7
pxor xmm0, xmm8
pxor xmm3, xmm4
pxor xmm0, xmm1
pxor xmm3, xmm2
pxor xmm0, xmm15
pxor xmm13, xmm3
pxor xmm10, xmm0
pxor xmm5, xmm3
pxor xmm6, xmm0
movdqa xmm0, xmmword ptr [r8 + 784]
pshufb xmm0, xmm14
movdqa xmm3, xmmword ptr [r10 + 288]
movdqa xmm15, xmmword ptr [r8 + 784]
pshufb xmm15, xmm3
movdqa xmm2, xmmword ptr [r10 + 128]
movdqa xmm1, xmmword ptr [r8 + 832]
pshufb xmm1, xmm2
movdqa xmm4, xmmword ptr [r8 + 848]
pshufb xmm4, xmm3
movdqa xmm8, xmmword ptr [r10 + 160]
movdqa xmm7, xmmword ptr [r8 + 896]
pshufb xmm7, xmm8
movdqa xmm12, xmmword ptr [r8 + 912]
pshufb xmm12, xmm14
pxor xmm0, xmm8
pxor xmm15, xmm2
pxor xmm0, xmm1
pxor xmm15, xmm7
pxor xmm0, xmm4
pxor xmm15, xmm12
movdqa xmm12, xmmword ptr [r10 + 144]
movdqa xmm4, xmm8
pxor xmm4, xmm12
movdqa xmm7, xmmword ptr [r10 + 272]
movdqa xmm1, xmm14
pxor xmm1, xmm7
movdqa xmmword ptr [r10 + 400], xmm14
movdqa xmm14, xmmword ptr [r10 + 256]
movdqa xmm8, xmm2
pxor xmm8, xmm14
movdqa xmm2, xmmword ptr [r10 + 240]
movdqa xmmword ptr [r10 + 416], xmm9
movdqa xmm9, xmm3
pxor xmm9, xmm2
movdqa xmm3, xmmword ptr [r8 + 640]
pshufb xmm3, xmm14
movdqa xmmword ptr [r10 + 432], xmm11
movdqa xmm11, xmmword ptr [r8 + 656]
pshufb xmm11, xmm2
movdqa xmmword ptr [r10 + 448], xmm6
movdqa xmm6, xmm12
pxor xmm6, xmm14
movdqa xmm14, xmm7
pxor xmm14, xmm2
pxor xmm3, xmm11
movdqa xmm11, xmmword ptr [r8 + 576]
pshufb xmm11, xmm6
movdqa xmm6, xmmword ptr [r8 + 592]
pshufb xmm6, xmm14
pxor xmm11, xmm6
pxor xmm3, xmm11
movdqa xmm6, xmmword ptr [r8 + 1024]
pshufb xmm6, xmm8
movdqa xmm14, xmmword ptr [r8 + 1040]
pshufb xmm14, xmm9
movdqa xmm2, xmmword ptr [r8 + 1088]
pshufb xmm2, xmm4
movdqa xmm7, xmmword ptr [r8 + 1104]
pshufb xmm7, xmm1
pxor xmm4, xmm8
pxor xmm1, xmm9
pxor xmm6, xmm14
pxor xmm2, xmm7
movdqa xmm7, xmmword ptr [r8 + 960]
pshufb xmm7, xmm4
movdqa xmm4, xmmword ptr [r8 + 976]
pshufb xmm4, xmm1
pxor xmm7, xmm4
pxor xmm6, xmm7
pxor xmm2, xmm7
pxor xmm3, xmm6
pxor xmm11, xmm2
pxor xmm0, xmm6
pxor xmm15, xmm2
movdqa xmm2, xmm13
pxor xmm2, xmmword ptr [r10 + 224]
movdqa xmm6, xmm10
pxor xmm6, xmmword ptr [r10 + 208]
movdqa xmm7, xmm5
pxor xmm7, xmmword ptr [r10 + 192]
movdqa xmm4, xmmword ptr [r10 + 448]
movdqa xmm1, xmm4
pxor xmm1, xmmword ptr [r10 + 176]
pxor xmm3, xmm13
pxor xmm11, xmm10
pxor xmm0, xmm5
pxor xmm15, xmm4
movdqa xmm4, xmmword ptr [rdi + 32]
movdqa xmm5, xmmword ptr [r9 + 0]
movdqa xmm10, xmm4
pand xmm10, xmm5
psrlw xmm4, 4
movdqa xmm13, xmmword ptr [rdi + 96]
movdqa xmm14, xmm13
pand xmm14, xmm5
psrlw xmm13, 4
movdqa xmm9, xmmword ptr [rdi + 160]
movdqa xmm8, xmm9
pand xmm8, xmm5
psrlw xmm9, 4
movdqa xmmword ptr [r10 + 448], xmm1
movdqa xmm1, xmmword ptr [rdi + 224]
movdqa xmmword ptr [r10 + 176], xmm7
movdqa xmm7, xmm1
pand xmm7, xmm5
psrlw xmm1, 4
pand xmm4, xmm5
pand xmm13, xmm5
pand xmm9, xmm5
pand xmm1, xmm5
movdqa xmmword ptr [r10 + 192], xmm6
movdqa xmm6, xmmword ptr [r8 + 1920]
pshufb xmm6, xmm10
movdqa xmmword ptr [r10 + 208], xmm2
movdqa xmm2, xmmword ptr [r8 + 1936]
pshufb xmm2, xmm4
movdqa xmmword ptr [r10 + 224], xmm15
movdqa xmm15, xmmword ptr [r8 + 1920]
pshufb xmm15, xmm14
movdqa xmmword ptr [r10 + 464], xmm0
movdqa xmm0, xmmword ptr [r8 + 1936]
pshufb xmm0, xmm13
movdqa xmmword ptr [r10 + 480], xmm11
movdqa xmm11, xmmword ptr [r8 + 1984]
pshufb xmm11, xmm14
movdqa xmmword ptr [r10 + 496], xmm3
movdqa xmm3, xmmword ptr [r8 + 2000]
pshufb xmm3, xmm13
pxor xmm6, xmm2
pxor xmm15, xmm0
pxor xmm6, xmm11
pxor xmm6, xmm3
movdqa xmm3, xmm10
pxor xmm3, xmm8
movdqa xmm11, xmm4
pxor xmm11, xmm9
movdqa xmm0, xmm14
pxor xmm0, xmm7
movdqa xmm2, xmm13
pxor xmm2, xmm1
movdqa xmm12, xmmword ptr [r8 + 1792]
pshufb xmm12, xmm7
movdqa xmmword ptr [r10 + 512], xmm13
movdqa xmm13, xmmword ptr [r8 + 1808]
pshufb xmm13, xmm1
movdqa xmmword ptr [r10 + 528], xmm14
movdqa xmm14, xmmword ptr [r8 + 1856]
pshufb xmm14, xmm8
movdqa xmmword ptr [r10 + 544], xmm4
movdqa xmm4, xmmword ptr [r8 + 1872]
pshufb xmm4, xmm9
movdqa xmmword ptr [r10 + 560], xmm10
movdqa xmm10, xmm8
pxor xmm10, xmm7
movdqa xmmword ptr [r10 + 576], xmm7
movdqa xmm7, xmm9
pxor xmm7, xmm1
pxor xmm12, xmm13
pxor xmm14, xmm4
movdqa xmm4, xmmword ptr [r8 + 1728]
pshufb xmm4, xmm10
movdqa xmm10, xmmword ptr [r8 + 1744]
pshufb xmm10, xmm7
pxor xmm4, xmm10
pxor xmm12, xmm4
pxor xmm14, xmm4
movdqa xmm4, xmmword ptr [r8 + 2176]
pshufb xmm4, xmm0
movdqa xmm10, xmmword ptr [r8 + 2192]
pshufb xmm10, xmm2
movdqa xmm7, xmmword ptr [r8 + 2240]
pshufb xmm7, xmm3
movdqa xmm13, xmmword ptr [r8 + 2256]
pshufb xmm13, xmm11
pxor xmm3, xmm0
pxor xmm11, xmm2
movdqa xmm2, xmmword ptr [rdi + 0]
movdqa xmm0, xmm2
pand xmm0, xmm5
psrlw xmm2, 4
movdqa xmmword ptr [r10 + 592], xmm1
movdqa xmm1, xmmword ptr [rdi + 64]
movdqa xmmword ptr [r10 + 608], xmm9
movdqa xmm9, xmm1
pand xmm9, xmm5
psrlw xmm1, 4
movdqa xmmword ptr [r10 + 624], xmm8
movdqa xmm8, xmmword ptr [rdi + 128]
movdqa xmmword ptr [r10 + 640], xmm9
movdqa xmm9, xmm8
pand xmm9, xmm5
psrlw xmm8, 4
movdqa xmmword ptr [r10 + 656], xmm9
movdqa xmm9, xmmword ptr [rdi + 192]
movdqa xmmword ptr [r10 + 672], xmm0
movdqa xmm0, xmm9
pand xmm0, xmm5
psrlw xmm9, 4
pxor xmm4, xmm10
pxor xmm7, xmm13
movdqa xmm13, xmmword ptr [r8 + 2112]
pshufb xmm13, xmm3
movdqa xmm3, xmmword ptr [r8 + 2128]
pshufb xmm3, xmm11
pand xmm2, xmm5
pand xmm1, xmm5
pand xmm8, xmm5
pand xmm9, xmm5
pxor xmm13, xmm3
pxor xmm4, xmm13
pxor xmm7, xmm13
pxor xmm12, xmm4
pxor xmm14, xmm7
pxor xmm6, xmm4
pxor xmm15, xmm7
movdqa xmm7, xmmword ptr [r10 + 672]
movdqa xmm4, xmm7
pxor xmm4, xmmword ptr [r10 + 560]
movdqa xmm13, xmm2
pxor xmm13, xmmword ptr [r10 + 544]
movdqa xmm3, xmmword ptr [r10 + 640]
movdqa xmm11, xmm3
pxor xmm11, xmmword ptr [r10 + 528]
movdqa xmm10, xmm1
pxor xmm10, xmmword ptr [r10 + 512]
movdqa xmm5, xmmword ptr [r10 + 656]
movdqa xmmword ptr [r10 + 688], xmm15
movdqa xmm15, xmm5
pxor xmm15, xmmword ptr [r10 + 624]
movdqa xmmword ptr [r10 + 704], xmm6
movdqa xmm6, xmm8
pxor xmm6, xmmword ptr [r10 + 608]
movdqa xmmword ptr [r10 + 720], xmm14
movdqa xmm14, xmm0
pxor xmm14, xmmword ptr [r10 + 576]
movdqa xmmword ptr [r10 + 736], xmm12
movdqa xmm12, xmm9
pxor xmm12, xmmword ptr [r10 + 592]
movdqa xmmword ptr [r10 + 752], xmm9
movdqa xmm9, xmmword ptr [r8 + 3152]
pshufb xmm9, xmm10
movdqa xmmword ptr [r10 + 768], xmm1
movdqa xmm1, xmmword ptr [r8 + 3200]
pshufb xmm1, xmm4
movdqa xmmword ptr [r10 + 784], xmm0
movdqa xmm0, xmmword ptr [r8 + 3216]
pshufb xmm0, xmm13
movdqa xmm3, xmm4
pxor xmm3, xmm11
movdqa xmmword ptr [r10 + 800], xmm8
movdqa xmm8, xmm13
pxor xmm8, xmm10
pxor xmm9, xmm11
pxor xmm1, xmm0
movdqa xmm0, xmmword ptr [r8 + 3072]
pshufb xmm0, xmm3
movdqa xmm3, xmmword ptr [r8 + 3088]
pshufb xmm3, xmm8
pxor xmm0, xmm3
pxor xmm9, xmm0
pxor xmm1, xmm0
movdqa xmm0, xmm4
pxor xmm0, xmm15
movdqa xmm3, xmm13
pxor xmm3, xmm6
movdqa xmm8, xmm11
pxor xmm8, xmm14
movdqa xmmword ptr [r10 + 816], xmm11
movdqa xmm11, xmm10
pxor xmm11, xmm12
movdqa xmmword ptr [r10 + 832], xmm10
movdqa xmm10, xmmword ptr [r8 + 2944]
pshufb xmm10, xmm14
movdqa xmmword ptr [r10 + 848], xmm13
movdqa xmm13, xmmword ptr [r8 + 2960]
pshufb xmm13, xmm12
movdqa xmmword ptr [r10 + 864], xmm4
movdqa xmm4, xmmword ptr [r8 + 3008]
pshufb xmm4, xmm15
movdqa xmm5, xmmword ptr [r8 + 3024]
pshufb xmm5, xmm6
movdqa xmmword ptr [r10 + 880], xmm2
movdqa xmm2, xmm15
pxor xmm2, xmm14
movdqa xmmword ptr [r10 + 896], xmm14
movdqa xmm14, xmm6
pxor xmm14, xmm12
pxor xmm10, xmm13
pxor xmm4, xmm5
movdqa xmm5, xmmword ptr [r8 + 2880]
pshufb xmm5, xmm2
movdqa xmm2, xmmword ptr [r8 + 2896]
pshufb xmm2, xmm14
pxor xmm5, xmm2
pxor xmm10, xmm5
pxor xmm4, xmm5
movdqa xmm5, xmmword ptr [r8 + 3264]
pshufb xmm5, xmm0
movdqa xmm0, xmmword ptr [r8 + 3280]
pshufb xmm0, xmm3
movdqa xmm3, xmmword ptr [r8 + 3264]
pshufb xmm3, xmm8
movdqa xmm2, xmmword ptr [r8 + 3280]
pshufb xmm2, xmm11
movdqa xmm14, xmmword ptr [r8 + 3328]
pshufb xmm14, xmm8
movdqa xmm8, xmmword ptr [r8 + 3344]
pshufb xmm8, xmm11
pxor xmm5, xmm0
pxor xmm3, xmm2
pxor xmm5, xmm14
pxor xmm4, xmm3
pxor xmm1, xmm3
pxor xmm5, xmm8
pxor xmm10, xmm5
pxor xmm9, xmm5
movdqa xmm5, xmmword ptr [r8 + 2624]
pshufb xmm5, xmm7
movdqa xmm8, xmmword ptr [r10 + 880]
movdqa xmm3, xmmword ptr [r8 + 2640]
pshufb xmm3, xmm8
pxor xmm5, xmm3
movdqa xmm3, xmmword ptr [r10 + 656]
movdqa xmm14, xmm7
pxor xmm14, xmm3
movdqa xmm2, xmmword ptr [r10 + 800]
movdqa xmm0, xmm8
pxor xmm0, xmm2
movdqa xmm11, xmmword ptr [r10 + 784]
movdqa xmm13, xmm11
pxor xmm13, xmmword ptr [r10 + 640]
movdqa xmm8, xmmword ptr [r10 + 752]
movdqa xmm7, xmm8
pxor xmm7, xmmword ptr [r10 + 768]
movdqa xmmword ptr [r10 + 912], xmm12
movdqa xmm12, xmmword ptr [r8 + 2304]
pshufb xmm12, xmm3
movdqa xmm3, xmmword ptr [r8 + 2320]
pshufb xmm3, xmm2
movdqa xmm2, xmmword ptr [r8 + 2304]
pshufb xmm2, xmm11
movdqa xmmword ptr [r10 + 928], xmm6
movdqa xmm6, xmmword ptr [r8 + 2320]
pshufb xmm6, xmm8
movdqa xmmword ptr [r10 + 944], xmm15
movdqa xmm15, xmmword ptr [r8 + 2368]
pshufb xmm15, xmm11
movdqa xmm11, xmmword ptr [r8 + 2384]
pshufb xmm11, xmm8
pxor xmm12, xmm3
pxor xmm2, xmm6
pxor xmm12, xmm15
pxor xmm12, xmm11
movdqa xmm11, xmmword ptr [r8 + 2752]
pshufb xmm11, xmm13
movdqa xmm15, xmmword ptr [r8 + 2768]
pshufb xmm15, xmm7
movdqa xmm6, xmmword ptr [r8 + 2816]
pshufb xmm6, xmm14
movdqa xmm3, xmmword ptr [r8 + 2832]
pshufb xmm3, xmm0
pxor xmm14, xmm13
pxor xmm0, xmm7
pxor xmm11, xmm15
pxor xmm6, xmm3
movdqa xmm3, xmmword ptr [r8 + 2688]
pshufb xmm3, xmm14
movdqa xmm14, xmmword ptr [r8 + 2704]
pshufb xmm14, xmm0
pxor xmm3, xmm14
pxor xmm11, xmm3
pxor xmm6, xmm3
pxor xmm12, xmm11
pxor xmm2, xmm6
pxor xmm5, xmm6
movdqa xmm6, xmm10
pxor xmm6, xmmword ptr [r10 + 736]
movdqa xmm3, xmm4
pxor xmm3, xmmword ptr [r10 + 720]
movdqa xmm14, xmm9
pxor xmm14, xmmword ptr [r10 + 704]
movdqa xmm0, xmm1
pxor xmm0, xmmword ptr [r10 + 688]
pxor xmm12, xmm10
pxor xmm2, xmm4
pxor xmm11, xmm9
pxor xmm5, xmm1
movdqa xmm1, xmmword ptr [r10 + 864]
pxor xmm1, xmmword ptr [r10 + 352]
movdqa xmm9, xmmword ptr [r10 + 848]
pxor xmm9, xmmword ptr [r10 + 336]
movdqa xmm4, xmmword ptr [r10 + 816]
pxor xmm4, xmmword ptr [r10 + 320]
movdqa xmm10, xmmword ptr [r10 + 832]
pxor xmm10, xmmword ptr [r10 + 304]
movdqa xmm15, xmmword ptr [r10 + 944]
pxor xmm15, xmmword ptr [r10 + 432]
movdqa xmm7, xmmword ptr [r10 + 928]
pxor xmm7, xmmword ptr [r10 + 416]
movdqa xmm13, xmmword ptr [r10 + 896]
pxor xmm13, xmmword ptr [r10 + 368]
movdqa xmmword ptr [r10 + 368], xmm0
movdqa xmm0, xmmword ptr [r10 + 912]
pxor xmm0, xmmword ptr [r10 + 384]
movdqa xmmword ptr [r10 + 384], xmm14
movdqa xmm14, xmmword ptr [r8 + 4672]
pshufb xmm14, xmm13
movdqa xmmword ptr [r10 + 912], xmm3
movdqa xmm3, xmmword ptr [r8 + 4688]
pshufb xmm3, xmm0
movdqa xmmword ptr [r10 + 896], xmm6
movdqa xmm6, xmmword ptr [r8 + 4736]
pshufb xmm6, xmm15
movdqa xmmword ptr [r10 + 416], xmm5
movdqa xmm5, xmmword ptr [r8 + 4752]
pshufb xmm5, xmm7
pxor xmm14, xmm3
pxor xmm6, xmm5
pxor xmm15, xmm1
pxor xmm7, xmm9
pxor xmm13, xmm4
pxor xmm0, xmm10
movdqa xmm5, xmmword ptr [r8 + 4864]
pshufb xmm5, xmm4
movdqa xmm3, xmmword ptr [r8 + 4880]
pshufb xmm3, xmm10
movdqa xmmword ptr [r10 + 928], xmm11
movdqa xmm11, xmmword ptr [r8 + 4928]
pshufb xmm11, xmm1
movdqa xmmword ptr [r10 + 432], xmm2
movdqa xmm2, xmmword ptr [r8 + 4944]
pshufb xmm2, xmm9
pxor xmm1, xmm4
pxor xmm9, xmm10
pxor xmm5, xmm3
pxor xmm11, xmm2
movdqa xmm2, xmmword ptr [r8 + 4800]
pshufb xmm2, xmm1
movdqa xmm1, xmmword ptr [r8 + 4816]
pshufb xmm1, xmm9
pxor xmm2, xmm1
pxor xmm5, xmm2
pxor xmm11, xmm2
movdqa xmm2, xmmword ptr [r8 + 5056]
pshufb xmm2, xmm13
movdqa xmm1, xmmword ptr [r8 + 5072]
pshufb xmm1, xmm0
movdqa xmm9, xmmword ptr [r8 + 5120]
pshufb xmm9, xmm15
movdqa xmm3, xmmword ptr [r8 + 5136]
pshufb xmm3, xmm7
pxor xmm15, xmm13
pxor xmm7, xmm0
pxor xmm2, xmm1
pxor xmm9, xmm3
movdqa xmm3, xmmword ptr [r8 + 4992]
pshufb xmm3, xmm15
movdqa xmm15, xmmword ptr [r8 + 5008]
pshufb xmm15, xmm7
pxor xmm3, xmm15
pxor xmm2, xmm3
pxor xmm9, xmm3
pxor xmm14, xmm2
pxor xmm6, xmm9
pxor xmm5, xmm2
pxor xmm11, xmm9
movdqa xmm9, xmmword ptr [r10 + 672]
pxor xmm9, xmmword ptr [r10 + 160]
movdqa xmm2, xmmword ptr [r10 + 880]
pxor xmm2, xmmword ptr [r10 + 400]
movdqa xmm3, xmmword ptr [r10 + 640]
pxor xmm3, xmmword ptr [r10 + 128]
movdqa xmm15, xmmword ptr [r10 + 768]
pxor xmm15, xmmword ptr [r10 + 288]
movdqa xmm7, xmmword ptr [r10 + 656]
pxor xmm7, xmmword ptr [r10 + 144]
movdqa xmm1, xmmword ptr [r10 + 800]
pxor xmm1, xmmword ptr [r10 + 272]
movdqa xmm0, xmmword ptr [r10 + 784]
pxor xmm0, xmmword ptr [r10 + 256]
pxor xmm8, xmmword ptr [r10 + 240]
movdqa xmm13, xmmword ptr [r8 + 4224]
pshufb xmm13, xmm9
movdqa xmm10, xmmword ptr [r8 + 4240]
pshufb xmm10, xmm2
movdqa xmm4, xmmword ptr [r8 + 4224]
pshufb xmm4, xmm3
movdqa xmmword ptr [r10 + 240], xmm12
movdqa xmm12, xmmword ptr [r8 + 4240]
pshufb xmm12, xmm15
movdqa xmmword ptr [r10 + 752], xmm11
movdqa xmm11, xmmword ptr [r8 + 4304]
pshufb xmm11, xmm15
movdqa xmmword ptr [r10 + 256], xmm5
movdqa xmm5, xmmword ptr [r8 + 4352]
pshufb xmm5, xmm9
movdqa xmmword ptr [r10 + 784], xmm6
movdqa xmm6, xmmword ptr [r8 + 4368]
pshufb xmm6, xmm2
pxor xmm13, xmm10
pxor xmm4, xmm12
pxor xmm13, xmm3
pxor xmm4, xmm5
pxor xmm13, xmm11
pxor xmm4, xmm6
pxor xmm9, xmm7
pxor xmm2, xmm1
pxor xmm3, xmm0
pxor xmm15, xmm8
movdqa xmm6, xmmword ptr [r8 + 4096]
pshufb xmm6, xmm0
movdqa xmm11, xmmword ptr [r8 + 4112]
pshufb xmm11, xmm8
movdqa xmm5, xmmword ptr [r8 + 4160]
pshufb xmm5, xmm7
movdqa xmm12, xmmword ptr [r8 + 4176]
pshufb xmm12, xmm1
pxor xmm7, xmm0
pxor xmm1, xmm8
pxor xmm6, xmm11
pxor xmm5, xmm12
movdqa xmm12, xmmword ptr [r8 + 4032]
pshufb xmm12, xmm7
movdqa xmm7, xmmword ptr [r8 + 4048]
pshufb xmm7, xmm1
pxor xmm12, xmm7
pxor xmm6, xmm12
pxor xmm5, xmm12
movdqa xmm12, xmmword ptr [r8 + 4480]
pshufb xmm12, xmm3
movdqa xmm7, xmmword ptr [r8 + 4496]
pshufb xmm7, xmm15
movdqa xmm1, xmmword ptr [r8 + 4544]
pshufb xmm1, xmm9
movdqa xmm11, xmmword ptr [r8 + 4560]
pshufb xmm11, xmm2
pxor xmm9, xmm3
pxor xmm2, xmm15
pxor xmm12, xmm7
pxor xmm1, xmm11
movdqa xmm11, xmmword ptr [r8 + 4416]
pshufb xmm11, xmm9
movdqa xmm9, xmmword ptr [r8 + 4432]
pshufb xmm9, xmm2
pxor xmm11, xmm9
pxor xmm12, xmm11
pxor xmm1, xmm11
pxor xmm6, xmm12
pxor xmm5, xmm1
pxor xmm13, xmm12
pxor xmm4, xmm1
pxor xmm6, xmm14
pxor xmm5, xmmword ptr [r10 + 784]
pxor xmm13, xmmword ptr [r10 + 256]
pxor xmm4, xmmword ptr [r10 + 752]
movdqa xmm1, xmm6
pxor xmm1, xmmword ptr [r10 + 240]
movdqa xmm12, xmm5
pxor xmm12, xmmword ptr [r10 + 432]
movdqa xmm11, xmm13
pxor xmm11, xmmword ptr [r10 + 928]
movdqa xmm9, xmm4
pxor xmm9, xmmword ptr [r10 + 416]
pxor xmm6, xmmword ptr [r10 + 496]
pxor xmm5, xmmword ptr [r10 + 480]
pxor xmm13, xmmword ptr [r10 + 464]
pxor xmm4, xmmword ptr [r10 + 224]
movdqa xmm2, xmmword ptr [r10 + 560]
pxor xmm2, xmmword ptr [r10 + 48]
movdqa xmm7, xmmword ptr [r10 + 544]
pxor xmm7, xmmword ptr [r10 + 32]
movdqa xmm15, xmmword ptr [r10 + 528]
pxor xmm15, xmmword ptr [r10 + 16]
movdqa xmm3, xmmword ptr [r10 + 512]
pxor xmm3, xmmword ptr [r10 + 0]
movdqa xmm8, xmmword ptr [r10 + 624]
pxor xmm8, xmmword ptr [r10 + 112]
movdqa xmm0, xmmword ptr [r10 + 608]
pxor xmm0, xmmword ptr [r10 + 96]
movdqa xmm10, xmmword ptr [r10 + 576]
pxor xmm10, xmmword ptr [r10 + 64]
movdqa xmmword ptr [r10 + 64], xmm4
movdqa xmm4, xmmword ptr [r10 + 592]
pxor xmm4, xmmword ptr [r10 + 80]
movdqa xmmword ptr [r10 + 80], xmm13
movdqa xmm13, xmmword ptr [r8 + 3712]
pshufb xmm13, xmm15
movdqa xmmword ptr [r10 + 592], xmm5
movdqa xmm5, xmmword ptr [r8 + 3728]
pshufb xmm5, xmm3
movdqa xmmword ptr [r10 + 576], xmm6
movdqa xmm6, xmmword ptr [r8 + 3776]
pshufb xmm6, xmm2
movdqa xmmword ptr [r10 + 96], xmm9
movdqa xmm9, xmmword ptr [r8 + 3792]
pshufb xmm9, xmm7
movdqa xmmword ptr [r10 + 608], xmm11
movdqa xmm11, xmm2
pxor xmm11, xmm15
movdqa xmmword ptr [r10 + 112], xmm12
movdqa xmm12, xmm7
pxor xmm12, xmm3
pxor xmm13, xmm5
pxor xmm6, xmm9
movdqa xmm9, xmmword ptr [r8 + 3648]
pshufb xmm9, xmm11
movdqa xmm11, xmmword ptr [r8 + 3664]
pshufb xmm11, xmm12
pxor xmm9, xmm11
pxor xmm13, xmm9
pxor xmm6, xmm9
pxor xmm2, xmm8
pxor xmm7, xmm0
pxor xmm15, xmm10
pxor xmm3, xmm4
movdqa xmm9, xmmword ptr [r8 + 3536]
pshufb xmm9, xmm4
movdqa xmm11, xmmword ptr [r8 + 3584]
pshufb xmm11, xmm8
movdqa xmm12, xmmword ptr [r8 + 3600]
pshufb xmm12, xmm0
pxor xmm8, xmm10
pxor xmm0, xmm4
pxor xmm9, xmm10
pxor xmm11, xmm12
movdqa xmm12, xmmword ptr [r8 + 3456]
pshufb xmm12, xmm8
movdqa xmm8, xmmword ptr [r8 + 3472]
pshufb xmm8, xmm0
pxor xmm12, xmm8
pxor xmm9, xmm12
pxor xmm11, xmm12
movdqa xmm12, xmmword ptr [r8 + 3904]
pshufb xmm12, xmm15
movdqa xmm8, xmmword ptr [r8 + 3920]
pshufb xmm8, xmm3
movdqa xmm0, xmmword ptr [r8 + 3968]
pshufb xmm0, xmm2
movdqa xmm10, xmmword ptr [r8 + 3984]
pshufb xmm10, xmm7
pxor xmm2, xmm15
pxor xmm7, xmm3
pxor xmm12, xmm8
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [r8 + 3840]
pshufb xmm10, xmm2
movdqa xmm2, xmmword ptr [r8 + 3856]
pshufb xmm2, xmm7
pxor xmm10, xmm2
pxor xmm12, xmm10
pxor xmm0, xmm10
pxor xmm9, xmm12
pxor xmm11, xmm0
pxor xmm13, xmm12
pxor xmm6, xmm0
pxor xmm9, xmm14
pxor xmm11, xmmword ptr [r10 + 784]
pxor xmm13, xmmword ptr [r10 + 256]
pxor xmm6, xmmword ptr [r10 + 752]
movdqa xmm14, xmm9
pxor xmm14, xmmword ptr [r10 + 896]
movdqa xmm0, xmm11
pxor xmm0, xmmword ptr [r10 + 912]
movdqa xmm12, xmm13
pxor xmm12, xmmword ptr [r10 + 384]
movdqa xmm10, xmm6
pxor xmm10, xmmword ptr [r10 + 368]
pxor xmm9, xmmword ptr [r10 + 208]
pxor xmm11, xmmword ptr [r10 + 192]
pxor xmm13, xmmword ptr [r10 + 176]
pxor xmm6, xmmword ptr [r10 + 448]
movdqa xmm2, xmmword ptr [r9 + 0]
movdqa xmm7, xmm1
pand xmm7, xmm2
psrlw xmm1, 4
pand xmm1, xmm2
movdqa xmm8, xmmword ptr [rax + 768]
pshufb xmm8, xmm7
movdqa xmm3, xmmword ptr [rax + 832]
pshufb xmm3, xmm7
movdqa xmm7, xmmword ptr [rax + 784]
pshufb xmm7, xmm1
movdqa xmm15, xmmword ptr [rax + 848]
pshufb xmm15, xmm1
movdqa xmm1, xmmword ptr [r10 + 112]
movdqa xmm4, xmm1
pand xmm4, xmm2
psrlw xmm1, 4
pxor xmm8, xmm7
pxor xmm3, xmm15
pand xmm1, xmm2
movdqa xmm15, xmmword ptr [rax + 1792]
pshufb xmm15, xmm4
movdqa xmm7, xmmword ptr [rax + 1856]
pshufb xmm7, xmm4
movdqa xmm4, xmmword ptr [r9 + 160]
pshufb xmm4, xmm3
movdqa xmm3, xmmword ptr [r9 + 192]
pshufb xmm3, xmm8
movdqa xmm5, xmmword ptr [r9 + 224]
pshufb xmm5, xmm8
movdqa xmmword ptr [r10 + 112], xmm10
movdqa xmm10, xmmword ptr [rax + 1808]
pshufb xmm10, xmm1
movdqa xmmword ptr [r10 + 448], xmm12
movdqa xmm12, xmmword ptr [rax + 1872]
pshufb xmm12, xmm1
paddb xmm3, xmm4
paddb xmm5, xmm4
psubb xmm8, xmm4
movdqa xmm4, xmmword ptr [r10 + 608]
movdqa xmm1, xmm4
pand xmm1, xmm2
psrlw xmm4, 4
pxor xmm15, xmm10
pxor xmm7, xmm12
movdqa xmm12, xmm3
paddb xmm12, xmmword ptr [r9 + 32]
movdqa xmm10, xmm5
paddb xmm10, xmmword ptr [r9 + 32]
movdqa xmmword ptr [r10 + 608], xmm0
movdqa xmm0, xmmword ptr [rax + 928]
pshufb xmm0, xmm8
pand xmm4, xmm2
movdqa xmm8, xmmword ptr [rax + 2816]
pshufb xmm8, xmm1
movdqa xmmword ptr [r10 + 176], xmm14
movdqa xmm14, xmmword ptr [rax + 2880]
pshufb xmm14, xmm1
movdqa xmm1, xmmword ptr [r9 + 160]
pshufb xmm1, xmm7
movdqa xmm7, xmmword ptr [r9 + 192]
pshufb xmm7, xmm15
movdqa xmmword ptr [r10 + 192], xmm6
movdqa xmm6, xmmword ptr [r9 + 224]
pshufb xmm6, xmm15
pminub xmm12, xmm3
pminub xmm10, xmm5
movdqa xmm5, xmmword ptr [rax + 2832]
pshufb xmm5, xmm4
movdqa xmm3, xmmword ptr [rax + 2896]
pshufb xmm3, xmm4
paddb xmm7, xmm1
paddb xmm6, xmm1
psubb xmm15, xmm1
movdqa xmm1, xmmword ptr [r10 + 96]
movdqa xmm4, xmm1
pand xmm4, xmm2
psrlw xmm1, 4
movdqa xmmword ptr [r10 + 96], xmm13
movdqa xmm13, xmmword ptr [rdx + 48]
pshufb xmm13, xmm12
movdqa xmm12, xmmword ptr [rax + 912]
pshufb xmm12, xmm10
pxor xmm8, xmm5
pxor xmm14, xmm3
movdqa xmm3, xmm7
paddb xmm3, xmmword ptr [r9 + 32]
movdqa xmm5, xmm6
paddb xmm5, xmmword ptr [r9 + 32]
movdqa xmm10, xmmword ptr [rax + 1952]
pshufb xmm10, xmm15
pand xmm1, xmm2
movdqa xmm15, xmmword ptr [rax + 3840]
pshufb xmm15, xmm4
movdqa xmmword ptr [r10 + 208], xmm11
movdqa xmm11, xmmword ptr [rax + 3904]
pshufb xmm11, xmm4
pxor xmm0, xmm13
movdqa xmm13, xmmword ptr [r9 + 160]
pshufb xmm13, xmm14
movdqa xmm14, xmmword ptr [r9 + 192]
pshufb xmm14, xmm8
movdqa xmm4, xmmword ptr [r9 + 224]
pshufb xmm4, xmm8
pminub xmm3, xmm7
pminub xmm5, xmm6
movdqa xmm6, xmmword ptr [rax + 3856]
pshufb xmm6, xmm1
movdqa xmm7, xmmword ptr [rax + 3920]
pshufb xmm7, xmm1
pxor xmm0, xmm12
paddb xmm14, xmm13
paddb xmm4, xmm13
psubb xmm8, xmm13
movdqa xmm13, xmmword ptr [r10 + 576]
movdqa xmm12, xmm13
pand xmm12, xmm2
psrlw xmm13, 4
movdqa xmm1, xmmword ptr [rdx + 112]
pshufb xmm1, xmm3
movdqa xmm3, xmmword ptr [rax + 1936]
pshufb xmm3, xmm5
pxor xmm15, xmm6
pxor xmm11, xmm7
movdqa xmmword ptr [rdi + 48], xmm0
movdqa xmm0, xmm14
paddb xmm0, xmmword ptr [r9 + 32]
movdqa xmm7, xmm4
paddb xmm7, xmmword ptr [r9 + 32]
movdqa xmm6, xmmword ptr [rax + 2976]
pshufb xmm6, xmm8
pand xmm13, xmm2
movdqa xmm8, xmmword ptr [rax + 512]
pshufb xmm8, xmm12
movdqa xmm5, xmmword ptr [rax + 576]
pshufb xmm5, xmm12
pxor xmm10, xmm1
movdqa xmm1, xmmword ptr [r9 + 160]
pshufb xmm1, xmm11
movdqa xmm11, xmmword ptr [r9 + 192]
pshufb xmm11, xmm15
movdqa xmm12, xmmword ptr [r9 + 224]
pshufb xmm12, xmm15
pminub xmm0, xmm14
pminub xmm7, xmm4
movdqa xmm4, xmmword ptr [rax + 528]
pshufb xmm4, xmm13
movdqa xmm14, xmmword ptr [rax + 592]
pshufb xmm14, xmm13
pxor xmm10, xmm3
paddb xmm11, xmm1
paddb xmm12, xmm1
psubb xmm15, xmm1
movdqa xmm1, xmmword ptr [r10 + 592]
movdqa xmm3, xmm1
pand xmm3, xmm2
psrlw xmm1, 4
movdqa xmm13, xmmword ptr [rdx + 176]
pshufb xmm13, xmm0
movdqa xmm0, xmmword ptr [rax + 2960]
pshufb xmm0, xmm7
pxor xmm8, xmm4
pxor xmm5, xmm14
movdqa xmmword ptr [rdi + 112], xmm10
movdqa xmm10, xmm11
paddb xmm10, xmmword ptr [r9 + 32]
movdqa xmm14, xmm12
paddb xmm14, xmmword ptr [r9 + 32]
movdqa xmm4, xmmword ptr [rax + 4000]
pshufb xmm4, xmm15
pand xmm1, xmm2
movdqa xmm15, xmmword ptr [rax + 1536]
pshufb xmm15, xmm3
movdqa xmm7, xmmword ptr [rax + 1600]
pshufb xmm7, xmm3
pxor xmm6, xmm13
movdqa xmm13, xmmword ptr [r9 + 160]
pshufb xmm13, xmm5
movdqa xmm5, xmmword ptr [r9 + 192]
pshufb xmm5, xmm8
movdqa xmm3, xmmword ptr [r9 + 224]
pshufb xmm3, xmm8
pminub xmm10, xmm11
pminub xmm14, xmm12
movdqa xmm12, xmmword ptr [rax + 1552]
pshufb xmm12, xmm1
movdqa xmm11, xmmword ptr [rax + 1616]
pshufb xmm11, xmm1
pxor xmm6, xmm0
paddb xmm5, xmm13
paddb xmm3, xmm13
psubb xmm8, xmm13
movdqa xmm13, xmmword ptr [r10 + 80]
movdqa xmm0, xmm13
pand xmm0, xmm2
psrlw xmm13, 4
movdqa xmm1, xmmword ptr [rdx + 240]
pshufb xmm1, xmm10
movdqa xmm10, xmmword ptr [rax + 3984]
pshufb xmm10, xmm14
pxor xmm15, xmm12
pxor xmm7, xmm11
movdqa xmmword ptr [rdi + 176], xmm6
movdqa xmm6, xmm5
paddb xmm6, xmmword ptr [r9 + 32]
movdqa xmm11, xmm3
paddb xmm11, xmmword ptr [r9 + 32]
movdqa xmm12, xmmword ptr [rax + 672]
pshufb xmm12, xmm8
pand xmm13, xmm2
movdqa xmm8, xmmword ptr [rax + 2560]
pshufb xmm8, xmm0
movdqa xmm14, xmmword ptr [rax + 2624]
pshufb xmm14, xmm0
pxor xmm4, xmm1
movdqa xmm1, xmmword ptr [r9 + 160]
pshufb xmm1, xmm7
movdqa xmm7, xmmword ptr [r9 + 192]
pshufb xmm7, xmm15
movdqa xmm0, xmmword ptr [r9 + 224]
pshufb xmm0, xmm15
pminub xmm6, xmm5
pminub xmm11, xmm3
movdqa xmm3, xmmword ptr [rax + 2576]
pshufb xmm3, xmm13
movdqa xmm5, xmmword ptr [rax + 2640]
pshufb xmm5, xmm13
pxor xmm4, xmm10
paddb xmm7, xmm1
paddb xmm0, xmm1
psubb xmm15, xmm1
movdqa xmm1, xmmword ptr [r10 + 64]
movdqa xmm10, xmm1
pand xmm10, xmm2
psrlw xmm1, 4
movdqa xmm13, xmmword ptr [rdx + 32]
pshufb xmm13, xmm6
movdqa xmm6, xmmword ptr [rax + 656]
pshufb xmm6, xmm11
pxor xmm8, xmm3
pxor xmm14, xmm5
movdqa xmmword ptr [rdi + 240], xmm4
movdqa xmm4, xmm7
paddb xmm4, xmmword ptr [r9 + 32]
movdqa xmm5, xmm0
paddb xmm5, xmmword ptr [r9 + 32]
movdqa xmm3, xmmword ptr [rax + 1696]
pshufb xmm3, xmm15
pand xmm1, xmm2
movdqa xmm15, xmmword ptr [rax + 3584]
pshufb xmm15, xmm10
movdqa xmm11, xmmword ptr [rax + 3648]
pshufb xmm11, xmm10
pxor xmm12, xmm13
movdqa xmm13, xmmword ptr [r9 + 160]
pshufb xmm13, xmm14
movdqa xmm14, xmmword ptr [r9 + 192]
pshufb xmm14, xmm8
movdqa xmm10, xmmword ptr [r9 + 224]
pshufb xmm10, xmm8
pminub xmm4, xmm7
pminub xmm5, xmm0
movdqa xmm0, xmmword ptr [rax + 3600]
pshufb xmm0, xmm1
movdqa xmm7, xmmword ptr [rax + 3664]
pshufb xmm7, xmm1
pxor xmm12, xmm6
paddb xmm14, xmm13
paddb xmm10, xmm13
psubb xmm8, xmm13
movdqa xmm13, xmm9
pand xmm13, xmm2
psrlw xmm9, 4
movdqa xmm6, xmmword ptr [rdx + 96]
pshufb xmm6, xmm4
movdqa xmm4, xmmword ptr [rax + 1680]
pshufb xmm4, xmm5
pxor xmm15, xmm0
pxor xmm11, xmm7
movdqa xmmword ptr [rdi + 32], xmm12
movdqa xmm12, xmm14
paddb xmm12, xmmword ptr [r9 + 32]
movdqa xmm7, xmm10
paddb xmm7, xmmword ptr [r9 + 32]
movdqa xmm0, xmmword ptr [rax + 2720]
pshufb xmm0, xmm8
pand xmm9, xmm2
movdqa xmm8, xmmword ptr [rax + 0]
pshufb xmm8, xmm13
movdqa xmm5, xmmword ptr [rax + 64]
pshufb xmm5, xmm13
pxor xmm3, xmm6
movdqa xmm6, xmmword ptr [r9 + 160]
pshufb xmm6, xmm11
movdqa xmm11, xmmword ptr [r9 + 192]
pshufb xmm11, xmm15
movdqa xmm13, xmmword ptr [r9 + 224]
pshufb xmm13, xmm15
pminub xmm12, xmm14
pminub xmm7, xmm10
movdqa xmm10, xmmword ptr [rax + 16]
pshufb xmm10, xmm9
movdqa xmm14, xmmword ptr [rax + 80]
pshufb xmm14, xmm9
pxor xmm3, xmm4
paddb xmm11, xmm6
paddb xmm13, xmm6
psubb xmm15, xmm6
movdqa xmm6, xmmword ptr [r10 + 208]
movdqa xmm4, xmm6
pand xmm4, xmm2
psrlw xmm6, 4
movdqa xmm9, xmmword ptr [rdx + 160]
pshufb xmm9, xmm12
movdqa xmm12, xmmword ptr [rax + 2704]
pshufb xmm12, xmm7
pxor xmm8, xmm10
pxor xmm5, xmm14
movdqa xmmword ptr [rdi + 96], xmm3
movdqa xmm3, xmm11
paddb xmm3, xmmword ptr [r9 + 32]
movdqa xmm14, xmm13
paddb xmm14, xmmword ptr [r9 + 32]
movdqa xmm10, xmmword ptr [rax + 3744]
pshufb xmm10, xmm15
pand xmm6, xmm2
movdqa xmm15, xmmword ptr [rax + 1024]
pshufb xmm15, xmm4
movdqa xmm7, xmmword ptr [rax + 1088]
pshufb xmm7, xmm4
pxor xmm0, xmm9
movdqa xmm9, xmmword ptr [r9 + 160]
pshufb xmm9, xmm5
movdqa xmm5, xmmword ptr [r9 + 192]
pshufb xmm5, xmm8
movdqa xmm4, xmmword ptr [r9 + 224]
pshufb xmm4, xmm8
pminub xmm3, xmm11
pminub xmm14, xmm13
movdqa xmm13, xmmword ptr [rax + 1040]
pshufb xmm13, xmm6
movdqa xmm11, xmmword ptr [rax + 1104]
pshufb xmm11, xmm6
pxor xmm0, xmm12
paddb xmm5, xmm9
paddb xmm4, xmm9
psubb xmm8, xmm9
movdqa xmm9, xmmword ptr [r10 + 96]
movdqa xmm12, xmm9
pand xmm12, xmm2
psrlw xmm9, 4
movdqa xmm6, xmmword ptr [rdx + 224]
pshufb xmm6, xmm3
movdqa xmm3, xmmword ptr [rax + 3728]
pshufb xmm3, xmm14
pxor xmm15, xmm13
pxor xmm7, xmm11
movdqa xmmword ptr [rdi + 160], xmm0
movdqa xmm0, xmm5
paddb xmm0, xmmword ptr [r9 + 32]
movdqa xmm11, xmm4
paddb xmm11, xmmword ptr [r9 + 32]
movdqa xmm13, xmmword ptr [rax + 160]
pshufb xmm13, xmm8
pand xmm9, xmm2
movdqa xmm8, xmmword ptr [rax + 2048]
pshufb xmm8, xmm12
movdqa xmm14, xmmword ptr [rax + 2112]
pshufb xmm14, xmm12
pxor xmm10, xmm6
movdqa xmm6, xmmword ptr [r9 + 160]
pshufb xmm6, xmm7
movdqa xmm7, xmmword ptr [r9 + 192]
pshufb xmm7, xmm15
movdqa xmm12, xmmword ptr [r9 + 224]
pshufb xmm12, xmm15
pminub xmm0, xmm5
pminub xmm11, xmm4
movdqa xmm4, xmmword ptr [rax + 2064]
pshufb xmm4, xmm9
movdqa xmm5, xmmword ptr [rax + 2128]
pshufb xmm5, xmm9
pxor xmm10, xmm3
paddb xmm7, xmm6
paddb xmm12, xmm6
psubb xmm15, xmm6
movdqa xmm6, xmmword ptr [r10 + 192]
movdqa xmm3, xmm6
pand xmm3, xmm2
psrlw xmm6, 4
movdqa xmm9, xmmword ptr [rdx + 0]
pshufb xmm9, xmm0
movdqa xmm0, xmmword ptr [rax + 144]
pshufb xmm0, xmm11
pxor xmm8, xmm4
pxor xmm14, xmm5
movdqa xmmword ptr [rdi + 224], xmm10
movdqa xmm10, xmm7
paddb xmm10, xmmword ptr [r9 + 32]
movdqa xmm5, xmm12
paddb xmm5, xmmword ptr [r9 + 32]
movdqa xmm4, xmmword ptr [rax + 1184]
pshufb xmm4, xmm15
pand xmm6, xmm2
movdqa xmm15, xmmword ptr [rax + 3072]
pshufb xmm15, xmm3
movdqa xmm11, xmmword ptr [rax + 3136]
pshufb xmm11, xmm3
pxor xmm13, xmm9
movdqa xmm9, xmmword ptr [r9 + 160]
pshufb xmm9, xmm14
movdqa xmm14, xmmword ptr [r9 + 192]
pshufb xmm14, xmm8
movdqa xmm3, xmmword ptr [r9 + 224]
pshufb xmm3, xmm8
pminub xmm10, xmm7
pminub xmm5, xmm12
movdqa xmm12, xmmword ptr [rax + 3088]
pshufb xmm12, xmm6
movdqa xmm7, xmmword ptr [rax + 3152]
pshufb xmm7, xmm6
pxor xmm13, xmm0
paddb xmm14, xmm9
paddb xmm3, xmm9
psubb xmm8, xmm9
movdqa xmm9, xmmword ptr [r10 + 176]
movdqa xmm0, xmm9
pand xmm0, xmm2
psrlw xmm9, 4
movdqa xmm6, xmmword ptr [rdx + 64]
pshufb xmm6, xmm10
movdqa xmm10, xmmword ptr [rax + 1168]
pshufb xmm10, xmm5
pxor xmm15, xmm12
pxor xmm11, xmm7
movdqa xmmword ptr [rdi + 0], xmm13
movdqa xmm13, xmm14
paddb xmm13, xmmword ptr [r9 + 32]
movdqa xmm7, xmm3
paddb xmm7, xmmword ptr [r9 + 32]
movdqa xmm12, xmmword ptr [rax + 2208]
pshufb xmm12, xmm8
pand xmm9, xmm2
movdqa xmm8, xmmword ptr [rax + 256]
pshufb xmm8, xmm0
movdqa xmm5, xmmword ptr [rax + 320]
pshufb xmm5, xmm0
pxor xmm4, xmm6
movdqa xmm6, xmmword ptr [r9 + 160]
pshufb xmm6, xmm11
movdqa xmm11, xmmword ptr [r9 + 192]
pshufb xmm11, xmm15
movdqa xmm0, xmmword ptr [r9 + 224]
pshufb xmm0, xmm15
pminub xmm13, xmm14
pminub xmm7, xmm3
movdqa xmm3, xmmword ptr [rax + 272]
pshufb xmm3, xmm9
movdqa xmm14, xmmword ptr [rax + 336]
pshufb xmm14, xmm9
pxor xmm4, xmm10
paddb xmm11, xmm6
paddb xmm0, xmm6
psubb xmm15, xmm6
movdqa xmm6, xmmword ptr [r10 + 608]
movdqa xmm10, xmm6
pand xmm10, xmm2
psrlw xmm6, 4
movdqa xmm9, xmmword ptr [rdx + 128]
pshufb xmm9, xmm13
movdqa xmm13, xmmword ptr [rax + 2192]
pshufb xmm13, xmm7
pxor xmm8, xmm3
pxor xmm5, xmm14
movdqa xmmword ptr [rdi + 64], xmm4
movdqa xmm4, xmm11
paddb xmm4, xmmword ptr [r9 + 32]
movdqa xmm14, xmm0
paddb xmm14, xmmword ptr [r9 + 32]
movdqa xmm3, xmmword ptr [rax + 3232]
pshufb xmm3, xmm15
pand xmm6, xmm2
movdqa xmm15, xmmword ptr [rax + 1280]
pshufb xmm15, xmm10
movdqa xmm7, xmmword ptr [rax + 1344]
pshufb xmm7, xmm10
pxor xmm12, xmm9
movdqa xmm9, xmmword ptr [r9 + 160]
pshufb xmm9, xmm5
movdqa xmm5, xmmword ptr [r9 + 192]
pshufb xmm5, xmm8
movdqa xmm10, xmmword ptr [r9 + 224]
pshufb xmm10, xmm8
pminub xmm4, xmm11
pminub xmm14, xmm0
movdqa xmm0, xmmword ptr [rax + 1296]
pshufb xmm0, xmm6
movdqa xmm11, xmmword ptr [rax + 1360]
pshufb xmm11, xmm6
pxor xmm12, xmm13
paddb xmm5, xmm9
paddb xmm10, xmm9
psubb xmm8, xmm9
movdqa xmm9, xmmword ptr [r10 + 448]
movdqa xmm13, xmm9
pand xmm13, xmm2
psrlw xmm9, 4
movdqa xmm6, xmmword ptr [rdx + 192]
pshufb xmm6, xmm4
movdqa xmm4, xmmword ptr [rax + 3216]
pshufb xmm4, xmm14
pxor xmm15, xmm0
pxor xmm7, xmm11
movdqa xmmword ptr [rdi + 128], xmm12
movdqa xmm12, xmm5
paddb xmm12, xmmword ptr [r9 + 32]
movdqa xmm11, xmm10
paddb xmm11, xmmword ptr [r9 + 32]
movdqa xmm0, xmmword ptr [rax + 416]
pshufb xmm0, xmm8
pand xmm9, xmm2
movdqa xmm8, xmmword ptr [rax + 2304]
pshufb xmm8, xmm13
movdqa xmm14, xmmword ptr [rax + 2368]
pshufb xmm14, xmm13
pxor xmm3, xmm6
movdqa xmm6, xmmword ptr [r9 + 160]
pshufb xmm6, xmm7
movdqa xmm7, xmmword ptr [r9 + 192]
pshufb xmm7, xmm15
movdqa xmm13, xmmword ptr [r9 + 224]
pshufb xmm13, xmm15
pminub xmm12, xmm5
pminub xmm11, xmm10
movdqa xmm10, xmmword ptr [rax + 2320]
pshufb xmm10, xmm9
movdqa xmm5, xmmword ptr [rax + 2384]
pshufb xmm5, xmm9
pxor xmm3, xmm4
paddb xmm7, xmm6
paddb xmm13, xmm6
psubb xmm15, xmm6
movdqa xmm6, xmmword ptr [r10 + 112]
movdqa xmm4, xmm6
pand xmm4, xmm2
psrlw xmm6, 4
movdqa xmm9, xmmword ptr [rdx + 16]
pshufb xmm9, xmm12
movdqa xmm12, xmmword ptr [rax + 400]
pshufb xmm12, xmm11
pxor xmm8, xmm10
pxor xmm14, xmm5
movdqa xmmword ptr [rdi + 192], xmm3
movdqa xmm3, xmm7
paddb xmm3, xmmword ptr [r9 + 32]
movdqa xmm5, xmm13
paddb xmm5, xmmword ptr [r9 + 32]
movdqa xmm10, xmmword ptr [rax + 1440]
pshufb xmm10, xmm15
pand xmm6, xmm2
movdqa xmm2, xmmword ptr [rax + 3328]
pshufb xmm2, xmm4
movdqa xmm15, xmmword ptr [rax + 3392]
pshufb xmm15, xmm4
pxor xmm0, xmm9
movdqa xmm9, xmmword ptr [r9 + 160]
pshufb xmm9, xmm14
movdqa xmm14, xmmword ptr [r9 + 192]
pshufb xmm14, xmm8
movdqa xmm4, xmmword ptr [r9 + 224]
pshufb xmm4, xmm8
pminub xmm3, xmm7
pminub xmm5, xmm13
movdqa xmm13, xmmword ptr [rax + 3344]
pshufb xmm13, xmm6
movdqa xmm7, xmmword ptr [rax + 3408]
pshufb xmm7, xmm6
pxor xmm0, xmm12
paddb xmm14, xmm9
paddb xmm4, xmm9
psubb xmm8, xmm9
movdqa xmm9, xmmword ptr [rdx + 80]
pshufb xmm9, xmm3
movdqa xmm3, xmmword ptr [rax + 1424]
pshufb xmm3, xmm5
pxor xmm2, xmm13
pxor xmm15, xmm7
movdqa xmmword ptr [rdi + 16], xmm0
movdqa xmm0, xmm14
paddb xmm0, xmmword ptr [r9 + 32]
movdqa xmm7, xmm4
paddb xmm7, xmmword ptr [r9 + 32]
movdqa xmm13, xmmword ptr [rax + 2464]
pshufb xmm13, xmm8
pxor xmm10, xmm9
movdqa xmm9, xmmword ptr [r9 + 160]
pshufb xmm9, xmm15
movdqa xmm15, xmmword ptr [r9 + 192]
pshufb xmm15, xmm2
movdqa xmm8, xmmword ptr [r9 + 224]
pshufb xmm8, xmm2
pminub xmm0, xmm14
pminub xmm7, xmm4
pxor xmm10, xmm3
paddb xmm15, xmm9
paddb xmm8, xmm9
psubb xmm2, xmm9
movdqa xmm9, xmmword ptr [rdx + 144]
pshufb xmm9, xmm0
movdqa xmm0, xmmword ptr [rax + 2448]
pshufb xmm0, xmm7
movdqa xmmword ptr [rdi + 80], xmm10
movdqa xmm10, xmm15
paddb xmm10, xmmword ptr [r9 + 32]
movdqa xmm7, xmm8
paddb xmm7, xmmword ptr [r9 + 32]
movdqa xmm3, xmmword ptr [rax + 3488]
pshufb xmm3, xmm2
pxor xmm13, xmm9
pminub xmm10, xmm15
pminub xmm7, xmm8
pxor xmm13, xmm0
movdqa xmm0, xmmword ptr [rdx + 208]
pshufb xmm0, xmm10
movdqa xmm10, xmmword ptr [rax + 3472]
pshufb xmm10, xmm7
movdqa xmmword ptr [rdi + 144], xmm13
pxor xmm3, xmm0
pxor xmm3, xmm10
movdqa xmmword ptr [rdi + 208], xmm3
add rsi, 8
add rdx, 256
dec rcx
jnz 2b
