# Streebog, the chains of one message's compression but for the first steps: keys and state, avx2gfni.
#
# rdi        the tables, `Chains` of image.rs
# rsi        constants of the rounds, 64 bytes a step; left behind the last
# rcx        pairs of steps, at least 1; left 0
# ymm0, ymm1 the key, read
# ymm2, ymm3 the state, read and written
# changes    ymm4 to ymm15, flags
# used by    bulat/src/streebog/avx2gfni/chains.rs
# checked by cargo test -p bulat --lib streebog::rounds, --test streebog_kernels (reference)
# written by cargo run -p asmgen; stands alone for as -msyntax=intel -mnaked-reg
2:
vgf2p8affineqb ymm4, ymm0, ymmword ptr [rdi + 32], 0
vgf2p8affineqb ymm5, ymm1, ymmword ptr [rdi + 32], 0
vmovdqa ymm6, ymmword ptr [rdi + 64]
vpshufb ymm7, ymm6, ymm4
vpshufb ymm8, ymm6, ymm5
vmovdqa ymm9, ymmword ptr [rdi + 192]
vpshufb ymm10, ymm9, ymm0
vpshufb ymm11, ymm9, ymm1
vgf2p8affineqb ymm12, ymm2, ymmword ptr [rdi + 32], 0
vgf2p8affineqb ymm13, ymm3, ymmword ptr [rdi + 32], 0
vpshufb ymm14, ymm6, ymm12
vpshufb ymm15, ymm6, ymm13
vpcmpeqb ymm6, ymm4, ymmword ptr [rdi + 0]
vpcmpeqb ymm9, ymm5, ymmword ptr [rdi + 0]
vgf2p8mulb ymm7, ymm0, ymm7
vgf2p8mulb ymm8, ymm1, ymm8
vmovdqa ymm1, ymmword ptr [rdi + 128]
vpshufb ymm0, ymm1, ymm7
vpshufb ymm1, ymm1, ymm8
vgf2p8mulb ymm0, ymm4, ymm0
vgf2p8mulb ymm1, ymm5, ymm1
vpand ymm6, ymm10, ymm6
vpand ymm9, ymm11, ymm9
vgf2p8mulb ymm14, ymm2, ymm14
vgf2p8mulb ymm15, ymm3, ymm15
vmovdqa ymm11, ymmword ptr [rdi + 96]
vpshufb ymm7, ymm11, ymm7
vpshufb ymm8, ymm11, ymm8
vmovdqa ymm10, ymmword ptr [rdi + 160]
vpshufb ymm0, ymm10, ymm0
vpshufb ymm1, ymm10, ymm1
vmovdqa ymm5, ymmword ptr [rdi + 128]
vpshufb ymm4, ymm5, ymm14
vpshufb ymm5, ymm5, ymm15
vpshufb ymm14, ymm11, ymm14
vpshufb ymm15, ymm11, ymm15
vgf2p8mulb ymm4, ymm12, ymm4
vgf2p8mulb ymm5, ymm13, ymm5
vmovdqa ymm11, ymmword ptr [rdi + 192]
vpshufb ymm2, ymm11, ymm2
vpshufb ymm3, ymm11, ymm3
vpshufb ymm4, ymm10, ymm4
vpshufb ymm5, ymm10, ymm5
vpxor ymm4, ymm14, ymm4
vpxor ymm5, ymm15, ymm5
vpxor ymm7, ymm6, ymm7
vpxor ymm8, ymm9, ymm8
vpxor ymm7, ymm0, ymm7
vpxor ymm8, ymm1, ymm8
vpshufb ymm1, ymm7, ymmword ptr [rdi + 224]
vpshufb ymm0, ymm8, ymmword ptr [rdi + 224]
vgf2p8mulb ymm9, ymm7, ymmword ptr [rdi + 832]
vgf2p8mulb ymm6, ymm8, ymmword ptr [rdi + 864]
vgf2p8mulb ymm15, ymm7, ymmword ptr [rdi + 1088]
vgf2p8mulb ymm14, ymm8, ymmword ptr [rdi + 1120]
vpxor ymm9, ymm9, ymmword ptr [rsi + 0]
vpxor ymm6, ymm6, ymmword ptr [rsi + 32]
vpcmpeqb ymm12, ymm12, ymmword ptr [rdi + 0]
vpcmpeqb ymm13, ymm13, ymmword ptr [rdi + 0]
vpshufd ymm7, ymm7, 177
vpshufd ymm8, ymm8, 177
vgf2p8mulb ymm10, ymm1, ymmword ptr [rdi + 1152]
vgf2p8mulb ymm11, ymm0, ymmword ptr [rdi + 1184]
vpxor ymm10, ymm15, ymm10
vpxor ymm11, ymm14, ymm11
vgf2p8mulb ymm14, ymm7, ymmword ptr [rdi + 1216]
vgf2p8mulb ymm15, ymm8, ymmword ptr [rdi + 1248]
vpxor ymm14, ymm10, ymm14
vpxor ymm15, ymm11, ymm15
vgf2p8mulb ymm7, ymm7, ymmword ptr [rdi + 960]
vgf2p8mulb ymm8, ymm8, ymmword ptr [rdi + 992]
vpxor ymm7, ymm9, ymm7
vpxor ymm8, ymm6, ymm8
vgf2p8mulb ymm6, ymm1, ymmword ptr [rdi + 896]
vgf2p8mulb ymm9, ymm0, ymmword ptr [rdi + 928]
vpshufd ymm1, ymm1, 177
vpshufd ymm0, ymm0, 177
vpand ymm12, ymm2, ymm12
vpand ymm13, ymm3, ymm13
vgf2p8mulb ymm3, ymm1, ymmword ptr [rdi + 1280]
vgf2p8mulb ymm2, ymm0, ymmword ptr [rdi + 1312]
vpxor ymm12, ymm4, ymm12
vpxor ymm13, ymm5, ymm13
vpxor ymm6, ymm7, ymm6
vpxor ymm9, ymm8, ymm9
vgf2p8mulb ymm1, ymm1, ymmword ptr [rdi + 1024]
vgf2p8mulb ymm0, ymm0, ymmword ptr [rdi + 1056]
vpxor ymm3, ymm14, ymm3
vpxor ymm2, ymm15, ymm2
vpxor ymm1, ymm6, ymm1
vpxor ymm0, ymm9, ymm0
vpshufb ymm3, ymm3, ymmword ptr [rdi + 256]
vpshufb ymm2, ymm2, ymmword ptr [rdi + 256]
vpxor ymm3, ymm1, ymm3
vpxor ymm2, ymm0, ymm2
vgf2p8affineqb ymm0, ymm3, ymmword ptr [rdi + 32], 0
vgf2p8affineqb ymm1, ymm2, ymmword ptr [rdi + 32], 0
vpshufd ymm9, ymm12, 177
vpshufd ymm6, ymm13, 177
vpshufb ymm15, ymm12, ymmword ptr [rdi + 224]
vpshufb ymm14, ymm13, ymmword ptr [rdi + 224]
vgf2p8mulb ymm8, ymm15, ymmword ptr [rdi + 1152]
vgf2p8mulb ymm7, ymm14, ymmword ptr [rdi + 1184]
vgf2p8mulb ymm5, ymm12, ymmword ptr [rdi + 1088]
vgf2p8mulb ymm4, ymm13, ymmword ptr [rdi + 1120]
vgf2p8mulb ymm11, ymm15, ymmword ptr [rdi + 896]
vgf2p8mulb ymm10, ymm14, ymmword ptr [rdi + 928]
vpxor ymm5, ymm8, ymm5
vpxor ymm4, ymm7, ymm4
vpshufd ymm15, ymm15, 177
vpshufd ymm14, ymm14, 177
vgf2p8mulb ymm7, ymm9, ymmword ptr [rdi + 1216]
vgf2p8mulb ymm8, ymm6, ymmword ptr [rdi + 1248]
vgf2p8mulb ymm9, ymm9, ymmword ptr [rdi + 960]
vgf2p8mulb ymm6, ymm6, ymmword ptr [rdi + 992]
vpxor ymm7, ymm5, ymm7
vpxor ymm8, ymm4, ymm8
vpxor ymm9, ymm11, ymm9
vpxor ymm6, ymm10, ymm6
vmovdqa ymm10, ymmword ptr [rdi + 64]
vpshufb ymm11, ymm10, ymm0
vpshufb ymm4, ymm10, ymm1
vgf2p8mulb ymm5, ymm15, ymmword ptr [rdi + 1280]
vgf2p8mulb ymm10, ymm14, ymmword ptr [rdi + 1312]
vgf2p8mulb ymm15, ymm15, ymmword ptr [rdi + 1024]
vgf2p8mulb ymm14, ymm14, ymmword ptr [rdi + 1056]
vpxor ymm5, ymm7, ymm5
vpxor ymm10, ymm8, ymm10
vgf2p8mulb ymm12, ymm12, ymmword ptr [rdi + 832]
vgf2p8mulb ymm13, ymm13, ymmword ptr [rdi + 864]
vpxor ymm8, ymm3, ymmword ptr [rsi + 0]
vpxor ymm7, ymm2, ymmword ptr [rsi + 32]
vpxor ymm15, ymm9, ymm15
vpxor ymm14, ymm6, ymm14
vpxor ymm8, ymm12, ymm8
vpxor ymm7, ymm13, ymm7
vpshufb ymm5, ymm5, ymmword ptr [rdi + 256]
vpshufb ymm10, ymm10, ymmword ptr [rdi + 256]
vgf2p8mulb ymm11, ymm3, ymm11
vgf2p8mulb ymm4, ymm2, ymm4
vpxor ymm8, ymm15, ymm8
vpxor ymm7, ymm14, ymm7
vmovdqa ymm14, ymmword ptr [rdi + 128]
vpshufb ymm15, ymm14, ymm11
vpshufb ymm13, ymm14, ymm4
vmovdqa ymm12, ymmword ptr [rdi + 192]
vpshufb ymm3, ymm12, ymm3
vpshufb ymm2, ymm12, ymm2
vgf2p8mulb ymm15, ymm0, ymm15
vgf2p8mulb ymm13, ymm1, ymm13
vpcmpeqb ymm0, ymm0, ymmword ptr [rdi + 0]
vpcmpeqb ymm1, ymm1, ymmword ptr [rdi + 0]
vmovdqa ymm6, ymmword ptr [rdi + 96]
vpshufb ymm11, ymm6, ymm11
vpshufb ymm4, ymm6, ymm4
vpand ymm0, ymm3, ymm0
vpand ymm1, ymm2, ymm1
vpxor ymm8, ymm5, ymm8
vpxor ymm7, ymm10, ymm7
vmovdqa ymm10, ymmword ptr [rdi + 160]
vpshufb ymm15, ymm10, ymm15
vpshufb ymm13, ymm10, ymm13
vgf2p8affineqb ymm5, ymm8, ymmword ptr [rdi + 32], 0
vgf2p8affineqb ymm2, ymm7, ymmword ptr [rdi + 32], 0
vmovdqa ymm3, ymmword ptr [rdi + 64]
vpshufb ymm9, ymm3, ymm5
vpshufb ymm3, ymm3, ymm2
vgf2p8mulb ymm9, ymm8, ymm9
vgf2p8mulb ymm3, ymm7, ymm3
vpxor ymm0, ymm11, ymm0
vpxor ymm1, ymm4, ymm1
vpshufb ymm8, ymm12, ymm8
vpshufb ymm7, ymm12, ymm7
vpxor ymm0, ymm15, ymm0
vpxor ymm1, ymm13, ymm1
vgf2p8mulb ymm13, ymm1, ymmword ptr [rdi + 640]
vgf2p8mulb ymm15, ymm0, ymmword ptr [rdi + 672]
vpshufb ymm12, ymm14, ymm9
vpshufb ymm14, ymm14, ymm3
vgf2p8mulb ymm12, ymm5, ymm12
vgf2p8mulb ymm14, ymm2, ymm14
vpshufd ymm4, ymm0, 78
vpshufd ymm11, ymm1, 78
vpshufb ymm9, ymm6, ymm9
vpshufb ymm3, ymm6, ymm3
vpcmpeqb ymm5, ymm5, ymmword ptr [rdi + 0]
vpcmpeqb ymm2, ymm2, ymmword ptr [rdi + 0]
vpand ymm5, ymm8, ymm5
vpand ymm2, ymm7, ymm2
vpshufb ymm12, ymm10, ymm12
vpshufb ymm14, ymm10, ymm14
vpxor ymm5, ymm9, ymm5
vpxor ymm2, ymm3, ymm2
vgf2p8mulb ymm3, ymm0, ymmword ptr [rdi + 576]
vgf2p8mulb ymm9, ymm1, ymmword ptr [rdi + 608]
vgf2p8mulb ymm10, ymm4, ymmword ptr [rdi + 704]
vgf2p8mulb ymm7, ymm11, ymmword ptr [rdi + 736]
vgf2p8mulb ymm8, ymm0, ymmword ptr [rdi + 320]
vgf2p8mulb ymm6, ymm1, ymmword ptr [rdi + 352]
vpxor ymm8, ymm8, ymmword ptr [rsi + 64]
vpxor ymm6, ymm6, ymmword ptr [rsi + 96]
vpxor ymm5, ymm12, ymm5
vpxor ymm2, ymm14, ymm2
vpxor ymm3, ymm13, ymm3
vpxor ymm9, ymm15, ymm9
vgf2p8mulb ymm15, ymm5, ymmword ptr [rdi + 576]
vgf2p8mulb ymm13, ymm2, ymmword ptr [rdi + 608]
vgf2p8mulb ymm14, ymm11, ymmword ptr [rdi + 768]
vgf2p8mulb ymm12, ymm4, ymmword ptr [rdi + 800]
vpxor ymm3, ymm10, ymm3
vpxor ymm9, ymm7, ymm9
vgf2p8mulb ymm7, ymm11, ymmword ptr [rdi + 512]
vgf2p8mulb ymm10, ymm4, ymmword ptr [rdi + 544]
vgf2p8mulb ymm1, ymm1, ymmword ptr [rdi + 384]
vgf2p8mulb ymm0, ymm0, ymmword ptr [rdi + 416]
vgf2p8mulb ymm4, ymm4, ymmword ptr [rdi + 448]
vgf2p8mulb ymm11, ymm11, ymmword ptr [rdi + 480]
vpxor ymm7, ymm8, ymm7
vpxor ymm10, ymm6, ymm10
vpxor ymm4, ymm1, ymm4
vpxor ymm11, ymm0, ymm11
vpxor ymm3, ymm14, ymm3
vpxor ymm9, ymm12, ymm9
vpxor ymm4, ymm7, ymm4
vpxor ymm11, ymm10, ymm11
vpshufd ymm10, ymm5, 78
vpshufd ymm7, ymm2, 78
vgf2p8mulb ymm12, ymm2, ymmword ptr [rdi + 640]
vgf2p8mulb ymm14, ymm5, ymmword ptr [rdi + 672]
vgf2p8mulb ymm0, ymm10, ymmword ptr [rdi + 448]
vgf2p8mulb ymm1, ymm7, ymmword ptr [rdi + 480]
vperm2i128 ymm3, ymm3, ymm3, 1
vperm2i128 ymm9, ymm9, ymm9, 1
vgf2p8mulb ymm6, ymm2, ymmword ptr [rdi + 384]
vgf2p8mulb ymm8, ymm5, ymmword ptr [rdi + 416]
vpxor ymm12, ymm15, ymm12
vpxor ymm14, ymm13, ymm14
vpxor ymm6, ymm0, ymm6
vpxor ymm8, ymm1, ymm8
vgf2p8mulb ymm1, ymm10, ymmword ptr [rdi + 704]
vgf2p8mulb ymm0, ymm7, ymmword ptr [rdi + 736]
vpxor ymm1, ymm12, ymm1
vpxor ymm0, ymm14, ymm0
vgf2p8mulb ymm5, ymm5, ymmword ptr [rdi + 320]
vgf2p8mulb ymm2, ymm2, ymmword ptr [rdi + 352]
vpxor ymm3, ymm4, ymm3
vpxor ymm9, ymm11, ymm9
vpxor ymm11, ymm3, ymmword ptr [rsi + 64]
vpxor ymm4, ymm9, ymmword ptr [rsi + 96]
vgf2p8mulb ymm14, ymm7, ymmword ptr [rdi + 512]
vgf2p8mulb ymm12, ymm10, ymmword ptr [rdi + 544]
vgf2p8mulb ymm7, ymm7, ymmword ptr [rdi + 768]
vgf2p8mulb ymm10, ymm10, ymmword ptr [rdi + 800]
vpxor ymm5, ymm6, ymm5
vpxor ymm2, ymm8, ymm2
vpxor ymm14, ymm11, ymm14
vpxor ymm12, ymm4, ymm12
vpxor ymm7, ymm1, ymm7
vpxor ymm10, ymm0, ymm10
vperm2i128 ymm7, ymm7, ymm7, 1
vperm2i128 ymm10, ymm10, ymm10, 1
vpxor ymm14, ymm5, ymm14
vpxor ymm12, ymm2, ymm12
vpxor ymm14, ymm7, ymm14
vpxor ymm12, ymm10, ymm12
vmovdqa ymm0, ymm3
vmovdqa ymm1, ymm9
vmovdqa ymm2, ymm14
vmovdqa ymm3, ymm12
add rsi, 128
dec rcx
jnz 2b
