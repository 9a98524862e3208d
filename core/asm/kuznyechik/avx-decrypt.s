# Kuznyechik, rounds of decryption by nibbles: 16 vectors of 16 bytes, avx.
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
vmovdqa xmm0, xmmword ptr [rdi + 48]
vmovdqa xmm1, xmmword ptr [r9 + 0]
vpand xmm2, xmm0, xmm1
vpsrlw xmm0, xmm0, 4
vmovdqa xmm3, xmmword ptr [rdi + 112]
vpand xmm4, xmm3, xmm1
vpsrlw xmm3, xmm3, 4
vmovdqa xmm5, xmmword ptr [rdi + 176]
vpand xmm6, xmm5, xmm1
vpsrlw xmm5, xmm5, 4
vmovdqa xmm7, xmmword ptr [rdi + 240]
vpand xmm8, xmm7, xmm1
vpsrlw xmm7, xmm7, 4
vpand xmm0, xmm0, xmm1
vpand xmm3, xmm3, xmm1
vpand xmm5, xmm5, xmm1
vpand xmm7, xmm7, xmm1
vmovdqa xmm9, xmmword ptr [r8 + 256]
vpshufb xmm9, xmm9, xmm4
vmovdqa xmm10, xmmword ptr [r8 + 272]
vpshufb xmm10, xmm10, xmm3
vmovdqa xmm11, xmmword ptr [r8 + 320]
vpshufb xmm11, xmm11, xmm2
vmovdqa xmm12, xmmword ptr [r8 + 336]
vpshufb xmm12, xmm12, xmm0
vpxor xmm10, xmm9, xmm10
vpxor xmm12, xmm11, xmm12
vpxor xmm11, xmm2, xmm6
vpxor xmm9, xmm0, xmm5
vpxor xmm13, xmm4, xmm8
vpxor xmm14, xmm3, xmm7
vmovdqa xmm15, xmmword ptr [r8 + 64]
vpshufb xmm15, xmm15, xmm8
vmovdqa xmmword ptr [r10 + 0], xmm3
vmovdqa xmm3, xmmword ptr [r8 + 80]
vpshufb xmm3, xmm3, xmm7
vmovdqa xmmword ptr [r10 + 16], xmm4
vmovdqa xmm4, xmmword ptr [r8 + 128]
vpshufb xmm4, xmm4, xmm6
vmovdqa xmmword ptr [r10 + 32], xmm0
vmovdqa xmm0, xmmword ptr [r8 + 144]
vpshufb xmm0, xmm0, xmm5
vmovdqa xmmword ptr [r10 + 48], xmm8
vpxor xmm8, xmm6, xmm8
vmovdqa xmmword ptr [r10 + 64], xmm7
vpxor xmm7, xmm5, xmm7
vpxor xmm3, xmm15, xmm3
vpxor xmm0, xmm4, xmm0
vmovdqa xmm4, xmmword ptr [r8 + 0]
vpshufb xmm4, xmm4, xmm8
vmovdqa xmm8, xmmword ptr [r8 + 16]
vpshufb xmm8, xmm8, xmm7
vpxor xmm8, xmm4, xmm8
vpxor xmm3, xmm3, xmm8
vpxor xmm8, xmm0, xmm8
vmovdqa xmm0, xmmword ptr [r8 + 448]
vpshufb xmm0, xmm0, xmm13
vmovdqa xmm4, xmmword ptr [r8 + 464]
vpshufb xmm4, xmm4, xmm14
vmovdqa xmm7, xmmword ptr [r8 + 512]
vpshufb xmm7, xmm7, xmm11
vmovdqa xmm15, xmmword ptr [r8 + 528]
vpshufb xmm15, xmm15, xmm9
vpxor xmm13, xmm11, xmm13
vpxor xmm14, xmm9, xmm14
vmovdqa xmm9, xmmword ptr [rdi + 16]
vpand xmm11, xmm9, xmm1
vpsrlw xmm9, xmm9, 4
vmovdqa xmmword ptr [r10 + 80], xmm5
vmovdqa xmm5, xmmword ptr [rdi + 80]
vmovdqa xmmword ptr [r10 + 96], xmm6
vpand xmm6, xmm5, xmm1
vpsrlw xmm5, xmm5, 4
vmovdqa xmmword ptr [r10 + 112], xmm6
vmovdqa xmm6, xmmword ptr [rdi + 144]
vmovdqa xmmword ptr [r10 + 128], xmm11
vpand xmm11, xmm6, xmm1
vpsrlw xmm6, xmm6, 4
vmovdqa xmmword ptr [r10 + 144], xmm11
vmovdqa xmm11, xmmword ptr [rdi + 208]
vmovdqa xmmword ptr [r10 + 160], xmm2
vpand xmm2, xmm11, xmm1
vpsrlw xmm11, xmm11, 4
vpxor xmm4, xmm0, xmm4
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [r8 + 384]
vpshufb xmm7, xmm7, xmm13
vmovdqa xmm13, xmmword ptr [r8 + 400]
vpshufb xmm13, xmm13, xmm14
vpand xmm9, xmm9, xmm1
vpand xmm5, xmm5, xmm1
vpand xmm6, xmm6, xmm1
vpand xmm11, xmm11, xmm1
vpxor xmm13, xmm7, xmm13
vpxor xmm4, xmm4, xmm13
vpxor xmm13, xmm15, xmm13
vpxor xmm3, xmm3, xmm4
vpxor xmm8, xmm8, xmm13
vpxor xmm4, xmm10, xmm4
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [r10 + 128]
vpxor xmm10, xmm12, xmmword ptr [r10 + 160]
vpxor xmm15, xmm9, xmmword ptr [r10 + 32]
vmovdqa xmm7, xmmword ptr [r10 + 112]
vpxor xmm14, xmm7, xmmword ptr [r10 + 16]
vpxor xmm0, xmm5, xmmword ptr [r10 + 0]
vmovdqa xmm1, xmmword ptr [r10 + 144]
vmovdqa xmmword ptr [r10 + 176], xmm13
vpxor xmm13, xmm1, xmmword ptr [r10 + 96]
vmovdqa xmmword ptr [r10 + 192], xmm4
vpxor xmm4, xmm6, xmmword ptr [r10 + 80]
vmovdqa xmmword ptr [r10 + 208], xmm8
vpxor xmm8, xmm2, xmmword ptr [r10 + 48]
vmovdqa xmmword ptr [r10 + 224], xmm3
vpxor xmm3, xmm11, xmmword ptr [r10 + 64]
vmovdqa xmmword ptr [r10 + 240], xmm11
vmovdqa xmm11, xmmword ptr [r8 + 1344]
vpshufb xmm11, xmm11, xmm10
vmovdqa xmmword ptr [r10 + 256], xmm2
vmovdqa xmm2, xmmword ptr [r8 + 1360]
vpshufb xmm2, xmm2, xmm15
vmovdqa xmmword ptr [r10 + 272], xmm6
vmovdqa xmm6, xmmword ptr [r8 + 1344]
vpshufb xmm6, xmm6, xmm14
vmovdqa xmm1, xmmword ptr [r8 + 1360]
vpshufb xmm1, xmm1, xmm0
vmovdqa xmm12, xmmword ptr [r8 + 1408]
vpshufb xmm12, xmm12, xmm14
vmovdqa xmm7, xmmword ptr [r8 + 1424]
vpshufb xmm7, xmm7, xmm0
vmovdqa xmmword ptr [r10 + 288], xmm5
vmovdqa xmm5, xmmword ptr [r8 + 1488]
vpshufb xmm5, xmm5, xmm15
vpxor xmm2, xmm11, xmm2
vpxor xmm1, xmm6, xmm1
vpxor xmm12, xmm2, xmm12
vpxor xmm1, xmm1, xmm10
vpxor xmm7, xmm12, xmm7
vpxor xmm5, xmm1, xmm5
vpxor xmm1, xmm10, xmm13
vpxor xmm12, xmm15, xmm4
vpxor xmm2, xmm14, xmm8
vpxor xmm6, xmm0, xmm3
vmovdqa xmm11, xmmword ptr [r8 + 1216]
vpshufb xmm11, xmm11, xmm8
vmovdqa xmmword ptr [r10 + 304], xmm0
vmovdqa xmm0, xmmword ptr [r8 + 1232]
vpshufb xmm0, xmm0, xmm3
vmovdqa xmmword ptr [r10 + 320], xmm14
vmovdqa xmm14, xmmword ptr [r8 + 1280]
vpshufb xmm14, xmm14, xmm13
vmovdqa xmmword ptr [r10 + 336], xmm15
vmovdqa xmm15, xmmword ptr [r8 + 1296]
vpshufb xmm15, xmm15, xmm4
vmovdqa xmmword ptr [r10 + 352], xmm8
vpxor xmm8, xmm13, xmm8
vmovdqa xmmword ptr [r10 + 368], xmm3
vpxor xmm3, xmm4, xmm3
vpxor xmm0, xmm11, xmm0
vpxor xmm15, xmm14, xmm15
vmovdqa xmm14, xmmword ptr [r8 + 1152]
vpshufb xmm14, xmm14, xmm8
vmovdqa xmm8, xmmword ptr [r8 + 1168]
vpshufb xmm8, xmm8, xmm3
vpxor xmm8, xmm14, xmm8
vpxor xmm0, xmm0, xmm8
vpxor xmm8, xmm15, xmm8
vmovdqa xmm15, xmmword ptr [r8 + 1552]
vpshufb xmm15, xmm15, xmm12
vmovdqa xmm14, xmmword ptr [r8 + 1552]
vpshufb xmm14, xmm14, xmm6
vmovdqa xmm3, xmmword ptr [r8 + 1600]
vpshufb xmm3, xmm3, xmm2
vmovdqa xmm11, xmmword ptr [r8 + 1616]
vpshufb xmm11, xmm11, xmm6
vmovdqa xmm6, xmmword ptr [r8 + 1664]
vpshufb xmm6, xmm6, xmm1
vmovdqa xmmword ptr [r10 + 384], xmm4
vmovdqa xmm4, xmmword ptr [r8 + 1680]
vpshufb xmm4, xmm4, xmm12
vpxor xmm1, xmm15, xmm1
vpxor xmm2, xmm14, xmm2
vpxor xmm3, xmm1, xmm3
vpxor xmm6, xmm2, xmm6
vpxor xmm11, xmm3, xmm11
vpxor xmm4, xmm6, xmm4
vpxor xmm0, xmm0, xmm11
vpxor xmm8, xmm8, xmm4
vpxor xmm11, xmm7, xmm11
vpxor xmm4, xmm5, xmm4
vmovdqa xmm5, xmmword ptr [r8 + 784]
vpshufb xmm5, xmm5, xmm9
vmovdqa xmm7, xmmword ptr [r10 + 288]
vmovdqa xmm6, xmmword ptr [r8 + 784]
vpshufb xmm6, xmm6, xmm7
vmovdqa xmm3, xmmword ptr [r10 + 112]
vmovdqa xmm2, xmmword ptr [r8 + 832]
vpshufb xmm2, xmm2, xmm3
vmovdqa xmm1, xmmword ptr [r8 + 848]
vpshufb xmm1, xmm1, xmm7
vmovdqa xmm14, xmmword ptr [r10 + 128]
vmovdqa xmm15, xmmword ptr [r8 + 896]
vpshufb xmm15, xmm15, xmm14
vmovdqa xmm12, xmmword ptr [r8 + 912]
vpshufb xmm12, xmm12, xmm9
vpxor xmm5, xmm5, xmm14
vpxor xmm6, xmm6, xmm3
vpxor xmm2, xmm5, xmm2
vpxor xmm15, xmm6, xmm15
vpxor xmm1, xmm2, xmm1
vpxor xmm12, xmm15, xmm12
vmovdqa xmm15, xmmword ptr [r10 + 144]
vpxor xmm2, xmm14, xmm15
vmovdqa xmm6, xmmword ptr [r10 + 272]
vpxor xmm5, xmm9, xmm6
vmovdqa xmmword ptr [r10 + 400], xmm9
vmovdqa xmm9, xmmword ptr [r10 + 256]
vpxor xmm3, xmm3, xmm9
vmovdqa xmm14, xmmword ptr [r10 + 240]
vpxor xmm7, xmm7, xmm14
vmovdqa xmmword ptr [r10 + 416], xmm13
vmovdqa xmm13, xmmword ptr [r8 + 640]
vpshufb xmm13, xmm13, xmm9
vmovdqa xmmword ptr [r10 + 432], xmm10
vmovdqa xmm10, xmmword ptr [r8 + 656]
vpshufb xmm10, xmm10, xmm14
vpxor xmm9, xmm15, xmm9
vpxor xmm14, xmm6, xmm14
vpxor xmm10, xmm13, xmm10
vmovdqa xmm13, xmmword ptr [r8 + 576]
vpshufb xmm13, xmm13, xmm9
vmovdqa xmm9, xmmword ptr [r8 + 592]
vpshufb xmm9, xmm9, xmm14
vpxor xmm9, xmm13, xmm9
vpxor xmm10, xmm10, xmm9
vmovdqa xmm13, xmmword ptr [r8 + 1024]
vpshufb xmm13, xmm13, xmm3
vmovdqa xmm14, xmmword ptr [r8 + 1040]
vpshufb xmm14, xmm14, xmm7
vmovdqa xmm6, xmmword ptr [r8 + 1088]
vpshufb xmm6, xmm6, xmm2
vmovdqa xmm15, xmmword ptr [r8 + 1104]
vpshufb xmm15, xmm15, xmm5
vpxor xmm3, xmm2, xmm3
vpxor xmm7, xmm5, xmm7
vpxor xmm14, xmm13, xmm14
vpxor xmm15, xmm6, xmm15
vmovdqa xmm6, xmmword ptr [r8 + 960]
vpshufb xmm6, xmm6, xmm3
vmovdqa xmm3, xmmword ptr [r8 + 976]
vpshufb xmm3, xmm3, xmm7
vpxor xmm3, xmm6, xmm3
vpxor xmm14, xmm14, xmm3
vpxor xmm3, xmm15, xmm3
vpxor xmm10, xmm10, xmm14
vpxor xmm9, xmm9, xmm3
vpxor xmm14, xmm1, xmm14
vpxor xmm3, xmm12, xmm3
vpxor xmm12, xmm0, xmmword ptr [r10 + 224]
vpxor xmm1, xmm8, xmmword ptr [r10 + 208]
vpxor xmm15, xmm11, xmmword ptr [r10 + 192]
vpxor xmm6, xmm4, xmmword ptr [r10 + 176]
vpxor xmm0, xmm10, xmm0
vpxor xmm8, xmm9, xmm8
vpxor xmm11, xmm14, xmm11
vpxor xmm4, xmm3, xmm4
vmovdqa xmm3, xmmword ptr [rdi + 32]
vmovdqa xmm14, xmmword ptr [r9 + 0]
vpand xmm9, xmm3, xmm14
vpsrlw xmm3, xmm3, 4
vmovdqa xmm10, xmmword ptr [rdi + 96]
vpand xmm7, xmm10, xmm14
vpsrlw xmm10, xmm10, 4
vmovdqa xmm13, xmmword ptr [rdi + 160]
vpand xmm5, xmm13, xmm14
vpsrlw xmm13, xmm13, 4
vmovdqa xmm2, xmmword ptr [rdi + 224]
vmovdqa xmmword ptr [r10 + 176], xmm6
vpand xmm6, xmm2, xmm14
vpsrlw xmm2, xmm2, 4
vpand xmm3, xmm3, xmm14
vpand xmm10, xmm10, xmm14
vpand xmm13, xmm13, xmm14
vpand xmm2, xmm2, xmm14
vmovdqa xmmword ptr [r10 + 192], xmm15
vmovdqa xmm15, xmmword ptr [r8 + 1920]
vpshufb xmm15, xmm15, xmm9
vmovdqa xmmword ptr [r10 + 208], xmm1
vmovdqa xmm1, xmmword ptr [r8 + 1936]
vpshufb xmm1, xmm1, xmm3
vmovdqa xmmword ptr [r10 + 224], xmm12
vmovdqa xmm12, xmmword ptr [r8 + 1920]
vpshufb xmm12, xmm12, xmm7
vmovdqa xmmword ptr [r10 + 448], xmm4
vmovdqa xmm4, xmmword ptr [r8 + 1936]
vpshufb xmm4, xmm4, xmm10
vmovdqa xmmword ptr [r10 + 464], xmm11
vmovdqa xmm11, xmmword ptr [r8 + 1984]
vpshufb xmm11, xmm11, xmm7
vmovdqa xmmword ptr [r10 + 480], xmm8
vmovdqa xmm8, xmmword ptr [r8 + 2000]
vpshufb xmm8, xmm8, xmm10
vpxor xmm1, xmm15, xmm1
vpxor xmm4, xmm12, xmm4
vpxor xmm11, xmm1, xmm11
vpxor xmm8, xmm11, xmm8
vpxor xmm11, xmm9, xmm5
vpxor xmm1, xmm3, xmm13
vpxor xmm12, xmm7, xmm6
vpxor xmm15, xmm10, xmm2
vmovdqa xmmword ptr [r10 + 496], xmm0
vmovdqa xmm0, xmmword ptr [r8 + 1792]
vpshufb xmm0, xmm0, xmm6
vmovdqa xmmword ptr [r10 + 512], xmm10
vmovdqa xmm10, xmmword ptr [r8 + 1808]
vpshufb xmm10, xmm10, xmm2
vmovdqa xmmword ptr [r10 + 528], xmm7
vmovdqa xmm7, xmmword ptr [r8 + 1856]
vpshufb xmm7, xmm7, xmm5
vmovdqa xmmword ptr [r10 + 544], xmm3
vmovdqa xmm3, xmmword ptr [r8 + 1872]
vpshufb xmm3, xmm3, xmm13
vmovdqa xmmword ptr [r10 + 560], xmm6
vpxor xmm6, xmm5, xmm6
vmovdqa xmmword ptr [r10 + 576], xmm2
vpxor xmm2, xmm13, xmm2
vpxor xmm10, xmm0, xmm10
vpxor xmm3, xmm7, xmm3
vmovdqa xmm7, xmmword ptr [r8 + 1728]
vpshufb xmm7, xmm7, xmm6
vmovdqa xmm6, xmmword ptr [r8 + 1744]
vpshufb xmm6, xmm6, xmm2
vpxor xmm6, xmm7, xmm6
vpxor xmm10, xmm10, xmm6
vpxor xmm6, xmm3, xmm6
vmovdqa xmm3, xmmword ptr [r8 + 2176]
vpshufb xmm3, xmm3, xmm12
vmovdqa xmm7, xmmword ptr [r8 + 2192]
vpshufb xmm7, xmm7, xmm15
vmovdqa xmm2, xmmword ptr [r8 + 2240]
vpshufb xmm2, xmm2, xmm11
vmovdqa xmm0, xmmword ptr [r8 + 2256]
vpshufb xmm0, xmm0, xmm1
vpxor xmm12, xmm11, xmm12
vpxor xmm15, xmm1, xmm15
vmovdqa xmm1, xmmword ptr [rdi + 0]
vpand xmm11, xmm1, xmm14
vpsrlw xmm1, xmm1, 4
vmovdqa xmmword ptr [r10 + 592], xmm13
vmovdqa xmm13, xmmword ptr [rdi + 64]
vmovdqa xmmword ptr [r10 + 608], xmm5
vpand xmm5, xmm13, xmm14
vpsrlw xmm13, xmm13, 4
vmovdqa xmmword ptr [r10 + 624], xmm5
vmovdqa xmm5, xmmword ptr [rdi + 128]
vmovdqa xmmword ptr [r10 + 640], xmm11
vpand xmm11, xmm5, xmm14
vpsrlw xmm5, xmm5, 4
vmovdqa xmmword ptr [r10 + 656], xmm11
vmovdqa xmm11, xmmword ptr [rdi + 192]
vmovdqa xmmword ptr [r10 + 672], xmm9
vpand xmm9, xmm11, xmm14
vpsrlw xmm11, xmm11, 4
vpxor xmm7, xmm3, xmm7
vpxor xmm0, xmm2, xmm0
vmovdqa xmm2, xmmword ptr [r8 + 2112]
vpshufb xmm2, xmm2, xmm12
vmovdqa xmm12, xmmword ptr [r8 + 2128]
vpshufb xmm12, xmm12, xmm15
vpand xmm1, xmm1, xmm14
vpand xmm13, xmm13, xmm14
vpand xmm5, xmm5, xmm14
vpand xmm11, xmm11, xmm14
vpxor xmm12, xmm2, xmm12
vpxor xmm7, xmm7, xmm12
vpxor xmm12, xmm0, xmm12
vpxor xmm10, xmm10, xmm7
vpxor xmm6, xmm6, xmm12
vpxor xmm7, xmm8, xmm7
vpxor xmm12, xmm4, xmm12
vmovdqa xmm4, xmmword ptr [r10 + 640]
vpxor xmm8, xmm4, xmmword ptr [r10 + 672]
vpxor xmm0, xmm1, xmmword ptr [r10 + 544]
vmovdqa xmm2, xmmword ptr [r10 + 624]
vpxor xmm15, xmm2, xmmword ptr [r10 + 528]
vpxor xmm3, xmm13, xmmword ptr [r10 + 512]
vmovdqa xmm14, xmmword ptr [r10 + 656]
vmovdqa xmmword ptr [r10 + 688], xmm12
vpxor xmm12, xmm14, xmmword ptr [r10 + 608]
vmovdqa xmmword ptr [r10 + 704], xmm7
vpxor xmm7, xmm5, xmmword ptr [r10 + 592]
vmovdqa xmmword ptr [r10 + 720], xmm6
vpxor xmm6, xmm9, xmmword ptr [r10 + 560]
vmovdqa xmmword ptr [r10 + 736], xmm10
vpxor xmm10, xmm11, xmmword ptr [r10 + 576]
vmovdqa xmmword ptr [r10 + 752], xmm11
vmovdqa xmm11, xmmword ptr [r8 + 3152]
vpshufb xmm11, xmm11, xmm3
vmovdqa xmmword ptr [r10 + 768], xmm13
vmovdqa xmm13, xmmword ptr [r8 + 3200]
vpshufb xmm13, xmm13, xmm8
vmovdqa xmmword ptr [r10 + 784], xmm9
vmovdqa xmm9, xmmword ptr [r8 + 3216]
vpshufb xmm9, xmm9, xmm0
vpxor xmm2, xmm8, xmm15
vmovdqa xmmword ptr [r10 + 800], xmm5
vpxor xmm5, xmm0, xmm3
vpxor xmm11, xmm11, xmm15
vpxor xmm9, xmm13, xmm9
vmovdqa xmm13, xmmword ptr [r8 + 3072]
vpshufb xmm13, xmm13, xmm2
vmovdqa xmm2, xmmword ptr [r8 + 3088]
vpshufb xmm2, xmm2, xmm5
vpxor xmm2, xmm13, xmm2
vpxor xmm11, xmm11, xmm2
vpxor xmm2, xmm9, xmm2
vpxor xmm9, xmm8, xmm12
vpxor xmm13, xmm0, xmm7
vpxor xmm5, xmm15, xmm6
vmovdqa xmmword ptr [r10 + 816], xmm3
vpxor xmm3, xmm3, xmm10
vmovdqa xmmword ptr [r10 + 832], xmm15
vmovdqa xmm15, xmmword ptr [r8 + 2944]
vpshufb xmm15, xmm15, xmm6
vmovdqa xmmword ptr [r10 + 848], xmm0
vmovdqa xmm0, xmmword ptr [r8 + 2960]
vpshufb xmm0, xmm0, xmm10
vmovdqa xmmword ptr [r10 + 864], xmm8
vmovdqa xmm8, xmmword ptr [r8 + 3008]
vpshufb xmm8, xmm8, xmm12
vmovdqa xmm14, xmmword ptr [r8 + 3024]
vpshufb xmm14, xmm14, xmm7
vmovdqa xmmword ptr [r10 + 880], xmm6
vpxor xmm6, xmm12, xmm6
vmovdqa xmmword ptr [r10 + 896], xmm10
vpxor xmm10, xmm7, xmm10
vpxor xmm0, xmm15, xmm0
vpxor xmm14, xmm8, xmm14
vmovdqa xmm8, xmmword ptr [r8 + 2880]
vpshufb xmm8, xmm8, xmm6
vmovdqa xmm6, xmmword ptr [r8 + 2896]
vpshufb xmm6, xmm6, xmm10
vpxor xmm6, xmm8, xmm6
vpxor xmm0, xmm0, xmm6
vpxor xmm6, xmm14, xmm6
vmovdqa xmm14, xmmword ptr [r8 + 3264]
vpshufb xmm14, xmm14, xmm9
vmovdqa xmm9, xmmword ptr [r8 + 3280]
vpshufb xmm9, xmm9, xmm13
vmovdqa xmm13, xmmword ptr [r8 + 3264]
vpshufb xmm13, xmm13, xmm5
vmovdqa xmm8, xmmword ptr [r8 + 3280]
vpshufb xmm8, xmm8, xmm3
vmovdqa xmm10, xmmword ptr [r8 + 3328]
vpshufb xmm10, xmm10, xmm5
vmovdqa xmm5, xmmword ptr [r8 + 3344]
vpshufb xmm5, xmm5, xmm3
vpxor xmm9, xmm14, xmm9
vpxor xmm8, xmm13, xmm8
vpxor xmm10, xmm9, xmm10
vpxor xmm6, xmm6, xmm8
vpxor xmm8, xmm2, xmm8
vpxor xmm5, xmm10, xmm5
vpxor xmm0, xmm0, xmm5
vpxor xmm5, xmm11, xmm5
vmovdqa xmm11, xmmword ptr [r8 + 2624]
vpshufb xmm11, xmm11, xmm4
vmovdqa xmm10, xmmword ptr [r8 + 2640]
vpshufb xmm10, xmm10, xmm1
vpxor xmm10, xmm11, xmm10
vmovdqa xmm11, xmmword ptr [r10 + 656]
vpxor xmm2, xmm4, xmm11
vmovdqa xmm9, xmmword ptr [r10 + 800]
vpxor xmm13, xmm1, xmm9
vmovdqa xmm14, xmmword ptr [r10 + 784]
vpxor xmm3, xmm14, xmmword ptr [r10 + 624]
vmovdqa xmm15, xmmword ptr [r10 + 752]
vmovdqa xmmword ptr [r10 + 912], xmm1
vpxor xmm1, xmm15, xmmword ptr [r10 + 768]
vmovdqa xmm4, xmmword ptr [r8 + 2304]
vpshufb xmm4, xmm4, xmm11
vmovdqa xmm11, xmmword ptr [r8 + 2320]
vpshufb xmm11, xmm11, xmm9
vmovdqa xmm9, xmmword ptr [r8 + 2304]
vpshufb xmm9, xmm9, xmm14
vmovdqa xmmword ptr [r10 + 928], xmm7
vmovdqa xmm7, xmmword ptr [r8 + 2320]
vpshufb xmm7, xmm7, xmm15
vmovdqa xmmword ptr [r10 + 944], xmm12
vmovdqa xmm12, xmmword ptr [r8 + 2368]
vpshufb xmm12, xmm12, xmm14
vmovdqa xmm14, xmmword ptr [r8 + 2384]
vpshufb xmm14, xmm14, xmm15
vpxor xmm11, xmm4, xmm11
vpxor xmm7, xmm9, xmm7
vpxor xmm12, xmm11, xmm12
vpxor xmm14, xmm12, xmm14
vmovdqa xmm12, xmmword ptr [r8 + 2752]
vpshufb xmm12, xmm12, xmm3
vmovdqa xmm11, xmmword ptr [r8 + 2768]
vpshufb xmm11, xmm11, xmm1
vmovdqa xmm9, xmmword ptr [r8 + 2816]
vpshufb xmm9, xmm9, xmm2
vmovdqa xmm4, xmmword ptr [r8 + 2832]
vpshufb xmm4, xmm4, xmm13
vpxor xmm3, xmm2, xmm3
vpxor xmm1, xmm13, xmm1
vpxor xmm11, xmm12, xmm11
vpxor xmm4, xmm9, xmm4
vmovdqa xmm9, xmmword ptr [r8 + 2688]
vpshufb xmm9, xmm9, xmm3
vmovdqa xmm3, xmmword ptr [r8 + 2704]
vpshufb xmm3, xmm3, xmm1
vpxor xmm3, xmm9, xmm3
vpxor xmm11, xmm11, xmm3
vpxor xmm3, xmm4, xmm3
vpxor xmm14, xmm14, xmm11
vpxor xmm7, xmm7, xmm3
vpxor xmm3, xmm10, xmm3
vpxor xmm10, xmm0, xmmword ptr [r10 + 736]
vpxor xmm4, xmm6, xmmword ptr [r10 + 720]
vpxor xmm9, xmm5, xmmword ptr [r10 + 704]
vpxor xmm1, xmm8, xmmword ptr [r10 + 688]
vpxor xmm0, xmm14, xmm0
vpxor xmm6, xmm7, xmm6
vpxor xmm5, xmm11, xmm5
vpxor xmm8, xmm3, xmm8
vmovdqa xmm3, xmmword ptr [r10 + 864]
vpxor xmm3, xmm3, xmmword ptr [r10 + 432]
vmovdqa xmm11, xmmword ptr [r10 + 848]
vpxor xmm11, xmm11, xmmword ptr [r10 + 336]
vmovdqa xmm7, xmmword ptr [r10 + 832]
vpxor xmm7, xmm7, xmmword ptr [r10 + 320]
vmovdqa xmm14, xmmword ptr [r10 + 816]
vpxor xmm14, xmm14, xmmword ptr [r10 + 304]
vmovdqa xmm12, xmmword ptr [r10 + 944]
vpxor xmm12, xmm12, xmmword ptr [r10 + 416]
vmovdqa xmm13, xmmword ptr [r10 + 928]
vpxor xmm13, xmm13, xmmword ptr [r10 + 384]
vmovdqa xmm2, xmmword ptr [r10 + 880]
vpxor xmm2, xmm2, xmmword ptr [r10 + 352]
vmovdqa xmmword ptr [r10 + 352], xmm1
vmovdqa xmm1, xmmword ptr [r10 + 896]
vpxor xmm1, xmm1, xmmword ptr [r10 + 368]
vmovdqa xmmword ptr [r10 + 368], xmm9
vmovdqa xmm9, xmmword ptr [r8 + 4672]
vpshufb xmm9, xmm9, xmm2
vmovdqa xmmword ptr [r10 + 896], xmm4
vmovdqa xmm4, xmmword ptr [r8 + 4688]
vpshufb xmm4, xmm4, xmm1
vmovdqa xmmword ptr [r10 + 880], xmm10
vmovdqa xmm10, xmmword ptr [r8 + 4736]
vpshufb xmm10, xmm10, xmm12
vmovdqa xmmword ptr [r10 + 384], xmm8
vmovdqa xmm8, xmmword ptr [r8 + 4752]
vpshufb xmm8, xmm8, xmm13
vpxor xmm4, xmm9, xmm4
vpxor xmm8, xmm10, xmm8
vpxor xmm12, xmm12, xmm3
vpxor xmm13, xmm13, xmm11
vpxor xmm2, xmm2, xmm7
vpxor xmm1, xmm1, xmm14
vmovdqa xmm10, xmmword ptr [r8 + 4864]
vpshufb xmm10, xmm10, xmm7
vmovdqa xmm9, xmmword ptr [r8 + 4880]
vpshufb xmm9, xmm9, xmm14
vmovdqa xmmword ptr [r10 + 928], xmm5
vmovdqa xmm5, xmmword ptr [r8 + 4928]
vpshufb xmm5, xmm5, xmm3
vmovdqa xmmword ptr [r10 + 416], xmm6
vmovdqa xmm6, xmmword ptr [r8 + 4944]
vpshufb xmm6, xmm6, xmm11
vpxor xmm7, xmm3, xmm7
vpxor xmm14, xmm11, xmm14
vpxor xmm9, xmm10, xmm9
vpxor xmm6, xmm5, xmm6
vmovdqa xmm5, xmmword ptr [r8 + 4800]
vpshufb xmm5, xmm5, xmm7
vmovdqa xmm7, xmmword ptr [r8 + 4816]
vpshufb xmm7, xmm7, xmm14
vpxor xmm7, xmm5, xmm7
vpxor xmm9, xmm9, xmm7
vpxor xmm7, xmm6, xmm7
vmovdqa xmm6, xmmword ptr [r8 + 5056]
vpshufb xmm6, xmm6, xmm2
vmovdqa xmm5, xmmword ptr [r8 + 5072]
vpshufb xmm5, xmm5, xmm1
vmovdqa xmm14, xmmword ptr [r8 + 5120]
vpshufb xmm14, xmm14, xmm12
vmovdqa xmm10, xmmword ptr [r8 + 5136]
vpshufb xmm10, xmm10, xmm13
vpxor xmm2, xmm12, xmm2
vpxor xmm1, xmm13, xmm1
vpxor xmm5, xmm6, xmm5
vpxor xmm10, xmm14, xmm10
vmovdqa xmm14, xmmword ptr [r8 + 4992]
vpshufb xmm14, xmm14, xmm2
vmovdqa xmm2, xmmword ptr [r8 + 5008]
vpshufb xmm2, xmm2, xmm1
vpxor xmm2, xmm14, xmm2
vpxor xmm5, xmm5, xmm2
vpxor xmm2, xmm10, xmm2
vpxor xmm4, xmm4, xmm5
vpxor xmm8, xmm8, xmm2
vpxor xmm5, xmm9, xmm5
vpxor xmm2, xmm7, xmm2
vmovdqa xmm7, xmmword ptr [r10 + 640]
vpxor xmm7, xmm7, xmmword ptr [r10 + 128]
vmovdqa xmm9, xmmword ptr [r10 + 912]
vpxor xmm9, xmm9, xmmword ptr [r10 + 400]
vmovdqa xmm10, xmmword ptr [r10 + 624]
vpxor xmm10, xmm10, xmmword ptr [r10 + 112]
vmovdqa xmm14, xmmword ptr [r10 + 768]
vpxor xmm14, xmm14, xmmword ptr [r10 + 288]
vmovdqa xmm1, xmmword ptr [r10 + 656]
vpxor xmm1, xmm1, xmmword ptr [r10 + 144]
vmovdqa xmm6, xmmword ptr [r10 + 800]
vpxor xmm6, xmm6, xmmword ptr [r10 + 272]
vmovdqa xmm13, xmmword ptr [r10 + 784]
vpxor xmm13, xmm13, xmmword ptr [r10 + 256]
vpxor xmm15, xmm15, xmmword ptr [r10 + 240]
vmovdqa xmm12, xmmword ptr [r8 + 4224]
vpshufb xmm12, xmm12, xmm7
vmovdqa xmm11, xmmword ptr [r8 + 4240]
vpshufb xmm11, xmm11, xmm9
vmovdqa xmm3, xmmword ptr [r8 + 4224]
vpshufb xmm3, xmm3, xmm10
vmovdqa xmmword ptr [r10 + 240], xmm0
vmovdqa xmm0, xmmword ptr [r8 + 4240]
vpshufb xmm0, xmm0, xmm14
vmovdqa xmmword ptr [r10 + 752], xmm2
vmovdqa xmm2, xmmword ptr [r8 + 4304]
vpshufb xmm2, xmm2, xmm14
vmovdqa xmmword ptr [r10 + 256], xmm5
vmovdqa xmm5, xmmword ptr [r8 + 4352]
vpshufb xmm5, xmm5, xmm7
vmovdqa xmmword ptr [r10 + 784], xmm8
vmovdqa xmm8, xmmword ptr [r8 + 4368]
vpshufb xmm8, xmm8, xmm9
vpxor xmm11, xmm12, xmm11
vpxor xmm0, xmm3, xmm0
vpxor xmm11, xmm11, xmm10
vpxor xmm5, xmm0, xmm5
vpxor xmm2, xmm11, xmm2
vpxor xmm8, xmm5, xmm8
vpxor xmm7, xmm7, xmm1
vpxor xmm9, xmm9, xmm6
vpxor xmm10, xmm10, xmm13
vpxor xmm14, xmm14, xmm15
vmovdqa xmm5, xmmword ptr [r8 + 4096]
vpshufb xmm5, xmm5, xmm13
vmovdqa xmm11, xmmword ptr [r8 + 4112]
vpshufb xmm11, xmm11, xmm15
vmovdqa xmm0, xmmword ptr [r8 + 4160]
vpshufb xmm0, xmm0, xmm1
vmovdqa xmm3, xmmword ptr [r8 + 4176]
vpshufb xmm3, xmm3, xmm6
vpxor xmm13, xmm1, xmm13
vpxor xmm15, xmm6, xmm15
vpxor xmm11, xmm5, xmm11
vpxor xmm3, xmm0, xmm3
vmovdqa xmm0, xmmword ptr [r8 + 4032]
vpshufb xmm0, xmm0, xmm13
vmovdqa xmm13, xmmword ptr [r8 + 4048]
vpshufb xmm13, xmm13, xmm15
vpxor xmm13, xmm0, xmm13
vpxor xmm11, xmm11, xmm13
vpxor xmm13, xmm3, xmm13
vmovdqa xmm3, xmmword ptr [r8 + 4480]
vpshufb xmm3, xmm3, xmm10
vmovdqa xmm0, xmmword ptr [r8 + 4496]
vpshufb xmm0, xmm0, xmm14
vmovdqa xmm15, xmmword ptr [r8 + 4544]
vpshufb xmm15, xmm15, xmm7
vmovdqa xmm5, xmmword ptr [r8 + 4560]
vpshufb xmm5, xmm5, xmm9
vpxor xmm10, xmm7, xmm10
vpxor xmm14, xmm9, xmm14
vpxor xmm0, xmm3, xmm0
vpxor xmm5, xmm15, xmm5
vmovdqa xmm15, xmmword ptr [r8 + 4416]
vpshufb xmm15, xmm15, xmm10
vmovdqa xmm10, xmmword ptr [r8 + 4432]
vpshufb xmm10, xmm10, xmm14
vpxor xmm10, xmm15, xmm10
vpxor xmm0, xmm0, xmm10
vpxor xmm10, xmm5, xmm10
vpxor xmm11, xmm11, xmm0
vpxor xmm13, xmm13, xmm10
vpxor xmm0, xmm2, xmm0
vpxor xmm10, xmm8, xmm10
vpxor xmm11, xmm11, xmm4
vpxor xmm13, xmm13, xmmword ptr [r10 + 784]
vpxor xmm0, xmm0, xmmword ptr [r10 + 256]
vpxor xmm10, xmm10, xmmword ptr [r10 + 752]
vpxor xmm8, xmm11, xmmword ptr [r10 + 240]
vpxor xmm2, xmm13, xmmword ptr [r10 + 416]
vpxor xmm5, xmm0, xmmword ptr [r10 + 928]
vpxor xmm15, xmm10, xmmword ptr [r10 + 384]
vpxor xmm11, xmm11, xmmword ptr [r10 + 496]
vpxor xmm13, xmm13, xmmword ptr [r10 + 480]
vpxor xmm0, xmm0, xmmword ptr [r10 + 464]
vpxor xmm10, xmm10, xmmword ptr [r10 + 448]
vmovdqa xmm14, xmmword ptr [r10 + 672]
vpxor xmm14, xmm14, xmmword ptr [r10 + 160]
vmovdqa xmm3, xmmword ptr [r10 + 544]
vpxor xmm3, xmm3, xmmword ptr [r10 + 32]
vmovdqa xmm9, xmmword ptr [r10 + 528]
vpxor xmm9, xmm9, xmmword ptr [r10 + 16]
vmovdqa xmm7, xmmword ptr [r10 + 512]
vpxor xmm7, xmm7, xmmword ptr [r10 + 0]
vmovdqa xmm6, xmmword ptr [r10 + 608]
vpxor xmm6, xmm6, xmmword ptr [r10 + 96]
vmovdqa xmm1, xmmword ptr [r10 + 592]
vpxor xmm1, xmm1, xmmword ptr [r10 + 80]
vmovdqa xmm12, xmmword ptr [r10 + 560]
vpxor xmm12, xmm12, xmmword ptr [r10 + 48]
vmovdqa xmmword ptr [r10 + 48], xmm10
vmovdqa xmm10, xmmword ptr [r10 + 576]
vpxor xmm10, xmm10, xmmword ptr [r10 + 64]
vmovdqa xmmword ptr [r10 + 64], xmm0
vmovdqa xmm0, xmmword ptr [r8 + 3712]
vpshufb xmm0, xmm0, xmm9
vmovdqa xmmword ptr [r10 + 576], xmm13
vmovdqa xmm13, xmmword ptr [r8 + 3728]
vpshufb xmm13, xmm13, xmm7
vmovdqa xmmword ptr [r10 + 560], xmm11
vmovdqa xmm11, xmmword ptr [r8 + 3776]
vpshufb xmm11, xmm11, xmm14
vmovdqa xmmword ptr [r10 + 80], xmm15
vmovdqa xmm15, xmmword ptr [r8 + 3792]
vpshufb xmm15, xmm15, xmm3
vmovdqa xmmword ptr [r10 + 592], xmm5
vpxor xmm5, xmm14, xmm9
vmovdqa xmmword ptr [r10 + 96], xmm2
vpxor xmm2, xmm3, xmm7
vpxor xmm13, xmm0, xmm13
vpxor xmm15, xmm11, xmm15
vmovdqa xmm11, xmmword ptr [r8 + 3648]
vpshufb xmm11, xmm11, xmm5
vmovdqa xmm5, xmmword ptr [r8 + 3664]
vpshufb xmm5, xmm5, xmm2
vpxor xmm5, xmm11, xmm5
vpxor xmm13, xmm13, xmm5
vpxor xmm5, xmm15, xmm5
vpxor xmm14, xmm14, xmm6
vpxor xmm3, xmm3, xmm1
vpxor xmm9, xmm9, xmm12
vpxor xmm7, xmm7, xmm10
vmovdqa xmm15, xmmword ptr [r8 + 3536]
vpshufb xmm15, xmm15, xmm10
vmovdqa xmm11, xmmword ptr [r8 + 3584]
vpshufb xmm11, xmm11, xmm6
vmovdqa xmm2, xmmword ptr [r8 + 3600]
vpshufb xmm2, xmm2, xmm1
vpxor xmm6, xmm6, xmm12
vpxor xmm10, xmm1, xmm10
vpxor xmm12, xmm15, xmm12
vpxor xmm2, xmm11, xmm2
vmovdqa xmm11, xmmword ptr [r8 + 3456]
vpshufb xmm11, xmm11, xmm6
vmovdqa xmm6, xmmword ptr [r8 + 3472]
vpshufb xmm6, xmm6, xmm10
vpxor xmm6, xmm11, xmm6
vpxor xmm12, xmm12, xmm6
vpxor xmm6, xmm2, xmm6
vmovdqa xmm2, xmmword ptr [r8 + 3904]
vpshufb xmm2, xmm2, xmm9
vmovdqa xmm11, xmmword ptr [r8 + 3920]
vpshufb xmm11, xmm11, xmm7
vmovdqa xmm10, xmmword ptr [r8 + 3968]
vpshufb xmm10, xmm10, xmm14
vmovdqa xmm15, xmmword ptr [r8 + 3984]
vpshufb xmm15, xmm15, xmm3
vpxor xmm9, xmm14, xmm9
vpxor xmm7, xmm3, xmm7
vpxor xmm11, xmm2, xmm11
vpxor xmm15, xmm10, xmm15
vmovdqa xmm10, xmmword ptr [r8 + 3840]
vpshufb xmm10, xmm10, xmm9
vmovdqa xmm9, xmmword ptr [r8 + 3856]
vpshufb xmm9, xmm9, xmm7
vpxor xmm9, xmm10, xmm9
vpxor xmm11, xmm11, xmm9
vpxor xmm9, xmm15, xmm9
vpxor xmm12, xmm12, xmm11
vpxor xmm6, xmm6, xmm9
vpxor xmm11, xmm13, xmm11
vpxor xmm9, xmm5, xmm9
vpxor xmm4, xmm12, xmm4
vpxor xmm6, xmm6, xmmword ptr [r10 + 784]
vpxor xmm11, xmm11, xmmword ptr [r10 + 256]
vpxor xmm9, xmm9, xmmword ptr [r10 + 752]
vpxor xmm12, xmm4, xmmword ptr [r10 + 880]
vpxor xmm5, xmm6, xmmword ptr [r10 + 896]
vpxor xmm13, xmm11, xmmword ptr [r10 + 368]
vpxor xmm15, xmm9, xmmword ptr [r10 + 352]
vpxor xmm4, xmm4, xmmword ptr [r10 + 224]
vpxor xmm6, xmm6, xmmword ptr [r10 + 208]
vpxor xmm11, xmm11, xmmword ptr [r10 + 192]
vpxor xmm9, xmm9, xmmword ptr [r10 + 176]
vmovdqa xmm10, xmmword ptr [r9 + 0]
vpand xmm7, xmm8, xmm10
vpsrlw xmm8, xmm8, 4
vpand xmm8, xmm8, xmm10
vmovdqa xmm2, xmmword ptr [rax + 768]
vpshufb xmm2, xmm2, xmm7
vmovdqa xmm3, xmmword ptr [rax + 832]
vpshufb xmm3, xmm3, xmm7
vmovdqa xmm7, xmmword ptr [rax + 784]
vpshufb xmm7, xmm7, xmm8
vmovdqa xmm14, xmmword ptr [rax + 848]
vpshufb xmm14, xmm14, xmm8
vmovdqa xmm8, xmmword ptr [r10 + 96]
vpand xmm1, xmm8, xmm10
vpsrlw xmm8, xmm8, 4
vpxor xmm7, xmm2, xmm7
vpxor xmm14, xmm3, xmm14
vpand xmm8, xmm8, xmm10
vmovdqa xmm3, xmmword ptr [rax + 1792]
vpshufb xmm3, xmm3, xmm1
vmovdqa xmm2, xmmword ptr [rax + 1856]
vpshufb xmm2, xmm2, xmm1
vmovdqa xmm1, xmmword ptr [r9 + 160]
vpshufb xmm1, xmm1, xmm14
vmovdqa xmm14, xmmword ptr [r9 + 192]
vpshufb xmm14, xmm14, xmm7
vmovdqa xmm0, xmmword ptr [r9 + 224]
vpshufb xmm0, xmm0, xmm7
vmovdqa xmmword ptr [r10 + 96], xmm15
vmovdqa xmm15, xmmword ptr [rax + 1808]
vpshufb xmm15, xmm15, xmm8
vmovdqa xmmword ptr [r10 + 176], xmm13
vmovdqa xmm13, xmmword ptr [rax + 1872]
vpshufb xmm13, xmm13, xmm8
vpaddb xmm14, xmm14, xmm1
vpaddb xmm0, xmm0, xmm1
vpsubb xmm1, xmm7, xmm1
vmovdqa xmm7, xmmword ptr [r10 + 592]
vpand xmm8, xmm7, xmm10
vpsrlw xmm7, xmm7, 4
vpxor xmm15, xmm3, xmm15
vpxor xmm13, xmm2, xmm13
vpaddb xmm2, xmm14, xmmword ptr [r9 + 32]
vpaddb xmm3, xmm0, xmmword ptr [r9 + 32]
vmovdqa xmmword ptr [r10 + 592], xmm5
vmovdqa xmm5, xmmword ptr [rax + 928]
vpshufb xmm5, xmm5, xmm1
vpand xmm7, xmm7, xmm10
vmovdqa xmm1, xmmword ptr [rax + 2816]
vpshufb xmm1, xmm1, xmm8
vmovdqa xmmword ptr [r10 + 192], xmm12
vmovdqa xmm12, xmmword ptr [rax + 2880]
vpshufb xmm12, xmm12, xmm8
vmovdqa xmm8, xmmword ptr [r9 + 160]
vpshufb xmm8, xmm8, xmm13
vmovdqa xmm13, xmmword ptr [r9 + 192]
vpshufb xmm13, xmm13, xmm15
vmovdqa xmmword ptr [r10 + 208], xmm9
vmovdqa xmm9, xmmword ptr [r9 + 224]
vpshufb xmm9, xmm9, xmm15
vpminub xmm14, xmm2, xmm14
vpminub xmm0, xmm3, xmm0
vmovdqa xmm3, xmmword ptr [rax + 2832]
vpshufb xmm3, xmm3, xmm7
vmovdqa xmm2, xmmword ptr [rax + 2896]
vpshufb xmm2, xmm2, xmm7
vpaddb xmm13, xmm13, xmm8
vpaddb xmm9, xmm9, xmm8
vpsubb xmm8, xmm15, xmm8
vmovdqa xmm15, xmmword ptr [r10 + 80]
vpand xmm7, xmm15, xmm10
vpsrlw xmm15, xmm15, 4
vmovdqa xmmword ptr [r10 + 80], xmm11
vmovdqa xmm11, xmmword ptr [rdx + 48]
vpshufb xmm11, xmm11, xmm14
vmovdqa xmm14, xmmword ptr [rax + 912]
vpshufb xmm14, xmm14, xmm0
vpxor xmm3, xmm1, xmm3
vpxor xmm2, xmm12, xmm2
vpaddb xmm12, xmm13, xmmword ptr [r9 + 32]
vpaddb xmm1, xmm9, xmmword ptr [r9 + 32]
vmovdqa xmm0, xmmword ptr [rax + 1952]
vpshufb xmm0, xmm0, xmm8
vpand xmm15, xmm15, xmm10
vmovdqa xmm8, xmmword ptr [rax + 3840]
vpshufb xmm8, xmm8, xmm7
vmovdqa xmmword ptr [r10 + 224], xmm6
vmovdqa xmm6, xmmword ptr [rax + 3904]
vpshufb xmm6, xmm6, xmm7
vpxor xmm11, xmm5, xmm11
vmovdqa xmm5, xmmword ptr [r9 + 160]
vpshufb xmm5, xmm5, xmm2
vmovdqa xmm2, xmmword ptr [r9 + 192]
vpshufb xmm2, xmm2, xmm3
vmovdqa xmm7, xmmword ptr [r9 + 224]
vpshufb xmm7, xmm7, xmm3
vpminub xmm13, xmm12, xmm13
vpminub xmm9, xmm1, xmm9
vmovdqa xmm1, xmmword ptr [rax + 3856]
vpshufb xmm1, xmm1, xmm15
vmovdqa xmm12, xmmword ptr [rax + 3920]
vpshufb xmm12, xmm12, xmm15
vpxor xmm14, xmm11, xmm14
vpaddb xmm2, xmm2, xmm5
vpaddb xmm7, xmm7, xmm5
vpsubb xmm5, xmm3, xmm5
vmovdqa xmm3, xmmword ptr [r10 + 560]
vpand xmm11, xmm3, xmm10
vpsrlw xmm3, xmm3, 4
vmovdqa xmm15, xmmword ptr [rdx + 112]
vpshufb xmm15, xmm15, xmm13
vmovdqa xmm13, xmmword ptr [rax + 1936]
vpshufb xmm13, xmm13, xmm9
vpxor xmm1, xmm8, xmm1
vpxor xmm12, xmm6, xmm12
vmovdqa xmmword ptr [rdi + 48], xmm14
vpaddb xmm14, xmm2, xmmword ptr [r9 + 32]
vpaddb xmm6, xmm7, xmmword ptr [r9 + 32]
vmovdqa xmm8, xmmword ptr [rax + 2976]
vpshufb xmm8, xmm8, xmm5
vpand xmm3, xmm3, xmm10
vmovdqa xmm5, xmmword ptr [rax + 512]
vpshufb xmm5, xmm5, xmm11
vmovdqa xmm9, xmmword ptr [rax + 576]
vpshufb xmm9, xmm9, xmm11
vpxor xmm15, xmm0, xmm15
vmovdqa xmm0, xmmword ptr [r9 + 160]
vpshufb xmm0, xmm0, xmm12
vmovdqa xmm12, xmmword ptr [r9 + 192]
vpshufb xmm12, xmm12, xmm1
vmovdqa xmm11, xmmword ptr [r9 + 224]
vpshufb xmm11, xmm11, xmm1
vpminub xmm2, xmm14, xmm2
vpminub xmm7, xmm6, xmm7
vmovdqa xmm6, xmmword ptr [rax + 528]
vpshufb xmm6, xmm6, xmm3
vmovdqa xmm14, xmmword ptr [rax + 592]
vpshufb xmm14, xmm14, xmm3
vpxor xmm13, xmm15, xmm13
vpaddb xmm12, xmm12, xmm0
vpaddb xmm11, xmm11, xmm0
vpsubb xmm0, xmm1, xmm0
vmovdqa xmm1, xmmword ptr [r10 + 576]
vpand xmm15, xmm1, xmm10
vpsrlw xmm1, xmm1, 4
vmovdqa xmm3, xmmword ptr [rdx + 176]
vpshufb xmm3, xmm3, xmm2
vmovdqa xmm2, xmmword ptr [rax + 2960]
vpshufb xmm2, xmm2, xmm7
vpxor xmm6, xmm5, xmm6
vpxor xmm14, xmm9, xmm14
vmovdqa xmmword ptr [rdi + 112], xmm13
vpaddb xmm13, xmm12, xmmword ptr [r9 + 32]
vpaddb xmm9, xmm11, xmmword ptr [r9 + 32]
vmovdqa xmm5, xmmword ptr [rax + 4000]
vpshufb xmm5, xmm5, xmm0
vpand xmm1, xmm1, xmm10
vmovdqa xmm0, xmmword ptr [rax + 1536]
vpshufb xmm0, xmm0, xmm15
vmovdqa xmm7, xmmword ptr [rax + 1600]
vpshufb xmm7, xmm7, xmm15
vpxor xmm3, xmm8, xmm3
vmovdqa xmm8, xmmword ptr [r9 + 160]
vpshufb xmm8, xmm8, xmm14
vmovdqa xmm14, xmmword ptr [r9 + 192]
vpshufb xmm14, xmm14, xmm6
vmovdqa xmm15, xmmword ptr [r9 + 224]
vpshufb xmm15, xmm15, xmm6
vpminub xmm12, xmm13, xmm12
vpminub xmm11, xmm9, xmm11
vmovdqa xmm9, xmmword ptr [rax + 1552]
vpshufb xmm9, xmm9, xmm1
vmovdqa xmm13, xmmword ptr [rax + 1616]
vpshufb xmm13, xmm13, xmm1
vpxor xmm2, xmm3, xmm2
vpaddb xmm14, xmm14, xmm8
vpaddb xmm15, xmm15, xmm8
vpsubb xmm8, xmm6, xmm8
vmovdqa xmm6, xmmword ptr [r10 + 64]
vpand xmm3, xmm6, xmm10
vpsrlw xmm6, xmm6, 4
vmovdqa xmm1, xmmword ptr [rdx + 240]
vpshufb xmm1, xmm1, xmm12
vmovdqa xmm12, xmmword ptr [rax + 3984]
vpshufb xmm12, xmm12, xmm11
vpxor xmm9, xmm0, xmm9
vpxor xmm13, xmm7, xmm13
vmovdqa xmmword ptr [rdi + 176], xmm2
vpaddb xmm2, xmm14, xmmword ptr [r9 + 32]
vpaddb xmm7, xmm15, xmmword ptr [r9 + 32]
vmovdqa xmm0, xmmword ptr [rax + 672]
vpshufb xmm0, xmm0, xmm8
vpand xmm6, xmm6, xmm10
vmovdqa xmm8, xmmword ptr [rax + 2560]
vpshufb xmm8, xmm8, xmm3
vmovdqa xmm11, xmmword ptr [rax + 2624]
vpshufb xmm11, xmm11, xmm3
vpxor xmm1, xmm5, xmm1
vmovdqa xmm5, xmmword ptr [r9 + 160]
vpshufb xmm5, xmm5, xmm13
vmovdqa xmm13, xmmword ptr [r9 + 192]
vpshufb xmm13, xmm13, xmm9
vmovdqa xmm3, xmmword ptr [r9 + 224]
vpshufb xmm3, xmm3, xmm9
vpminub xmm14, xmm2, xmm14
vpminub xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rax + 2576]
vpshufb xmm7, xmm7, xmm6
vmovdqa xmm2, xmmword ptr [rax + 2640]
vpshufb xmm2, xmm2, xmm6
vpxor xmm12, xmm1, xmm12
vpaddb xmm13, xmm13, xmm5
vpaddb xmm3, xmm3, xmm5
vpsubb xmm5, xmm9, xmm5
vmovdqa xmm9, xmmword ptr [r10 + 48]
vpand xmm1, xmm9, xmm10
vpsrlw xmm9, xmm9, 4
vmovdqa xmm6, xmmword ptr [rdx + 32]
vpshufb xmm6, xmm6, xmm14
vmovdqa xmm14, xmmword ptr [rax + 656]
vpshufb xmm14, xmm14, xmm15
vpxor xmm7, xmm8, xmm7
vpxor xmm2, xmm11, xmm2
vmovdqa xmmword ptr [rdi + 240], xmm12
vpaddb xmm12, xmm13, xmmword ptr [r9 + 32]
vpaddb xmm11, xmm3, xmmword ptr [r9 + 32]
vmovdqa xmm8, xmmword ptr [rax + 1696]
vpshufb xmm8, xmm8, xmm5
vpand xmm9, xmm9, xmm10
vmovdqa xmm5, xmmword ptr [rax + 3584]
vpshufb xmm5, xmm5, xmm1
vmovdqa xmm15, xmmword ptr [rax + 3648]
vpshufb xmm15, xmm15, xmm1
vpxor xmm6, xmm0, xmm6
vmovdqa xmm0, xmmword ptr [r9 + 160]
vpshufb xmm0, xmm0, xmm2
vmovdqa xmm2, xmmword ptr [r9 + 192]
vpshufb xmm2, xmm2, xmm7
vmovdqa xmm1, xmmword ptr [r9 + 224]
vpshufb xmm1, xmm1, xmm7
vpminub xmm13, xmm12, xmm13
vpminub xmm3, xmm11, xmm3
vmovdqa xmm11, xmmword ptr [rax + 3600]
vpshufb xmm11, xmm11, xmm9
vmovdqa xmm12, xmmword ptr [rax + 3664]
vpshufb xmm12, xmm12, xmm9
vpxor xmm14, xmm6, xmm14
vpaddb xmm2, xmm2, xmm0
vpaddb xmm1, xmm1, xmm0
vpsubb xmm0, xmm7, xmm0
vpand xmm7, xmm4, xmm10
vpsrlw xmm4, xmm4, 4
vmovdqa xmm6, xmmword ptr [rdx + 96]
vpshufb xmm6, xmm6, xmm13
vmovdqa xmm13, xmmword ptr [rax + 1680]
vpshufb xmm13, xmm13, xmm3
vpxor xmm11, xmm5, xmm11
vpxor xmm12, xmm15, xmm12
vmovdqa xmmword ptr [rdi + 32], xmm14
vpaddb xmm14, xmm2, xmmword ptr [r9 + 32]
vpaddb xmm15, xmm1, xmmword ptr [r9 + 32]
vmovdqa xmm5, xmmword ptr [rax + 2720]
vpshufb xmm5, xmm5, xmm0
vpand xmm4, xmm4, xmm10
vmovdqa xmm0, xmmword ptr [rax + 0]
vpshufb xmm0, xmm0, xmm7
vmovdqa xmm3, xmmword ptr [rax + 64]
vpshufb xmm3, xmm3, xmm7
vpxor xmm6, xmm8, xmm6
vmovdqa xmm8, xmmword ptr [r9 + 160]
vpshufb xmm8, xmm8, xmm12
vmovdqa xmm12, xmmword ptr [r9 + 192]
vpshufb xmm12, xmm12, xmm11
vmovdqa xmm7, xmmword ptr [r9 + 224]
vpshufb xmm7, xmm7, xmm11
vpminub xmm2, xmm14, xmm2
vpminub xmm1, xmm15, xmm1
vmovdqa xmm15, xmmword ptr [rax + 16]
vpshufb xmm15, xmm15, xmm4
vmovdqa xmm14, xmmword ptr [rax + 80]
vpshufb xmm14, xmm14, xmm4
vpxor xmm13, xmm6, xmm13
vpaddb xmm12, xmm12, xmm8
vpaddb xmm7, xmm7, xmm8
vpsubb xmm8, xmm11, xmm8
vmovdqa xmm11, xmmword ptr [r10 + 224]
vpand xmm6, xmm11, xmm10
vpsrlw xmm11, xmm11, 4
vmovdqa xmm4, xmmword ptr [rdx + 160]
vpshufb xmm4, xmm4, xmm2
vmovdqa xmm2, xmmword ptr [rax + 2704]
vpshufb xmm2, xmm2, xmm1
vpxor xmm15, xmm0, xmm15
vpxor xmm14, xmm3, xmm14
vmovdqa xmmword ptr [rdi + 96], xmm13
vpaddb xmm13, xmm12, xmmword ptr [r9 + 32]
vpaddb xmm3, xmm7, xmmword ptr [r9 + 32]
vmovdqa xmm0, xmmword ptr [rax + 3744]
vpshufb xmm0, xmm0, xmm8
vpand xmm11, xmm11, xmm10
vmovdqa xmm8, xmmword ptr [rax + 1024]
vpshufb xmm8, xmm8, xmm6
vmovdqa xmm1, xmmword ptr [rax + 1088]
vpshufb xmm1, xmm1, xmm6
vpxor xmm4, xmm5, xmm4
vmovdqa xmm5, xmmword ptr [r9 + 160]
vpshufb xmm5, xmm5, xmm14
vmovdqa xmm14, xmmword ptr [r9 + 192]
vpshufb xmm14, xmm14, xmm15
vmovdqa xmm6, xmmword ptr [r9 + 224]
vpshufb xmm6, xmm6, xmm15
vpminub xmm12, xmm13, xmm12
vpminub xmm7, xmm3, xmm7
vmovdqa xmm3, xmmword ptr [rax + 1040]
vpshufb xmm3, xmm3, xmm11
vmovdqa xmm13, xmmword ptr [rax + 1104]
vpshufb xmm13, xmm13, xmm11
vpxor xmm2, xmm4, xmm2
vpaddb xmm14, xmm14, xmm5
vpaddb xmm6, xmm6, xmm5
vpsubb xmm5, xmm15, xmm5
vmovdqa xmm15, xmmword ptr [r10 + 80]
vpand xmm4, xmm15, xmm10
vpsrlw xmm15, xmm15, 4
vmovdqa xmm11, xmmword ptr [rdx + 224]
vpshufb xmm11, xmm11, xmm12
vmovdqa xmm12, xmmword ptr [rax + 3728]
vpshufb xmm12, xmm12, xmm7
vpxor xmm3, xmm8, xmm3
vpxor xmm13, xmm1, xmm13
vmovdqa xmmword ptr [rdi + 160], xmm2
vpaddb xmm2, xmm14, xmmword ptr [r9 + 32]
vpaddb xmm1, xmm6, xmmword ptr [r9 + 32]
vmovdqa xmm8, xmmword ptr [rax + 160]
vpshufb xmm8, xmm8, xmm5
vpand xmm15, xmm15, xmm10
vmovdqa xmm5, xmmword ptr [rax + 2048]
vpshufb xmm5, xmm5, xmm4
vmovdqa xmm7, xmmword ptr [rax + 2112]
vpshufb xmm7, xmm7, xmm4
vpxor xmm11, xmm0, xmm11
vmovdqa xmm0, xmmword ptr [r9 + 160]
vpshufb xmm0, xmm0, xmm13
vmovdqa xmm13, xmmword ptr [r9 + 192]
vpshufb xmm13, xmm13, xmm3
vmovdqa xmm4, xmmword ptr [r9 + 224]
vpshufb xmm4, xmm4, xmm3
vpminub xmm14, xmm2, xmm14
vpminub xmm6, xmm1, xmm6
vmovdqa xmm1, xmmword ptr [rax + 2064]
vpshufb xmm1, xmm1, xmm15
vmovdqa xmm2, xmmword ptr [rax + 2128]
vpshufb xmm2, xmm2, xmm15
vpxor xmm12, xmm11, xmm12
vpaddb xmm13, xmm13, xmm0
vpaddb xmm4, xmm4, xmm0
vpsubb xmm0, xmm3, xmm0
vmovdqa xmm3, xmmword ptr [r10 + 208]
vpand xmm11, xmm3, xmm10
vpsrlw xmm3, xmm3, 4
vmovdqa xmm15, xmmword ptr [rdx + 0]
vpshufb xmm15, xmm15, xmm14
vmovdqa xmm14, xmmword ptr [rax + 144]
vpshufb xmm14, xmm14, xmm6
vpxor xmm1, xmm5, xmm1
vpxor xmm2, xmm7, xmm2
vmovdqa xmmword ptr [rdi + 224], xmm12
vpaddb xmm12, xmm13, xmmword ptr [r9 + 32]
vpaddb xmm7, xmm4, xmmword ptr [r9 + 32]
vmovdqa xmm5, xmmword ptr [rax + 1184]
vpshufb xmm5, xmm5, xmm0
vpand xmm3, xmm3, xmm10
vmovdqa xmm0, xmmword ptr [rax + 3072]
vpshufb xmm0, xmm0, xmm11
vmovdqa xmm6, xmmword ptr [rax + 3136]
vpshufb xmm6, xmm6, xmm11
vpxor xmm15, xmm8, xmm15
vmovdqa xmm8, xmmword ptr [r9 + 160]
vpshufb xmm8, xmm8, xmm2
vmovdqa xmm2, xmmword ptr [r9 + 192]
vpshufb xmm2, xmm2, xmm1
vmovdqa xmm11, xmmword ptr [r9 + 224]
vpshufb xmm11, xmm11, xmm1
vpminub xmm13, xmm12, xmm13
vpminub xmm4, xmm7, xmm4
vmovdqa xmm7, xmmword ptr [rax + 3088]
vpshufb xmm7, xmm7, xmm3
vmovdqa xmm12, xmmword ptr [rax + 3152]
vpshufb xmm12, xmm12, xmm3
vpxor xmm14, xmm15, xmm14
vpaddb xmm2, xmm2, xmm8
vpaddb xmm11, xmm11, xmm8
vpsubb xmm8, xmm1, xmm8
vmovdqa xmm1, xmmword ptr [r10 + 192]
vpand xmm15, xmm1, xmm10
vpsrlw xmm1, xmm1, 4
vmovdqa xmm3, xmmword ptr [rdx + 64]
vpshufb xmm3, xmm3, xmm13
vmovdqa xmm13, xmmword ptr [rax + 1168]
vpshufb xmm13, xmm13, xmm4
vpxor xmm7, xmm0, xmm7
vpxor xmm12, xmm6, xmm12
vmovdqa xmmword ptr [rdi + 0], xmm14
vpaddb xmm14, xmm2, xmmword ptr [r9 + 32]
vpaddb xmm6, xmm11, xmmword ptr [r9 + 32]
vmovdqa xmm0, xmmword ptr [rax + 2208]
vpshufb xmm0, xmm0, xmm8
vpand xmm1, xmm1, xmm10
vmovdqa xmm8, xmmword ptr [rax + 256]
vpshufb xmm8, xmm8, xmm15
vmovdqa xmm4, xmmword ptr [rax + 320]
vpshufb xmm4, xmm4, xmm15
vpxor xmm3, xmm5, xmm3
vmovdqa xmm5, xmmword ptr [r9 + 160]
vpshufb xmm5, xmm5, xmm12
vmovdqa xmm12, xmmword ptr [r9 + 192]
vpshufb xmm12, xmm12, xmm7
vmovdqa xmm15, xmmword ptr [r9 + 224]
vpshufb xmm15, xmm15, xmm7
vpminub xmm2, xmm14, xmm2
vpminub xmm11, xmm6, xmm11
vmovdqa xmm6, xmmword ptr [rax + 272]
vpshufb xmm6, xmm6, xmm1
vmovdqa xmm14, xmmword ptr [rax + 336]
vpshufb xmm14, xmm14, xmm1
vpxor xmm13, xmm3, xmm13
vpaddb xmm12, xmm12, xmm5
vpaddb xmm15, xmm15, xmm5
vpsubb xmm5, xmm7, xmm5
vmovdqa xmm7, xmmword ptr [r10 + 592]
vpand xmm3, xmm7, xmm10
vpsrlw xmm7, xmm7, 4
vmovdqa xmm1, xmmword ptr [rdx + 128]
vpshufb xmm1, xmm1, xmm2
vmovdqa xmm2, xmmword ptr [rax + 2192]
vpshufb xmm2, xmm2, xmm11
vpxor xmm6, xmm8, xmm6
vpxor xmm14, xmm4, xmm14
vmovdqa xmmword ptr [rdi + 64], xmm13
vpaddb xmm13, xmm12, xmmword ptr [r9 + 32]
vpaddb xmm4, xmm15, xmmword ptr [r9 + 32]
vmovdqa xmm8, xmmword ptr [rax + 3232]
vpshufb xmm8, xmm8, xmm5
vpand xmm7, xmm7, xmm10
vmovdqa xmm5, xmmword ptr [rax + 1280]
vpshufb xmm5, xmm5, xmm3
vmovdqa xmm11, xmmword ptr [rax + 1344]
vpshufb xmm11, xmm11, xmm3
vpxor xmm1, xmm0, xmm1
vmovdqa xmm0, xmmword ptr [r9 + 160]
vpshufb xmm0, xmm0, xmm14
vmovdqa xmm14, xmmword ptr [r9 + 192]
vpshufb xmm14, xmm14, xmm6
vmovdqa xmm3, xmmword ptr [r9 + 224]
vpshufb xmm3, xmm3, xmm6
vpminub xmm12, xmm13, xmm12
vpminub xmm15, xmm4, xmm15
vmovdqa xmm4, xmmword ptr [rax + 1296]
vpshufb xmm4, xmm4, xmm7
vmovdqa xmm13, xmmword ptr [rax + 1360]
vpshufb xmm13, xmm13, xmm7
vpxor xmm2, xmm1, xmm2
vpaddb xmm14, xmm14, xmm0
vpaddb xmm3, xmm3, xmm0
vpsubb xmm0, xmm6, xmm0
vmovdqa xmm6, xmmword ptr [r10 + 176]
vpand xmm1, xmm6, xmm10
vpsrlw xmm6, xmm6, 4
vmovdqa xmm7, xmmword ptr [rdx + 192]
vpshufb xmm7, xmm7, xmm12
vmovdqa xmm12, xmmword ptr [rax + 3216]
vpshufb xmm12, xmm12, xmm15
vpxor xmm4, xmm5, xmm4
vpxor xmm13, xmm11, xmm13
vmovdqa xmmword ptr [rdi + 128], xmm2
vpaddb xmm2, xmm14, xmmword ptr [r9 + 32]
vpaddb xmm11, xmm3, xmmword ptr [r9 + 32]
vmovdqa xmm5, xmmword ptr [rax + 416]
vpshufb xmm5, xmm5, xmm0
vpand xmm6, xmm6, xmm10
vmovdqa xmm0, xmmword ptr [rax + 2304]
vpshufb xmm0, xmm0, xmm1
vmovdqa xmm15, xmmword ptr [rax + 2368]
vpshufb xmm15, xmm15, xmm1
vpxor xmm7, xmm8, xmm7
vmovdqa xmm8, xmmword ptr [r9 + 160]
vpshufb xmm8, xmm8, xmm13
vmovdqa xmm13, xmmword ptr [r9 + 192]
vpshufb xmm13, xmm13, xmm4
vmovdqa xmm1, xmmword ptr [r9 + 224]
vpshufb xmm1, xmm1, xmm4
vpminub xmm14, xmm2, xmm14
vpminub xmm3, xmm11, xmm3
vmovdqa xmm11, xmmword ptr [rax + 2320]
vpshufb xmm11, xmm11, xmm6
vmovdqa xmm2, xmmword ptr [rax + 2384]
vpshufb xmm2, xmm2, xmm6
vpxor xmm12, xmm7, xmm12
vpaddb xmm13, xmm13, xmm8
vpaddb xmm1, xmm1, xmm8
vpsubb xmm8, xmm4, xmm8
vmovdqa xmm4, xmmword ptr [r10 + 96]
vpand xmm7, xmm4, xmm10
vpsrlw xmm4, xmm4, 4
vmovdqa xmm6, xmmword ptr [rdx + 16]
vpshufb xmm6, xmm6, xmm14
vmovdqa xmm14, xmmword ptr [rax + 400]
vpshufb xmm14, xmm14, xmm3
vpxor xmm11, xmm0, xmm11
vpxor xmm2, xmm15, xmm2
vmovdqa xmmword ptr [rdi + 192], xmm12
vpaddb xmm12, xmm13, xmmword ptr [r9 + 32]
vpaddb xmm15, xmm1, xmmword ptr [r9 + 32]
vmovdqa xmm0, xmmword ptr [rax + 1440]
vpshufb xmm0, xmm0, xmm8
vpand xmm10, xmm4, xmm10
vmovdqa xmm4, xmmword ptr [rax + 3328]
vpshufb xmm4, xmm4, xmm7
vmovdqa xmm8, xmmword ptr [rax + 3392]
vpshufb xmm8, xmm8, xmm7
vpxor xmm6, xmm5, xmm6
vmovdqa xmm5, xmmword ptr [r9 + 160]
vpshufb xmm5, xmm5, xmm2
vmovdqa xmm2, xmmword ptr [r9 + 192]
vpshufb xmm2, xmm2, xmm11
vmovdqa xmm7, xmmword ptr [r9 + 224]
vpshufb xmm7, xmm7, xmm11
vpminub xmm13, xmm12, xmm13
vpminub xmm1, xmm15, xmm1
vmovdqa xmm15, xmmword ptr [rax + 3344]
vpshufb xmm15, xmm15, xmm10
vmovdqa xmm12, xmmword ptr [rax + 3408]
vpshufb xmm12, xmm12, xmm10
vpxor xmm14, xmm6, xmm14
vpaddb xmm2, xmm2, xmm5
vpaddb xmm7, xmm7, xmm5
vpsubb xmm5, xmm11, xmm5
vmovdqa xmm11, xmmword ptr [rdx + 80]
vpshufb xmm11, xmm11, xmm13
vmovdqa xmm13, xmmword ptr [rax + 1424]
vpshufb xmm13, xmm13, xmm1
vpxor xmm15, xmm4, xmm15
vpxor xmm12, xmm8, xmm12
vmovdqa xmmword ptr [rdi + 16], xmm14
vpaddb xmm14, xmm2, xmmword ptr [r9 + 32]
vpaddb xmm8, xmm7, xmmword ptr [r9 + 32]
vmovdqa xmm4, xmmword ptr [rax + 2464]
vpshufb xmm4, xmm4, xmm5
vpxor xmm11, xmm0, xmm11
vmovdqa xmm0, xmmword ptr [r9 + 160]
vpshufb xmm0, xmm0, xmm12
vmovdqa xmm12, xmmword ptr [r9 + 192]
vpshufb xmm12, xmm12, xmm15
vmovdqa xmm5, xmmword ptr [r9 + 224]
vpshufb xmm5, xmm5, xmm15
vpminub xmm2, xmm14, xmm2
vpminub xmm7, xmm8, xmm7
vpxor xmm13, xmm11, xmm13
vpaddb xmm12, xmm12, xmm0
vpaddb xmm5, xmm5, xmm0
vpsubb xmm0, xmm15, xmm0
vmovdqa xmm15, xmmword ptr [rdx + 144]
vpshufb xmm15, xmm15, xmm2
vmovdqa xmm2, xmmword ptr [rax + 2448]
vpshufb xmm2, xmm2, xmm7
vmovdqa xmmword ptr [rdi + 80], xmm13
vpaddb xmm13, xmm12, xmmword ptr [r9 + 32]
vpaddb xmm7, xmm5, xmmword ptr [r9 + 32]
vmovdqa xmm11, xmmword ptr [rax + 3488]
vpshufb xmm11, xmm11, xmm0
vpxor xmm15, xmm4, xmm15
vpminub xmm12, xmm13, xmm12
vpminub xmm5, xmm7, xmm5
vpxor xmm2, xmm15, xmm2
vmovdqa xmm15, xmmword ptr [rdx + 208]
vpshufb xmm15, xmm15, xmm12
vmovdqa xmm12, xmmword ptr [rax + 3472]
vpshufb xmm12, xmm12, xmm5
vmovdqa xmmword ptr [rdi + 144], xmm2
vpxor xmm15, xmm11, xmm15
vpxor xmm12, xmm15, xmm12
vmovdqa xmmword ptr [rdi + 208], xmm12
add rsi, 8
add rdx, 256
dec rcx
jnz 2b
