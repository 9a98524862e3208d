# Streebog, LPS of two states by nibbles, avx: xmm0 to xmm7, read and written.
#
# rdi        the tables, `Lps` of nibbles.rs
# r10        8 vectors of memory for what does not fit into registers; not in 256 bits
# changes    xmm8 to xmm15
# used by    core/src/streebog/lps/assembly.rs
# checked by cargo test -p bulat --lib streebog::round::nibbles, --test streebog_kernels (reference)
# written by cargo run -p asmgen; stands alone for as -msyntax=intel -mnaked-reg
vpand xmm8, xmm0, xmmword ptr [rdi + 2304]
vpsrlw xmm9, xmm0, 4
vpand xmm9, xmm9, xmmword ptr [rdi + 2304]
vmovdqa xmm10, xmmword ptr [rdi + 2048]
vpshufb xmm10, xmm10, xmm8
vmovdqa xmm8, xmmword ptr [rdi + 2112]
vpshufb xmm8, xmm8, xmm9
vpaddusb xmm0, xmm0, xmmword ptr [rdi + 2368]
vmovdqa xmm9, xmmword ptr [rdi + 2176]
vpshufb xmm9, xmm9, xmm0
vpaddb xmm9, xmm9, xmm10
vpsubusb xmm9, xmm9, xmm8
vpsubb xmm10, xmm10, xmmword ptr [rdi + 2304]
vpsubb xmm10, xmm10, xmm8
vpminub xmm9, xmm10, xmm9
vmovdqa xmm10, xmmword ptr [rdi + 2240]
vpshufb xmm10, xmm10, xmm9
vpaddb xmm8, xmm10, xmm8
vpsubb xmm10, xmm8, xmmword ptr [rdi + 2304]
vpminub xmm8, xmm10, xmm8
vpand xmm10, xmm1, xmmword ptr [rdi + 2304]
vpsrlw xmm0, xmm1, 4
vpand xmm0, xmm0, xmmword ptr [rdi + 2304]
vmovdqa xmm11, xmmword ptr [rdi + 2048]
vpshufb xmm11, xmm11, xmm10
vmovdqa xmm10, xmmword ptr [rdi + 2112]
vpshufb xmm10, xmm10, xmm0
vpaddusb xmm1, xmm1, xmmword ptr [rdi + 2368]
vmovdqa xmm0, xmmword ptr [rdi + 2176]
vpshufb xmm0, xmm0, xmm1
vpaddb xmm0, xmm0, xmm11
vpsubusb xmm0, xmm0, xmm10
vpsubb xmm11, xmm11, xmmword ptr [rdi + 2304]
vpsubb xmm11, xmm11, xmm10
vpminub xmm0, xmm11, xmm0
vmovdqa xmm11, xmmword ptr [rdi + 2240]
vpshufb xmm11, xmm11, xmm0
vpaddb xmm10, xmm11, xmm10
vpsubb xmm11, xmm10, xmmword ptr [rdi + 2304]
vpminub xmm10, xmm11, xmm10
vpand xmm11, xmm2, xmmword ptr [rdi + 2304]
vpsrlw xmm1, xmm2, 4
vpand xmm1, xmm1, xmmword ptr [rdi + 2304]
vmovdqa xmm12, xmmword ptr [rdi + 2048]
vpshufb xmm12, xmm12, xmm11
vmovdqa xmm11, xmmword ptr [rdi + 2112]
vpshufb xmm11, xmm11, xmm1
vpaddusb xmm2, xmm2, xmmword ptr [rdi + 2368]
vmovdqa xmm1, xmmword ptr [rdi + 2176]
vpshufb xmm1, xmm1, xmm2
vpaddb xmm1, xmm1, xmm12
vpsubusb xmm1, xmm1, xmm11
vpsubb xmm12, xmm12, xmmword ptr [rdi + 2304]
vpsubb xmm12, xmm12, xmm11
vpminub xmm1, xmm12, xmm1
vmovdqa xmm12, xmmword ptr [rdi + 2240]
vpshufb xmm12, xmm12, xmm1
vpaddb xmm11, xmm12, xmm11
vpsubb xmm12, xmm11, xmmword ptr [rdi + 2304]
vpminub xmm11, xmm12, xmm11
vpand xmm12, xmm3, xmmword ptr [rdi + 2304]
vpsrlw xmm2, xmm3, 4
vpand xmm2, xmm2, xmmword ptr [rdi + 2304]
vmovdqa xmm13, xmmword ptr [rdi + 2048]
vpshufb xmm13, xmm13, xmm12
vmovdqa xmm12, xmmword ptr [rdi + 2112]
vpshufb xmm12, xmm12, xmm2
vpaddusb xmm3, xmm3, xmmword ptr [rdi + 2368]
vmovdqa xmm2, xmmword ptr [rdi + 2176]
vpshufb xmm2, xmm2, xmm3
vpaddb xmm2, xmm2, xmm13
vpsubusb xmm2, xmm2, xmm12
vpsubb xmm13, xmm13, xmmword ptr [rdi + 2304]
vpsubb xmm13, xmm13, xmm12
vpminub xmm2, xmm13, xmm2
vmovdqa xmm13, xmmword ptr [rdi + 2240]
vpshufb xmm13, xmm13, xmm2
vpaddb xmm12, xmm13, xmm12
vpsubb xmm13, xmm12, xmmword ptr [rdi + 2304]
vpminub xmm12, xmm13, xmm12
vpand xmm13, xmm4, xmmword ptr [rdi + 2304]
vpsrlw xmm3, xmm4, 4
vpand xmm3, xmm3, xmmword ptr [rdi + 2304]
vmovdqa xmm14, xmmword ptr [rdi + 2048]
vpshufb xmm14, xmm14, xmm13
vmovdqa xmm13, xmmword ptr [rdi + 2112]
vpshufb xmm13, xmm13, xmm3
vpaddusb xmm4, xmm4, xmmword ptr [rdi + 2368]
vmovdqa xmm3, xmmword ptr [rdi + 2176]
vpshufb xmm3, xmm3, xmm4
vpaddb xmm3, xmm3, xmm14
vpsubusb xmm3, xmm3, xmm13
vpsubb xmm14, xmm14, xmmword ptr [rdi + 2304]
vpsubb xmm14, xmm14, xmm13
vpminub xmm3, xmm14, xmm3
vmovdqa xmm14, xmmword ptr [rdi + 2240]
vpshufb xmm14, xmm14, xmm3
vpaddb xmm13, xmm14, xmm13
vpsubb xmm14, xmm13, xmmword ptr [rdi + 2304]
vpminub xmm13, xmm14, xmm13
vpand xmm14, xmm5, xmmword ptr [rdi + 2304]
vpsrlw xmm4, xmm5, 4
vpand xmm4, xmm4, xmmword ptr [rdi + 2304]
vmovdqa xmm15, xmmword ptr [rdi + 2048]
vpshufb xmm15, xmm15, xmm14
vmovdqa xmm14, xmmword ptr [rdi + 2112]
vpshufb xmm14, xmm14, xmm4
vpaddusb xmm5, xmm5, xmmword ptr [rdi + 2368]
vmovdqa xmm4, xmmword ptr [rdi + 2176]
vpshufb xmm4, xmm4, xmm5
vpaddb xmm4, xmm4, xmm15
vpsubusb xmm4, xmm4, xmm14
vpsubb xmm15, xmm15, xmmword ptr [rdi + 2304]
vpsubb xmm15, xmm15, xmm14
vpminub xmm4, xmm15, xmm4
vmovdqa xmm15, xmmword ptr [rdi + 2240]
vpshufb xmm15, xmm15, xmm4
vpaddb xmm14, xmm15, xmm14
vpsubb xmm15, xmm14, xmmword ptr [rdi + 2304]
vpminub xmm14, xmm15, xmm14
vpand xmm15, xmm6, xmmword ptr [rdi + 2304]
vpsrlw xmm5, xmm6, 4
vpand xmm5, xmm5, xmmword ptr [rdi + 2304]
vmovdqa xmmword ptr [r10 + 0], xmm14
vmovdqa xmm14, xmmword ptr [rdi + 2048]
vpshufb xmm14, xmm14, xmm15
vmovdqa xmm15, xmmword ptr [rdi + 2112]
vpshufb xmm15, xmm15, xmm5
vpaddusb xmm6, xmm6, xmmword ptr [rdi + 2368]
vmovdqa xmm5, xmmword ptr [rdi + 2176]
vpshufb xmm5, xmm5, xmm6
vpaddb xmm5, xmm5, xmm14
vpsubusb xmm5, xmm5, xmm15
vpsubb xmm14, xmm14, xmmword ptr [rdi + 2304]
vpsubb xmm14, xmm14, xmm15
vpminub xmm5, xmm14, xmm5
vmovdqa xmm14, xmmword ptr [rdi + 2240]
vpshufb xmm14, xmm14, xmm5
vpaddb xmm15, xmm14, xmm15
vpsubb xmm14, xmm15, xmmword ptr [rdi + 2304]
vpminub xmm15, xmm14, xmm15
vpand xmm14, xmm7, xmmword ptr [rdi + 2304]
vpsrlw xmm6, xmm7, 4
vpand xmm6, xmm6, xmmword ptr [rdi + 2304]
vmovdqa xmmword ptr [r10 + 16], xmm15
vmovdqa xmm15, xmmword ptr [rdi + 2048]
vpshufb xmm15, xmm15, xmm14
vmovdqa xmm14, xmmword ptr [rdi + 2112]
vpshufb xmm14, xmm14, xmm6
vpaddusb xmm7, xmm7, xmmword ptr [rdi + 2368]
vmovdqa xmm6, xmmword ptr [rdi + 2176]
vpshufb xmm6, xmm6, xmm7
vpaddb xmm6, xmm6, xmm15
vpsubusb xmm6, xmm6, xmm14
vpsubb xmm15, xmm15, xmmword ptr [rdi + 2304]
vpsubb xmm15, xmm15, xmm14
vpminub xmm6, xmm15, xmm6
vmovdqa xmm15, xmmword ptr [rdi + 2240]
vpshufb xmm15, xmm15, xmm6
vpaddb xmm14, xmm15, xmm14
vpsubb xmm15, xmm14, xmmword ptr [rdi + 2304]
vpminub xmm14, xmm15, xmm14
vmovdqa xmm15, xmmword ptr [rdi + 0]
vpshufb xmm15, xmm15, xmm9
vmovdqa xmm7, xmmword ptr [rdi + 256]
vpshufb xmm7, xmm7, xmm9
vmovdqa xmmword ptr [r10 + 32], xmm14
vmovdqa xmm14, xmmword ptr [rdi + 512]
vpshufb xmm14, xmm14, xmm9
vmovdqa xmmword ptr [r10 + 48], xmm13
vmovdqa xmm13, xmmword ptr [rdi + 768]
vpshufb xmm13, xmm13, xmm9
vmovdqa xmmword ptr [r10 + 64], xmm12
vmovdqa xmm12, xmmword ptr [rdi + 1024]
vpshufb xmm12, xmm12, xmm9
vmovdqa xmmword ptr [r10 + 80], xmm11
vmovdqa xmm11, xmmword ptr [rdi + 1280]
vpshufb xmm11, xmm11, xmm9
vmovdqa xmmword ptr [r10 + 96], xmm10
vmovdqa xmm10, xmmword ptr [rdi + 1536]
vpshufb xmm10, xmm10, xmm9
vmovdqa xmmword ptr [r10 + 112], xmm8
vmovdqa xmm8, xmmword ptr [rdi + 1792]
vpshufb xmm8, xmm8, xmm9
vmovdqa xmm9, xmmword ptr [rdi + 32]
vpshufb xmm9, xmm9, xmm0
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 288]
vpshufb xmm15, xmm15, xmm0
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 544]
vpshufb xmm7, xmm7, xmm0
vpxor xmm7, xmm14, xmm7
vmovdqa xmm14, xmmword ptr [rdi + 800]
vpshufb xmm14, xmm14, xmm0
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 1056]
vpshufb xmm13, xmm13, xmm0
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 1312]
vpshufb xmm12, xmm12, xmm0
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 1568]
vpshufb xmm11, xmm11, xmm0
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 1824]
vpshufb xmm10, xmm10, xmm0
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 64]
vpshufb xmm8, xmm8, xmm1
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 320]
vpshufb xmm9, xmm9, xmm1
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 576]
vpshufb xmm15, xmm15, xmm1
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 832]
vpshufb xmm7, xmm7, xmm1
vpxor xmm7, xmm14, xmm7
vmovdqa xmm14, xmmword ptr [rdi + 1088]
vpshufb xmm14, xmm14, xmm1
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 1344]
vpshufb xmm13, xmm13, xmm1
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 1600]
vpshufb xmm12, xmm12, xmm1
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 1856]
vpshufb xmm11, xmm11, xmm1
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 96]
vpshufb xmm10, xmm10, xmm2
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 352]
vpshufb xmm8, xmm8, xmm2
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 608]
vpshufb xmm9, xmm9, xmm2
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 864]
vpshufb xmm15, xmm15, xmm2
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 1120]
vpshufb xmm7, xmm7, xmm2
vpxor xmm7, xmm14, xmm7
vmovdqa xmm14, xmmword ptr [rdi + 1376]
vpshufb xmm14, xmm14, xmm2
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 1632]
vpshufb xmm13, xmm13, xmm2
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 1888]
vpshufb xmm12, xmm12, xmm2
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 128]
vpshufb xmm11, xmm11, xmm3
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 384]
vpshufb xmm10, xmm10, xmm3
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 640]
vpshufb xmm8, xmm8, xmm3
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 896]
vpshufb xmm9, xmm9, xmm3
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 1152]
vpshufb xmm15, xmm15, xmm3
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 1408]
vpshufb xmm7, xmm7, xmm3
vpxor xmm7, xmm14, xmm7
vmovdqa xmm14, xmmword ptr [rdi + 1664]
vpshufb xmm14, xmm14, xmm3
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 1920]
vpshufb xmm13, xmm13, xmm3
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 160]
vpshufb xmm12, xmm12, xmm4
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 416]
vpshufb xmm11, xmm11, xmm4
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 672]
vpshufb xmm10, xmm10, xmm4
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 928]
vpshufb xmm8, xmm8, xmm4
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 1184]
vpshufb xmm9, xmm9, xmm4
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 1440]
vpshufb xmm15, xmm15, xmm4
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 1696]
vpshufb xmm7, xmm7, xmm4
vpxor xmm7, xmm14, xmm7
vmovdqa xmm14, xmmword ptr [rdi + 1952]
vpshufb xmm14, xmm14, xmm4
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 192]
vpshufb xmm13, xmm13, xmm5
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 448]
vpshufb xmm12, xmm12, xmm5
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 704]
vpshufb xmm11, xmm11, xmm5
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 960]
vpshufb xmm10, xmm10, xmm5
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 1216]
vpshufb xmm8, xmm8, xmm5
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 1472]
vpshufb xmm9, xmm9, xmm5
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 1728]
vpshufb xmm15, xmm15, xmm5
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 1984]
vpshufb xmm7, xmm7, xmm5
vpxor xmm7, xmm14, xmm7
vmovdqa xmm14, xmmword ptr [rdi + 224]
vpshufb xmm14, xmm14, xmm6
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 480]
vpshufb xmm13, xmm13, xmm6
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 736]
vpshufb xmm12, xmm12, xmm6
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 992]
vpshufb xmm11, xmm11, xmm6
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 1248]
vpshufb xmm10, xmm10, xmm6
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 1504]
vpshufb xmm8, xmm8, xmm6
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 1760]
vpshufb xmm9, xmm9, xmm6
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 2016]
vpshufb xmm15, xmm15, xmm6
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [r10 + 112]
vmovdqa xmm6, xmmword ptr [rdi + 16]
vpshufb xmm6, xmm6, xmm7
vpxor xmm6, xmm14, xmm6
vmovdqa xmm14, xmmword ptr [rdi + 272]
vpshufb xmm14, xmm14, xmm7
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 528]
vpshufb xmm13, xmm13, xmm7
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 784]
vpshufb xmm12, xmm12, xmm7
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 1040]
vpshufb xmm11, xmm11, xmm7
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 1296]
vpshufb xmm10, xmm10, xmm7
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 1552]
vpshufb xmm8, xmm8, xmm7
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 1808]
vpshufb xmm9, xmm9, xmm7
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [r10 + 96]
vmovdqa xmm7, xmmword ptr [rdi + 48]
vpshufb xmm7, xmm7, xmm15
vpxor xmm7, xmm6, xmm7
vmovdqa xmm6, xmmword ptr [rdi + 304]
vpshufb xmm6, xmm6, xmm15
vpxor xmm6, xmm14, xmm6
vmovdqa xmm14, xmmword ptr [rdi + 560]
vpshufb xmm14, xmm14, xmm15
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 816]
vpshufb xmm13, xmm13, xmm15
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 1072]
vpshufb xmm12, xmm12, xmm15
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 1328]
vpshufb xmm11, xmm11, xmm15
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 1584]
vpshufb xmm10, xmm10, xmm15
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 1840]
vpshufb xmm8, xmm8, xmm15
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [r10 + 80]
vmovdqa xmm15, xmmword ptr [rdi + 80]
vpshufb xmm15, xmm15, xmm9
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 336]
vpshufb xmm7, xmm7, xmm9
vpxor xmm7, xmm6, xmm7
vmovdqa xmm6, xmmword ptr [rdi + 592]
vpshufb xmm6, xmm6, xmm9
vpxor xmm6, xmm14, xmm6
vmovdqa xmm14, xmmword ptr [rdi + 848]
vpshufb xmm14, xmm14, xmm9
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 1104]
vpshufb xmm13, xmm13, xmm9
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 1360]
vpshufb xmm12, xmm12, xmm9
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 1616]
vpshufb xmm11, xmm11, xmm9
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 1872]
vpshufb xmm10, xmm10, xmm9
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [r10 + 64]
vmovdqa xmm9, xmmword ptr [rdi + 112]
vpshufb xmm9, xmm9, xmm8
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 368]
vpshufb xmm15, xmm15, xmm8
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 624]
vpshufb xmm7, xmm7, xmm8
vpxor xmm7, xmm6, xmm7
vmovdqa xmm6, xmmword ptr [rdi + 880]
vpshufb xmm6, xmm6, xmm8
vpxor xmm6, xmm14, xmm6
vmovdqa xmm14, xmmword ptr [rdi + 1136]
vpshufb xmm14, xmm14, xmm8
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 1392]
vpshufb xmm13, xmm13, xmm8
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 1648]
vpshufb xmm12, xmm12, xmm8
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 1904]
vpshufb xmm11, xmm11, xmm8
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [r10 + 48]
vmovdqa xmm8, xmmword ptr [rdi + 144]
vpshufb xmm8, xmm8, xmm10
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 400]
vpshufb xmm9, xmm9, xmm10
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 656]
vpshufb xmm15, xmm15, xmm10
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 912]
vpshufb xmm7, xmm7, xmm10
vpxor xmm7, xmm6, xmm7
vmovdqa xmm6, xmmword ptr [rdi + 1168]
vpshufb xmm6, xmm6, xmm10
vpxor xmm6, xmm14, xmm6
vmovdqa xmm14, xmmword ptr [rdi + 1424]
vpshufb xmm14, xmm14, xmm10
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 1680]
vpshufb xmm13, xmm13, xmm10
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [rdi + 1936]
vpshufb xmm12, xmm12, xmm10
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [r10 + 0]
vmovdqa xmm10, xmmword ptr [rdi + 176]
vpshufb xmm10, xmm10, xmm11
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 432]
vpshufb xmm8, xmm8, xmm11
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 688]
vpshufb xmm9, xmm9, xmm11
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 944]
vpshufb xmm15, xmm15, xmm11
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 1200]
vpshufb xmm7, xmm7, xmm11
vpxor xmm7, xmm6, xmm7
vmovdqa xmm6, xmmword ptr [rdi + 1456]
vpshufb xmm6, xmm6, xmm11
vpxor xmm6, xmm14, xmm6
vmovdqa xmm14, xmmword ptr [rdi + 1712]
vpshufb xmm14, xmm14, xmm11
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [rdi + 1968]
vpshufb xmm13, xmm13, xmm11
vpxor xmm13, xmm12, xmm13
vmovdqa xmm12, xmmword ptr [r10 + 16]
vmovdqa xmm11, xmmword ptr [rdi + 208]
vpshufb xmm11, xmm11, xmm12
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 464]
vpshufb xmm10, xmm10, xmm12
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 720]
vpshufb xmm8, xmm8, xmm12
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 976]
vpshufb xmm9, xmm9, xmm12
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 1232]
vpshufb xmm15, xmm15, xmm12
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 1488]
vpshufb xmm7, xmm7, xmm12
vpxor xmm7, xmm6, xmm7
vmovdqa xmm6, xmmword ptr [rdi + 1744]
vpshufb xmm6, xmm6, xmm12
vpxor xmm6, xmm14, xmm6
vmovdqa xmm14, xmmword ptr [rdi + 2000]
vpshufb xmm14, xmm14, xmm12
vpxor xmm14, xmm13, xmm14
vmovdqa xmm13, xmmword ptr [r10 + 32]
vmovdqa xmm12, xmmword ptr [rdi + 240]
vpshufb xmm12, xmm12, xmm13
vpxor xmm12, xmm11, xmm12
vmovdqa xmm11, xmmword ptr [rdi + 496]
vpshufb xmm11, xmm11, xmm13
vpxor xmm11, xmm10, xmm11
vmovdqa xmm10, xmmword ptr [rdi + 752]
vpshufb xmm10, xmm10, xmm13
vpxor xmm10, xmm8, xmm10
vmovdqa xmm8, xmmword ptr [rdi + 1008]
vpshufb xmm8, xmm8, xmm13
vpxor xmm8, xmm9, xmm8
vmovdqa xmm9, xmmword ptr [rdi + 1264]
vpshufb xmm9, xmm9, xmm13
vpxor xmm9, xmm15, xmm9
vmovdqa xmm15, xmmword ptr [rdi + 1520]
vpshufb xmm15, xmm15, xmm13
vpxor xmm15, xmm7, xmm15
vmovdqa xmm7, xmmword ptr [rdi + 1776]
vpshufb xmm7, xmm7, xmm13
vpxor xmm7, xmm6, xmm7
vmovdqa xmm6, xmmword ptr [rdi + 2032]
vpshufb xmm6, xmm6, xmm13
vpxor xmm6, xmm14, xmm6
vpunpcklwd xmm14, xmm12, xmm9
vpunpckhwd xmm9, xmm12, xmm9
vpunpcklwd xmm12, xmm11, xmm15
vpunpckhwd xmm15, xmm11, xmm15
vpunpcklwd xmm11, xmm10, xmm7
vpunpckhwd xmm7, xmm10, xmm7
vpunpcklwd xmm10, xmm8, xmm6
vpunpckhwd xmm6, xmm8, xmm6
vpunpcklwd xmm8, xmm14, xmm11
vpunpckhwd xmm11, xmm14, xmm11
vpunpcklwd xmm14, xmm12, xmm10
vpunpckhwd xmm10, xmm12, xmm10
vpunpcklwd xmm12, xmm9, xmm7
vpunpckhwd xmm7, xmm9, xmm7
vpunpcklwd xmm9, xmm15, xmm6
vpunpckhwd xmm6, xmm15, xmm6
vpunpcklwd xmm15, xmm8, xmm14
vpunpckhwd xmm14, xmm8, xmm14
vpunpcklwd xmm8, xmm11, xmm10
vpunpckhwd xmm10, xmm11, xmm10
vpunpcklwd xmm11, xmm12, xmm9
vpunpckhwd xmm9, xmm12, xmm9
vpunpcklwd xmm12, xmm7, xmm6
vpunpckhwd xmm6, xmm7, xmm6
vmovdqa xmm0, xmm15
vmovdqa xmm1, xmm14
vmovdqa xmm2, xmm8
vmovdqa xmm3, xmm10
vmovdqa xmm4, xmm11
vmovdqa xmm5, xmm9
vmovdqa xmm9, xmm6
vmovdqa xmm6, xmm12
vmovdqa xmm7, xmm9
