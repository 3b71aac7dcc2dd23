package mine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/pattern/kb"
	"qipu/pattern/kb/shipped"
	"qipu/record"
)

// sink collects games, at most limit of them.
type sink struct {
	games []Game
	limit int
}

var errEnough = errors.New("enough")

func (s *sink) Add(_ context.Context, p *record.Played) error {
	_, name, _ := strings.Cut(p.Game.Place.File, "!")
	if g, ok := FromRecord(p, name); ok {
		s.games = append(s.games, g)
	}
	if len(s.games) == s.limit {
		return errEnough
	}
	return nil
}

// realGames returns games of archives of the collection, in their order; a limit
// of 0 is all of them.
func realGames(t testing.TB, limit int, names ...string) []Game {
	t.Helper()
	s := &sink{limit: limit}
	for _, name := range names {
		// One worker keeps the order, and so the games, where not all are read.
		o := ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), Sink: s, Workers: 1}
		if _, err := ingest.Run(t.Context(), o, testkit.Data(t, name)); err != nil && !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
	}
	return s.games
}

// The games that the shipped evidence was counted in, and that the shipped mined
// shapes were found in.
var professional = []string{"go/go-pro-6300.tar.gz", "go/go-pro-more.tar.gz"}

const shippedDir = "../../pattern/kb/shipped"

// byHand parts the shipped base into what was written and what was mined.
func byHand() (base *kb.Base, mined []Candidate) {
	all := shipped.Base()
	f := &kb.File{Terms: all.Terms}
	number := map[string]int{}
	for _, e := range all.Entries {
		if e.Origin != kb.Mined {
			f.Entries = append(f.Entries, e)
			continue
		}
		number[e.ID] = len(mined)
		mined = append(mined, Candidate{Entry: e})
	}
	for _, c := range all.Checks {
		if i, ok := number[c.ID]; ok {
			mined[i].Checks = append(mined[i].Checks, c)
		}
	}
	return kb.New(f), mined
}

// TestShippedMined checks that the mined shapes of the shipped base fit to those
// written by hand. Under -rewrite it settles them anew, which takes seconds; with
// QIPU_SCALE=full besides it mines them anew from the professional games.
func TestShippedMined(t *testing.T) {
	base, mined := byHand()
	if testkit.Rewriting() && testkit.Full() {
		r, err := Mine(t.Context(), base, list(realGames(t, 0, professional...)), Options{Shapes: 850, Corpus: "professional games of A. E. Brouwer's collection"})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d and %d games, %d contexts, %d sprouts, %d forms, %d shapes", r.Games[0], r.Games[1], r.Contexts, r.Sprouts, r.Forms, len(r.Candidates))
		mined = r.Candidates
	} else {
		mined = Settle(base, mined)
	}
	files := Format(mined)
	if testkit.Rewriting() {
		old, err := filepath.Glob(filepath.Join(shippedDir, "mined-*.shapes"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range old {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, data := range files {
		testkit.Golden(t, filepath.Join(shippedDir, name+".shapes"), data)
	}
}

// TestEvidence checks the evidence of the shipped base: every entry has some, of
// its diagram as it is. Under -rewrite it is counted anew in all professional
// games, which takes some minutes; at full scale it is counted and compared.
func TestEvidence(t *testing.T) {
	base := shipped.Base()
	path := filepath.Join(shippedDir, "evidence.tsv")
	if testkit.Rewriting() || testkit.Full() {
		got, err := Count(t.Context(), base, list(realGames(t, 0, professional...)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Golden(t, path, kb.FormatEvidence(got))
		return
	}
	evidence := shipped.Evidence()
	for i := range base.Entries {
		e := &base.Entries[i]
		switch v := evidence[e.ID]; {
		case v == nil:
			t.Errorf("%s has no evidence: run go test ./mine -run TestEvidence -rewrite", e.ID)
		case v.Print != e.Fingerprint():
			t.Errorf("%s was changed since it was counted: run go test ./mine -run TestEvidence -rewrite", e.ID)
		}
	}
	// A few of the games give a part of it: no more than all of them.
	games := realGames(t, 20, professional[0])
	got, err := Count(t.Context(), base, list(games), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range got {
		if all := evidence[v.ID]; all != nil && (v.Seen > all.Seen || v.Ours > all.Ours || v.Theirs > all.Theirs) {
			t.Errorf("%s occurs %d times in %d games, but %d times in all", v.ID, v.Seen, len(games), all.Seen)
		}
	}
}

const seenGames = 200

// TestCoverage measures what the shipped base explains of games that neither the
// shapes nor the evidence come from.
func TestCoverage(t *testing.T) {
	all := shipped.Base()
	hand, _ := byHand()
	var table strings.Builder
	table.WriteString("| games | base | moves on a good point | good points a position | first guess | among five | moves on a bad point |\n|---|---|---|---|---|---|---|\n")
	for _, set := range []struct{ name, title string }{{"go/go-kgs6d.tar.gz", "KGS, 6 dan or stronger"}, {"go/go-ai.tar.gz", "engines, and professionals online"}} {
		name := set.name
		// The first games were looked at when thresholds were chosen.
		games := realGames(t, seenGames+testkit.Scale(10, 800), name)[seenGames:]
		for _, b := range []struct {
			name string
			*kb.Base
		}{{"by hand", hand}, {"with mined ones", all}} {
			c, err := Measure(t.Context(), b.Base, shipped.Evidence(), list(games), Options{})
			if err != nil {
				t.Fatal(err)
			}
			share := func(n int) float64 { return 100 * float64(n) / float64(c.Moves) }
			t.Logf("%s, %d shapes %s: %d games, %d moves; %.1f %% on a good point, %.1f good points a position; first %.1f %%, among five %.1f %%; %.2f %% on a bad point, %.1f bad points a position",
				name, len(b.Entries), b.name, c.Games, c.Moves, share(c.Covered), share(c.Suggested)/100, share(c.Top1), share(c.Top5), share(c.Avoided), share(c.Warned)/100)
			fmt.Fprintf(&table, "| %s, %d | %d shapes %s | %.1f %% | %.1f | %.1f %% | %.1f %% | %.2f %% |\n",
				set.title, c.Games, len(b.Entries), b.name, share(c.Covered), share(c.Suggested)/100, share(c.Top1), share(c.Top5), share(c.Avoided))
			if b.Base == all && (share(c.Covered) < 62 || share(c.Top1) < 20) {
				t.Errorf("the base explains less than it did")
			}
		}
	}
	if testkit.Full() {
		testkit.Section(t, "../../docs/shapes.md", "explains", table.String())
	}
}
