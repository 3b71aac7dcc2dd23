#include "textflag.h"

// What the assembler of Golang has no names for, by the encodings of the architecture:
// d is the register that is written, n and m are read.

// d += n * one of m, four sums of the lower half of n (SMLAL) or of the upper one
// (SMLAL2). The number of the one is 4h+2l+k.
#define SMLAL(d, n, m, h, l, k) WORD $(0x0F402000 | (h)<<11 | (l)<<21 | (k)<<20 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2(d, n, m, h, l, k) WORD $(0x4F402000 | (h)<<11 | (l)<<21 | (k)<<20 | (m)<<16 | (n)<<5 | (d))

// Four numbers at a time: whole ones made of 32 bits made floating (SCVTF), multiplied,
// added, compared, rounded to the nearest, halves to even (FCVTNS).
#define SCVTF(d, n) WORD $(0x4E21D800 | (n)<<5 | (d))
#define FMUL(d, n, m) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FADD(d, n, m) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FMAX(d, n, m) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))
#define FMIN(d, n, m) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))
#define FCVTNS(d, n) WORD $(0x4E21A800 | (n)<<5 | (d))

// 16 bits made of 32 (XTN, XTN2 into the upper half), and 32 made of 16 with their sign
// (SXTL, SXTL2 of the upper half).
#define XTN(d, n) WORD $(0x0E612800 | (n)<<5 | (d))
#define XTN2(d, n) WORD $(0x4E612800 | (n)<<5 | (d))
#define SXTL(d, n) WORD $(0x0F10A400 | (n)<<5 | (d))
#define SXTL2(d, n) WORD $(0x4F10A400 | (n)<<5 | (d))

// Adds one input of a point, number 4h+2l+k of m, times the weights of sixteen outputs
// in a and b to the sums c, d, e, f of the point.
#define INPUT(c, d, e, f, a, b, m, h, l, k) \
	SMLAL(c, a, m, h, l, k) \
	SMLAL2(d, a, m, h, l, k) \
	SMLAL(e, b, m, h, l, k) \
	SMLAL2(f, b, m, h, l, k)

// Adds a pair of inputs, numbers 4h+2l and 4h+2l+1, of all four points.
#define PAIR(h, l) \
	VLD2.P 32(R2), [V0.H8, V1.H8] \
	VLD2.P 32(R2), [V2.H8, V3.H8] \
	INPUT(16, 17, 18, 19, 0, 2, 4, h, l, 0) \
	INPUT(20, 21, 22, 23, 0, 2, 5, h, l, 0) \
	INPUT(24, 25, 26, 27, 0, 2, 6, h, l, 0) \
	INPUT(28, 29, 30, 31, 0, 2, 7, h, l, 0) \
	INPUT(16, 17, 18, 19, 1, 3, 4, h, l, 1) \
	INPUT(20, 21, 22, 23, 1, 3, 5, h, l, 1) \
	INPUT(24, 25, 26, 27, 1, 3, 6, h, l, 1) \
	INPUT(28, 29, 30, 31, 1, 3, 7, h, l, 1)

// Sums of four points and sixteen outputs, in V16-V31. Four pairs of inputs of each
// point are loaded at once: there are always a multiple of eight.

// func conv4x16(sums *int32, in, weights *int16, bias *int32, pairs, rows, stride, point, sum uintptr)
TEXT ·conv4x16(SB), NOSPLIT, $0-72
	MOVD sums+0(FP), R0
	MOVD in+8(FP), R1
	MOVD weights+16(FP), R2
	MOVD bias+24(FP), R3
	MOVD pairs+32(FP), R4
	MOVD rows+40(FP), R5
	MOVD stride+48(FP), R6
	MOVD point+56(FP), R7
	MOVD sum+64(FP), R8
	VLD1 (R3), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1 (R3), [V20.S4, V21.S4, V22.S4, V23.S4]
	VLD1 (R3), [V24.S4, V25.S4, V26.S4, V27.S4]
	VLD1 (R3), [V28.S4, V29.S4, V30.S4, V31.S4]

row:
	MOVD R1, R9
	ADD  R7, R9, R10
	ADD  R7, R10, R11
	ADD  R7, R11, R12
	MOVD R4, R13

pairs:
	VLD1.P 16(R9), [V4.H8]
	VLD1.P 16(R10), [V5.H8]
	VLD1.P 16(R11), [V6.H8]
	VLD1.P 16(R12), [V7.H8]
	PAIR(0, 0)
	PAIR(0, 1)
	PAIR(1, 0)
	PAIR(1, 1)
	SUBS $4, R13, R13
	BNE  pairs
	ADD  R6, R1, R1
	SUBS $1, R5, R5
	BNE  row

	VST1 [V16.S4, V17.S4, V18.S4, V19.S4], (R0)
	ADD  R8, R0, R0
	VST1 [V20.S4, V21.S4, V22.S4, V23.S4], (R0)
	ADD  R8, R0, R0
	VST1 [V24.S4, V25.S4, V26.S4, V27.S4], (R0)
	ADD  R8, R0, R0
	VST1 [V28.S4, V29.S4, V30.S4, V31.S4], (R0)
	RET

// Sums times their scale, plus what skips the convolution times its own, rounded and
// held between 0 and top, sixteen at a time.

// func settle16(to *int16, sums *int32, scale *float32, skip *int16, skipScale float32, top int32, points, channels uintptr)
TEXT ·settle16(SB), NOSPLIT, $0-56
	MOVD  to+0(FP), R0
	MOVD  sums+8(FP), R1
	MOVD  scale+16(FP), R2
	MOVD  skip+24(FP), R3
	MOVWU skipScale+32(FP), R4
	VDUP  R4, V28.S4
	MOVWU top+36(FP), R4
	VDUP  R4, V29.S4
	SCVTF(29, 29)
	VEOR  V30.B16, V30.B16, V30.B16
	MOVD  points+40(FP), R5
	MOVD  channels+48(FP), R6

point:
	MOVD R2, R7
	MOVD R6, R8

channel:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1.P 64(R7), [V4.S4, V5.S4, V6.S4, V7.S4]
	SCVTF(0, 0)
	SCVTF(1, 1)
	SCVTF(2, 2)
	SCVTF(3, 3)
	FMUL(0, 0, 4)
	FMUL(1, 1, 5)
	FMUL(2, 2, 6)
	FMUL(3, 3, 7)
	CBZ  R3, noskip
	VLD1.P 32(R3), [V16.H8, V17.H8]
	SXTL(20, 16)
	SXTL2(21, 16)
	SXTL(22, 17)
	SXTL2(23, 17)
	SCVTF(20, 20)
	SCVTF(21, 21)
	SCVTF(22, 22)
	SCVTF(23, 23)
	FMUL(20, 20, 28)
	FMUL(21, 21, 28)
	FMUL(22, 22, 28)
	FMUL(23, 23, 28)
	FADD(0, 0, 20)
	FADD(1, 1, 21)
	FADD(2, 2, 22)
	FADD(3, 3, 23)

noskip:
	FMAX(0, 0, 30)
	FMAX(1, 1, 30)
	FMAX(2, 2, 30)
	FMAX(3, 3, 30)
	FMIN(0, 0, 29)
	FMIN(1, 1, 29)
	FMIN(2, 2, 29)
	FMIN(3, 3, 29)
	FCVTNS(0, 0)
	FCVTNS(1, 1)
	FCVTNS(2, 2)
	FCVTNS(3, 3)
	XTN(8, 0)
	XTN2(8, 1)
	XTN(9, 2)
	XTN2(9, 3)
	VST1.P [V8.H8, V9.H8], 32(R0)
	SUBS $16, R8, R8
	BNE  channel
	SUBS $1, R5, R5
	BNE  point
	RET
