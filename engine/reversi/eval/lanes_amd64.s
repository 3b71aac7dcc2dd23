#include "textflag.h"

// func moveLanes(f, from *Features, lay *layout, square int, flips uint64)
//
// Fifteen words are four registers, the last of which overlaps the one before.
TEXT ·moveLanes(SB), NOSPLIT, $0-40
	MOVQ f+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ lay+16(FP), R8
	MOVQ square+24(FP), AX
	MOVQ flips+32(FP), DX
	IMUL3Q $120, AX, AX
	ADDQ R8, AX
	VMOVDQU (AX), Y0
	VMOVDQU 32(AX), Y1
	VMOVDQU 64(AX), Y2
	VMOVDQU 88(AX), Y3
	ADDQ $7680, R8 // lay.twice
	TESTQ DX, DX
	JZ   turned

next:
	TZCNTQ DX, AX
	BLSRQ DX, DX
	IMUL3Q $120, AX, AX
	ADDQ R8, AX
	VPADDQ (AX), Y0, Y0
	VPADDQ 32(AX), Y1, Y1
	VPADDQ 64(AX), Y2, Y2
	VPADDQ 88(AX), Y3, Y3
	TESTQ DX, DX
	JNZ  next

turned:
	VMOVDQU (SI), Y4
	VMOVDQU 32(SI), Y5
	VMOVDQU 64(SI), Y6
	VMOVDQU 88(SI), Y7
	MOVBLZX 120(SI), AX
	TESTL AX, AX
	JNZ  other
	VPADDQ Y0, Y4, Y4
	VPADDQ Y1, Y5, Y5
	VPADDQ Y2, Y6, Y6
	VPADDQ Y3, Y7, Y7
	JMP  done

other:
	VPSUBQ Y0, Y4, Y4
	VPSUBQ Y1, Y5, Y5
	VPSUBQ Y2, Y6, Y6
	VPSUBQ Y3, Y7, Y7

done:
	VMOVDQU Y4, (DI)
	VMOVDQU Y5, 32(DI)
	VMOVDQU Y6, 64(DI)
	VMOVDQU Y7, 88(DI)
	XORL $1, AX
	MOVB AX, 120(DI)
	VZEROUPPER
	RET
