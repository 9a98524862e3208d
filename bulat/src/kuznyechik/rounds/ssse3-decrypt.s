# Written by kuznyechik/assembly/octets.rs; not to be changed by hand.
2:
mov {places}, qword ptr [{list}]
movdqa xmm0, xmmword ptr [{v} + 48]
movdqa xmm1, xmmword ptr [{numbers} + 0]
movdqa xmm2, xmm0
pand xmm2, xmm1
psrlw xmm0, 4
movdqa xmm3, xmmword ptr [{v} + 112]
movdqa xmm4, xmm3
pand xmm4, xmm1
psrlw xmm3, 4
movdqa xmm5, xmmword ptr [{v} + 176]
movdqa xmm6, xmm5
pand xmm6, xmm1
psrlw xmm5, 4
movdqa xmm7, xmmword ptr [{v} + 240]
movdqa xmm8, xmm7
pand xmm8, xmm1
psrlw xmm7, 4
pand xmm0, xmm1
pand xmm3, xmm1
pand xmm5, xmm1
pand xmm7, xmm1
movdqa xmm9, xmmword ptr [{leaves} + 256]
pshufb xmm9, xmm4
movdqa xmm10, xmmword ptr [{leaves} + 272]
pshufb xmm10, xmm3
movdqa xmm11, xmmword ptr [{leaves} + 320]
pshufb xmm11, xmm2
movdqa xmm12, xmmword ptr [{leaves} + 336]
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
movdqa xmm15, xmmword ptr [{leaves} + 64]
pshufb xmm15, xmm8
movdqa xmmword ptr [{slots} + 0], xmm3
movdqa xmm3, xmmword ptr [{leaves} + 80]
pshufb xmm3, xmm7
movdqa xmmword ptr [{slots} + 16], xmm4
movdqa xmm4, xmmword ptr [{leaves} + 128]
pshufb xmm4, xmm6
movdqa xmmword ptr [{slots} + 32], xmm0
movdqa xmm0, xmmword ptr [{leaves} + 144]
pshufb xmm0, xmm5
movdqa xmmword ptr [{slots} + 48], xmm2
movdqa xmm2, xmm6
pxor xmm2, xmm8
movdqa xmmword ptr [{slots} + 64], xmm8
movdqa xmm8, xmm5
pxor xmm8, xmm7
pxor xmm15, xmm3
pxor xmm4, xmm0
movdqa xmm0, xmmword ptr [{leaves} + 0]
pshufb xmm0, xmm2
movdqa xmm2, xmmword ptr [{leaves} + 16]
pshufb xmm2, xmm8
pxor xmm0, xmm2
pxor xmm15, xmm0
pxor xmm4, xmm0
movdqa xmm0, xmmword ptr [{leaves} + 448]
pshufb xmm0, xmm13
movdqa xmm2, xmmword ptr [{leaves} + 464]
pshufb xmm2, xmm14
movdqa xmm8, xmmword ptr [{leaves} + 512]
pshufb xmm8, xmm12
movdqa xmm3, xmmword ptr [{leaves} + 528]
pshufb xmm3, xmm10
pxor xmm12, xmm13
pxor xmm10, xmm14
movdqa xmm14, xmmword ptr [{v} + 16]
movdqa xmm13, xmm14
pand xmm13, xmm1
psrlw xmm14, 4
movdqa xmmword ptr [{slots} + 80], xmm7
movdqa xmm7, xmmword ptr [{v} + 80]
movdqa xmmword ptr [{slots} + 96], xmm5
movdqa xmm5, xmm7
pand xmm5, xmm1
psrlw xmm7, 4
movdqa xmmword ptr [{slots} + 112], xmm6
movdqa xmm6, xmmword ptr [{v} + 144]
movdqa xmmword ptr [{slots} + 128], xmm5
movdqa xmm5, xmm6
pand xmm5, xmm1
psrlw xmm6, 4
movdqa xmmword ptr [{slots} + 144], xmm5
movdqa xmm5, xmmword ptr [{v} + 208]
movdqa xmmword ptr [{slots} + 160], xmm13
movdqa xmm13, xmm5
pand xmm13, xmm1
psrlw xmm5, 4
pxor xmm0, xmm2
pxor xmm8, xmm3
movdqa xmm3, xmmword ptr [{leaves} + 384]
pshufb xmm3, xmm12
movdqa xmm12, xmmword ptr [{leaves} + 400]
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
movdqa xmm8, xmmword ptr [{slots} + 160]
movdqa xmm0, xmm8
pxor xmm0, xmmword ptr [{slots} + 48]
movdqa xmm3, xmm14
pxor xmm3, xmmword ptr [{slots} + 32]
movdqa xmm12, xmmword ptr [{slots} + 128]
movdqa xmm10, xmm12
pxor xmm10, xmmword ptr [{slots} + 16]
movdqa xmm2, xmm7
pxor xmm2, xmmword ptr [{slots} + 0]
movdqa xmm1, xmmword ptr [{slots} + 144]
movdqa xmmword ptr [{slots} + 176], xmm11
movdqa xmm11, xmm1
pxor xmm11, xmmword ptr [{slots} + 112]
movdqa xmmword ptr [{slots} + 192], xmm9
movdqa xmm9, xmm6
pxor xmm9, xmmword ptr [{slots} + 96]
movdqa xmmword ptr [{slots} + 208], xmm4
movdqa xmm4, xmm13
pxor xmm4, xmmword ptr [{slots} + 64]
movdqa xmmword ptr [{slots} + 224], xmm15
movdqa xmm15, xmm5
pxor xmm15, xmmword ptr [{slots} + 80]
movdqa xmmword ptr [{slots} + 240], xmm5
movdqa xmm5, xmmword ptr [{leaves} + 1344]
pshufb xmm5, xmm0
movdqa xmmword ptr [{slots} + 256], xmm13
movdqa xmm13, xmmword ptr [{leaves} + 1360]
pshufb xmm13, xmm3
movdqa xmmword ptr [{slots} + 272], xmm6
movdqa xmm6, xmmword ptr [{leaves} + 1344]
pshufb xmm6, xmm10
movdqa xmm1, xmmword ptr [{leaves} + 1360]
pshufb xmm1, xmm2
movdqa xmm8, xmmword ptr [{leaves} + 1408]
pshufb xmm8, xmm10
movdqa xmm12, xmmword ptr [{leaves} + 1424]
pshufb xmm12, xmm2
movdqa xmmword ptr [{slots} + 288], xmm7
movdqa xmm7, xmmword ptr [{leaves} + 1488]
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
movdqa xmm13, xmmword ptr [{leaves} + 1216]
pshufb xmm13, xmm4
movdqa xmmword ptr [{slots} + 304], xmm2
movdqa xmm2, xmmword ptr [{leaves} + 1232]
pshufb xmm2, xmm15
movdqa xmmword ptr [{slots} + 320], xmm10
movdqa xmm10, xmmword ptr [{leaves} + 1280]
pshufb xmm10, xmm11
movdqa xmmword ptr [{slots} + 336], xmm3
movdqa xmm3, xmmword ptr [{leaves} + 1296]
pshufb xmm3, xmm9
movdqa xmmword ptr [{slots} + 352], xmm0
movdqa xmm0, xmm11
pxor xmm0, xmm4
movdqa xmmword ptr [{slots} + 368], xmm4
movdqa xmm4, xmm9
pxor xmm4, xmm15
pxor xmm13, xmm2
pxor xmm10, xmm3
movdqa xmm3, xmmword ptr [{leaves} + 1152]
pshufb xmm3, xmm0
movdqa xmm0, xmmword ptr [{leaves} + 1168]
pshufb xmm0, xmm4
pxor xmm3, xmm0
pxor xmm13, xmm3
pxor xmm10, xmm3
movdqa xmm3, xmmword ptr [{leaves} + 1552]
pshufb xmm3, xmm12
movdqa xmm0, xmmword ptr [{leaves} + 1552]
pshufb xmm0, xmm1
movdqa xmm4, xmmword ptr [{leaves} + 1600]
pshufb xmm4, xmm8
movdqa xmm2, xmmword ptr [{leaves} + 1616]
pshufb xmm2, xmm1
movdqa xmm1, xmmword ptr [{leaves} + 1664]
pshufb xmm1, xmm7
movdqa xmmword ptr [{slots} + 384], xmm15
movdqa xmm15, xmmword ptr [{leaves} + 1680]
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
movdqa xmm0, xmmword ptr [{leaves} + 784]
pshufb xmm0, xmm14
movdqa xmm3, xmmword ptr [{slots} + 288]
movdqa xmm15, xmmword ptr [{leaves} + 784]
pshufb xmm15, xmm3
movdqa xmm2, xmmword ptr [{slots} + 128]
movdqa xmm1, xmmword ptr [{leaves} + 832]
pshufb xmm1, xmm2
movdqa xmm4, xmmword ptr [{leaves} + 848]
pshufb xmm4, xmm3
movdqa xmm8, xmmword ptr [{slots} + 160]
movdqa xmm7, xmmword ptr [{leaves} + 896]
pshufb xmm7, xmm8
movdqa xmm12, xmmword ptr [{leaves} + 912]
pshufb xmm12, xmm14
pxor xmm0, xmm8
pxor xmm15, xmm2
pxor xmm0, xmm1
pxor xmm15, xmm7
pxor xmm0, xmm4
pxor xmm15, xmm12
movdqa xmm12, xmmword ptr [{slots} + 144]
movdqa xmm4, xmm8
pxor xmm4, xmm12
movdqa xmm7, xmmword ptr [{slots} + 272]
movdqa xmm1, xmm14
pxor xmm1, xmm7
movdqa xmmword ptr [{slots} + 400], xmm14
movdqa xmm14, xmmword ptr [{slots} + 256]
movdqa xmm8, xmm2
pxor xmm8, xmm14
movdqa xmm2, xmmword ptr [{slots} + 240]
movdqa xmmword ptr [{slots} + 416], xmm9
movdqa xmm9, xmm3
pxor xmm9, xmm2
movdqa xmm3, xmmword ptr [{leaves} + 640]
pshufb xmm3, xmm14
movdqa xmmword ptr [{slots} + 432], xmm11
movdqa xmm11, xmmword ptr [{leaves} + 656]
pshufb xmm11, xmm2
movdqa xmmword ptr [{slots} + 448], xmm6
movdqa xmm6, xmm12
pxor xmm6, xmm14
movdqa xmm14, xmm7
pxor xmm14, xmm2
pxor xmm3, xmm11
movdqa xmm11, xmmword ptr [{leaves} + 576]
pshufb xmm11, xmm6
movdqa xmm6, xmmword ptr [{leaves} + 592]
pshufb xmm6, xmm14
pxor xmm11, xmm6
pxor xmm3, xmm11
movdqa xmm6, xmmword ptr [{leaves} + 1024]
pshufb xmm6, xmm8
movdqa xmm14, xmmword ptr [{leaves} + 1040]
pshufb xmm14, xmm9
movdqa xmm2, xmmword ptr [{leaves} + 1088]
pshufb xmm2, xmm4
movdqa xmm7, xmmword ptr [{leaves} + 1104]
pshufb xmm7, xmm1
pxor xmm4, xmm8
pxor xmm1, xmm9
pxor xmm6, xmm14
pxor xmm2, xmm7
movdqa xmm7, xmmword ptr [{leaves} + 960]
pshufb xmm7, xmm4
movdqa xmm4, xmmword ptr [{leaves} + 976]
pshufb xmm4, xmm1
pxor xmm7, xmm4
pxor xmm6, xmm7
pxor xmm2, xmm7
pxor xmm3, xmm6
pxor xmm11, xmm2
pxor xmm0, xmm6
pxor xmm15, xmm2
movdqa xmm2, xmm13
pxor xmm2, xmmword ptr [{slots} + 224]
movdqa xmm6, xmm10
pxor xmm6, xmmword ptr [{slots} + 208]
movdqa xmm7, xmm5
pxor xmm7, xmmword ptr [{slots} + 192]
movdqa xmm4, xmmword ptr [{slots} + 448]
movdqa xmm1, xmm4
pxor xmm1, xmmword ptr [{slots} + 176]
pxor xmm3, xmm13
pxor xmm11, xmm10
pxor xmm0, xmm5
pxor xmm15, xmm4
movdqa xmm4, xmmword ptr [{v} + 32]
movdqa xmm5, xmmword ptr [{numbers} + 0]
movdqa xmm10, xmm4
pand xmm10, xmm5
psrlw xmm4, 4
movdqa xmm13, xmmword ptr [{v} + 96]
movdqa xmm14, xmm13
pand xmm14, xmm5
psrlw xmm13, 4
movdqa xmm9, xmmword ptr [{v} + 160]
movdqa xmm8, xmm9
pand xmm8, xmm5
psrlw xmm9, 4
movdqa xmmword ptr [{slots} + 448], xmm1
movdqa xmm1, xmmword ptr [{v} + 224]
movdqa xmmword ptr [{slots} + 176], xmm7
movdqa xmm7, xmm1
pand xmm7, xmm5
psrlw xmm1, 4
pand xmm4, xmm5
pand xmm13, xmm5
pand xmm9, xmm5
pand xmm1, xmm5
movdqa xmmword ptr [{slots} + 192], xmm6
movdqa xmm6, xmmword ptr [{leaves} + 1920]
pshufb xmm6, xmm10
movdqa xmmword ptr [{slots} + 208], xmm2
movdqa xmm2, xmmword ptr [{leaves} + 1936]
pshufb xmm2, xmm4
movdqa xmmword ptr [{slots} + 224], xmm15
movdqa xmm15, xmmword ptr [{leaves} + 1920]
pshufb xmm15, xmm14
movdqa xmmword ptr [{slots} + 464], xmm0
movdqa xmm0, xmmword ptr [{leaves} + 1936]
pshufb xmm0, xmm13
movdqa xmmword ptr [{slots} + 480], xmm11
movdqa xmm11, xmmword ptr [{leaves} + 1984]
pshufb xmm11, xmm14
movdqa xmmword ptr [{slots} + 496], xmm3
movdqa xmm3, xmmword ptr [{leaves} + 2000]
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
movdqa xmm12, xmmword ptr [{leaves} + 1792]
pshufb xmm12, xmm7
movdqa xmmword ptr [{slots} + 512], xmm13
movdqa xmm13, xmmword ptr [{leaves} + 1808]
pshufb xmm13, xmm1
movdqa xmmword ptr [{slots} + 528], xmm14
movdqa xmm14, xmmword ptr [{leaves} + 1856]
pshufb xmm14, xmm8
movdqa xmmword ptr [{slots} + 544], xmm4
movdqa xmm4, xmmword ptr [{leaves} + 1872]
pshufb xmm4, xmm9
movdqa xmmword ptr [{slots} + 560], xmm10
movdqa xmm10, xmm8
pxor xmm10, xmm7
movdqa xmmword ptr [{slots} + 576], xmm7
movdqa xmm7, xmm9
pxor xmm7, xmm1
pxor xmm12, xmm13
pxor xmm14, xmm4
movdqa xmm4, xmmword ptr [{leaves} + 1728]
pshufb xmm4, xmm10
movdqa xmm10, xmmword ptr [{leaves} + 1744]
pshufb xmm10, xmm7
pxor xmm4, xmm10
pxor xmm12, xmm4
pxor xmm14, xmm4
movdqa xmm4, xmmword ptr [{leaves} + 2176]
pshufb xmm4, xmm0
movdqa xmm10, xmmword ptr [{leaves} + 2192]
pshufb xmm10, xmm2
movdqa xmm7, xmmword ptr [{leaves} + 2240]
pshufb xmm7, xmm3
movdqa xmm13, xmmword ptr [{leaves} + 2256]
pshufb xmm13, xmm11
pxor xmm3, xmm0
pxor xmm11, xmm2
movdqa xmm2, xmmword ptr [{v} + 0]
movdqa xmm0, xmm2
pand xmm0, xmm5
psrlw xmm2, 4
movdqa xmmword ptr [{slots} + 592], xmm1
movdqa xmm1, xmmword ptr [{v} + 64]
movdqa xmmword ptr [{slots} + 608], xmm9
movdqa xmm9, xmm1
pand xmm9, xmm5
psrlw xmm1, 4
movdqa xmmword ptr [{slots} + 624], xmm8
movdqa xmm8, xmmword ptr [{v} + 128]
movdqa xmmword ptr [{slots} + 640], xmm9
movdqa xmm9, xmm8
pand xmm9, xmm5
psrlw xmm8, 4
movdqa xmmword ptr [{slots} + 656], xmm9
movdqa xmm9, xmmword ptr [{v} + 192]
movdqa xmmword ptr [{slots} + 672], xmm0
movdqa xmm0, xmm9
pand xmm0, xmm5
psrlw xmm9, 4
pxor xmm4, xmm10
pxor xmm7, xmm13
movdqa xmm13, xmmword ptr [{leaves} + 2112]
pshufb xmm13, xmm3
movdqa xmm3, xmmword ptr [{leaves} + 2128]
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
movdqa xmm7, xmmword ptr [{slots} + 672]
movdqa xmm4, xmm7
pxor xmm4, xmmword ptr [{slots} + 560]
movdqa xmm13, xmm2
pxor xmm13, xmmword ptr [{slots} + 544]
movdqa xmm3, xmmword ptr [{slots} + 640]
movdqa xmm11, xmm3
pxor xmm11, xmmword ptr [{slots} + 528]
movdqa xmm10, xmm1
pxor xmm10, xmmword ptr [{slots} + 512]
movdqa xmm5, xmmword ptr [{slots} + 656]
movdqa xmmword ptr [{slots} + 688], xmm15
movdqa xmm15, xmm5
pxor xmm15, xmmword ptr [{slots} + 624]
movdqa xmmword ptr [{slots} + 704], xmm6
movdqa xmm6, xmm8
pxor xmm6, xmmword ptr [{slots} + 608]
movdqa xmmword ptr [{slots} + 720], xmm14
movdqa xmm14, xmm0
pxor xmm14, xmmword ptr [{slots} + 576]
movdqa xmmword ptr [{slots} + 736], xmm12
movdqa xmm12, xmm9
pxor xmm12, xmmword ptr [{slots} + 592]
movdqa xmmword ptr [{slots} + 752], xmm9
movdqa xmm9, xmmword ptr [{leaves} + 3152]
pshufb xmm9, xmm10
movdqa xmmword ptr [{slots} + 768], xmm1
movdqa xmm1, xmmword ptr [{leaves} + 3200]
pshufb xmm1, xmm4
movdqa xmmword ptr [{slots} + 784], xmm0
movdqa xmm0, xmmword ptr [{leaves} + 3216]
pshufb xmm0, xmm13
movdqa xmm3, xmm4
pxor xmm3, xmm11
movdqa xmmword ptr [{slots} + 800], xmm8
movdqa xmm8, xmm13
pxor xmm8, xmm10
pxor xmm9, xmm11
pxor xmm1, xmm0
movdqa xmm0, xmmword ptr [{leaves} + 3072]
pshufb xmm0, xmm3
movdqa xmm3, xmmword ptr [{leaves} + 3088]
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
movdqa xmmword ptr [{slots} + 816], xmm11
movdqa xmm11, xmm10
pxor xmm11, xmm12
movdqa xmmword ptr [{slots} + 832], xmm10
movdqa xmm10, xmmword ptr [{leaves} + 2944]
pshufb xmm10, xmm14
movdqa xmmword ptr [{slots} + 848], xmm13
movdqa xmm13, xmmword ptr [{leaves} + 2960]
pshufb xmm13, xmm12
movdqa xmmword ptr [{slots} + 864], xmm4
movdqa xmm4, xmmword ptr [{leaves} + 3008]
pshufb xmm4, xmm15
movdqa xmm5, xmmword ptr [{leaves} + 3024]
pshufb xmm5, xmm6
movdqa xmmword ptr [{slots} + 880], xmm2
movdqa xmm2, xmm15
pxor xmm2, xmm14
movdqa xmmword ptr [{slots} + 896], xmm14
movdqa xmm14, xmm6
pxor xmm14, xmm12
pxor xmm10, xmm13
pxor xmm4, xmm5
movdqa xmm5, xmmword ptr [{leaves} + 2880]
pshufb xmm5, xmm2
movdqa xmm2, xmmword ptr [{leaves} + 2896]
pshufb xmm2, xmm14
pxor xmm5, xmm2
pxor xmm10, xmm5
pxor xmm4, xmm5
movdqa xmm5, xmmword ptr [{leaves} + 3264]
pshufb xmm5, xmm0
movdqa xmm0, xmmword ptr [{leaves} + 3280]
pshufb xmm0, xmm3
movdqa xmm3, xmmword ptr [{leaves} + 3264]
pshufb xmm3, xmm8
movdqa xmm2, xmmword ptr [{leaves} + 3280]
pshufb xmm2, xmm11
movdqa xmm14, xmmword ptr [{leaves} + 3328]
pshufb xmm14, xmm8
movdqa xmm8, xmmword ptr [{leaves} + 3344]
pshufb xmm8, xmm11
pxor xmm5, xmm0
pxor xmm3, xmm2
pxor xmm5, xmm14
pxor xmm4, xmm3
pxor xmm1, xmm3
pxor xmm5, xmm8
pxor xmm10, xmm5
pxor xmm9, xmm5
movdqa xmm5, xmmword ptr [{leaves} + 2624]
pshufb xmm5, xmm7
movdqa xmm8, xmmword ptr [{slots} + 880]
movdqa xmm3, xmmword ptr [{leaves} + 2640]
pshufb xmm3, xmm8
pxor xmm5, xmm3
movdqa xmm3, xmmword ptr [{slots} + 656]
movdqa xmm14, xmm7
pxor xmm14, xmm3
movdqa xmm2, xmmword ptr [{slots} + 800]
movdqa xmm0, xmm8
pxor xmm0, xmm2
movdqa xmm11, xmmword ptr [{slots} + 784]
movdqa xmm13, xmm11
pxor xmm13, xmmword ptr [{slots} + 640]
movdqa xmm8, xmmword ptr [{slots} + 752]
movdqa xmm7, xmm8
pxor xmm7, xmmword ptr [{slots} + 768]
movdqa xmmword ptr [{slots} + 912], xmm12
movdqa xmm12, xmmword ptr [{leaves} + 2304]
pshufb xmm12, xmm3
movdqa xmm3, xmmword ptr [{leaves} + 2320]
pshufb xmm3, xmm2
movdqa xmm2, xmmword ptr [{leaves} + 2304]
pshufb xmm2, xmm11
movdqa xmmword ptr [{slots} + 928], xmm6
movdqa xmm6, xmmword ptr [{leaves} + 2320]
pshufb xmm6, xmm8
movdqa xmmword ptr [{slots} + 944], xmm15
movdqa xmm15, xmmword ptr [{leaves} + 2368]
pshufb xmm15, xmm11
movdqa xmm11, xmmword ptr [{leaves} + 2384]
pshufb xmm11, xmm8
pxor xmm12, xmm3
pxor xmm2, xmm6
pxor xmm12, xmm15
pxor xmm12, xmm11
movdqa xmm11, xmmword ptr [{leaves} + 2752]
pshufb xmm11, xmm13
movdqa xmm15, xmmword ptr [{leaves} + 2768]
pshufb xmm15, xmm7
movdqa xmm6, xmmword ptr [{leaves} + 2816]
pshufb xmm6, xmm14
movdqa xmm3, xmmword ptr [{leaves} + 2832]
pshufb xmm3, xmm0
pxor xmm14, xmm13
pxor xmm0, xmm7
pxor xmm11, xmm15
pxor xmm6, xmm3
movdqa xmm3, xmmword ptr [{leaves} + 2688]
pshufb xmm3, xmm14
movdqa xmm14, xmmword ptr [{leaves} + 2704]
pshufb xmm14, xmm0
pxor xmm3, xmm14
pxor xmm11, xmm3
pxor xmm6, xmm3
pxor xmm12, xmm11
pxor xmm2, xmm6
pxor xmm5, xmm6
movdqa xmm6, xmm10
pxor xmm6, xmmword ptr [{slots} + 736]
movdqa xmm3, xmm4
pxor xmm3, xmmword ptr [{slots} + 720]
movdqa xmm14, xmm9
pxor xmm14, xmmword ptr [{slots} + 704]
movdqa xmm0, xmm1
pxor xmm0, xmmword ptr [{slots} + 688]
pxor xmm12, xmm10
pxor xmm2, xmm4
pxor xmm11, xmm9
pxor xmm5, xmm1
movdqa xmm1, xmmword ptr [{slots} + 864]
pxor xmm1, xmmword ptr [{slots} + 352]
movdqa xmm9, xmmword ptr [{slots} + 848]
pxor xmm9, xmmword ptr [{slots} + 336]
movdqa xmm4, xmmword ptr [{slots} + 816]
pxor xmm4, xmmword ptr [{slots} + 320]
movdqa xmm10, xmmword ptr [{slots} + 832]
pxor xmm10, xmmword ptr [{slots} + 304]
movdqa xmm15, xmmword ptr [{slots} + 944]
pxor xmm15, xmmword ptr [{slots} + 432]
movdqa xmm7, xmmword ptr [{slots} + 928]
pxor xmm7, xmmword ptr [{slots} + 416]
movdqa xmm13, xmmword ptr [{slots} + 896]
pxor xmm13, xmmword ptr [{slots} + 368]
movdqa xmmword ptr [{slots} + 368], xmm0
movdqa xmm0, xmmword ptr [{slots} + 912]
pxor xmm0, xmmword ptr [{slots} + 384]
movdqa xmmword ptr [{slots} + 384], xmm14
movdqa xmm14, xmmword ptr [{leaves} + 4672]
pshufb xmm14, xmm13
movdqa xmmword ptr [{slots} + 912], xmm3
movdqa xmm3, xmmword ptr [{leaves} + 4688]
pshufb xmm3, xmm0
movdqa xmmword ptr [{slots} + 896], xmm6
movdqa xmm6, xmmword ptr [{leaves} + 4736]
pshufb xmm6, xmm15
movdqa xmmword ptr [{slots} + 416], xmm5
movdqa xmm5, xmmword ptr [{leaves} + 4752]
pshufb xmm5, xmm7
pxor xmm14, xmm3
pxor xmm6, xmm5
pxor xmm15, xmm1
pxor xmm7, xmm9
pxor xmm13, xmm4
pxor xmm0, xmm10
movdqa xmm5, xmmword ptr [{leaves} + 4864]
pshufb xmm5, xmm4
movdqa xmm3, xmmword ptr [{leaves} + 4880]
pshufb xmm3, xmm10
movdqa xmmword ptr [{slots} + 928], xmm11
movdqa xmm11, xmmword ptr [{leaves} + 4928]
pshufb xmm11, xmm1
movdqa xmmword ptr [{slots} + 432], xmm2
movdqa xmm2, xmmword ptr [{leaves} + 4944]
pshufb xmm2, xmm9
pxor xmm1, xmm4
pxor xmm9, xmm10
pxor xmm5, xmm3
pxor xmm11, xmm2
movdqa xmm2, xmmword ptr [{leaves} + 4800]
pshufb xmm2, xmm1
movdqa xmm1, xmmword ptr [{leaves} + 4816]
pshufb xmm1, xmm9
pxor xmm2, xmm1
pxor xmm5, xmm2
pxor xmm11, xmm2
movdqa xmm2, xmmword ptr [{leaves} + 5056]
pshufb xmm2, xmm13
movdqa xmm1, xmmword ptr [{leaves} + 5072]
pshufb xmm1, xmm0
movdqa xmm9, xmmword ptr [{leaves} + 5120]
pshufb xmm9, xmm15
movdqa xmm3, xmmword ptr [{leaves} + 5136]
pshufb xmm3, xmm7
pxor xmm15, xmm13
pxor xmm7, xmm0
pxor xmm2, xmm1
pxor xmm9, xmm3
movdqa xmm3, xmmword ptr [{leaves} + 4992]
pshufb xmm3, xmm15
movdqa xmm15, xmmword ptr [{leaves} + 5008]
pshufb xmm15, xmm7
pxor xmm3, xmm15
pxor xmm2, xmm3
pxor xmm9, xmm3
pxor xmm14, xmm2
pxor xmm6, xmm9
pxor xmm5, xmm2
pxor xmm11, xmm9
movdqa xmm9, xmmword ptr [{slots} + 672]
pxor xmm9, xmmword ptr [{slots} + 160]
movdqa xmm2, xmmword ptr [{slots} + 880]
pxor xmm2, xmmword ptr [{slots} + 400]
movdqa xmm3, xmmword ptr [{slots} + 640]
pxor xmm3, xmmword ptr [{slots} + 128]
movdqa xmm15, xmmword ptr [{slots} + 768]
pxor xmm15, xmmword ptr [{slots} + 288]
movdqa xmm7, xmmword ptr [{slots} + 656]
pxor xmm7, xmmword ptr [{slots} + 144]
movdqa xmm1, xmmword ptr [{slots} + 800]
pxor xmm1, xmmword ptr [{slots} + 272]
movdqa xmm0, xmmword ptr [{slots} + 784]
pxor xmm0, xmmword ptr [{slots} + 256]
pxor xmm8, xmmword ptr [{slots} + 240]
movdqa xmm13, xmmword ptr [{leaves} + 4224]
pshufb xmm13, xmm9
movdqa xmm10, xmmword ptr [{leaves} + 4240]
pshufb xmm10, xmm2
movdqa xmm4, xmmword ptr [{leaves} + 4224]
pshufb xmm4, xmm3
movdqa xmmword ptr [{slots} + 240], xmm12
movdqa xmm12, xmmword ptr [{leaves} + 4240]
pshufb xmm12, xmm15
movdqa xmmword ptr [{slots} + 752], xmm11
movdqa xmm11, xmmword ptr [{leaves} + 4304]
pshufb xmm11, xmm15
movdqa xmmword ptr [{slots} + 256], xmm5
movdqa xmm5, xmmword ptr [{leaves} + 4352]
pshufb xmm5, xmm9
movdqa xmmword ptr [{slots} + 784], xmm6
movdqa xmm6, xmmword ptr [{leaves} + 4368]
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
movdqa xmm6, xmmword ptr [{leaves} + 4096]
pshufb xmm6, xmm0
movdqa xmm11, xmmword ptr [{leaves} + 4112]
pshufb xmm11, xmm8
movdqa xmm5, xmmword ptr [{leaves} + 4160]
pshufb xmm5, xmm7
movdqa xmm12, xmmword ptr [{leaves} + 4176]
pshufb xmm12, xmm1
pxor xmm7, xmm0
pxor xmm1, xmm8
pxor xmm6, xmm11
pxor xmm5, xmm12
movdqa xmm12, xmmword ptr [{leaves} + 4032]
pshufb xmm12, xmm7
movdqa xmm7, xmmword ptr [{leaves} + 4048]
pshufb xmm7, xmm1
pxor xmm12, xmm7
pxor xmm6, xmm12
pxor xmm5, xmm12
movdqa xmm12, xmmword ptr [{leaves} + 4480]
pshufb xmm12, xmm3
movdqa xmm7, xmmword ptr [{leaves} + 4496]
pshufb xmm7, xmm15
movdqa xmm1, xmmword ptr [{leaves} + 4544]
pshufb xmm1, xmm9
movdqa xmm11, xmmword ptr [{leaves} + 4560]
pshufb xmm11, xmm2
pxor xmm9, xmm3
pxor xmm2, xmm15
pxor xmm12, xmm7
pxor xmm1, xmm11
movdqa xmm11, xmmword ptr [{leaves} + 4416]
pshufb xmm11, xmm9
movdqa xmm9, xmmword ptr [{leaves} + 4432]
pshufb xmm9, xmm2
pxor xmm11, xmm9
pxor xmm12, xmm11
pxor xmm1, xmm11
pxor xmm6, xmm12
pxor xmm5, xmm1
pxor xmm13, xmm12
pxor xmm4, xmm1
pxor xmm6, xmm14
pxor xmm5, xmmword ptr [{slots} + 784]
pxor xmm13, xmmword ptr [{slots} + 256]
pxor xmm4, xmmword ptr [{slots} + 752]
movdqa xmm1, xmm6
pxor xmm1, xmmword ptr [{slots} + 240]
movdqa xmm12, xmm5
pxor xmm12, xmmword ptr [{slots} + 432]
movdqa xmm11, xmm13
pxor xmm11, xmmword ptr [{slots} + 928]
movdqa xmm9, xmm4
pxor xmm9, xmmword ptr [{slots} + 416]
pxor xmm6, xmmword ptr [{slots} + 496]
pxor xmm5, xmmword ptr [{slots} + 480]
pxor xmm13, xmmword ptr [{slots} + 464]
pxor xmm4, xmmword ptr [{slots} + 224]
movdqa xmm2, xmmword ptr [{slots} + 560]
pxor xmm2, xmmword ptr [{slots} + 48]
movdqa xmm7, xmmword ptr [{slots} + 544]
pxor xmm7, xmmword ptr [{slots} + 32]
movdqa xmm15, xmmword ptr [{slots} + 528]
pxor xmm15, xmmword ptr [{slots} + 16]
movdqa xmm3, xmmword ptr [{slots} + 512]
pxor xmm3, xmmword ptr [{slots} + 0]
movdqa xmm8, xmmword ptr [{slots} + 624]
pxor xmm8, xmmword ptr [{slots} + 112]
movdqa xmm0, xmmword ptr [{slots} + 608]
pxor xmm0, xmmword ptr [{slots} + 96]
movdqa xmm10, xmmword ptr [{slots} + 576]
pxor xmm10, xmmword ptr [{slots} + 64]
movdqa xmmword ptr [{slots} + 64], xmm4
movdqa xmm4, xmmword ptr [{slots} + 592]
pxor xmm4, xmmword ptr [{slots} + 80]
movdqa xmmword ptr [{slots} + 80], xmm13
movdqa xmm13, xmmword ptr [{leaves} + 3712]
pshufb xmm13, xmm15
movdqa xmmword ptr [{slots} + 592], xmm5
movdqa xmm5, xmmword ptr [{leaves} + 3728]
pshufb xmm5, xmm3
movdqa xmmword ptr [{slots} + 576], xmm6
movdqa xmm6, xmmword ptr [{leaves} + 3776]
pshufb xmm6, xmm2
movdqa xmmword ptr [{slots} + 96], xmm9
movdqa xmm9, xmmword ptr [{leaves} + 3792]
pshufb xmm9, xmm7
movdqa xmmword ptr [{slots} + 608], xmm11
movdqa xmm11, xmm2
pxor xmm11, xmm15
movdqa xmmword ptr [{slots} + 112], xmm12
movdqa xmm12, xmm7
pxor xmm12, xmm3
pxor xmm13, xmm5
pxor xmm6, xmm9
movdqa xmm9, xmmword ptr [{leaves} + 3648]
pshufb xmm9, xmm11
movdqa xmm11, xmmword ptr [{leaves} + 3664]
pshufb xmm11, xmm12
pxor xmm9, xmm11
pxor xmm13, xmm9
pxor xmm6, xmm9
pxor xmm2, xmm8
pxor xmm7, xmm0
pxor xmm15, xmm10
pxor xmm3, xmm4
movdqa xmm9, xmmword ptr [{leaves} + 3536]
pshufb xmm9, xmm4
movdqa xmm11, xmmword ptr [{leaves} + 3584]
pshufb xmm11, xmm8
movdqa xmm12, xmmword ptr [{leaves} + 3600]
pshufb xmm12, xmm0
pxor xmm8, xmm10
pxor xmm0, xmm4
pxor xmm9, xmm10
pxor xmm11, xmm12
movdqa xmm12, xmmword ptr [{leaves} + 3456]
pshufb xmm12, xmm8
movdqa xmm8, xmmword ptr [{leaves} + 3472]
pshufb xmm8, xmm0
pxor xmm12, xmm8
pxor xmm9, xmm12
pxor xmm11, xmm12
movdqa xmm12, xmmword ptr [{leaves} + 3904]
pshufb xmm12, xmm15
movdqa xmm8, xmmword ptr [{leaves} + 3920]
pshufb xmm8, xmm3
movdqa xmm0, xmmword ptr [{leaves} + 3968]
pshufb xmm0, xmm2
movdqa xmm10, xmmword ptr [{leaves} + 3984]
pshufb xmm10, xmm7
pxor xmm2, xmm15
pxor xmm7, xmm3
pxor xmm12, xmm8
pxor xmm0, xmm10
movdqa xmm10, xmmword ptr [{leaves} + 3840]
pshufb xmm10, xmm2
movdqa xmm2, xmmword ptr [{leaves} + 3856]
pshufb xmm2, xmm7
pxor xmm10, xmm2
pxor xmm12, xmm10
pxor xmm0, xmm10
pxor xmm9, xmm12
pxor xmm11, xmm0
pxor xmm13, xmm12
pxor xmm6, xmm0
pxor xmm9, xmm14
pxor xmm11, xmmword ptr [{slots} + 784]
pxor xmm13, xmmword ptr [{slots} + 256]
pxor xmm6, xmmword ptr [{slots} + 752]
movdqa xmm14, xmm9
pxor xmm14, xmmword ptr [{slots} + 896]
movdqa xmm0, xmm11
pxor xmm0, xmmword ptr [{slots} + 912]
movdqa xmm12, xmm13
pxor xmm12, xmmword ptr [{slots} + 384]
movdqa xmm10, xmm6
pxor xmm10, xmmword ptr [{slots} + 368]
pxor xmm9, xmmword ptr [{slots} + 208]
pxor xmm11, xmmword ptr [{slots} + 192]
pxor xmm13, xmmword ptr [{slots} + 176]
pxor xmm6, xmmword ptr [{slots} + 448]
movdqa xmm2, xmmword ptr [{numbers} + 0]
movdqa xmm7, xmm1
pand xmm7, xmm2
psrlw xmm1, 4
pand xmm1, xmm2
movdqa xmm8, xmmword ptr [{places} + 768]
pshufb xmm8, xmm7
movdqa xmm3, xmmword ptr [{places} + 832]
pshufb xmm3, xmm7
movdqa xmm7, xmmword ptr [{places} + 784]
pshufb xmm7, xmm1
movdqa xmm15, xmmword ptr [{places} + 848]
pshufb xmm15, xmm1
movdqa xmm1, xmmword ptr [{slots} + 112]
movdqa xmm4, xmm1
pand xmm4, xmm2
psrlw xmm1, 4
pxor xmm8, xmm7
pxor xmm3, xmm15
pand xmm1, xmm2
movdqa xmm15, xmmword ptr [{places} + 1792]
pshufb xmm15, xmm4
movdqa xmm7, xmmword ptr [{places} + 1856]
pshufb xmm7, xmm4
movdqa xmm4, xmmword ptr [{numbers} + 320]
pshufb xmm4, xmm3
movdqa xmm3, xmmword ptr [{numbers} + 384]
pshufb xmm3, xmm8
movdqa xmm5, xmmword ptr [{numbers} + 448]
pshufb xmm5, xmm8
movdqa xmmword ptr [{slots} + 112], xmm10
movdqa xmm10, xmmword ptr [{places} + 1808]
pshufb xmm10, xmm1
movdqa xmmword ptr [{slots} + 448], xmm12
movdqa xmm12, xmmword ptr [{places} + 1872]
pshufb xmm12, xmm1
paddb xmm3, xmm4
paddb xmm5, xmm4
psubb xmm8, xmm4
movdqa xmm4, xmmword ptr [{slots} + 608]
movdqa xmm1, xmm4
pand xmm1, xmm2
psrlw xmm4, 4
pxor xmm15, xmm10
pxor xmm7, xmm12
movdqa xmm12, xmm3
paddb xmm12, xmmword ptr [{numbers} + 64]
movdqa xmm10, xmm5
paddb xmm10, xmmword ptr [{numbers} + 64]
movdqa xmmword ptr [{slots} + 608], xmm0
movdqa xmm0, xmmword ptr [{places} + 928]
pshufb xmm0, xmm8
pand xmm4, xmm2
movdqa xmm8, xmmword ptr [{places} + 2816]
pshufb xmm8, xmm1
movdqa xmmword ptr [{slots} + 176], xmm14
movdqa xmm14, xmmword ptr [{places} + 2880]
pshufb xmm14, xmm1
movdqa xmm1, xmmword ptr [{numbers} + 320]
pshufb xmm1, xmm7
movdqa xmm7, xmmword ptr [{numbers} + 384]
pshufb xmm7, xmm15
movdqa xmmword ptr [{slots} + 192], xmm6
movdqa xmm6, xmmword ptr [{numbers} + 448]
pshufb xmm6, xmm15
pminub xmm12, xmm3
pminub xmm10, xmm5
movdqa xmm5, xmmword ptr [{places} + 2832]
pshufb xmm5, xmm4
movdqa xmm3, xmmword ptr [{places} + 2896]
pshufb xmm3, xmm4
paddb xmm7, xmm1
paddb xmm6, xmm1
psubb xmm15, xmm1
movdqa xmm1, xmmword ptr [{slots} + 96]
movdqa xmm4, xmm1
pand xmm4, xmm2
psrlw xmm1, 4
movdqa xmmword ptr [{slots} + 96], xmm13
movdqa xmm13, xmmword ptr [{keys} + 48]
pshufb xmm13, xmm12
movdqa xmm12, xmmword ptr [{places} + 912]
pshufb xmm12, xmm10
pxor xmm8, xmm5
pxor xmm14, xmm3
movdqa xmm3, xmm7
paddb xmm3, xmmword ptr [{numbers} + 64]
movdqa xmm5, xmm6
paddb xmm5, xmmword ptr [{numbers} + 64]
movdqa xmm10, xmmword ptr [{places} + 1952]
pshufb xmm10, xmm15
pand xmm1, xmm2
movdqa xmm15, xmmword ptr [{places} + 3840]
pshufb xmm15, xmm4
movdqa xmmword ptr [{slots} + 208], xmm11
movdqa xmm11, xmmword ptr [{places} + 3904]
pshufb xmm11, xmm4
pxor xmm0, xmm13
movdqa xmm13, xmmword ptr [{numbers} + 320]
pshufb xmm13, xmm14
movdqa xmm14, xmmword ptr [{numbers} + 384]
pshufb xmm14, xmm8
movdqa xmm4, xmmword ptr [{numbers} + 448]
pshufb xmm4, xmm8
pminub xmm3, xmm7
pminub xmm5, xmm6
movdqa xmm6, xmmword ptr [{places} + 3856]
pshufb xmm6, xmm1
movdqa xmm7, xmmword ptr [{places} + 3920]
pshufb xmm7, xmm1
pxor xmm0, xmm12
paddb xmm14, xmm13
paddb xmm4, xmm13
psubb xmm8, xmm13
movdqa xmm13, xmmword ptr [{slots} + 576]
movdqa xmm12, xmm13
pand xmm12, xmm2
psrlw xmm13, 4
movdqa xmm1, xmmword ptr [{keys} + 112]
pshufb xmm1, xmm3
movdqa xmm3, xmmword ptr [{places} + 1936]
pshufb xmm3, xmm5
pxor xmm15, xmm6
pxor xmm11, xmm7
movdqa xmmword ptr [{v} + 48], xmm0
movdqa xmm0, xmm14
paddb xmm0, xmmword ptr [{numbers} + 64]
movdqa xmm7, xmm4
paddb xmm7, xmmword ptr [{numbers} + 64]
movdqa xmm6, xmmword ptr [{places} + 2976]
pshufb xmm6, xmm8
pand xmm13, xmm2
movdqa xmm8, xmmword ptr [{places} + 512]
pshufb xmm8, xmm12
movdqa xmm5, xmmword ptr [{places} + 576]
pshufb xmm5, xmm12
pxor xmm10, xmm1
movdqa xmm1, xmmword ptr [{numbers} + 320]
pshufb xmm1, xmm11
movdqa xmm11, xmmword ptr [{numbers} + 384]
pshufb xmm11, xmm15
movdqa xmm12, xmmword ptr [{numbers} + 448]
pshufb xmm12, xmm15
pminub xmm0, xmm14
pminub xmm7, xmm4
movdqa xmm4, xmmword ptr [{places} + 528]
pshufb xmm4, xmm13
movdqa xmm14, xmmword ptr [{places} + 592]
pshufb xmm14, xmm13
pxor xmm10, xmm3
paddb xmm11, xmm1
paddb xmm12, xmm1
psubb xmm15, xmm1
movdqa xmm1, xmmword ptr [{slots} + 592]
movdqa xmm3, xmm1
pand xmm3, xmm2
psrlw xmm1, 4
movdqa xmm13, xmmword ptr [{keys} + 176]
pshufb xmm13, xmm0
movdqa xmm0, xmmword ptr [{places} + 2960]
pshufb xmm0, xmm7
pxor xmm8, xmm4
pxor xmm5, xmm14
movdqa xmmword ptr [{v} + 112], xmm10
movdqa xmm10, xmm11
paddb xmm10, xmmword ptr [{numbers} + 64]
movdqa xmm14, xmm12
paddb xmm14, xmmword ptr [{numbers} + 64]
movdqa xmm4, xmmword ptr [{places} + 4000]
pshufb xmm4, xmm15
pand xmm1, xmm2
movdqa xmm15, xmmword ptr [{places} + 1536]
pshufb xmm15, xmm3
movdqa xmm7, xmmword ptr [{places} + 1600]
pshufb xmm7, xmm3
pxor xmm6, xmm13
movdqa xmm13, xmmword ptr [{numbers} + 320]
pshufb xmm13, xmm5
movdqa xmm5, xmmword ptr [{numbers} + 384]
pshufb xmm5, xmm8
movdqa xmm3, xmmword ptr [{numbers} + 448]
pshufb xmm3, xmm8
pminub xmm10, xmm11
pminub xmm14, xmm12
movdqa xmm12, xmmword ptr [{places} + 1552]
pshufb xmm12, xmm1
movdqa xmm11, xmmword ptr [{places} + 1616]
pshufb xmm11, xmm1
pxor xmm6, xmm0
paddb xmm5, xmm13
paddb xmm3, xmm13
psubb xmm8, xmm13
movdqa xmm13, xmmword ptr [{slots} + 80]
movdqa xmm0, xmm13
pand xmm0, xmm2
psrlw xmm13, 4
movdqa xmm1, xmmword ptr [{keys} + 240]
pshufb xmm1, xmm10
movdqa xmm10, xmmword ptr [{places} + 3984]
pshufb xmm10, xmm14
pxor xmm15, xmm12
pxor xmm7, xmm11
movdqa xmmword ptr [{v} + 176], xmm6
movdqa xmm6, xmm5
paddb xmm6, xmmword ptr [{numbers} + 64]
movdqa xmm11, xmm3
paddb xmm11, xmmword ptr [{numbers} + 64]
movdqa xmm12, xmmword ptr [{places} + 672]
pshufb xmm12, xmm8
pand xmm13, xmm2
movdqa xmm8, xmmword ptr [{places} + 2560]
pshufb xmm8, xmm0
movdqa xmm14, xmmword ptr [{places} + 2624]
pshufb xmm14, xmm0
pxor xmm4, xmm1
movdqa xmm1, xmmword ptr [{numbers} + 320]
pshufb xmm1, xmm7
movdqa xmm7, xmmword ptr [{numbers} + 384]
pshufb xmm7, xmm15
movdqa xmm0, xmmword ptr [{numbers} + 448]
pshufb xmm0, xmm15
pminub xmm6, xmm5
pminub xmm11, xmm3
movdqa xmm3, xmmword ptr [{places} + 2576]
pshufb xmm3, xmm13
movdqa xmm5, xmmword ptr [{places} + 2640]
pshufb xmm5, xmm13
pxor xmm4, xmm10
paddb xmm7, xmm1
paddb xmm0, xmm1
psubb xmm15, xmm1
movdqa xmm1, xmmword ptr [{slots} + 64]
movdqa xmm10, xmm1
pand xmm10, xmm2
psrlw xmm1, 4
movdqa xmm13, xmmword ptr [{keys} + 32]
pshufb xmm13, xmm6
movdqa xmm6, xmmword ptr [{places} + 656]
pshufb xmm6, xmm11
pxor xmm8, xmm3
pxor xmm14, xmm5
movdqa xmmword ptr [{v} + 240], xmm4
movdqa xmm4, xmm7
paddb xmm4, xmmword ptr [{numbers} + 64]
movdqa xmm5, xmm0
paddb xmm5, xmmword ptr [{numbers} + 64]
movdqa xmm3, xmmword ptr [{places} + 1696]
pshufb xmm3, xmm15
pand xmm1, xmm2
movdqa xmm15, xmmword ptr [{places} + 3584]
pshufb xmm15, xmm10
movdqa xmm11, xmmword ptr [{places} + 3648]
pshufb xmm11, xmm10
pxor xmm12, xmm13
movdqa xmm13, xmmword ptr [{numbers} + 320]
pshufb xmm13, xmm14
movdqa xmm14, xmmword ptr [{numbers} + 384]
pshufb xmm14, xmm8
movdqa xmm10, xmmword ptr [{numbers} + 448]
pshufb xmm10, xmm8
pminub xmm4, xmm7
pminub xmm5, xmm0
movdqa xmm0, xmmword ptr [{places} + 3600]
pshufb xmm0, xmm1
movdqa xmm7, xmmword ptr [{places} + 3664]
pshufb xmm7, xmm1
pxor xmm12, xmm6
paddb xmm14, xmm13
paddb xmm10, xmm13
psubb xmm8, xmm13
movdqa xmm13, xmm9
pand xmm13, xmm2
psrlw xmm9, 4
movdqa xmm6, xmmword ptr [{keys} + 96]
pshufb xmm6, xmm4
movdqa xmm4, xmmword ptr [{places} + 1680]
pshufb xmm4, xmm5
pxor xmm15, xmm0
pxor xmm11, xmm7
movdqa xmmword ptr [{v} + 32], xmm12
movdqa xmm12, xmm14
paddb xmm12, xmmword ptr [{numbers} + 64]
movdqa xmm7, xmm10
paddb xmm7, xmmword ptr [{numbers} + 64]
movdqa xmm0, xmmword ptr [{places} + 2720]
pshufb xmm0, xmm8
pand xmm9, xmm2
movdqa xmm8, xmmword ptr [{places} + 0]
pshufb xmm8, xmm13
movdqa xmm5, xmmword ptr [{places} + 64]
pshufb xmm5, xmm13
pxor xmm3, xmm6
movdqa xmm6, xmmword ptr [{numbers} + 320]
pshufb xmm6, xmm11
movdqa xmm11, xmmword ptr [{numbers} + 384]
pshufb xmm11, xmm15
movdqa xmm13, xmmword ptr [{numbers} + 448]
pshufb xmm13, xmm15
pminub xmm12, xmm14
pminub xmm7, xmm10
movdqa xmm10, xmmword ptr [{places} + 16]
pshufb xmm10, xmm9
movdqa xmm14, xmmword ptr [{places} + 80]
pshufb xmm14, xmm9
pxor xmm3, xmm4
paddb xmm11, xmm6
paddb xmm13, xmm6
psubb xmm15, xmm6
movdqa xmm6, xmmword ptr [{slots} + 208]
movdqa xmm4, xmm6
pand xmm4, xmm2
psrlw xmm6, 4
movdqa xmm9, xmmword ptr [{keys} + 160]
pshufb xmm9, xmm12
movdqa xmm12, xmmword ptr [{places} + 2704]
pshufb xmm12, xmm7
pxor xmm8, xmm10
pxor xmm5, xmm14
movdqa xmmword ptr [{v} + 96], xmm3
movdqa xmm3, xmm11
paddb xmm3, xmmword ptr [{numbers} + 64]
movdqa xmm14, xmm13
paddb xmm14, xmmword ptr [{numbers} + 64]
movdqa xmm10, xmmword ptr [{places} + 3744]
pshufb xmm10, xmm15
pand xmm6, xmm2
movdqa xmm15, xmmword ptr [{places} + 1024]
pshufb xmm15, xmm4
movdqa xmm7, xmmword ptr [{places} + 1088]
pshufb xmm7, xmm4
pxor xmm0, xmm9
movdqa xmm9, xmmword ptr [{numbers} + 320]
pshufb xmm9, xmm5
movdqa xmm5, xmmword ptr [{numbers} + 384]
pshufb xmm5, xmm8
movdqa xmm4, xmmword ptr [{numbers} + 448]
pshufb xmm4, xmm8
pminub xmm3, xmm11
pminub xmm14, xmm13
movdqa xmm13, xmmword ptr [{places} + 1040]
pshufb xmm13, xmm6
movdqa xmm11, xmmword ptr [{places} + 1104]
pshufb xmm11, xmm6
pxor xmm0, xmm12
paddb xmm5, xmm9
paddb xmm4, xmm9
psubb xmm8, xmm9
movdqa xmm9, xmmword ptr [{slots} + 96]
movdqa xmm12, xmm9
pand xmm12, xmm2
psrlw xmm9, 4
movdqa xmm6, xmmword ptr [{keys} + 224]
pshufb xmm6, xmm3
movdqa xmm3, xmmword ptr [{places} + 3728]
pshufb xmm3, xmm14
pxor xmm15, xmm13
pxor xmm7, xmm11
movdqa xmmword ptr [{v} + 160], xmm0
movdqa xmm0, xmm5
paddb xmm0, xmmword ptr [{numbers} + 64]
movdqa xmm11, xmm4
paddb xmm11, xmmword ptr [{numbers} + 64]
movdqa xmm13, xmmword ptr [{places} + 160]
pshufb xmm13, xmm8
pand xmm9, xmm2
movdqa xmm8, xmmword ptr [{places} + 2048]
pshufb xmm8, xmm12
movdqa xmm14, xmmword ptr [{places} + 2112]
pshufb xmm14, xmm12
pxor xmm10, xmm6
movdqa xmm6, xmmword ptr [{numbers} + 320]
pshufb xmm6, xmm7
movdqa xmm7, xmmword ptr [{numbers} + 384]
pshufb xmm7, xmm15
movdqa xmm12, xmmword ptr [{numbers} + 448]
pshufb xmm12, xmm15
pminub xmm0, xmm5
pminub xmm11, xmm4
movdqa xmm4, xmmword ptr [{places} + 2064]
pshufb xmm4, xmm9
movdqa xmm5, xmmword ptr [{places} + 2128]
pshufb xmm5, xmm9
pxor xmm10, xmm3
paddb xmm7, xmm6
paddb xmm12, xmm6
psubb xmm15, xmm6
movdqa xmm6, xmmword ptr [{slots} + 192]
movdqa xmm3, xmm6
pand xmm3, xmm2
psrlw xmm6, 4
movdqa xmm9, xmmword ptr [{keys} + 0]
pshufb xmm9, xmm0
movdqa xmm0, xmmword ptr [{places} + 144]
pshufb xmm0, xmm11
pxor xmm8, xmm4
pxor xmm14, xmm5
movdqa xmmword ptr [{v} + 224], xmm10
movdqa xmm10, xmm7
paddb xmm10, xmmword ptr [{numbers} + 64]
movdqa xmm5, xmm12
paddb xmm5, xmmword ptr [{numbers} + 64]
movdqa xmm4, xmmword ptr [{places} + 1184]
pshufb xmm4, xmm15
pand xmm6, xmm2
movdqa xmm15, xmmword ptr [{places} + 3072]
pshufb xmm15, xmm3
movdqa xmm11, xmmword ptr [{places} + 3136]
pshufb xmm11, xmm3
pxor xmm13, xmm9
movdqa xmm9, xmmword ptr [{numbers} + 320]
pshufb xmm9, xmm14
movdqa xmm14, xmmword ptr [{numbers} + 384]
pshufb xmm14, xmm8
movdqa xmm3, xmmword ptr [{numbers} + 448]
pshufb xmm3, xmm8
pminub xmm10, xmm7
pminub xmm5, xmm12
movdqa xmm12, xmmword ptr [{places} + 3088]
pshufb xmm12, xmm6
movdqa xmm7, xmmword ptr [{places} + 3152]
pshufb xmm7, xmm6
pxor xmm13, xmm0
paddb xmm14, xmm9
paddb xmm3, xmm9
psubb xmm8, xmm9
movdqa xmm9, xmmword ptr [{slots} + 176]
movdqa xmm0, xmm9
pand xmm0, xmm2
psrlw xmm9, 4
movdqa xmm6, xmmword ptr [{keys} + 64]
pshufb xmm6, xmm10
movdqa xmm10, xmmword ptr [{places} + 1168]
pshufb xmm10, xmm5
pxor xmm15, xmm12
pxor xmm11, xmm7
movdqa xmmword ptr [{v} + 0], xmm13
movdqa xmm13, xmm14
paddb xmm13, xmmword ptr [{numbers} + 64]
movdqa xmm7, xmm3
paddb xmm7, xmmword ptr [{numbers} + 64]
movdqa xmm12, xmmword ptr [{places} + 2208]
pshufb xmm12, xmm8
pand xmm9, xmm2
movdqa xmm8, xmmword ptr [{places} + 256]
pshufb xmm8, xmm0
movdqa xmm5, xmmword ptr [{places} + 320]
pshufb xmm5, xmm0
pxor xmm4, xmm6
movdqa xmm6, xmmword ptr [{numbers} + 320]
pshufb xmm6, xmm11
movdqa xmm11, xmmword ptr [{numbers} + 384]
pshufb xmm11, xmm15
movdqa xmm0, xmmword ptr [{numbers} + 448]
pshufb xmm0, xmm15
pminub xmm13, xmm14
pminub xmm7, xmm3
movdqa xmm3, xmmword ptr [{places} + 272]
pshufb xmm3, xmm9
movdqa xmm14, xmmword ptr [{places} + 336]
pshufb xmm14, xmm9
pxor xmm4, xmm10
paddb xmm11, xmm6
paddb xmm0, xmm6
psubb xmm15, xmm6
movdqa xmm6, xmmword ptr [{slots} + 608]
movdqa xmm10, xmm6
pand xmm10, xmm2
psrlw xmm6, 4
movdqa xmm9, xmmword ptr [{keys} + 128]
pshufb xmm9, xmm13
movdqa xmm13, xmmword ptr [{places} + 2192]
pshufb xmm13, xmm7
pxor xmm8, xmm3
pxor xmm5, xmm14
movdqa xmmword ptr [{v} + 64], xmm4
movdqa xmm4, xmm11
paddb xmm4, xmmword ptr [{numbers} + 64]
movdqa xmm14, xmm0
paddb xmm14, xmmword ptr [{numbers} + 64]
movdqa xmm3, xmmword ptr [{places} + 3232]
pshufb xmm3, xmm15
pand xmm6, xmm2
movdqa xmm15, xmmword ptr [{places} + 1280]
pshufb xmm15, xmm10
movdqa xmm7, xmmword ptr [{places} + 1344]
pshufb xmm7, xmm10
pxor xmm12, xmm9
movdqa xmm9, xmmword ptr [{numbers} + 320]
pshufb xmm9, xmm5
movdqa xmm5, xmmword ptr [{numbers} + 384]
pshufb xmm5, xmm8
movdqa xmm10, xmmword ptr [{numbers} + 448]
pshufb xmm10, xmm8
pminub xmm4, xmm11
pminub xmm14, xmm0
movdqa xmm0, xmmword ptr [{places} + 1296]
pshufb xmm0, xmm6
movdqa xmm11, xmmword ptr [{places} + 1360]
pshufb xmm11, xmm6
pxor xmm12, xmm13
paddb xmm5, xmm9
paddb xmm10, xmm9
psubb xmm8, xmm9
movdqa xmm9, xmmword ptr [{slots} + 448]
movdqa xmm13, xmm9
pand xmm13, xmm2
psrlw xmm9, 4
movdqa xmm6, xmmword ptr [{keys} + 192]
pshufb xmm6, xmm4
movdqa xmm4, xmmword ptr [{places} + 3216]
pshufb xmm4, xmm14
pxor xmm15, xmm0
pxor xmm7, xmm11
movdqa xmmword ptr [{v} + 128], xmm12
movdqa xmm12, xmm5
paddb xmm12, xmmword ptr [{numbers} + 64]
movdqa xmm11, xmm10
paddb xmm11, xmmword ptr [{numbers} + 64]
movdqa xmm0, xmmword ptr [{places} + 416]
pshufb xmm0, xmm8
pand xmm9, xmm2
movdqa xmm8, xmmword ptr [{places} + 2304]
pshufb xmm8, xmm13
movdqa xmm14, xmmword ptr [{places} + 2368]
pshufb xmm14, xmm13
pxor xmm3, xmm6
movdqa xmm6, xmmword ptr [{numbers} + 320]
pshufb xmm6, xmm7
movdqa xmm7, xmmword ptr [{numbers} + 384]
pshufb xmm7, xmm15
movdqa xmm13, xmmword ptr [{numbers} + 448]
pshufb xmm13, xmm15
pminub xmm12, xmm5
pminub xmm11, xmm10
movdqa xmm10, xmmword ptr [{places} + 2320]
pshufb xmm10, xmm9
movdqa xmm5, xmmword ptr [{places} + 2384]
pshufb xmm5, xmm9
pxor xmm3, xmm4
paddb xmm7, xmm6
paddb xmm13, xmm6
psubb xmm15, xmm6
movdqa xmm6, xmmword ptr [{slots} + 112]
movdqa xmm4, xmm6
pand xmm4, xmm2
psrlw xmm6, 4
movdqa xmm9, xmmword ptr [{keys} + 16]
pshufb xmm9, xmm12
movdqa xmm12, xmmword ptr [{places} + 400]
pshufb xmm12, xmm11
pxor xmm8, xmm10
pxor xmm14, xmm5
movdqa xmmword ptr [{v} + 192], xmm3
movdqa xmm3, xmm7
paddb xmm3, xmmword ptr [{numbers} + 64]
movdqa xmm5, xmm13
paddb xmm5, xmmword ptr [{numbers} + 64]
movdqa xmm10, xmmword ptr [{places} + 1440]
pshufb xmm10, xmm15
pand xmm6, xmm2
movdqa xmm2, xmmword ptr [{places} + 3328]
pshufb xmm2, xmm4
movdqa xmm15, xmmword ptr [{places} + 3392]
pshufb xmm15, xmm4
pxor xmm0, xmm9
movdqa xmm9, xmmword ptr [{numbers} + 320]
pshufb xmm9, xmm14
movdqa xmm14, xmmword ptr [{numbers} + 384]
pshufb xmm14, xmm8
movdqa xmm4, xmmword ptr [{numbers} + 448]
pshufb xmm4, xmm8
pminub xmm3, xmm7
pminub xmm5, xmm13
movdqa xmm13, xmmword ptr [{places} + 3344]
pshufb xmm13, xmm6
movdqa xmm7, xmmword ptr [{places} + 3408]
pshufb xmm7, xmm6
pxor xmm0, xmm12
paddb xmm14, xmm9
paddb xmm4, xmm9
psubb xmm8, xmm9
movdqa xmm9, xmmword ptr [{keys} + 80]
pshufb xmm9, xmm3
movdqa xmm3, xmmword ptr [{places} + 1424]
pshufb xmm3, xmm5
pxor xmm2, xmm13
pxor xmm15, xmm7
movdqa xmmword ptr [{v} + 16], xmm0
movdqa xmm0, xmm14
paddb xmm0, xmmword ptr [{numbers} + 64]
movdqa xmm7, xmm4
paddb xmm7, xmmword ptr [{numbers} + 64]
movdqa xmm13, xmmword ptr [{places} + 2464]
pshufb xmm13, xmm8
pxor xmm10, xmm9
movdqa xmm9, xmmword ptr [{numbers} + 320]
pshufb xmm9, xmm15
movdqa xmm15, xmmword ptr [{numbers} + 384]
pshufb xmm15, xmm2
movdqa xmm8, xmmword ptr [{numbers} + 448]
pshufb xmm8, xmm2
pminub xmm0, xmm14
pminub xmm7, xmm4
pxor xmm10, xmm3
paddb xmm15, xmm9
paddb xmm8, xmm9
psubb xmm2, xmm9
movdqa xmm9, xmmword ptr [{keys} + 144]
pshufb xmm9, xmm0
movdqa xmm0, xmmword ptr [{places} + 2448]
pshufb xmm0, xmm7
movdqa xmmword ptr [{v} + 80], xmm10
movdqa xmm10, xmm15
paddb xmm10, xmmword ptr [{numbers} + 64]
movdqa xmm7, xmm8
paddb xmm7, xmmword ptr [{numbers} + 64]
movdqa xmm3, xmmword ptr [{places} + 3488]
pshufb xmm3, xmm2
pxor xmm13, xmm9
pminub xmm10, xmm15
pminub xmm7, xmm8
pxor xmm13, xmm0
movdqa xmm0, xmmword ptr [{keys} + 208]
pshufb xmm0, xmm10
movdqa xmm10, xmmword ptr [{places} + 3472]
pshufb xmm10, xmm7
movdqa xmmword ptr [{v} + 144], xmm13
pxor xmm3, xmm0
pxor xmm3, xmm10
movdqa xmmword ptr [{v} + 208], xmm3
add {list}, 8
add {keys}, 256
dec {count}
jnz 2b
