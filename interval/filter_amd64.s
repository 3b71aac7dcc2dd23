#include "textflag.h"

// func filterAVX2(base *byte, offs *int32, a, b, m int) uint64
//
// 64 lanes at once, in two registers each: Y0 Y1 the latest arrival of the
// first side, Y2 Y3 of the second, Y4 Y5 the earliest arrival at points that
// must be empty, less one, so that the byte of points that change more than
// once wraps round to the largest and lets everything through.
TEXT ·filterAVX2(SB), NOSPLIT, $0-48
	MOVQ base+0(FP), SI
	MOVQ offs+8(FP), DI
	MOVQ a+16(FP), AX
	MOVQ b+24(FP), BX
	MOVQ m+32(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPCMPEQB Y4, Y4, Y4
	VPCMPEQB Y5, Y5, Y5
	VPCMPEQB Y6, Y6, Y6

first:
	TESTQ AX, AX
	JZ    second
	MOVLQSX (DI), DX
	VPMAXUB (SI)(DX*1), Y0, Y0
	VPMAXUB 32(SI)(DX*1), Y1, Y1
	ADDQ $4, DI
	DECQ AX
	JMP  first

second:
	TESTQ BX, BX
	JZ    empty
	MOVLQSX (DI), DX
	VPMAXUB (SI)(DX*1), Y2, Y2
	VPMAXUB 32(SI)(DX*1), Y3, Y3
	ADDQ $4, DI
	DECQ BX
	JMP  second

empty:
	TESTQ CX, CX
	JZ    compare
	MOVLQSX (DI), DX
	VPADDB (SI)(DX*1), Y6, Y7
	VPADDB 32(SI)(DX*1), Y6, Y8
	VPMINUB Y7, Y4, Y4
	VPMINUB Y8, Y5, Y5
	ADDQ $4, DI
	DECQ CX
	JMP  empty

compare:
	// max(first-1, second) <= earliest-1
	VPABSB Y6, Y6
	VPSUBUSB Y6, Y0, Y0
	VPSUBUSB Y6, Y1, Y1
	VPMAXUB Y2, Y0, Y0
	VPMAXUB Y3, Y1, Y1
	VPMAXUB Y4, Y0, Y0
	VPMAXUB Y5, Y1, Y1
	VPCMPEQB Y4, Y0, Y0
	VPCMPEQB Y5, Y1, Y1
	VPMOVMSKB Y0, AX
	VPMOVMSKB Y1, BX
	VZEROUPPER
	SHLQ $32, BX
	ORQ  BX, AX
	MOVQ AX, ret+40(FP)
	RET
