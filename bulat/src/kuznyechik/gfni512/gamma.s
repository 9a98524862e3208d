# Written by kuznyechik/assembly.rs; not to be changed by hand.
# bits 6 and 7 of every byte
vpbroadcastd 4224({constants}), %zmm31
vpbroadcastd 4228({constants}), %zmm30
# the end of the last batch, beside the first round of this one
vmovdqa64 960({state}), %zmm0
vmovdqa64 1024({state}), %zmm1
vgf2p8affineqb $0, 4216({constants}){{1to8}}, %zmm0, %zmm2
vmovdqa64 1088({state}), %zmm3
vmovdqa64 448({state}), %zmm4
vgf2p8affineqb $0, 24({columns}){{1to8}}, %zmm1, %zmm5
vgf2p8affineqb $0, 4152({constants}){{1to8}}, %zmm4, %zmm6
vpxord 12({others}){{1to16}}, %zmm5, %zmm7
vmovdqa64 896({state}), %zmm8
vpternlogd $0x78, 76({others}){{1to16}}, %zmm3, %zmm7
vgf2p8affineqb $0, 4208({constants}){{1to8}}, %zmm8, %zmm9
vgf2p8affineqb $0, 56({columns}){{1to8}}, %zmm1, %zmm10
vmovdqa64 384({state}), %zmm11
vpxord 28({others}){{1to16}}, %zmm10, %zmm12
vgf2p8affineqb $0, 4144({constants}){{1to8}}, %zmm11, %zmm13
vpternlogd $0x78, 92({others}){{1to16}}, %zmm3, %zmm12
vmovdqa64 832({state}), %zmm14
vgf2p8affineqb $0, 88({columns}){{1to8}}, %zmm1, %zmm15
vgf2p8affineqb $0, 4200({constants}){{1to8}}, %zmm14, %zmm16
vpxord 44({others}){{1to16}}, %zmm15, %zmm17
vmovdqa64 320({state}), %zmm18
vpternlogd $0x78, 108({others}){{1to16}}, %zmm3, %zmm17
vgf2p8affineqb $0, 4136({constants}){{1to8}}, %zmm18, %zmm19
vgf2p8affineqb $0, 120({columns}){{1to8}}, %zmm1, %zmm20
vmovdqa64 768({state}), %zmm21
vpxord 60({others}){{1to16}}, %zmm20, %zmm22
vgf2p8affineqb $0, 4192({constants}){{1to8}}, %zmm21, %zmm23
vpternlogd $0x78, 124({others}){{1to16}}, %zmm3, %zmm22
vmovdqa64 256({state}), %zmm24
vgf2p8affineqb $0, 8({columns}){{1to8}}, %zmm1, %zmm25
vgf2p8affineqb $0, 4128({constants}){{1to8}}, %zmm24, %zmm26
vpxord 4({others}){{1to16}}, %zmm25, %zmm27
vmovdqa64 704({state}), %zmm28
vpternlogd $0x78, 68({others}){{1to16}}, %zmm3, %zmm27
vgf2p8affineqb $0, 4184({constants}){{1to8}}, %zmm28, %zmm29
vgf2p8affineqb $0, 40({columns}){{1to8}}, %zmm1, %zmm0
vmovdqa64 192({state}), %zmm4
vgf2p8affineqb $0, 4120({constants}){{1to8}}, %zmm4, %zmm5
vpxord 20({others}){{1to16}}, %zmm0, %zmm8
vmovdqa64 640({state}), %zmm10
vpternlogd $0x78, 84({others}){{1to16}}, %zmm3, %zmm8
vgf2p8affineqb $0, 4176({constants}){{1to8}}, %zmm10, %zmm11
vgf2p8affineqb $0, 72({columns}){{1to8}}, %zmm1, %zmm14
vmovdqa64 128({state}), %zmm15
vpxord 36({others}){{1to16}}, %zmm14, %zmm18
vgf2p8affineqb $0, 4112({constants}){{1to8}}, %zmm15, %zmm20
vpternlogd $0x78, 100({others}){{1to16}}, %zmm3, %zmm18
vmovdqa64 576({state}), %zmm21
vgf2p8affineqb $0, 104({columns}){{1to8}}, %zmm1, %zmm24
vgf2p8affineqb $0, 4168({constants}){{1to8}}, %zmm21, %zmm25
vpxord 52({others}){{1to16}}, %zmm24, %zmm28
vmovdqa64 64({state}), %zmm4
vpternlogd $0x78, 116({others}){{1to16}}, %zmm3, %zmm28
vgf2p8affineqb $0, 4104({constants}){{1to8}}, %zmm4, %zmm0
vptestnmb %zmm31, %zmm7, %k1
vmovdqa64 512({state}), %zmm10
vpmovb2m %zmm7, %k2
vgf2p8affineqb $0, 4160({constants}){{1to8}}, %zmm10, %zmm14
vpermb -7424({tables}), %zmm7, %zmm15
vmovdqa64 0({state}), %zmm21
vpermb -7360({tables}), %zmm7, %zmm15 {{%k1}}
vgf2p8affineqb $0, 4096({constants}){{1to8}}, %zmm21, %zmm24
vpermb -7296({tables}), %zmm7, %zmm4 {{%k1}}{{z}}
vpunpcklbw %zmm6, %zmm2, %zmm10
vpermb -7232({tables}), %zmm7, %zmm4 {{%k2}}
vpunpckhbw %zmm6, %zmm2, %zmm21
vpternlogd $0x96, 12({keys}){{1to16}}, %zmm4, %zmm15
vpunpcklbw %zmm13, %zmm9, %zmm7
vptestnmb %zmm31, %zmm12, %k3
vpunpckhbw %zmm13, %zmm9, %zmm2
vpmovb2m %zmm12, %k4
vpunpcklbw %zmm19, %zmm16, %zmm6
vpunpckhbw %zmm19, %zmm16, %zmm4
vpermb -3328({tables}), %zmm12, %zmm9
vpunpcklbw %zmm26, %zmm23, %zmm13
vpermb -3264({tables}), %zmm12, %zmm9 {{%k3}}
vpunpckhbw %zmm26, %zmm23, %zmm16
vpermb -3200({tables}), %zmm12, %zmm19 {{%k3}}{{z}}
vpunpcklbw %zmm5, %zmm29, %zmm23
vpermb -3136({tables}), %zmm12, %zmm19 {{%k4}}
vpunpckhbw %zmm5, %zmm29, %zmm26
vpternlogd $0x96, 28({keys}){{1to16}}, %zmm19, %zmm9
vpunpcklbw %zmm20, %zmm11, %zmm12
vptestnmb %zmm31, %zmm17, %k5
vpunpckhbw %zmm20, %zmm11, %zmm29
vpmovb2m %zmm17, %k6
vpunpcklbw %zmm0, %zmm25, %zmm5
vpermb 768({tables}), %zmm17, %zmm19
vpunpckhbw %zmm0, %zmm25, %zmm11
vpermb 832({tables}), %zmm17, %zmm19 {{%k5}}
vpunpcklbw %zmm24, %zmm14, %zmm20
vpermb 896({tables}), %zmm17, %zmm25 {{%k5}}{{z}}
vpunpckhbw %zmm24, %zmm14, %zmm0
vpermb 960({tables}), %zmm17, %zmm25 {{%k6}}
vpunpcklbw %zmm23, %zmm10, %zmm14
vpternlogd $0x96, 44({keys}){{1to16}}, %zmm25, %zmm19
vpunpckhbw %zmm23, %zmm10, %zmm24
vptestnmb %zmm31, %zmm22, %k7
vpunpcklbw %zmm26, %zmm21, %zmm17
vpmovb2m %zmm22, %k1
vpunpckhbw %zmm26, %zmm21, %zmm25
vpermb 4864({tables}), %zmm22, %zmm10
vpunpcklbw %zmm12, %zmm7, %zmm23
vpermb 4928({tables}), %zmm22, %zmm10 {{%k7}}
vpunpckhbw %zmm12, %zmm7, %zmm21
vpermb 4992({tables}), %zmm22, %zmm26 {{%k7}}{{z}}
vpunpcklbw %zmm29, %zmm2, %zmm7
vpermb 5056({tables}), %zmm22, %zmm26 {{%k1}}
vpunpckhbw %zmm29, %zmm2, %zmm12
vpunpcklbw %zmm5, %zmm6, %zmm22
vpternlogd $0x96, 60({keys}){{1to16}}, %zmm26, %zmm10
vpunpckhbw %zmm5, %zmm6, %zmm2
vptestnmb %zmm31, %zmm27, %k2
vpunpcklbw %zmm11, %zmm4, %zmm29
vpmovb2m %zmm27, %k3
vpunpckhbw %zmm11, %zmm4, %zmm26
vpermb -7936({tables}), %zmm27, %zmm6
vpunpcklbw %zmm20, %zmm13, %zmm5
vpermb -7872({tables}), %zmm27, %zmm6 {{%k2}}
vpunpckhbw %zmm20, %zmm13, %zmm4
vpermb -7808({tables}), %zmm27, %zmm11 {{%k2}}{{z}}
vpunpcklbw %zmm0, %zmm16, %zmm13
vpermb -7744({tables}), %zmm27, %zmm11 {{%k3}}
vpunpckhbw %zmm0, %zmm16, %zmm20
vpternlogd $0x96, 4({keys}){{1to16}}, %zmm11, %zmm6
vpunpcklbw %zmm22, %zmm14, %zmm27
vptestnmb %zmm31, %zmm8, %k4
vpunpckhbw %zmm22, %zmm14, %zmm16
vpmovb2m %zmm8, %k5
vpunpcklbw %zmm2, %zmm24, %zmm0
vpermb -3840({tables}), %zmm8, %zmm11
vpunpckhbw %zmm2, %zmm24, %zmm14
vpermb -3776({tables}), %zmm8, %zmm11 {{%k4}}
vpunpcklbw %zmm29, %zmm17, %zmm22
vpermb -3712({tables}), %zmm8, %zmm24 {{%k4}}{{z}}
vpunpckhbw %zmm29, %zmm17, %zmm2
vpermb -3648({tables}), %zmm8, %zmm24 {{%k5}}
vpunpcklbw %zmm26, %zmm25, %zmm17
vpternlogd $0x96, 20({keys}){{1to16}}, %zmm24, %zmm11
vpunpckhbw %zmm26, %zmm25, %zmm29
vptestnmb %zmm31, %zmm18, %k6
vpunpcklbw %zmm5, %zmm23, %zmm8
vpmovb2m %zmm18, %k7
vpunpckhbw %zmm5, %zmm23, %zmm24
vpermb 256({tables}), %zmm18, %zmm25
vpunpcklbw %zmm4, %zmm21, %zmm26
vpunpckhbw %zmm4, %zmm21, %zmm23
vpermb 320({tables}), %zmm18, %zmm25 {{%k6}}
vpunpcklbw %zmm13, %zmm7, %zmm5
vpermb 384({tables}), %zmm18, %zmm21 {{%k6}}{{z}}
vpunpckhbw %zmm13, %zmm7, %zmm4
vpermb 448({tables}), %zmm18, %zmm21 {{%k7}}
vpunpcklbw %zmm20, %zmm12, %zmm7
vpternlogd $0x96, 36({keys}){{1to16}}, %zmm21, %zmm25
vpunpckhbw %zmm20, %zmm12, %zmm13
vptestnmb %zmm31, %zmm28, %k1
vpunpcklbw %zmm8, %zmm27, %zmm18
vpmovb2m %zmm28, %k2
vpunpckhbw %zmm8, %zmm27, %zmm21
vpermb 4352({tables}), %zmm28, %zmm12
vpxord 0({text}), %zmm18, %zmm18
vmovdqu64 %zmm18, 0({out})
vpermb 4416({tables}), %zmm28, %zmm12 {{%k1}}
vpxord 64({text}), %zmm21, %zmm21
vmovdqu64 %zmm21, 64({out})
vpermb 4480({tables}), %zmm28, %zmm20 {{%k1}}{{z}}
vpunpcklbw %zmm24, %zmm16, %zmm27
vpermb 4544({tables}), %zmm28, %zmm20 {{%k2}}
vpunpckhbw %zmm24, %zmm16, %zmm8
vpternlogd $0x96, 52({keys}){{1to16}}, %zmm20, %zmm12
vpxord 128({text}), %zmm27, %zmm27
vmovdqu64 %zmm27, 128({out})
vgf2p8affineqb $0, 16({columns}){{1to8}}, %zmm1, %zmm18
vpxord 192({text}), %zmm8, %zmm8
vmovdqu64 %zmm8, 192({out})
vpxord 8({others}){{1to16}}, %zmm18, %zmm21
vpunpcklbw %zmm26, %zmm0, %zmm28
vpternlogd $0x78, 72({others}){{1to16}}, %zmm3, %zmm21
vpunpckhbw %zmm26, %zmm0, %zmm16
vgf2p8affineqb $0, 48({columns}){{1to8}}, %zmm1, %zmm24
vpxord 256({text}), %zmm28, %zmm28
vmovdqu64 %zmm28, 256({out})
vpxord 24({others}){{1to16}}, %zmm24, %zmm20
vpxord 320({text}), %zmm16, %zmm16
vmovdqu64 %zmm16, 320({out})
vpternlogd $0x78, 88({others}){{1to16}}, %zmm3, %zmm20
vpunpcklbw %zmm23, %zmm14, %zmm27
vpunpckhbw %zmm23, %zmm14, %zmm8
vgf2p8affineqb $0, 80({columns}){{1to8}}, %zmm1, %zmm18
vpxord 384({text}), %zmm27, %zmm27
vmovdqu64 %zmm27, 384({out})
vpxord 40({others}){{1to16}}, %zmm18, %zmm0
vpxord 448({text}), %zmm8, %zmm8
vmovdqu64 %zmm8, 448({out})
vpternlogd $0x78, 104({others}){{1to16}}, %zmm3, %zmm0
vpunpcklbw %zmm5, %zmm22, %zmm26
vgf2p8affineqb $0, 112({columns}){{1to8}}, %zmm1, %zmm28
vpunpckhbw %zmm5, %zmm22, %zmm24
vpxord 56({others}){{1to16}}, %zmm28, %zmm16
vpxord 512({text}), %zmm26, %zmm26
vmovdqu64 %zmm26, 512({out})
vpternlogd $0x78, 120({others}){{1to16}}, %zmm3, %zmm16
vpxord 576({text}), %zmm24, %zmm24
vmovdqu64 %zmm24, 576({out})
vgf2p8affineqb $0, 0({columns}){{1to8}}, %zmm1, %zmm14
vpunpcklbw %zmm4, %zmm2, %zmm23
vpxord 0({others}){{1to16}}, %zmm14, %zmm27
vpunpckhbw %zmm4, %zmm2, %zmm18
vpternlogd $0x78, 64({others}){{1to16}}, %zmm3, %zmm27
vpxord 640({text}), %zmm23, %zmm23
vmovdqu64 %zmm23, 640({out})
vgf2p8affineqb $0, 32({columns}){{1to8}}, %zmm1, %zmm8
vpxord 704({text}), %zmm18, %zmm18
vmovdqu64 %zmm18, 704({out})
vpxord 16({others}){{1to16}}, %zmm8, %zmm22
vpunpcklbw %zmm7, %zmm17, %zmm5
vpternlogd $0x78, 80({others}){{1to16}}, %zmm3, %zmm22
vpunpckhbw %zmm7, %zmm17, %zmm28
vgf2p8affineqb $0, 64({columns}){{1to8}}, %zmm1, %zmm26
vpxord 768({text}), %zmm5, %zmm5
vmovdqu64 %zmm5, 768({out})
vpxord 32({others}){{1to16}}, %zmm26, %zmm24
vpxord 832({text}), %zmm28, %zmm28
vmovdqu64 %zmm28, 832({out})
vpternlogd $0x78, 96({others}){{1to16}}, %zmm3, %zmm24
vpunpcklbw %zmm13, %zmm29, %zmm14
vgf2p8affineqb $0, 96({columns}){{1to8}}, %zmm1, %zmm2
vpunpckhbw %zmm13, %zmm29, %zmm4
vpxord 48({others}){{1to16}}, %zmm2, %zmm23
vpxord 896({text}), %zmm14, %zmm14
vmovdqu64 %zmm14, 896({out})
vpternlogd $0x78, 112({others}){{1to16}}, %zmm3, %zmm23
vpxord 960({text}), %zmm4, %zmm4
vmovdqu64 %zmm4, 960({out})
vmovdqa64 %zmm21, %zmm7
vmovdqa64 %zmm6, %zmm8
vmovdqa64 %zmm9, %zmm29
vmovdqa64 %zmm25, %zmm5
vmovdqa64 %zmm19, %zmm21
vmovdqa64 %zmm15, %zmm19
vmovdqa64 %zmm10, %zmm9
vmovdqa64 %zmm11, %zmm10
vmovdqa64 %zmm20, %zmm26
vmovdqa64 %zmm27, %zmm18
vmovdqa64 %zmm22, %zmm25
vmovdqa64 %zmm12, %zmm22
vmovdqa64 %zmm23, %zmm4
vmovdqa64 %zmm16, %zmm23
# eight rounds, two by two
mov $4, {count:e}
jmp 3f
2:
# S of an even round's first parts, beside what is left of the round before
vpxord %zmm1, %zmm0, %zmm16
vptestnmb %zmm31, %zmm2, %k1
vpxord %zmm4, %zmm3, %zmm17
vptestmb %zmm30, %zmm2, %k2
vpxord %zmm6, %zmm5, %zmm18
vpermb -7424({tables}), %zmm2, %zmm19
vpxord %zmm8, %zmm7, %zmm20
vpermb -7360({tables}), %zmm2, %zmm19 {{%k1}}
vpxord %zmm18, %zmm16, %zmm21
vpermb -7296({tables}), %zmm2, %zmm22 {{%k1}}{{z}}
vpxord %zmm20, %zmm17, %zmm23
vpermb -7232({tables}), %zmm2, %zmm22 {{%k2}}
vgf2p8affineqb $0, 200({constants}){{1to8}}, %zmm23, %zmm24
vpternlogd $0x96, 12({keys}){{1to16}}, %zmm22, %zmm19
vgf2p8affineqb $0, 208({constants}){{1to8}}, %zmm21, %zmm25
vgf2p8affineqb $0, 144({constants}){{1to8}}, %zmm18, %zmm26
vptestnmb %zmm31, %zmm9, %k3
vgf2p8affineqb $0, 152({constants}){{1to8}}, %zmm20, %zmm27
vptestmb %zmm30, %zmm9, %k4
vgf2p8affineqb $0, 160({constants}){{1to8}}, %zmm18, %zmm28
vpermb -3328({tables}), %zmm9, %zmm29
vgf2p8affineqb $0, 144({constants}){{1to8}}, %zmm20, %zmm2
vpermb -3264({tables}), %zmm9, %zmm29 {{%k3}}
vgf2p8affineqb $0, 168({constants}){{1to8}}, %zmm16, %zmm22
vpermb -3200({tables}), %zmm9, %zmm18 {{%k3}}{{z}}
vgf2p8affineqb $0, 176({constants}){{1to8}}, %zmm17, %zmm20
vpermb -3136({tables}), %zmm9, %zmm18 {{%k4}}
vgf2p8affineqb $0, 168({constants}){{1to8}}, %zmm17, %zmm9
vpternlogd $0x96, 28({keys}){{1to16}}, %zmm18, %zmm29
vpxord %zmm24, %zmm21, %zmm17
vpxord %zmm23, %zmm25, %zmm18
vptestnmb %zmm31, %zmm10, %k5
vpternlogd $0x96, %zmm17, %zmm27, %zmm26
vptestmb %zmm30, %zmm10, %k6
vpternlogd $0x96, %zmm18, %zmm2, %zmm28
vpermb 768({tables}), %zmm10, %zmm21
vpternlogd $0x96, %zmm17, %zmm20, %zmm22
vpermb 832({tables}), %zmm10, %zmm21 {{%k5}}
vpternlogd $0x96, %zmm18, %zmm9, %zmm16
vpermb 896({tables}), %zmm10, %zmm24 {{%k5}}{{z}}
vpxord %zmm6, %zmm1, %zmm25
vpermb 960({tables}), %zmm10, %zmm24 {{%k6}}
vpxord %zmm8, %zmm4, %zmm23
vpternlogd $0x96, 44({keys}){{1to16}}, %zmm24, %zmm21
vgf2p8affineqb $0, 48({constants}){{1to8}}, %zmm25, %zmm27
vgf2p8affineqb $0, 56({constants}){{1to8}}, %zmm23, %zmm2
vptestnmb %zmm31, %zmm11, %k7
vgf2p8affineqb $0, 64({constants}){{1to8}}, %zmm25, %zmm20
vptestmb %zmm30, %zmm11, %k1
vgf2p8affineqb $0, 48({constants}){{1to8}}, %zmm23, %zmm17
vpermb 4864({tables}), %zmm11, %zmm9
vgf2p8affineqb $0, 0({constants}){{1to8}}, %zmm6, %zmm18
vpermb 4928({tables}), %zmm11, %zmm9 {{%k7}}
vgf2p8affineqb $0, 8({constants}){{1to8}}, %zmm8, %zmm10
vpermb 4992({tables}), %zmm11, %zmm24 {{%k7}}{{z}}
vgf2p8affineqb $0, 16({constants}){{1to8}}, %zmm6, %zmm25
vpermb 5056({tables}), %zmm11, %zmm24 {{%k1}}
vgf2p8affineqb $0, 0({constants}){{1to8}}, %zmm8, %zmm23
vpternlogd $0x96, 60({keys}){{1to16}}, %zmm24, %zmm9
vgf2p8affineqb $0, 32({constants}){{1to8}}, %zmm4, %zmm6
vgf2p8affineqb $0, 40({constants}){{1to8}}, %zmm1, %zmm11
vptestnmb %zmm31, %zmm12, %k2
vpternlogd $0x96, %zmm26, %zmm10, %zmm18
vptestmb %zmm30, %zmm12, %k3
vpternlogd $0x96, %zmm28, %zmm23, %zmm25
vpermb -7936({tables}), %zmm12, %zmm8
vpxord %zmm22, %zmm6, %zmm24
vpermb -7872({tables}), %zmm12, %zmm8 {{%k2}}
vpxord %zmm16, %zmm11, %zmm4
vpermb -7808({tables}), %zmm12, %zmm1 {{%k2}}{{z}}
vpxord %zmm5, %zmm0, %zmm10
vpermb -7744({tables}), %zmm12, %zmm1 {{%k3}}
vpxord %zmm7, %zmm3, %zmm23
vpternlogd $0x96, 4({keys}){{1to16}}, %zmm1, %zmm8
vgf2p8affineqb $0, 120({constants}){{1to8}}, %zmm10, %zmm6
vgf2p8affineqb $0, 128({constants}){{1to8}}, %zmm23, %zmm11
vptestnmb %zmm31, %zmm13, %k4
vgf2p8affineqb $0, 136({constants}){{1to8}}, %zmm10, %zmm12
vptestmb %zmm30, %zmm13, %k5
vgf2p8affineqb $0, 120({constants}){{1to8}}, %zmm23, %zmm1
vpermb -3840({tables}), %zmm13, %zmm10
vpxord %zmm7, %zmm5, %zmm23
vpermb -3776({tables}), %zmm13, %zmm10 {{%k4}}
vgf2p8affineqb $0, 72({constants}){{1to8}}, %zmm23, %zmm5
vpermb -3712({tables}), %zmm13, %zmm23 {{%k4}}{{z}}
vgf2p8affineqb $0, 80({constants}){{1to8}}, %zmm7, %zmm7
vpermb -3648({tables}), %zmm13, %zmm23 {{%k5}}
vgf2p8affineqb $0, 104({constants}){{1to8}}, %zmm3, %zmm13
vpternlogd $0x96, 20({keys}){{1to16}}, %zmm23, %zmm10
vgf2p8affineqb $0, 112({constants}){{1to8}}, %zmm0, %zmm23
vpternlogd $0x96, %zmm5, %zmm26, %zmm7
vptestnmb %zmm31, %zmm14, %k6
vpxord %zmm28, %zmm5, %zmm26
vptestmb %zmm30, %zmm14, %k7
vpternlogd $0x96, %zmm22, %zmm13, %zmm0
vpermb 256({tables}), %zmm14, %zmm5
vpternlogd $0x96, %zmm16, %zmm3, %zmm23
vpermb 320({tables}), %zmm14, %zmm5 {{%k6}}
vpternlogd $0x96, %zmm15, %zmm11, %zmm6
vpermb 384({tables}), %zmm14, %zmm28 {{%k6}}{{z}}
vpternlogd $0x96, 0({slots}), %zmm1, %zmm12
vpermb 448({tables}), %zmm14, %zmm28 {{%k7}}
vpternlogd $0x96, 64({slots}), %zmm6, %zmm7
vpternlogd $0x96, 36({keys}){{1to16}}, %zmm28, %zmm5
vpternlogd $0x96, 128({slots}), %zmm12, %zmm26
vpternlogd $0x96, 192({slots}), %zmm6, %zmm0
vmovdqa64 256({slots}), %zmm13
vptestnmb %zmm31, %zmm13, %k1
vpternlogd $0x96, 320({slots}), %zmm12, %zmm23
vptestmb %zmm30, %zmm13, %k2
vpternlogd $0x96, 384({slots}), %zmm2, %zmm27
vpermb 4352({tables}), %zmm13, %zmm22
vpternlogd $0x96, 448({slots}), %zmm17, %zmm20
vpermb 4416({tables}), %zmm13, %zmm22 {{%k1}}
vpternlogd $0x96, 512({slots}), %zmm27, %zmm18
vpermb 4480({tables}), %zmm13, %zmm3 {{%k1}}{{z}}
vpternlogd $0x96, 576({slots}), %zmm20, %zmm25
vpermb 4544({tables}), %zmm13, %zmm3 {{%k2}}
vpternlogd $0x96, 640({slots}), %zmm27, %zmm24
vpternlogd $0x96, 52({keys}){{1to16}}, %zmm3, %zmm22
vpternlogd $0x96, 704({slots}), %zmm20, %zmm4
# the rest of the even round, and the odd one
3:
# S of the other parts, beside T
vptestnmb %zmm31, %zmm7, %k3
vpxord %zmm19, %zmm8, %zmm16
vptestmb %zmm30, %zmm7, %k4
vpxord %zmm29, %zmm10, %zmm11
vpermb -7680({tables}), %zmm7, %zmm15
vpxord %zmm21, %zmm5, %zmm1
vpermb -7616({tables}), %zmm7, %zmm15 {{%k3}}
vpxord %zmm9, %zmm22, %zmm14
vpermb -7552({tables}), %zmm7, %zmm28 {{%k3}}{{z}}
vpxord %zmm1, %zmm16, %zmm6
vpermb -7488({tables}), %zmm7, %zmm28 {{%k4}}
vpxord %zmm14, %zmm11, %zmm12
vpternlogd $0x96, 8({keys}){{1to16}}, %zmm28, %zmm15
vgf2p8affineqb $0, 200({constants}){{1to8}}, %zmm12, %zmm2
vptestnmb %zmm31, %zmm26, %k5
vgf2p8affineqb $0, 208({constants}){{1to8}}, %zmm6, %zmm17
vptestmb %zmm30, %zmm26, %k6
vgf2p8affineqb $0, 144({constants}){{1to8}}, %zmm1, %zmm13
vpermb -3584({tables}), %zmm26, %zmm27
vgf2p8affineqb $0, 152({constants}){{1to8}}, %zmm14, %zmm3
vpermb -3520({tables}), %zmm26, %zmm27 {{%k5}}
vgf2p8affineqb $0, 160({constants}){{1to8}}, %zmm1, %zmm20
vpermb -3456({tables}), %zmm26, %zmm7 {{%k5}}{{z}}
vgf2p8affineqb $0, 144({constants}){{1to8}}, %zmm14, %zmm28
vpermb -3392({tables}), %zmm26, %zmm7 {{%k6}}
vgf2p8affineqb $0, 168({constants}){{1to8}}, %zmm16, %zmm1
vpternlogd $0x96, 24({keys}){{1to16}}, %zmm7, %zmm27
vptestnmb %zmm31, %zmm0, %k7
vgf2p8affineqb $0, 176({constants}){{1to8}}, %zmm11, %zmm14
vptestmb %zmm30, %zmm0, %k1
vgf2p8affineqb $0, 168({constants}){{1to8}}, %zmm11, %zmm26
vpermb 512({tables}), %zmm0, %zmm7
vpxord %zmm2, %zmm6, %zmm11
vpermb 576({tables}), %zmm0, %zmm7 {{%k7}}
vpxord %zmm12, %zmm17, %zmm6
vpermb 640({tables}), %zmm0, %zmm2 {{%k7}}{{z}}
vpternlogd $0x96, %zmm11, %zmm3, %zmm13
vpermb 704({tables}), %zmm0, %zmm2 {{%k1}}
vpternlogd $0x96, %zmm6, %zmm28, %zmm20
vpternlogd $0x96, 40({keys}){{1to16}}, %zmm2, %zmm7
vpternlogd $0x96, %zmm11, %zmm14, %zmm1
vptestnmb %zmm31, %zmm23, %k2
vpternlogd $0x96, %zmm6, %zmm26, %zmm16
vptestmb %zmm30, %zmm23, %k3
vpxord %zmm21, %zmm19, %zmm17
vpermb 4608({tables}), %zmm23, %zmm12
vpxord %zmm9, %zmm29, %zmm3
vpermb 4672({tables}), %zmm23, %zmm12 {{%k2}}
vgf2p8affineqb $0, 48({constants}){{1to8}}, %zmm17, %zmm0
vpermb 4736({tables}), %zmm23, %zmm28 {{%k2}}{{z}}
vgf2p8affineqb $0, 56({constants}){{1to8}}, %zmm3, %zmm2
vpermb 4800({tables}), %zmm23, %zmm28 {{%k3}}
vgf2p8affineqb $0, 64({constants}){{1to8}}, %zmm17, %zmm14
vpternlogd $0x96, 56({keys}){{1to16}}, %zmm28, %zmm12
vptestnmb %zmm31, %zmm18, %k4
vgf2p8affineqb $0, 48({constants}){{1to8}}, %zmm3, %zmm11
vptestmb %zmm30, %zmm18, %k5
vgf2p8affineqb $0, 0({constants}){{1to8}}, %zmm21, %zmm26
vpermb -8192({tables}), %zmm18, %zmm6
vgf2p8affineqb $0, 8({constants}){{1to8}}, %zmm9, %zmm23
vpermb -8128({tables}), %zmm18, %zmm6 {{%k4}}
vgf2p8affineqb $0, 16({constants}){{1to8}}, %zmm21, %zmm17
vpermb -8064({tables}), %zmm18, %zmm28 {{%k4}}{{z}}
vgf2p8affineqb $0, 0({constants}){{1to8}}, %zmm9, %zmm3
vpermb -8000({tables}), %zmm18, %zmm28 {{%k5}}
vgf2p8affineqb $0, 32({constants}){{1to8}}, %zmm29, %zmm18
vpternlogd $0x96, 0({keys}){{1to16}}, %zmm28, %zmm6
vgf2p8affineqb $0, 40({constants}){{1to8}}, %zmm19, %zmm28
vptestnmb %zmm31, %zmm25, %k6
vpternlogd $0x96, %zmm13, %zmm23, %zmm26
vptestmb %zmm30, %zmm25, %k7
vpternlogd $0x96, %zmm20, %zmm3, %zmm17
vpermb -4096({tables}), %zmm25, %zmm23
vpxord %zmm1, %zmm18, %zmm3
vpermb -4032({tables}), %zmm25, %zmm23 {{%k6}}
vpxord %zmm16, %zmm28, %zmm18
vpermb -3968({tables}), %zmm25, %zmm28 {{%k6}}{{z}}
vmovdqa64 %zmm18, 704({slots})
vpxord %zmm5, %zmm8, %zmm18
vpermb -3904({tables}), %zmm25, %zmm28 {{%k7}}
vpxord %zmm22, %zmm10, %zmm25
vpternlogd $0x96, 16({keys}){{1to16}}, %zmm28, %zmm23
vptestnmb %zmm31, %zmm24, %k1
vgf2p8affineqb $0, 120({constants}){{1to8}}, %zmm18, %zmm28
vptestmb %zmm30, %zmm24, %k2
vmovdqa64 %zmm3, 640({slots})
vgf2p8affineqb $0, 128({constants}){{1to8}}, %zmm25, %zmm3
vmovdqa64 %zmm17, 256({slots})
vpermb 0({tables}), %zmm24, %zmm17
vgf2p8affineqb $0, 136({constants}){{1to8}}, %zmm18, %zmm18
vpermb 64({tables}), %zmm24, %zmm17 {{%k1}}
vgf2p8affineqb $0, 120({constants}){{1to8}}, %zmm25, %zmm25
vmovdqa64 %zmm26, 576({slots})
vpermb 128({tables}), %zmm24, %zmm26 {{%k1}}{{z}}
vmovdqa64 %zmm11, 512({slots})
vpxord %zmm22, %zmm5, %zmm11
vpermb 192({tables}), %zmm24, %zmm26 {{%k2}}
vgf2p8affineqb $0, 72({constants}){{1to8}}, %zmm11, %zmm24
vpternlogd $0x96, 32({keys}){{1to16}}, %zmm26, %zmm17
vgf2p8affineqb $0, 80({constants}){{1to8}}, %zmm22, %zmm11
vptestnmb %zmm31, %zmm4, %k3
vgf2p8affineqb $0, 104({constants}){{1to8}}, %zmm10, %zmm26
vptestmb %zmm30, %zmm4, %k4
vmovdqa64 %zmm14, 448({slots})
vgf2p8affineqb $0, 112({constants}){{1to8}}, %zmm8, %zmm14
vmovdqa64 %zmm2, 384({slots})
vpermb 4096({tables}), %zmm4, %zmm2
vpternlogd $0x96, %zmm24, %zmm13, %zmm11
vpermb 4160({tables}), %zmm4, %zmm2 {{%k3}}
vpxord %zmm20, %zmm24, %zmm13
vpermb 4224({tables}), %zmm4, %zmm24 {{%k3}}{{z}}
vpternlogd $0x96, %zmm8, %zmm1, %zmm26
vpermb 4288({tables}), %zmm4, %zmm24 {{%k4}}
vpternlogd $0x96, %zmm10, %zmm16, %zmm14
vpternlogd $0x96, 48({keys}){{1to16}}, %zmm24, %zmm2
vpxord %zmm8, %zmm6, %zmm20
vpxord %zmm10, %zmm23, %zmm1
vpxord %zmm5, %zmm17, %zmm4
vpxord %zmm22, %zmm2, %zmm16
vpxord %zmm19, %zmm15, %zmm24
vpxord %zmm29, %zmm27, %zmm8
vpxord %zmm21, %zmm7, %zmm10
vpxord %zmm9, %zmm12, %zmm5
vpxord %zmm24, %zmm20, %zmm22
vpxord %zmm8, %zmm1, %zmm19
vpxord %zmm10, %zmm4, %zmm29
vpxord %zmm5, %zmm16, %zmm21
vpxord %zmm29, %zmm22, %zmm9
vmovdqa64 %zmm2, 320({slots})
vpxord %zmm21, %zmm19, %zmm2
vmovdqa64 %zmm12, 192({slots})
vgf2p8affineqb $0, 624({constants}){{1to8}}, %zmm9, %zmm12
vmovdqa64 %zmm17, 128({slots})
vgf2p8affineqb $0, 632({constants}){{1to8}}, %zmm2, %zmm17
vgf2p8affineqb $0, 640({constants}){{1to8}}, %zmm9, %zmm9
vgf2p8affineqb $0, 624({constants}){{1to8}}, %zmm2, %zmm2
vgf2p8affineqb $0, 584({constants}){{1to8}}, %zmm21, %zmm21
vgf2p8affineqb $0, 592({constants}){{1to8}}, %zmm29, %zmm29
vmovdqa64 %zmm7, 64({slots})
vgf2p8affineqb $0, 600({constants}){{1to8}}, %zmm22, %zmm7
vmovdqa64 %zmm23, 0({slots})
vgf2p8affineqb $0, 608({constants}){{1to8}}, %zmm19, %zmm23
vgf2p8affineqb $0, 616({constants}){{1to8}}, %zmm22, %zmm22
vgf2p8affineqb $0, 600({constants}){{1to8}}, %zmm19, %zmm19
vpxord %zmm17, %zmm12, %zmm12
vpxord %zmm2, %zmm9, %zmm17
vpxord %zmm12, %zmm21, %zmm9
vpxord %zmm17, %zmm29, %zmm2
vpternlogd $0x96, %zmm12, %zmm23, %zmm7
vpternlogd $0x96, %zmm17, %zmm19, %zmm22
vpxord %zmm10, %zmm24, %zmm21
vpxord %zmm5, %zmm8, %zmm29
vgf2p8affineqb $0, 480({constants}){{1to8}}, %zmm21, %zmm23
vgf2p8affineqb $0, 488({constants}){{1to8}}, %zmm29, %zmm12
vgf2p8affineqb $0, 496({constants}){{1to8}}, %zmm21, %zmm19
vgf2p8affineqb $0, 480({constants}){{1to8}}, %zmm29, %zmm17
vpxord %zmm5, %zmm10, %zmm21
vgf2p8affineqb $0, 432({constants}){{1to8}}, %zmm21, %zmm29
vgf2p8affineqb $0, 448({constants}){{1to8}}, %zmm10, %zmm21
vgf2p8affineqb $0, 456({constants}){{1to8}}, %zmm24, %zmm10
vmovdqa64 %zmm27, 768({slots})
vgf2p8affineqb $0, 464({constants}){{1to8}}, %zmm8, %zmm27
vgf2p8affineqb $0, 472({constants}){{1to8}}, %zmm24, %zmm24
vgf2p8affineqb $0, 456({constants}){{1to8}}, %zmm8, %zmm8
vpternlogd $0x96, %zmm9, %zmm29, %zmm5
vpternlogd $0x96, %zmm2, %zmm21, %zmm29
vpternlogd $0x96, %zmm7, %zmm27, %zmm10
vpternlogd $0x96, %zmm22, %zmm8, %zmm24
vpxord %zmm12, %zmm23, %zmm21
vpxord %zmm17, %zmm19, %zmm27
vpxord %zmm4, %zmm20, %zmm8
vpxord %zmm16, %zmm1, %zmm23
vgf2p8affineqb $0, 552({constants}){{1to8}}, %zmm8, %zmm12
vgf2p8affineqb $0, 560({constants}){{1to8}}, %zmm23, %zmm19
vgf2p8affineqb $0, 568({constants}){{1to8}}, %zmm8, %zmm17
vgf2p8affineqb $0, 552({constants}){{1to8}}, %zmm23, %zmm8
vgf2p8affineqb $0, 504({constants}){{1to8}}, %zmm4, %zmm23
vmovdqa64 %zmm6, 832({slots})
vgf2p8affineqb $0, 512({constants}){{1to8}}, %zmm16, %zmm6
vgf2p8affineqb $0, 520({constants}){{1to8}}, %zmm4, %zmm4
vgf2p8affineqb $0, 504({constants}){{1to8}}, %zmm16, %zmm16
vmovdqa64 %zmm15, 896({slots})
vgf2p8affineqb $0, 528({constants}){{1to8}}, %zmm20, %zmm15
vgf2p8affineqb $0, 544({constants}){{1to8}}, %zmm20, %zmm20
vmovdqa64 %zmm24, 960({slots})
vgf2p8affineqb $0, 528({constants}){{1to8}}, %zmm1, %zmm24
vpternlogd $0x96, %zmm9, %zmm6, %zmm23
vpternlogd $0x96, %zmm2, %zmm16, %zmm4
vpternlogd $0x96, %zmm7, %zmm1, %zmm15
vpternlogd $0x96, %zmm22, %zmm24, %zmm20
vpxord %zmm19, %zmm12, %zmm6
vpxord %zmm8, %zmm17, %zmm9
vpternlogd $0x96, %zmm6, %zmm3, %zmm28
vpternlogd $0x96, %zmm9, %zmm25, %zmm18
vpternlogd $0x96, %zmm28, %zmm23, %zmm11
vpternlogd $0x96, %zmm18, %zmm4, %zmm13
vpternlogd $0x96, %zmm15, %zmm28, %zmm26
vpternlogd $0x96, %zmm20, %zmm18, %zmm14
vpternlogd $0x96, 384({slots}), %zmm21, %zmm0
vmovdqa64 448({slots}), %zmm16
vpternlogd $0x96, 512({slots}), %zmm27, %zmm16
vmovdqa64 %zmm5, %zmm2
vpternlogd $0x96, 576({slots}), %zmm0, %zmm2
vmovdqa64 %zmm29, %zmm1
vpternlogd $0x96, 256({slots}), %zmm16, %zmm1
vpternlogd $0x96, 640({slots}), %zmm10, %zmm0
vmovdqa64 704({slots}), %zmm7
vpternlogd $0x96, 960({slots}), %zmm16, %zmm7
vmovdqa64 832({slots}), %zmm24
vpxord 896({slots}), %zmm24, %zmm22
vptestnmb %zmm31, %zmm11, %k5
vmovdqa64 0({slots}), %zmm12
vpxord 768({slots}), %zmm12, %zmm19
vptestmb %zmm30, %zmm11, %k6
vmovdqa64 128({slots}), %zmm17
vpxord 64({slots}), %zmm17, %zmm8
vpermb -7680({tables}), %zmm11, %zmm3
vmovdqa64 320({slots}), %zmm25
vpxord 192({slots}), %zmm25, %zmm28
vpermb -7616({tables}), %zmm11, %zmm3 {{%k5}}
vpxord %zmm8, %zmm22, %zmm18
vpermb -7552({tables}), %zmm11, %zmm16 {{%k5}}{{z}}
vmovdqa64 %zmm10, 704({slots})
vpxord %zmm28, %zmm19, %zmm10
vpermb -7488({tables}), %zmm11, %zmm16 {{%k6}}
vgf2p8affineqb $0, 408({constants}){{1to8}}, %zmm18, %zmm11
vpternlogd $0x96, 72({keys}){{1to16}}, %zmm16, %zmm3
vgf2p8affineqb $0, 416({constants}){{1to8}}, %zmm10, %zmm18
vptestnmb %zmm31, %zmm13, %k7
vgf2p8affineqb $0, 408({constants}){{1to8}}, %zmm10, %zmm16
vgf2p8affineqb $0, 360({constants}){{1to8}}, %zmm8, %zmm10
vptestmb %zmm30, %zmm13, %k1
vmovdqa64 %zmm3, 640({slots})
vgf2p8affineqb $0, 368({constants}){{1to8}}, %zmm28, %zmm3
vmovdqa64 %zmm29, 256({slots})
vpermb -3584({tables}), %zmm13, %zmm29
vgf2p8affineqb $0, 376({constants}){{1to8}}, %zmm8, %zmm8
vpermb -3520({tables}), %zmm13, %zmm29 {{%k7}}
vgf2p8affineqb $0, 360({constants}){{1to8}}, %zmm28, %zmm28
vmovdqa64 %zmm5, 576({slots})
vpermb -3456({tables}), %zmm13, %zmm5 {{%k7}}{{z}}
vmovdqa64 %zmm27, 512({slots})
vpxord %zmm19, %zmm22, %zmm27
vpermb -3392({tables}), %zmm13, %zmm5 {{%k1}}
vgf2p8affineqb $0, 384({constants}){{1to8}}, %zmm27, %zmm13
vpternlogd $0x96, 88({keys}){{1to16}}, %zmm5, %zmm29
vgf2p8affineqb $0, 400({constants}){{1to8}}, %zmm22, %zmm27
vptestnmb %zmm31, %zmm26, %k2
vpxord %zmm18, %zmm11, %zmm5
vptestmb %zmm30, %zmm26, %k3
vpternlogd $0x96, %zmm5, %zmm3, %zmm10
vpternlogd $0x96, %zmm16, %zmm28, %zmm8
vpermb 512({tables}), %zmm26, %zmm22
vpternlogd $0x96, %zmm13, %zmm5, %zmm19
vpermb 576({tables}), %zmm26, %zmm22 {{%k2}}
vpternlogd $0x96, %zmm16, %zmm27, %zmm13
vpermb 640({tables}), %zmm26, %zmm11 {{%k2}}{{z}}
vmovdqa64 896({slots}), %zmm18
vpxord 64({slots}), %zmm18, %zmm3
vpermb 704({tables}), %zmm26, %zmm11 {{%k3}}
vmovdqa64 768({slots}), %zmm28
vpxord 192({slots}), %zmm28, %zmm5
vpternlogd $0x96, 104({keys}){{1to16}}, %zmm11, %zmm22
vgf2p8affineqb $0, 264({constants}){{1to8}}, %zmm3, %zmm27
vptestnmb %zmm31, %zmm14, %k4
vgf2p8affineqb $0, 272({constants}){{1to8}}, %zmm5, %zmm16
vptestmb %zmm30, %zmm14, %k5
vgf2p8affineqb $0, 280({constants}){{1to8}}, %zmm3, %zmm26
vpermb 4608({tables}), %zmm14, %zmm11
vgf2p8affineqb $0, 264({constants}){{1to8}}, %zmm5, %zmm3
vmovdqa64 64({slots}), %zmm5
vmovdqa64 %zmm22, 448({slots})
vgf2p8affineqb $0, 216({constants}){{1to8}}, %zmm5, %zmm22
vpermb 4672({tables}), %zmm14, %zmm11 {{%k4}}
vmovdqa64 %zmm29, 384({slots})
vmovdqa64 192({slots}), %zmm29
vmovdqa64 %zmm3, 1024({slots})
vgf2p8affineqb $0, 224({constants}){{1to8}}, %zmm29, %zmm3
vmovdqa64 %zmm26, 1088({slots})
vpermb 4736({tables}), %zmm14, %zmm26 {{%k4}}{{z}}
vgf2p8affineqb $0, 232({constants}){{1to8}}, %zmm5, %zmm5
vpermb 4800({tables}), %zmm14, %zmm26 {{%k5}}
vgf2p8affineqb $0, 216({constants}){{1to8}}, %zmm29, %zmm14
vpternlogd $0x96, 120({keys}){{1to16}}, %zmm26, %zmm11
vgf2p8affineqb $0, 240({constants}){{1to8}}, %zmm18, %zmm29
vptestnmb %zmm31, %zmm2, %k6
vgf2p8affineqb $0, 248({constants}){{1to8}}, %zmm28, %zmm26
vptestmb %zmm30, %zmm2, %k7
vgf2p8affineqb $0, 240({constants}){{1to8}}, %zmm28, %zmm18
vpermb -8192({tables}), %zmm2, %zmm28
vpternlogd $0x96, %zmm10, %zmm3, %zmm22
vpermb -8128({tables}), %zmm2, %zmm28 {{%k6}}
vpternlogd $0x96, %zmm8, %zmm14, %zmm5
vpternlogd $0x96, %zmm19, %zmm26, %zmm29
vpermb -8064({tables}), %zmm2, %zmm3 {{%k6}}{{z}}
vpxord %zmm13, %zmm18, %zmm14
vpermb -8000({tables}), %zmm2, %zmm3 {{%k7}}
vpxord %zmm17, %zmm24, %zmm26
vpternlogd $0x96, 64({keys}){{1to16}}, %zmm3, %zmm28
vpxord %zmm25, %zmm12, %zmm18
vptestnmb %zmm31, %zmm1, %k1
vgf2p8affineqb $0, 336({constants}){{1to8}}, %zmm26, %zmm2
vptestmb %zmm30, %zmm1, %k2
vgf2p8affineqb $0, 344({constants}){{1to8}}, %zmm18, %zmm3
vpermb -4096({tables}), %zmm1, %zmm12
vgf2p8affineqb $0, 352({constants}){{1to8}}, %zmm26, %zmm26
vpermb -4032({tables}), %zmm1, %zmm12 {{%k1}}
vgf2p8affineqb $0, 336({constants}){{1to8}}, %zmm18, %zmm18
vmovdqa64 %zmm11, 0({slots})
vpermb -3968({tables}), %zmm1, %zmm11 {{%k1}}{{z}}
vgf2p8affineqb $0, 288({constants}){{1to8}}, %zmm17, %zmm17
vmovdqa64 %zmm28, 128({slots})
vgf2p8affineqb $0, 296({constants}){{1to8}}, %zmm25, %zmm28
vpermb -3904({tables}), %zmm1, %zmm11 {{%k2}}
vgf2p8affineqb $0, 288({constants}){{1to8}}, %zmm25, %zmm1
vpternlogd $0x96, 80({keys}){{1to16}}, %zmm11, %zmm12
vgf2p8affineqb $0, 328({constants}){{1to8}}, %zmm24, %zmm25
vptestnmb %zmm31, %zmm0, %k3
vpternlogd $0x96, %zmm10, %zmm28, %zmm17
vptestmb %zmm30, %zmm0, %k4
vpxord %zmm8, %zmm1, %zmm11
vpermb 0({tables}), %zmm0, %zmm24
vpxord %zmm13, %zmm25, %zmm28
vpermb 64({tables}), %zmm0, %zmm24 {{%k3}}
vpternlogd $0x96, %zmm6, %zmm3, %zmm2
vpermb 128({tables}), %zmm0, %zmm10 {{%k3}}{{z}}
vpternlogd $0x96, %zmm9, %zmm18, %zmm26
vpermb 192({tables}), %zmm0, %zmm10 {{%k4}}
vpternlogd $0x96, %zmm2, %zmm23, %zmm17
vpternlogd $0x96, %zmm26, %zmm4, %zmm11
vpternlogd $0x96, 96({keys}){{1to16}}, %zmm10, %zmm24
vpternlogd $0x96, %zmm2, %zmm15, %zmm19
vptestnmb %zmm31, %zmm7, %k5
vpternlogd $0x96, %zmm26, %zmm20, %zmm28
vptestmb %zmm30, %zmm7, %k6
vpternlogd $0x96, %zmm21, %zmm16, %zmm27
vpermb 4096({tables}), %zmm7, %zmm1
vmovdqa64 1088({slots}), %zmm8
vmovdqa64 1024({slots}), %zmm25
vpternlogd $0x96, 512({slots}), %zmm25, %zmm8
vpermb 4160({tables}), %zmm7, %zmm1 {{%k5}}
vpternlogd $0x96, 576({slots}), %zmm27, %zmm22
vpermb 4224({tables}), %zmm7, %zmm13 {{%k5}}{{z}}
vpternlogd $0x96, 256({slots}), %zmm8, %zmm5
vpermb 4288({tables}), %zmm7, %zmm13 {{%k6}}
vpternlogd $0x96, 704({slots}), %zmm27, %zmm29
vpternlogd $0x96, 112({keys}){{1to16}}, %zmm13, %zmm1
vpternlogd $0x96, 960({slots}), %zmm8, %zmm14
vptestnmb %zmm31, %zmm17, %k7
vmovdqa64 128({slots}), %zmm3
vpxord 640({slots}), %zmm3, %zmm6
vptestmb %zmm30, %zmm17, %k1
vpxord 384({slots}), %zmm12, %zmm18
vpermb -7424({tables}), %zmm17, %zmm9
vpxord 448({slots}), %zmm24, %zmm0
vpermb -7360({tables}), %zmm17, %zmm9 {{%k7}}
vpxord 0({slots}), %zmm1, %zmm23
vpermb -7296({tables}), %zmm17, %zmm4 {{%k7}}{{z}}
vpxord %zmm0, %zmm6, %zmm10
vpermb -7232({tables}), %zmm17, %zmm4 {{%k1}}
vpxord %zmm23, %zmm18, %zmm15
vpternlogd $0x96, 76({keys}){{1to16}}, %zmm4, %zmm9
vgf2p8affineqb $0, 408({constants}){{1to8}}, %zmm10, %zmm2
vptestnmb %zmm31, %zmm11, %k2
vgf2p8affineqb $0, 416({constants}){{1to8}}, %zmm15, %zmm20
vptestmb %zmm30, %zmm11, %k3
vgf2p8affineqb $0, 408({constants}){{1to8}}, %zmm15, %zmm26
vpermb -3328({tables}), %zmm11, %zmm16
vgf2p8affineqb $0, 360({constants}){{1to8}}, %zmm0, %zmm21
vpermb -3264({tables}), %zmm11, %zmm16 {{%k2}}
vpermb -3200({tables}), %zmm11, %zmm25 {{%k2}}{{z}}
vgf2p8affineqb $0, 368({constants}){{1to8}}, %zmm23, %zmm7
vpermb -3136({tables}), %zmm11, %zmm25 {{%k3}}
vgf2p8affineqb $0, 376({constants}){{1to8}}, %zmm0, %zmm27
vpternlogd $0x96, 92({keys}){{1to16}}, %zmm25, %zmm16
vgf2p8affineqb $0, 360({constants}){{1to8}}, %zmm23, %zmm13
vptestnmb %zmm31, %zmm19, %k4
vpxord %zmm18, %zmm6, %zmm8
vptestmb %zmm30, %zmm19, %k5
vgf2p8affineqb $0, 384({constants}){{1to8}}, %zmm8, %zmm17
vpermb 768({tables}), %zmm19, %zmm4
vgf2p8affineqb $0, 400({constants}){{1to8}}, %zmm6, %zmm10
vpermb 832({tables}), %zmm19, %zmm4 {{%k4}}
vpxord %zmm20, %zmm2, %zmm15
vpermb 896({tables}), %zmm19, %zmm11 {{%k4}}{{z}}
vpternlogd $0x96, %zmm15, %zmm7, %zmm21
vpermb 960({tables}), %zmm19, %zmm11 {{%k5}}
vpternlogd $0x96, %zmm26, %zmm13, %zmm27
vpternlogd $0x96, 108({keys}){{1to16}}, %zmm11, %zmm4
vpternlogd $0x96, %zmm17, %zmm15, %zmm18
vptestnmb %zmm31, %zmm28, %k6
vptestmb %zmm30, %zmm28, %k7
vpternlogd $0x96, %zmm26, %zmm10, %zmm17
vpermb 4864({tables}), %zmm28, %zmm0
vmovdqa64 640({slots}), %zmm25
vpxord 448({slots}), %zmm25, %zmm23
vpermb 4928({tables}), %zmm28, %zmm0 {{%k6}}
vmovdqa64 384({slots}), %zmm8
vpxord 0({slots}), %zmm8, %zmm6
vpermb 4992({tables}), %zmm28, %zmm2 {{%k6}}{{z}}
vgf2p8affineqb $0, 264({constants}){{1to8}}, %zmm23, %zmm20
vpermb 5056({tables}), %zmm28, %zmm2 {{%k7}}
vgf2p8affineqb $0, 272({constants}){{1to8}}, %zmm6, %zmm7
vpternlogd $0x96, 124({keys}){{1to16}}, %zmm2, %zmm0
vgf2p8affineqb $0, 280({constants}){{1to8}}, %zmm23, %zmm19
vptestnmb %zmm31, %zmm22, %k1
vgf2p8affineqb $0, 264({constants}){{1to8}}, %zmm6, %zmm13
vptestmb %zmm30, %zmm22, %k2
vmovdqa64 448({slots}), %zmm11
vgf2p8affineqb $0, 216({constants}){{1to8}}, %zmm11, %zmm15
vpermb -7936({tables}), %zmm22, %zmm10
vmovdqa64 0({slots}), %zmm26
vgf2p8affineqb $0, 224({constants}){{1to8}}, %zmm26, %zmm28
vpermb -7872({tables}), %zmm22, %zmm10 {{%k1}}
vgf2p8affineqb $0, 232({constants}){{1to8}}, %zmm11, %zmm2
vpermb -7808({tables}), %zmm22, %zmm23 {{%k1}}{{z}}
vgf2p8affineqb $0, 216({constants}){{1to8}}, %zmm26, %zmm6
vpermb -7744({tables}), %zmm22, %zmm23 {{%k2}}
vpternlogd $0x96, 68({keys}){{1to16}}, %zmm23, %zmm10
vgf2p8affineqb $0, 240({constants}){{1to8}}, %zmm25, %zmm22
vptestnmb %zmm31, %zmm5, %k3
vgf2p8affineqb $0, 248({constants}){{1to8}}, %zmm8, %zmm23
vptestmb %zmm30, %zmm5, %k4
vmovdqa64 %zmm13, 960({slots})
vgf2p8affineqb $0, 240({constants}){{1to8}}, %zmm8, %zmm13
vmovdqa64 %zmm19, 704({slots})
vpermb -3840({tables}), %zmm5, %zmm19
vpternlogd $0x96, %zmm21, %zmm28, %zmm15
vpermb -3776({tables}), %zmm5, %zmm19 {{%k3}}
vpternlogd $0x96, %zmm27, %zmm6, %zmm2
vpermb -3712({tables}), %zmm5, %zmm28 {{%k3}}{{z}}
vpternlogd $0x96, %zmm18, %zmm23, %zmm22
vpermb -3648({tables}), %zmm5, %zmm28 {{%k4}}
vpxord %zmm17, %zmm13, %zmm6
vpternlogd $0x96, 84({keys}){{1to16}}, %zmm28, %zmm19
vpxord %zmm24, %zmm3, %zmm23
vptestnmb %zmm31, %zmm29, %k5
vpxord %zmm1, %zmm12, %zmm5
vptestmb %zmm30, %zmm29, %k6
vgf2p8affineqb $0, 336({constants}){{1to8}}, %zmm23, %zmm13
vpermb 256({tables}), %zmm29, %zmm28
vpermb 320({tables}), %zmm29, %zmm28 {{%k5}}
vmovdqa64 %zmm6, 256({slots})
vgf2p8affineqb $0, 344({constants}){{1to8}}, %zmm5, %zmm6
vmovdqa64 %zmm22, 576({slots})
vpermb 384({tables}), %zmm29, %zmm22 {{%k5}}{{z}}
vgf2p8affineqb $0, 352({constants}){{1to8}}, %zmm23, %zmm23
vpermb 448({tables}), %zmm29, %zmm22 {{%k6}}
vgf2p8affineqb $0, 336({constants}){{1to8}}, %zmm5, %zmm29
vpternlogd $0x96, 100({keys}){{1to16}}, %zmm22, %zmm28
vgf2p8affineqb $0, 288({constants}){{1to8}}, %zmm24, %zmm5
vptestnmb %zmm31, %zmm14, %k7
vgf2p8affineqb $0, 296({constants}){{1to8}}, %zmm1, %zmm22
vptestmb %zmm30, %zmm14, %k1
vmovdqa64 %zmm2, 512({slots})
vgf2p8affineqb $0, 288({constants}){{1to8}}, %zmm1, %zmm2
vmovdqa64 %zmm15, 1024({slots})
vpermb 4352({tables}), %zmm14, %zmm15
vmovdqa64 %zmm7, 1088({slots})
vgf2p8affineqb $0, 328({constants}){{1to8}}, %zmm3, %zmm7
vpermb 4416({tables}), %zmm14, %zmm15 {{%k7}}
vpternlogd $0x96, %zmm21, %zmm22, %zmm5
vpermb 4480({tables}), %zmm14, %zmm22 {{%k7}}{{z}}
vpxord %zmm27, %zmm2, %zmm21
vpermb 4544({tables}), %zmm14, %zmm22 {{%k1}}
vpxord %zmm17, %zmm7, %zmm2
vpternlogd $0x96, 116({keys}){{1to16}}, %zmm22, %zmm15
vpxord %zmm10, %zmm3, %zmm27
vpxord %zmm19, %zmm12, %zmm14
vpxord %zmm28, %zmm24, %zmm7
vpxord %zmm15, %zmm1, %zmm17
vpxord %zmm9, %zmm25, %zmm22
vpxord %zmm16, %zmm8, %zmm3
vpxord %zmm4, %zmm11, %zmm12
vpxord %zmm0, %zmm26, %zmm24
vpxord %zmm22, %zmm27, %zmm1
vpxord %zmm3, %zmm14, %zmm25
vpxord %zmm12, %zmm7, %zmm8
vpxord %zmm24, %zmm17, %zmm11
vpxord %zmm8, %zmm1, %zmm26
vmovdqa64 %zmm15, 0({slots})
vpxord %zmm11, %zmm25, %zmm15
vmovdqa64 %zmm28, 448({slots})
vgf2p8affineqb $0, 624({constants}){{1to8}}, %zmm26, %zmm28
vmovdqa64 %zmm19, 384({slots})
vgf2p8affineqb $0, 632({constants}){{1to8}}, %zmm15, %zmm19
vgf2p8affineqb $0, 640({constants}){{1to8}}, %zmm26, %zmm26
vgf2p8affineqb $0, 624({constants}){{1to8}}, %zmm15, %zmm15
vgf2p8affineqb $0, 584({constants}){{1to8}}, %zmm11, %zmm11
vgf2p8affineqb $0, 592({constants}){{1to8}}, %zmm8, %zmm8
vmovdqa64 %zmm10, 640({slots})
vgf2p8affineqb $0, 600({constants}){{1to8}}, %zmm1, %zmm10
vmovdqa64 %zmm0, 128({slots})
vgf2p8affineqb $0, 608({constants}){{1to8}}, %zmm25, %zmm0
vgf2p8affineqb $0, 616({constants}){{1to8}}, %zmm1, %zmm1
vgf2p8affineqb $0, 600({constants}){{1to8}}, %zmm25, %zmm25
vpxord %zmm19, %zmm28, %zmm28
vpxord %zmm15, %zmm26, %zmm19
vpxord %zmm28, %zmm11, %zmm26
vpxord %zmm19, %zmm8, %zmm15
vpternlogd $0x96, %zmm28, %zmm0, %zmm10
vpternlogd $0x96, %zmm19, %zmm25, %zmm1
vpxord %zmm12, %zmm22, %zmm11
vpxord %zmm24, %zmm3, %zmm8
vgf2p8affineqb $0, 480({constants}){{1to8}}, %zmm11, %zmm0
vgf2p8affineqb $0, 488({constants}){{1to8}}, %zmm8, %zmm28
vgf2p8affineqb $0, 496({constants}){{1to8}}, %zmm11, %zmm25
vgf2p8affineqb $0, 480({constants}){{1to8}}, %zmm8, %zmm19
vpxord %zmm24, %zmm12, %zmm11
vgf2p8affineqb $0, 432({constants}){{1to8}}, %zmm11, %zmm8
vgf2p8affineqb $0, 448({constants}){{1to8}}, %zmm12, %zmm11
vgf2p8affineqb $0, 456({constants}){{1to8}}, %zmm22, %zmm12
vmovdqa64 %zmm4, 832({slots})
vgf2p8affineqb $0, 464({constants}){{1to8}}, %zmm3, %zmm4
vgf2p8affineqb $0, 472({constants}){{1to8}}, %zmm22, %zmm22
vgf2p8affineqb $0, 456({constants}){{1to8}}, %zmm3, %zmm3
vpternlogd $0x96, %zmm26, %zmm8, %zmm24
vpternlogd $0x96, %zmm15, %zmm11, %zmm8
vpternlogd $0x96, %zmm10, %zmm4, %zmm12
vpternlogd $0x96, %zmm1, %zmm3, %zmm22
vpxord %zmm28, %zmm0, %zmm11
vpxord %zmm19, %zmm25, %zmm4
vpxord %zmm7, %zmm27, %zmm3
vpxord %zmm17, %zmm14, %zmm0
vgf2p8affineqb $0, 552({constants}){{1to8}}, %zmm3, %zmm28
vgf2p8affineqb $0, 560({constants}){{1to8}}, %zmm0, %zmm25
vgf2p8affineqb $0, 568({constants}){{1to8}}, %zmm3, %zmm19
vgf2p8affineqb $0, 552({constants}){{1to8}}, %zmm0, %zmm3
vgf2p8affineqb $0, 504({constants}){{1to8}}, %zmm7, %zmm0
vmovdqa64 %zmm16, 320({slots})
vgf2p8affineqb $0, 512({constants}){{1to8}}, %zmm17, %zmm16
vgf2p8affineqb $0, 520({constants}){{1to8}}, %zmm7, %zmm7
vgf2p8affineqb $0, 504({constants}){{1to8}}, %zmm17, %zmm17
vmovdqa64 %zmm9, 768({slots})
vgf2p8affineqb $0, 528({constants}){{1to8}}, %zmm27, %zmm9
vgf2p8affineqb $0, 544({constants}){{1to8}}, %zmm27, %zmm27
vmovdqa64 %zmm22, 896({slots})
vgf2p8affineqb $0, 528({constants}){{1to8}}, %zmm14, %zmm22
vpternlogd $0x96, %zmm26, %zmm16, %zmm0
vpternlogd $0x96, %zmm15, %zmm17, %zmm7
vpternlogd $0x96, %zmm10, %zmm14, %zmm9
vpternlogd $0x96, %zmm1, %zmm22, %zmm27
vpxord %zmm25, %zmm28, %zmm16
vpxord %zmm3, %zmm19, %zmm26
vpternlogd $0x96, %zmm16, %zmm6, %zmm13
vpternlogd $0x96, %zmm26, %zmm29, %zmm23
vpternlogd $0x96, %zmm13, %zmm0, %zmm5
vpternlogd $0x96, %zmm23, %zmm7, %zmm21
vpternlogd $0x96, %zmm9, %zmm13, %zmm18
vpternlogd $0x96, %zmm27, %zmm23, %zmm2
vpternlogd $0x96, 1088({slots}), %zmm11, %zmm20
vmovdqa64 704({slots}), %zmm17
vpternlogd $0x96, 960({slots}), %zmm4, %zmm17
vmovdqa64 %zmm24, %zmm15
vpternlogd $0x96, 1024({slots}), %zmm20, %zmm15
vmovdqa64 %zmm8, %zmm14
vpternlogd $0x96, 512({slots}), %zmm17, %zmm14
vpternlogd $0x96, 576({slots}), %zmm12, %zmm20
vmovdqa64 256({slots}), %zmm10
vpternlogd $0x96, 896({slots}), %zmm17, %zmm10
vmovdqa64 768({slots}), %zmm1
vmovdqa64 384({slots}), %zmm3
vmovdqa64 832({slots}), %zmm6
vmovdqa64 %zmm14, %zmm13
vmovdqa64 %zmm20, %zmm14
vmovdqa64 %zmm0, 64({slots})
vmovdqa64 640({slots}), %zmm0
vmovdqa64 %zmm9, 192({slots})
vmovdqa64 %zmm21, %zmm9
vmovdqa64 %zmm10, 256({slots})
vmovdqa64 %zmm18, %zmm10
vmovdqa64 %zmm11, 384({slots})
vmovdqa64 %zmm2, %zmm11
vmovdqa64 %zmm5, %zmm2
vmovdqa64 448({slots}), %zmm5
vmovdqa64 %zmm4, 448({slots})
vmovdqa64 320({slots}), %zmm4
vmovdqa64 %zmm27, 320({slots})
vmovdqa64 %zmm24, 512({slots})
vmovdqa64 %zmm8, 576({slots})
vmovdqa64 128({slots}), %zmm8
vmovdqa64 %zmm7, 128({slots})
vmovdqa64 0({slots}), %zmm7
vmovdqa64 %zmm26, 0({slots})
vmovdqa64 %zmm12, 640({slots})
vmovdqa64 %zmm15, %zmm12
vmovdqa64 %zmm16, %zmm15
vmovdqa64 896({slots}), %zmm17
vmovdqa64 %zmm17, 704({slots})
# the next two
add $128, {keys}
sub $1, {count:e}
jnz 2b
# what is left of the last round
vpxord %zmm1, %zmm0, %zmm16
vpxord %zmm4, %zmm3, %zmm17
vpxord %zmm6, %zmm5, %zmm18
vpxord %zmm8, %zmm7, %zmm19
vpxord %zmm18, %zmm16, %zmm20
vpxord %zmm19, %zmm17, %zmm21
vgf2p8affineqb $0, 200({constants}){{1to8}}, %zmm21, %zmm22
vgf2p8affineqb $0, 208({constants}){{1to8}}, %zmm20, %zmm23
vgf2p8affineqb $0, 144({constants}){{1to8}}, %zmm18, %zmm24
vgf2p8affineqb $0, 152({constants}){{1to8}}, %zmm19, %zmm25
vgf2p8affineqb $0, 160({constants}){{1to8}}, %zmm18, %zmm26
vgf2p8affineqb $0, 144({constants}){{1to8}}, %zmm19, %zmm27
vgf2p8affineqb $0, 168({constants}){{1to8}}, %zmm16, %zmm28
vgf2p8affineqb $0, 176({constants}){{1to8}}, %zmm17, %zmm29
vgf2p8affineqb $0, 168({constants}){{1to8}}, %zmm17, %zmm18
vpxord %zmm22, %zmm20, %zmm19
vpxord %zmm21, %zmm23, %zmm17
vpternlogd $0x96, %zmm19, %zmm25, %zmm24
vpternlogd $0x96, %zmm17, %zmm27, %zmm26
vpternlogd $0x96, %zmm19, %zmm29, %zmm28
vpternlogd $0x96, %zmm17, %zmm18, %zmm16
vpxord %zmm6, %zmm1, %zmm20
vpxord %zmm8, %zmm4, %zmm22
vgf2p8affineqb $0, 48({constants}){{1to8}}, %zmm20, %zmm23
vgf2p8affineqb $0, 56({constants}){{1to8}}, %zmm22, %zmm21
vgf2p8affineqb $0, 64({constants}){{1to8}}, %zmm20, %zmm25
vgf2p8affineqb $0, 48({constants}){{1to8}}, %zmm22, %zmm27
vgf2p8affineqb $0, 0({constants}){{1to8}}, %zmm6, %zmm29
vgf2p8affineqb $0, 8({constants}){{1to8}}, %zmm8, %zmm19
vgf2p8affineqb $0, 16({constants}){{1to8}}, %zmm6, %zmm18
vgf2p8affineqb $0, 0({constants}){{1to8}}, %zmm8, %zmm17
vgf2p8affineqb $0, 32({constants}){{1to8}}, %zmm4, %zmm20
vgf2p8affineqb $0, 40({constants}){{1to8}}, %zmm1, %zmm22
vpternlogd $0x96, %zmm24, %zmm19, %zmm29
vpternlogd $0x96, %zmm26, %zmm17, %zmm18
vpxord %zmm28, %zmm20, %zmm6
vpxord %zmm16, %zmm22, %zmm8
vpxord %zmm5, %zmm0, %zmm4
vpxord %zmm7, %zmm3, %zmm1
vgf2p8affineqb $0, 120({constants}){{1to8}}, %zmm4, %zmm19
vgf2p8affineqb $0, 128({constants}){{1to8}}, %zmm1, %zmm17
vgf2p8affineqb $0, 136({constants}){{1to8}}, %zmm4, %zmm20
vgf2p8affineqb $0, 120({constants}){{1to8}}, %zmm1, %zmm22
vpxord %zmm7, %zmm5, %zmm4
vgf2p8affineqb $0, 72({constants}){{1to8}}, %zmm4, %zmm1
vgf2p8affineqb $0, 80({constants}){{1to8}}, %zmm7, %zmm5
vgf2p8affineqb $0, 104({constants}){{1to8}}, %zmm3, %zmm4
vgf2p8affineqb $0, 112({constants}){{1to8}}, %zmm0, %zmm7
vpternlogd $0x96, %zmm1, %zmm24, %zmm5
vpxord %zmm26, %zmm1, %zmm24
vpternlogd $0x96, %zmm28, %zmm4, %zmm0
vpternlogd $0x96, %zmm16, %zmm3, %zmm7
vpternlogd $0x96, %zmm15, %zmm17, %zmm19
vpternlogd $0x96, 0({slots}), %zmm22, %zmm20
vpternlogd $0x96, 64({slots}), %zmm19, %zmm5
vpternlogd $0x96, 128({slots}), %zmm20, %zmm24
vpternlogd $0x96, 192({slots}), %zmm19, %zmm0
vpternlogd $0x96, 320({slots}), %zmm20, %zmm7
vpternlogd $0x96, 384({slots}), %zmm21, %zmm23
vpternlogd $0x96, 448({slots}), %zmm27, %zmm25
vpternlogd $0x96, 512({slots}), %zmm23, %zmm29
vpternlogd $0x96, 576({slots}), %zmm25, %zmm18
vpternlogd $0x96, 640({slots}), %zmm23, %zmm6
vpternlogd $0x96, 704({slots}), %zmm25, %zmm8
vmovdqa64 %zmm29, 0({state})
vmovdqa64 %zmm12, 64({state})
vmovdqa64 %zmm5, 128({state})
vmovdqa64 %zmm2, 192({state})
vmovdqa64 %zmm18, 256({state})
vmovdqa64 %zmm13, 320({state})
vmovdqa64 %zmm24, 384({state})
vmovdqa64 %zmm9, 448({state})
vmovdqa64 %zmm6, 512({state})
vmovdqa64 %zmm14, 576({state})
vmovdqa64 %zmm0, 640({state})
vmovdqa64 %zmm10, 704({state})
vmovdqa64 %zmm8, 768({state})
vmovdqa64 256({slots}), %zmm1
vmovdqa64 %zmm1, 832({state})
vmovdqa64 %zmm7, 896({state})
vmovdqa64 %zmm11, 960({state})
