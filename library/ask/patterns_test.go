package ask_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu"
	"qipu/builtin"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/library/ask"
	"qipu/library/knowledge"
	"qipu/named"
	"qipu/pattern/relation/shipped"
	"qipu/pattern/relation/syntax"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	words "qipu/text/term"
)

// randomXiangqi returns a library with so many games of random moves, which is
// enough for a table of its own from 256 on.
func randomXiangqi(t *testing.T, n int) *qipu.Library {
	t.Helper()
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if _, err := l.Records().AddAll(t.Context(), xiangqiRecords(t, n)); err != nil {
		t.Fatal(err)
	}
	return l
}

// xiangqiRecords returns so many games of random moves.
func xiangqiRecords(t *testing.T, n int) (list []*record.Played) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	for i := range n {
		p := xiangqi.Standard.Start()
		var moves []string
		for range 40 {
			legal := p.AppendMoves(nil)
			if len(legal) == 0 {
				break
			}
			m := legal[rng.IntN(len(legal))]
			moves = append(moves, string(xiangqi.Standard.AppendMove(nil, p, m, "iccs")))
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, referee.Play(xiangqiGame(fmt.Sprintf("Red %d", i%7), fmt.Sprintf("Black %d", i%5), strings.Join(moves, " "))))
	}
	return list
}

// Names find the same games whether there is an index of them or not, and the
// answer says which.
func TestNamedIndex(t *testing.T) {
	l := randomXiangqi(t, 320)
	kind, err := l.Records().Kind("xiangqi")
	if err != nil {
		t.Fatal(err)
	}
	queries := []string{"named:炮鎮中路", "named:hobbled-horse and player:\"Red 3\"", "named:過河兵 then named:缺象", "not named:連環馬 and ply:..1", "named:A or named:B0", "named.red:炮鎮中路", "named.black:hobbled-horse then named.first:hobbled-horse", "when(named:巡河車 and turn:red)"}
	before := map[string]string{}
	scanned := 0
	for _, q := range queries {
		r := mustAsk(t, l, ask.Question{Text: q})
		before[q] = fmt.Sprint(r.Games, r.Hits, r.Score, r.Found.ToArray())
		if strings.Contains(strings.Join(r.Hints, ";"), "index of names") {
			scanned++
		}
		if r.Games == 0 || r.Games == 320 {
			t.Errorf("%s: %d games, which tells nothing", q, r.Games)
		}
	}
	if scanned != len(queries) {
		t.Errorf("%d of %d answers say that games were read through", scanned, len(queries))
	}
	if s, err := l.Search().NameScores(t.Context(), kind); err != nil || s.Ready {
		t.Errorf("ready before anything was built: %v", err)
	}
	done, err := l.Records().BuildNames(t.Context(), nil)
	if err != nil || done.Columns < 100 || done.Lines != 320 {
		t.Fatalf("%+v, %v", done, err)
	}
	for _, q := range queries {
		r := mustAsk(t, l, ask.Question{Text: q})
		if got := fmt.Sprint(r.Games, r.Hits, r.Score, r.Found.ToArray()); got != before[q] {
			t.Errorf("%s: %s with the index, %s without", q, got, before[q])
		}
		if len(r.Scanned) > 0 {
			t.Errorf("%s was read through: %v", q, r.Scanned)
		}
	}
	scores, err := l.Search().NameScores(t.Context(), kind)
	if err != nil || !scores.Ready {
		t.Fatalf("%+v, %v", scores, err)
	}
	for _, id := range []string{"hobbled-horse", "central-cannon", "A", "A0", "lacks-elephant"} {
		r := mustAsk(t, l, ask.Question{Text: "named:" + id, Request: retrieve.Request{NoContinuations: true}})
		got := scores.Scores[id]
		if got.Count != r.Games || got.First != r.Score.First || got.Second != r.Score.Second {
			t.Errorf("%s: counted %+v, found %+v", id, got, r.Score)
		}
	}
	if again, err := l.Records().BuildNames(t.Context(), nil); err != nil || again.Columns != 0 {
		t.Errorf("built again: %+v, %v", again, err)
	}
	red, black, both := mustAsk(t, l, ask.Question{Text: "named.red:hobbled-horse"}), mustAsk(t, l, ask.Question{Text: "named.second:hobbled-horse"}), mustAsk(t, l, ask.Question{Text: "named.any:hobbled-horse"})
	if all := roaring.Or(red.Found, black.Found); !all.Equals(both.Found) || red.Found.Equals(black.Found) || red.Hits+black.Hits != both.Hits {
		t.Errorf("%d games of red, %d of black, %d of either", red.Games, black.Games, both.Games)
	}
	if _, err := l.Ask(t.Context(), &ask.Question{Text: "named.red:A"}); err == nil || !strings.Contains(err.Error(), "belongs to no side") {
		t.Errorf("a code of one side: %v", err)
	}
}

// What was counted is kept until something changes, and all who ask at once share it.
//
//qipu:race
func TestNameScoresTogether(t *testing.T) {
	l := randomXiangqi(t, 300)
	kind, err := l.Records().Kind("xiangqi")
	if err != nil {
		t.Fatal(err)
	}
	count := func() *ask.NameScores {
		t.Helper()
		all := make([]*ask.NameScores, 4)
		var group sync.WaitGroup
		for i := range all {
			group.Go(func() {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if i == 0 {
					cancel() // nobody else is to suffer from it
				}
				s, err := l.Search().NameScores(ctx, kind)
				if err != nil && i > 0 {
					t.Error(err)
				}
				all[i] = s
			})
		}
		group.Wait()
		if all[1] != all[2] || all[1] != all[3] || all[1] == nil {
			t.Fatal("it was counted several times")
		}
		return all[1]
	}
	first := count()
	if first.Ready || count() != first {
		t.Error("it was counted again, or is complete")
	}
	if _, err := l.Records().BuildNames(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	built := count()
	if !built.Ready || built.Scores["hobbled-horse"].Count == 0 {
		t.Error("it is not complete")
	}
	if err := l.Knowledge().SavePatterns(t.Context(), syntax.Parse("own", fmt.Appendf(nil, ownPattern, ""))); err != nil {
		t.Fatal(err)
	}
	if edited := count(); edited == built || edited.Ready {
		t.Error("a new pattern changes nothing")
	}
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	if _, err := l.Records().BuildNames(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	built = count()
	if _, err := l.Records().AddAll(t.Context(), []*record.Played{referee.Play(xiangqiGame("甲", "乙", "h2e2 h9g7 h0g2 b9c7"))}); err != nil {
		t.Fatal(err)
	}
	if more := count(); !more.Ready || more.Scores["central-cannon"].Count != built.Scores["central-cannon"].Count+1 {
		t.Errorf("a new game changes nothing: %+v, was %+v", more.Scores["central-cannon"], built.Scores["central-cannon"])
	}
	terms, err := l.Search().Terms(t.Context(), kind)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := l.Search().Terms(t.Context(), kind); err != nil || again != terms {
		t.Errorf("terms were counted again: %v", err)
	}
}

// The index of names follows the library until it is closed, and what cannot be made is
// told.
func TestKeepNames(t *testing.T) {
	l := randomXiangqi(t, 300)
	kind, err := l.Records().Kind("xiangqi")
	if err != nil {
		t.Fatal(err)
	}
	l.Records().KeepNames(func(err error) { t.Error(err) })
	l.Records().KeepNames(func(err error) { t.Error(err) })
	ready := func() bool {
		s, err := l.Search().NameScores(t.Context(), kind)
		return err == nil && s.Ready
	}
	for deadline := time.Now().Add(testkit.Patience); !ready(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the index is not made")
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l.Records().KeepNames(func(err error) { t.Error(err) }) // which does nothing now
}

// Boards of records are shown although their moves break the rules.
func TestNameBoards(t *testing.T) {
	twice := &record.Game{Kind: "weiqi"} // one colour moves on end
	at := twice.Add(0, record.Unstated, "")
	for _, m := range []string{"Q16", "Q4", "Q10"} {
		at = twice.Add(at, record.First, m)
	}
	at = twice.Add(at, record.Second, "D4")
	twice.Add(at, record.Second, "D16")
	l := askLibrary(t, twice, xiangqiGame("甲", "乙", "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9"))
	for spec, want := range map[string]struct {
		id    string
		side  int
		roles bool
	}{"weiqi": {"sanrensei", named.Both, false}, "xiangqi": {"screen-horses", 1, true}} {
		kind, err := l.Records().Kind(spec)
		if err != nil {
			t.Fatal(err)
		}
		book, err := l.Knowledge().Names(kind)
		if err != nil {
			t.Fatal(err)
		}
		boards, err := l.Search().NameBoards(t.Context(), kind, book.Find(want.id), 3)
		if err != nil || len(boards) != 1 || boards[0].Side != want.side || (len(boards[0].Roles) > 0) != want.roles || boards[0].Position == nil || boards[0].Ply == 0 {
			t.Errorf("%s: %+v, %v", want.id, boards, err)
		}
	}
}

// Too many patterns are a fault of the file that brings them.
func TestManyPatterns(t *testing.T) {
	dir := t.TempDir()
	for f := range 3 {
		var text strings.Builder
		for i := range 4000 {
			fmt.Fprintf(&text, "pattern p-%d-%d\nlet a = our horse\n\n", f, i)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(f)+".patterns"), []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := knowledge.LoadPatterns(builtin.Games(), dir)
	if len(p.Base.Faults) != 1 || !strings.Contains(p.Base.Faults[0].Error(), "2.patterns") || len(p.Base.Patterns) != len(shipped.Base().Patterns)+8000 {
		t.Errorf("%d patterns, faults %v", len(p.Base.Patterns), p.Base.Faults)
	}
}

const ownPattern = `pattern own-pair
game   xiangqi
kind   structure
name   Own pair | 自己一對 | 自己一对 | 自分の対 | 자기 짝
alias  zi ji yi dui
let    a = our horse on rank 3
let    b = our horse on rank 3
where  file(a) > file(b)%s

check own-pair yes
fen    3k5/9/9/9/9/9/9/1N5N1/9/4K4 w

check own-pair no
fen    3k5/9/9/9/9/9/9/1N7/8N/4K4 w
`

// A pattern of the user's is found at once, and its column alone is built; edited,
// the new one is.
func TestOwnPattern(t *testing.T) {
	l := randomXiangqi(t, 300)
	if _, err := l.Records().BuildNames(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	save := func(more string) {
		t.Helper()
		if err := l.Knowledge().SavePatterns(t.Context(), syntax.Parse("own", fmt.Appendf(nil, ownPattern, more))); err != nil {
			t.Fatal(err)
		}
	}
	save("")
	first := mustAsk(t, l, ask.Question{Text: "named:自己一對"})
	if first.Games == 0 || len(first.Scanned) != 1 {
		t.Errorf("%d games, scanned %v", first.Games, first.Scanned)
	}
	if done, err := l.Records().BuildNames(t.Context(), nil); err != nil || done.Columns != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	if r := mustAsk(t, l, ask.Question{Text: "named:own-pair"}); r.Games != first.Games || len(r.Scanned) != 0 {
		t.Errorf("%d games, want %d; scanned %v", r.Games, first.Games, r.Scanned)
	}
	save("\nwhere  ply >= 20") // what is edited
	edited := mustAsk(t, l, ask.Question{Text: "named:own-pair"})
	if edited.Games >= first.Games || len(edited.Scanned) != 1 {
		t.Errorf("%d games, had %d; scanned %v", edited.Games, first.Games, edited.Scanned)
	}
	if done, err := l.Records().BuildNames(t.Context(), nil); err != nil || done.Columns != 1 {
		t.Errorf("after the edit: %+v, %v", done, err)
	}
	if p := l.Knowledge().Patterns(); p.Layer("own-pair") != knowledge.LibraryLayer || len(p.Checks("own-pair")) != 2 || !strings.Contains(p.Text("own-pair"), "ply >= 20") {
		t.Errorf("kept in %s, %d checks: %s", p.Layer("own-pair"), len(p.Checks("own-pair")), p.Text("own-pair"))
	}
	if err := l.Knowledge().DeletePattern(t.Context(), "own-pair"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ask(t.Context(), &ask.Question{Text: "named:own-pair"}); err == nil {
		t.Error("it is found although it was deleted")
	}
}

// A broken file harms nothing else, and says what is wrong.
func TestBrokenPatterns(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bad.patterns"), []byte("pattern x\ngame xiangqi\nkind mate\nwhere k flies\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := knowledge.LoadPatterns(builtin.Games(), dir)
	if len(p.Base.Faults) != 1 || p.Base.Faults[0].Line != 4 {
		t.Errorf("faults: %v", p.Base.Faults)
	}
	if len(p.Base.Patterns) != len(shipped.Base().Patterns) {
		t.Errorf("%d patterns are left of %d", len(p.Base.Patterns), len(shipped.Base().Patterns))
	}
}

// Every term that names a pattern names one that there is.
func TestTermPatterns(t *testing.T) {
	linked := 0
	for w := range words.Of("xiangqi").All() {
		for _, id := range w.Patterns {
			linked++
			if shipped.Base().Pattern(id) == nil {
				t.Errorf("%s: there is no pattern %s", w.ID, id)
			}
		}
	}
	if linked < 100 {
		t.Errorf("only %d terms name patterns", linked)
	}
}

// Openings of other games are found by name as well.
func TestNamedOpenings(t *testing.T) {
	l := askLibrary(t, othelloGame("f5 d6 c3 d3 c4 f4"), othelloGame("f5 f6 e6 f4 e3"), othelloGame("d3 c3 c4 c5 b4 d2 c2"))
	for name, want := range map[string]int{"Tiger": 1, "named:Cow": 1, "named:虎": 1, "named:f5f6": 2} {
		q := ask.Question{Text: name, Game: "othello"}
		if !strings.Contains(name, ":") {
			q.Text = "named:" + name
		}
		if name == "named:虎" {
			q.Text = "named:" + tigerIn(t)
		}
		if r := mustAsk(t, l, q); r.Games != want {
			t.Errorf("%s: %d games, want %d", q.Text, r.Games, want)
		}
	}
	if _, err := l.Ask(t.Context(), &ask.Question{Text: "named:Tigre", Game: "othello"}); err == nil || !strings.Contains(err.Error(), "Tiger") {
		t.Errorf("a wrong name: %v", err)
	}
}

// tigerIn returns what the Tiger opening is called in Japanese.
func tigerIn(t *testing.T) string {
	t.Helper()
	rules, err := builtin.Games().Find("othello")
	if err != nil {
		t.Fatal(err)
	}
	book, err := named.New(rules, shipped.Base(), nil)
	if err != nil || book.Find("Tiger") == nil {
		t.Fatalf("no Tiger: %v", err)
	}
	return book.Find("Tiger").Names.Ja
}

func othelloGame(moves string) *record.Game {
	g := &record.Game{Kind: "othello"}
	at := g.Add(0, record.Unstated, "")
	for _, m := range strings.Fields(moves) {
		at = g.Add(at, record.Unstated, m)
	}
	return g
}

// A word by itself that is the name of a mate asks for it; that of an opening asks
// for texts, and the answer says what else it could mean.
func TestNameAlone(t *testing.T) {
	l := askLibrary(t, xiangqiGame("甲", "臥槽馬", "h2e2 h9g7"), othelloGame("f5 d6 c3 d3 c4 f4"))
	r := mustAsk(t, l, ask.Question{Text: "馬後炮"})
	if r.Bound.String() != "named:cannon-behind-horse" {
		t.Errorf("asked %v", r.Bound)
	}
	r = mustAsk(t, l, ask.Question{Text: "pin"})
	if query.HasBoards(r.Bound) || !slices.ContainsFunc(r.Hints, func(h string) bool { return strings.Contains(h, "named:pin") }) {
		t.Errorf("asked %v, hints %v", r.Bound, r.Hints)
	}
	r = mustAsk(t, l, ask.Question{Text: "臥槽馬"}) // who is a player as well
	if r.Bound.String() != "named:elbow-horse" || !slices.ContainsFunc(r.Hints, func(h string) bool { return strings.Contains(h, "player:") }) {
		t.Errorf("asked %v, hints %v", r.Bound, r.Hints)
	}
	r = mustAsk(t, l, ask.Question{Text: "Tiger"})
	if r.Games != 0 || !slices.ContainsFunc(r.Hints, func(h string) bool { return strings.Contains(h, "named:Tiger") }) {
		t.Errorf("%d games, hints %v", r.Games, r.Hints)
	}
}
