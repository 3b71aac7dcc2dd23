#include "textflag.h"

// Sums are 256 lanes of 16 bits: 512 bytes, sixteen registers.

// func addLanes(s, row *Sums)
TEXT ·addLanes(SB), NOSPLIT, $0-16
	MOVQ s+0(FP), DI
	MOVQ row+8(FP), SI
	MOVQ $8, CX

add:
	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	VPADDW  (SI), Y0, Y0
	VPADDW  32(SI), Y1, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ $64, DI
	ADDQ $64, SI
	DECQ CX
	JNZ  add
	VZEROUPPER
	RET

// func shiftLanes(dst, src, more, less *Sums)
TEXT ·shiftLanes(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ more+16(FP), AX
	MOVQ less+24(FP), BX
	XORQ CX, CX

shift:
	VMOVDQU (SI)(CX*1), Y0
	VMOVDQU 32(SI)(CX*1), Y1
	VPADDW  (AX)(CX*1), Y0, Y0
	VPADDW  32(AX)(CX*1), Y1, Y1
	VPSUBW  (BX)(CX*1), Y0, Y0
	VPSUBW  32(BX)(CX*1), Y1, Y1
	VMOVDQU Y0, (DI)(CX*1)
	VMOVDQU Y1, 32(DI)(CX*1)
	ADDQ $64, CX
	CMPQ CX, $512
	JNE  shift
	VZEROUPPER
	RET

// func takeLanes(dst, src, more, less, gone *Sums)
TEXT ·takeLanes(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ more+16(FP), AX
	MOVQ less+24(FP), BX
	MOVQ gone+32(FP), DX
	XORQ CX, CX

take:
	VMOVDQU (SI)(CX*1), Y0
	VMOVDQU 32(SI)(CX*1), Y1
	VPADDW  (AX)(CX*1), Y0, Y0
	VPADDW  32(AX)(CX*1), Y1, Y1
	VPSUBW  (BX)(CX*1), Y0, Y0
	VPSUBW  32(BX)(CX*1), Y1, Y1
	VPSUBW  (DX)(CX*1), Y0, Y0
	VPSUBW  32(DX)(CX*1), Y1, Y1
	VMOVDQU Y0, (DI)(CX*1)
	VMOVDQU Y1, 32(DI)(CX*1)
	ADDQ $64, CX
	CMPQ CX, $512
	JNE  take
	VZEROUPPER
	RET

// A sum v between 0 and 255 times a weight of 8 bits fits 16 bits; that times v is added up
// in pairs.

// func dotLanes(s, w *Sums) int32
TEXT ·dotLanes(SB), NOSPLIT, $0-20
	MOVQ s+0(FP), SI
	MOVQ w+8(FP), BX
	VPXOR Y8, Y8, Y8
	VPCMPEQW Y9, Y9, Y9
	VPSRLW $8, Y9, Y9 // 255
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	XORQ CX, CX

dot:
	VMOVDQU (SI)(CX*1), Y2
	VMOVDQU 32(SI)(CX*1), Y3
	VPMAXSW Y8, Y2, Y2
	VPMAXSW Y8, Y3, Y3
	VPMINSW Y9, Y2, Y2
	VPMINSW Y9, Y3, Y3
	VPMULLW (BX)(CX*1), Y2, Y4
	VPMULLW 32(BX)(CX*1), Y3, Y5
	VPMADDWD Y2, Y4, Y4
	VPMADDWD Y3, Y5, Y5
	VPADDD Y4, Y0, Y0
	VPADDD Y5, Y1, Y1
	ADDQ $64, CX
	CMPQ CX, $512
	JNE  dot

	VPADDD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0x4E, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xB1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, AX
	MOVL AX, ret+16(FP)
	VZEROUPPER
	RET
