package builtin_test

import (
	"bytes"
	"path"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/chess"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/pgn"
)

// bare returns a move without the signs that writers may leave out or add.
func bare(move string) string {
	return strings.NewReplacer("x", "", "+", "", "#", "", "=", "", "0", "O", "!", "", "?", "", "e.p.", "").Replace(move)
}

// TestRealChess reads the shared games of chess: all are legal to their end; the move
// that SAN writes is read as itself, and is the one of the record but for signs; FEN of
// every tenth position is read as the position that it is of.
func TestRealChess(t *testing.T) {
	if !testkit.Shared() {
		testkit.Data(t, "chess/chess-games.tar.gz")
	}
	format := pgn.With(record.KindOf(chess.Standard))
	referee := record.NewReferee(game.Catalog{chess.Standard})
	seen, games, moves, other, faults, events := 0, 0, 0, 0, 0, 0
	var text []byte
	for name, data := range testkit.Archive(t, testkit.Games(t, "chess/chess-games.tar.gz")) {
		if path.Ext(name) != ".pgn" {
			continue
		}
		events += bytes.Count(data, []byte("[Event "))
		for g, err := range format.Read(&record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))}) {
			if err != nil {
				if faults++; faults < 5 {
					t.Logf("%s: %v", name, err)
				}
				continue
			}
			if seen++; seen%testkit.Scale(100, 1) != 0 {
				continue
			}
			if g.Kind != chess.Standard.Info().Name {
				t.Fatalf("%s: a game of %q", name, g.Kind)
			}
			played := referee.Play(g)
			if !played.Legal() {
				t.Errorf("%s: game %d is not legal to its end", name, g.Place.Number)
				continue
			}
			games++
			p, err := chess.Standard.Arrange(played.Start)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range played.Steps {
				text = chess.Standard.AppendMove(text[:0], p, s.Move, chess.SAN)
				m, err := chess.Standard.ParseMove(p, string(text), chess.SAN)
				if err != nil || m != s.Move {
					t.Fatalf("%s: game %d, ply %d: %s is read as %v, %v", name, g.Place.Number, i+1, text, m, err)
				}
				moves++
				if said := g.Nodes[s.Node].Move; bare(said) != bare(string(text)) {
					if other++; other < 20 {
						t.Logf("%s: game %d, ply %d: the record says %s, we write %s", name, g.Place.Number, i+1, said, text)
					}
				}
				if err := p.Play(s.Move); err != nil {
					t.Fatal(err)
				}
				if i%10 == 9 {
					fen := game.FormatPosition(chess.Standard, p)
					setup, err := game.ParseSetup(chess.Standard, fen)
					if err != nil {
						t.Fatalf("%s: %v", fen, err)
					}
					q, err := chess.Standard.Arrange(setup)
					if err != nil || q.Hash() != p.Hash() || game.FormatPosition(chess.Standard, q) != fen {
						t.Fatalf("%s: game %d, ply %d: %s is another position: %v", name, g.Place.Number, i+1, fen, err)
					}
				}
			}
		}
	}
	t.Logf("%d [Event lines, %d games, %d faults; %d games played, %d moves, of which %d are written otherwise in the record", events, seen, faults, games, moves, other)
	if other*1000 > moves {
		t.Errorf("too many moves are written otherwise")
	}
}
