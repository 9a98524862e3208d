# Magma, rounds of twelve groups under one key, gfni512.
#
# {keys}     the words of the keys
# {forth}    rounds until the words come in reverse
# {n}        rounds
# {round}    0; changed
# {word} {i} changed
# {rest}     halves of the groups beyond twelve; changed
# zmm0       N1 of the first twelve groups, to zmm11; changed
# zmm12      N2, to zmm23; changed
# zmm24      the S-boxes: `ZmmTables`, to zmm27
# changes    zmm28 to zmm31
# used by    crates/core/src/magma/gfni512/rounds_x12.rs
# checked by cargo test -p bulat --test magma_kernels
# written by cargo run -p asmgen; a template of asm!, operands in braces
.p2align 6
2:
cmp {round}, {forth}
sbb {word:e}, {word:e}
not {word:e}
xor {word:e}, {round:e}
and {word:e}, 7
mov {i:e}, {word:e}
vprold zmm28, zmm0, 11
vprold zmm30, zmm1, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm12, zmm28, zmm29, 0x96
vpternlogd zmm13, zmm30, zmm31, 0x96
vprold zmm28, zmm2, 11
vprold zmm30, zmm3, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm14, zmm28, zmm29, 0x96
vpternlogd zmm15, zmm30, zmm31, 0x96
vprold zmm28, zmm4, 11
vprold zmm30, zmm5, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm16, zmm28, zmm29, 0x96
vpternlogd zmm17, zmm30, zmm31, 0x96
vprold zmm28, zmm6, 11
vprold zmm30, zmm7, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm18, zmm28, zmm29, 0x96
vpternlogd zmm19, zmm30, zmm31, 0x96
vprold zmm28, zmm8, 11
vprold zmm30, zmm9, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm20, zmm28, zmm29, 0x96
vpternlogd zmm21, zmm30, zmm31, 0x96
vprold zmm28, zmm10, 11
vprold zmm30, zmm11, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm22, zmm28, zmm29, 0x96
vpternlogd zmm23, zmm30, zmm31, 0x96
mov {i:e}, {word:e}
xor {i:e}, 1
vprold zmm28, zmm12, 11
vprold zmm30, zmm13, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm0, zmm28, zmm29, 0x96
vpternlogd zmm1, zmm30, zmm31, 0x96
vprold zmm28, zmm14, 11
vprold zmm30, zmm15, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm2, zmm28, zmm29, 0x96
vpternlogd zmm3, zmm30, zmm31, 0x96
vprold zmm28, zmm16, 11
vprold zmm30, zmm17, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm4, zmm28, zmm29, 0x96
vpternlogd zmm5, zmm30, zmm31, 0x96
vprold zmm28, zmm18, 11
vprold zmm30, zmm19, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm6, zmm28, zmm29, 0x96
vpternlogd zmm7, zmm30, zmm31, 0x96
vprold zmm28, zmm20, 11
vprold zmm30, zmm21, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm8, zmm28, zmm29, 0x96
vpternlogd zmm9, zmm30, zmm31, 0x96
vprold zmm28, zmm22, 11
vprold zmm30, zmm23, 11
vpaddd zmm28, zmm28, dword ptr [{keys} + 4*{i}]{{1to16}}
vpaddd zmm30, zmm30, dword ptr [{keys} + 4*{i}]{{1to16}}
vpsrld zmm29, zmm28, 4
vpsrld zmm31, zmm30, 4
vpternlogd zmm28, zmm26, zmm27, 0xea
vpternlogd zmm30, zmm26, zmm27, 0xea
vpternlogd zmm29, zmm26, zmm27, 0xea
vpternlogd zmm31, zmm26, zmm27, 0xea
vpermb zmm28, zmm28, zmm24
vpermb zmm30, zmm30, zmm24
vpermb zmm29, zmm29, zmm25
vpermb zmm31, zmm31, zmm25
vpternlogd zmm10, zmm28, zmm29, 0x96
vpternlogd zmm11, zmm30, zmm31, 0x96
add {round}, 2
cmp {round}, {n}
jne 2b
