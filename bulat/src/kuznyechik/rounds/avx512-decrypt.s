# Written by kuznyechik/assembly/octets.rs; not to be changed by hand.
2:
mov {places}, qword ptr [{list}]
vmovdqa64 zmm0, zmmword ptr [{v} + 192]
vmovdqa64 zmm1, zmmword ptr [{numbers} + 0]
vpandd zmm2, zmm0, zmm1
vpsrlw zmm0, zmm0, 4
vmovdqa64 zmm3, zmmword ptr [{v} + 448]
vpandd zmm4, zmm3, zmm1
vpsrlw zmm3, zmm3, 4
vmovdqa64 zmm5, zmmword ptr [{v} + 704]
vpandd zmm6, zmm5, zmm1
vpsrlw zmm5, zmm5, 4
vmovdqa64 zmm7, zmmword ptr [{v} + 960]
vpandd zmm8, zmm7, zmm1
vpsrlw zmm7, zmm7, 4
vpandd zmm0, zmm0, zmm1
vpandd zmm3, zmm3, zmm1
vpandd zmm5, zmm5, zmm1
vpandd zmm7, zmm7, zmm1
vmovdqa64 zmm9, zmmword ptr [{leaves} + 512]
vpshufb zmm9, zmm9, zmm4
vmovdqa64 zmm10, zmmword ptr [{leaves} + 576]
vpshufb zmm10, zmm10, zmm3
vmovdqa64 zmm11, zmmword ptr [{leaves} + 640]
vpshufb zmm11, zmm11, zmm2
vmovdqa64 zmm12, zmmword ptr [{leaves} + 704]
vpshufb zmm12, zmm12, zmm0
vpxord zmm13, zmm2, zmm6
vpxord zmm14, zmm0, zmm5
vpxord zmm15, zmm4, zmm8
vpxord zmm16, zmm3, zmm7
vmovdqa64 zmm17, zmmword ptr [{leaves} + 128]
vpshufb zmm17, zmm17, zmm8
vmovdqa64 zmm18, zmmword ptr [{leaves} + 192]
vpshufb zmm18, zmm18, zmm7
vmovdqa64 zmm19, zmmword ptr [{leaves} + 256]
vpshufb zmm19, zmm19, zmm6
vmovdqa64 zmm20, zmmword ptr [{leaves} + 320]
vpshufb zmm20, zmm20, zmm5
vpxord zmm21, zmm6, zmm8
vpxord zmm22, zmm5, zmm7
vmovdqa64 zmm23, zmmword ptr [{leaves} + 0]
vpshufb zmm23, zmm23, zmm21
vmovdqa64 zmm21, zmmword ptr [{leaves} + 64]
vpshufb zmm21, zmm21, zmm22
vpxord zmm21, zmm23, zmm21
vpternlogd zmm17, zmm21, zmm18, 0x96
vpternlogd zmm21, zmm19, zmm20, 0x96
vmovdqa64 zmm20, zmmword ptr [{leaves} + 896]
vpshufb zmm20, zmm20, zmm15
vmovdqa64 zmm19, zmmword ptr [{leaves} + 960]
vpshufb zmm19, zmm19, zmm16
vmovdqa64 zmm18, zmmword ptr [{leaves} + 1024]
vpshufb zmm18, zmm18, zmm13
vmovdqa64 zmm23, zmmword ptr [{leaves} + 1088]
vpshufb zmm23, zmm23, zmm14
vpxord zmm15, zmm13, zmm15
vpxord zmm16, zmm14, zmm16
vmovdqa64 zmm14, zmmword ptr [{v} + 64]
vpandd zmm13, zmm14, zmm1
vpsrlw zmm14, zmm14, 4
vmovdqa64 zmm22, zmmword ptr [{v} + 320]
vpandd zmm24, zmm22, zmm1
vpsrlw zmm22, zmm22, 4
vmovdqa64 zmm25, zmmword ptr [{v} + 576]
vpandd zmm26, zmm25, zmm1
vpsrlw zmm25, zmm25, 4
vmovdqa64 zmm27, zmmword ptr [{v} + 832]
vpandd zmm28, zmm27, zmm1
vpsrlw zmm27, zmm27, 4
vmovdqa64 zmm29, zmmword ptr [{leaves} + 768]
vpshufb zmm29, zmm29, zmm15
vmovdqa64 zmm15, zmmword ptr [{leaves} + 832]
vpshufb zmm15, zmm15, zmm16
vpandd zmm14, zmm14, zmm1
vpandd zmm22, zmm22, zmm1
vpandd zmm25, zmm25, zmm1
vpandd zmm27, zmm27, zmm1
vpxord zmm15, zmm29, zmm15
vpternlogd zmm20, zmm15, zmm19, 0x96
vpternlogd zmm15, zmm18, zmm23, 0x96
vpternlogd zmm9, zmm20, zmm10, 0x96
vpternlogd zmm11, zmm15, zmm12, 0x96
vpxord zmm12, zmm13, zmm2
vpxord zmm10, zmm14, zmm0
vpxord zmm23, zmm24, zmm4
vpxord zmm18, zmm22, zmm3
vpxord zmm19, zmm26, zmm6
vpxord zmm29, zmm25, zmm5
vpxord zmm16, zmm28, zmm8
vpxord zmm30, zmm27, zmm7
vmovdqa64 zmm31, zmmword ptr [{leaves} + 2688]
vpshufb zmm31, zmm31, zmm12
vmovdqa64 zmmword ptr [{slots} + 0], zmm11
vmovdqa64 zmm11, zmmword ptr [{leaves} + 2752]
vpshufb zmm11, zmm11, zmm10
vmovdqa64 zmmword ptr [{slots} + 64], zmm9
vmovdqa64 zmm9, zmmword ptr [{leaves} + 2688]
vpshufb zmm9, zmm9, zmm23
vmovdqa64 zmmword ptr [{slots} + 128], zmm7
vmovdqa64 zmm7, zmmword ptr [{leaves} + 2752]
vpshufb zmm7, zmm7, zmm18
vmovdqa64 zmmword ptr [{slots} + 192], zmm8
vmovdqa64 zmm8, zmmword ptr [{leaves} + 2816]
vpshufb zmm8, zmm8, zmm23
vmovdqa64 zmmword ptr [{slots} + 256], zmm5
vmovdqa64 zmm5, zmmword ptr [{leaves} + 2880]
vpshufb zmm5, zmm5, zmm18
vmovdqa64 zmmword ptr [{slots} + 320], zmm6
vmovdqa64 zmm6, zmmword ptr [{leaves} + 3008]
vpshufb zmm6, zmm6, zmm10
vpternlogd zmm31, zmm11, zmm8, 0x96
vpternlogd zmm9, zmm7, zmm12, 0x96
vpxord zmm7, zmm12, zmm19
vpxord zmm8, zmm10, zmm29
vpxord zmm11, zmm23, zmm16
vmovdqa64 zmmword ptr [{slots} + 384], zmm3
vpxord zmm3, zmm18, zmm30
vmovdqa64 zmmword ptr [{slots} + 448], zmm4
vmovdqa64 zmm4, zmmword ptr [{leaves} + 2432]
vpshufb zmm4, zmm4, zmm16
vmovdqa64 zmmword ptr [{slots} + 512], zmm0
vmovdqa64 zmm0, zmmword ptr [{leaves} + 2496]
vpshufb zmm0, zmm0, zmm30
vmovdqa64 zmmword ptr [{slots} + 576], zmm2
vmovdqa64 zmm2, zmmword ptr [{leaves} + 2560]
vpshufb zmm2, zmm2, zmm19
vmovdqa64 zmmword ptr [{slots} + 640], zmm18
vmovdqa64 zmm18, zmmword ptr [{leaves} + 2624]
vpshufb zmm18, zmm18, zmm29
vmovdqa64 zmmword ptr [{slots} + 704], zmm16
vpxord zmm16, zmm19, zmm16
vmovdqa64 zmmword ptr [{slots} + 768], zmm30
vpxord zmm30, zmm29, zmm30
vmovdqa64 zmmword ptr [{slots} + 832], zmm29
vmovdqa64 zmm29, zmmword ptr [{leaves} + 2304]
vpshufb zmm29, zmm29, zmm16
vmovdqa64 zmm16, zmmword ptr [{leaves} + 2368]
vpshufb zmm16, zmm16, zmm30
vpxord zmm16, zmm29, zmm16
vpternlogd zmm4, zmm16, zmm0, 0x96
vpternlogd zmm16, zmm2, zmm18, 0x96
vmovdqa64 zmm18, zmmword ptr [{leaves} + 3136]
vpshufb zmm18, zmm18, zmm8
vmovdqa64 zmm2, zmmword ptr [{leaves} + 3136]
vpshufb zmm2, zmm2, zmm3
vmovdqa64 zmm0, zmmword ptr [{leaves} + 3200]
vpshufb zmm0, zmm0, zmm11
vmovdqa64 zmm29, zmmword ptr [{leaves} + 3264]
vpshufb zmm29, zmm29, zmm3
vmovdqa64 zmm3, zmmword ptr [{leaves} + 3328]
vpshufb zmm3, zmm3, zmm7
vmovdqa64 zmm30, zmmword ptr [{leaves} + 3392]
vpshufb zmm30, zmm30, zmm8
vpternlogd zmm18, zmm0, zmm7, 0x96
vpternlogd zmm2, zmm3, zmm11, 0x96
vpxord zmm29, zmm18, zmm29
vpxord zmm30, zmm2, zmm30
vpxord zmm4, zmm4, zmm29
vpxord zmm16, zmm16, zmm30
vpternlogd zmm29, zmm31, zmm5, 0x96
vpternlogd zmm30, zmm9, zmm6, 0x96
vmovdqa64 zmm6, zmmword ptr [{leaves} + 1600]
vpshufb zmm6, zmm6, zmm14
vmovdqa64 zmm9, zmmword ptr [{leaves} + 1600]
vpshufb zmm9, zmm9, zmm22
vmovdqa64 zmm5, zmmword ptr [{leaves} + 1664]
vpshufb zmm5, zmm5, zmm24
vmovdqa64 zmm31, zmmword ptr [{leaves} + 1728]
vpshufb zmm31, zmm31, zmm22
vmovdqa64 zmm2, zmmword ptr [{leaves} + 1792]
vpshufb zmm2, zmm2, zmm13
vmovdqa64 zmm18, zmmword ptr [{leaves} + 1856]
vpshufb zmm18, zmm18, zmm14
vpternlogd zmm6, zmm5, zmm13, 0x96
vpternlogd zmm9, zmm2, zmm24, 0x96
vpxord zmm2, zmm13, zmm26
vpxord zmm5, zmm14, zmm25
vpxord zmm11, zmm24, zmm28
vpxord zmm3, zmm22, zmm27
vmovdqa64 zmm7, zmmword ptr [{leaves} + 1280]
vpshufb zmm7, zmm7, zmm28
vmovdqa64 zmm0, zmmword ptr [{leaves} + 1344]
vpshufb zmm0, zmm0, zmm27
vpxord zmm8, zmm26, zmm28
vmovdqa64 zmmword ptr [{slots} + 896], zmm30
vpxord zmm30, zmm25, zmm27
vmovdqa64 zmmword ptr [{slots} + 960], zmm29
vmovdqa64 zmm29, zmmword ptr [{leaves} + 1152]
vpshufb zmm29, zmm29, zmm8
vmovdqa64 zmm8, zmmword ptr [{leaves} + 1216]
vpshufb zmm8, zmm8, zmm30
vpxord zmm8, zmm29, zmm8
vpternlogd zmm7, zmm8, zmm0, 0x96
vmovdqa64 zmm0, zmmword ptr [{leaves} + 2048]
vpshufb zmm0, zmm0, zmm11
vmovdqa64 zmm29, zmmword ptr [{leaves} + 2112]
vpshufb zmm29, zmm29, zmm3
vmovdqa64 zmm30, zmmword ptr [{leaves} + 2176]
vpshufb zmm30, zmm30, zmm2
vmovdqa64 zmmword ptr [{slots} + 1024], zmm27
vmovdqa64 zmm27, zmmword ptr [{leaves} + 2240]
vpshufb zmm27, zmm27, zmm5
vpxord zmm11, zmm2, zmm11
vpxord zmm3, zmm5, zmm3
vmovdqa64 zmm5, zmmword ptr [{leaves} + 1920]
vpshufb zmm5, zmm5, zmm11
vmovdqa64 zmm11, zmmword ptr [{leaves} + 1984]
vpshufb zmm11, zmm11, zmm3
vpxord zmm11, zmm5, zmm11
vpternlogd zmm0, zmm11, zmm29, 0x96
vpternlogd zmm11, zmm30, zmm27, 0x96
vpternlogd zmm6, zmm0, zmm31, 0x96
vpternlogd zmm9, zmm11, zmm18, 0x96
vpternlogd zmm20, zmm4, zmm17, 0x96
vpternlogd zmm15, zmm16, zmm21, 0x96
vpternlogd zmm0, zmm7, zmm4, 0x96
vpternlogd zmm11, zmm8, zmm16, 0x96
vmovdqa64 zmm16, zmmword ptr [{v} + 128]
vpandd zmm8, zmm16, zmm1
vpsrlw zmm16, zmm16, 4
vmovdqa64 zmm4, zmmword ptr [{v} + 384]
vpandd zmm7, zmm4, zmm1
vpsrlw zmm4, zmm4, 4
vmovdqa64 zmm21, zmmword ptr [{v} + 640]
vpandd zmm17, zmm21, zmm1
vpsrlw zmm21, zmm21, 4
vmovdqa64 zmm18, zmmword ptr [{v} + 896]
vpandd zmm31, zmm18, zmm1
vpsrlw zmm18, zmm18, 4
vpandd zmm16, zmm16, zmm1
vpandd zmm4, zmm4, zmm1
vpandd zmm21, zmm21, zmm1
vpandd zmm18, zmm18, zmm1
vmovdqa64 zmm27, zmmword ptr [{leaves} + 3840]
vpshufb zmm27, zmm27, zmm8
vmovdqa64 zmm30, zmmword ptr [{leaves} + 3904]
vpshufb zmm30, zmm30, zmm16
vmovdqa64 zmm29, zmmword ptr [{leaves} + 3840]
vpshufb zmm29, zmm29, zmm7
vmovdqa64 zmm5, zmmword ptr [{leaves} + 3904]
vpshufb zmm5, zmm5, zmm4
vmovdqa64 zmm3, zmmword ptr [{leaves} + 3968]
vpshufb zmm3, zmm3, zmm7
vmovdqa64 zmm2, zmmword ptr [{leaves} + 4032]
vpshufb zmm2, zmm2, zmm4
vpternlogd zmm27, zmm30, zmm3, 0x96
vpxord zmm3, zmm8, zmm17
vpxord zmm30, zmm16, zmm21
vmovdqa64 zmmword ptr [{slots} + 1088], zmm15
vpxord zmm15, zmm7, zmm31
vmovdqa64 zmmword ptr [{slots} + 1152], zmm20
vpxord zmm20, zmm4, zmm18
vmovdqa64 zmmword ptr [{slots} + 1216], zmm9
vmovdqa64 zmm9, zmmword ptr [{leaves} + 3584]
vpshufb zmm9, zmm9, zmm31
vmovdqa64 zmmword ptr [{slots} + 1280], zmm6
vmovdqa64 zmm6, zmmword ptr [{leaves} + 3648]
vpshufb zmm6, zmm6, zmm18
vmovdqa64 zmmword ptr [{slots} + 1344], zmm11
vmovdqa64 zmm11, zmmword ptr [{leaves} + 3712]
vpshufb zmm11, zmm11, zmm17
vmovdqa64 zmmword ptr [{slots} + 1408], zmm0
vmovdqa64 zmm0, zmmword ptr [{leaves} + 3776]
vpshufb zmm0, zmm0, zmm21
vmovdqa64 zmmword ptr [{slots} + 1472], zmm28
vpxord zmm28, zmm17, zmm31
vmovdqa64 zmmword ptr [{slots} + 1536], zmm25
vpxord zmm25, zmm21, zmm18
vmovdqa64 zmmword ptr [{slots} + 1600], zmm26
vmovdqa64 zmm26, zmmword ptr [{leaves} + 3456]
vpshufb zmm26, zmm26, zmm28
vmovdqa64 zmm28, zmmword ptr [{leaves} + 3520]
vpshufb zmm28, zmm28, zmm25
vpxord zmm28, zmm26, zmm28
vpternlogd zmm9, zmm28, zmm6, 0x96
vpternlogd zmm28, zmm11, zmm0, 0x96
vmovdqa64 zmm0, zmmword ptr [{leaves} + 4352]
vpshufb zmm0, zmm0, zmm15
vmovdqa64 zmm11, zmmword ptr [{leaves} + 4416]
vpshufb zmm11, zmm11, zmm20
vmovdqa64 zmm6, zmmword ptr [{leaves} + 4480]
vpshufb zmm6, zmm6, zmm3
vmovdqa64 zmm26, zmmword ptr [{leaves} + 4544]
vpshufb zmm26, zmm26, zmm30
vpxord zmm15, zmm3, zmm15
vpxord zmm20, zmm30, zmm20
vmovdqa64 zmm30, zmmword ptr [{v} + 0]
vpandd zmm3, zmm30, zmm1
vpsrlw zmm30, zmm30, 4
vmovdqa64 zmm25, zmmword ptr [{v} + 256]
vmovdqa64 zmmword ptr [{slots} + 1664], zmm22
vpandd zmm22, zmm25, zmm1
vpsrlw zmm25, zmm25, 4
vmovdqa64 zmmword ptr [{slots} + 1728], zmm24
vmovdqa64 zmm24, zmmword ptr [{v} + 512]
vmovdqa64 zmmword ptr [{slots} + 1792], zmm14
vpandd zmm14, zmm24, zmm1
vpsrlw zmm24, zmm24, 4
vmovdqa64 zmmword ptr [{slots} + 1856], zmm13
vmovdqa64 zmm13, zmmword ptr [{v} + 768]
vmovdqa64 zmmword ptr [{slots} + 1920], zmm19
vpandd zmm19, zmm13, zmm1
vpsrlw zmm13, zmm13, 4
vmovdqa64 zmmword ptr [{slots} + 1984], zmm23
vmovdqa64 zmm23, zmmword ptr [{leaves} + 4224]
vpshufb zmm23, zmm23, zmm15
vmovdqa64 zmm15, zmmword ptr [{leaves} + 4288]
vpshufb zmm15, zmm15, zmm20
vpandd zmm30, zmm30, zmm1
vpandd zmm25, zmm25, zmm1
vpandd zmm24, zmm24, zmm1
vpandd zmm13, zmm13, zmm1
vpxord zmm15, zmm23, zmm15
vpternlogd zmm0, zmm15, zmm11, 0x96
vpternlogd zmm15, zmm6, zmm26, 0x96
vpternlogd zmm27, zmm0, zmm2, 0x96
vpternlogd zmm29, zmm15, zmm5, 0x96
vpxord zmm5, zmm3, zmm8
vpxord zmm2, zmm30, zmm16
vpxord zmm26, zmm22, zmm7
vpxord zmm6, zmm25, zmm4
vpxord zmm11, zmm14, zmm17
vpxord zmm23, zmm24, zmm21
vpxord zmm20, zmm19, zmm31
vpxord zmm1, zmm13, zmm18
vmovdqa64 zmmword ptr [{slots} + 2048], zmm29
vmovdqa64 zmm29, zmmword ptr [{leaves} + 6336]
vpshufb zmm29, zmm29, zmm6
vmovdqa64 zmmword ptr [{slots} + 2112], zmm27
vmovdqa64 zmm27, zmmword ptr [{leaves} + 6400]
vpshufb zmm27, zmm27, zmm5
vmovdqa64 zmmword ptr [{slots} + 2176], zmm18
vmovdqa64 zmm18, zmmword ptr [{leaves} + 6464]
vpshufb zmm18, zmm18, zmm2
vmovdqa64 zmmword ptr [{slots} + 2240], zmm31
vpxord zmm31, zmm5, zmm26
vmovdqa64 zmmword ptr [{slots} + 2304], zmm21
vpxord zmm21, zmm2, zmm6
vmovdqa64 zmmword ptr [{slots} + 2368], zmm17
vmovdqa64 zmm17, zmmword ptr [{leaves} + 6144]
vpshufb zmm17, zmm17, zmm31
vmovdqa64 zmm31, zmmword ptr [{leaves} + 6208]
vpshufb zmm31, zmm31, zmm21
vpxord zmm31, zmm17, zmm31
vpternlogd zmm29, zmm31, zmm26, 0x96
vpternlogd zmm31, zmm27, zmm18, 0x96
vpxord zmm18, zmm5, zmm11
vpxord zmm27, zmm2, zmm23
vpxord zmm17, zmm26, zmm20
vpxord zmm21, zmm6, zmm1
vmovdqa64 zmmword ptr [{slots} + 2432], zmm4
vmovdqa64 zmm4, zmmword ptr [{leaves} + 5888]
vpshufb zmm4, zmm4, zmm20
vmovdqa64 zmmword ptr [{slots} + 2496], zmm7
vmovdqa64 zmm7, zmmword ptr [{leaves} + 5952]
vpshufb zmm7, zmm7, zmm1
vmovdqa64 zmmword ptr [{slots} + 2560], zmm16
vmovdqa64 zmm16, zmmword ptr [{leaves} + 6016]
vpshufb zmm16, zmm16, zmm11
vmovdqa64 zmmword ptr [{slots} + 2624], zmm8
vmovdqa64 zmm8, zmmword ptr [{leaves} + 6080]
vpshufb zmm8, zmm8, zmm23
vmovdqa64 zmmword ptr [{slots} + 2688], zmm20
vpxord zmm20, zmm11, zmm20
vmovdqa64 zmmword ptr [{slots} + 2752], zmm1
vpxord zmm1, zmm23, zmm1
vmovdqa64 zmmword ptr [{slots} + 2816], zmm23
vmovdqa64 zmm23, zmmword ptr [{leaves} + 5760]
vpshufb zmm23, zmm23, zmm20
vmovdqa64 zmm20, zmmword ptr [{leaves} + 5824]
vpshufb zmm20, zmm20, zmm1
vpxord zmm20, zmm23, zmm20
vpternlogd zmm4, zmm20, zmm7, 0x96
vpternlogd zmm20, zmm16, zmm8, 0x96
vmovdqa64 zmm8, zmmword ptr [{leaves} + 6528]
vpshufb zmm8, zmm8, zmm18
vmovdqa64 zmm18, zmmword ptr [{leaves} + 6592]
vpshufb zmm18, zmm18, zmm27
vmovdqa64 zmm27, zmmword ptr [{leaves} + 6528]
vpshufb zmm27, zmm27, zmm17
vmovdqa64 zmm16, zmmword ptr [{leaves} + 6592]
vpshufb zmm16, zmm16, zmm21
vmovdqa64 zmm7, zmmword ptr [{leaves} + 6656]
vpshufb zmm7, zmm7, zmm17
vmovdqa64 zmm17, zmmword ptr [{leaves} + 6720]
vpshufb zmm17, zmm17, zmm21
vpxord zmm16, zmm27, zmm16
vpternlogd zmm8, zmm18, zmm7, 0x96
vpxord zmm20, zmm20, zmm16
vpxord zmm16, zmm31, zmm16
vpxord zmm17, zmm8, zmm17
vpxord zmm4, zmm4, zmm17
vpxord zmm17, zmm29, zmm17
vmovdqa64 zmm29, zmmword ptr [{leaves} + 5248]
vpshufb zmm29, zmm29, zmm3
vmovdqa64 zmm8, zmmword ptr [{leaves} + 5312]
vpshufb zmm8, zmm8, zmm30
vpxord zmm31, zmm3, zmm14
vpxord zmm7, zmm30, zmm24
vpxord zmm18, zmm22, zmm19
vpxord zmm27, zmm25, zmm13
vmovdqa64 zmm21, zmmword ptr [{leaves} + 4608]
vpshufb zmm21, zmm21, zmm14
vmovdqa64 zmm23, zmmword ptr [{leaves} + 4672]
vpshufb zmm23, zmm23, zmm24
vmovdqa64 zmm1, zmmword ptr [{leaves} + 4608]
vpshufb zmm1, zmm1, zmm19
vmovdqa64 zmmword ptr [{slots} + 2880], zmm16
vmovdqa64 zmm16, zmmword ptr [{leaves} + 4672]
vpshufb zmm16, zmm16, zmm13
vmovdqa64 zmmword ptr [{slots} + 2944], zmm17
vmovdqa64 zmm17, zmmword ptr [{leaves} + 4736]
vpshufb zmm17, zmm17, zmm19
vmovdqa64 zmmword ptr [{slots} + 3008], zmm19
vmovdqa64 zmm19, zmmword ptr [{leaves} + 4800]
vpshufb zmm19, zmm19, zmm13
vpternlogd zmm21, zmm23, zmm17, 0x96
vmovdqa64 zmm17, zmmword ptr [{leaves} + 5504]
vpshufb zmm17, zmm17, zmm18
vmovdqa64 zmm23, zmmword ptr [{leaves} + 5568]
vpshufb zmm23, zmm23, zmm27
vmovdqa64 zmmword ptr [{slots} + 3072], zmm13
vmovdqa64 zmm13, zmmword ptr [{leaves} + 5632]
vpshufb zmm13, zmm13, zmm31
vmovdqa64 zmmword ptr [{slots} + 3136], zmm24
vmovdqa64 zmm24, zmmword ptr [{leaves} + 5696]
vpshufb zmm24, zmm24, zmm7
vpxord zmm18, zmm31, zmm18
vpxord zmm27, zmm7, zmm27
vmovdqa64 zmm7, zmmword ptr [{leaves} + 5376]
vpshufb zmm7, zmm7, zmm18
vmovdqa64 zmm18, zmmword ptr [{leaves} + 5440]
vpshufb zmm18, zmm18, zmm27
vpxord zmm18, zmm7, zmm18
vpternlogd zmm17, zmm18, zmm23, 0x96
vpternlogd zmm18, zmm13, zmm24, 0x96
vpternlogd zmm21, zmm17, zmm19, 0x96
vpternlogd zmm1, zmm18, zmm16, 0x96
vpternlogd zmm18, zmm29, zmm8, 0x96
vpternlogd zmm0, zmm4, zmm9, 0x96
vpternlogd zmm15, zmm20, zmm28, 0x96
vpxord zmm12, zmm5, zmm12
vpxord zmm10, zmm2, zmm10
vpxord zmm26, zmm26, zmmword ptr [{slots} + 1984]
vpxord zmm6, zmm6, zmmword ptr [{slots} + 640]
vpxord zmm11, zmm11, zmmword ptr [{slots} + 1920]
vmovdqa64 zmm2, zmmword ptr [{slots} + 2816]
vpxord zmm2, zmm2, zmmword ptr [{slots} + 832]
vmovdqa64 zmm5, zmmword ptr [{slots} + 2688]
vpxord zmm5, zmm5, zmmword ptr [{slots} + 704]
vmovdqa64 zmm28, zmmword ptr [{slots} + 2752]
vpxord zmm28, zmm28, zmmword ptr [{slots} + 768]
vmovdqa64 zmm9, zmmword ptr [{leaves} + 9344]
vpshufb zmm9, zmm9, zmm5
vmovdqa64 zmm8, zmmword ptr [{leaves} + 9408]
vpshufb zmm8, zmm8, zmm28
vmovdqa64 zmm29, zmmword ptr [{leaves} + 9472]
vpshufb zmm29, zmm29, zmm11
vmovdqa64 zmm16, zmmword ptr [{leaves} + 9536]
vpshufb zmm16, zmm16, zmm2
vpxord zmm11, zmm11, zmm12
vpxord zmm2, zmm2, zmm10
vpxord zmm5, zmm5, zmm26
vpxord zmm28, zmm28, zmm6
vmovdqa64 zmm19, zmmword ptr [{leaves} + 9728]
vpshufb zmm19, zmm19, zmm26
vmovdqa64 zmm24, zmmword ptr [{leaves} + 9792]
vpshufb zmm24, zmm24, zmm6
vmovdqa64 zmm13, zmmword ptr [{leaves} + 9856]
vpshufb zmm13, zmm13, zmm12
vmovdqa64 zmm23, zmmword ptr [{leaves} + 9920]
vpshufb zmm23, zmm23, zmm10
vpxord zmm26, zmm12, zmm26
vpxord zmm6, zmm10, zmm6
vmovdqa64 zmm10, zmmword ptr [{leaves} + 9600]
vpshufb zmm10, zmm10, zmm26
vmovdqa64 zmm26, zmmword ptr [{leaves} + 9664]
vpshufb zmm26, zmm26, zmm6
vpxord zmm26, zmm10, zmm26
vpternlogd zmm19, zmm26, zmm24, 0x96
vpternlogd zmm26, zmm13, zmm23, 0x96
vmovdqa64 zmm23, zmmword ptr [{leaves} + 10112]
vpshufb zmm23, zmm23, zmm5
vmovdqa64 zmm13, zmmword ptr [{leaves} + 10176]
vpshufb zmm13, zmm13, zmm28
vmovdqa64 zmm24, zmmword ptr [{leaves} + 10240]
vpshufb zmm24, zmm24, zmm11
vmovdqa64 zmm10, zmmword ptr [{leaves} + 10304]
vpshufb zmm10, zmm10, zmm2
vpxord zmm5, zmm11, zmm5
vpxord zmm28, zmm2, zmm28
vmovdqa64 zmm2, zmmword ptr [{leaves} + 9984]
vpshufb zmm2, zmm2, zmm5
vmovdqa64 zmm5, zmmword ptr [{leaves} + 10048]
vpshufb zmm5, zmm5, zmm28
vpxord zmm5, zmm2, zmm5
vpternlogd zmm23, zmm5, zmm13, 0x96
vpternlogd zmm5, zmm24, zmm10, 0x96
vpternlogd zmm9, zmm23, zmm8, 0x96
vpternlogd zmm29, zmm5, zmm16, 0x96
vpxord zmm23, zmm19, zmm23
vpxord zmm5, zmm26, zmm5
vpxord zmm3, zmm3, zmmword ptr [{slots} + 1856]
vpxord zmm30, zmm30, zmmword ptr [{slots} + 1792]
vpxord zmm22, zmm22, zmmword ptr [{slots} + 1728]
vpxord zmm25, zmm25, zmmword ptr [{slots} + 1664]
vpxord zmm14, zmm14, zmmword ptr [{slots} + 1600]
vmovdqa64 zmm26, zmmword ptr [{slots} + 3136]
vpxord zmm26, zmm26, zmmword ptr [{slots} + 1536]
vmovdqa64 zmm19, zmmword ptr [{slots} + 3008]
vpxord zmm19, zmm19, zmmword ptr [{slots} + 1472]
vmovdqa64 zmm16, zmmword ptr [{slots} + 3072]
vpxord zmm16, zmm16, zmmword ptr [{slots} + 1024]
vmovdqa64 zmm8, zmmword ptr [{leaves} + 8448]
vpshufb zmm8, zmm8, zmm3
vmovdqa64 zmm10, zmmword ptr [{leaves} + 8512]
vpshufb zmm10, zmm10, zmm30
vmovdqa64 zmm24, zmmword ptr [{leaves} + 8448]
vpshufb zmm24, zmm24, zmm22
vmovdqa64 zmm13, zmmword ptr [{leaves} + 8512]
vpshufb zmm13, zmm13, zmm25
vmovdqa64 zmm2, zmmword ptr [{leaves} + 8640]
vpshufb zmm2, zmm2, zmm25
vmovdqa64 zmm28, zmmword ptr [{leaves} + 8704]
vpshufb zmm28, zmm28, zmm3
vmovdqa64 zmm11, zmmword ptr [{leaves} + 8768]
vpshufb zmm11, zmm11, zmm30
vpternlogd zmm8, zmm10, zmm22, 0x96
vpternlogd zmm24, zmm13, zmm28, 0x96
vpxord zmm3, zmm3, zmm14
vpxord zmm30, zmm30, zmm26
vpxord zmm22, zmm22, zmm19
vpxord zmm25, zmm25, zmm16
vmovdqa64 zmm28, zmmword ptr [{leaves} + 8192]
vpshufb zmm28, zmm28, zmm19
vmovdqa64 zmm13, zmmword ptr [{leaves} + 8256]
vpshufb zmm13, zmm13, zmm16
vmovdqa64 zmm10, zmmword ptr [{leaves} + 8320]
vpshufb zmm10, zmm10, zmm14
vmovdqa64 zmm6, zmmword ptr [{leaves} + 8384]
vpshufb zmm6, zmm6, zmm26
vpxord zmm19, zmm14, zmm19
vpxord zmm16, zmm26, zmm16
vmovdqa64 zmm26, zmmword ptr [{leaves} + 8064]
vpshufb zmm26, zmm26, zmm19
vmovdqa64 zmm19, zmmword ptr [{leaves} + 8128]
vpshufb zmm19, zmm19, zmm16
vpxord zmm19, zmm26, zmm19
vpternlogd zmm28, zmm19, zmm13, 0x96
vpternlogd zmm19, zmm10, zmm6, 0x96
vmovdqa64 zmm6, zmmword ptr [{leaves} + 8960]
vpshufb zmm6, zmm6, zmm22
vmovdqa64 zmm10, zmmword ptr [{leaves} + 9024]
vpshufb zmm10, zmm10, zmm25
vmovdqa64 zmm13, zmmword ptr [{leaves} + 9088]
vpshufb zmm13, zmm13, zmm3
vmovdqa64 zmm26, zmmword ptr [{leaves} + 9152]
vpshufb zmm26, zmm26, zmm30
vpxord zmm22, zmm3, zmm22
vpxord zmm25, zmm30, zmm25
vmovdqa64 zmm30, zmmword ptr [{leaves} + 8832]
vpshufb zmm30, zmm30, zmm22
vmovdqa64 zmm22, zmmword ptr [{leaves} + 8896]
vpshufb zmm22, zmm22, zmm25
vpxord zmm22, zmm30, zmm22
vpternlogd zmm6, zmm22, zmm10, 0x96
vpternlogd zmm22, zmm13, zmm26, 0x96
vpternlogd zmm8, zmm6, zmm2, 0x96
vpternlogd zmm24, zmm22, zmm11, 0x96
vpternlogd zmm6, zmm28, zmm9, 0x96
vpternlogd zmm22, zmm19, zmm29, 0x96
vpxord zmm8, zmm8, zmm23
vpxord zmm24, zmm24, zmm5
vpternlogd zmm21, zmm6, zmm4, 0x96
vpternlogd zmm1, zmm22, zmm20, 0x96
vpternlogd zmm17, zmm8, zmmword ptr [{slots} + 2944], 0x96
vpternlogd zmm18, zmm24, zmmword ptr [{slots} + 2880], 0x96
vpxord zmm6, zmm6, zmmword ptr [{slots} + 1408]
vpxord zmm22, zmm22, zmmword ptr [{slots} + 1344]
vmovdqa64 zmm20, zmmword ptr [{slots} + 960]
vpternlogd zmm8, zmm20, zmmword ptr [{slots} + 1280], 0x96
vmovdqa64 zmm4, zmmword ptr [{slots} + 896]
vpternlogd zmm24, zmm4, zmmword ptr [{slots} + 1216], 0x96
vmovdqa64 zmm19, zmmword ptr [{slots} + 2624]
vpxord zmm19, zmm19, zmmword ptr [{slots} + 576]
vmovdqa64 zmm28, zmmword ptr [{slots} + 2560]
vpxord zmm28, zmm28, zmmword ptr [{slots} + 512]
vmovdqa64 zmm11, zmmword ptr [{slots} + 2496]
vpxord zmm11, zmm11, zmmword ptr [{slots} + 448]
vmovdqa64 zmm2, zmmword ptr [{slots} + 2432]
vpxord zmm2, zmm2, zmmword ptr [{slots} + 384]
vmovdqa64 zmm26, zmmword ptr [{slots} + 2368]
vpxord zmm26, zmm26, zmmword ptr [{slots} + 320]
vmovdqa64 zmm13, zmmword ptr [{slots} + 2304]
vpxord zmm13, zmm13, zmmword ptr [{slots} + 256]
vmovdqa64 zmm10, zmmword ptr [{slots} + 2240]
vpxord zmm10, zmm10, zmmword ptr [{slots} + 192]
vmovdqa64 zmm30, zmmword ptr [{slots} + 2176]
vpxord zmm30, zmm30, zmmword ptr [{slots} + 128]
vmovdqa64 zmm25, zmmword ptr [{leaves} + 7424]
vpshufb zmm25, zmm25, zmm11
vmovdqa64 zmm3, zmmword ptr [{leaves} + 7488]
vpshufb zmm3, zmm3, zmm2
vmovdqa64 zmm16, zmmword ptr [{leaves} + 7552]
vpshufb zmm16, zmm16, zmm19
vmovdqa64 zmm14, zmmword ptr [{leaves} + 7616]
vpshufb zmm14, zmm14, zmm28
vpxord zmm12, zmm19, zmm11
vpxord zmm7, zmm28, zmm2
vmovdqa64 zmm27, zmmword ptr [{leaves} + 7296]
vpshufb zmm27, zmm27, zmm12
vmovdqa64 zmm12, zmmword ptr [{leaves} + 7360]
vpshufb zmm12, zmm12, zmm7
vpxord zmm12, zmm27, zmm12
vpternlogd zmm25, zmm12, zmm3, 0x96
vpternlogd zmm12, zmm16, zmm14, 0x96
vpxord zmm19, zmm19, zmm26
vpxord zmm28, zmm28, zmm13
vpxord zmm11, zmm11, zmm10
vpxord zmm2, zmm2, zmm30
vmovdqa64 zmm14, zmmword ptr [{leaves} + 7104]
vpshufb zmm14, zmm14, zmm30
vmovdqa64 zmm16, zmmword ptr [{leaves} + 7168]
vpshufb zmm16, zmm16, zmm26
vmovdqa64 zmm3, zmmword ptr [{leaves} + 7232]
vpshufb zmm3, zmm3, zmm13
vpxord zmm26, zmm26, zmm10
vpxord zmm30, zmm13, zmm30
vmovdqa64 zmm13, zmmword ptr [{leaves} + 6912]
vpshufb zmm13, zmm13, zmm26
vmovdqa64 zmm26, zmmword ptr [{leaves} + 6976]
vpshufb zmm26, zmm26, zmm30
vpxord zmm26, zmm13, zmm26
vpternlogd zmm14, zmm26, zmm10, 0x96
vpternlogd zmm26, zmm16, zmm3, 0x96
vmovdqa64 zmm3, zmmword ptr [{leaves} + 7808]
vpshufb zmm3, zmm3, zmm11
vmovdqa64 zmm16, zmmword ptr [{leaves} + 7872]
vpshufb zmm16, zmm16, zmm2
vmovdqa64 zmm10, zmmword ptr [{leaves} + 7936]
vpshufb zmm10, zmm10, zmm19
vmovdqa64 zmm13, zmmword ptr [{leaves} + 8000]
vpshufb zmm13, zmm13, zmm28
vpxord zmm11, zmm19, zmm11
vpxord zmm2, zmm28, zmm2
vmovdqa64 zmm28, zmmword ptr [{leaves} + 7680]
vpshufb zmm28, zmm28, zmm11
vmovdqa64 zmm11, zmmword ptr [{leaves} + 7744]
vpshufb zmm11, zmm11, zmm2
vpxord zmm11, zmm28, zmm11
vpternlogd zmm3, zmm11, zmm16, 0x96
vpternlogd zmm11, zmm10, zmm13, 0x96
vpternlogd zmm14, zmm3, zmm9, 0x96
vpternlogd zmm26, zmm11, zmm29, 0x96
vpternlogd zmm3, zmm25, zmm23, 0x96
vpternlogd zmm11, zmm12, zmm5, 0x96
vpxord zmm0, zmm0, zmm14
vpxord zmm15, zmm15, zmm26
vmovdqa64 zmm5, zmmword ptr [{slots} + 2944]
vpternlogd zmm5, zmm3, zmmword ptr [{slots} + 2112], 0x96
vmovdqa64 zmm12, zmmword ptr [{slots} + 2880]
vpternlogd zmm12, zmm11, zmmword ptr [{slots} + 2048], 0x96
vpxord zmm14, zmm14, zmmword ptr [{slots} + 1152]
vpxord zmm26, zmm26, zmmword ptr [{slots} + 1088]
vpternlogd zmm3, zmm20, zmmword ptr [{slots} + 64], 0x96
vpternlogd zmm11, zmm4, zmmword ptr [{slots} + 0], 0x96
vmovdqa64 zmm4, zmmword ptr [{numbers} + 0]
vpandd zmm20, zmm21, zmm4
vpsrlw zmm21, zmm21, 4
vpandd zmm21, zmm21, zmm4
vmovdqa64 zmm23, zmmword ptr [{places} + 1152]
vpshufb zmm23, zmm23, zmm20
vmovdqa64 zmm25, zmmword ptr [{places} + 1280]
vpshufb zmm25, zmm25, zmm20
vpandd zmm20, zmm1, zmm4
vpsrlw zmm1, zmm1, 4
vmovdqa64 zmm29, zmmword ptr [{places} + 1216]
vpshufb zmm29, zmm29, zmm21
vmovdqa64 zmm9, zmmword ptr [{places} + 1344]
vpshufb zmm9, zmm9, zmm21
vpandd zmm1, zmm1, zmm4
vmovdqa64 zmm21, zmmword ptr [{places} + 2688]
vpshufb zmm21, zmm21, zmm20
vmovdqa64 zmm13, zmmword ptr [{places} + 2816]
vpshufb zmm13, zmm13, zmm20
vpxord zmm29, zmm23, zmm29
vpxord zmm9, zmm25, zmm9
vpandd zmm25, zmm17, zmm4
vpsrlw zmm17, zmm17, 4
vmovdqa64 zmm23, zmmword ptr [{places} + 2752]
vpshufb zmm23, zmm23, zmm1
vmovdqa64 zmm20, zmmword ptr [{places} + 2880]
vpshufb zmm20, zmm20, zmm1
vmovdqa64 zmm1, zmmword ptr [{numbers} + 320]
vpshufb zmm9, zmm1, zmm9
vmovdqa64 zmm10, zmmword ptr [{numbers} + 384]
vpshufb zmm16, zmm10, zmm29
vmovdqa64 zmm28, zmmword ptr [{numbers} + 448]
vpshufb zmm2, zmm28, zmm29
vpandd zmm17, zmm17, zmm4
vmovdqa64 zmm19, zmmword ptr [{places} + 4224]
vpshufb zmm19, zmm19, zmm25
vmovdqa64 zmm30, zmmword ptr [{places} + 4352]
vpshufb zmm30, zmm30, zmm25
vpxord zmm23, zmm21, zmm23
vpxord zmm20, zmm13, zmm20
vpandd zmm13, zmm18, zmm4
vpsrlw zmm18, zmm18, 4
vpaddb zmm16, zmm16, zmm9
vpaddb zmm2, zmm2, zmm9
vpsubb zmm9, zmm29, zmm9
vmovdqa64 zmm29, zmmword ptr [{places} + 4288]
vpshufb zmm29, zmm29, zmm17
vmovdqa64 zmm21, zmmword ptr [{places} + 4416]
vpshufb zmm21, zmm21, zmm17
vpshufb zmm20, zmm1, zmm20
vpshufb zmm17, zmm10, zmm23
vpshufb zmm25, zmm28, zmm23
vpandd zmm18, zmm18, zmm4
vmovdqa64 zmm27, zmmword ptr [{places} + 5760]
vpshufb zmm27, zmm27, zmm13
vmovdqa64 zmm7, zmmword ptr [{places} + 5888]
vpshufb zmm7, zmm7, zmm13
vmovdqa64 zmm13, zmmword ptr [{numbers} + 64]
vpaddb zmm31, zmm16, zmm13
vmovdqa64 zmmword ptr [{slots} + 0], zmm12
vpaddb zmm12, zmm2, zmm13
vmovdqa64 zmmword ptr [{slots} + 896], zmm5
vmovdqa64 zmm5, zmmword ptr [{places} + 1472]
vpshufb zmm5, zmm5, zmm9
vpxord zmm29, zmm19, zmm29
vpxord zmm21, zmm30, zmm21
vpandd zmm30, zmm6, zmm4
vpsrlw zmm6, zmm6, 4
vpaddb zmm17, zmm17, zmm20
vpaddb zmm25, zmm25, zmm20
vpsubb zmm20, zmm23, zmm20
vmovdqa64 zmm23, zmmword ptr [{places} + 5824]
vpshufb zmm23, zmm23, zmm18
vmovdqa64 zmm19, zmmword ptr [{places} + 5952]
vpshufb zmm19, zmm19, zmm18
vpminub zmm16, zmm31, zmm16
vpminub zmm2, zmm12, zmm2
vpshufb zmm21, zmm1, zmm21
vpshufb zmm12, zmm10, zmm29
vpshufb zmm31, zmm28, zmm29
vpandd zmm6, zmm6, zmm4
vmovdqa64 zmm18, zmmword ptr [{places} + 768]
vpshufb zmm18, zmm18, zmm30
vmovdqa64 zmm9, zmmword ptr [{places} + 896]
vpshufb zmm9, zmm9, zmm30
vpaddb zmm30, zmm17, zmm13
vmovdqa64 zmmword ptr [{slots} + 64], zmm15
vpaddb zmm15, zmm25, zmm13
vmovdqa64 zmmword ptr [{slots} + 960], zmm0
vmovdqa64 zmm0, zmmword ptr [{places} + 3008]
vpshufb zmm0, zmm0, zmm20
vpxord zmm23, zmm27, zmm23
vpxord zmm19, zmm7, zmm19
vpandd zmm7, zmm22, zmm4
vpsrlw zmm22, zmm22, 4
vbroadcasti32x4 zmm27, xmmword ptr [{keys} + 48]
vpshufb zmm27, zmm27, zmm16
vmovdqa64 zmm16, zmmword ptr [{places} + 1408]
vpshufb zmm16, zmm16, zmm2
vpaddb zmm12, zmm12, zmm21
vpaddb zmm31, zmm31, zmm21
vpsubb zmm21, zmm29, zmm21
vmovdqa64 zmm29, zmmword ptr [{places} + 832]
vpshufb zmm29, zmm29, zmm6
vmovdqa64 zmm2, zmmword ptr [{places} + 960]
vpshufb zmm2, zmm2, zmm6
vpminub zmm17, zmm30, zmm17
vpminub zmm25, zmm15, zmm25
vpshufb zmm19, zmm1, zmm19
vpshufb zmm15, zmm10, zmm23
vpshufb zmm30, zmm28, zmm23
vpandd zmm22, zmm22, zmm4
vmovdqa64 zmm6, zmmword ptr [{places} + 2304]
vpshufb zmm6, zmm6, zmm7
vmovdqa64 zmm20, zmmword ptr [{places} + 2432]
vpshufb zmm20, zmm20, zmm7
vpaddb zmm7, zmm12, zmm13
vmovdqa64 zmmword ptr [{slots} + 1088], zmm11
vpaddb zmm11, zmm31, zmm13
vmovdqa64 zmmword ptr [{slots} + 1152], zmm3
vmovdqa64 zmm3, zmmword ptr [{places} + 4544]
vpshufb zmm3, zmm3, zmm21
vpxord zmm29, zmm18, zmm29
vpxord zmm2, zmm9, zmm2
vpandd zmm9, zmm8, zmm4
vpsrlw zmm8, zmm8, 4
vbroadcasti32x4 zmm18, xmmword ptr [{keys} + 112]
vpshufb zmm18, zmm18, zmm17
vmovdqa64 zmm17, zmmword ptr [{places} + 2944]
vpshufb zmm17, zmm17, zmm25
vpaddb zmm15, zmm15, zmm19
vpaddb zmm30, zmm30, zmm19
vpsubb zmm19, zmm23, zmm19
vmovdqa64 zmm23, zmmword ptr [{places} + 2368]
vpshufb zmm23, zmm23, zmm22
vmovdqa64 zmm25, zmmword ptr [{places} + 2496]
vpshufb zmm25, zmm25, zmm22
vpternlogd zmm27, zmm16, zmm5, 0x96
vpminub zmm12, zmm7, zmm12
vpminub zmm31, zmm11, zmm31
vpshufb zmm2, zmm1, zmm2
vpshufb zmm11, zmm10, zmm29
vpshufb zmm7, zmm28, zmm29
vpandd zmm8, zmm8, zmm4
vmovdqa64 zmm5, zmmword ptr [{places} + 3840]
vpshufb zmm5, zmm5, zmm9
vmovdqa64 zmm16, zmmword ptr [{places} + 3968]
vpshufb zmm16, zmm16, zmm9
vpaddb zmm9, zmm15, zmm13
vpaddb zmm22, zmm30, zmm13
vmovdqa64 zmm21, zmmword ptr [{places} + 6080]
vpshufb zmm21, zmm21, zmm19
vpxord zmm23, zmm6, zmm23
vpxord zmm25, zmm20, zmm25
vpandd zmm20, zmm24, zmm4
vpsrlw zmm24, zmm24, 4
vmovdqa64 zmmword ptr [{v} + 192], zmm27
vbroadcasti32x4 zmm27, xmmword ptr [{keys} + 176]
vpshufb zmm27, zmm27, zmm12
vmovdqa64 zmm12, zmmword ptr [{places} + 4480]
vpshufb zmm12, zmm12, zmm31
vpaddb zmm11, zmm11, zmm2
vpaddb zmm7, zmm7, zmm2
vpsubb zmm2, zmm29, zmm2
vmovdqa64 zmm29, zmmword ptr [{places} + 3904]
vpshufb zmm29, zmm29, zmm8
vmovdqa64 zmm31, zmmword ptr [{places} + 4032]
vpshufb zmm31, zmm31, zmm8
vpternlogd zmm18, zmm17, zmm0, 0x96
vpminub zmm15, zmm9, zmm15
vpminub zmm30, zmm22, zmm30
vpshufb zmm25, zmm1, zmm25
vpshufb zmm22, zmm10, zmm23
vpshufb zmm9, zmm28, zmm23
vpandd zmm24, zmm24, zmm4
vmovdqa64 zmm0, zmmword ptr [{places} + 5376]
vpshufb zmm0, zmm0, zmm20
vmovdqa64 zmm17, zmmword ptr [{places} + 5504]
vpshufb zmm17, zmm17, zmm20
vpaddb zmm20, zmm11, zmm13
vpaddb zmm8, zmm7, zmm13
vmovdqa64 zmm6, zmmword ptr [{places} + 1088]
vpshufb zmm6, zmm6, zmm2
vpxord zmm29, zmm5, zmm29
vpxord zmm31, zmm16, zmm31
vpandd zmm16, zmm14, zmm4
vpsrlw zmm14, zmm14, 4
vmovdqa64 zmmword ptr [{v} + 448], zmm18
vbroadcasti32x4 zmm18, xmmword ptr [{keys} + 240]
vpshufb zmm18, zmm18, zmm15
vmovdqa64 zmm15, zmmword ptr [{places} + 6016]
vpshufb zmm15, zmm15, zmm30
vpaddb zmm22, zmm22, zmm25
vpaddb zmm9, zmm9, zmm25
vpsubb zmm25, zmm23, zmm25
vmovdqa64 zmm23, zmmword ptr [{places} + 5440]
vpshufb zmm23, zmm23, zmm24
vmovdqa64 zmm30, zmmword ptr [{places} + 5568]
vpshufb zmm30, zmm30, zmm24
vpternlogd zmm27, zmm12, zmm3, 0x96
vpminub zmm11, zmm20, zmm11
vpminub zmm7, zmm8, zmm7
vpshufb zmm31, zmm1, zmm31
vpshufb zmm8, zmm10, zmm29
vpshufb zmm20, zmm28, zmm29
vpandd zmm14, zmm14, zmm4
vmovdqa64 zmm3, zmmword ptr [{places} + 0]
vpshufb zmm3, zmm3, zmm16
vmovdqa64 zmm12, zmmword ptr [{places} + 128]
vpshufb zmm12, zmm12, zmm16
vpaddb zmm16, zmm22, zmm13
vpaddb zmm24, zmm9, zmm13
vmovdqa64 zmm5, zmmword ptr [{places} + 2624]
vpshufb zmm5, zmm5, zmm25
vpxord zmm23, zmm0, zmm23
vpxord zmm30, zmm17, zmm30
vpandd zmm17, zmm26, zmm4
vpsrlw zmm26, zmm26, 4
vmovdqa64 zmmword ptr [{v} + 704], zmm27
vbroadcasti32x4 zmm27, xmmword ptr [{keys} + 32]
vpshufb zmm27, zmm27, zmm11
vmovdqa64 zmm11, zmmword ptr [{places} + 1024]
vpshufb zmm11, zmm11, zmm7
vpaddb zmm8, zmm8, zmm31
vpaddb zmm20, zmm20, zmm31
vpsubb zmm31, zmm29, zmm31
vmovdqa64 zmm29, zmmword ptr [{places} + 64]
vpshufb zmm29, zmm29, zmm14
vmovdqa64 zmm7, zmmword ptr [{places} + 192]
vpshufb zmm7, zmm7, zmm14
vpternlogd zmm18, zmm15, zmm21, 0x96
vpminub zmm22, zmm16, zmm22
vpminub zmm9, zmm24, zmm9
vpshufb zmm30, zmm1, zmm30
vpshufb zmm24, zmm10, zmm23
vpshufb zmm16, zmm28, zmm23
vpandd zmm26, zmm26, zmm4
vmovdqa64 zmm21, zmmword ptr [{places} + 1536]
vpshufb zmm21, zmm21, zmm17
vmovdqa64 zmm15, zmmword ptr [{places} + 1664]
vpshufb zmm15, zmm15, zmm17
vpaddb zmm17, zmm8, zmm13
vpaddb zmm14, zmm20, zmm13
vmovdqa64 zmm0, zmmword ptr [{places} + 4160]
vpshufb zmm0, zmm0, zmm31
vpxord zmm29, zmm3, zmm29
vpxord zmm7, zmm12, zmm7
vmovdqa64 zmm12, zmmword ptr [{slots} + 1152]
vpandd zmm3, zmm12, zmm4
vpsrlw zmm12, zmm12, 4
vmovdqa64 zmmword ptr [{v} + 960], zmm18
vbroadcasti32x4 zmm18, xmmword ptr [{keys} + 96]
vpshufb zmm18, zmm18, zmm22
vmovdqa64 zmm22, zmmword ptr [{places} + 2560]
vpshufb zmm22, zmm22, zmm9
vpaddb zmm24, zmm24, zmm30
vpaddb zmm16, zmm16, zmm30
vpsubb zmm30, zmm23, zmm30
vmovdqa64 zmm23, zmmword ptr [{places} + 1600]
vpshufb zmm23, zmm23, zmm26
vmovdqa64 zmm9, zmmword ptr [{places} + 1728]
vpshufb zmm9, zmm9, zmm26
vpternlogd zmm27, zmm11, zmm6, 0x96
vpminub zmm8, zmm17, zmm8
vpminub zmm20, zmm14, zmm20
vpshufb zmm7, zmm1, zmm7
vpshufb zmm14, zmm10, zmm29
vpshufb zmm17, zmm28, zmm29
vpandd zmm12, zmm12, zmm4
vmovdqa64 zmm6, zmmword ptr [{places} + 3072]
vpshufb zmm6, zmm6, zmm3
vmovdqa64 zmm11, zmmword ptr [{places} + 3200]
vpshufb zmm11, zmm11, zmm3
vpaddb zmm3, zmm24, zmm13
vpaddb zmm26, zmm16, zmm13
vmovdqa64 zmm31, zmmword ptr [{places} + 5696]
vpshufb zmm31, zmm31, zmm30
vpxord zmm23, zmm21, zmm23
vpxord zmm9, zmm15, zmm9
vmovdqa64 zmm15, zmmword ptr [{slots} + 1088]
vpandd zmm21, zmm15, zmm4
vpsrlw zmm15, zmm15, 4
vmovdqa64 zmmword ptr [{v} + 128], zmm27
vbroadcasti32x4 zmm27, xmmword ptr [{keys} + 160]
vpshufb zmm27, zmm27, zmm8
vmovdqa64 zmm8, zmmword ptr [{places} + 4096]
vpshufb zmm8, zmm8, zmm20
vpaddb zmm14, zmm14, zmm7
vpaddb zmm17, zmm17, zmm7
vpsubb zmm7, zmm29, zmm7
vmovdqa64 zmm29, zmmword ptr [{places} + 3136]
vpshufb zmm29, zmm29, zmm12
vmovdqa64 zmm20, zmmword ptr [{places} + 3264]
vpshufb zmm20, zmm20, zmm12
vpternlogd zmm18, zmm22, zmm5, 0x96
vpminub zmm24, zmm3, zmm24
vpminub zmm16, zmm26, zmm16
vpshufb zmm9, zmm1, zmm9
vpshufb zmm26, zmm10, zmm23
vpshufb zmm3, zmm28, zmm23
vpandd zmm15, zmm15, zmm4
vmovdqa64 zmm5, zmmword ptr [{places} + 4608]
vpshufb zmm5, zmm5, zmm21
vmovdqa64 zmm22, zmmword ptr [{places} + 4736]
vpshufb zmm22, zmm22, zmm21
vpaddb zmm21, zmm14, zmm13
vpaddb zmm12, zmm17, zmm13
vmovdqa64 zmm30, zmmword ptr [{places} + 320]
vpshufb zmm30, zmm30, zmm7
vpxord zmm29, zmm6, zmm29
vpxord zmm20, zmm11, zmm20
vmovdqa64 zmm11, zmmword ptr [{slots} + 960]
vpandd zmm6, zmm11, zmm4
vpsrlw zmm11, zmm11, 4
vmovdqa64 zmmword ptr [{v} + 384], zmm18
vbroadcasti32x4 zmm18, xmmword ptr [{keys} + 224]
vpshufb zmm18, zmm18, zmm24
vmovdqa64 zmm24, zmmword ptr [{places} + 5632]
vpshufb zmm24, zmm24, zmm16
vpaddb zmm26, zmm26, zmm9
vpaddb zmm3, zmm3, zmm9
vpsubb zmm9, zmm23, zmm9
vmovdqa64 zmm23, zmmword ptr [{places} + 4672]
vpshufb zmm23, zmm23, zmm15
vmovdqa64 zmm16, zmmword ptr [{places} + 4800]
vpshufb zmm16, zmm16, zmm15
vpternlogd zmm27, zmm8, zmm0, 0x96
vpminub zmm14, zmm21, zmm14
vpminub zmm17, zmm12, zmm17
vpshufb zmm20, zmm1, zmm20
vpshufb zmm12, zmm10, zmm29
vpshufb zmm21, zmm28, zmm29
vpandd zmm11, zmm11, zmm4
vmovdqa64 zmm0, zmmword ptr [{places} + 384]
vpshufb zmm0, zmm0, zmm6
vmovdqa64 zmm8, zmmword ptr [{places} + 512]
vpshufb zmm8, zmm8, zmm6
vpaddb zmm6, zmm26, zmm13
vpaddb zmm15, zmm3, zmm13
vmovdqa64 zmm7, zmmword ptr [{places} + 1856]
vpshufb zmm7, zmm7, zmm9
vpxord zmm23, zmm5, zmm23
vpxord zmm16, zmm22, zmm16
vmovdqa64 zmm22, zmmword ptr [{slots} + 64]
vpandd zmm5, zmm22, zmm4
vpsrlw zmm22, zmm22, 4
vmovdqa64 zmmword ptr [{v} + 640], zmm27
vbroadcasti32x4 zmm27, xmmword ptr [{keys} + 0]
vpshufb zmm27, zmm27, zmm14
vmovdqa64 zmm14, zmmword ptr [{places} + 256]
vpshufb zmm14, zmm14, zmm17
vpaddb zmm12, zmm12, zmm20
vpaddb zmm21, zmm21, zmm20
vpsubb zmm20, zmm29, zmm20
vmovdqa64 zmm29, zmmword ptr [{places} + 448]
vpshufb zmm29, zmm29, zmm11
vmovdqa64 zmm17, zmmword ptr [{places} + 576]
vpshufb zmm17, zmm17, zmm11
vpternlogd zmm18, zmm24, zmm31, 0x96
vpminub zmm26, zmm6, zmm26
vpminub zmm3, zmm15, zmm3
vpshufb zmm16, zmm1, zmm16
vpshufb zmm15, zmm10, zmm23
vpshufb zmm6, zmm28, zmm23
vpandd zmm22, zmm22, zmm4
vmovdqa64 zmm31, zmmword ptr [{places} + 1920]
vpshufb zmm31, zmm31, zmm5
vmovdqa64 zmm24, zmmword ptr [{places} + 2048]
vpshufb zmm24, zmm24, zmm5
vpaddb zmm5, zmm12, zmm13
vpaddb zmm11, zmm21, zmm13
vmovdqa64 zmm9, zmmword ptr [{places} + 3392]
vpshufb zmm9, zmm9, zmm20
vpxord zmm29, zmm0, zmm29
vpxord zmm17, zmm8, zmm17
vmovdqa64 zmm8, zmmword ptr [{slots} + 896]
vpandd zmm0, zmm8, zmm4
vpsrlw zmm8, zmm8, 4
vmovdqa64 zmmword ptr [{v} + 896], zmm18
vbroadcasti32x4 zmm18, xmmword ptr [{keys} + 64]
vpshufb zmm18, zmm18, zmm26
vmovdqa64 zmm26, zmmword ptr [{places} + 1792]
vpshufb zmm26, zmm26, zmm3
vpaddb zmm15, zmm15, zmm16
vpaddb zmm6, zmm6, zmm16
vpsubb zmm16, zmm23, zmm16
vmovdqa64 zmm23, zmmword ptr [{places} + 1984]
vpshufb zmm23, zmm23, zmm22
vmovdqa64 zmm3, zmmword ptr [{places} + 2112]
vpshufb zmm3, zmm3, zmm22
vpternlogd zmm27, zmm14, zmm30, 0x96
vpminub zmm12, zmm5, zmm12
vpminub zmm21, zmm11, zmm21
vpshufb zmm17, zmm1, zmm17
vpshufb zmm11, zmm10, zmm29
vpshufb zmm5, zmm28, zmm29
vpandd zmm8, zmm8, zmm4
vmovdqa64 zmm30, zmmword ptr [{places} + 3456]
vpshufb zmm30, zmm30, zmm0
vmovdqa64 zmm14, zmmword ptr [{places} + 3584]
vpshufb zmm14, zmm14, zmm0
vpaddb zmm0, zmm15, zmm13
vpaddb zmm22, zmm6, zmm13
vmovdqa64 zmm20, zmmword ptr [{places} + 4928]
vpshufb zmm20, zmm20, zmm16
vpxord zmm23, zmm31, zmm23
vpxord zmm3, zmm24, zmm3
vmovdqa64 zmm24, zmmword ptr [{slots} + 0]
vpandd zmm31, zmm24, zmm4
vpsrlw zmm24, zmm24, 4
vmovdqa64 zmmword ptr [{v} + 0], zmm27
vbroadcasti32x4 zmm27, xmmword ptr [{keys} + 128]
vpshufb zmm27, zmm27, zmm12
vmovdqa64 zmm12, zmmword ptr [{places} + 3328]
vpshufb zmm12, zmm12, zmm21
vpaddb zmm11, zmm11, zmm17
vpaddb zmm5, zmm5, zmm17
vpsubb zmm17, zmm29, zmm17
vmovdqa64 zmm29, zmmword ptr [{places} + 3520]
vpshufb zmm29, zmm29, zmm8
vmovdqa64 zmm21, zmmword ptr [{places} + 3648]
vpshufb zmm21, zmm21, zmm8
vpternlogd zmm18, zmm26, zmm7, 0x96
vpminub zmm15, zmm0, zmm15
vpminub zmm6, zmm22, zmm6
vpshufb zmm3, zmm1, zmm3
vpshufb zmm22, zmm10, zmm23
vpshufb zmm0, zmm28, zmm23
vpandd zmm4, zmm24, zmm4
vmovdqa64 zmm24, zmmword ptr [{places} + 4992]
vpshufb zmm24, zmm24, zmm31
vmovdqa64 zmm7, zmmword ptr [{places} + 5120]
vpshufb zmm7, zmm7, zmm31
vpaddb zmm31, zmm11, zmm13
vpaddb zmm26, zmm5, zmm13
vmovdqa64 zmm8, zmmword ptr [{places} + 704]
vpshufb zmm8, zmm8, zmm17
vpxord zmm29, zmm30, zmm29
vpxord zmm21, zmm14, zmm21
vmovdqa64 zmmword ptr [{v} + 256], zmm18
vbroadcasti32x4 zmm18, xmmword ptr [{keys} + 192]
vpshufb zmm18, zmm18, zmm15
vmovdqa64 zmm15, zmmword ptr [{places} + 4864]
vpshufb zmm15, zmm15, zmm6
vpaddb zmm22, zmm22, zmm3
vpaddb zmm0, zmm0, zmm3
vpsubb zmm3, zmm23, zmm3
vmovdqa64 zmm23, zmmword ptr [{places} + 5056]
vpshufb zmm23, zmm23, zmm4
vmovdqa64 zmm6, zmmword ptr [{places} + 5184]
vpshufb zmm6, zmm6, zmm4
vpternlogd zmm27, zmm12, zmm9, 0x96
vpminub zmm11, zmm31, zmm11
vpminub zmm5, zmm26, zmm5
vpshufb zmm21, zmm1, zmm21
vpshufb zmm26, zmm10, zmm29
vpshufb zmm31, zmm28, zmm29
vpaddb zmm9, zmm22, zmm13
vpaddb zmm12, zmm0, zmm13
vmovdqa64 zmm4, zmmword ptr [{places} + 2240]
vpshufb zmm4, zmm4, zmm3
vpxord zmm23, zmm24, zmm23
vpxord zmm6, zmm7, zmm6
vmovdqa64 zmmword ptr [{v} + 512], zmm27
vbroadcasti32x4 zmm27, xmmword ptr [{keys} + 16]
vpshufb zmm27, zmm27, zmm11
vmovdqa64 zmm11, zmmword ptr [{places} + 640]
vpshufb zmm11, zmm11, zmm5
vpaddb zmm26, zmm26, zmm21
vpaddb zmm31, zmm31, zmm21
vpsubb zmm21, zmm29, zmm21
vpternlogd zmm18, zmm15, zmm20, 0x96
vpminub zmm22, zmm9, zmm22
vpminub zmm0, zmm12, zmm0
vpshufb zmm6, zmm1, zmm6
vpshufb zmm10, zmm10, zmm23
vpshufb zmm28, zmm28, zmm23
vpaddb zmm1, zmm26, zmm13
vpaddb zmm12, zmm31, zmm13
vmovdqa64 zmm9, zmmword ptr [{places} + 3776]
vpshufb zmm9, zmm9, zmm21
vmovdqa64 zmmword ptr [{v} + 768], zmm18
vbroadcasti32x4 zmm18, xmmword ptr [{keys} + 80]
vpshufb zmm18, zmm18, zmm22
vmovdqa64 zmm22, zmmword ptr [{places} + 2176]
vpshufb zmm22, zmm22, zmm0
vpaddb zmm10, zmm10, zmm6
vpaddb zmm28, zmm28, zmm6
vpsubb zmm6, zmm23, zmm6
vpternlogd zmm27, zmm11, zmm8, 0x96
vpminub zmm26, zmm1, zmm26
vpminub zmm31, zmm12, zmm31
vpaddb zmm12, zmm10, zmm13
vpaddb zmm13, zmm28, zmm13
vmovdqa64 zmm1, zmmword ptr [{places} + 5312]
vpshufb zmm1, zmm1, zmm6
vmovdqa64 zmmword ptr [{v} + 64], zmm27
vbroadcasti32x4 zmm27, xmmword ptr [{keys} + 144]
vpshufb zmm27, zmm27, zmm26
vmovdqa64 zmm26, zmmword ptr [{places} + 3712]
vpshufb zmm26, zmm26, zmm31
vpternlogd zmm18, zmm22, zmm4, 0x96
vpminub zmm10, zmm12, zmm10
vpminub zmm28, zmm13, zmm28
vmovdqa64 zmmword ptr [{v} + 320], zmm18
vbroadcasti32x4 zmm18, xmmword ptr [{keys} + 208]
vpshufb zmm18, zmm18, zmm10
vmovdqa64 zmm10, zmmword ptr [{places} + 5248]
vpshufb zmm10, zmm10, zmm28
vpternlogd zmm27, zmm26, zmm9, 0x96
vmovdqa64 zmmword ptr [{v} + 576], zmm27
vpternlogd zmm18, zmm10, zmm1, 0x96
vmovdqa64 zmmword ptr [{v} + 832], zmm18
add {list}, 8
add {keys}, 256
dec {count}
jnz 2b
vzeroupper
