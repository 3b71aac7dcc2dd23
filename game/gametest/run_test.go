package gametest_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/connect4"
	"qipu/game/gametest"
	"qipu/internal/testkit"
)

// broken is Connect Four with one law broken.
type broken struct {
	connect4.Rules
	law string
}

type brokenPosition struct {
	*connect4.Position
	law  string
	plys int

	line   []board.Point // where discs fell
	latest board.Point   // where the latest did, undone or not
	undone int           // moves in a row
}

func (b broken) wrap(p game.Position) game.Position {
	return &brokenPosition{Position: p.(*connect4.Position), law: b.law}
}

func (b broken) Start() game.Position { return b.wrap(b.Rules.Start()) }

func (b broken) Arrange(s game.Setup) (game.Position, error) {
	p, err := b.Rules.Arrange(s)
	if err != nil {
		return nil, err
	}
	return b.wrap(p), nil
}

func (b broken) ParseMove(p game.Position, text string, n game.Notation) (game.Move, error) {
	m, err := b.Rules.ParseMove(p.(*brokenPosition).Position, text, n)
	if b.law == "notation" && text == "3" {
		return b.Rules.ParseMove(p.(*brokenPosition).Position, "4", n)
	}
	return m, err
}

func (b broken) Info() *game.Info {
	info := *b.Rules.Info()
	if b.law == "facts" {
		info.Titles.Ko = ""
	}
	return &info
}

func (p *brokenPosition) AppendMoves(dst []game.Move) []game.Move {
	moves := p.Position.AppendMoves(dst)
	switch {
	case p.law == "listed" && len(moves) > len(dst)+1:
		return moves[:len(moves)-1]
	case p.law == "twice" && len(moves) > len(dst):
		return append(moves, moves[len(moves)-1])
	case p.law == "symmetry":
		return slices.DeleteFunc(moves, func(m game.Move) bool { return m.To().X() == 0 })
	case p.law == "allocations":
		moves = append([]game.Move(nil), moves...)
	}
	return moves
}

func (p *brokenPosition) CountMoves() int {
	n := len(p.Position.AppendMoves(nil))
	switch p.law {
	case "count":
		return n + 1
	case "listed", "twice", "symmetry":
		return len(p.AppendMoves(nil))
	}
	return n
}

func (p *brokenPosition) Play(m game.Move) error {
	if p.law == "symmetry" && m.To().X() == 0 {
		return game.ErrOccupied
	}
	err := p.Position.Play(m)
	if err == nil {
		p.plys++
		p.line, p.latest, p.undone = append(p.line, m.To()), m.To(), 0
	}
	return err
}

// AppendChanged makes the game one that tells its changes, which Connect Four
// itself is not.
func (p *brokenPosition) AppendChanged(dst []game.Changed) []game.Changed {
	switch {
	case p.law == "changes forgotten" && p.undone > 1:
		return dst // the journal is one move long
	case p.law == "changes overwrite":
		dst = dst[:0]
	case p.law == "changes allocate":
		dst = append([]game.Changed(nil), dst...)
	}
	if len(p.line) == 0 {
		return dst
	}
	c := game.Changed{Point: p.line[len(p.line)-1], Piece: board.Piece(p.Turn().Opponent()) + 1}
	switch p.law {
	case "changes":
		c.Piece = board.Empty
	case "changes stale":
		c.Point = p.latest
	}
	return append(dst, c)
}

// Copy makes the game one that can be copied, which Connect Four itself is not.
func (p *brokenPosition) Copy() game.Position {
	switch p.law {
	case "copy shares":
		return p
	case "copy forgets":
		fresh, _ := connect4.Rules{}.Arrange(game.SetupOf(p.Position))
		return &brokenPosition{Position: fresh.(*connect4.Position), law: p.law, plys: p.plys, line: slices.Clone(p.line), latest: p.latest}
	}
	c := &brokenPosition{Position: connect4.Rules{}.Start().(*connect4.Position), law: p.law}
	for _, at := range p.line {
		_ = c.Play(game.Drop(at))
	}
	c.plys, c.undone = p.plys, p.undone
	return c
}

func (p *brokenPosition) Undo() {
	p.Position.Undo()
	p.line, p.undone = p.line[:len(p.line)-1], p.undone+1
	if p.law != "undo" {
		p.plys--
	}
}

func (p *brokenPosition) Hash() uint64 {
	h := p.Position.Hash()
	switch p.law {
	case "hash":
		return h + uint64(p.plys) // depends on the way, not on the position
	case "undo":
		return h ^ uint64(p.plys&^7)<<32
	case "collision":
		return h & 7
	}
	return h
}

func (p *brokenPosition) Outcome() game.Outcome {
	o := p.Position.Outcome()
	if p.law == "outcome" {
		o.State = game.Ongoing
	}
	return o
}

const lawVariable = "QIPU_TEST_BROKEN_LAW"

// TestBroken runs the kit on a broken game; it is meant to fail, in a process
// of its own.
func TestBroken(t *testing.T) {
	law := os.Getenv(lawVariable)
	if law == "" {
		t.Skip("runs only in the processes that TestKitFails starts")
	}
	gametest.Run(t, broken{law: law}, gametest.Options{Games: 10})
}

// TestKitFails checks that the kit finds every kind of defect it is there for.
func TestKitFails(t *testing.T) {
	for law, message := range map[string]string{
		"facts":       "five languages",
		"listed":      "playable but not listed",
		"twice":       "listed twice",
		"count":       "CountMoves",
		"undo":        "undo",
		"hash":        "set up anew",
		"collision":   "is that of",
		"outcome":     "outcome",
		"notation":    "reads back as",
		"symmetry":    "mirror",
		"allocations": "allocates",

		"copy shares":  "while the position is played on",
		"copy forgets": "index out of range",

		"changes":           "the boards differ by",
		"changes forgotten": "undone to ply",
		"changes stale":     "changed the position",
		"changes overwrite": "does not append",
		"changes allocate":  "allocates",
	} {
		t.Run(law, func(t *testing.T) {
			t.Parallel()
			cmd := testkit.Process(os.Args[0], "-test.run=^TestBroken$")
			cmd.Env = append(os.Environ(), lawVariable+"="+law)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), message) {
				t.Errorf("the kit says %v, want a failure that names %q:\n%s", err, message, out)
			}
		})
	}
}
