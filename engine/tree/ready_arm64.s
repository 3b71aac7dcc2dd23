#include "textflag.h"

// func fetch(at *slot)
TEXT ·fetch(SB), NOSPLIT, $0-8
	MOVD at+0(FP), R0
	PRFM (R0), PLDL1KEEP
	RET
