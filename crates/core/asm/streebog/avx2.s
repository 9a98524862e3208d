# Streebog, LPS of two states by nibbles, avx2: ymm0 to ymm3, read and written.
#
# rdi        the tables, `Lps` of nibbles.rs
# changes    ymm4 to ymm15
# used by    crates/core/src/streebog/round/nibbles.rs
# checked by cargo test -p bulat-core --lib assembly, and cargo test -p bulat --test streebog_kernels
# written by cargo run -p asmgen; complete for as -msyntax=intel -mnaked-reg
vpand ymm4, ymm0, ymmword ptr [rdi +2304]
vpsrlw ymm5, ymm0, 4
vpand ymm5, ymm5, ymmword ptr [rdi +2304]
vmovdqa ymm6, ymmword ptr [rdi +2048]
vpshufb ymm6, ymm6, ymm4
vmovdqa ymm4, ymmword ptr [rdi +2112]
vpshufb ymm4, ymm4, ymm5
vpaddusb ymm0, ymm0, ymmword ptr [rdi +2368]
vmovdqa ymm5, ymmword ptr [rdi +2176]
vpshufb ymm5, ymm5, ymm0
vpaddb ymm5, ymm5, ymm6
vpsubusb ymm5, ymm5, ymm4
vpsubb ymm6, ymm6, ymmword ptr [rdi +2304]
vpsubb ymm6, ymm6, ymm4
vpminub ymm5, ymm6, ymm5
vmovdqa ymm6, ymmword ptr [rdi +2240]
vpshufb ymm6, ymm6, ymm5
vpaddb ymm4, ymm6, ymm4
vpsubb ymm6, ymm4, ymmword ptr [rdi +2304]
vpminub ymm4, ymm6, ymm4
vpand ymm6, ymm1, ymmword ptr [rdi +2304]
vpsrlw ymm0, ymm1, 4
vpand ymm0, ymm0, ymmword ptr [rdi +2304]
vmovdqa ymm7, ymmword ptr [rdi +2048]
vpshufb ymm7, ymm7, ymm6
vmovdqa ymm6, ymmword ptr [rdi +2112]
vpshufb ymm6, ymm6, ymm0
vpaddusb ymm1, ymm1, ymmword ptr [rdi +2368]
vmovdqa ymm0, ymmword ptr [rdi +2176]
vpshufb ymm0, ymm0, ymm1
vpaddb ymm0, ymm0, ymm7
vpsubusb ymm0, ymm0, ymm6
vpsubb ymm7, ymm7, ymmword ptr [rdi +2304]
vpsubb ymm7, ymm7, ymm6
vpminub ymm0, ymm7, ymm0
vmovdqa ymm7, ymmword ptr [rdi +2240]
vpshufb ymm7, ymm7, ymm0
vpaddb ymm6, ymm7, ymm6
vpsubb ymm7, ymm6, ymmword ptr [rdi +2304]
vpminub ymm6, ymm7, ymm6
vpand ymm7, ymm2, ymmword ptr [rdi +2304]
vpsrlw ymm1, ymm2, 4
vpand ymm1, ymm1, ymmword ptr [rdi +2304]
vmovdqa ymm8, ymmword ptr [rdi +2048]
vpshufb ymm8, ymm8, ymm7
vmovdqa ymm7, ymmword ptr [rdi +2112]
vpshufb ymm7, ymm7, ymm1
vpaddusb ymm2, ymm2, ymmword ptr [rdi +2368]
vmovdqa ymm1, ymmword ptr [rdi +2176]
vpshufb ymm1, ymm1, ymm2
vpaddb ymm1, ymm8, ymm1
vpsubusb ymm1, ymm1, ymm7
vpsubb ymm8, ymm8, ymmword ptr [rdi +2304]
vpsubb ymm8, ymm8, ymm7
vpminub ymm1, ymm8, ymm1
vmovdqa ymm8, ymmword ptr [rdi +2240]
vpshufb ymm8, ymm8, ymm1
vpaddb ymm7, ymm8, ymm7
vpsubb ymm8, ymm7, ymmword ptr [rdi +2304]
vpminub ymm7, ymm8, ymm7
vpand ymm8, ymm3, ymmword ptr [rdi +2304]
vpsrlw ymm2, ymm3, 4
vpand ymm2, ymm2, ymmword ptr [rdi +2304]
vmovdqa ymm9, ymmword ptr [rdi +2048]
vpshufb ymm9, ymm9, ymm8
vmovdqa ymm8, ymmword ptr [rdi +2112]
vpshufb ymm8, ymm8, ymm2
vpaddusb ymm3, ymm3, ymmword ptr [rdi +2368]
vmovdqa ymm2, ymmword ptr [rdi +2176]
vpshufb ymm2, ymm2, ymm3
vpaddb ymm2, ymm9, ymm2
vpsubusb ymm2, ymm2, ymm8
vpsubb ymm9, ymm9, ymmword ptr [rdi +2304]
vpsubb ymm9, ymm9, ymm8
vpminub ymm2, ymm9, ymm2
vmovdqa ymm9, ymmword ptr [rdi +2240]
vpshufb ymm9, ymm9, ymm2
vpaddb ymm8, ymm9, ymm8
vpsubb ymm9, ymm8, ymmword ptr [rdi +2304]
vpminub ymm8, ymm9, ymm8
vmovdqa ymm9, ymmword ptr [rdi +1024]
vpshufb ymm9, ymm9, ymm5
vmovdqa ymm3, ymmword ptr [rdi +1280]
vpshufb ymm3, ymm3, ymm5
vmovdqa ymm10, ymmword ptr [rdi +1536]
vpshufb ymm10, ymm10, ymm5
vmovdqa ymm11, ymmword ptr [rdi +1792]
vpshufb ymm11, ymm11, ymm5
vmovdqa ymm12, ymmword ptr [rdi +0]
vpshufb ymm12, ymm12, ymm5
vmovdqa ymm13, ymmword ptr [rdi +256]
vpshufb ymm13, ymm13, ymm5
vmovdqa ymm14, ymmword ptr [rdi +512]
vpshufb ymm14, ymm14, ymm5
vmovdqa ymm15, ymmword ptr [rdi +768]
vpshufb ymm15, ymm15, ymm5
vmovdqa ymm5, ymmword ptr [rdi +1088]
vpshufb ymm5, ymm5, ymm0
vpxor ymm5, ymm9, ymm5
vmovdqa ymm9, ymmword ptr [rdi +1344]
vpshufb ymm9, ymm9, ymm0
vpxor ymm9, ymm9, ymm3
vmovdqa ymm3, ymmword ptr [rdi +1600]
vpshufb ymm3, ymm3, ymm0
vpxor ymm3, ymm10, ymm3
vmovdqa ymm10, ymmword ptr [rdi +1856]
vpshufb ymm10, ymm10, ymm0
vpxor ymm10, ymm11, ymm10
vmovdqa ymm11, ymmword ptr [rdi +64]
vpshufb ymm11, ymm11, ymm0
vpxor ymm11, ymm12, ymm11
vmovdqa ymm12, ymmword ptr [rdi +320]
vpshufb ymm12, ymm12, ymm0
vpxor ymm12, ymm13, ymm12
vmovdqa ymm13, ymmword ptr [rdi +576]
vpshufb ymm13, ymm13, ymm0
vpxor ymm13, ymm14, ymm13
vmovdqa ymm14, ymmword ptr [rdi +832]
vpshufb ymm14, ymm14, ymm0
vpxor ymm14, ymm15, ymm14
vmovdqa ymm15, ymmword ptr [rdi +1152]
vpshufb ymm15, ymm15, ymm1
vpxor ymm15, ymm15, ymm5
vmovdqa ymm5, ymmword ptr [rdi +1408]
vpshufb ymm5, ymm5, ymm1
vpxor ymm5, ymm9, ymm5
vmovdqa ymm9, ymmword ptr [rdi +1664]
vpshufb ymm9, ymm9, ymm1
vpxor ymm9, ymm9, ymm3
vmovdqa ymm3, ymmword ptr [rdi +1920]
vpshufb ymm3, ymm3, ymm1
vpxor ymm3, ymm10, ymm3
vmovdqa ymm10, ymmword ptr [rdi +128]
vpshufb ymm10, ymm10, ymm1
vpxor ymm10, ymm11, ymm10
vmovdqa ymm11, ymmword ptr [rdi +384]
vpshufb ymm11, ymm11, ymm1
vpxor ymm11, ymm12, ymm11
vmovdqa ymm12, ymmword ptr [rdi +640]
vpshufb ymm12, ymm12, ymm1
vpxor ymm12, ymm13, ymm12
vmovdqa ymm13, ymmword ptr [rdi +896]
vpshufb ymm13, ymm13, ymm1
vpxor ymm13, ymm14, ymm13
vmovdqa ymm14, ymmword ptr [rdi +1216]
vpshufb ymm14, ymm14, ymm2
vpxor ymm14, ymm15, ymm14
vmovdqa ymm15, ymmword ptr [rdi +1472]
vpshufb ymm15, ymm15, ymm2
vpxor ymm15, ymm15, ymm5
vmovdqa ymm5, ymmword ptr [rdi +1728]
vpshufb ymm5, ymm5, ymm2
vpxor ymm5, ymm9, ymm5
vmovdqa ymm9, ymmword ptr [rdi +1984]
vpshufb ymm9, ymm9, ymm2
vpxor ymm9, ymm9, ymm3
vmovdqa ymm3, ymmword ptr [rdi +192]
vpshufb ymm3, ymm3, ymm2
vpxor ymm3, ymm10, ymm3
vmovdqa ymm10, ymmword ptr [rdi +448]
vpshufb ymm10, ymm10, ymm2
vpxor ymm10, ymm11, ymm10
vmovdqa ymm11, ymmword ptr [rdi +704]
vpshufb ymm11, ymm11, ymm2
vpxor ymm11, ymm12, ymm11
vmovdqa ymm12, ymmword ptr [rdi +960]
vpshufb ymm12, ymm12, ymm2
vpxor ymm12, ymm13, ymm12
vmovdqa ymm13, ymmword ptr [rdi +1056]
vpshufb ymm13, ymm13, ymm4
vpxor ymm13, ymm14, ymm13
vmovdqa ymm14, ymmword ptr [rdi +1312]
vpshufb ymm14, ymm14, ymm4
vpxor ymm14, ymm15, ymm14
vmovdqa ymm15, ymmword ptr [rdi +1568]
vpshufb ymm15, ymm15, ymm4
vpxor ymm15, ymm15, ymm5
vmovdqa ymm5, ymmword ptr [rdi +1824]
vpshufb ymm5, ymm5, ymm4
vpxor ymm5, ymm9, ymm5
vmovdqa ymm9, ymmword ptr [rdi +32]
vpshufb ymm9, ymm9, ymm4
vpxor ymm9, ymm9, ymm3
vmovdqa ymm3, ymmword ptr [rdi +288]
vpshufb ymm3, ymm3, ymm4
vpxor ymm3, ymm10, ymm3
vmovdqa ymm10, ymmword ptr [rdi +544]
vpshufb ymm10, ymm10, ymm4
vpxor ymm10, ymm11, ymm10
vmovdqa ymm11, ymmword ptr [rdi +800]
vpshufb ymm11, ymm11, ymm4
vpxor ymm11, ymm12, ymm11
vmovdqa ymm12, ymmword ptr [rdi +1120]
vpshufb ymm12, ymm12, ymm6
vpxor ymm12, ymm13, ymm12
vmovdqa ymm13, ymmword ptr [rdi +1376]
vpshufb ymm13, ymm13, ymm6
vpxor ymm13, ymm14, ymm13
vmovdqa ymm14, ymmword ptr [rdi +1632]
vpshufb ymm14, ymm14, ymm6
vpxor ymm14, ymm15, ymm14
vmovdqa ymm15, ymmword ptr [rdi +1888]
vpshufb ymm15, ymm15, ymm6
vpxor ymm15, ymm15, ymm5
vmovdqa ymm5, ymmword ptr [rdi +96]
vpshufb ymm5, ymm5, ymm6
vpxor ymm5, ymm9, ymm5
vmovdqa ymm9, ymmword ptr [rdi +352]
vpshufb ymm9, ymm9, ymm6
vpxor ymm9, ymm9, ymm3
vmovdqa ymm3, ymmword ptr [rdi +608]
vpshufb ymm3, ymm3, ymm6
vpxor ymm3, ymm10, ymm3
vmovdqa ymm10, ymmword ptr [rdi +864]
vpshufb ymm10, ymm10, ymm6
vpxor ymm10, ymm11, ymm10
vmovdqa ymm11, ymmword ptr [rdi +1184]
vpshufb ymm11, ymm11, ymm7
vpxor ymm11, ymm12, ymm11
vmovdqa ymm12, ymmword ptr [rdi +1440]
vpshufb ymm12, ymm12, ymm7
vpxor ymm12, ymm13, ymm12
vmovdqa ymm13, ymmword ptr [rdi +1696]
vpshufb ymm13, ymm13, ymm7
vpxor ymm13, ymm14, ymm13
vmovdqa ymm14, ymmword ptr [rdi +1952]
vpshufb ymm14, ymm14, ymm7
vpxor ymm14, ymm15, ymm14
vmovdqa ymm15, ymmword ptr [rdi +160]
vpshufb ymm15, ymm15, ymm7
vpxor ymm15, ymm15, ymm5
vmovdqa ymm5, ymmword ptr [rdi +416]
vpshufb ymm5, ymm5, ymm7
vpxor ymm5, ymm9, ymm5
vmovdqa ymm9, ymmword ptr [rdi +672]
vpshufb ymm9, ymm9, ymm7
vpxor ymm9, ymm9, ymm3
vmovdqa ymm3, ymmword ptr [rdi +928]
vpshufb ymm3, ymm3, ymm7
vpxor ymm3, ymm10, ymm3
vmovdqa ymm10, ymmword ptr [rdi +1248]
vpshufb ymm10, ymm10, ymm8
vpxor ymm10, ymm11, ymm10
vmovdqa ymm11, ymmword ptr [rdi +1504]
vpshufb ymm11, ymm11, ymm8
vpxor ymm11, ymm12, ymm11
vmovdqa ymm12, ymmword ptr [rdi +1760]
vpshufb ymm12, ymm12, ymm8
vpxor ymm12, ymm13, ymm12
vmovdqa ymm13, ymmword ptr [rdi +2016]
vpshufb ymm13, ymm13, ymm8
vpxor ymm13, ymm14, ymm13
vmovdqa ymm14, ymmword ptr [rdi +224]
vpshufb ymm14, ymm14, ymm8
vpxor ymm14, ymm15, ymm14
vmovdqa ymm15, ymmword ptr [rdi +480]
vpshufb ymm15, ymm15, ymm8
vpxor ymm15, ymm15, ymm5
vmovdqa ymm5, ymmword ptr [rdi +736]
vpshufb ymm5, ymm5, ymm8
vpxor ymm5, ymm9, ymm5
vmovdqa ymm9, ymmword ptr [rdi +992]
vpshufb ymm9, ymm9, ymm8
vpxor ymm9, ymm9, ymm3
vperm2i128 ymm10, ymm10, ymm10, 1
vpxor ymm10, ymm14, ymm10
vperm2i128 ymm11, ymm11, ymm11, 1
vpxor ymm11, ymm15, ymm11
vperm2i128 ymm12, ymm12, ymm12, 1
vpxor ymm12, ymm12, ymm5
vperm2i128 ymm13, ymm13, ymm13, 1
vpxor ymm13, ymm9, ymm13
vpunpcklwd ymm9, ymm10, ymm12
vpunpckhwd ymm12, ymm10, ymm12
vpunpcklwd ymm10, ymm11, ymm13
vpunpckhwd ymm13, ymm11, ymm13
vpunpcklwd ymm11, ymm9, ymm10
vpunpckhwd ymm10, ymm9, ymm10
vpunpcklwd ymm9, ymm12, ymm13
vpunpckhwd ymm13, ymm12, ymm13
vpermq ymm11, ymm11, 216
vpermq ymm10, ymm10, 216
vpermq ymm9, ymm9, 216
vpermq ymm13, ymm13, 216
vmovdqa ymm0, ymm11
vmovdqa ymm1, ymm10
vmovdqa ymm2, ymm9
vmovdqa ymm3, ymm13
