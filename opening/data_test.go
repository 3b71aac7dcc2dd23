package opening

import (
	"bytes"
	"compress/gzip"
	"path"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/sgf"
	"qipu/record/wthor"
	demo "qipu/sample"
)

// played yields one of every few games of an archive that a format reads, with the
// name of the file.
func played(t *testing.T, archive, ext string, f record.Format, r game.Rules, every int, yield func(name string, g *record.Played)) {
	referee := record.NewReferee(game.Catalog{r})
	seen := 0
	skip := func() bool {
		seen++
		return seen%every != 0
	}
	single := ext == ".sgf" // a file is a game, and need not be read to be left out
	for name, data := range testkit.Archive(t, testkit.Games(t, archive)) {
		if path.Ext(name) != ext || single && skip() {
			continue
		}
		for g, err := range f.Read(&record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))}) {
			if !single && skip() {
				continue
			}
			if err == nil { // renju records do not all say what they are
				g.Kind = r.Info().Name
				yield(name, referee.Play(g))
			}
		}
	}
}

// TestPlayedGo counts openings in professional games: what is usual is found
// often, what is not is found seldom, and what was invented is not found before.
func TestPlayedGo(t *testing.T) {
	if !testkit.Shared() {
		testkit.Data(t, "go/go-pro-6300.tar.gz") // the figures are those of professionals
	}
	n := Of(weiqi.Standard)
	games, count, early := 0, map[string]int{}, map[string]int{}
	played(t, "go/go-pro-6300.tar.gz", ".sgf", sgf.Format, weiqi.Standard, testkit.Scale(6, 1), func(_ string, g *record.Played) {
		start, err := record.At(g, 0)
		if err != nil || start.(game.Planar).Planes().Size != (board.Size{W: 19, H: 19}) {
			return
		}
		games++
		p := start.(*weiqi.Position)
		seen := map[string]bool{}
		var list []*Opening
		for i, s := range g.Steps[:min(len(g.Steps), 80)] {
			if p.Force(s.Side, s.Move) != nil {
				break
			}
			list = n.AppendAt(list[:0], p.Planes(), s.Side^1, i+1)
			for _, o := range list {
				seen[o.ID] = true
			}
		}
		for id := range seen {
			count[id]++
			if year := g.Game.Facts.Date.From.Year; year > 0 && year < 1930 {
				early[id]++
			}
		}
	})
	t.Logf("%d games: %v", games, count)
	t.Logf("before 1930: %v", early)
	// Shares in percent, with room around what was counted.
	for _, want := range []struct {
		id       string
		from, to float64
	}{
		{"star-point", 75, 95}, {"komoku", 85, 97}, {"san-san", 5, 17}, {"takamoku", 2, 8}, {"mokuhazushi", 5, 14},
		{"small-knight-enclosure", 18, 35}, {"san-san-invasion", 6, 20}, {"nirensei", 28, 45}, {"sanrensei", 2, 7},
		{"chinese", 3, 7}, {"high-chinese", 1, 3}, {"mini-chinese", 1, 4}, {"kobayashi", 1.5, 5}, {"shusaku", 2, 8},
		{"tengen", 0, 1}, {"parallel-fuseki", 45, 70}, {"diagonal-fuseki", 8, 18},
	} {
		if share := 100 * float64(count[want.id]) / float64(games); share < want.from || share > want.to {
			t.Errorf("%s in %.1f %% of games, want %v to %v", want.id, share, want.from, want.to)
		}
	}
	for _, id := range []string{"sanrensei", "chinese", "high-chinese", "mini-chinese", "kobayashi", "avalanche"} {
		if early[id] > 0 {
			t.Errorf("%s in %d games before 1930", id, early[id])
		}
	}
	if early["takamoku"] == 0 || early["shusaku"] == 0 {
		t.Errorf("nothing old in games before 1930: %v", early)
	}
}

// TestPlayedRenju holds openings against the names that the files of games bear.
func TestPlayedRenju(t *testing.T) {
	n := Of(renju.Renju)
	named, agree := 0, 0
	every, least := testkit.Scale(4, 1), testkit.Scale(800, 3000)
	if !testkit.Shared() {
		every, least = 1, 52
	}
	played(t, "renju/renju-games.tar.gz", ".sgf", sgf.Format, renju.Renju, every, func(name string, g *record.Played) {
		var want Opening
		ok := false
		for _, part := range strings.Split(path.Base(name), "】") {
			if o, is := n.Find(strings.TrimPrefix(part, "【")); is {
				want, ok = o, true
			}
		}
		if !ok {
			return
		}
		named++
		var moves []game.Move
		for _, s := range g.Steps[:min(len(g.Steps), 3)] {
			moves = append(moves, s.Move)
		}
		if got, is := n.Deepest(nil, moves); is && got.ID == want.ID {
			agree++
		}
	})
	t.Logf("%d of %d games agree", agree, named)
	if named < least || agree*100 < 99*named {
		t.Errorf("%d of %d games agree with their names", agree, named)
	}
}

// TestListRenju holds names and lines against a list that was made of games.
func TestListRenju(t *testing.T) {
	n := Of(renju.Renju)
	checked := 0
	for name, data := range testkit.Files(t, "renju/renju-formats.tar.gz") {
		if path.Base(name) != "renju-openings-26.tsv" {
			continue
		}
		for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
			cells := strings.Split(line, "\t")
			p, err := game.ParsePosition(renju.Renju, strings.Join(cells[3:6], " "))
			if err != nil {
				t.Fatal(err)
			}
			o, _ := n.At(p)
			if o.Names.Hans != cells[0] || o.Names.En != cells[1] || strings.HasSuffix(o.Aliases[0], "D") != (cells[2] == "direct") {
				t.Errorf("%s is %s %s", line, o.Names.Hans, o.Names.En)
			}
			checked++
		}
	}
	if checked != 26 {
		t.Errorf("%d openings in the list", checked)
	}
}

// enginePlayed yields the games of the demo set that the engine has played.
func enginePlayed(t *testing.T, yield func(name string, g *record.Played)) {
	f, err := demo.Played().Open(demo.PlayedFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	referee := record.NewReferee(game.Catalog{othello.Standard})
	for g, err := range sgf.Format.Read(&record.Source{Name: "played.sgf", Reader: z}) {
		if err != nil {
			t.Fatal(err)
		}
		yield("played.sgf", referee.Play(g))
	}
}

// TestPlayedOthello: games begin with a name, and nearly all openings have been
// played.
func TestPlayedOthello(t *testing.T) {
	n := Of(othello.Standard)
	games, count := 0, map[string]int{}
	look := func(_ string, g *record.Played) {
		games++
		p := othello.Standard.Start()
		for _, s := range g.Steps[:min(len(g.Steps), 24)] {
			if p.Play(s.Move) != nil {
				break
			}
			if o, ok := n.At(p); ok {
				count[o.ID]++
			}
		}
	}
	if testkit.Shared() {
		played(t, "othello/wthor.tar.gz", ".wtb", wthor.Format, othello.Standard, testkit.Scale(60, 5), look)
	} else {
		enginePlayed(t, look)
	}
	t.Logf("%d games reach %d openings", games, len(count))
	three := count["f5d6"] + count["f5f6"] + count["f5f4"]
	if games < 1000 || three*100 < 99*games || testkit.Shared() && count["f5f4"] > count["f5f6"] {
		t.Errorf("%d of %d games begin with a name", three, games)
	}
	least := 90
	if !testkit.Shared() {
		least = 80
	}
	if len(count)*100 < least*len(n.List()) {
		t.Errorf("%d of %d openings are ever played", len(count), len(n.List()))
	}
}
