#include "textflag.h"

// Four directions lie in the four lanes of a register: to the right, down-left,
// down and down-right, and their opposites. A board is two registers, each with
// one side's discs in all four lanes. Squares are pointers to their places in
// the table squares, whose layout is that of type square.
//
// Held throughout: Y12 zero, Y13 ones, Y14 twice the steps of the directions,
// Y15 the steps. Registers by depth, so that nothing has to be saved: boards in
// Y6 and Y7 (five empty squares), Y10 and Y11 (four), Y8 and Y9 (three), Y0 and
// Y1 (two); Y2 to Y5 are scratch. R13 counts the nodes, R12 is the table closing.

#define rising(S) (S)
#define falling(S) 32(S)
#define bit(S) 64(S)
#define slope0(S) 72(S)
#define slope1(S) 80(S)
#define row(S) 88(S)
#define col(S) 96(S)
#define rowAt(S) 104(S)
#define colAt(S) 112(S)
#define quarter(S) 120(S)

DATA steps<>+0(SB)/8, $1
DATA steps<>+8(SB)/8, $7
DATA steps<>+16(SB)/8, $8
DATA steps<>+24(SB)/8, $9
GLOBL steps<>(SB), RODATA, $32

// inside holds, by direction, the squares from which a step does not wrap.
DATA inside<>+0(SB)/8, $0x7E7E7E7E7E7E7E7E
DATA inside<>+8(SB)/8, $0x7E7E7E7E7E7E7E7E
DATA inside<>+16(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA inside<>+24(SB)/8, $0x7E7E7E7E7E7E7E7E
GLOBL inside<>(SB), RODATA, $32

DATA leftSide<>(SB)/8, $0x0101010101010101
GLOBL leftSide<>(SB), RODATA, $8
DATA gather<>(SB)/8, $0x0102040810204080
GLOBL gather<>(SB), RODATA, $8

#define PREPARE \
	VPXOR Y12, Y12, Y12; \
	VPCMPEQQ Y13, Y13, Y13; \
	VMOVDQU steps<>(SB), Y15; \
	VPADDQ Y15, Y15, Y14

// SPREAD puts the union of the lanes of Y2 into all of them.
#define SPREAD \
	VPERMQ $0x4E, Y2, Y3; \
	VPOR Y3, Y2, Y2; \
	VPSHUFD $0x4E, Y2, Y3; \
	VPOR Y3, Y2, Y2

// FLIP leaves in Y2 what a disc of P on the square S turns over of O. Along a
// rising ray the lowest square that O does not hold decides; along a falling one
// it is the square that lies in the shadow of no other such square.
#define FLIP(P, O, S) \
	VPANDN rising(S), O, Y2; \
	VPANDN falling(S), O, Y3; \
	VPSUBQ Y2, Y12, Y4; \
	VPSRLVQ Y15, Y3, Y3; \
	VPAND Y4, Y2, Y2; \
	VPSRLVQ Y15, Y3, Y5; \
	VPAND P, Y2, Y2; \
	VPOR Y5, Y3, Y3; \
	VPCMPEQQ Y12, Y2, Y4; \
	VPSRLVQ Y14, Y3, Y5; \
	VPADDQ Y13, Y2, Y2; \
	VPOR Y5, Y3, Y3; \
	VPANDN Y2, Y4, Y2; \
	VPSRLVQ Y14, Y3, Y5; \
	VPAND rising(S), Y2, Y2; \
	VPOR Y5, Y3, Y3; \
	VPAND falling(S), P, Y5; \
	VPANDN Y5, Y3, Y3; \
	VPADDQ Y3, Y3, Y3; \
	VPSUBQ Y3, Y12, Y3; \
	VPAND falling(S), Y3, Y3; \
	VPOR Y3, Y2, Y2; \
	SPREAD

// PLAY makes the board X, Y of P, O after the move on S that turns over Y2.
#define PLAY(P, O, S, X, Y) \
	VPBROADCASTQ bit(S), Y3; \
	VPXOR Y2, O, X; \
	VPXOR Y2, P, Y; \
	VPOR Y3, Y, Y

// CLOSED leaves in N what a disc on S, the last empty square, turns over. It
// uses CX and SI.
#define CLOSED(OWN, S, N) \
	MOVQ row(S), CX; \
	SHRXQ CX, OWN, CX; \
	MOVBLZX CX, CX; \
	ADDQ rowAt(S), CX; \
	MOVBLZX (R12)(CX*1), N; \
	MOVQ col(S), CX; \
	SHRXQ CX, OWN, CX; \
	ANDQ leftSide<>(SB), CX; \
	IMULQ gather<>(SB), CX; \
	SHRQ $56, CX; \
	ADDQ colAt(S), CX; \
	MOVBLZX (R12)(CX*1), SI; \
	ADDQ SI, N; \
	MOVQ slope0(S), CX; \
	ANDQ OWN, CX; \
	IMULQ leftSide<>(SB), CX; \
	SHRQ $56, CX; \
	ADDQ rowAt(S), CX; \
	MOVBLZX (R12)(CX*1), SI; \
	ADDQ SI, N; \
	MOVQ slope1(S), CX; \
	ANDQ OWN, CX; \
	IMULQ leftSide<>(SB), CX; \
	SHRQ $56, CX; \
	ADDQ rowAt(S), CX; \
	MOVBLZX (R12)(CX*1), SI; \
	ADDQ SI, N

// one: AX are the discs of the side to move, BX the empty square, DI alpha of the
// other side. AX becomes the value for that other side.
TEXT one<>(SB), NOSPLIT|NOFRAME, $0
	POPCNTQ AX, R11
	ADDQ R11, R11
	CLOSED(AX, BX, R15)
	TESTQ R15, R15
	JZ   cannot
	ADDQ R15, R15
	ADDQ R11, R15
	MOVQ $62, AX
	SUBQ R15, AX
	RET

cannot:
	MOVQ $62, DX
	SUBQ R11, DX
	CMPQ DX, DI
	JGT  enough
	ORQ  bit(BX), AX
	NOTQ AX
	CLOSED(AX, BX, R15)
	TESTQ R15, R15
	JZ   ended
	LEAQ 2(DX)(R15*2), AX
	RET

ended:
	// Nobody moves: the empty square belongs to the winner.
	LEAQ 2(DX), AX
	CMPQ R11, $62
	CMOVQGT DX, AX
	RET

enough:
	MOVQ DX, AX
	RET

// two: the board in Y0, Y1, the squares R8 and R9, alpha in DI, the value in AX.
// It keeps neither DI nor R10.
TEXT two<>(SB), NOSPLIT, $8
	INCQ R13
	XORL R10, R10

again:
	MOVQ $-65, 0(SP)
	FLIP(Y0, Y1, R8)
	VPTEST Y2, Y2
	JZ   second
	VPXOR Y2, Y1, Y3
	VMOVQ X3, AX
	MOVQ R9, BX
	CALL one<>(SB)
	CMPQ AX, DI
	JGT  done
	MOVQ AX, 0(SP)

second:
	FLIP(Y0, Y1, R9)
	VPTEST Y2, Y2
	JZ   none
	VPXOR Y2, Y1, Y3
	VMOVQ X3, AX
	MOVQ R8, BX
	CALL one<>(SB)
	MOVQ 0(SP), DX
	CMPQ DX, AX
	CMOVQGT DX, AX
	JMP  done

none:
	MOVQ 0(SP), AX
	CMPQ AX, $-65
	JNE  done
	TESTL R10, R10
	JNZ  over
	INCL R10
	NOTQ DI
	VMOVDQA Y0, Y2
	VMOVDQA Y1, Y0
	VMOVDQA Y2, Y1
	JMP  again

over:
	VMOVQ X0, AX
	POPCNTQ AX, AX
	LEAQ -62(AX)(AX*1), AX
	LEAQ 2(AX), CX
	LEAQ -2(AX), DX
	CMPQ AX, $0
	CMOVQGT CX, AX
	CMOVQLT DX, AX

done:
	TESTL R10, R10
	JZ   same
	NEGQ AX

same:
	RET

// three: the board in Y8, Y9, the squares R8, R9 and R10 in their order, alpha in
// DI, the value in AX.
TEXT three<>(SB), NOSPLIT, $48
	INCQ R13
	MOVQ R8, 0(SP)
	MOVQ R9, 8(SP)
	MOVQ R10, 16(SP)
	MOVQ DI, 24(SP)
	MOVQ $-65, 32(SP)
	MOVQ $0, 40(SP)

again:
	FLIP(Y8, Y9, R8)
	VPTEST Y2, Y2
	JZ   second
	PLAY(Y8, Y9, R8, Y0, Y1)
	MOVQ R9, R8
	MOVQ R10, R9
	NOTQ DI
	CALL two<>(SB)
	NEGQ AX
	MOVQ 24(SP), DI
	CMPQ AX, DI
	JGT  done
	MOVQ AX, 32(SP)

second:
	MOVQ 8(SP), R9
	FLIP(Y8, Y9, R9)
	VPTEST Y2, Y2
	JZ   third
	PLAY(Y8, Y9, R9, Y0, Y1)
	MOVQ 0(SP), R8
	MOVQ 16(SP), R9
	NOTQ DI
	CALL two<>(SB)
	NEGQ AX
	MOVQ 24(SP), DI
	CMPQ AX, DI
	JGT  done
	MOVQ 32(SP), CX
	CMPQ CX, AX
	CMOVQGT CX, AX
	MOVQ AX, 32(SP)

third:
	MOVQ 16(SP), R10
	FLIP(Y8, Y9, R10)
	VPTEST Y2, Y2
	JZ   none
	PLAY(Y8, Y9, R10, Y0, Y1)
	MOVQ 0(SP), R8
	MOVQ 8(SP), R9
	NOTQ DI
	CALL two<>(SB)
	NEGQ AX
	MOVQ 32(SP), CX
	CMPQ CX, AX
	CMOVQGT CX, AX
	JMP  done

none:
	MOVQ 32(SP), AX
	CMPQ AX, $-65
	JNE  done
	CMPQ 40(SP), $0
	JNE  over
	MOVQ $1, 40(SP)
	INCQ R13
	NOTQ DI
	MOVQ DI, 24(SP)
	MOVQ 0(SP), R8
	MOVQ 8(SP), R9
	VMOVDQA Y8, Y2
	VMOVDQA Y9, Y8
	VMOVDQA Y2, Y9
	JMP  again

over:
	// What was counted for the pass was no node.
	DECQ R13
	VMOVQ X8, AX
	POPCNTQ AX, AX
	LEAQ -61(AX)(AX*1), AX
	LEAQ 3(AX), CX
	LEAQ -3(AX), DX
	CMPQ AX, $0
	CMOVQGT CX, AX
	CMOVQLT DX, AX

done:
	CMPQ 40(SP), $0
	JE   same
	NEGQ AX

same:
	RET

// four: the board in Y10, Y11, the empty squares in BX, the odd quarters in CX,
// alpha in DI, the value in AX.
TEXT four<>(SB), NOSPLIT, $64
	INCQ R13
	MOVQ $0, 16(SP)

again:
	MOVQ DI, 0(SP)
	MOVQ $-65, 8(SP)
	MOVQ BX, 24(SP)
	MOVQ CX, 32(SP)
	LEAQ ·quarters(SB), SI
	MOVQ (SI)(CX*8), DX
	ANDNQ BX, DX, R9 // those in even quarters
	ANDQ BX, DX
	JZ   even

next:
	TZCNTQ DX, R8
	BLSRQ DX, DX
	SHLQ $7, R8
	LEAQ ·squares(SB), SI
	ADDQ SI, R8
	FLIP(Y10, Y11, R8)
	VPTEST Y2, Y2
	JZ   tried
	MOVQ DX, 40(SP)
	MOVQ R9, 48(SP)
	PLAY(Y10, Y11, R8, Y8, Y9)
	MOVQ 24(SP), AX
	XORQ bit(R8), AX   // the other three
	MOVQ 32(SP), CX
	XORQ quarter(R8), CX
	LEAQ ·quarters(SB), R9
	MOVQ (R9)(CX*8), CX
	ANDQ AX, CX
	BLSIQ CX, CX       // one in an odd quarter comes first
	XORQ CX, AX
	TZCNTQ CX, R8
	TZCNTQ AX, R9
	BSRQ AX, R10
	SHLQ $7, R8
	SHLQ $7, R9
	SHLQ $7, R10
	ADDQ SI, R8
	ADDQ SI, R9
	ADDQ SI, R10
	MOVQ 0(SP), DI
	NOTQ DI
	CALL three<>(SB)
	NEGQ AX
	MOVQ 40(SP), DX
	MOVQ 48(SP), R9
	CMPQ AX, 0(SP)
	JGT  done
	MOVQ 8(SP), CX
	CMPQ AX, CX
	CMOVQLT CX, AX
	MOVQ AX, 8(SP)

tried:
	TESTQ DX, DX
	JNZ  next

even:
	MOVQ R9, DX
	XORL R9, R9
	TESTQ DX, DX
	JNZ  next
	MOVQ 8(SP), AX
	CMPQ AX, $-65
	JNE  done
	CMPQ 16(SP), $0
	JNE  over
	MOVQ $1, 16(SP)
	INCQ R13
	MOVQ 0(SP), DI
	NOTQ DI
	MOVQ 24(SP), BX
	MOVQ 32(SP), CX
	VMOVDQA Y10, Y2
	VMOVDQA Y11, Y10
	VMOVDQA Y2, Y11
	JMP  again

over:
	DECQ R13
	VMOVQ X10, AX
	POPCNTQ AX, AX
	LEAQ -60(AX)(AX*1), AX
	LEAQ 4(AX), CX
	LEAQ -4(AX), DX
	CMPQ AX, $0
	CMOVQGT CX, AX
	CMOVQLT DX, AX

done:
	CMPQ 16(SP), $0
	JE   same
	NEGQ AX

same:
	RET

// func fiveLanes(own, opp uint64, alpha int, moves, odd uint64) (value int, nodes int64)
TEXT ·fiveLanes(SB), NOSPLIT, $32-56
	PREPARE
	LEAQ ·closing(SB), R12
	XORL R13, R13
	VPBROADCASTQ own+0(FP), Y6
	VPBROADCASTQ opp+8(FP), Y7
	MOVQ $-65, 0(SP)
	MOVQ odd+32(FP), CX
	MOVQ moves+24(FP), BX
	LEAQ ·quarters(SB), SI
	MOVQ (SI)(CX*8), DX
	ANDNQ BX, DX, R9
	ANDQ BX, DX
	JZ   even

next:
	TZCNTQ DX, R8
	BLSRQ DX, DX
	SHLQ $7, R8
	LEAQ ·squares(SB), SI
	ADDQ SI, R8
	FLIP(Y6, Y7, R8)
	MOVQ DX, 8(SP)
	MOVQ R9, 16(SP)
	PLAY(Y6, Y7, R8, Y10, Y11)
	MOVQ own+0(FP), BX
	ORQ  opp+8(FP), BX
	NOTQ BX
	XORQ bit(R8), BX
	MOVQ odd+32(FP), CX
	XORQ quarter(R8), CX
	MOVQ alpha+16(FP), DI
	NOTQ DI
	CALL four<>(SB)
	NEGQ AX
	CMPQ AX, alpha+16(FP)
	JGT  done
	MOVQ 0(SP), CX
	CMPQ AX, CX
	CMOVQLT CX, AX
	MOVQ AX, 0(SP)
	MOVQ 8(SP), DX
	MOVQ 16(SP), R9
	TESTQ DX, DX
	JNZ  next

even:
	MOVQ R9, DX
	XORL R9, R9
	TESTQ DX, DX
	JNZ  next
	MOVQ 0(SP), AX

done:
	MOVQ AX, value+40(FP)
	MOVQ R13, nodes+48(FP)
	VZEROUPPER
	RET

// func expandLanes(c *children, own, opp, moves uint64) (wiped bool)
TEXT ·expandLanes(SB), NOSPLIT, $0-33
	PREPARE
	VMOVDQU inside<>(SB), Y11
	MOVQ c+0(FP), DI
	VPBROADCASTQ own+8(FP), Y8
	VPBROADCASTQ opp+16(FP), Y9
	MOVQ moves+24(FP), DX
	LEAQ ·squares(SB), SI
	XORL R9, R9
	LEAQ 8(DI), R10

next:
	TZCNTQ DX, AX
	BLSRQ DX, DX
	MOVB AX, 28(R10)
	SHLQ $7, AX
	LEAQ (SI)(AX*1), R8
	FLIP(Y8, Y9, R8)
	PLAY(Y8, Y9, R8, Y0, Y1)
	VMOVQ X0, 0(R10)
	VMOVQ X1, 8(R10)
	VPTEST Y0, Y0
	JZ   wiped

	// The opponent's moves: runs of Y1 that begin next to Y0, in doubling steps.
	VPAND Y11, Y1, Y2
	VPSLLVQ Y15, Y0, Y3
	VPSRLVQ Y15, Y0, Y4
	VPAND Y2, Y3, Y3
	VPAND Y2, Y4, Y4
	VPSLLVQ Y15, Y2, Y7
	VPSLLVQ Y15, Y3, Y5
	VPSRLVQ Y15, Y4, Y6
	VPAND Y2, Y7, Y7
	VPAND Y2, Y5, Y5
	VPAND Y2, Y6, Y6
	VPSRLVQ Y15, Y7, Y2
	VPOR Y5, Y3, Y3
	VPOR Y6, Y4, Y4
	VPSLLVQ Y14, Y3, Y5
	VPSRLVQ Y14, Y4, Y6
	VPAND Y7, Y5, Y5
	VPAND Y2, Y6, Y6
	VPOR Y5, Y3, Y3
	VPOR Y6, Y4, Y4
	VPSLLVQ Y14, Y3, Y5
	VPSRLVQ Y14, Y4, Y6
	VPAND Y7, Y5, Y5
	VPAND Y2, Y6, Y6
	VPOR Y5, Y3, Y3
	VPOR Y6, Y4, Y4
	VPSLLVQ Y15, Y3, Y3
	VPSRLVQ Y15, Y4, Y4
	VPOR Y4, Y3, Y2
	VPOR X1, X0, X0
	VEXTRACTI128 $1, Y2, X3
	VPOR X3, X2, X2
	VPSHUFD $0x4E, X2, X3
	VPOR X3, X2, X2
	VPANDN X2, X0, X2
	VMOVQ X2, 16(R10)
	INCQ R9
	ADDQ $32, R10
	TESTQ DX, DX
	JNZ  next
	MOVQ R9, 0(DI)
	MOVB $0, wiped+32(FP)
	VZEROUPPER
	RET

wiped:
	MOVQ R9, 0(DI)
	MOVB $1, wiped+32(FP)
	VZEROUPPER
	RET
