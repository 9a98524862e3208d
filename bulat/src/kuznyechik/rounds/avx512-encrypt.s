# Written by kuznyechik/assembly/octets.rs; not to be changed by hand.
2:
mov {places}, qword ptr [{list}]
vmovdqa64 zmm0, zmmword ptr [{v} + 192]
vmovdqa64 zmm1, zmmword ptr [{numbers} + 0]
vpandd zmm2, zmm0, zmm1
vpsrlw zmm0, zmm0, 4
vpandd zmm0, zmm0, zmm1
vmovdqa64 zmm3, zmmword ptr [{places} + 1152]
vpshufb zmm3, zmm3, zmm2
vmovdqa64 zmm4, zmmword ptr [{places} + 1280]
vpshufb zmm4, zmm4, zmm2
vmovdqa64 zmm2, zmmword ptr [{v} + 448]
vpandd zmm5, zmm2, zmm1
vpsrlw zmm2, zmm2, 4
vmovdqa64 zmm6, zmmword ptr [{places} + 1216]
vpshufb zmm6, zmm6, zmm0
vmovdqa64 zmm7, zmmword ptr [{places} + 1344]
vpshufb zmm7, zmm7, zmm0
vpandd zmm2, zmm2, zmm1
vmovdqa64 zmm0, zmmword ptr [{places} + 2688]
vpshufb zmm0, zmm0, zmm5
vmovdqa64 zmm8, zmmword ptr [{places} + 2816]
vpshufb zmm8, zmm8, zmm5
vpxord zmm6, zmm3, zmm6
vpxord zmm7, zmm4, zmm7
vmovdqa64 zmm4, zmmword ptr [{v} + 704]
vpandd zmm3, zmm4, zmm1
vpsrlw zmm4, zmm4, 4
vmovdqa64 zmm5, zmmword ptr [{places} + 2752]
vpshufb zmm5, zmm5, zmm2
vmovdqa64 zmm9, zmmword ptr [{places} + 2880]
vpshufb zmm9, zmm9, zmm2
vmovdqa64 zmm2, zmmword ptr [{numbers} + 192]
vpshufb zmm7, zmm2, zmm7
vmovdqa64 zmm10, zmmword ptr [{numbers} + 128]
vpshufb zmm11, zmm10, zmm6
vpandd zmm4, zmm4, zmm1
vmovdqa64 zmm12, zmmword ptr [{places} + 4224]
vpshufb zmm12, zmm12, zmm3
vmovdqa64 zmm13, zmmword ptr [{places} + 4352]
vpshufb zmm13, zmm13, zmm3
vpxord zmm5, zmm0, zmm5
vpxord zmm9, zmm8, zmm9
vmovdqa64 zmm8, zmmword ptr [{v} + 960]
vpandd zmm0, zmm8, zmm1
vpsrlw zmm8, zmm8, 4
vpsubb zmm6, zmm6, zmm7
vpsubb zmm11, zmm11, zmm7
vmovdqa64 zmm3, zmmword ptr [{places} + 4288]
vpshufb zmm3, zmm3, zmm4
vmovdqa64 zmm14, zmmword ptr [{places} + 4416]
vpshufb zmm14, zmm14, zmm4
vpshufb zmm9, zmm2, zmm9
vpshufb zmm4, zmm10, zmm5
vpandd zmm8, zmm8, zmm1
vmovdqa64 zmm15, zmmword ptr [{places} + 5760]
vpshufb zmm15, zmm15, zmm0
vmovdqa64 zmm16, zmmword ptr [{places} + 5888]
vpshufb zmm16, zmm16, zmm0
vpaddb zmm0, zmm11, zmm1
vmovdqa64 zmm17, zmmword ptr [{places} + 1472]
vpshufb zmm17, zmm17, zmm6
vpxord zmm3, zmm12, zmm3
vpxord zmm14, zmm13, zmm14
vmovdqa64 zmm13, zmmword ptr [{v} + 64]
vpandd zmm12, zmm13, zmm1
vpsrlw zmm13, zmm13, 4
vpsubb zmm5, zmm5, zmm9
vpsubb zmm4, zmm4, zmm9
vmovdqa64 zmm6, zmmword ptr [{places} + 5824]
vpshufb zmm6, zmm6, zmm8
vmovdqa64 zmm18, zmmword ptr [{places} + 5952]
vpshufb zmm18, zmm18, zmm8
vpminub zmm11, zmm0, zmm11
vpshufb zmm14, zmm2, zmm14
vpshufb zmm0, zmm10, zmm3
vpandd zmm13, zmm13, zmm1
vmovdqa64 zmm8, zmmword ptr [{places} + 384]
vpshufb zmm8, zmm8, zmm12
vmovdqa64 zmm19, zmmword ptr [{places} + 512]
vpshufb zmm19, zmm19, zmm12
vpaddb zmm12, zmm4, zmm1
vmovdqa64 zmm20, zmmword ptr [{places} + 3008]
vpshufb zmm20, zmm20, zmm5
vpxord zmm6, zmm15, zmm6
vpxord zmm18, zmm16, zmm18
vmovdqa64 zmm16, zmmword ptr [{v} + 320]
vpandd zmm15, zmm16, zmm1
vpsrlw zmm16, zmm16, 4
vmovdqa64 zmm5, zmmword ptr [{numbers} + 256]
vpshufb zmm21, zmm5, zmm11
vmovdqa64 zmm22, zmmword ptr [{places} + 1408]
vpshufb zmm22, zmm22, zmm11
vpsubb zmm3, zmm3, zmm14
vpsubb zmm0, zmm0, zmm14
vmovdqa64 zmm11, zmmword ptr [{places} + 448]
vpshufb zmm11, zmm11, zmm13
vmovdqa64 zmm23, zmmword ptr [{places} + 576]
vpshufb zmm23, zmm23, zmm13
vpminub zmm4, zmm12, zmm4
vpshufb zmm18, zmm2, zmm18
vpshufb zmm12, zmm10, zmm6
vpandd zmm16, zmm16, zmm1
vmovdqa64 zmm13, zmmword ptr [{places} + 1920]
vpshufb zmm13, zmm13, zmm15
vmovdqa64 zmm24, zmmword ptr [{places} + 2048]
vpshufb zmm24, zmm24, zmm15
vpaddb zmm7, zmm21, zmm7
vpaddb zmm21, zmm0, zmm1
vmovdqa64 zmm15, zmmword ptr [{places} + 4544]
vpshufb zmm15, zmm15, zmm3
vpxord zmm11, zmm8, zmm11
vpxord zmm23, zmm19, zmm23
vmovdqa64 zmm19, zmmword ptr [{v} + 576]
vpandd zmm8, zmm19, zmm1
vpsrlw zmm19, zmm19, 4
vpshufb zmm3, zmm5, zmm4
vmovdqa64 zmm25, zmmword ptr [{places} + 2944]
vpshufb zmm25, zmm25, zmm4
vpsubb zmm6, zmm6, zmm18
vpsubb zmm12, zmm12, zmm18
vmovdqa64 zmm4, zmmword ptr [{places} + 1984]
vpshufb zmm4, zmm4, zmm16
vmovdqa64 zmm26, zmmword ptr [{places} + 2112]
vpshufb zmm26, zmm26, zmm16
vpaddb zmm16, zmm7, zmmword ptr [{numbers} + 64]
vpminub zmm0, zmm21, zmm0
vpshufb zmm23, zmm2, zmm23
vpshufb zmm21, zmm10, zmm11
vpandd zmm19, zmm19, zmm1
vmovdqa64 zmm27, zmmword ptr [{places} + 3456]
vpshufb zmm27, zmm27, zmm8
vmovdqa64 zmm28, zmmword ptr [{places} + 3584]
vpshufb zmm28, zmm28, zmm8
vpaddb zmm9, zmm3, zmm9
vpaddb zmm3, zmm12, zmm1
vmovdqa64 zmm8, zmmword ptr [{places} + 6080]
vpshufb zmm8, zmm8, zmm6
vpxord zmm4, zmm13, zmm4
vpxord zmm26, zmm24, zmm26
vmovdqa64 zmm24, zmmword ptr [{v} + 832]
vpandd zmm13, zmm24, zmm1
vpsrlw zmm24, zmm24, 4
vpminub zmm7, zmm16, zmm7
vpshufb zmm16, zmm5, zmm0
vmovdqa64 zmm6, zmmword ptr [{places} + 4480]
vpshufb zmm6, zmm6, zmm0
vpsubb zmm11, zmm11, zmm23
vpsubb zmm21, zmm21, zmm23
vmovdqa64 zmm0, zmmword ptr [{places} + 3520]
vpshufb zmm0, zmm0, zmm19
vmovdqa64 zmm29, zmmword ptr [{places} + 3648]
vpshufb zmm29, zmm29, zmm19
vpaddb zmm19, zmm9, zmmword ptr [{numbers} + 64]
vpminub zmm12, zmm3, zmm12
vpshufb zmm26, zmm2, zmm26
vpshufb zmm3, zmm10, zmm4
vpandd zmm24, zmm24, zmm1
vmovdqa64 zmm30, zmmword ptr [{places} + 4992]
vpshufb zmm30, zmm30, zmm13
vmovdqa64 zmm31, zmmword ptr [{places} + 5120]
vpshufb zmm31, zmm31, zmm13
vbroadcasti32x4 zmm13, xmmword ptr [{keys} + 48]
vpshufb zmm13, zmm13, zmm7
vpaddb zmm14, zmm16, zmm14
vpaddb zmm16, zmm21, zmm1
vmovdqa64 zmm7, zmmword ptr [{places} + 704]
vpshufb zmm7, zmm7, zmm11
vpxord zmm0, zmm27, zmm0
vpxord zmm29, zmm28, zmm29
vmovdqa64 zmm28, zmmword ptr [{v} + 128]
vpandd zmm27, zmm28, zmm1
vpsrlw zmm28, zmm28, 4
vpminub zmm9, zmm19, zmm9
vpshufb zmm19, zmm5, zmm12
vmovdqa64 zmm11, zmmword ptr [{places} + 6016]
vpshufb zmm11, zmm11, zmm12
vpsubb zmm4, zmm4, zmm26
vpsubb zmm3, zmm3, zmm26
vmovdqa64 zmm12, zmmword ptr [{places} + 5056]
vpshufb zmm12, zmm12, zmm24
vmovdqa64 zmmword ptr [{slots} + 0], zmm7
vmovdqa64 zmm7, zmmword ptr [{places} + 5184]
vpshufb zmm7, zmm7, zmm24
vpternlogd zmm13, zmm22, zmm17, 0x96
vpaddb zmm17, zmm14, zmmword ptr [{numbers} + 64]
vpminub zmm21, zmm16, zmm21
vpshufb zmm29, zmm2, zmm29
vpshufb zmm16, zmm10, zmm0
vpandd zmm28, zmm28, zmm1
vmovdqa64 zmm22, zmmword ptr [{places} + 768]
vpshufb zmm22, zmm22, zmm27
vmovdqa64 zmm24, zmmword ptr [{places} + 896]
vpshufb zmm24, zmm24, zmm27
vbroadcasti32x4 zmm27, xmmword ptr [{keys} + 112]
vpshufb zmm27, zmm27, zmm9
vpaddb zmm18, zmm19, zmm18
vpaddb zmm19, zmm3, zmm1
vmovdqa64 zmm9, zmmword ptr [{places} + 2240]
vpshufb zmm9, zmm9, zmm4
vpxord zmm12, zmm30, zmm12
vpxord zmm7, zmm31, zmm7
vmovdqa64 zmm31, zmmword ptr [{v} + 384]
vpandd zmm30, zmm31, zmm1
vpsrlw zmm31, zmm31, 4
vpandd zmm4, zmm13, zmm1
vpsrlw zmm13, zmm13, 4
vpminub zmm14, zmm17, zmm14
vpshufb zmm17, zmm5, zmm21
vmovdqa64 zmmword ptr [{slots} + 64], zmm4
vmovdqa64 zmm4, zmmword ptr [{places} + 640]
vpshufb zmm4, zmm4, zmm21
vpsubb zmm0, zmm0, zmm29
vpsubb zmm16, zmm16, zmm29
vmovdqa64 zmm21, zmmword ptr [{places} + 832]
vpshufb zmm21, zmm21, zmm28
vmovdqa64 zmmword ptr [{slots} + 128], zmm9
vmovdqa64 zmm9, zmmword ptr [{places} + 960]
vpshufb zmm9, zmm9, zmm28
vpternlogd zmm27, zmm25, zmm20, 0x96
vpaddb zmm20, zmm18, zmmword ptr [{numbers} + 64]
vpminub zmm3, zmm19, zmm3
vpshufb zmm7, zmm2, zmm7
vpshufb zmm19, zmm10, zmm12
vpandd zmm31, zmm31, zmm1
vmovdqa64 zmm25, zmmword ptr [{places} + 2304]
vpshufb zmm25, zmm25, zmm30
vmovdqa64 zmm28, zmmword ptr [{places} + 2432]
vpshufb zmm28, zmm28, zmm30
vpandd zmm13, zmm13, zmm1
vbroadcasti32x4 zmm30, xmmword ptr [{keys} + 176]
vpshufb zmm30, zmm30, zmm14
vpaddb zmm23, zmm17, zmm23
vpaddb zmm17, zmm16, zmm1
vmovdqa64 zmm14, zmmword ptr [{places} + 3776]
vpshufb zmm14, zmm14, zmm0
vpxord zmm21, zmm22, zmm21
vpxord zmm9, zmm24, zmm9
vmovdqa64 zmm24, zmmword ptr [{v} + 640]
vpandd zmm22, zmm24, zmm1
vpsrlw zmm24, zmm24, 4
vpandd zmm0, zmm27, zmm1
vpsrlw zmm27, zmm27, 4
vpminub zmm18, zmm20, zmm18
vpshufb zmm20, zmm5, zmm3
vmovdqa64 zmmword ptr [{slots} + 192], zmm13
vmovdqa64 zmm13, zmmword ptr [{places} + 2176]
vpshufb zmm13, zmm13, zmm3
vpsubb zmm12, zmm12, zmm7
vpsubb zmm19, zmm19, zmm7
vmovdqa64 zmm3, zmmword ptr [{places} + 2368]
vpshufb zmm3, zmm3, zmm31
vmovdqa64 zmmword ptr [{slots} + 256], zmm0
vmovdqa64 zmm0, zmmword ptr [{places} + 2496]
vpshufb zmm0, zmm0, zmm31
vpternlogd zmm30, zmm6, zmm15, 0x96
vpaddb zmm15, zmm23, zmmword ptr [{numbers} + 64]
vpminub zmm16, zmm17, zmm16
vpshufb zmm9, zmm2, zmm9
vpshufb zmm17, zmm10, zmm21
vpandd zmm24, zmm24, zmm1
vmovdqa64 zmm6, zmmword ptr [{places} + 3840]
vpshufb zmm6, zmm6, zmm22
vmovdqa64 zmm31, zmmword ptr [{places} + 3968]
vpshufb zmm31, zmm31, zmm22
vpandd zmm27, zmm27, zmm1
vbroadcasti32x4 zmm22, xmmword ptr [{keys} + 240]
vpshufb zmm22, zmm22, zmm18
vpaddb zmm26, zmm20, zmm26
vpaddb zmm20, zmm19, zmm1
vmovdqa64 zmm18, zmmword ptr [{places} + 5312]
vpshufb zmm18, zmm18, zmm12
vpxord zmm3, zmm25, zmm3
vpxord zmm0, zmm28, zmm0
vmovdqa64 zmm28, zmmword ptr [{v} + 896]
vpandd zmm25, zmm28, zmm1
vpsrlw zmm28, zmm28, 4
vpandd zmm12, zmm30, zmm1
vpsrlw zmm30, zmm30, 4
vpminub zmm23, zmm15, zmm23
vpshufb zmm15, zmm5, zmm16
vmovdqa64 zmmword ptr [{slots} + 320], zmm12
vmovdqa64 zmm12, zmmword ptr [{places} + 3712]
vpshufb zmm12, zmm12, zmm16
vpsubb zmm21, zmm21, zmm9
vpsubb zmm17, zmm17, zmm9
vmovdqa64 zmm16, zmmword ptr [{places} + 3904]
vpshufb zmm16, zmm16, zmm24
vmovdqa64 zmmword ptr [{slots} + 384], zmm27
vmovdqa64 zmm27, zmmword ptr [{places} + 4032]
vpshufb zmm27, zmm27, zmm24
vpternlogd zmm22, zmm11, zmm8, 0x96
vpaddb zmm8, zmm26, zmmword ptr [{numbers} + 64]
vpminub zmm19, zmm20, zmm19
vpshufb zmm0, zmm2, zmm0
vpshufb zmm20, zmm10, zmm3
vpandd zmm28, zmm28, zmm1
vmovdqa64 zmm11, zmmword ptr [{places} + 5376]
vpshufb zmm11, zmm11, zmm25
vmovdqa64 zmm24, zmmword ptr [{places} + 5504]
vpshufb zmm24, zmm24, zmm25
vpandd zmm30, zmm30, zmm1
vbroadcasti32x4 zmm25, xmmword ptr [{keys} + 16]
vpshufb zmm25, zmm25, zmm23
vpaddb zmm29, zmm15, zmm29
vpaddb zmm15, zmm17, zmm1
vmovdqa64 zmm23, zmmword ptr [{places} + 1088]
vpshufb zmm23, zmm23, zmm21
vpxord zmm16, zmm6, zmm16
vpxord zmm27, zmm31, zmm27
vmovdqa64 zmm31, zmmword ptr [{v} + 0]
vpandd zmm6, zmm31, zmm1
vpsrlw zmm31, zmm31, 4
vpandd zmm21, zmm22, zmm1
vpsrlw zmm22, zmm22, 4
vpminub zmm26, zmm8, zmm26
vpshufb zmm8, zmm5, zmm19
vmovdqa64 zmmword ptr [{slots} + 448], zmm21
vmovdqa64 zmm21, zmmword ptr [{places} + 5248]
vpshufb zmm21, zmm21, zmm19
vpsubb zmm3, zmm3, zmm0
vpsubb zmm20, zmm20, zmm0
vmovdqa64 zmm19, zmmword ptr [{places} + 5440]
vpshufb zmm19, zmm19, zmm28
vmovdqa64 zmmword ptr [{slots} + 512], zmm30
vmovdqa64 zmm30, zmmword ptr [{places} + 5568]
vpshufb zmm30, zmm30, zmm28
vpternlogd zmm25, zmm4, zmmword ptr [{slots} + 0], 0x96
vpaddb zmm4, zmm29, zmmword ptr [{numbers} + 64]
vpminub zmm17, zmm15, zmm17
vpshufb zmm27, zmm2, zmm27
vpshufb zmm15, zmm10, zmm16
vpandd zmm31, zmm31, zmm1
vmovdqa64 zmm28, zmmword ptr [{places} + 0]
vpshufb zmm28, zmm28, zmm6
vmovdqa64 zmmword ptr [{slots} + 0], zmm23
vmovdqa64 zmm23, zmmword ptr [{places} + 128]
vpshufb zmm23, zmm23, zmm6
vpandd zmm22, zmm22, zmm1
vbroadcasti32x4 zmm6, xmmword ptr [{keys} + 80]
vpshufb zmm6, zmm6, zmm26
vpaddb zmm7, zmm8, zmm7
vpaddb zmm8, zmm20, zmm1
vmovdqa64 zmm26, zmmword ptr [{places} + 2624]
vpshufb zmm26, zmm26, zmm3
vpxord zmm19, zmm11, zmm19
vpxord zmm30, zmm24, zmm30
vmovdqa64 zmm24, zmmword ptr [{v} + 256]
vpandd zmm11, zmm24, zmm1
vpsrlw zmm24, zmm24, 4
vpandd zmm3, zmm25, zmm1
vpsrlw zmm25, zmm25, 4
vpminub zmm29, zmm4, zmm29
vpshufb zmm4, zmm5, zmm17
vmovdqa64 zmmword ptr [{slots} + 576], zmm3
vmovdqa64 zmm3, zmmword ptr [{places} + 1024]
vpshufb zmm3, zmm3, zmm17
vpsubb zmm16, zmm16, zmm27
vpsubb zmm15, zmm15, zmm27
vmovdqa64 zmm17, zmmword ptr [{places} + 64]
vpshufb zmm17, zmm17, zmm31
vmovdqa64 zmmword ptr [{slots} + 640], zmm22
vmovdqa64 zmm22, zmmword ptr [{places} + 192]
vpshufb zmm22, zmm22, zmm31
vpternlogd zmm6, zmm13, zmmword ptr [{slots} + 128], 0x96
vpaddb zmm13, zmm7, zmmword ptr [{numbers} + 64]
vpminub zmm20, zmm8, zmm20
vpshufb zmm30, zmm2, zmm30
vpshufb zmm8, zmm10, zmm19
vpandd zmm24, zmm24, zmm1
vmovdqa64 zmm31, zmmword ptr [{places} + 1536]
vpshufb zmm31, zmm31, zmm11
vmovdqa64 zmmword ptr [{slots} + 128], zmm26
vmovdqa64 zmm26, zmmword ptr [{places} + 1664]
vpshufb zmm26, zmm26, zmm11
vpandd zmm25, zmm25, zmm1
vbroadcasti32x4 zmm11, xmmword ptr [{keys} + 144]
vpshufb zmm11, zmm11, zmm29
vpaddb zmm9, zmm4, zmm9
vpaddb zmm4, zmm15, zmm1
vmovdqa64 zmm29, zmmword ptr [{places} + 4160]
vpshufb zmm29, zmm29, zmm16
vpxord zmm17, zmm28, zmm17
vpxord zmm22, zmm23, zmm22
vmovdqa64 zmm23, zmmword ptr [{v} + 512]
vpandd zmm28, zmm23, zmm1
vpsrlw zmm23, zmm23, 4
vpandd zmm16, zmm6, zmm1
vpsrlw zmm6, zmm6, 4
vpminub zmm7, zmm13, zmm7
vpshufb zmm13, zmm5, zmm20
vmovdqa64 zmmword ptr [{slots} + 704], zmm16
vmovdqa64 zmm16, zmmword ptr [{places} + 2560]
vpshufb zmm16, zmm16, zmm20
vpsubb zmm19, zmm19, zmm30
vpsubb zmm8, zmm8, zmm30
vmovdqa64 zmm20, zmmword ptr [{places} + 1600]
vpshufb zmm20, zmm20, zmm24
vmovdqa64 zmmword ptr [{slots} + 768], zmm25
vmovdqa64 zmm25, zmmword ptr [{places} + 1728]
vpshufb zmm25, zmm25, zmm24
vpternlogd zmm11, zmm12, zmm14, 0x96
vpaddb zmm14, zmm9, zmmword ptr [{numbers} + 64]
vpminub zmm15, zmm4, zmm15
vpshufb zmm22, zmm2, zmm22
vpshufb zmm4, zmm10, zmm17
vpandd zmm23, zmm23, zmm1
vmovdqa64 zmm12, zmmword ptr [{places} + 3072]
vpshufb zmm12, zmm12, zmm28
vmovdqa64 zmm24, zmmword ptr [{places} + 3200]
vpshufb zmm24, zmm24, zmm28
vpandd zmm6, zmm6, zmm1
vbroadcasti32x4 zmm28, xmmword ptr [{keys} + 208]
vpshufb zmm28, zmm28, zmm7
vpaddb zmm0, zmm13, zmm0
vpaddb zmm13, zmm8, zmm1
vmovdqa64 zmm7, zmmword ptr [{places} + 5696]
vpshufb zmm7, zmm7, zmm19
vpxord zmm20, zmm31, zmm20
vpxord zmm25, zmm26, zmm25
vmovdqa64 zmm26, zmmword ptr [{v} + 768]
vpandd zmm31, zmm26, zmm1
vpsrlw zmm26, zmm26, 4
vpandd zmm19, zmm11, zmm1
vpsrlw zmm11, zmm11, 4
vpminub zmm9, zmm14, zmm9
vpshufb zmm14, zmm5, zmm15
vmovdqa64 zmmword ptr [{slots} + 832], zmm19
vmovdqa64 zmm19, zmmword ptr [{places} + 4096]
vpshufb zmm19, zmm19, zmm15
vpsubb zmm17, zmm17, zmm22
vpsubb zmm4, zmm4, zmm22
vmovdqa64 zmm15, zmmword ptr [{places} + 3136]
vpshufb zmm15, zmm15, zmm23
vmovdqa64 zmmword ptr [{slots} + 896], zmm6
vmovdqa64 zmm6, zmmword ptr [{places} + 3264]
vpshufb zmm6, zmm6, zmm23
vpternlogd zmm28, zmm21, zmm18, 0x96
vpaddb zmm18, zmm0, zmmword ptr [{numbers} + 64]
vpminub zmm8, zmm13, zmm8
vpshufb zmm25, zmm2, zmm25
vpshufb zmm13, zmm10, zmm20
vpandd zmm26, zmm26, zmm1
vmovdqa64 zmm21, zmmword ptr [{places} + 4608]
vpshufb zmm21, zmm21, zmm31
vmovdqa64 zmm23, zmmword ptr [{places} + 4736]
vpshufb zmm23, zmm23, zmm31
vpandd zmm11, zmm11, zmm1
vbroadcasti32x4 zmm31, xmmword ptr [{keys} + 32]
vpshufb zmm31, zmm31, zmm9
vpaddb zmm27, zmm14, zmm27
vpaddb zmm14, zmm4, zmm1
vmovdqa64 zmm9, zmmword ptr [{places} + 320]
vpshufb zmm9, zmm9, zmm17
vpxord zmm15, zmm12, zmm15
vpxord zmm6, zmm24, zmm6
vpandd zmm24, zmm28, zmm1
vpsrlw zmm28, zmm28, 4
vpminub zmm0, zmm18, zmm0
vpshufb zmm18, zmm5, zmm8
vmovdqa64 zmm12, zmmword ptr [{places} + 5632]
vpshufb zmm12, zmm12, zmm8
vpsubb zmm20, zmm20, zmm25
vpsubb zmm13, zmm13, zmm25
vmovdqa64 zmm8, zmmword ptr [{places} + 4672]
vpshufb zmm8, zmm8, zmm26
vmovdqa64 zmm17, zmmword ptr [{places} + 4800]
vpshufb zmm17, zmm17, zmm26
vpternlogd zmm31, zmm3, zmmword ptr [{slots} + 0], 0x96
vpaddb zmm3, zmm27, zmmword ptr [{numbers} + 64]
vpminub zmm4, zmm14, zmm4
vpshufb zmm6, zmm2, zmm6
vpshufb zmm14, zmm10, zmm15
vpandd zmm28, zmm28, zmm1
vbroadcasti32x4 zmm26, xmmword ptr [{keys} + 96]
vpshufb zmm26, zmm26, zmm0
vpaddb zmm30, zmm18, zmm30
vpaddb zmm18, zmm13, zmm1
vmovdqa64 zmm0, zmmword ptr [{places} + 1856]
vpshufb zmm0, zmm0, zmm20
vpxord zmm8, zmm21, zmm8
vpxord zmm17, zmm23, zmm17
vpandd zmm23, zmm31, zmm1
vpsrlw zmm31, zmm31, 4
vpminub zmm27, zmm3, zmm27
vpshufb zmm3, zmm5, zmm4
vmovdqa64 zmm21, zmmword ptr [{places} + 256]
vpshufb zmm21, zmm21, zmm4
vpsubb zmm15, zmm15, zmm6
vpsubb zmm14, zmm14, zmm6
vpternlogd zmm26, zmm16, zmmword ptr [{slots} + 128], 0x96
vpaddb zmm16, zmm30, zmmword ptr [{numbers} + 64]
vpminub zmm13, zmm18, zmm13
vpshufb zmm17, zmm2, zmm17
vpshufb zmm10, zmm10, zmm8
vmovdqa64 zmm2, zmmword ptr [{slots} + 256]
vmovdqa64 zmm18, zmmword ptr [{leaves} + 512]
vpshufb zmm18, zmm18, zmm2
vmovdqa64 zmm4, zmmword ptr [{slots} + 384]
vmovdqa64 zmm20, zmmword ptr [{leaves} + 576]
vpshufb zmm20, zmm20, zmm4
vmovdqa64 zmmword ptr [{slots} + 128], zmm23
vmovdqa64 zmm23, zmmword ptr [{slots} + 64]
vmovdqa64 zmmword ptr [{slots} + 0], zmm28
vmovdqa64 zmm28, zmmword ptr [{leaves} + 640]
vpshufb zmm28, zmm28, zmm23
vmovdqa64 zmmword ptr [{slots} + 960], zmm24
vmovdqa64 zmm24, zmmword ptr [{slots} + 192]
vmovdqa64 zmmword ptr [{slots} + 1024], zmm11
vmovdqa64 zmm11, zmmword ptr [{leaves} + 704]
vpshufb zmm11, zmm11, zmm24
vpandd zmm31, zmm31, zmm1
vmovdqa64 zmmword ptr [{slots} + 1088], zmm31
vbroadcasti32x4 zmm31, xmmword ptr [{keys} + 160]
vpshufb zmm31, zmm31, zmm27
vpaddb zmm22, zmm3, zmm22
vpaddb zmm3, zmm14, zmm1
vmovdqa64 zmm27, zmmword ptr [{places} + 3392]
vpshufb zmm27, zmm27, zmm15
vpandd zmm15, zmm26, zmm1
vpsrlw zmm26, zmm26, 4
vpminub zmm30, zmm16, zmm30
vpshufb zmm16, zmm5, zmm13
vmovdqa64 zmmword ptr [{slots} + 1152], zmm15
vmovdqa64 zmm15, zmmword ptr [{places} + 1792]
vpshufb zmm15, zmm15, zmm13
vpsubb zmm8, zmm8, zmm17
vpsubb zmm10, zmm10, zmm17
vpternlogd zmm31, zmm19, zmm29, 0x96
vpaddb zmm29, zmm22, zmmword ptr [{numbers} + 64]
vpminub zmm14, zmm3, zmm14
vpandd zmm26, zmm26, zmm1
vbroadcasti32x4 zmm3, xmmword ptr [{keys} + 224]
vpshufb zmm3, zmm3, zmm30
vpaddb zmm25, zmm16, zmm25
vpaddb zmm16, zmm10, zmm1
vmovdqa64 zmm30, zmmword ptr [{places} + 4928]
vpshufb zmm30, zmm30, zmm8
vpandd zmm8, zmm31, zmm1
vpsrlw zmm31, zmm31, 4
vpminub zmm22, zmm29, zmm22
vpshufb zmm29, zmm5, zmm14
vmovdqa64 zmm19, zmmword ptr [{places} + 3328]
vpshufb zmm19, zmm19, zmm14
vpternlogd zmm3, zmm12, zmm7, 0x96
vpaddb zmm7, zmm25, zmmword ptr [{numbers} + 64]
vpminub zmm10, zmm16, zmm10
vpandd zmm31, zmm31, zmm1
vbroadcasti32x4 zmm16, xmmword ptr [{keys} + 0]
vpshufb zmm16, zmm16, zmm22
vpaddb zmm6, zmm29, zmm6
vpandd zmm29, zmm3, zmm1
vpsrlw zmm3, zmm3, 4
vpminub zmm25, zmm7, zmm25
vpshufb zmm5, zmm5, zmm10
vmovdqa64 zmm7, zmmword ptr [{places} + 4864]
vpshufb zmm7, zmm7, zmm10
vmovdqa64 zmm10, zmmword ptr [{slots} + 320]
vpxord zmm22, zmm23, zmm10
vmovdqa64 zmm12, zmmword ptr [{slots} + 512]
vpxord zmm14, zmm24, zmm12
vmovdqa64 zmm13, zmmword ptr [{slots} + 448]
vmovdqa64 zmmword ptr [{slots} + 1216], zmm29
vpxord zmm29, zmm2, zmm13
vmovdqa64 zmmword ptr [{slots} + 1280], zmm31
vmovdqa64 zmm31, zmmword ptr [{slots} + 640]
vmovdqa64 zmmword ptr [{slots} + 1344], zmm8
vpxord zmm8, zmm4, zmm31
vmovdqa64 zmmword ptr [{slots} + 1408], zmm26
vmovdqa64 zmm26, zmmword ptr [{leaves} + 128]
vpshufb zmm26, zmm26, zmm13
vmovdqa64 zmm4, zmmword ptr [{leaves} + 192]
vpshufb zmm4, zmm4, zmm31
vmovdqa64 zmm2, zmmword ptr [{leaves} + 256]
vpshufb zmm2, zmm2, zmm10
vmovdqa64 zmm24, zmmword ptr [{leaves} + 320]
vpshufb zmm24, zmm24, zmm12
vpxord zmm13, zmm10, zmm13
vpxord zmm31, zmm12, zmm31
vpternlogd zmm16, zmm21, zmm9, 0x96
vmovdqa64 zmm9, zmmword ptr [{numbers} + 64]
vpaddb zmm21, zmm6, zmm9
vpandd zmm3, zmm3, zmm1
vmovdqa64 zmmword ptr [{slots} + 1472], zmm3
vbroadcasti32x4 zmm3, xmmword ptr [{keys} + 64]
vpshufb zmm3, zmm3, zmm25
vpaddb zmm17, zmm5, zmm17
vmovdqa64 zmm5, zmmword ptr [{leaves} + 0]
vpshufb zmm5, zmm5, zmm13
vmovdqa64 zmm13, zmmword ptr [{leaves} + 64]
vpshufb zmm13, zmm13, zmm31
vpandd zmm31, zmm16, zmm1
vpsrlw zmm16, zmm16, 4
vpminub zmm6, zmm21, zmm6
vpternlogd zmm3, zmm15, zmm0, 0x96
vpaddb zmm9, zmm17, zmm9
vpxord zmm13, zmm5, zmm13
vpandd zmm16, zmm16, zmm1
vbroadcasti32x4 zmm5, xmmword ptr [{keys} + 128]
vpshufb zmm5, zmm5, zmm6
vpandd zmm6, zmm3, zmm1
vpsrlw zmm3, zmm3, 4
vpminub zmm17, zmm9, zmm17
vpternlogd zmm26, zmm13, zmm4, 0x96
vpternlogd zmm13, zmm2, zmm24, 0x96
vpternlogd zmm5, zmm19, zmm27, 0x96
vpandd zmm3, zmm3, zmm1
vbroadcasti32x4 zmm27, xmmword ptr [{keys} + 192]
vpshufb zmm27, zmm27, zmm17
vmovdqa64 zmm17, zmmword ptr [{leaves} + 896]
vpshufb zmm17, zmm17, zmm29
vmovdqa64 zmm19, zmmword ptr [{leaves} + 960]
vpshufb zmm19, zmm19, zmm8
vmovdqa64 zmm24, zmmword ptr [{leaves} + 1024]
vpshufb zmm24, zmm24, zmm22
vmovdqa64 zmm2, zmmword ptr [{leaves} + 1088]
vpshufb zmm2, zmm2, zmm14
vpxord zmm29, zmm22, zmm29
vpxord zmm8, zmm14, zmm8
vpandd zmm14, zmm5, zmm1
vpsrlw zmm5, zmm5, 4
vpternlogd zmm27, zmm7, zmm30, 0x96
vmovdqa64 zmm30, zmmword ptr [{leaves} + 768]
vpshufb zmm30, zmm30, zmm29
vmovdqa64 zmm29, zmmword ptr [{leaves} + 832]
vpshufb zmm29, zmm29, zmm8
vpandd zmm5, zmm5, zmm1
vpandd zmm8, zmm27, zmm1
vpsrlw zmm27, zmm27, 4
vpxord zmm29, zmm30, zmm29
vpandd zmm1, zmm27, zmm1
vpternlogd zmm17, zmm29, zmm19, 0x96
vpternlogd zmm29, zmm24, zmm2, 0x96
vpternlogd zmm18, zmm17, zmm20, 0x96
vpternlogd zmm28, zmm29, zmm11, 0x96
vpxord zmm11, zmm23, zmmword ptr [{slots} + 576]
vmovdqa64 zmm20, zmmword ptr [{slots} + 768]
vpxord zmm2, zmm20, zmmword ptr [{slots} + 192]
vmovdqa64 zmm24, zmmword ptr [{slots} + 704]
vpxord zmm19, zmm24, zmmword ptr [{slots} + 256]
vmovdqa64 zmm27, zmmword ptr [{slots} + 896]
vpxord zmm30, zmm27, zmmword ptr [{slots} + 384]
vpxord zmm7, zmm10, zmmword ptr [{slots} + 832]
vpxord zmm22, zmm12, zmmword ptr [{slots} + 1024]
vmovdqa64 zmm4, zmmword ptr [{slots} + 960]
vpxord zmm9, zmm4, zmmword ptr [{slots} + 448]
vmovdqa64 zmm0, zmmword ptr [{slots} + 0]
vpxord zmm15, zmm0, zmmword ptr [{slots} + 640]
vmovdqa64 zmm21, zmmword ptr [{leaves} + 2688]
vpshufb zmm21, zmm21, zmm11
vmovdqa64 zmm25, zmmword ptr [{leaves} + 2752]
vpshufb zmm25, zmm25, zmm2
vmovdqa64 zmmword ptr [{slots} + 1536], zmm28
vmovdqa64 zmm28, zmmword ptr [{leaves} + 2688]
vpshufb zmm28, zmm28, zmm19
vmovdqa64 zmmword ptr [{slots} + 1600], zmm18
vmovdqa64 zmm18, zmmword ptr [{leaves} + 2752]
vpshufb zmm18, zmm18, zmm30
vmovdqa64 zmm12, zmmword ptr [{leaves} + 2816]
vpshufb zmm12, zmm12, zmm19
vmovdqa64 zmm10, zmmword ptr [{leaves} + 2880]
vpshufb zmm10, zmm10, zmm30
vmovdqa64 zmm23, zmmword ptr [{leaves} + 3008]
vpshufb zmm23, zmm23, zmm2
vpternlogd zmm21, zmm25, zmm12, 0x96
vpternlogd zmm28, zmm18, zmm11, 0x96
vpxord zmm18, zmm11, zmm7
vpxord zmm12, zmm2, zmm22
vpxord zmm25, zmm19, zmm9
vmovdqa64 zmmword ptr [{slots} + 1664], zmm30
vpxord zmm30, zmm30, zmm15
vmovdqa64 zmmword ptr [{slots} + 1728], zmm19
vmovdqa64 zmm19, zmmword ptr [{leaves} + 2432]
vpshufb zmm19, zmm19, zmm9
vmovdqa64 zmmword ptr [{slots} + 1792], zmm2
vmovdqa64 zmm2, zmmword ptr [{leaves} + 2496]
vpshufb zmm2, zmm2, zmm15
vmovdqa64 zmmword ptr [{slots} + 1856], zmm11
vmovdqa64 zmm11, zmmword ptr [{leaves} + 2560]
vpshufb zmm11, zmm11, zmm7
vmovdqa64 zmmword ptr [{slots} + 1920], zmm1
vmovdqa64 zmm1, zmmword ptr [{leaves} + 2624]
vpshufb zmm1, zmm1, zmm22
vmovdqa64 zmmword ptr [{slots} + 1984], zmm9
vpxord zmm9, zmm7, zmm9
vmovdqa64 zmmword ptr [{slots} + 2048], zmm15
vpxord zmm15, zmm22, zmm15
vmovdqa64 zmmword ptr [{slots} + 2112], zmm22
vmovdqa64 zmm22, zmmword ptr [{leaves} + 2304]
vpshufb zmm22, zmm22, zmm9
vmovdqa64 zmm9, zmmword ptr [{leaves} + 2368]
vpshufb zmm9, zmm9, zmm15
vpxord zmm9, zmm22, zmm9
vpternlogd zmm19, zmm9, zmm2, 0x96
vpternlogd zmm9, zmm11, zmm1, 0x96
vmovdqa64 zmm1, zmmword ptr [{leaves} + 3136]
vpshufb zmm1, zmm1, zmm12
vmovdqa64 zmm11, zmmword ptr [{leaves} + 3136]
vpshufb zmm11, zmm11, zmm30
vmovdqa64 zmm2, zmmword ptr [{leaves} + 3200]
vpshufb zmm2, zmm2, zmm25
vmovdqa64 zmm22, zmmword ptr [{leaves} + 3264]
vpshufb zmm22, zmm22, zmm30
vmovdqa64 zmm30, zmmword ptr [{leaves} + 3328]
vpshufb zmm30, zmm30, zmm18
vmovdqa64 zmm15, zmmword ptr [{leaves} + 3392]
vpshufb zmm15, zmm15, zmm12
vpternlogd zmm1, zmm2, zmm18, 0x96
vpternlogd zmm11, zmm30, zmm25, 0x96
vpxord zmm22, zmm1, zmm22
vpxord zmm15, zmm11, zmm15
vpxord zmm19, zmm19, zmm22
vpxord zmm9, zmm9, zmm15
vpternlogd zmm22, zmm21, zmm10, 0x96
vpternlogd zmm15, zmm28, zmm23, 0x96
vmovdqa64 zmm23, zmmword ptr [{leaves} + 1600]
vpshufb zmm23, zmm23, zmm20
vmovdqa64 zmm28, zmmword ptr [{leaves} + 1600]
vpshufb zmm28, zmm28, zmm27
vmovdqa64 zmm10, zmmword ptr [{leaves} + 1664]
vpshufb zmm10, zmm10, zmm24
vmovdqa64 zmm21, zmmword ptr [{leaves} + 1728]
vpshufb zmm21, zmm21, zmm27
vmovdqa64 zmm11, zmmword ptr [{slots} + 576]
vmovdqa64 zmm1, zmmword ptr [{leaves} + 1792]
vpshufb zmm1, zmm1, zmm11
vmovdqa64 zmm25, zmmword ptr [{leaves} + 1856]
vpshufb zmm25, zmm25, zmm20
vpternlogd zmm23, zmm10, zmm11, 0x96
vpternlogd zmm28, zmm1, zmm24, 0x96
vmovdqa64 zmm1, zmmword ptr [{slots} + 832]
vpxord zmm10, zmm11, zmm1
vmovdqa64 zmm30, zmmword ptr [{slots} + 1024]
vpxord zmm18, zmm20, zmm30
vpxord zmm2, zmm24, zmm4
vpxord zmm12, zmm27, zmm0
vmovdqa64 zmmword ptr [{slots} + 2176], zmm15
vmovdqa64 zmm15, zmmword ptr [{leaves} + 1280]
vpshufb zmm15, zmm15, zmm4
vmovdqa64 zmmword ptr [{slots} + 2240], zmm22
vmovdqa64 zmm22, zmmword ptr [{leaves} + 1344]
vpshufb zmm22, zmm22, zmm0
vpxord zmm4, zmm1, zmm4
vpxord zmm0, zmm30, zmm0
vmovdqa64 zmm30, zmmword ptr [{leaves} + 1152]
vpshufb zmm30, zmm30, zmm4
vmovdqa64 zmm4, zmmword ptr [{leaves} + 1216]
vpshufb zmm4, zmm4, zmm0
vpxord zmm4, zmm30, zmm4
vpternlogd zmm15, zmm4, zmm22, 0x96
vmovdqa64 zmm22, zmmword ptr [{leaves} + 2048]
vpshufb zmm22, zmm22, zmm2
vmovdqa64 zmm30, zmmword ptr [{leaves} + 2112]
vpshufb zmm30, zmm30, zmm12
vmovdqa64 zmm0, zmmword ptr [{leaves} + 2176]
vpshufb zmm0, zmm0, zmm10
vmovdqa64 zmm1, zmmword ptr [{leaves} + 2240]
vpshufb zmm1, zmm1, zmm18
vpxord zmm2, zmm10, zmm2
vpxord zmm12, zmm18, zmm12
vmovdqa64 zmm18, zmmword ptr [{leaves} + 1920]
vpshufb zmm18, zmm18, zmm2
vmovdqa64 zmm2, zmmword ptr [{leaves} + 1984]
vpshufb zmm2, zmm2, zmm12
vpxord zmm2, zmm18, zmm2
vpternlogd zmm22, zmm2, zmm30, 0x96
vpternlogd zmm2, zmm0, zmm1, 0x96
vpternlogd zmm23, zmm22, zmm21, 0x96
vpternlogd zmm28, zmm2, zmm25, 0x96
vpternlogd zmm17, zmm19, zmm26, 0x96
vpternlogd zmm29, zmm9, zmm13, 0x96
vpternlogd zmm22, zmm15, zmm19, 0x96
vpternlogd zmm2, zmm4, zmm9, 0x96
vmovdqa64 zmm9, zmmword ptr [{slots} + 128]
vmovdqa64 zmm4, zmmword ptr [{leaves} + 3840]
vpshufb zmm4, zmm4, zmm9
vmovdqa64 zmm19, zmmword ptr [{slots} + 1088]
vmovdqa64 zmm15, zmmword ptr [{leaves} + 3904]
vpshufb zmm15, zmm15, zmm19
vmovdqa64 zmm13, zmmword ptr [{slots} + 1152]
vmovdqa64 zmm26, zmmword ptr [{leaves} + 3840]
vpshufb zmm26, zmm26, zmm13
vmovdqa64 zmm25, zmmword ptr [{slots} + 1408]
vmovdqa64 zmm21, zmmword ptr [{leaves} + 3904]
vpshufb zmm21, zmm21, zmm25
vmovdqa64 zmm1, zmmword ptr [{leaves} + 3968]
vpshufb zmm1, zmm1, zmm13
vmovdqa64 zmm0, zmmword ptr [{leaves} + 4032]
vpshufb zmm0, zmm0, zmm25
vpternlogd zmm4, zmm15, zmm1, 0x96
vmovdqa64 zmm1, zmmword ptr [{slots} + 1344]
vpxord zmm15, zmm9, zmm1
vmovdqa64 zmm30, zmmword ptr [{slots} + 1280]
vpxord zmm18, zmm19, zmm30
vmovdqa64 zmm12, zmmword ptr [{slots} + 1216]
vpxord zmm10, zmm13, zmm12
vmovdqa64 zmmword ptr [{slots} + 2304], zmm29
vmovdqa64 zmm29, zmmword ptr [{slots} + 1472]
vmovdqa64 zmmword ptr [{slots} + 2368], zmm17
vpxord zmm17, zmm25, zmm29
vmovdqa64 zmmword ptr [{slots} + 2432], zmm28
vmovdqa64 zmm28, zmmword ptr [{leaves} + 3584]
vpshufb zmm28, zmm28, zmm12
vmovdqa64 zmmword ptr [{slots} + 2496], zmm23
vmovdqa64 zmm23, zmmword ptr [{leaves} + 3648]
vpshufb zmm23, zmm23, zmm29
vmovdqa64 zmmword ptr [{slots} + 2560], zmm2
vmovdqa64 zmm2, zmmword ptr [{leaves} + 3712]
vpshufb zmm2, zmm2, zmm1
vmovdqa64 zmmword ptr [{slots} + 2624], zmm22
vmovdqa64 zmm22, zmmword ptr [{leaves} + 3776]
vpshufb zmm22, zmm22, zmm30
vpxord zmm27, zmm1, zmm12
vpxord zmm24, zmm30, zmm29
vmovdqa64 zmm20, zmmword ptr [{leaves} + 3456]
vpshufb zmm20, zmm20, zmm27
vmovdqa64 zmm27, zmmword ptr [{leaves} + 3520]
vpshufb zmm27, zmm27, zmm24
vpxord zmm27, zmm20, zmm27
vpternlogd zmm28, zmm27, zmm23, 0x96
vpternlogd zmm27, zmm2, zmm22, 0x96
vmovdqa64 zmm22, zmmword ptr [{leaves} + 4352]
vpshufb zmm22, zmm22, zmm10
vmovdqa64 zmm2, zmmword ptr [{leaves} + 4416]
vpshufb zmm2, zmm2, zmm17
vmovdqa64 zmm23, zmmword ptr [{leaves} + 4480]
vpshufb zmm23, zmm23, zmm15
vmovdqa64 zmm20, zmmword ptr [{leaves} + 4544]
vpshufb zmm20, zmm20, zmm18
vpxord zmm10, zmm15, zmm10
vpxord zmm17, zmm18, zmm17
vmovdqa64 zmm18, zmmword ptr [{leaves} + 4224]
vpshufb zmm18, zmm18, zmm10
vmovdqa64 zmm10, zmmword ptr [{leaves} + 4288]
vpshufb zmm10, zmm10, zmm17
vpxord zmm10, zmm18, zmm10
vpternlogd zmm22, zmm10, zmm2, 0x96
vpternlogd zmm10, zmm23, zmm20, 0x96
vpternlogd zmm4, zmm22, zmm0, 0x96
vpternlogd zmm26, zmm10, zmm21, 0x96
vpxord zmm21, zmm31, zmm9
vpxord zmm0, zmm16, zmm19
vpxord zmm20, zmm6, zmm13
vpxord zmm23, zmm3, zmm25
vpxord zmm2, zmm14, zmm1
vpxord zmm18, zmm5, zmm30
vpxord zmm17, zmm8, zmm12
vpxord zmm15, zmm29, zmmword ptr [{slots} + 1920]
vmovdqa64 zmm24, zmmword ptr [{leaves} + 6336]
vpshufb zmm24, zmm24, zmm23
vmovdqa64 zmmword ptr [{slots} + 2688], zmm26
vmovdqa64 zmm26, zmmword ptr [{leaves} + 6400]
vpshufb zmm26, zmm26, zmm21
vmovdqa64 zmmword ptr [{slots} + 2752], zmm4
vmovdqa64 zmm4, zmmword ptr [{leaves} + 6464]
vpshufb zmm4, zmm4, zmm0
vpxord zmm29, zmm21, zmm20
vpxord zmm12, zmm0, zmm23
vmovdqa64 zmm30, zmmword ptr [{leaves} + 6144]
vpshufb zmm30, zmm30, zmm29
vmovdqa64 zmm29, zmmword ptr [{leaves} + 6208]
vpshufb zmm29, zmm29, zmm12
vpxord zmm29, zmm30, zmm29
vpternlogd zmm24, zmm29, zmm20, 0x96
vpternlogd zmm29, zmm26, zmm4, 0x96
vpxord zmm4, zmm21, zmm2
vpxord zmm26, zmm0, zmm18
vpxord zmm30, zmm20, zmm17
vpxord zmm12, zmm23, zmm15
vmovdqa64 zmm1, zmmword ptr [{leaves} + 5888]
vpshufb zmm1, zmm1, zmm17
vmovdqa64 zmm25, zmmword ptr [{leaves} + 5952]
vpshufb zmm25, zmm25, zmm15
vmovdqa64 zmm13, zmmword ptr [{leaves} + 6016]
vpshufb zmm13, zmm13, zmm2
vmovdqa64 zmm19, zmmword ptr [{leaves} + 6080]
vpshufb zmm19, zmm19, zmm18
vpxord zmm9, zmm2, zmm17
vpxord zmm11, zmm18, zmm15
vmovdqa64 zmmword ptr [{slots} + 2816], zmm15
vmovdqa64 zmm15, zmmword ptr [{leaves} + 5760]
vpshufb zmm15, zmm15, zmm9
vmovdqa64 zmm9, zmmword ptr [{leaves} + 5824]
vpshufb zmm9, zmm9, zmm11
vpxord zmm9, zmm15, zmm9
vpternlogd zmm1, zmm9, zmm25, 0x96
vpternlogd zmm9, zmm13, zmm19, 0x96
vmovdqa64 zmm19, zmmword ptr [{leaves} + 6528]
vpshufb zmm19, zmm19, zmm4
vmovdqa64 zmm4, zmmword ptr [{leaves} + 6592]
vpshufb zmm4, zmm4, zmm26
vmovdqa64 zmm26, zmmword ptr [{leaves} + 6528]
vpshufb zmm26, zmm26, zmm30
vmovdqa64 zmm13, zmmword ptr [{leaves} + 6592]
vpshufb zmm13, zmm13, zmm12
vmovdqa64 zmm25, zmmword ptr [{leaves} + 6656]
vpshufb zmm25, zmm25, zmm30
vmovdqa64 zmm30, zmmword ptr [{leaves} + 6720]
vpshufb zmm30, zmm30, zmm12
vpxord zmm13, zmm26, zmm13
vpternlogd zmm19, zmm4, zmm25, 0x96
vpxord zmm9, zmm9, zmm13
vpxord zmm13, zmm29, zmm13
vpxord zmm30, zmm19, zmm30
vpxord zmm1, zmm1, zmm30
vpxord zmm30, zmm24, zmm30
vmovdqa64 zmm24, zmmword ptr [{leaves} + 5248]
vpshufb zmm24, zmm24, zmm31
vmovdqa64 zmm19, zmmword ptr [{leaves} + 5312]
vpshufb zmm19, zmm19, zmm16
vpxord zmm29, zmm31, zmm14
vpxord zmm25, zmm16, zmm5
vpxord zmm4, zmm6, zmm8
vmovdqa64 zmm26, zmmword ptr [{slots} + 1920]
vpxord zmm12, zmm3, zmm26
vmovdqa64 zmm15, zmmword ptr [{leaves} + 4608]
vpshufb zmm15, zmm15, zmm14
vmovdqa64 zmm11, zmmword ptr [{leaves} + 4672]
vpshufb zmm11, zmm11, zmm5
vmovdqa64 zmmword ptr [{slots} + 2880], zmm13
vmovdqa64 zmm13, zmmword ptr [{leaves} + 4608]
vpshufb zmm13, zmm13, zmm8
vmovdqa64 zmmword ptr [{slots} + 2944], zmm30
vmovdqa64 zmm30, zmmword ptr [{leaves} + 4672]
vpshufb zmm30, zmm30, zmm26
vmovdqa64 zmmword ptr [{slots} + 3008], zmm5
vmovdqa64 zmm5, zmmword ptr [{leaves} + 4736]
vpshufb zmm5, zmm5, zmm8
vmovdqa64 zmmword ptr [{slots} + 3072], zmm8
vmovdqa64 zmm8, zmmword ptr [{leaves} + 4800]
vpshufb zmm8, zmm8, zmm26
vpternlogd zmm15, zmm11, zmm5, 0x96
vmovdqa64 zmm5, zmmword ptr [{leaves} + 5504]
vpshufb zmm5, zmm5, zmm4
vmovdqa64 zmm11, zmmword ptr [{leaves} + 5568]
vpshufb zmm11, zmm11, zmm12
vmovdqa64 zmm26, zmmword ptr [{leaves} + 5632]
vpshufb zmm26, zmm26, zmm29
vmovdqa64 zmmword ptr [{slots} + 3136], zmm14
vmovdqa64 zmm14, zmmword ptr [{leaves} + 5696]
vpshufb zmm14, zmm14, zmm25
vpxord zmm4, zmm29, zmm4
vpxord zmm12, zmm25, zmm12
vmovdqa64 zmm25, zmmword ptr [{leaves} + 5376]
vpshufb zmm25, zmm25, zmm4
vmovdqa64 zmm4, zmmword ptr [{leaves} + 5440]
vpshufb zmm4, zmm4, zmm12
vpxord zmm4, zmm25, zmm4
vpternlogd zmm5, zmm4, zmm11, 0x96
vpternlogd zmm4, zmm26, zmm14, 0x96
vpternlogd zmm15, zmm5, zmm8, 0x96
vpternlogd zmm13, zmm4, zmm30, 0x96
vpternlogd zmm4, zmm24, zmm19, 0x96
vpternlogd zmm22, zmm1, zmm28, 0x96
vpternlogd zmm10, zmm9, zmm27, 0x96
vpxord zmm21, zmm21, zmmword ptr [{slots} + 1856]
vpxord zmm0, zmm0, zmmword ptr [{slots} + 1792]
vpxord zmm20, zmm20, zmmword ptr [{slots} + 1728]
vpxord zmm23, zmm23, zmmword ptr [{slots} + 1664]
vpxord zmm7, zmm2, zmm7
vpxord zmm18, zmm18, zmmword ptr [{slots} + 2112]
vpxord zmm17, zmm17, zmmword ptr [{slots} + 1984]
vmovdqa64 zmm2, zmmword ptr [{slots} + 2816]
vpxord zmm2, zmm2, zmmword ptr [{slots} + 2048]
vmovdqa64 zmm27, zmmword ptr [{leaves} + 9344]
vpshufb zmm27, zmm27, zmm17
vmovdqa64 zmm28, zmmword ptr [{leaves} + 9408]
vpshufb zmm28, zmm28, zmm2
vmovdqa64 zmm19, zmmword ptr [{leaves} + 9472]
vpshufb zmm19, zmm19, zmm7
vmovdqa64 zmm24, zmmword ptr [{leaves} + 9536]
vpshufb zmm24, zmm24, zmm18
vpxord zmm7, zmm7, zmm21
vpxord zmm18, zmm18, zmm0
vpxord zmm17, zmm17, zmm20
vpxord zmm2, zmm2, zmm23
vmovdqa64 zmm30, zmmword ptr [{leaves} + 9728]
vpshufb zmm30, zmm30, zmm20
vmovdqa64 zmm8, zmmword ptr [{leaves} + 9792]
vpshufb zmm8, zmm8, zmm23
vmovdqa64 zmm14, zmmword ptr [{leaves} + 9856]
vpshufb zmm14, zmm14, zmm21
vmovdqa64 zmm26, zmmword ptr [{leaves} + 9920]
vpshufb zmm26, zmm26, zmm0
vpxord zmm20, zmm21, zmm20
vpxord zmm23, zmm0, zmm23
vmovdqa64 zmm0, zmmword ptr [{leaves} + 9600]
vpshufb zmm0, zmm0, zmm20
vmovdqa64 zmm20, zmmword ptr [{leaves} + 9664]
vpshufb zmm20, zmm20, zmm23
vpxord zmm20, zmm0, zmm20
vpternlogd zmm30, zmm20, zmm8, 0x96
vpternlogd zmm20, zmm14, zmm26, 0x96
vmovdqa64 zmm26, zmmword ptr [{leaves} + 10112]
vpshufb zmm26, zmm26, zmm17
vmovdqa64 zmm14, zmmword ptr [{leaves} + 10176]
vpshufb zmm14, zmm14, zmm2
vmovdqa64 zmm8, zmmword ptr [{leaves} + 10240]
vpshufb zmm8, zmm8, zmm7
vmovdqa64 zmm0, zmmword ptr [{leaves} + 10304]
vpshufb zmm0, zmm0, zmm18
vpxord zmm17, zmm7, zmm17
vpxord zmm2, zmm18, zmm2
vmovdqa64 zmm18, zmmword ptr [{leaves} + 9984]
vpshufb zmm18, zmm18, zmm17
vmovdqa64 zmm17, zmmword ptr [{leaves} + 10048]
vpshufb zmm17, zmm17, zmm2
vpxord zmm17, zmm18, zmm17
vpternlogd zmm26, zmm17, zmm14, 0x96
vpternlogd zmm17, zmm8, zmm0, 0x96
vpternlogd zmm27, zmm26, zmm28, 0x96
vpternlogd zmm19, zmm17, zmm24, 0x96
vpxord zmm26, zmm30, zmm26
vpxord zmm17, zmm20, zmm17
vpxord zmm31, zmm31, zmmword ptr [{slots} + 576]
vpxord zmm16, zmm16, zmmword ptr [{slots} + 768]
vpxord zmm6, zmm6, zmmword ptr [{slots} + 704]
vpxord zmm3, zmm3, zmmword ptr [{slots} + 896]
vmovdqa64 zmm20, zmmword ptr [{slots} + 3136]
vpxord zmm20, zmm20, zmmword ptr [{slots} + 832]
vmovdqa64 zmm30, zmmword ptr [{slots} + 3008]
vpxord zmm30, zmm30, zmmword ptr [{slots} + 1024]
vmovdqa64 zmm24, zmmword ptr [{slots} + 3072]
vpxord zmm24, zmm24, zmmword ptr [{slots} + 960]
vmovdqa64 zmm28, zmmword ptr [{slots} + 1920]
vpxord zmm28, zmm28, zmmword ptr [{slots} + 0]
vmovdqa64 zmm0, zmmword ptr [{leaves} + 8448]
vpshufb zmm0, zmm0, zmm31
vmovdqa64 zmm8, zmmword ptr [{leaves} + 8512]
vpshufb zmm8, zmm8, zmm16
vmovdqa64 zmm14, zmmword ptr [{leaves} + 8448]
vpshufb zmm14, zmm14, zmm6
vmovdqa64 zmm18, zmmword ptr [{leaves} + 8512]
vpshufb zmm18, zmm18, zmm3
vmovdqa64 zmm2, zmmword ptr [{leaves} + 8640]
vpshufb zmm2, zmm2, zmm3
vmovdqa64 zmm7, zmmword ptr [{leaves} + 8704]
vpshufb zmm7, zmm7, zmm31
vmovdqa64 zmm23, zmmword ptr [{leaves} + 8768]
vpshufb zmm23, zmm23, zmm16
vpternlogd zmm0, zmm8, zmm6, 0x96
vpternlogd zmm14, zmm18, zmm7, 0x96
vpxord zmm31, zmm31, zmm20
vpxord zmm16, zmm16, zmm30
vpxord zmm6, zmm6, zmm24
vpxord zmm3, zmm3, zmm28
vmovdqa64 zmm7, zmmword ptr [{leaves} + 8192]
vpshufb zmm7, zmm7, zmm24
vmovdqa64 zmm18, zmmword ptr [{leaves} + 8256]
vpshufb zmm18, zmm18, zmm28
vmovdqa64 zmm8, zmmword ptr [{leaves} + 8320]
vpshufb zmm8, zmm8, zmm20
vmovdqa64 zmm21, zmmword ptr [{leaves} + 8384]
vpshufb zmm21, zmm21, zmm30
vpxord zmm24, zmm20, zmm24
vpxord zmm28, zmm30, zmm28
vmovdqa64 zmm30, zmmword ptr [{leaves} + 8064]
vpshufb zmm30, zmm30, zmm24
vmovdqa64 zmm24, zmmword ptr [{leaves} + 8128]
vpshufb zmm24, zmm24, zmm28
vpxord zmm24, zmm30, zmm24
vpternlogd zmm7, zmm24, zmm18, 0x96
vpternlogd zmm24, zmm8, zmm21, 0x96
vmovdqa64 zmm21, zmmword ptr [{leaves} + 8960]
vpshufb zmm21, zmm21, zmm6
vmovdqa64 zmm8, zmmword ptr [{leaves} + 9024]
vpshufb zmm8, zmm8, zmm3
vmovdqa64 zmm18, zmmword ptr [{leaves} + 9088]
vpshufb zmm18, zmm18, zmm31
vmovdqa64 zmm30, zmmword ptr [{leaves} + 9152]
vpshufb zmm30, zmm30, zmm16
vpxord zmm6, zmm31, zmm6
vpxord zmm3, zmm16, zmm3
vmovdqa64 zmm16, zmmword ptr [{leaves} + 8832]
vpshufb zmm16, zmm16, zmm6
vmovdqa64 zmm6, zmmword ptr [{leaves} + 8896]
vpshufb zmm6, zmm6, zmm3
vpxord zmm6, zmm16, zmm6
vpternlogd zmm21, zmm6, zmm8, 0x96
vpternlogd zmm6, zmm18, zmm30, 0x96
vpternlogd zmm0, zmm21, zmm2, 0x96
vpternlogd zmm14, zmm6, zmm23, 0x96
vpternlogd zmm21, zmm7, zmm27, 0x96
vpternlogd zmm6, zmm24, zmm19, 0x96
vpxord zmm0, zmm0, zmm26
vpxord zmm14, zmm14, zmm17
vpternlogd zmm15, zmm21, zmm1, 0x96
vpternlogd zmm13, zmm6, zmm9, 0x96
vpternlogd zmm5, zmm0, zmmword ptr [{slots} + 2944], 0x96
vpternlogd zmm4, zmm14, zmmword ptr [{slots} + 2880], 0x96
vpxord zmm21, zmm21, zmmword ptr [{slots} + 2624]
vpxord zmm6, zmm6, zmmword ptr [{slots} + 2560]
vmovdqa64 zmm9, zmmword ptr [{slots} + 2240]
vpternlogd zmm0, zmm9, zmmword ptr [{slots} + 2496], 0x96
vmovdqa64 zmm1, zmmword ptr [{slots} + 2176]
vpternlogd zmm14, zmm1, zmmword ptr [{slots} + 2432], 0x96
vmovdqa64 zmmword ptr [{v} + 128], zmm21
vmovdqa64 zmmword ptr [{v} + 192], zmm15
vmovdqa64 zmmword ptr [{v} + 384], zmm6
vmovdqa64 zmmword ptr [{v} + 448], zmm13
vmovdqa64 zmmword ptr [{v} + 640], zmm0
vmovdqa64 zmmword ptr [{v} + 704], zmm5
vmovdqa64 zmmword ptr [{v} + 896], zmm14
vmovdqa64 zmmword ptr [{v} + 960], zmm4
vmovdqa64 zmm4, zmmword ptr [{slots} + 128]
vpxord zmm4, zmm4, zmmword ptr [{slots} + 64]
vmovdqa64 zmm14, zmmword ptr [{slots} + 1088]
vpxord zmm14, zmm14, zmmword ptr [{slots} + 192]
vmovdqa64 zmm5, zmmword ptr [{slots} + 1152]
vpxord zmm5, zmm5, zmmword ptr [{slots} + 256]
vmovdqa64 zmm0, zmmword ptr [{slots} + 1408]
vpxord zmm0, zmm0, zmmword ptr [{slots} + 384]
vmovdqa64 zmm13, zmmword ptr [{slots} + 1344]
vpxord zmm13, zmm13, zmmword ptr [{slots} + 320]
vmovdqa64 zmm6, zmmword ptr [{slots} + 1280]
vpxord zmm6, zmm6, zmmword ptr [{slots} + 512]
vmovdqa64 zmm15, zmmword ptr [{slots} + 1216]
vpxord zmm15, zmm15, zmmword ptr [{slots} + 448]
vmovdqa64 zmm21, zmmword ptr [{slots} + 1472]
vpxord zmm21, zmm21, zmmword ptr [{slots} + 640]
vmovdqa64 zmm24, zmmword ptr [{leaves} + 7424]
vpshufb zmm24, zmm24, zmm5
vmovdqa64 zmm7, zmmword ptr [{leaves} + 7488]
vpshufb zmm7, zmm7, zmm0
vmovdqa64 zmm23, zmmword ptr [{leaves} + 7552]
vpshufb zmm23, zmm23, zmm4
vmovdqa64 zmm2, zmmword ptr [{leaves} + 7616]
vpshufb zmm2, zmm2, zmm14
vpxord zmm30, zmm4, zmm5
vpxord zmm18, zmm14, zmm0
vmovdqa64 zmm8, zmmword ptr [{leaves} + 7296]
vpshufb zmm8, zmm8, zmm30
vmovdqa64 zmm30, zmmword ptr [{leaves} + 7360]
vpshufb zmm30, zmm30, zmm18
vpxord zmm30, zmm8, zmm30
vpternlogd zmm24, zmm30, zmm7, 0x96
vpternlogd zmm30, zmm23, zmm2, 0x96
vpxord zmm4, zmm4, zmm13
vpxord zmm14, zmm14, zmm6
vpxord zmm5, zmm5, zmm15
vpxord zmm0, zmm0, zmm21
vmovdqa64 zmm2, zmmword ptr [{leaves} + 7104]
vpshufb zmm2, zmm2, zmm21
vmovdqa64 zmm23, zmmword ptr [{leaves} + 7168]
vpshufb zmm23, zmm23, zmm13
vmovdqa64 zmm7, zmmword ptr [{leaves} + 7232]
vpshufb zmm7, zmm7, zmm6
vpxord zmm13, zmm13, zmm15
vpxord zmm21, zmm6, zmm21
vmovdqa64 zmm6, zmmword ptr [{leaves} + 6912]
vpshufb zmm6, zmm6, zmm13
vmovdqa64 zmm13, zmmword ptr [{leaves} + 6976]
vpshufb zmm13, zmm13, zmm21
vpxord zmm13, zmm6, zmm13
vpternlogd zmm2, zmm13, zmm15, 0x96
vpternlogd zmm13, zmm23, zmm7, 0x96
vmovdqa64 zmm7, zmmword ptr [{leaves} + 7808]
vpshufb zmm7, zmm7, zmm5
vmovdqa64 zmm23, zmmword ptr [{leaves} + 7872]
vpshufb zmm23, zmm23, zmm0
vmovdqa64 zmm15, zmmword ptr [{leaves} + 7936]
vpshufb zmm15, zmm15, zmm4
vmovdqa64 zmm6, zmmword ptr [{leaves} + 8000]
vpshufb zmm6, zmm6, zmm14
vpxord zmm5, zmm4, zmm5
vpxord zmm0, zmm14, zmm0
vmovdqa64 zmm14, zmmword ptr [{leaves} + 7680]
vpshufb zmm14, zmm14, zmm5
vmovdqa64 zmm5, zmmword ptr [{leaves} + 7744]
vpshufb zmm5, zmm5, zmm0
vpxord zmm5, zmm14, zmm5
vpternlogd zmm7, zmm5, zmm23, 0x96
vpternlogd zmm5, zmm15, zmm6, 0x96
vpternlogd zmm2, zmm7, zmm27, 0x96
vpternlogd zmm13, zmm5, zmm19, 0x96
vpternlogd zmm7, zmm24, zmm26, 0x96
vpternlogd zmm5, zmm30, zmm17, 0x96
vpxord zmm22, zmm22, zmm2
vpxord zmm10, zmm10, zmm13
vmovdqa64 zmm17, zmmword ptr [{slots} + 2944]
vpternlogd zmm17, zmm7, zmmword ptr [{slots} + 2752], 0x96
vmovdqa64 zmm30, zmmword ptr [{slots} + 2880]
vpternlogd zmm30, zmm5, zmmword ptr [{slots} + 2688], 0x96
vpxord zmm2, zmm2, zmmword ptr [{slots} + 2368]
vpxord zmm13, zmm13, zmmword ptr [{slots} + 2304]
vpternlogd zmm7, zmm9, zmmword ptr [{slots} + 1600], 0x96
vpternlogd zmm5, zmm1, zmmword ptr [{slots} + 1536], 0x96
vmovdqa64 zmmword ptr [{v} + 0], zmm2
vmovdqa64 zmmword ptr [{v} + 64], zmm22
vmovdqa64 zmmword ptr [{v} + 256], zmm13
vmovdqa64 zmmword ptr [{v} + 320], zmm10
vmovdqa64 zmmword ptr [{v} + 512], zmm7
vmovdqa64 zmmword ptr [{v} + 576], zmm17
vmovdqa64 zmmword ptr [{v} + 768], zmm5
vmovdqa64 zmmword ptr [{v} + 832], zmm30
add {list}, 8
add {keys}, 256
dec {count}
jnz 2b
vzeroupper
