package selfplay_test

import (
	"bytes"
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"qipu/game/othello"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/sgf"
	"qipu/sample"
	"qipu/workshop/selfplay"
)

// TestPart plays the first games of the set anew: they must be those that come
// with the program. With -rewrite the whole set is made.
func TestPart(t *testing.T) {
	o := selfplay.Options{Rules: othello.Standard, Seed: sample.Seed, Games: selfplay.Round, Parallel: 2}
	if testkit.Full() {
		o.Games = 20 * selfplay.Round
	}
	if testkit.Rewriting() {
		o.Games = sample.PlayedGames
	}
	games, err := selfplay.Play(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := selfplay.Write(&got, o.Rules, games); err != nil {
		t.Fatal(err)
	}
	if testkit.Rewriting() {
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		z.Write(got.Bytes())
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		testkit.Golden(t, "../../sample/played/"+sample.PlayedFile, packed.Bytes())
		return
	}
	have := played(t)
	if !strings.HasPrefix(have, strings.TrimSuffix(got.String(), "\n")) {
		t.Errorf("the first %d games are not those of the set: the engine plays otherwise now; look at what changed, and make the set anew with -rewrite", len(games))
	}
}

// played returns the text of the set.
func played(t *testing.T) string {
	f, err := sample.Played().Open(sample.PlayedFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSet reads the whole set: every game is legal to its end, has an opening,
// and the result that it states; no two are alike.
func TestSet(t *testing.T) {
	text := played(t)
	source := &record.Source{Name: "played.sgf", Reader: strings.NewReader(text), Size: int64(len(text)), At: strings.NewReader(text)}
	n := 0
	seen := map[string]int{}
	names := map[string]bool{}
	for g, err := range sgf.Format.Read(source) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		p := record.Play(othello.Standard, g)
		if !p.Legal() || len(g.Faults) > 0 {
			t.Errorf("game %d: %v", n, g.Faults)
		}
		if !p.Outcome.Final() {
			t.Errorf("game %d is not over", n)
		}
		var moves []byte
		for _, s := range p.Steps {
			moves = othello.Standard.AppendMove(moves, nil, s.Move, "")
		}
		if at, twice := seen[string(moves)]; twice {
			t.Errorf("games %d and %d have the same moves", at, n)
		}
		seen[string(moves)] = n
		if g.Facts.Opening == "" || g.Facts.Event != selfplay.Event {
			t.Errorf("game %d: opening %q, event %q", n, g.Facts.Opening, g.Facts.Event)
		}
		names[g.Facts.Opening] = true
	}
	if n != sample.PlayedGames {
		t.Errorf("%d games, not %d", n, sample.PlayedGames)
	}
	if len(names) < 70 {
		t.Errorf("only %d openings: %v", len(names), slices.Sorted(maps.Keys(names)))
	}
}
