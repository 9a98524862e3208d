# Kuznyechik, rounds of decryption by nibbles: 16 vectors of 32 bytes, avx2.
#
# r10        pointers, one a round, to the tables of its 16 places; left behind the last
# rdx        16 tables of 16 bytes a round, with its key; 128 bytes into them, left 128 behind the last
# r11        rounds, at least 1; left 0
# r8         the 81 constants of L; 128 bytes into them
# r9         tables of logarithms; 128 bytes into them
# rdi        16 vectors, byte i of each block in vector i: read, and written at the end of each round; 128 bytes into them
# rcx        64 vectors of memory for what does not fit into registers; 128 bytes into them
# rsi        the same, 384 bytes into them
# changes    rax, ymm0 to ymm15, flags
# used by    crates/core/src/kuznyechik/sbox/nibbles.rs
# checked by cargo test -p bulat-core --lib assembly, and cargo test -p bulat --test kuznyechik_kernels
# written by cargo run -p asmgen; complete for as -msyntax=intel -mnaked-reg
jmp 2f
.p2align 6
2:
mov rax, qword ptr [r10]
vmovdqa ymm0, ymmword ptr [rdi -32]
vmovdqa ymm1, ymmword ptr [r9 -128]
vpand ymm2, ymm0, ymm1
vpsrlw ymm0, ymm0, 4
vmovdqa ymm3, ymmword ptr [rdi +96]
vpand ymm4, ymm3, ymm1
vpsrlw ymm3, ymm3, 4
vmovdqa ymm5, ymmword ptr [rdi +224]
vpand ymm6, ymm5, ymm1
vpsrlw ymm5, ymm5, 4
vmovdqa ymm7, ymmword ptr [rdi +352]
vpand ymm8, ymm7, ymm1
vpsrlw ymm7, ymm7, 4
vpand ymm0, ymm0, ymm1
vpand ymm3, ymm3, ymm1
vpand ymm5, ymm5, ymm1
vpand ymm7, ymm7, ymm1
vbroadcasti128 ymm9, xmmword ptr [r8 +128]
vpshufb ymm9, ymm9, ymm4
vbroadcasti128 ymm10, xmmword ptr [r8 +144]
vpshufb ymm10, ymm10, ymm3
vbroadcasti128 ymm11, xmmword ptr [r8 +192]
vpshufb ymm11, ymm11, ymm2
vbroadcasti128 ymm12, xmmword ptr [r8 +208]
vpshufb ymm12, ymm12, ymm0
vpxor ymm10, ymm9, ymm10
vpxor ymm12, ymm11, ymm12
vpxor ymm11, ymm2, ymm6
vpxor ymm9, ymm0, ymm5
vpxor ymm13, ymm8, ymm4
vpxor ymm14, ymm3, ymm7
vbroadcasti128 ymm15, xmmword ptr [r8 -64]
vpshufb ymm15, ymm15, ymm8
vmovdqa ymmword ptr [rsi +1472], ymm3
vbroadcasti128 ymm3, xmmword ptr [r8 -48]
vpshufb ymm3, ymm3, ymm7
vmovdqa ymmword ptr [rsi +1376], ymm4
vbroadcasti128 ymm4, xmmword ptr [r8 +0]
vpshufb ymm4, ymm4, ymm6
vmovdqa ymmword ptr [rsi +1344], ymm0
vbroadcasti128 ymm0, xmmword ptr [r8 +16]
vpshufb ymm0, ymm0, ymm5
vmovdqa ymmword ptr [rsi +1408], ymm8
vpxor ymm8, ymm8, ymm6
vmovdqa ymmword ptr [rsi +1440], ymm7
vpxor ymm7, ymm5, ymm7
vpxor ymm3, ymm15, ymm3
vpxor ymm0, ymm4, ymm0
vbroadcasti128 ymm4, xmmword ptr [r8 -128]
vpshufb ymm4, ymm4, ymm8
vbroadcasti128 ymm8, xmmword ptr [r8 -112]
vpshufb ymm8, ymm8, ymm7
vpxor ymm8, ymm8, ymm4
vpxor ymm3, ymm8, ymm3
vpxor ymm8, ymm8, ymm0
vbroadcasti128 ymm0, xmmword ptr [r8 +320]
vpshufb ymm0, ymm0, ymm13
vbroadcasti128 ymm4, xmmword ptr [r8 +336]
vpshufb ymm4, ymm4, ymm14
vbroadcasti128 ymm7, xmmword ptr [r8 +384]
vpshufb ymm7, ymm7, ymm11
vbroadcasti128 ymm15, xmmword ptr [r8 +400]
vpshufb ymm15, ymm15, ymm9
vpxor ymm13, ymm11, ymm13
vpxor ymm14, ymm9, ymm14
vmovdqa ymm9, ymmword ptr [rdi -96]
vpand ymm11, ymm9, ymm1
vpsrlw ymm9, ymm9, 4
vmovdqa ymmword ptr [rsi +1312], ymm5
vmovdqa ymm5, ymmword ptr [rdi +32]
vmovdqa ymmword ptr [rsi +1280], ymm6
vpand ymm6, ymm5, ymm1
vpsrlw ymm5, ymm5, 4
vmovdqa ymmword ptr [rsi +1216], ymm6
vmovdqa ymm6, ymmword ptr [rdi +160]
vmovdqa ymmword ptr [rsi +1152], ymm11
vpand ymm11, ymm6, ymm1
vpsrlw ymm6, ymm6, 4
vmovdqa ymmword ptr [rsi +1184], ymm11
vmovdqa ymm11, ymmword ptr [rdi +288]
vmovdqa ymmword ptr [rsi +1248], ymm2
vpand ymm2, ymm11, ymm1
vpsrlw ymm11, ymm11, 4
vpxor ymm4, ymm0, ymm4
vpxor ymm15, ymm15, ymm7
vbroadcasti128 ymm7, xmmword ptr [r8 +256]
vpshufb ymm7, ymm7, ymm13
vbroadcasti128 ymm13, xmmword ptr [r8 +272]
vpshufb ymm13, ymm13, ymm14
vpand ymm9, ymm9, ymm1
vpand ymm5, ymm5, ymm1
vpand ymm6, ymm6, ymm1
vpand ymm11, ymm11, ymm1
vpxor ymm13, ymm13, ymm7
vpxor ymm4, ymm13, ymm4
vpxor ymm13, ymm15, ymm13
vpxor ymm3, ymm3, ymm4
vpxor ymm8, ymm8, ymm13
vpxor ymm4, ymm10, ymm4
vpxor ymm13, ymm12, ymm13
vmovdqa ymm12, ymmword ptr [rsi +1152]
vpxor ymm10, ymm12, ymmword ptr [rsi +1248]
vpxor ymm15, ymm9, ymmword ptr [rsi +1344]
vmovdqa ymm7, ymmword ptr [rsi +1216]
vpxor ymm14, ymm7, ymmword ptr [rsi +1376]
vpxor ymm0, ymm5, ymmword ptr [rsi +1472]
vmovdqa ymm1, ymmword ptr [rsi +1184]
vmovdqa ymmword ptr [rcx -32], ymm13
vpxor ymm13, ymm1, ymmword ptr [rsi +1280]
vmovdqa ymmword ptr [rcx -64], ymm4
vpxor ymm4, ymm6, ymmword ptr [rsi +1312]
vmovdqa ymmword ptr [rcx -96], ymm8
vpxor ymm8, ymm2, ymmword ptr [rsi +1408]
vmovdqa ymmword ptr [rcx -128], ymm3
vpxor ymm3, ymm11, ymmword ptr [rsi +1440]
vmovdqa ymmword ptr [rsi +992], ymm11
vbroadcasti128 ymm11, xmmword ptr [r8 +1216]
vpshufb ymm11, ymm11, ymm10
vmovdqa ymmword ptr [rsi +960], ymm2
vbroadcasti128 ymm2, xmmword ptr [r8 +1232]
vpshufb ymm2, ymm2, ymm15
vmovdqa ymmword ptr [rsi +928], ymm6
vbroadcasti128 ymm6, xmmword ptr [r8 +1216]
vpshufb ymm6, ymm6, ymm14
vbroadcasti128 ymm1, xmmword ptr [r8 +1232]
vpshufb ymm1, ymm1, ymm0
vbroadcasti128 ymm12, xmmword ptr [r8 +1280]
vpshufb ymm12, ymm12, ymm14
vbroadcasti128 ymm7, xmmword ptr [r8 +1296]
vpshufb ymm7, ymm7, ymm0
vmovdqa ymmword ptr [rsi +896], ymm5
vbroadcasti128 ymm5, xmmword ptr [r8 +1360]
vpshufb ymm5, ymm5, ymm15
vpxor ymm2, ymm11, ymm2
vpxor ymm1, ymm6, ymm1
vpxor ymm12, ymm12, ymm2
vpxor ymm1, ymm10, ymm1
vpxor ymm7, ymm12, ymm7
vpxor ymm5, ymm1, ymm5
vpxor ymm1, ymm10, ymm13
vpxor ymm12, ymm15, ymm4
vpxor ymm2, ymm14, ymm8
vpxor ymm6, ymm0, ymm3
vbroadcasti128 ymm11, xmmword ptr [r8 +1088]
vpshufb ymm11, ymm11, ymm8
vmovdqa ymmword ptr [rsi +576], ymm0
vbroadcasti128 ymm0, xmmword ptr [r8 +1104]
vpshufb ymm0, ymm0, ymm3
vmovdqa ymmword ptr [rsi +448], ymm14
vbroadcasti128 ymm14, xmmword ptr [r8 +1152]
vpshufb ymm14, ymm14, ymm13
vmovdqa ymmword ptr [rsi +416], ymm15
vbroadcasti128 ymm15, xmmword ptr [r8 +1168]
vpshufb ymm15, ymm15, ymm4
vmovdqa ymmword ptr [rsi +480], ymm8
vpxor ymm8, ymm13, ymm8
vmovdqa ymmword ptr [rsi +544], ymm3
vpxor ymm3, ymm4, ymm3
vpxor ymm0, ymm11, ymm0
vpxor ymm15, ymm14, ymm15
vbroadcasti128 ymm14, xmmword ptr [r8 +1024]
vpshufb ymm14, ymm14, ymm8
vbroadcasti128 ymm8, xmmword ptr [r8 +1040]
vpshufb ymm8, ymm8, ymm3
vpxor ymm8, ymm14, ymm8
vpxor ymm0, ymm8, ymm0
vpxor ymm8, ymm15, ymm8
vbroadcasti128 ymm15, xmmword ptr [r8 +1424]
vpshufb ymm15, ymm15, ymm12
vbroadcasti128 ymm14, xmmword ptr [r8 +1424]
vpshufb ymm14, ymm14, ymm6
vbroadcasti128 ymm3, xmmword ptr [r8 +1472]
vpshufb ymm3, ymm3, ymm2
vbroadcasti128 ymm11, xmmword ptr [r8 +1488]
vpshufb ymm11, ymm11, ymm6
vbroadcasti128 ymm6, xmmword ptr [r8 +1536]
vpshufb ymm6, ymm6, ymm1
vmovdqa ymmword ptr [rsi +320], ymm4
vbroadcasti128 ymm4, xmmword ptr [r8 +1552]
vpshufb ymm4, ymm4, ymm12
vpxor ymm1, ymm15, ymm1
vpxor ymm2, ymm14, ymm2
vpxor ymm3, ymm1, ymm3
vpxor ymm6, ymm2, ymm6
vpxor ymm11, ymm11, ymm3
vpxor ymm4, ymm6, ymm4
vpxor ymm0, ymm11, ymm0
vpxor ymm8, ymm8, ymm4
vpxor ymm11, ymm11, ymm7
vpxor ymm4, ymm5, ymm4
vbroadcasti128 ymm5, xmmword ptr [r8 +656]
vpshufb ymm5, ymm5, ymm9
vmovdqa ymm7, ymmword ptr [rsi +896]
vbroadcasti128 ymm6, xmmword ptr [r8 +656]
vpshufb ymm6, ymm6, ymm7
vmovdqa ymm3, ymmword ptr [rsi +1216]
vbroadcasti128 ymm2, xmmword ptr [r8 +704]
vpshufb ymm2, ymm2, ymm3
vbroadcasti128 ymm1, xmmword ptr [r8 +720]
vpshufb ymm1, ymm1, ymm7
vmovdqa ymm14, ymmword ptr [rsi +1152]
vbroadcasti128 ymm15, xmmword ptr [r8 +768]
vpshufb ymm15, ymm15, ymm14
vbroadcasti128 ymm12, xmmword ptr [r8 +784]
vpshufb ymm12, ymm12, ymm9
vpxor ymm5, ymm14, ymm5
vpxor ymm6, ymm6, ymm3
vpxor ymm2, ymm5, ymm2
vpxor ymm15, ymm15, ymm6
vpxor ymm1, ymm2, ymm1
vpxor ymm12, ymm15, ymm12
vmovdqa ymm15, ymmword ptr [rsi +1184]
vpxor ymm2, ymm14, ymm15
vmovdqa ymm6, ymmword ptr [rsi +928]
vpxor ymm5, ymm9, ymm6
vmovdqa ymmword ptr [rsi +704], ymm9
vmovdqa ymm9, ymmword ptr [rsi +960]
vpxor ymm3, ymm9, ymm3
vmovdqa ymm14, ymmword ptr [rsi +992]
vpxor ymm7, ymm14, ymm7
vmovdqa ymmword ptr [rsi +256], ymm13
vbroadcasti128 ymm13, xmmword ptr [r8 +512]
vpshufb ymm13, ymm13, ymm9
vmovdqa ymmword ptr [rsi +224], ymm10
vbroadcasti128 ymm10, xmmword ptr [r8 +528]
vpshufb ymm10, ymm10, ymm14
vpxor ymm9, ymm15, ymm9
vpxor ymm14, ymm14, ymm6
vpxor ymm10, ymm13, ymm10
vbroadcasti128 ymm13, xmmword ptr [r8 +448]
vpshufb ymm13, ymm13, ymm9
vbroadcasti128 ymm9, xmmword ptr [r8 +464]
vpshufb ymm9, ymm9, ymm14
vpxor ymm9, ymm13, ymm9
vpxor ymm10, ymm10, ymm9
vbroadcasti128 ymm13, xmmword ptr [r8 +896]
vpshufb ymm13, ymm13, ymm3
vbroadcasti128 ymm14, xmmword ptr [r8 +912]
vpshufb ymm14, ymm14, ymm7
vbroadcasti128 ymm6, xmmword ptr [r8 +960]
vpshufb ymm6, ymm6, ymm2
vbroadcasti128 ymm15, xmmword ptr [r8 +976]
vpshufb ymm15, ymm15, ymm5
vpxor ymm3, ymm2, ymm3
vpxor ymm7, ymm5, ymm7
vpxor ymm14, ymm13, ymm14
vpxor ymm15, ymm15, ymm6
vbroadcasti128 ymm6, xmmword ptr [r8 +832]
vpshufb ymm6, ymm6, ymm3
vbroadcasti128 ymm3, xmmword ptr [r8 +848]
vpshufb ymm3, ymm3, ymm7
vpxor ymm3, ymm6, ymm3
vpxor ymm14, ymm14, ymm3
vpxor ymm3, ymm15, ymm3
vpxor ymm10, ymm10, ymm14
vpxor ymm9, ymm9, ymm3
vpxor ymm14, ymm14, ymm1
vpxor ymm3, ymm12, ymm3
vpxor ymm12, ymm0, ymmword ptr [rcx -128]
vpxor ymm1, ymm8, ymmword ptr [rcx -96]
vpxor ymm15, ymm11, ymmword ptr [rcx -64]
vpxor ymm6, ymm4, ymmword ptr [rcx -32]
vpxor ymm0, ymm10, ymm0
vpxor ymm8, ymm9, ymm8
vpxor ymm11, ymm14, ymm11
vpxor ymm4, ymm3, ymm4
vmovdqa ymm3, ymmword ptr [rdi -64]
vmovdqa ymm14, ymmword ptr [r9 -128]
vpand ymm9, ymm14, ymm3
vpsrlw ymm3, ymm3, 4
vmovdqa ymm10, ymmword ptr [rdi +64]
vpand ymm7, ymm10, ymm14
vpsrlw ymm10, ymm10, 4
vmovdqa ymm13, ymmword ptr [rdi +192]
vpand ymm5, ymm13, ymm14
vpsrlw ymm13, ymm13, 4
vmovdqa ymm2, ymmword ptr [rdi +320]
vmovdqa ymmword ptr [rsi +1120], ymm6
vpand ymm6, ymm14, ymm2
vpsrlw ymm2, ymm2, 4
vpand ymm3, ymm14, ymm3
vpand ymm10, ymm10, ymm14
vpand ymm13, ymm13, ymm14
vpand ymm2, ymm14, ymm2
vmovdqa ymmword ptr [rsi +1088], ymm15
vbroadcasti128 ymm15, xmmword ptr [r8 +1792]
vpshufb ymm15, ymm15, ymm9
vmovdqa ymmword ptr [rsi +1056], ymm1
vbroadcasti128 ymm1, xmmword ptr [r8 +1808]
vpshufb ymm1, ymm1, ymm3
vmovdqa ymmword ptr [rsi +1024], ymm12
vbroadcasti128 ymm12, xmmword ptr [r8 +1792]
vpshufb ymm12, ymm12, ymm7
vmovdqa ymmword ptr [rsi +864], ymm4
vbroadcasti128 ymm4, xmmword ptr [r8 +1808]
vpshufb ymm4, ymm4, ymm10
vmovdqa ymmword ptr [rsi +832], ymm11
vbroadcasti128 ymm11, xmmword ptr [r8 +1856]
vpshufb ymm11, ymm11, ymm7
vmovdqa ymmword ptr [rsi +800], ymm8
vbroadcasti128 ymm8, xmmword ptr [r8 +1872]
vpshufb ymm8, ymm8, ymm10
vpxor ymm1, ymm15, ymm1
vpxor ymm4, ymm12, ymm4
vpxor ymm11, ymm11, ymm1
vpxor ymm8, ymm11, ymm8
vpxor ymm11, ymm9, ymm5
vpxor ymm1, ymm13, ymm3
vpxor ymm12, ymm7, ymm6
vpxor ymm15, ymm10, ymm2
vmovdqa ymmword ptr [rsi +608], ymm0
vbroadcasti128 ymm0, xmmword ptr [r8 +1664]
vpshufb ymm0, ymm0, ymm6
vmovdqa ymmword ptr [rsi +768], ymm10
vbroadcasti128 ymm10, xmmword ptr [r8 +1680]
vpshufb ymm10, ymm10, ymm2
vmovdqa ymmword ptr [rsi +640], ymm7
vbroadcasti128 ymm7, xmmword ptr [r8 +1728]
vpshufb ymm7, ymm7, ymm5
vmovdqa ymmword ptr [rsi +512], ymm3
vbroadcasti128 ymm3, xmmword ptr [r8 +1744]
vpshufb ymm3, ymm3, ymm13
vmovdqa ymmword ptr [rsi +672], ymm6
vpxor ymm6, ymm5, ymm6
vmovdqa ymmword ptr [rsi +736], ymm2
vpxor ymm2, ymm13, ymm2
vpxor ymm10, ymm10, ymm0
vpxor ymm3, ymm7, ymm3
vbroadcasti128 ymm7, xmmword ptr [r8 +1600]
vpshufb ymm7, ymm7, ymm6
vbroadcasti128 ymm6, xmmword ptr [r8 +1616]
vpshufb ymm6, ymm6, ymm2
vpxor ymm6, ymm7, ymm6
vpxor ymm10, ymm10, ymm6
vpxor ymm6, ymm3, ymm6
vbroadcasti128 ymm3, xmmword ptr [r8 +2048]
vpshufb ymm3, ymm3, ymm12
vbroadcasti128 ymm7, xmmword ptr [r8 +2064]
vpshufb ymm7, ymm7, ymm15
vbroadcasti128 ymm2, xmmword ptr [r8 +2112]
vpshufb ymm2, ymm2, ymm11
vbroadcasti128 ymm0, xmmword ptr [r8 +2128]
vpshufb ymm0, ymm0, ymm1
vpxor ymm12, ymm11, ymm12
vpxor ymm15, ymm15, ymm1
vmovdqa ymm1, ymmword ptr [rdi -128]
vpand ymm11, ymm14, ymm1
vpsrlw ymm1, ymm1, 4
vmovdqa ymmword ptr [rsi +384], ymm13
vmovdqa ymm13, ymmword ptr [rdi +0]
vmovdqa ymmword ptr [rsi +352], ymm5
vpand ymm5, ymm13, ymm14
vpsrlw ymm13, ymm13, 4
vmovdqa ymmword ptr [rsi +192], ymm5
vmovdqa ymm5, ymmword ptr [rdi +128]
vmovdqa ymmword ptr [rsi +128], ymm11
vpand ymm11, ymm14, ymm5
vpsrlw ymm5, ymm5, 4
vmovdqa ymmword ptr [rsi +160], ymm11
vmovdqa ymm11, ymmword ptr [rdi +256]
vmovdqa ymmword ptr [rsi +288], ymm9
vpand ymm9, ymm11, ymm14
vpsrlw ymm11, ymm11, 4
vpxor ymm7, ymm3, ymm7
vpxor ymm0, ymm2, ymm0
vbroadcasti128 ymm2, xmmword ptr [r8 +1984]
vpshufb ymm2, ymm2, ymm12
vbroadcasti128 ymm12, xmmword ptr [r8 +2000]
vpshufb ymm12, ymm12, ymm15
vpand ymm1, ymm14, ymm1
vpand ymm13, ymm13, ymm14
vpand ymm5, ymm14, ymm5
vpand ymm11, ymm11, ymm14
vpxor ymm12, ymm12, ymm2
vpxor ymm7, ymm12, ymm7
vpxor ymm12, ymm12, ymm0
vpxor ymm10, ymm10, ymm7
vpxor ymm6, ymm12, ymm6
vpxor ymm7, ymm8, ymm7
vpxor ymm12, ymm12, ymm4
vmovdqa ymm4, ymmword ptr [rsi +128]
vpxor ymm8, ymm4, ymmword ptr [rsi +288]
vpxor ymm0, ymm1, ymmword ptr [rsi +512]
vmovdqa ymm2, ymmword ptr [rsi +192]
vpxor ymm15, ymm2, ymmword ptr [rsi +640]
vpxor ymm3, ymm13, ymmword ptr [rsi +768]
vmovdqa ymm14, ymmword ptr [rsi +160]
vmovdqa ymmword ptr [rsi +0], ymm12
vpxor ymm12, ymm14, ymmword ptr [rsi +352]
vmovdqa ymmword ptr [rsi -32], ymm7
vpxor ymm7, ymm5, ymmword ptr [rsi +384]
vmovdqa ymmword ptr [rsi -96], ymm6
vpxor ymm6, ymm9, ymmword ptr [rsi +672]
vmovdqa ymmword ptr [rsi -128], ymm10
vpxor ymm10, ymm11, ymmword ptr [rsi +736]
vmovdqa ymmword ptr [rcx -128], ymm11
vbroadcasti128 ymm11, xmmword ptr [r8 +3024]
vpshufb ymm11, ymm11, ymm3
vmovdqa ymmword ptr [rsi +64], ymm13
vbroadcasti128 ymm13, xmmword ptr [r8 +3072]
vpshufb ymm13, ymm13, ymm8
vmovdqa ymmword ptr [rsi +96], ymm9
vbroadcasti128 ymm9, xmmword ptr [r8 +3088]
vpshufb ymm9, ymm9, ymm0
vpxor ymm2, ymm8, ymm15
vmovdqa ymmword ptr [rsi +32], ymm5
vpxor ymm5, ymm0, ymm3
vpxor ymm11, ymm11, ymm15
vpxor ymm9, ymm13, ymm9
vbroadcasti128 ymm13, xmmword ptr [r8 +2944]
vpshufb ymm13, ymm13, ymm2
vbroadcasti128 ymm2, xmmword ptr [r8 +2960]
vpshufb ymm2, ymm2, ymm5
vpxor ymm2, ymm13, ymm2
vpxor ymm11, ymm11, ymm2
vpxor ymm2, ymm9, ymm2
vpxor ymm9, ymm8, ymm12
vpxor ymm13, ymm0, ymm7
vpxor ymm5, ymm15, ymm6
vmovdqa ymmword ptr [rcx +96], ymm3
vpxor ymm3, ymm10, ymm3
vmovdqa ymmword ptr [rcx +64], ymm15
vbroadcasti128 ymm15, xmmword ptr [r8 +2816]
vpshufb ymm15, ymm15, ymm6
vmovdqa ymmword ptr [rcx -32], ymm0
vbroadcasti128 ymm0, xmmword ptr [r8 +2832]
vpshufb ymm0, ymm0, ymm10
vmovdqa ymmword ptr [rcx -64], ymm8
vbroadcasti128 ymm8, xmmword ptr [r8 +2880]
vpshufb ymm8, ymm8, ymm12
vbroadcasti128 ymm14, xmmword ptr [r8 +2896]
vpshufb ymm14, ymm14, ymm7
vmovdqa ymmword ptr [rcx +0], ymm6
vpxor ymm6, ymm12, ymm6
vmovdqa ymmword ptr [rcx +32], ymm10
vpxor ymm10, ymm10, ymm7
vpxor ymm0, ymm15, ymm0
vpxor ymm14, ymm8, ymm14
vbroadcasti128 ymm8, xmmword ptr [r8 +2752]
vpshufb ymm8, ymm8, ymm6
vbroadcasti128 ymm6, xmmword ptr [r8 +2768]
vpshufb ymm6, ymm6, ymm10
vpxor ymm6, ymm8, ymm6
vpxor ymm0, ymm0, ymm6
vpxor ymm6, ymm14, ymm6
vbroadcasti128 ymm14, xmmword ptr [r8 +3136]
vpshufb ymm14, ymm14, ymm9
vbroadcasti128 ymm9, xmmword ptr [r8 +3152]
vpshufb ymm9, ymm9, ymm13
vbroadcasti128 ymm13, xmmword ptr [r8 +3136]
vpshufb ymm13, ymm13, ymm5
vbroadcasti128 ymm8, xmmword ptr [r8 +3152]
vpshufb ymm8, ymm8, ymm3
vbroadcasti128 ymm10, xmmword ptr [r8 +3200]
vpshufb ymm10, ymm10, ymm5
vbroadcasti128 ymm5, xmmword ptr [r8 +3216]
vpshufb ymm5, ymm5, ymm3
vpxor ymm9, ymm14, ymm9
vpxor ymm8, ymm13, ymm8
vpxor ymm10, ymm9, ymm10
vpxor ymm6, ymm8, ymm6
vpxor ymm8, ymm8, ymm2
vpxor ymm5, ymm10, ymm5
vpxor ymm0, ymm0, ymm5
vpxor ymm5, ymm11, ymm5
vbroadcasti128 ymm11, xmmword ptr [r8 +2496]
vpshufb ymm11, ymm11, ymm4
vbroadcasti128 ymm10, xmmword ptr [r8 +2512]
vpshufb ymm10, ymm10, ymm1
vpxor ymm10, ymm11, ymm10
vmovdqa ymm11, ymmword ptr [rsi +160]
vpxor ymm2, ymm11, ymm4
vmovdqa ymm9, ymmword ptr [rsi +32]
vpxor ymm13, ymm9, ymm1
vmovdqa ymm14, ymmword ptr [rsi +96]
vpxor ymm3, ymm14, ymmword ptr [rsi +192]
vmovdqa ymm15, ymmword ptr [rcx -128]
vmovdqa ymmword ptr [rsi -64], ymm1
vpxor ymm1, ymm15, ymmword ptr [rsi +64]
vbroadcasti128 ymm4, xmmword ptr [r8 +2176]
vpshufb ymm4, ymm4, ymm11
vbroadcasti128 ymm11, xmmword ptr [r8 +2192]
vpshufb ymm11, ymm11, ymm9
vbroadcasti128 ymm9, xmmword ptr [r8 +2176]
vpshufb ymm9, ymm9, ymm14
vmovdqa ymmword ptr [rcx -96], ymm7
vbroadcasti128 ymm7, xmmword ptr [r8 +2192]
vpshufb ymm7, ymm7, ymm15
vmovdqa ymmword ptr [rcx -128], ymm12
vbroadcasti128 ymm12, xmmword ptr [r8 +2240]
vpshufb ymm12, ymm12, ymm14
vbroadcasti128 ymm14, xmmword ptr [r8 +2256]
vpshufb ymm14, ymm14, ymm15
vpxor ymm11, ymm11, ymm4
vpxor ymm7, ymm9, ymm7
vpxor ymm12, ymm11, ymm12
vpxor ymm14, ymm12, ymm14
vbroadcasti128 ymm12, xmmword ptr [r8 +2624]
vpshufb ymm12, ymm12, ymm3
vbroadcasti128 ymm11, xmmword ptr [r8 +2640]
vpshufb ymm11, ymm11, ymm1
vbroadcasti128 ymm9, xmmword ptr [r8 +2688]
vpshufb ymm9, ymm9, ymm2
vbroadcasti128 ymm4, xmmword ptr [r8 +2704]
vpshufb ymm4, ymm4, ymm13
vpxor ymm3, ymm2, ymm3
vpxor ymm1, ymm13, ymm1
vpxor ymm11, ymm12, ymm11
vpxor ymm4, ymm9, ymm4
vbroadcasti128 ymm9, xmmword ptr [r8 +2560]
vpshufb ymm9, ymm9, ymm3
vbroadcasti128 ymm3, xmmword ptr [r8 +2576]
vpshufb ymm3, ymm3, ymm1
vpxor ymm3, ymm9, ymm3
vpxor ymm11, ymm11, ymm3
vpxor ymm3, ymm4, ymm3
vpxor ymm14, ymm14, ymm11
vpxor ymm7, ymm7, ymm3
vpxor ymm3, ymm10, ymm3
vpxor ymm10, ymm0, ymmword ptr [rsi -128]
vpxor ymm4, ymm6, ymmword ptr [rsi -96]
vpxor ymm9, ymm5, ymmword ptr [rsi -32]
vpxor ymm1, ymm8, ymmword ptr [rsi +0]
vpxor ymm0, ymm14, ymm0
vpxor ymm6, ymm7, ymm6
vpxor ymm5, ymm11, ymm5
vpxor ymm8, ymm8, ymm3
vmovdqa ymm3, ymmword ptr [rcx -64]
vpxor ymm3, ymm3, ymmword ptr [rsi +224]
vmovdqa ymm11, ymmword ptr [rcx -32]
vpxor ymm11, ymm11, ymmword ptr [rsi +416]
vmovdqa ymm7, ymmword ptr [rcx +64]
vpxor ymm7, ymm7, ymmword ptr [rsi +448]
vmovdqa ymm14, ymmword ptr [rcx +96]
vpxor ymm14, ymm14, ymmword ptr [rsi +576]
vmovdqa ymm12, ymmword ptr [rcx -128]
vpxor ymm12, ymm12, ymmword ptr [rsi +256]
vmovdqa ymm13, ymmword ptr [rcx -96]
vpxor ymm13, ymm13, ymmword ptr [rsi +320]
vmovdqa ymm2, ymmword ptr [rcx +0]
vpxor ymm2, ymm2, ymmword ptr [rsi +480]
vmovdqa ymmword ptr [rsi +0], ymm1
vmovdqa ymm1, ymmword ptr [rcx +32]
vpxor ymm1, ymm1, ymmword ptr [rsi +544]
vmovdqa ymmword ptr [rsi -32], ymm9
vbroadcasti128 ymm9, xmmword ptr [r8 +4544]
vpshufb ymm9, ymm9, ymm2
vmovdqa ymmword ptr [rsi -96], ymm4
vbroadcasti128 ymm4, xmmword ptr [r8 +4560]
vpshufb ymm4, ymm4, ymm1
vmovdqa ymmword ptr [rsi -128], ymm10
vbroadcasti128 ymm10, xmmword ptr [r8 +4608]
vpshufb ymm10, ymm10, ymm12
vmovdqa ymmword ptr [rcx -32], ymm8
vbroadcasti128 ymm8, xmmword ptr [r8 +4624]
vpshufb ymm8, ymm8, ymm13
vpxor ymm4, ymm9, ymm4
vpxor ymm8, ymm10, ymm8
vpxor ymm12, ymm12, ymm3
vpxor ymm13, ymm13, ymm11
vpxor ymm2, ymm2, ymm7
vpxor ymm1, ymm14, ymm1
vbroadcasti128 ymm10, xmmword ptr [r8 +4736]
vpshufb ymm10, ymm10, ymm7
vbroadcasti128 ymm9, xmmword ptr [r8 +4752]
vpshufb ymm9, ymm9, ymm14
vmovdqa ymmword ptr [rcx -64], ymm5
vbroadcasti128 ymm5, xmmword ptr [r8 +4800]
vpshufb ymm5, ymm5, ymm3
vmovdqa ymmword ptr [rcx -96], ymm6
vbroadcasti128 ymm6, xmmword ptr [r8 +4816]
vpshufb ymm6, ymm6, ymm11
vpxor ymm7, ymm3, ymm7
vpxor ymm14, ymm11, ymm14
vpxor ymm9, ymm10, ymm9
vpxor ymm6, ymm5, ymm6
vbroadcasti128 ymm5, xmmword ptr [r8 +4672]
vpshufb ymm5, ymm5, ymm7
vbroadcasti128 ymm7, xmmword ptr [r8 +4688]
vpshufb ymm7, ymm7, ymm14
vpxor ymm7, ymm5, ymm7
vpxor ymm9, ymm9, ymm7
vpxor ymm7, ymm6, ymm7
vbroadcasti128 ymm6, xmmword ptr [r8 +4928]
vpshufb ymm6, ymm6, ymm2
vbroadcasti128 ymm5, xmmword ptr [r8 +4944]
vpshufb ymm5, ymm5, ymm1
vbroadcasti128 ymm14, xmmword ptr [r8 +4992]
vpshufb ymm14, ymm14, ymm12
vbroadcasti128 ymm10, xmmword ptr [r8 +5008]
vpshufb ymm10, ymm10, ymm13
vpxor ymm2, ymm12, ymm2
vpxor ymm1, ymm13, ymm1
vpxor ymm5, ymm6, ymm5
vpxor ymm10, ymm14, ymm10
vbroadcasti128 ymm14, xmmword ptr [r8 +4864]
vpshufb ymm14, ymm14, ymm2
vbroadcasti128 ymm2, xmmword ptr [r8 +4880]
vpshufb ymm2, ymm2, ymm1
vpxor ymm2, ymm14, ymm2
vpxor ymm5, ymm5, ymm2
vpxor ymm2, ymm10, ymm2
vpxor ymm4, ymm4, ymm5
vpxor ymm8, ymm8, ymm2
vpxor ymm5, ymm9, ymm5
vpxor ymm2, ymm7, ymm2
vmovdqa ymm7, ymmword ptr [rsi +128]
vpxor ymm7, ymm7, ymmword ptr [rsi +1152]
vmovdqa ymm9, ymmword ptr [rsi -64]
vpxor ymm9, ymm9, ymmword ptr [rsi +704]
vmovdqa ymm10, ymmword ptr [rsi +192]
vpxor ymm10, ymm10, ymmword ptr [rsi +1216]
vmovdqa ymm14, ymmword ptr [rsi +64]
vpxor ymm14, ymm14, ymmword ptr [rsi +896]
vmovdqa ymm1, ymmword ptr [rsi +160]
vpxor ymm1, ymm1, ymmword ptr [rsi +1184]
vmovdqa ymm6, ymmword ptr [rsi +32]
vpxor ymm6, ymm6, ymmword ptr [rsi +928]
vmovdqa ymm13, ymmword ptr [rsi +96]
vpxor ymm13, ymm13, ymmword ptr [rsi +960]
vpxor ymm15, ymm15, ymmword ptr [rsi +992]
vbroadcasti128 ymm12, xmmword ptr [r8 +4096]
vpshufb ymm12, ymm12, ymm7
vbroadcasti128 ymm11, xmmword ptr [r8 +4112]
vpshufb ymm11, ymm11, ymm9
vbroadcasti128 ymm3, xmmword ptr [r8 +4096]
vpshufb ymm3, ymm3, ymm10
vmovdqa ymmword ptr [rcx -128], ymm0
vbroadcasti128 ymm0, xmmword ptr [r8 +4112]
vpshufb ymm0, ymm0, ymm14
vmovdqa ymmword ptr [rcx +64], ymm2
vbroadcasti128 ymm2, xmmword ptr [r8 +4176]
vpshufb ymm2, ymm2, ymm14
vmovdqa ymmword ptr [rcx +32], ymm5
vbroadcasti128 ymm5, xmmword ptr [r8 +4224]
vpshufb ymm5, ymm5, ymm7
vmovdqa ymmword ptr [rcx +0], ymm8
vbroadcasti128 ymm8, xmmword ptr [r8 +4240]
vpshufb ymm8, ymm8, ymm9
vpxor ymm11, ymm12, ymm11
vpxor ymm0, ymm3, ymm0
vpxor ymm11, ymm11, ymm10
vpxor ymm5, ymm0, ymm5
vpxor ymm2, ymm11, ymm2
vpxor ymm8, ymm8, ymm5
vpxor ymm7, ymm7, ymm1
vpxor ymm9, ymm9, ymm6
vpxor ymm10, ymm10, ymm13
vpxor ymm14, ymm14, ymm15
vbroadcasti128 ymm5, xmmword ptr [r8 +3968]
vpshufb ymm5, ymm5, ymm13
vbroadcasti128 ymm11, xmmword ptr [r8 +3984]
vpshufb ymm11, ymm11, ymm15
vbroadcasti128 ymm0, xmmword ptr [r8 +4032]
vpshufb ymm0, ymm0, ymm1
vbroadcasti128 ymm3, xmmword ptr [r8 +4048]
vpshufb ymm3, ymm3, ymm6
vpxor ymm13, ymm13, ymm1
vpxor ymm15, ymm15, ymm6
vpxor ymm11, ymm11, ymm5
vpxor ymm3, ymm0, ymm3
vbroadcasti128 ymm0, xmmword ptr [r8 +3904]
vpshufb ymm0, ymm0, ymm13
vbroadcasti128 ymm13, xmmword ptr [r8 +3920]
vpshufb ymm13, ymm13, ymm15
vpxor ymm13, ymm13, ymm0
vpxor ymm11, ymm11, ymm13
vpxor ymm13, ymm13, ymm3
vbroadcasti128 ymm3, xmmword ptr [r8 +4352]
vpshufb ymm3, ymm3, ymm10
vbroadcasti128 ymm0, xmmword ptr [r8 +4368]
vpshufb ymm0, ymm0, ymm14
vbroadcasti128 ymm15, xmmword ptr [r8 +4416]
vpshufb ymm15, ymm15, ymm7
vbroadcasti128 ymm5, xmmword ptr [r8 +4432]
vpshufb ymm5, ymm5, ymm9
vpxor ymm10, ymm10, ymm7
vpxor ymm14, ymm9, ymm14
vpxor ymm0, ymm3, ymm0
vpxor ymm5, ymm15, ymm5
vbroadcasti128 ymm15, xmmword ptr [r8 +4288]
vpshufb ymm15, ymm15, ymm10
vbroadcasti128 ymm10, xmmword ptr [r8 +4304]
vpshufb ymm10, ymm10, ymm14
vpxor ymm10, ymm15, ymm10
vpxor ymm0, ymm10, ymm0
vpxor ymm10, ymm10, ymm5
vpxor ymm11, ymm11, ymm0
vpxor ymm13, ymm13, ymm10
vpxor ymm0, ymm2, ymm0
vpxor ymm10, ymm8, ymm10
vpxor ymm11, ymm11, ymm4
vpxor ymm13, ymm13, ymmword ptr [rcx +0]
vpxor ymm0, ymm0, ymmword ptr [rcx +32]
vpxor ymm10, ymm10, ymmword ptr [rcx +64]
vpxor ymm8, ymm11, ymmword ptr [rcx -128]
vpxor ymm2, ymm13, ymmword ptr [rcx -96]
vpxor ymm5, ymm0, ymmword ptr [rcx -64]
vpxor ymm15, ymm10, ymmword ptr [rcx -32]
vpxor ymm11, ymm11, ymmword ptr [rsi +608]
vpxor ymm13, ymm13, ymmword ptr [rsi +800]
vpxor ymm0, ymm0, ymmword ptr [rsi +832]
vpxor ymm10, ymm10, ymmword ptr [rsi +864]
vmovdqa ymm14, ymmword ptr [rsi +288]
vpxor ymm14, ymm14, ymmword ptr [rsi +1248]
vmovdqa ymm3, ymmword ptr [rsi +512]
vpxor ymm3, ymm3, ymmword ptr [rsi +1344]
vmovdqa ymm9, ymmword ptr [rsi +640]
vpxor ymm9, ymm9, ymmword ptr [rsi +1376]
vmovdqa ymm7, ymmword ptr [rsi +768]
vpxor ymm7, ymm7, ymmword ptr [rsi +1472]
vmovdqa ymm6, ymmword ptr [rsi +352]
vpxor ymm6, ymm6, ymmword ptr [rsi +1280]
vmovdqa ymm1, ymmword ptr [rsi +384]
vpxor ymm1, ymm1, ymmword ptr [rsi +1312]
vmovdqa ymm12, ymmword ptr [rsi +672]
vpxor ymm12, ymm12, ymmword ptr [rsi +1408]
vmovdqa ymmword ptr [rsi +32], ymm10
vmovdqa ymm10, ymmword ptr [rsi +736]
vpxor ymm10, ymm10, ymmword ptr [rsi +1440]
vmovdqa ymmword ptr [rsi -64], ymm0
vbroadcasti128 ymm0, xmmword ptr [r8 +3584]
vpshufb ymm0, ymm0, ymm9
vmovdqa ymmword ptr [rcx +96], ymm13
vbroadcasti128 ymm13, xmmword ptr [r8 +3600]
vpshufb ymm13, ymm13, ymm7
vmovdqa ymmword ptr [rcx -32], ymm11
vbroadcasti128 ymm11, xmmword ptr [r8 +3648]
vpshufb ymm11, ymm11, ymm14
vmovdqa ymmword ptr [rcx -64], ymm15
vbroadcasti128 ymm15, xmmword ptr [r8 +3664]
vpshufb ymm15, ymm15, ymm3
vmovdqa ymmword ptr [rcx -96], ymm5
vpxor ymm5, ymm14, ymm9
vmovdqa ymmword ptr [rcx -128], ymm2
vpxor ymm2, ymm3, ymm7
vpxor ymm13, ymm13, ymm0
vpxor ymm15, ymm11, ymm15
vbroadcasti128 ymm11, xmmword ptr [r8 +3520]
vpshufb ymm11, ymm11, ymm5
vbroadcasti128 ymm5, xmmword ptr [r8 +3536]
vpshufb ymm5, ymm5, ymm2
vpxor ymm5, ymm11, ymm5
vpxor ymm13, ymm13, ymm5
vpxor ymm5, ymm15, ymm5
vpxor ymm14, ymm14, ymm6
vpxor ymm3, ymm3, ymm1
vpxor ymm9, ymm9, ymm12
vpxor ymm7, ymm10, ymm7
vbroadcasti128 ymm15, xmmword ptr [r8 +3408]
vpshufb ymm15, ymm15, ymm10
vbroadcasti128 ymm11, xmmword ptr [r8 +3456]
vpshufb ymm11, ymm11, ymm6
vbroadcasti128 ymm2, xmmword ptr [r8 +3472]
vpshufb ymm2, ymm2, ymm1
vpxor ymm6, ymm12, ymm6
vpxor ymm10, ymm10, ymm1
vpxor ymm12, ymm15, ymm12
vpxor ymm2, ymm11, ymm2
vbroadcasti128 ymm11, xmmword ptr [r8 +3328]
vpshufb ymm11, ymm11, ymm6
vbroadcasti128 ymm6, xmmword ptr [r8 +3344]
vpshufb ymm6, ymm6, ymm10
vpxor ymm6, ymm11, ymm6
vpxor ymm12, ymm12, ymm6
vpxor ymm6, ymm2, ymm6
vbroadcasti128 ymm2, xmmword ptr [r8 +3776]
vpshufb ymm2, ymm2, ymm9
vbroadcasti128 ymm11, xmmword ptr [r8 +3792]
vpshufb ymm11, ymm11, ymm7
vbroadcasti128 ymm10, xmmword ptr [r8 +3840]
vpshufb ymm10, ymm10, ymm14
vbroadcasti128 ymm15, xmmword ptr [r8 +3856]
vpshufb ymm15, ymm15, ymm3
vpxor ymm9, ymm14, ymm9
vpxor ymm7, ymm3, ymm7
vpxor ymm11, ymm11, ymm2
vpxor ymm15, ymm10, ymm15
vbroadcasti128 ymm10, xmmword ptr [r8 +3712]
vpshufb ymm10, ymm10, ymm9
vbroadcasti128 ymm9, xmmword ptr [r8 +3728]
vpshufb ymm9, ymm9, ymm7
vpxor ymm9, ymm10, ymm9
vpxor ymm11, ymm11, ymm9
vpxor ymm9, ymm15, ymm9
vpxor ymm12, ymm12, ymm11
vpxor ymm6, ymm9, ymm6
vpxor ymm11, ymm13, ymm11
vpxor ymm9, ymm9, ymm5
vpxor ymm4, ymm12, ymm4
vpxor ymm6, ymm6, ymmword ptr [rcx +0]
vpxor ymm11, ymm11, ymmword ptr [rcx +32]
vpxor ymm9, ymm9, ymmword ptr [rcx +64]
vpxor ymm12, ymm4, ymmword ptr [rsi -128]
vpxor ymm5, ymm6, ymmword ptr [rsi -96]
vpxor ymm13, ymm11, ymmword ptr [rsi -32]
vpxor ymm15, ymm9, ymmword ptr [rsi +0]
vpxor ymm4, ymm4, ymmword ptr [rsi +1024]
vpxor ymm6, ymm6, ymmword ptr [rsi +1056]
vpxor ymm11, ymm11, ymmword ptr [rsi +1088]
vpxor ymm9, ymm9, ymmword ptr [rsi +1120]
vmovdqa ymm10, ymmword ptr [r9 -128]
vpand ymm7, ymm8, ymm10
vpsrlw ymm8, ymm8, 4
vpand ymm8, ymm8, ymm10
vbroadcasti128 ymm2, xmmword ptr [rax +768]
vpshufb ymm2, ymm2, ymm7
vbroadcasti128 ymm3, xmmword ptr [rax +832]
vpshufb ymm3, ymm3, ymm7
vbroadcasti128 ymm7, xmmword ptr [rax +784]
vpshufb ymm7, ymm7, ymm8
vbroadcasti128 ymm14, xmmword ptr [rax +848]
vpshufb ymm14, ymm14, ymm8
vmovdqa ymm8, ymmword ptr [rcx -128]
vpand ymm1, ymm8, ymm10
vpsrlw ymm8, ymm8, 4
vpxor ymm7, ymm2, ymm7
vpxor ymm14, ymm14, ymm3
vpand ymm8, ymm8, ymm10
vbroadcasti128 ymm3, xmmword ptr [rax +1792]
vpshufb ymm3, ymm3, ymm1
vbroadcasti128 ymm2, xmmword ptr [rax +1856]
vpshufb ymm2, ymm2, ymm1
vbroadcasti128 ymm1, xmmword ptr [r9 +32]
vpshufb ymm1, ymm1, ymm14
vbroadcasti128 ymm14, xmmword ptr [r9 +64]
vpshufb ymm14, ymm14, ymm7
vbroadcasti128 ymm0, xmmword ptr [r9 +96]
vpshufb ymm0, ymm0, ymm7
vmovdqa ymmword ptr [rsi -96], ymm15
vbroadcasti128 ymm15, xmmword ptr [rax +1808]
vpshufb ymm15, ymm15, ymm8
vmovdqa ymmword ptr [rsi -128], ymm13
vbroadcasti128 ymm13, xmmword ptr [rax +1872]
vpshufb ymm13, ymm13, ymm8
vpaddb ymm14, ymm14, ymm1
vpaddb ymm0, ymm0, ymm1
vpsubb ymm1, ymm7, ymm1
vmovdqa ymm7, ymmword ptr [rcx -96]
vpand ymm8, ymm10, ymm7
vpsrlw ymm7, ymm7, 4
vpxor ymm15, ymm15, ymm3
vpxor ymm13, ymm13, ymm2
vpaddb ymm2, ymm14, ymmword ptr [r9 -96]
vpaddb ymm3, ymm0, ymmword ptr [r9 -96]
vmovdqa ymmword ptr [rcx +64], ymm5
vbroadcasti128 ymm5, xmmword ptr [rax +928]
vpshufb ymm5, ymm5, ymm1
vpand ymm7, ymm10, ymm7
vbroadcasti128 ymm1, xmmword ptr [rax +2816]
vpshufb ymm1, ymm1, ymm8
vmovdqa ymmword ptr [rcx +32], ymm12
vbroadcasti128 ymm12, xmmword ptr [rax +2880]
vpshufb ymm12, ymm12, ymm8
vbroadcasti128 ymm8, xmmword ptr [r9 +32]
vpshufb ymm8, ymm8, ymm13
vbroadcasti128 ymm13, xmmword ptr [r9 +64]
vpshufb ymm13, ymm13, ymm15
vmovdqa ymmword ptr [rcx +0], ymm9
vbroadcasti128 ymm9, xmmword ptr [r9 +96]
vpshufb ymm9, ymm9, ymm15
vpminub ymm14, ymm14, ymm2
vpminub ymm0, ymm3, ymm0
vbroadcasti128 ymm3, xmmword ptr [rax +2832]
vpshufb ymm3, ymm3, ymm7
vbroadcasti128 ymm2, xmmword ptr [rax +2896]
vpshufb ymm2, ymm2, ymm7
vpaddb ymm13, ymm13, ymm8
vpaddb ymm9, ymm9, ymm8
vpsubb ymm8, ymm15, ymm8
vmovdqa ymm15, ymmword ptr [rcx -64]
vpand ymm7, ymm15, ymm10
vpsrlw ymm15, ymm15, 4
vmovdqa ymmword ptr [rcx -96], ymm11
vbroadcasti128 ymm11, xmmword ptr [rdx -80]
vpshufb ymm11, ymm11, ymm14
vbroadcasti128 ymm14, xmmword ptr [rax +912]
vpshufb ymm14, ymm14, ymm0
vpxor ymm3, ymm1, ymm3
vpxor ymm2, ymm12, ymm2
vpaddb ymm12, ymm13, ymmword ptr [r9 -96]
vpaddb ymm1, ymm9, ymmword ptr [r9 -96]
vbroadcasti128 ymm0, xmmword ptr [rax +1952]
vpshufb ymm0, ymm0, ymm8
vpand ymm15, ymm15, ymm10
vbroadcasti128 ymm8, xmmword ptr [rax +3840]
vpshufb ymm8, ymm8, ymm7
vmovdqa ymmword ptr [rcx -128], ymm6
vbroadcasti128 ymm6, xmmword ptr [rax +3904]
vpshufb ymm6, ymm6, ymm7
vpxor ymm11, ymm11, ymm5
vbroadcasti128 ymm5, xmmword ptr [r9 +32]
vpshufb ymm5, ymm5, ymm2
vbroadcasti128 ymm2, xmmword ptr [r9 +64]
vpshufb ymm2, ymm2, ymm3
vbroadcasti128 ymm7, xmmword ptr [r9 +96]
vpshufb ymm7, ymm7, ymm3
vpminub ymm13, ymm12, ymm13
vpminub ymm9, ymm9, ymm1
vbroadcasti128 ymm1, xmmword ptr [rax +3856]
vpshufb ymm1, ymm1, ymm15
vbroadcasti128 ymm12, xmmword ptr [rax +3920]
vpshufb ymm12, ymm12, ymm15
vpxor ymm14, ymm11, ymm14
vpaddb ymm2, ymm2, ymm5
vpaddb ymm7, ymm7, ymm5
vpsubb ymm5, ymm3, ymm5
vmovdqa ymm3, ymmword ptr [rcx -32]
vpand ymm11, ymm10, ymm3
vpsrlw ymm3, ymm3, 4
vbroadcasti128 ymm15, xmmword ptr [rdx -16]
vpshufb ymm15, ymm15, ymm13
vbroadcasti128 ymm13, xmmword ptr [rax +1936]
vpshufb ymm13, ymm13, ymm9
vpxor ymm1, ymm8, ymm1
vpxor ymm12, ymm12, ymm6
vmovdqa ymmword ptr [rdi -32], ymm14
vpaddb ymm14, ymm2, ymmword ptr [r9 -96]
vpaddb ymm6, ymm7, ymmword ptr [r9 -96]
vbroadcasti128 ymm8, xmmword ptr [rax +2976]
vpshufb ymm8, ymm8, ymm5
vpand ymm3, ymm10, ymm3
vbroadcasti128 ymm5, xmmword ptr [rax +512]
vpshufb ymm5, ymm5, ymm11
vbroadcasti128 ymm9, xmmword ptr [rax +576]
vpshufb ymm9, ymm9, ymm11
vpxor ymm15, ymm15, ymm0
vbroadcasti128 ymm0, xmmword ptr [r9 +32]
vpshufb ymm0, ymm0, ymm12
vbroadcasti128 ymm12, xmmword ptr [r9 +64]
vpshufb ymm12, ymm12, ymm1
vbroadcasti128 ymm11, xmmword ptr [r9 +96]
vpshufb ymm11, ymm11, ymm1
vpminub ymm2, ymm14, ymm2
vpminub ymm7, ymm6, ymm7
vbroadcasti128 ymm6, xmmword ptr [rax +528]
vpshufb ymm6, ymm6, ymm3
vbroadcasti128 ymm14, xmmword ptr [rax +592]
vpshufb ymm14, ymm14, ymm3
vpxor ymm13, ymm15, ymm13
vpaddb ymm12, ymm12, ymm0
vpaddb ymm11, ymm11, ymm0
vpsubb ymm0, ymm1, ymm0
vmovdqa ymm1, ymmword ptr [rcx +96]
vpand ymm15, ymm10, ymm1
vpsrlw ymm1, ymm1, 4
vbroadcasti128 ymm3, xmmword ptr [rdx +48]
vpshufb ymm3, ymm3, ymm2
vbroadcasti128 ymm2, xmmword ptr [rax +2960]
vpshufb ymm2, ymm2, ymm7
vpxor ymm6, ymm5, ymm6
vpxor ymm14, ymm9, ymm14
vmovdqa ymmword ptr [rdi +96], ymm13
vpaddb ymm13, ymm12, ymmword ptr [r9 -96]
vpaddb ymm9, ymm11, ymmword ptr [r9 -96]
vbroadcasti128 ymm5, xmmword ptr [rax +4000]
vpshufb ymm5, ymm5, ymm0
vpand ymm1, ymm10, ymm1
vbroadcasti128 ymm0, xmmword ptr [rax +1536]
vpshufb ymm0, ymm0, ymm15
vbroadcasti128 ymm7, xmmword ptr [rax +1600]
vpshufb ymm7, ymm7, ymm15
vpxor ymm3, ymm8, ymm3
vbroadcasti128 ymm8, xmmword ptr [r9 +32]
vpshufb ymm8, ymm8, ymm14
vbroadcasti128 ymm14, xmmword ptr [r9 +64]
vpshufb ymm14, ymm14, ymm6
vbroadcasti128 ymm15, xmmword ptr [r9 +96]
vpshufb ymm15, ymm15, ymm6
vpminub ymm12, ymm13, ymm12
vpminub ymm11, ymm9, ymm11
vbroadcasti128 ymm9, xmmword ptr [rax +1552]
vpshufb ymm9, ymm9, ymm1
vbroadcasti128 ymm13, xmmword ptr [rax +1616]
vpshufb ymm13, ymm13, ymm1
vpxor ymm2, ymm3, ymm2
vpaddb ymm14, ymm14, ymm8
vpaddb ymm15, ymm15, ymm8
vpsubb ymm8, ymm6, ymm8
vmovdqa ymm6, ymmword ptr [rsi -64]
vpand ymm3, ymm10, ymm6
vpsrlw ymm6, ymm6, 4
vbroadcasti128 ymm1, xmmword ptr [rdx +112]
vpshufb ymm1, ymm1, ymm12
vbroadcasti128 ymm12, xmmword ptr [rax +3984]
vpshufb ymm12, ymm12, ymm11
vpxor ymm9, ymm9, ymm0
vpxor ymm13, ymm13, ymm7
vmovdqa ymmword ptr [rdi +224], ymm2
vpaddb ymm2, ymm14, ymmword ptr [r9 -96]
vpaddb ymm7, ymm15, ymmword ptr [r9 -96]
vbroadcasti128 ymm0, xmmword ptr [rax +672]
vpshufb ymm0, ymm0, ymm8
vpand ymm6, ymm10, ymm6
vbroadcasti128 ymm8, xmmword ptr [rax +2560]
vpshufb ymm8, ymm8, ymm3
vbroadcasti128 ymm11, xmmword ptr [rax +2624]
vpshufb ymm11, ymm11, ymm3
vpxor ymm1, ymm5, ymm1
vbroadcasti128 ymm5, xmmword ptr [r9 +32]
vpshufb ymm5, ymm5, ymm13
vbroadcasti128 ymm13, xmmword ptr [r9 +64]
vpshufb ymm13, ymm13, ymm9
vbroadcasti128 ymm3, xmmword ptr [r9 +96]
vpshufb ymm3, ymm3, ymm9
vpminub ymm14, ymm14, ymm2
vpminub ymm15, ymm15, ymm7
vbroadcasti128 ymm7, xmmword ptr [rax +2576]
vpshufb ymm7, ymm7, ymm6
vbroadcasti128 ymm2, xmmword ptr [rax +2640]
vpshufb ymm2, ymm2, ymm6
vpxor ymm12, ymm12, ymm1
vpaddb ymm13, ymm13, ymm5
vpaddb ymm3, ymm3, ymm5
vpsubb ymm5, ymm9, ymm5
vmovdqa ymm9, ymmword ptr [rsi +32]
vpand ymm1, ymm9, ymm10
vpsrlw ymm9, ymm9, 4
vbroadcasti128 ymm6, xmmword ptr [rdx -96]
vpshufb ymm6, ymm6, ymm14
vbroadcasti128 ymm14, xmmword ptr [rax +656]
vpshufb ymm14, ymm14, ymm15
vpxor ymm7, ymm8, ymm7
vpxor ymm2, ymm11, ymm2
vmovdqa ymmword ptr [rdi +352], ymm12
vpaddb ymm12, ymm13, ymmword ptr [r9 -96]
vpaddb ymm11, ymm3, ymmword ptr [r9 -96]
vbroadcasti128 ymm8, xmmword ptr [rax +1696]
vpshufb ymm8, ymm8, ymm5
vpand ymm9, ymm9, ymm10
vbroadcasti128 ymm5, xmmword ptr [rax +3584]
vpshufb ymm5, ymm5, ymm1
vbroadcasti128 ymm15, xmmword ptr [rax +3648]
vpshufb ymm15, ymm15, ymm1
vpxor ymm6, ymm0, ymm6
vbroadcasti128 ymm0, xmmword ptr [r9 +32]
vpshufb ymm0, ymm0, ymm2
vbroadcasti128 ymm2, xmmword ptr [r9 +64]
vpshufb ymm2, ymm2, ymm7
vbroadcasti128 ymm1, xmmword ptr [r9 +96]
vpshufb ymm1, ymm1, ymm7
vpminub ymm13, ymm12, ymm13
vpminub ymm3, ymm11, ymm3
vbroadcasti128 ymm11, xmmword ptr [rax +3600]
vpshufb ymm11, ymm11, ymm9
vbroadcasti128 ymm12, xmmword ptr [rax +3664]
vpshufb ymm12, ymm12, ymm9
vpxor ymm14, ymm14, ymm6
vpaddb ymm2, ymm2, ymm0
vpaddb ymm1, ymm1, ymm0
vpsubb ymm0, ymm7, ymm0
vpand ymm7, ymm10, ymm4
vpsrlw ymm4, ymm4, 4
vbroadcasti128 ymm6, xmmword ptr [rdx -32]
vpshufb ymm6, ymm6, ymm13
vbroadcasti128 ymm13, xmmword ptr [rax +1680]
vpshufb ymm13, ymm13, ymm3
vpxor ymm11, ymm11, ymm5
vpxor ymm12, ymm15, ymm12
vmovdqa ymmword ptr [rdi -64], ymm14
vpaddb ymm14, ymm2, ymmword ptr [r9 -96]
vpaddb ymm15, ymm1, ymmword ptr [r9 -96]
vbroadcasti128 ymm5, xmmword ptr [rax +2720]
vpshufb ymm5, ymm5, ymm0
vpand ymm4, ymm10, ymm4
vbroadcasti128 ymm0, xmmword ptr [rax +0]
vpshufb ymm0, ymm0, ymm7
vbroadcasti128 ymm3, xmmword ptr [rax +64]
vpshufb ymm3, ymm3, ymm7
vpxor ymm6, ymm8, ymm6
vbroadcasti128 ymm8, xmmword ptr [r9 +32]
vpshufb ymm8, ymm8, ymm12
vbroadcasti128 ymm12, xmmword ptr [r9 +64]
vpshufb ymm12, ymm12, ymm11
vbroadcasti128 ymm7, xmmword ptr [r9 +96]
vpshufb ymm7, ymm7, ymm11
vpminub ymm2, ymm14, ymm2
vpminub ymm1, ymm15, ymm1
vbroadcasti128 ymm15, xmmword ptr [rax +16]
vpshufb ymm15, ymm15, ymm4
vbroadcasti128 ymm14, xmmword ptr [rax +80]
vpshufb ymm14, ymm14, ymm4
vpxor ymm13, ymm13, ymm6
vpaddb ymm12, ymm12, ymm8
vpaddb ymm7, ymm8, ymm7
vpsubb ymm8, ymm11, ymm8
vmovdqa ymm11, ymmword ptr [rcx -128]
vpand ymm6, ymm11, ymm10
vpsrlw ymm11, ymm11, 4
vbroadcasti128 ymm4, xmmword ptr [rdx +32]
vpshufb ymm4, ymm4, ymm2
vbroadcasti128 ymm2, xmmword ptr [rax +2704]
vpshufb ymm2, ymm2, ymm1
vpxor ymm15, ymm15, ymm0
vpxor ymm14, ymm14, ymm3
vmovdqa ymmword ptr [rdi +64], ymm13
vpaddb ymm13, ymm12, ymmword ptr [r9 -96]
vpaddb ymm3, ymm7, ymmword ptr [r9 -96]
vbroadcasti128 ymm0, xmmword ptr [rax +3744]
vpshufb ymm0, ymm0, ymm8
vpand ymm11, ymm11, ymm10
vbroadcasti128 ymm8, xmmword ptr [rax +1024]
vpshufb ymm8, ymm8, ymm6
vbroadcasti128 ymm1, xmmword ptr [rax +1088]
vpshufb ymm1, ymm1, ymm6
vpxor ymm4, ymm5, ymm4
vbroadcasti128 ymm5, xmmword ptr [r9 +32]
vpshufb ymm5, ymm5, ymm14
vbroadcasti128 ymm14, xmmword ptr [r9 +64]
vpshufb ymm14, ymm14, ymm15
vbroadcasti128 ymm6, xmmword ptr [r9 +96]
vpshufb ymm6, ymm6, ymm15
vpminub ymm12, ymm13, ymm12
vpminub ymm7, ymm3, ymm7
vbroadcasti128 ymm3, xmmword ptr [rax +1040]
vpshufb ymm3, ymm3, ymm11
vbroadcasti128 ymm13, xmmword ptr [rax +1104]
vpshufb ymm13, ymm13, ymm11
vpxor ymm2, ymm4, ymm2
vpaddb ymm14, ymm14, ymm5
vpaddb ymm6, ymm6, ymm5
vpsubb ymm5, ymm15, ymm5
vmovdqa ymm15, ymmword ptr [rcx -96]
vpand ymm4, ymm15, ymm10
vpsrlw ymm15, ymm15, 4
vbroadcasti128 ymm11, xmmword ptr [rdx +96]
vpshufb ymm11, ymm11, ymm12
vbroadcasti128 ymm12, xmmword ptr [rax +3728]
vpshufb ymm12, ymm12, ymm7
vpxor ymm3, ymm8, ymm3
vpxor ymm13, ymm13, ymm1
vmovdqa ymmword ptr [rdi +192], ymm2
vpaddb ymm2, ymm14, ymmword ptr [r9 -96]
vpaddb ymm1, ymm6, ymmword ptr [r9 -96]
vbroadcasti128 ymm8, xmmword ptr [rax +160]
vpshufb ymm8, ymm8, ymm5
vpand ymm15, ymm15, ymm10
vbroadcasti128 ymm5, xmmword ptr [rax +2048]
vpshufb ymm5, ymm5, ymm4
vbroadcasti128 ymm7, xmmword ptr [rax +2112]
vpshufb ymm7, ymm7, ymm4
vpxor ymm11, ymm11, ymm0
vbroadcasti128 ymm0, xmmword ptr [r9 +32]
vpshufb ymm0, ymm0, ymm13
vbroadcasti128 ymm13, xmmword ptr [r9 +64]
vpshufb ymm13, ymm13, ymm3
vbroadcasti128 ymm4, xmmword ptr [r9 +96]
vpshufb ymm4, ymm4, ymm3
vpminub ymm14, ymm14, ymm2
vpminub ymm6, ymm1, ymm6
vbroadcasti128 ymm1, xmmword ptr [rax +2064]
vpshufb ymm1, ymm1, ymm15
vbroadcasti128 ymm2, xmmword ptr [rax +2128]
vpshufb ymm2, ymm2, ymm15
vpxor ymm12, ymm11, ymm12
vpaddb ymm13, ymm13, ymm0
vpaddb ymm4, ymm4, ymm0
vpsubb ymm0, ymm3, ymm0
vmovdqa ymm3, ymmword ptr [rcx +0]
vpand ymm11, ymm10, ymm3
vpsrlw ymm3, ymm3, 4
vbroadcasti128 ymm15, xmmword ptr [rdx -128]
vpshufb ymm15, ymm15, ymm14
vbroadcasti128 ymm14, xmmword ptr [rax +144]
vpshufb ymm14, ymm14, ymm6
vpxor ymm1, ymm5, ymm1
vpxor ymm2, ymm7, ymm2
vmovdqa ymmword ptr [rdi +320], ymm12
vpaddb ymm12, ymm13, ymmword ptr [r9 -96]
vpaddb ymm7, ymm4, ymmword ptr [r9 -96]
vbroadcasti128 ymm5, xmmword ptr [rax +1184]
vpshufb ymm5, ymm5, ymm0
vpand ymm3, ymm10, ymm3
vbroadcasti128 ymm0, xmmword ptr [rax +3072]
vpshufb ymm0, ymm0, ymm11
vbroadcasti128 ymm6, xmmword ptr [rax +3136]
vpshufb ymm6, ymm6, ymm11
vpxor ymm15, ymm8, ymm15
vbroadcasti128 ymm8, xmmword ptr [r9 +32]
vpshufb ymm8, ymm8, ymm2
vbroadcasti128 ymm2, xmmword ptr [r9 +64]
vpshufb ymm2, ymm2, ymm1
vbroadcasti128 ymm11, xmmword ptr [r9 +96]
vpshufb ymm11, ymm11, ymm1
vpminub ymm13, ymm12, ymm13
vpminub ymm4, ymm7, ymm4
vbroadcasti128 ymm7, xmmword ptr [rax +3088]
vpshufb ymm7, ymm7, ymm3
vbroadcasti128 ymm12, xmmword ptr [rax +3152]
vpshufb ymm12, ymm12, ymm3
vpxor ymm14, ymm15, ymm14
vpaddb ymm2, ymm8, ymm2
vpaddb ymm11, ymm11, ymm8
vpsubb ymm8, ymm1, ymm8
vmovdqa ymm1, ymmword ptr [rcx +32]
vpand ymm15, ymm10, ymm1
vpsrlw ymm1, ymm1, 4
vbroadcasti128 ymm3, xmmword ptr [rdx -64]
vpshufb ymm3, ymm3, ymm13
vbroadcasti128 ymm13, xmmword ptr [rax +1168]
vpshufb ymm13, ymm13, ymm4
vpxor ymm7, ymm0, ymm7
vpxor ymm12, ymm12, ymm6
vmovdqa ymmword ptr [rdi -128], ymm14
vpaddb ymm14, ymm2, ymmword ptr [r9 -96]
vpaddb ymm6, ymm11, ymmword ptr [r9 -96]
vbroadcasti128 ymm0, xmmword ptr [rax +2208]
vpshufb ymm0, ymm0, ymm8
vpand ymm1, ymm10, ymm1
vbroadcasti128 ymm8, xmmword ptr [rax +256]
vpshufb ymm8, ymm8, ymm15
vbroadcasti128 ymm4, xmmword ptr [rax +320]
vpshufb ymm4, ymm4, ymm15
vpxor ymm3, ymm5, ymm3
vbroadcasti128 ymm5, xmmword ptr [r9 +32]
vpshufb ymm5, ymm5, ymm12
vbroadcasti128 ymm12, xmmword ptr [r9 +64]
vpshufb ymm12, ymm12, ymm7
vbroadcasti128 ymm15, xmmword ptr [r9 +96]
vpshufb ymm15, ymm15, ymm7
vpminub ymm2, ymm14, ymm2
vpminub ymm11, ymm11, ymm6
vbroadcasti128 ymm6, xmmword ptr [rax +272]
vpshufb ymm6, ymm6, ymm1
vbroadcasti128 ymm14, xmmword ptr [rax +336]
vpshufb ymm14, ymm14, ymm1
vpxor ymm13, ymm13, ymm3
vpaddb ymm12, ymm12, ymm5
vpaddb ymm15, ymm15, ymm5
vpsubb ymm5, ymm7, ymm5
vmovdqa ymm7, ymmword ptr [rcx +64]
vpand ymm3, ymm10, ymm7
vpsrlw ymm7, ymm7, 4
vbroadcasti128 ymm1, xmmword ptr [rdx +0]
vpshufb ymm1, ymm1, ymm2
vbroadcasti128 ymm2, xmmword ptr [rax +2192]
vpshufb ymm2, ymm2, ymm11
vpxor ymm6, ymm8, ymm6
vpxor ymm14, ymm14, ymm4
vmovdqa ymmword ptr [rdi +0], ymm13
vpaddb ymm13, ymm12, ymmword ptr [r9 -96]
vpaddb ymm4, ymm15, ymmword ptr [r9 -96]
vbroadcasti128 ymm8, xmmword ptr [rax +3232]
vpshufb ymm8, ymm8, ymm5
vpand ymm7, ymm10, ymm7
vbroadcasti128 ymm5, xmmword ptr [rax +1280]
vpshufb ymm5, ymm5, ymm3
vbroadcasti128 ymm11, xmmword ptr [rax +1344]
vpshufb ymm11, ymm11, ymm3
vpxor ymm1, ymm0, ymm1
vbroadcasti128 ymm0, xmmword ptr [r9 +32]
vpshufb ymm0, ymm0, ymm14
vbroadcasti128 ymm14, xmmword ptr [r9 +64]
vpshufb ymm14, ymm14, ymm6
vbroadcasti128 ymm3, xmmword ptr [r9 +96]
vpshufb ymm3, ymm3, ymm6
vpminub ymm12, ymm13, ymm12
vpminub ymm15, ymm15, ymm4
vbroadcasti128 ymm4, xmmword ptr [rax +1296]
vpshufb ymm4, ymm4, ymm7
vbroadcasti128 ymm13, xmmword ptr [rax +1360]
vpshufb ymm13, ymm13, ymm7
vpxor ymm2, ymm1, ymm2
vpaddb ymm14, ymm14, ymm0
vpaddb ymm3, ymm3, ymm0
vpsubb ymm0, ymm6, ymm0
vmovdqa ymm6, ymmword ptr [rsi -128]
vpand ymm1, ymm10, ymm6
vpsrlw ymm6, ymm6, 4
vbroadcasti128 ymm7, xmmword ptr [rdx +64]
vpshufb ymm7, ymm7, ymm12
vbroadcasti128 ymm12, xmmword ptr [rax +3216]
vpshufb ymm12, ymm12, ymm15
vpxor ymm4, ymm5, ymm4
vpxor ymm13, ymm11, ymm13
vmovdqa ymmword ptr [rdi +128], ymm2
vpaddb ymm2, ymm14, ymmword ptr [r9 -96]
vpaddb ymm11, ymm3, ymmword ptr [r9 -96]
vbroadcasti128 ymm5, xmmword ptr [rax +416]
vpshufb ymm5, ymm5, ymm0
vpand ymm6, ymm10, ymm6
vbroadcasti128 ymm0, xmmword ptr [rax +2304]
vpshufb ymm0, ymm0, ymm1
vbroadcasti128 ymm15, xmmword ptr [rax +2368]
vpshufb ymm15, ymm15, ymm1
vpxor ymm7, ymm8, ymm7
vbroadcasti128 ymm8, xmmword ptr [r9 +32]
vpshufb ymm8, ymm8, ymm13
vbroadcasti128 ymm13, xmmword ptr [r9 +64]
vpshufb ymm13, ymm13, ymm4
vbroadcasti128 ymm1, xmmword ptr [r9 +96]
vpshufb ymm1, ymm1, ymm4
vpminub ymm14, ymm14, ymm2
vpminub ymm3, ymm11, ymm3
vbroadcasti128 ymm11, xmmword ptr [rax +2320]
vpshufb ymm11, ymm11, ymm6
vbroadcasti128 ymm2, xmmword ptr [rax +2384]
vpshufb ymm2, ymm2, ymm6
vpxor ymm12, ymm12, ymm7
vpaddb ymm13, ymm13, ymm8
vpaddb ymm1, ymm8, ymm1
vpsubb ymm8, ymm4, ymm8
vmovdqa ymm4, ymmword ptr [rsi -96]
vpand ymm7, ymm10, ymm4
vpsrlw ymm4, ymm4, 4
vbroadcasti128 ymm6, xmmword ptr [rdx -112]
vpshufb ymm6, ymm6, ymm14
vbroadcasti128 ymm14, xmmword ptr [rax +400]
vpshufb ymm14, ymm14, ymm3
vpxor ymm11, ymm11, ymm0
vpxor ymm2, ymm15, ymm2
vmovdqa ymmword ptr [rdi +256], ymm12
vpaddb ymm12, ymm13, ymmword ptr [r9 -96]
vpaddb ymm15, ymm1, ymmword ptr [r9 -96]
vbroadcasti128 ymm0, xmmword ptr [rax +1440]
vpshufb ymm0, ymm0, ymm8
vpand ymm10, ymm10, ymm4
vbroadcasti128 ymm4, xmmword ptr [rax +3328]
vpshufb ymm4, ymm4, ymm7
vbroadcasti128 ymm8, xmmword ptr [rax +3392]
vpshufb ymm8, ymm8, ymm7
vpxor ymm6, ymm5, ymm6
vbroadcasti128 ymm5, xmmword ptr [r9 +32]
vpshufb ymm5, ymm5, ymm2
vbroadcasti128 ymm2, xmmword ptr [r9 +64]
vpshufb ymm2, ymm2, ymm11
vbroadcasti128 ymm7, xmmword ptr [r9 +96]
vpshufb ymm7, ymm7, ymm11
vpminub ymm13, ymm12, ymm13
vpminub ymm1, ymm15, ymm1
vbroadcasti128 ymm15, xmmword ptr [rax +3344]
vpshufb ymm15, ymm15, ymm10
vbroadcasti128 ymm12, xmmword ptr [rax +3408]
vpshufb ymm12, ymm12, ymm10
vpxor ymm14, ymm14, ymm6
vpaddb ymm2, ymm2, ymm5
vpaddb ymm7, ymm7, ymm5
vpsubb ymm5, ymm11, ymm5
vbroadcasti128 ymm11, xmmword ptr [rdx -48]
vpshufb ymm11, ymm11, ymm13
vbroadcasti128 ymm13, xmmword ptr [rax +1424]
vpshufb ymm13, ymm13, ymm1
vpxor ymm15, ymm15, ymm4
vpxor ymm12, ymm8, ymm12
vmovdqa ymmword ptr [rdi -96], ymm14
vpaddb ymm14, ymm2, ymmword ptr [r9 -96]
vpaddb ymm8, ymm7, ymmword ptr [r9 -96]
vbroadcasti128 ymm4, xmmword ptr [rax +2464]
vpshufb ymm4, ymm4, ymm5
vpxor ymm11, ymm11, ymm0
vbroadcasti128 ymm0, xmmword ptr [r9 +32]
vpshufb ymm0, ymm0, ymm12
vbroadcasti128 ymm12, xmmword ptr [r9 +64]
vpshufb ymm12, ymm12, ymm15
vbroadcasti128 ymm5, xmmword ptr [r9 +96]
vpshufb ymm5, ymm5, ymm15
vpminub ymm2, ymm14, ymm2
vpminub ymm7, ymm8, ymm7
vpxor ymm13, ymm11, ymm13
vpaddb ymm12, ymm12, ymm0
vpaddb ymm5, ymm5, ymm0
vpsubb ymm0, ymm15, ymm0
vbroadcasti128 ymm15, xmmword ptr [rdx +16]
vpshufb ymm15, ymm15, ymm2
vbroadcasti128 ymm2, xmmword ptr [rax +2448]
vpshufb ymm2, ymm2, ymm7
vmovdqa ymmword ptr [rdi +32], ymm13
vpaddb ymm13, ymm12, ymmword ptr [r9 -96]
vpaddb ymm7, ymm5, ymmword ptr [r9 -96]
vbroadcasti128 ymm11, xmmword ptr [rax +3488]
vpshufb ymm11, ymm11, ymm0
vpxor ymm15, ymm15, ymm4
vpminub ymm12, ymm13, ymm12
vpminub ymm5, ymm7, ymm5
vpxor ymm2, ymm15, ymm2
vbroadcasti128 ymm15, xmmword ptr [rdx +80]
vpshufb ymm15, ymm15, ymm12
vbroadcasti128 ymm12, xmmword ptr [rax +3472]
vpshufb ymm12, ymm12, ymm5
vmovdqa ymmword ptr [rdi +160], ymm2
vpxor ymm15, ymm11, ymm15
vpxor ymm12, ymm15, ymm12
vmovdqa ymmword ptr [rdi +288], ymm12
add r10, 8
add rdx, 256
dec r11
jnz 2b
vzeroupper
