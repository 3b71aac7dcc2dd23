// Package sight makes the net by which the program sees a board of Go: it packs
// games for training, and reads back what was trained.
//
//	qipu workshop sight pack games.tar.gz --out games.bin
//	python3 workshop/sight/training/train.py --games games.bin --out run   # leaves run/small.net
//	qipu workshop sight measure games.tar.gz
//
// Training runs in Python with PyTorch on a machine with a GPU; the program itself
// needs neither: package engine/net reads the exported file and computes in whole
// numbers.
//
// # The file of games
//
// All numbers are little endian. After the word "QSIGHT1\n" one game follows the
// other:
//
//	u8   columns          u8 rows
//	u8   flags            1: kept out of training   2: owners follow   4: by area   8: professional
//	i8   winner           1 Black, -1 White, 0 unknown
//	i16  komi             in half points
//	i16  lead             Black's at the end in half points; 32767 unknown
//	u16  stones, u16 moves
//	u16  each stone and each move: row*columns+column, columns*rows for a pass,
//	     and 32768 where it is White's
//	u8   owners           four points a byte, the first in the lowest bits: 0 unknown, 1 Black, 2 White, 3 nobody
//
// Owners are the players' own marks, or those that package judging finds where the
// score comes out as it was recorded.
package sight
