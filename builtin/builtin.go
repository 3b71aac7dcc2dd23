// Package builtin is the only package that names every game and every record
// format and wires them together; later it does the same for engines. A new
// game is one line here, and so is a new format.
package builtin

import (
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/record"
	"qipu/record/cbf"
	"qipu/record/cbridge"
	"qipu/record/dhtmlxq"
	"qipu/record/ggf"
	"qipu/record/gib"
	"qipu/record/ngf"
	"qipu/record/obf"
	"qipu/record/pgn"
	"qipu/record/psq"
	"qipu/record/renlib"
	"qipu/record/rif"
	"qipu/record/sgf"
	"qipu/record/transcript"
	"qipu/record/ugf"
	"qipu/record/wthor"
	"qipu/record/xqf"
)

// Games returns the games of the program, in the order in which they are
// listed to users.
func Games() game.Catalog {
	return game.Catalog{
		weiqi.Standard,
		othello.Standard,
		xiangqi.Standard,
		renju.Renju,
	}
}

// Formats returns the record formats of the program. Where two are equally
// sure of a file, the first has it.
func Formats() []record.Format {
	return []record.Format{
		sgf.Format,
		pgn.Format,
		wthor.Format,
		ggf.Format,
		transcript.Format,
		obf.Format,
		xqf.Format,
		cbridge.Format,
		cbf.Format,
		dhtmlxq.Format,
		renlib.Format,
		rif.Format,
		psq.Format,
		gib.Format,
		ngf.Format,
		ugf.Format,
	}
}
