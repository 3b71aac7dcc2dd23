// Package builtin is the only package that names every game and wires them
// together; later it does the same for formats and engines. A new game is one
// line here.
package builtin

import (
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
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
