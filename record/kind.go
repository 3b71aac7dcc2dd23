package record

import (
	"strings"

	"qipu/game"
	"qipu/record/facts"
)

// Kind is a game as formats hold it that are not of one game: they carry the
// texts of its moves and positions, and know no more of it.
type Kind struct {
	Name     string      // of the rules
	Sides    facts.Sides //
	Letters  [2]string   // that mean the turn of a side in position texts
	Notation string      // of the moves
	Rules    game.Rules  // that tell whose turn it is

	// GM is the number that the Smart Game Format has for the game, 0 for none:
	// it is named by a property of its own then.
	GM int
}

// KindOf returns a game as such formats hold it.
func KindOf(r game.Rules) Kind {
	info := r.Info()
	k := Kind{Name: info.Name, Sides: SidesOf(r), Notation: string(info.Notations[0].Name), Rules: r}
	for i := range k.Letters {
		k.Letters[i] = info.Sides[i].Letters
	}
	return k
}

// Turn returns who is to move in a position text.
func (k *Kind) Turn(text string) Side {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return Unstated
	}
	for i, letters := range k.Letters {
		if strings.Contains(letters, fields[1]) {
			return First + Side(i)
		}
	}
	return Unstated
}

// Movers returns the side whose turn the move of each node is, by the rules:
// Unstated where a node has no move, and where the rules do not let it be played.
func (k *Kind) Movers(g *Game) []Side {
	movers := make([]Side, len(g.Nodes))
	rules, err := game.Catalog{k.Rules}.Find(k.Name + ":" + g.Variant)
	if err != nil {
		return movers
	}
	b := aside(rules, g)
	if b.setUp() != nil {
		return movers
	}
	b.walkTree(func(i int32, ok bool) bool {
		if n := len(b.played.Steps); n > 0 && len(b.played.Marks) == 0 {
			movers[i] = First + Side(b.played.Steps[n-1].Side)
		}
		return ok && (i == 0 || !g.Nodes[i].resets())
	})
	return movers
}
