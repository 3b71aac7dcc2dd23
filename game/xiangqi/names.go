package xiangqi

import (
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// What the package has of the board and of how pieces go, under short names.
type (
	square = attack.Square
	kind   = attack.Kind
	set    = attack.Set
)

const (
	width, height, area = attack.Width, attack.Height, attack.Area
	none                = attack.None

	king     = attack.King
	advisor  = attack.Advisor
	elephant = attack.Elephant
	chariot  = attack.Chariot
	horse    = attack.Horse
	cannon   = attack.Cannon
	soldier  = attack.Soldier
	kinds    = attack.Kinds
)

// stepKind is the part of a game.Move that tells it from a drop or a pass.
var stepKind = game.Step(0, 0)
