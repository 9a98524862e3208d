# Streebog, LPS of two states by nibbles, ssse3: xmm0 to xmm7, read and written.
#
# rdi        the tables, `Lps` of nibbles.rs
# r10        8 vectors of memory for what does not fit into registers; not in 256 bits
# changes    xmm8 to xmm15
# used by    core/src/streebog/lps/assembly.rs
# checked by cargo test -p bulat --lib streebog::round::nibbles, --test streebog_kernels (reference)
# written by cargo run -p asmgen; stands alone for as -msyntax=intel -mnaked-reg
movdqa xmm8, xmm0
pand xmm8, xmmword ptr [rdi + 2304]
movdqa xmm9, xmm0
psrlw xmm9, 4
pand xmm9, xmmword ptr [rdi + 2304]
movdqa xmm10, xmmword ptr [rdi + 2048]
pshufb xmm10, xmm8
movdqa xmm8, xmmword ptr [rdi + 2112]
pshufb xmm8, xmm9
paddusb xmm0, xmmword ptr [rdi + 2368]
movdqa xmm9, xmmword ptr [rdi + 2176]
pshufb xmm9, xmm0
paddb xmm9, xmm10
psubusb xmm9, xmm8
psubb xmm10, xmmword ptr [rdi + 2304]
psubb xmm10, xmm8
pminub xmm10, xmm9
movdqa xmm9, xmmword ptr [rdi + 2240]
pshufb xmm9, xmm10
paddb xmm9, xmm8
movdqa xmm8, xmm9
psubb xmm8, xmmword ptr [rdi + 2304]
pminub xmm8, xmm9
movdqa xmm9, xmm1
pand xmm9, xmmword ptr [rdi + 2304]
movdqa xmm0, xmm1
psrlw xmm0, 4
pand xmm0, xmmword ptr [rdi + 2304]
movdqa xmm11, xmmword ptr [rdi + 2048]
pshufb xmm11, xmm9
movdqa xmm9, xmmword ptr [rdi + 2112]
pshufb xmm9, xmm0
paddusb xmm1, xmmword ptr [rdi + 2368]
movdqa xmm0, xmmword ptr [rdi + 2176]
pshufb xmm0, xmm1
paddb xmm0, xmm11
psubusb xmm0, xmm9
psubb xmm11, xmmword ptr [rdi + 2304]
psubb xmm11, xmm9
pminub xmm11, xmm0
movdqa xmm0, xmmword ptr [rdi + 2240]
pshufb xmm0, xmm11
paddb xmm0, xmm9
movdqa xmm9, xmm0
psubb xmm9, xmmword ptr [rdi + 2304]
pminub xmm9, xmm0
movdqa xmm0, xmm2
pand xmm0, xmmword ptr [rdi + 2304]
movdqa xmm1, xmm2
psrlw xmm1, 4
pand xmm1, xmmword ptr [rdi + 2304]
movdqa xmm12, xmmword ptr [rdi + 2048]
pshufb xmm12, xmm0
movdqa xmm0, xmmword ptr [rdi + 2112]
pshufb xmm0, xmm1
paddusb xmm2, xmmword ptr [rdi + 2368]
movdqa xmm1, xmmword ptr [rdi + 2176]
pshufb xmm1, xmm2
paddb xmm1, xmm12
psubusb xmm1, xmm0
psubb xmm12, xmmword ptr [rdi + 2304]
psubb xmm12, xmm0
pminub xmm12, xmm1
movdqa xmm1, xmmword ptr [rdi + 2240]
pshufb xmm1, xmm12
paddb xmm1, xmm0
movdqa xmm0, xmm1
psubb xmm0, xmmword ptr [rdi + 2304]
pminub xmm0, xmm1
movdqa xmm1, xmm3
pand xmm1, xmmword ptr [rdi + 2304]
movdqa xmm2, xmm3
psrlw xmm2, 4
pand xmm2, xmmword ptr [rdi + 2304]
movdqa xmm13, xmmword ptr [rdi + 2048]
pshufb xmm13, xmm1
movdqa xmm1, xmmword ptr [rdi + 2112]
pshufb xmm1, xmm2
paddusb xmm3, xmmword ptr [rdi + 2368]
movdqa xmm2, xmmword ptr [rdi + 2176]
pshufb xmm2, xmm3
paddb xmm2, xmm13
psubusb xmm2, xmm1
psubb xmm13, xmmword ptr [rdi + 2304]
psubb xmm13, xmm1
pminub xmm13, xmm2
movdqa xmm2, xmmword ptr [rdi + 2240]
pshufb xmm2, xmm13
paddb xmm2, xmm1
movdqa xmm1, xmm2
psubb xmm1, xmmword ptr [rdi + 2304]
pminub xmm1, xmm2
movdqa xmm2, xmm4
pand xmm2, xmmword ptr [rdi + 2304]
movdqa xmm3, xmm4
psrlw xmm3, 4
pand xmm3, xmmword ptr [rdi + 2304]
movdqa xmm14, xmmword ptr [rdi + 2048]
pshufb xmm14, xmm2
movdqa xmm2, xmmword ptr [rdi + 2112]
pshufb xmm2, xmm3
paddusb xmm4, xmmword ptr [rdi + 2368]
movdqa xmm3, xmmword ptr [rdi + 2176]
pshufb xmm3, xmm4
paddb xmm3, xmm14
psubusb xmm3, xmm2
psubb xmm14, xmmword ptr [rdi + 2304]
psubb xmm14, xmm2
pminub xmm14, xmm3
movdqa xmm3, xmmword ptr [rdi + 2240]
pshufb xmm3, xmm14
paddb xmm3, xmm2
movdqa xmm2, xmm3
psubb xmm2, xmmword ptr [rdi + 2304]
pminub xmm2, xmm3
movdqa xmm3, xmm5
pand xmm3, xmmword ptr [rdi + 2304]
movdqa xmm4, xmm5
psrlw xmm4, 4
pand xmm4, xmmword ptr [rdi + 2304]
movdqa xmm15, xmmword ptr [rdi + 2048]
pshufb xmm15, xmm3
movdqa xmm3, xmmword ptr [rdi + 2112]
pshufb xmm3, xmm4
paddusb xmm5, xmmword ptr [rdi + 2368]
movdqa xmm4, xmmword ptr [rdi + 2176]
pshufb xmm4, xmm5
paddb xmm4, xmm15
psubusb xmm4, xmm3
psubb xmm15, xmmword ptr [rdi + 2304]
psubb xmm15, xmm3
pminub xmm15, xmm4
movdqa xmm4, xmmword ptr [rdi + 2240]
pshufb xmm4, xmm15
paddb xmm4, xmm3
movdqa xmm3, xmm4
psubb xmm3, xmmword ptr [rdi + 2304]
pminub xmm3, xmm4
movdqa xmm4, xmm6
pand xmm4, xmmword ptr [rdi + 2304]
movdqa xmm5, xmm6
psrlw xmm5, 4
pand xmm5, xmmword ptr [rdi + 2304]
movdqa xmmword ptr [r10 + 0], xmm3
movdqa xmm3, xmmword ptr [rdi + 2048]
pshufb xmm3, xmm4
movdqa xmm4, xmmword ptr [rdi + 2112]
pshufb xmm4, xmm5
paddusb xmm6, xmmword ptr [rdi + 2368]
movdqa xmm5, xmmword ptr [rdi + 2176]
pshufb xmm5, xmm6
paddb xmm5, xmm3
psubusb xmm5, xmm4
psubb xmm3, xmmword ptr [rdi + 2304]
psubb xmm3, xmm4
pminub xmm3, xmm5
movdqa xmm5, xmmword ptr [rdi + 2240]
pshufb xmm5, xmm3
paddb xmm5, xmm4
movdqa xmm4, xmm5
psubb xmm4, xmmword ptr [rdi + 2304]
pminub xmm4, xmm5
movdqa xmm5, xmm7
pand xmm5, xmmword ptr [rdi + 2304]
movdqa xmm6, xmm7
psrlw xmm6, 4
pand xmm6, xmmword ptr [rdi + 2304]
movdqa xmmword ptr [r10 + 16], xmm4
movdqa xmm4, xmmword ptr [rdi + 2048]
pshufb xmm4, xmm5
movdqa xmm5, xmmword ptr [rdi + 2112]
pshufb xmm5, xmm6
paddusb xmm7, xmmword ptr [rdi + 2368]
movdqa xmm6, xmmword ptr [rdi + 2176]
pshufb xmm6, xmm7
paddb xmm6, xmm4
psubusb xmm6, xmm5
psubb xmm4, xmmword ptr [rdi + 2304]
psubb xmm4, xmm5
pminub xmm4, xmm6
movdqa xmm6, xmmword ptr [rdi + 2240]
pshufb xmm6, xmm4
paddb xmm6, xmm5
movdqa xmm5, xmm6
psubb xmm5, xmmword ptr [rdi + 2304]
pminub xmm5, xmm6
movdqa xmm6, xmmword ptr [rdi + 0]
pshufb xmm6, xmm10
movdqa xmm7, xmmword ptr [rdi + 256]
pshufb xmm7, xmm10
movdqa xmmword ptr [r10 + 32], xmm5
movdqa xmm5, xmmword ptr [rdi + 512]
pshufb xmm5, xmm10
movdqa xmmword ptr [r10 + 48], xmm2
movdqa xmm2, xmmword ptr [rdi + 768]
pshufb xmm2, xmm10
movdqa xmmword ptr [r10 + 64], xmm1
movdqa xmm1, xmmword ptr [rdi + 1024]
pshufb xmm1, xmm10
movdqa xmmword ptr [r10 + 80], xmm0
movdqa xmm0, xmmword ptr [rdi + 1280]
pshufb xmm0, xmm10
movdqa xmmword ptr [r10 + 96], xmm9
movdqa xmm9, xmmword ptr [rdi + 1536]
pshufb xmm9, xmm10
movdqa xmmword ptr [r10 + 112], xmm8
movdqa xmm8, xmmword ptr [rdi + 1792]
pshufb xmm8, xmm10
movdqa xmm10, xmmword ptr [rdi + 32]
pshufb xmm10, xmm11
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 288]
pshufb xmm10, xmm11
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 544]
pshufb xmm10, xmm11
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 800]
pshufb xmm10, xmm11
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1056]
pshufb xmm10, xmm11
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1312]
pshufb xmm10, xmm11
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1568]
pshufb xmm10, xmm11
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 1824]
pshufb xmm10, xmm11
pxor xmm8, xmm10
movdqa xmm10, xmmword ptr [rdi + 64]
pshufb xmm10, xmm12
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 320]
pshufb xmm10, xmm12
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 576]
pshufb xmm10, xmm12
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 832]
pshufb xmm10, xmm12
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1088]
pshufb xmm10, xmm12
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1344]
pshufb xmm10, xmm12
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1600]
pshufb xmm10, xmm12
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 1856]
pshufb xmm10, xmm12
pxor xmm8, xmm10
movdqa xmm10, xmmword ptr [rdi + 96]
pshufb xmm10, xmm13
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 352]
pshufb xmm10, xmm13
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 608]
pshufb xmm10, xmm13
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 864]
pshufb xmm10, xmm13
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1120]
pshufb xmm10, xmm13
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1376]
pshufb xmm10, xmm13
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1632]
pshufb xmm10, xmm13
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 1888]
pshufb xmm10, xmm13
pxor xmm8, xmm10
movdqa xmm10, xmmword ptr [rdi + 128]
pshufb xmm10, xmm14
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 384]
pshufb xmm10, xmm14
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 640]
pshufb xmm10, xmm14
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 896]
pshufb xmm10, xmm14
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1152]
pshufb xmm10, xmm14
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1408]
pshufb xmm10, xmm14
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1664]
pshufb xmm10, xmm14
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 1920]
pshufb xmm10, xmm14
pxor xmm8, xmm10
movdqa xmm10, xmmword ptr [rdi + 160]
pshufb xmm10, xmm15
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 416]
pshufb xmm10, xmm15
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 672]
pshufb xmm10, xmm15
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 928]
pshufb xmm10, xmm15
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1184]
pshufb xmm10, xmm15
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1440]
pshufb xmm10, xmm15
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1696]
pshufb xmm10, xmm15
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 1952]
pshufb xmm10, xmm15
pxor xmm8, xmm10
movdqa xmm10, xmmword ptr [rdi + 192]
pshufb xmm10, xmm3
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 448]
pshufb xmm10, xmm3
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 704]
pshufb xmm10, xmm3
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 960]
pshufb xmm10, xmm3
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1216]
pshufb xmm10, xmm3
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1472]
pshufb xmm10, xmm3
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1728]
pshufb xmm10, xmm3
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 1984]
pshufb xmm10, xmm3
pxor xmm8, xmm10
movdqa xmm10, xmmword ptr [rdi + 224]
pshufb xmm10, xmm4
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 480]
pshufb xmm10, xmm4
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 736]
pshufb xmm10, xmm4
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 992]
pshufb xmm10, xmm4
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1248]
pshufb xmm10, xmm4
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1504]
pshufb xmm10, xmm4
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1760]
pshufb xmm10, xmm4
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 2016]
pshufb xmm10, xmm4
pxor xmm8, xmm10
movdqa xmm10, xmmword ptr [r10 + 112]
movdqa xmm4, xmmword ptr [rdi + 16]
pshufb xmm4, xmm10
pxor xmm6, xmm4
movdqa xmm4, xmmword ptr [rdi + 272]
pshufb xmm4, xmm10
pxor xmm7, xmm4
movdqa xmm4, xmmword ptr [rdi + 528]
pshufb xmm4, xmm10
pxor xmm5, xmm4
movdqa xmm4, xmmword ptr [rdi + 784]
pshufb xmm4, xmm10
pxor xmm2, xmm4
movdqa xmm4, xmmword ptr [rdi + 1040]
pshufb xmm4, xmm10
pxor xmm1, xmm4
movdqa xmm4, xmmword ptr [rdi + 1296]
pshufb xmm4, xmm10
pxor xmm0, xmm4
movdqa xmm4, xmmword ptr [rdi + 1552]
pshufb xmm4, xmm10
pxor xmm9, xmm4
movdqa xmm4, xmmword ptr [rdi + 1808]
pshufb xmm4, xmm10
pxor xmm8, xmm4
movdqa xmm4, xmmword ptr [r10 + 96]
movdqa xmm10, xmmword ptr [rdi + 48]
pshufb xmm10, xmm4
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 304]
pshufb xmm10, xmm4
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 560]
pshufb xmm10, xmm4
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 816]
pshufb xmm10, xmm4
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1072]
pshufb xmm10, xmm4
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1328]
pshufb xmm10, xmm4
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1584]
pshufb xmm10, xmm4
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 1840]
pshufb xmm10, xmm4
pxor xmm8, xmm10
movdqa xmm10, xmmword ptr [r10 + 80]
movdqa xmm4, xmmword ptr [rdi + 80]
pshufb xmm4, xmm10
pxor xmm6, xmm4
movdqa xmm4, xmmword ptr [rdi + 336]
pshufb xmm4, xmm10
pxor xmm7, xmm4
movdqa xmm4, xmmword ptr [rdi + 592]
pshufb xmm4, xmm10
pxor xmm5, xmm4
movdqa xmm4, xmmword ptr [rdi + 848]
pshufb xmm4, xmm10
pxor xmm2, xmm4
movdqa xmm4, xmmword ptr [rdi + 1104]
pshufb xmm4, xmm10
pxor xmm1, xmm4
movdqa xmm4, xmmword ptr [rdi + 1360]
pshufb xmm4, xmm10
pxor xmm0, xmm4
movdqa xmm4, xmmword ptr [rdi + 1616]
pshufb xmm4, xmm10
pxor xmm9, xmm4
movdqa xmm4, xmmword ptr [rdi + 1872]
pshufb xmm4, xmm10
pxor xmm8, xmm4
movdqa xmm4, xmmword ptr [r10 + 64]
movdqa xmm10, xmmword ptr [rdi + 112]
pshufb xmm10, xmm4
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 368]
pshufb xmm10, xmm4
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 624]
pshufb xmm10, xmm4
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 880]
pshufb xmm10, xmm4
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1136]
pshufb xmm10, xmm4
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1392]
pshufb xmm10, xmm4
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1648]
pshufb xmm10, xmm4
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 1904]
pshufb xmm10, xmm4
pxor xmm8, xmm10
movdqa xmm10, xmmword ptr [r10 + 48]
movdqa xmm4, xmmword ptr [rdi + 144]
pshufb xmm4, xmm10
pxor xmm6, xmm4
movdqa xmm4, xmmword ptr [rdi + 400]
pshufb xmm4, xmm10
pxor xmm7, xmm4
movdqa xmm4, xmmword ptr [rdi + 656]
pshufb xmm4, xmm10
pxor xmm5, xmm4
movdqa xmm4, xmmword ptr [rdi + 912]
pshufb xmm4, xmm10
pxor xmm2, xmm4
movdqa xmm4, xmmword ptr [rdi + 1168]
pshufb xmm4, xmm10
pxor xmm1, xmm4
movdqa xmm4, xmmword ptr [rdi + 1424]
pshufb xmm4, xmm10
pxor xmm0, xmm4
movdqa xmm4, xmmword ptr [rdi + 1680]
pshufb xmm4, xmm10
pxor xmm9, xmm4
movdqa xmm4, xmmword ptr [rdi + 1936]
pshufb xmm4, xmm10
pxor xmm8, xmm4
movdqa xmm4, xmmword ptr [r10 + 0]
movdqa xmm10, xmmword ptr [rdi + 176]
pshufb xmm10, xmm4
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 432]
pshufb xmm10, xmm4
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 688]
pshufb xmm10, xmm4
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 944]
pshufb xmm10, xmm4
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1200]
pshufb xmm10, xmm4
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1456]
pshufb xmm10, xmm4
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1712]
pshufb xmm10, xmm4
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 1968]
pshufb xmm10, xmm4
pxor xmm8, xmm10
movdqa xmm10, xmmword ptr [r10 + 16]
movdqa xmm4, xmmword ptr [rdi + 208]
pshufb xmm4, xmm10
pxor xmm6, xmm4
movdqa xmm4, xmmword ptr [rdi + 464]
pshufb xmm4, xmm10
pxor xmm7, xmm4
movdqa xmm4, xmmword ptr [rdi + 720]
pshufb xmm4, xmm10
pxor xmm5, xmm4
movdqa xmm4, xmmword ptr [rdi + 976]
pshufb xmm4, xmm10
pxor xmm2, xmm4
movdqa xmm4, xmmword ptr [rdi + 1232]
pshufb xmm4, xmm10
pxor xmm1, xmm4
movdqa xmm4, xmmword ptr [rdi + 1488]
pshufb xmm4, xmm10
pxor xmm0, xmm4
movdqa xmm4, xmmword ptr [rdi + 1744]
pshufb xmm4, xmm10
pxor xmm9, xmm4
movdqa xmm4, xmmword ptr [rdi + 2000]
pshufb xmm4, xmm10
pxor xmm8, xmm4
movdqa xmm4, xmmword ptr [r10 + 32]
movdqa xmm10, xmmword ptr [rdi + 240]
pshufb xmm10, xmm4
pxor xmm6, xmm10
movdqa xmm10, xmmword ptr [rdi + 496]
pshufb xmm10, xmm4
pxor xmm7, xmm10
movdqa xmm10, xmmword ptr [rdi + 752]
pshufb xmm10, xmm4
pxor xmm5, xmm10
movdqa xmm10, xmmword ptr [rdi + 1008]
pshufb xmm10, xmm4
pxor xmm2, xmm10
movdqa xmm10, xmmword ptr [rdi + 1264]
pshufb xmm10, xmm4
pxor xmm1, xmm10
movdqa xmm10, xmmword ptr [rdi + 1520]
pshufb xmm10, xmm4
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [rdi + 1776]
pshufb xmm10, xmm4
pxor xmm9, xmm10
movdqa xmm10, xmmword ptr [rdi + 2032]
pshufb xmm10, xmm4
pxor xmm8, xmm10
movdqa xmm10, xmm6
punpcklwd xmm10, xmm1
punpckhwd xmm6, xmm1
movdqa xmm1, xmm7
punpcklwd xmm1, xmm0
punpckhwd xmm7, xmm0
movdqa xmm0, xmm5
punpcklwd xmm0, xmm9
punpckhwd xmm5, xmm9
movdqa xmm9, xmm2
punpcklwd xmm9, xmm8
punpckhwd xmm2, xmm8
movdqa xmm8, xmm10
punpcklwd xmm8, xmm0
punpckhwd xmm10, xmm0
movdqa xmm0, xmm1
punpcklwd xmm0, xmm9
punpckhwd xmm1, xmm9
movdqa xmm9, xmm6
punpcklwd xmm9, xmm5
punpckhwd xmm6, xmm5
movdqa xmm5, xmm7
punpcklwd xmm5, xmm2
punpckhwd xmm7, xmm2
movdqa xmm2, xmm8
punpcklwd xmm2, xmm0
punpckhwd xmm8, xmm0
movdqa xmm0, xmm10
punpcklwd xmm0, xmm1
punpckhwd xmm10, xmm1
movdqa xmm1, xmm9
punpcklwd xmm1, xmm5
punpckhwd xmm9, xmm5
movdqa xmm5, xmm6
punpcklwd xmm5, xmm7
punpckhwd xmm6, xmm7
movdqa xmm7, xmm0
movdqa xmm0, xmm2
movdqa xmm2, xmm1
movdqa xmm1, xmm8
movdqa xmm8, xmm2
movdqa xmm2, xmm7
movdqa xmm3, xmm10
movdqa xmm4, xmm8
movdqa xmm8, xmm5
movdqa xmm5, xmm9
movdqa xmm9, xmm6
movdqa xmm6, xmm8
movdqa xmm7, xmm9
