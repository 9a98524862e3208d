# Streebog, the compression of one message, gfni512.
#
# {groups}   `GROUPS`
# {inside}   `INSIDE`
# {rotations} `ROTATIONS`
# {rounds}   `ROUNDS`
# {transposed} `TRANSPOSED`
# zmm0       the key; then the result
# zmm1 zmm2  the state, and the vector added last; changed
# zmm27      ones
# zmm28      the S-box, to zmm31
# changes    zmm3 to zmm11
# used by    crates/core/src/streebog/gfni512.rs
# checked by cargo test -p bulat --test streebog_kernels
# written by cargo run -p asmgen; a template of asm!, operands in braces
vmovdqa64 zmm3, zmmword ptr [{transposed}]
vpermb zmm1, zmm3, zmm1
vpermb zmm2, zmm3, zmm2
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm6, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm6, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm0, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm6, zmm6, 0x4e
vgf2p8mulb zmm6, zmm6, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 64], 0x96
vpternlogq zmm0, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm10, zmm5, 0x96
vpternlogq zmm0, zmm7, zmm6, 0x96
vpternlogq zmm1, zmm0, zmmword ptr [{rounds} + 64], 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm0, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm0, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm0, zmm0, 0xb1
vgf2p8mulb zmm0, zmm0, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm11, zmm8, zmmword ptr [{rounds} + 128], 0x96
vpternlogq zmm10, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm5, zmm11, 0x96
vpternlogq zmm0, zmm7, zmm10, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm1, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm1, zmm1, 0xb1
vgf2p8mulb zmm1, zmm1, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm9, zmm8, zmmword ptr [{rounds} + 128], 0x96
vpternlogq zmm5, zmm0, zmm9, 0x96
vpxorq zmm11, zmm11, zmm3
vpternlogq zmm1, zmm7, zmm10, 0x96
vpternlogq zmm1, zmm11, zmm5, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm6, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm6, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm0, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm6, zmm6, 0x4e
vgf2p8mulb zmm6, zmm6, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 320], 0x96
vpternlogq zmm0, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm10, zmm5, 0x96
vpternlogq zmm0, zmm7, zmm6, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm1, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm1, zmm1, 0x4e
vgf2p8mulb zmm1, zmm1, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 320], 0x96
vpxorq zmm9, zmm9, zmm10
vpternlogq zmm1, zmm0, zmm7, 0x96
vpternlogq zmm5, zmm3, zmm11, 0x96
vpternlogq zmm1, zmm5, zmm9, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm0, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm0, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm0, zmm0, 0xb1
vgf2p8mulb zmm0, zmm0, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm11, zmm8, zmmword ptr [{rounds} + 384], 0x96
vpternlogq zmm10, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm5, zmm11, 0x96
vpternlogq zmm0, zmm7, zmm10, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm1, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm1, zmm1, 0xb1
vgf2p8mulb zmm1, zmm1, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm9, zmm8, zmmword ptr [{rounds} + 384], 0x96
vpternlogq zmm5, zmm0, zmm9, 0x96
vpxorq zmm11, zmm11, zmm3
vpternlogq zmm1, zmm7, zmm10, 0x96
vpternlogq zmm1, zmm11, zmm5, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm6, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm6, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm0, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm6, zmm6, 0x4e
vgf2p8mulb zmm6, zmm6, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 576], 0x96
vpternlogq zmm0, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm10, zmm5, 0x96
vpternlogq zmm0, zmm7, zmm6, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm1, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm1, zmm1, 0x4e
vgf2p8mulb zmm1, zmm1, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 576], 0x96
vpxorq zmm9, zmm9, zmm10
vpternlogq zmm1, zmm0, zmm7, 0x96
vpternlogq zmm5, zmm3, zmm11, 0x96
vpternlogq zmm1, zmm5, zmm9, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm0, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm0, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm0, zmm0, 0xb1
vgf2p8mulb zmm0, zmm0, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm11, zmm8, zmmword ptr [{rounds} + 640], 0x96
vpternlogq zmm10, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm5, zmm11, 0x96
vpternlogq zmm0, zmm7, zmm10, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm1, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm1, zmm1, 0xb1
vgf2p8mulb zmm1, zmm1, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm9, zmm8, zmmword ptr [{rounds} + 640], 0x96
vpternlogq zmm5, zmm0, zmm9, 0x96
vpxorq zmm11, zmm11, zmm3
vpternlogq zmm1, zmm7, zmm10, 0x96
vpternlogq zmm1, zmm11, zmm5, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm6, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm6, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm0, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm6, zmm6, 0x4e
vgf2p8mulb zmm6, zmm6, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 832], 0x96
vpternlogq zmm0, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm10, zmm5, 0x96
vpternlogq zmm0, zmm7, zmm6, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm1, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm1, zmm1, 0x4e
vgf2p8mulb zmm1, zmm1, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 832], 0x96
vpxorq zmm9, zmm9, zmm10
vpternlogq zmm1, zmm0, zmm7, 0x96
vpternlogq zmm5, zmm3, zmm11, 0x96
vpternlogq zmm1, zmm5, zmm9, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm0, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm0, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm0, zmm0, 0xb1
vgf2p8mulb zmm0, zmm0, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm11, zmm8, zmmword ptr [{rounds} + 896], 0x96
vpternlogq zmm10, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm5, zmm11, 0x96
vpternlogq zmm0, zmm7, zmm10, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm1, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm1, zmm1, 0xb1
vgf2p8mulb zmm1, zmm1, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm9, zmm8, zmmword ptr [{rounds} + 896], 0x96
vpternlogq zmm5, zmm0, zmm9, 0x96
vpxorq zmm11, zmm11, zmm3
vpternlogq zmm1, zmm7, zmm10, 0x96
vpternlogq zmm1, zmm11, zmm5, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm6, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm6, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm0, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm6, zmm6, 0x4e
vgf2p8mulb zmm6, zmm6, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 1088], 0x96
vpternlogq zmm0, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm10, zmm5, 0x96
vpternlogq zmm0, zmm7, zmm6, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm1, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm1, zmm1, 0x4e
vgf2p8mulb zmm1, zmm1, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 1088], 0x96
vpxorq zmm9, zmm9, zmm10
vpternlogq zmm1, zmm0, zmm7, 0x96
vpternlogq zmm5, zmm3, zmm11, 0x96
vpternlogq zmm1, zmm5, zmm9, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm0, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm0, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm0, zmm0, 0xb1
vgf2p8mulb zmm0, zmm0, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm11, zmm8, zmmword ptr [{rounds} + 1152], 0x96
vpternlogq zmm10, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm5, zmm11, 0x96
vpternlogq zmm0, zmm7, zmm10, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm1, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm1, zmm1, 0xb1
vgf2p8mulb zmm1, zmm1, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm9, zmm8, zmmword ptr [{rounds} + 1152], 0x96
vpternlogq zmm5, zmm0, zmm9, 0x96
vpxorq zmm11, zmm11, zmm3
vpternlogq zmm1, zmm7, zmm10, 0x96
vpternlogq zmm1, zmm11, zmm5, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm6, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm6, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm0, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm6, zmm6, 0x4e
vgf2p8mulb zmm6, zmm6, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 1344], 0x96
vpternlogq zmm0, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm10, zmm5, 0x96
vpternlogq zmm0, zmm7, zmm6, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm1, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm1, zmm1, 0x4e
vgf2p8mulb zmm1, zmm1, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmmword ptr [{rounds} + 1344], 0x96
vpxorq zmm9, zmm9, zmm10
vpternlogq zmm1, zmm0, zmm7, 0x96
vpternlogq zmm5, zmm3, zmm11, 0x96
vpternlogq zmm1, zmm5, zmm9, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm0, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm0, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm0, zmm0, 0xb1
vgf2p8mulb zmm0, zmm0, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm11, zmm8, zmmword ptr [{rounds} + 1408], 0x96
vpternlogq zmm10, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm5, zmm11, 0x96
vpternlogq zmm0, zmm7, zmm10, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpshufb zmm5, zmm3, zmmword ptr [{rotations} + 64]
vpshufb zmm1, zmm3, zmmword ptr [{rotations} + 128]
vpshufb zmm7, zmm3, zmmword ptr [{rotations} + 192]
vgf2p8mulb zmm8, zmm3, zmmword ptr [{inside}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{inside} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{inside} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{inside} + 192]
vpshufd zmm3, zmm3, 0xb1
vgf2p8mulb zmm3, zmm3, zmmword ptr [{inside} + 512]
vpshufd zmm5, zmm5, 0xb1
vgf2p8mulb zmm5, zmm5, zmmword ptr [{inside} + 576]
vpshufd zmm1, zmm1, 0xb1
vgf2p8mulb zmm1, zmm1, zmmword ptr [{inside} + 640]
vpshufd zmm7, zmm7, 0xb1
vgf2p8mulb zmm7, zmm7, zmmword ptr [{inside} + 704]
vpternlogq zmm9, zmm8, zmmword ptr [{rounds} + 1408], 0x96
vpternlogq zmm5, zmm0, zmm9, 0x96
vpxorq zmm11, zmm11, zmm3
vpternlogq zmm1, zmm7, zmm10, 0x96
vpternlogq zmm1, zmm11, zmm5, 0x96
vmovdqa64 zmm3, zmm0
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm0
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm0, zmm27, zmm0
vpternlogq zmm3, zmm0, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm6, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm6, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm0, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm6, zmm6, 0x4e
vgf2p8mulb zmm6, zmm6, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmm2, 0x96
vpternlogq zmm0, zmm9, zmm3, 0x96
vpternlogq zmm0, zmm10, zmm5, 0x96
vpternlogq zmm0, zmm7, zmm6, 0x96
vmovdqa64 zmm3, zmm1
vpermi2b zmm3, zmm28, zmm29
vmovdqa64 zmm4, zmm1
vpermi2b zmm4, zmm30, zmm31
vpshufb zmm1, zmm27, zmm1
vpternlogq zmm3, zmm1, zmm4, 0xe2
vpermq zmm5, zmm3, 0x4e
vshufi64x2 zmm1, zmm3, zmm3, 0x4e
vshufi64x2 zmm7, zmm3, zmm3, 0x1b
vgf2p8mulb zmm8, zmm3, zmmword ptr [{groups}]
vgf2p8mulb zmm9, zmm5, zmmword ptr [{groups} + 64]
vgf2p8mulb zmm10, zmm1, zmmword ptr [{groups} + 128]
vgf2p8mulb zmm11, zmm7, zmmword ptr [{groups} + 192]
vpshufd zmm3, zmm3, 0x4e
vgf2p8mulb zmm3, zmm3, zmmword ptr [{groups} + 512]
vpshufd zmm5, zmm5, 0x4e
vgf2p8mulb zmm5, zmm5, zmmword ptr [{groups} + 576]
vpshufd zmm1, zmm1, 0x4e
vgf2p8mulb zmm1, zmm1, zmmword ptr [{groups} + 640]
vpshufd zmm7, zmm7, 0x4e
vgf2p8mulb zmm7, zmm7, zmmword ptr [{groups} + 704]
vpternlogq zmm3, zmm8, zmm0, 0x96
vpternlogq zmm7, zmm9, zmm10, 0x96
vpternlogq zmm1, zmm5, zmm11, 0x96
vpternlogq zmm1, zmm7, zmm3, 0x96
vmovdqa64 zmm3, zmmword ptr [{transposed}]
vpermb zmm0, zmm3, zmm1
