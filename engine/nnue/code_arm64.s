#include "textflag.h"

// What the assembler of Golang has no names for, by the encodings of the architecture:
// d is the register that is written, n and m are read. Eight numbers of 16 bits are
// compared (SMAX, SMIN) or multiplied (MUL).
#define SMAX(d, n, m) WORD $(0x4E606400 | (m)<<16 | (n)<<5 | (d))
#define SMIN(d, n, m) WORD $(0x4E606C00 | (m)<<16 | (n)<<5 | (d))
#define MUL(d, n, m) WORD $(0x4E609C00 | (m)<<16 | (n)<<5 | (d))

// d += n * m, four sums of 32 bits of the lower halves (SMLAL) or of the upper ones
// (SMLAL2); and the sum of such four (ADDV).
#define SMLAL(d, n, m) WORD $(0x0E608000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2(d, n, m) WORD $(0x4E608000 | (m)<<16 | (n)<<5 | (d))
#define ADDV(d, n) WORD $(0x4EB1B800 | (n)<<5 | (d))

// Sums are 256 lanes of 16 bits: 512 bytes, thirty-two registers, four at a time.

// func addLanes(s, row *Sums)
TEXT ·addLanes(SB), NOSPLIT, $0-16
	MOVD s+0(FP), R0
	MOVD row+8(FP), R1
	MOVD $8, R5

add:
	VLD1   (R0), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1.P 64(R1), [V4.H8, V5.H8, V6.H8, V7.H8]
	VADD   V4.H8, V0.H8, V0.H8
	VADD   V5.H8, V1.H8, V1.H8
	VADD   V6.H8, V2.H8, V2.H8
	VADD   V7.H8, V3.H8, V3.H8
	VST1.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(R0)
	SUBS   $1, R5, R5
	BNE    add
	RET

// func shiftLanes(dst, src, more, less *Sums)
TEXT ·shiftLanes(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD more+16(FP), R2
	MOVD less+24(FP), R3
	MOVD $8, R5

shift:
	VLD1.P 64(R1), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1.P 64(R2), [V4.H8, V5.H8, V6.H8, V7.H8]
	VLD1.P 64(R3), [V16.H8, V17.H8, V18.H8, V19.H8]
	VADD   V4.H8, V0.H8, V0.H8
	VADD   V5.H8, V1.H8, V1.H8
	VADD   V6.H8, V2.H8, V2.H8
	VADD   V7.H8, V3.H8, V3.H8
	VSUB   V16.H8, V0.H8, V0.H8
	VSUB   V17.H8, V1.H8, V1.H8
	VSUB   V18.H8, V2.H8, V2.H8
	VSUB   V19.H8, V3.H8, V3.H8
	VST1.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(R0)
	SUBS   $1, R5, R5
	BNE    shift
	RET

// func takeLanes(dst, src, more, less, gone *Sums)
TEXT ·takeLanes(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD more+16(FP), R2
	MOVD less+24(FP), R3
	MOVD gone+32(FP), R4
	MOVD $8, R5

take:
	VLD1.P 64(R1), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1.P 64(R2), [V4.H8, V5.H8, V6.H8, V7.H8]
	VLD1.P 64(R3), [V16.H8, V17.H8, V18.H8, V19.H8]
	VLD1.P 64(R4), [V20.H8, V21.H8, V22.H8, V23.H8]
	VADD   V4.H8, V0.H8, V0.H8
	VADD   V5.H8, V1.H8, V1.H8
	VADD   V6.H8, V2.H8, V2.H8
	VADD   V7.H8, V3.H8, V3.H8
	VSUB   V16.H8, V0.H8, V0.H8
	VSUB   V17.H8, V1.H8, V1.H8
	VSUB   V18.H8, V2.H8, V2.H8
	VSUB   V19.H8, V3.H8, V3.H8
	VSUB   V20.H8, V0.H8, V0.H8
	VSUB   V21.H8, V1.H8, V1.H8
	VSUB   V22.H8, V2.H8, V2.H8
	VSUB   V23.H8, V3.H8, V3.H8
	VST1.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(R0)
	SUBS   $1, R5, R5
	BNE    take
	RET

// Cuts the sums of a register off at nothing and at one, multiplies them by the weights
// of another one, and adds the products times the sums up, lower and upper halves apart.
#define SQUARE(v, w, t, lo, hi) \
	SMAX(v, v, 30) \
	SMIN(v, v, 31) \
	MUL(t, v, w) \
	SMLAL(lo, t, v) \
	SMLAL2(hi, t, v)

// A sum v between 0 and 255 times a weight of 8 bits fits 16 bits; that times v is added
// up in 32.

// func dotLanes(s, w *Sums) int32
TEXT ·dotLanes(SB), NOSPLIT, $0-20
	MOVD s+0(FP), R0
	MOVD w+8(FP), R1
	MOVD $8, R5
	MOVD $255, R6
	VEOR V30.B16, V30.B16, V30.B16
	VDUP R6, V31.H8
	VEOR V24.B16, V24.B16, V24.B16
	VEOR V25.B16, V25.B16, V25.B16
	VEOR V26.B16, V26.B16, V26.B16
	VEOR V27.B16, V27.B16, V27.B16

dot:
	VLD1.P 64(R0), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1.P 64(R1), [V4.H8, V5.H8, V6.H8, V7.H8]
	SQUARE(0, 4, 16, 24, 25)
	SQUARE(1, 5, 17, 26, 27)
	SQUARE(2, 6, 18, 24, 25)
	SQUARE(3, 7, 19, 26, 27)
	SUBS $1, R5, R5
	BNE  dot

	VADD V25.S4, V24.S4, V24.S4
	VADD V27.S4, V26.S4, V26.S4
	VADD V26.S4, V24.S4, V24.S4
	ADDV(0, 24)
	VMOV V0.S[0], R6
	MOVW R6, ret+16(FP)
	RET
