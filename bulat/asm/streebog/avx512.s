# Streebog, LPS of two states by nibbles, avx512: zmm0 to zmm1, read and written.
#
# rdi        the tables, `Lps` of nibbles.rs
# r10        8 vectors of memory for what does not fit into registers; not in 256 and 512 bits
# changes    zmm2 to zmm11
# used by    bulat/src/streebog/lps/text.rs
# checked by cargo test -p bulat --lib streebog::nibbles, --test streebog_kernels (reference)
# written by cargo run -p asmgen; stands alone for as -msyntax=intel -mnaked-reg
vpandd zmm2, zmm0, zmmword ptr [rdi + 2304]
vpsrlw zmm3, zmm0, 4
vpandd zmm3, zmm3, zmmword ptr [rdi + 2304]
vmovdqa64 zmm4, zmmword ptr [rdi + 2048]
vpshufb zmm4, zmm4, zmm2
vmovdqa64 zmm2, zmmword ptr [rdi + 2112]
vpshufb zmm2, zmm2, zmm3
vpaddusb zmm0, zmm0, zmmword ptr [rdi + 2368]
vmovdqa64 zmm3, zmmword ptr [rdi + 2176]
vpshufb zmm3, zmm3, zmm0
vpaddb zmm3, zmm3, zmm4
vpsubusb zmm3, zmm3, zmm2
vpsubb zmm4, zmm4, zmmword ptr [rdi + 2304]
vpsubb zmm4, zmm4, zmm2
vpminub zmm3, zmm4, zmm3
vmovdqa64 zmm4, zmmword ptr [rdi + 2240]
vpshufb zmm4, zmm4, zmm3
vpaddb zmm2, zmm4, zmm2
vpsubb zmm4, zmm2, zmmword ptr [rdi + 2304]
vpminub zmm2, zmm4, zmm2
vpandd zmm4, zmm1, zmmword ptr [rdi + 2304]
vpsrlw zmm0, zmm1, 4
vpandd zmm0, zmm0, zmmword ptr [rdi + 2304]
vmovdqa64 zmm5, zmmword ptr [rdi + 2048]
vpshufb zmm5, zmm5, zmm4
vmovdqa64 zmm4, zmmword ptr [rdi + 2112]
vpshufb zmm4, zmm4, zmm0
vpaddusb zmm1, zmm1, zmmword ptr [rdi + 2368]
vmovdqa64 zmm0, zmmword ptr [rdi + 2176]
vpshufb zmm0, zmm0, zmm1
vpaddb zmm0, zmm0, zmm5
vpsubusb zmm0, zmm0, zmm4
vpsubb zmm5, zmm5, zmmword ptr [rdi + 2304]
vpsubb zmm5, zmm5, zmm4
vpminub zmm0, zmm5, zmm0
vmovdqa64 zmm5, zmmword ptr [rdi + 2240]
vpshufb zmm5, zmm5, zmm0
vpaddb zmm4, zmm5, zmm4
vpsubb zmm5, zmm4, zmmword ptr [rdi + 2304]
vpminub zmm4, zmm5, zmm4
vmovdqa64 zmm5, zmmword ptr [rdi + 1536]
vpshufb zmm5, zmm5, zmm3
vmovdqa64 zmm1, zmmword ptr [rdi + 1664]
vpshufb zmm1, zmm1, zmm0
vpxord zmm1, zmm5, zmm1
vmovdqa64 zmm5, zmmword ptr [rdi + 1792]
vpshufb zmm5, zmm5, zmm3
vmovdqa64 zmm6, zmmword ptr [rdi + 1920]
vpshufb zmm6, zmm6, zmm0
vpxord zmm6, zmm5, zmm6
vmovdqa64 zmm5, zmmword ptr [rdi + 1024]
vpshufb zmm5, zmm5, zmm3
vmovdqa64 zmm7, zmmword ptr [rdi + 1152]
vpshufb zmm7, zmm7, zmm0
vpxord zmm7, zmm5, zmm7
vmovdqa64 zmm5, zmmword ptr [rdi + 1280]
vpshufb zmm5, zmm5, zmm3
vmovdqa64 zmm8, zmmword ptr [rdi + 1408]
vpshufb zmm8, zmm8, zmm0
vpxord zmm8, zmm5, zmm8
vmovdqa64 zmm5, zmmword ptr [rdi + 512]
vpshufb zmm5, zmm5, zmm3
vmovdqa64 zmm9, zmmword ptr [rdi + 640]
vpshufb zmm9, zmm9, zmm0
vpxord zmm9, zmm5, zmm9
vmovdqa64 zmm5, zmmword ptr [rdi + 768]
vpshufb zmm5, zmm5, zmm3
vmovdqa64 zmm10, zmmword ptr [rdi + 896]
vpshufb zmm10, zmm10, zmm0
vpxord zmm10, zmm5, zmm10
vmovdqa64 zmm5, zmmword ptr [rdi + 0]
vpshufb zmm5, zmm5, zmm3
vmovdqa64 zmm11, zmmword ptr [rdi + 128]
vpshufb zmm11, zmm11, zmm0
vpxord zmm11, zmm5, zmm11
vmovdqa64 zmm5, zmmword ptr [rdi + 256]
vpshufb zmm5, zmm5, zmm3
vmovdqa64 zmm3, zmmword ptr [rdi + 384]
vpshufb zmm3, zmm3, zmm0
vpxord zmm3, zmm5, zmm3
vmovdqa64 zmm5, zmmword ptr [rdi + 1600]
vpshufb zmm5, zmm5, zmm2
vmovdqa64 zmm0, zmmword ptr [rdi + 1728]
vpshufb zmm0, zmm0, zmm4
vpternlogd zmm0, zmm5, zmm1, 0x96
vmovdqa64 zmm1, zmmword ptr [rdi + 1856]
vpshufb zmm1, zmm1, zmm2
vmovdqa64 zmm5, zmmword ptr [rdi + 1984]
vpshufb zmm5, zmm5, zmm4
vpternlogd zmm5, zmm1, zmm6, 0x96
vpunpcklwd zmm6, zmm0, zmm5
vpunpckhwd zmm5, zmm0, zmm5
vmovdqa64 zmm0, zmmword ptr [rdi + 2624]
vpermd zmm0, zmm0, zmm6
vmovdqa64 zmm6, zmmword ptr [rdi + 2624]
vpermd zmm6, zmm6, zmm5
vmovdqa64 zmm5, zmmword ptr [rdi + 1088]
vpshufb zmm5, zmm5, zmm2
vmovdqa64 zmm1, zmmword ptr [rdi + 1216]
vpshufb zmm1, zmm1, zmm4
vpternlogd zmm1, zmm5, zmm7, 0x96
vmovdqa64 zmm7, zmmword ptr [rdi + 1344]
vpshufb zmm7, zmm7, zmm2
vmovdqa64 zmm5, zmmword ptr [rdi + 1472]
vpshufb zmm5, zmm5, zmm4
vpternlogd zmm5, zmm7, zmm8, 0x96
vpunpcklwd zmm8, zmm1, zmm5
vpunpckhwd zmm5, zmm1, zmm5
vmovdqa64 zmm1, zmmword ptr [rdi + 2560]
vpermd zmm1, zmm1, zmm8
vmovdqa64 zmm8, zmmword ptr [rdi + 2560]
vpermd zmm8, zmm8, zmm5
vmovdqa64 zmm5, zmmword ptr [rdi + 576]
vpshufb zmm5, zmm5, zmm2
vmovdqa64 zmm7, zmmword ptr [rdi + 704]
vpshufb zmm7, zmm7, zmm4
vpternlogd zmm7, zmm5, zmm9, 0x96
vmovdqa64 zmm9, zmmword ptr [rdi + 832]
vpshufb zmm9, zmm9, zmm2
vmovdqa64 zmm5, zmmword ptr [rdi + 960]
vpshufb zmm5, zmm5, zmm4
vpternlogd zmm5, zmm9, zmm10, 0x96
vpunpcklwd zmm10, zmm7, zmm5
vpunpckhwd zmm5, zmm7, zmm5
vmovdqa64 zmm7, zmmword ptr [rdi + 2496]
vpermd zmm7, zmm7, zmm10
vmovdqa64 zmm10, zmmword ptr [rdi + 2496]
vpermd zmm10, zmm10, zmm5
vmovdqa64 zmm5, zmmword ptr [rdi + 64]
vpshufb zmm5, zmm5, zmm2
vmovdqa64 zmm9, zmmword ptr [rdi + 192]
vpshufb zmm9, zmm9, zmm4
vpternlogd zmm9, zmm5, zmm11, 0x96
vmovdqa64 zmm11, zmmword ptr [rdi + 320]
vpshufb zmm11, zmm11, zmm2
vmovdqa64 zmm2, zmmword ptr [rdi + 448]
vpshufb zmm2, zmm2, zmm4
vpternlogd zmm2, zmm11, zmm3, 0x96
vpunpcklwd zmm3, zmm9, zmm2
vpunpckhwd zmm2, zmm9, zmm2
vmovdqa64 zmm9, zmmword ptr [rdi + 2432]
vpermd zmm9, zmm9, zmm3
vmovdqa64 zmm3, zmmword ptr [rdi + 2432]
vpermd zmm3, zmm3, zmm2
vpternlogd zmm7, zmm1, zmm0, 0x96
vpxord zmm9, zmm7, zmm9
vpternlogd zmm10, zmm8, zmm6, 0x96
vpxord zmm3, zmm10, zmm3
vmovdqa64 zmm0, zmm9
vmovdqa64 zmm1, zmm3
