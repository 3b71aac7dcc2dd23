#include "textflag.h"

// func fetch(at *slot)
TEXT ·fetch(SB), NOSPLIT, $0-8
	MOVQ at+0(FP), AX
	PREFETCHT0 (AX)
	RET
