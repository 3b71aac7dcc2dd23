package ask_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu"
	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/library"
	"qipu/library/ask"
	"qipu/library/knowledge"
	"qipu/pattern"
	"qipu/pattern/kb"
	"qipu/pattern/window"
	"qipu/query"
	"qipu/record"
	"qipu/store/shard"
)

// testShapes have all that a shape may have to say where it lies: edges, places,
// cells that may be outside, symmetric ones with one good point beside the axis,
// good points of the enemy alone, stones without any.
const testShapes = `
term t-ponnuki
name  T ponnuki | 測試開花 | 测试开花 | テストポンヌキ | 시험빵때림
form  shape

shape t-ponnuki-1
terms t-ponnuki
draw
  _ O _
  O . O
  _ O _

term t-hane
name T hane | 測試扳 | 测试扳 | テストハネ | 시험젖힘
alias bend of tests

shape t-hane-1
terms t-hane
ours a
draw
  _ _ _ _ _
  _ . a _ _
  _ O X _ _
  _ _ _ _ _

shape t-hane-2
terms t-hane
ours a b
draw
  a X b
  . O .

shape t-hane-edge
terms t-hane
theirs a
draw
  X a .
  O O *
  # # #

term t-triangle
name T empty triangle | 測試空三角 | 测试空三角 | テストアキ三角 | 시험빈삼각
form shape

shape t-triangle-1
terms t-triangle
purpose avoid
ours a
draw
  O .
  O a

shape t-place-side
terms t-place
ours a
place 30
draw
  . a .
  . X .

shape t-place-corner
terms t-place
ours a b
place 23
draw
  a . .
  . O b

shape t-any
terms t-set
ours a
draw
  {O.#} a {X#}
  _ O *
`

// randomGo returns games of Go whose moves are random, near to others.
func randomGo(t *testing.T, spec string, n, moves int) (list []*record.Game) {
	t.Helper()
	rules, err := builtin.Games().Find(spec)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(11, uint64(n)))
	for i := range n {
		g := &record.Game{Kind: rules.Info().Name, Variant: rules.Info().Variant}
		g.Facts.Players[0].Name = fmt.Sprintf("%s game %d", spec, i)
		at := g.Add(0, record.Unstated, "")
		pos := rules.Start()
		size := rules.Geometry().Size
		last := board.At(rng.IntN(size.W), rng.IntN(size.H))
		for range moves {
			to := board.At(max(0, min(size.W-1, last.X()+rng.IntN(5)-2)), max(0, min(size.H-1, last.Y()+rng.IntN(5)-2)))
			m := game.Drop(to)
			if pos.Play(m) != nil {
				last = board.At(rng.IntN(size.W), rng.IntN(size.H))
				continue
			}
			at = g.Add(at, record.Unstated, rules.Geometry().Name(to))
			if last = to; rng.IntN(8) == 0 {
				last = board.At(rng.IntN(size.W), rng.IntN(size.H))
			}
		}
		list = append(list, g)
	}
	return list
}

// watched is a game with all of its boards.
type watched struct {
	*record.Played
	boards []*window.Windows
}

func watch(t *testing.T, p *record.Played) *watched {
	t.Helper()
	w := &watched{Played: p}
	for ply := range len(p.Steps) + 1 {
		pos, err := record.At(p, ply)
		if err != nil {
			t.Fatal(err)
		}
		planes := pos.(*weiqi.Position).Planes()
		w.boards = append(w.boards, window.NewWindows(planes.Size))
		w.boards[ply].Reset(planes)
	}
	return w
}

// occurs tells in which games a shape occurs, by a look at every position with
// the matcher: surely, and possibly. The two differ where stones of the shape
// were captured by a move elsewhere before the good point was played: the moves
// behind a board are the next ones in its region, whatever became of the stones.
func occurs(t *testing.T, e *kb.Entry, stones bool, p *watched) (sure, maybe bool) {
	t.Helper()
	good, by := e.Ours, game.First
	if len(good) == 0 {
		good, by = e.Theirs, game.Second
	}
	shape := e.Shape()
	if stones && e.Avoids() {
		shape.Cells = slices.Clone(shape.Cells)
		for _, at := range good {
			shape.Cells[int(at.Y)*e.Size.W+int(at.X)] = kb.Own
		}
	}
	set, err := window.Compile([]window.Shape{shape}, window.Options{})
	if err != nil {
		t.Fatal(err)
	}
	type want struct {
		at   board.Point
		side game.Side
	}
	wanted := map[want]bool{} // points that stood open once
	for ply := 0; ply <= len(p.Steps); ply++ {
		now := map[want]bool{}
		for _, h := range set.AppendHits(nil, p.boards[ply]) {
			if stones || len(good) == 0 {
				return true, true
			}
			for _, s := range good {
				side := by
				if h.Symmetry.Swap {
					side = side.Opponent()
				}
				x := want{h.Point(e.Size, int(s.X), int(s.Y)), side}
				now[x], wanted[x] = true, true
			}
		}
		if ply < len(p.Steps) {
			step := p.Steps[ply]
			x := want{step.Move.To(), step.Side}
			sure, maybe = sure || now[x], maybe || wanted[x]
		}
	}
	return sure, maybe
}

// TestNamedShapes: what the names of shapes find, in every language and by every
// name, is what a look at all positions tells.
func TestNamedShapes(t *testing.T) {
	var games []*record.Game
	games = append(games, randomGo(t, "go:9x9", 60, 50)...)
	games = append(games, randomGo(t, "go", 25, 90)...)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "test.shapes"), []byte(testShapes), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true, Shapes: []string{folder}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	played := map[uint32]*watched{}
	for _, g := range games {
		p := referee.Play(g)
		added, err := l.Records().Add(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		played[added.ID] = watch(t, p)
	}
	base := l.Knowledge().Shapes().Base
	for _, f := range base.Faults {
		t.Error(f)
	}
	names := map[string][]string{
		"t-ponnuki": {"t-ponnuki-1"}, "T Ponnuki": {"t-ponnuki-1"}, "テストポンヌキ": {"t-ponnuki-1"}, "測試開花": {"t-ponnuki-1"}, "시험빵때림": {"t-ponnuki-1"},
		"t-hane-1": {"t-hane-1"}, "t-hane-2": {"t-hane-2"}, "t-hane-edge": {"t-hane-edge"}, "テストハネ": {"t-hane-1", "t-hane-2", "t-hane-edge"},
		"bend of tests": {"t-hane-1", "t-hane-2", "t-hane-edge"}, "시험빈삼각": {"t-triangle-1"}, "t-place-side": {"t-place-side"}, "t-place-corner": {"t-place-corner"}, "t-any": {"t-any"},
	}
	forms := map[string]kb.Form{} // of terms; a shape alone is found as its main term is
	for i := range base.Terms {   // those that are shipped
		t := &base.Terms[i]
		list := base.Of(t.ID)
		written := slices.DeleteFunc(slices.Clone(list), func(e *kb.Entry) bool { return e.Origin == kb.Mined })
		if t.File != "" && strings.HasPrefix(t.File, "shipped/") && len(written) > 0 && slices.Contains([]string{"ponnuki", "hane", "bamboo-joint", "empty-triangle", "self-atari"}, t.ID) {
			forms[t.Names.Ja] = t.Form
			for _, e := range written {
				// Of stones with a name, those that are drawn without good points.
				if (len(e.Ours)+len(e.Theirs) == 0) == (t.Form == kb.Stones) {
					names[t.Names.Ja] = append(names[t.Names.Ja], e.ID)
				}
			}
		}
	}
	exact, loose := 0, 0
	for name, ids := range names {
		some := false
		for _, spec := range []string{"go:9x9", "go"} {
			reply := mustAsk(t, l, ask.Question{Text: query.Named{Name: name}.String(), Game: spec})
			if len(reply.Hints) > 0 {
				continue // too many shapes for one question
			}
			size := reply.Kinds[0].Board.Size
			for id, p := range played {
				if p.Rules.Geometry().Size != size {
					continue
				}
				var sure, maybe bool
				for _, s := range ids {
					e := base.Entry(s)
					form, byTerm := forms[name]
					if term := base.Term(e.Terms[0]); !byTerm && term != nil {
						form = term.Form
					}
					x, y := occurs(t, e, form == kb.Stones, p)
					sure, maybe = sure || x, maybe || y
				}
				found := reply.Found.Contains(id)
				if found && !maybe || !found && sure {
					t.Errorf("%s (%v) in %s: found %v, and it is %v", name, ids, p.Game.Facts.Players[0].Name, found, sure)
				}
				if exact++; sure != maybe {
					loose++
				}
			}
			some = some || !reply.Found.IsEmpty()
		}
		if !some {
			t.Errorf("%s finds nothing: the test tests nothing", name)
		}
	}
	t.Logf("%d answers, %d of them with stones captured in between", exact, loose)
	if loose*10 > exact {
		t.Errorf("%d of %d answers are not known exactly", loose, exact)
	}
}

const ownCut = `shape own-cut
terms own-term
name Own cut
purpose cut
ours a
draw
  X O
  a X

check own-cut yes
  . X O
  . a X
`

func parseShape(t *testing.T, text string) *kb.File {
	t.Helper()
	f, err := knowledge.ParseShape("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestOwnShapes: shapes of the library lie above all others, are kept in readable
// files of which everything else stays as it was, and travel with backups. A file
// that is broken harms nothing else.
func TestOwnShapes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "library")
	l, err := qipu.Open(t.Context(), dir, qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	before := l.Knowledge().Shapes()
	if before != l.Knowledge().Shapes() {
		t.Error("nothing has changed, and the shapes were read again")
	}
	if err := l.Knowledge().SaveShapes(t.Context(), parseShape(t, ownCut)); err != nil {
		t.Fatal(err)
	}
	now := l.Knowledge().Shapes()
	e := now.Base.Entry("own-cut")
	if e == nil || now.Version == before.Version || len(now.Base.Entries) != len(before.Base.Entries)+1 || now.Layer("own-cut") != knowledge.LibraryLayer || len(now.Checks("own-cut")) != 1 {
		t.Fatalf("%+v", e)
	}
	if before.Base.Entry("own-cut") != nil {
		t.Error("a base that somebody holds was changed")
	}
	if fails := e.Fails(now.Checks("own-cut")[0]); fails != "" {
		t.Error(fails)
	}
	// A person edits the file, and the program changes another block of it.
	file := filepath.Join(dir, "shapes", "own-term.shapes")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const mine = "// on my own\n\n// the other one\nshape my-other\nterms own-term\nours b\ndraw\n  O b O\n\n"
	if err := os.WriteFile(file, []byte(mine+"// above it\n"+string(text)+"\nshape broken\ndraw\n  O ! O\n\nterm own-term\nname Mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if now = l.Knowledge().Shapes(); now.Base.Entry("my-other") == nil || now.Base.Entry("own-cut") == nil || len(now.Base.Faults) != 1 || now.Base.Faults[0].File != "library/own-term.shapes" {
		t.Errorf("%v", now.Base.Faults)
	}
	found, _, err := l.Records().Check(t.Context(), false, nil)
	if err != nil || len(found) != 1 || found[0].What != library.ShapeProblem || !strings.HasPrefix(found[0].Name, "own-term.shapes line ") {
		t.Errorf("doctor: %+v, %v", found, err)
	}
	changed := strings.Replace(ownCut, "purpose cut", "purpose cut press", 1)
	for range 2 { // the second time nothing changes
		if err := l.Knowledge().SaveShapes(t.Context(), parseShape(t, changed)); err != nil {
			t.Fatal(err)
		}
		text, _ = os.ReadFile(file)
		if got := string(text); !strings.HasPrefix(got, mine) || !strings.Contains(got, "cut press") || strings.Count(got, "own-cut") != 2 || !strings.Contains(got, "O ! O") || !strings.HasSuffix(got, "term own-term\nname Mine\n") {
			t.Errorf("the file is now\n%s", got)
		}
	}
	// Backups have it, and what is restored from them.
	backup := filepath.Join(t.TempDir(), "backup")
	if err := l.Records().Keeper().Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	restored := filepath.Join(t.TempDir(), "restored")
	if err := shard.Restore(t.Context(), backup, restored, shard.Options{Games: builtin.Games()}); err != nil {
		t.Fatal(err)
	}
	r, err := qipu.Open(t.Context(), restored, qipu.Options{ReadOnly: true, Shapes: []string{filepath.Join(dir, "nowhere")}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if s := r.Knowledge().Shapes(); s.Base.Entry("own-cut") == nil || s.Base.Entry("own-cut").Purpose != kb.Cut|kb.Press || s.Base.Entry("my-other") == nil || len(s.Base.Faults) != 2 {
		t.Errorf("restored: %v", s.Base.Faults)
	}
	// One that is open for reading only is opened for writing for that while.
	if err := r.Knowledge().DeleteShape(t.Context(), "own-cut"); err != nil {
		t.Fatal(err)
	}
	if s := r.Knowledge().Shapes(); s.Base.Entry("own-cut") != nil || len(s.Checks("own-cut")) != 0 || s.Base.Entry("my-other") == nil {
		t.Error("it is still there")
	}
	if err := r.Knowledge().DeleteShape(t.Context(), "own-cut"); !errors.Is(err, knowledge.ErrNotOwn) {
		t.Errorf("deleted twice: %v", err)
	}
	if err := r.Knowledge().DeleteShape(t.Context(), "paper-figure-17"); !errors.Is(err, knowledge.ErrNotOwn) {
		t.Errorf("deleted a shipped one: %v", err)
	}
}

// TestSaveShapes: many are kept at once, each in the file that has it; what cannot
// be kept leaves everything as it was.
func TestSaveShapes(t *testing.T) {
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dir := filepath.Join(l.Records().Dir(), "shapes")
	write := func(name, text string) {
		if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	// Editors of Windows write a mark before the first block, and end lines otherwise.
	write("first.shapes", "\ufeffshape one\r\nurgency 1\r\ndraw\r\n  O X .\r\n")
	write("second.shapes", "shape two\nurgency 1\ndraw\n  O X X .\n\nshape rest\nurgency 1\ndraw\n  O X X X .\n")
	text := "shape one\nurgency 2\ndraw\n  O X .\n\nshape two\nurgency 2\ndraw\n  O X X .\n\nshape three\nterms cut\nurgency 2\ndraw\n  O X O .\n\ncheck three yes\n  O X O .\n"
	if err := l.Knowledge().SaveShapes(t.Context(), kb.Parse("test", []byte(text))); err != nil {
		t.Fatal(err)
	}
	s := l.Knowledge().Shapes()
	for _, want := range []struct {
		id, file string
		urgency  kb.Urgency
	}{{"one", "first", 2}, {"two", "second", 2}, {"rest", "second", 1}, {"three", "cut", 2}} {
		if e := s.Base.Entry(want.id); e == nil || e.File != "library/"+want.file+".shapes" || e.Urgency != want.urgency {
			t.Errorf("%+v: %+v", want, e)
		}
	}
	if len(s.Base.Faults) > 0 || len(s.Checks("three")) != 1 {
		t.Errorf("%v, %d checks", s.Base.Faults, len(s.Checks("three")))
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	// A file that is too large to be read must not be written over.
	large := strings.Repeat("// much\n", kb.MaxFile/8+1)
	write("own.shapes", large)
	if err := l.Knowledge().SaveShapes(t.Context(), kb.Parse("test", []byte("shape four\nurgency 2\ndraw\n  O X O X\n"))); err == nil {
		t.Error("kept in a file that cannot be read")
	}
	if now, err := os.ReadFile(filepath.Join(dir, "own.shapes")); err != nil || string(now) != large {
		t.Errorf("the file has %d bytes, %v", len(now), err)
	}
	for name, text := range map[string]string{
		"none":            "term t\nname T\n",
		"two of one name": "shape same\nurgency 2\ndraw\n  O X\n\nshape same\nurgency 2\ndraw\n  O X X\n",
	} {
		if err := l.Knowledge().SaveShapes(t.Context(), kb.Parse("test", []byte(text))); !errors.Is(err, knowledge.ErrShape) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestShapeAbove: a shape takes the place of one with the same id below, whose
// fixtures no longer count, and gives it back.
func TestShapeAbove(t *testing.T) {
	l := askLibrary(t)
	below := l.Knowledge().Shapes().Base.Entry("paper-figure-17")
	drawn := strings.Replace(strings.Replace(ownCut, "own-cut", "paper-figure-17", -1), "own-term", "cut", 1)
	if err := l.Knowledge().SaveShapes(t.Context(), parseShape(t, drawn)); err != nil {
		t.Fatal(err)
	}
	s := l.Knowledge().Shapes()
	if e := s.Base.Entry("paper-figure-17"); e.Size.W != 2 || s.Layer(e.ID) != knowledge.LibraryLayer || len(s.Checks(e.ID)) != 1 {
		t.Errorf("%v in %s, %d checks", e.Size, s.Layer(e.ID), len(s.Checks(e.ID)))
	}
	if err := l.Knowledge().DeleteShape(t.Context(), "paper-figure-17"); err != nil {
		t.Fatal(err)
	}
	if e := l.Knowledge().Shapes().Base.Entry("paper-figure-17"); e.Size != below.Size || l.Knowledge().Shapes().Layer(e.ID) != knowledge.ShippedLayer {
		t.Errorf("%v", e.Size)
	}
	for _, text := range []string{"", "shape x\n", ownCut + "\n" + strings.Replace(ownCut, "own-cut", "two", -1), ownCut + "\ncheck other no\n  O\n"} {
		if _, err := knowledge.ParseShape("test", text); err == nil {
			t.Errorf("%q is a shape", text)
		}
	}
}

// TestShapeTasks: tasks are repeatable, and every answer is a good point of a
// shape that stands there.
func TestShapeTasks(t *testing.T) {
	s := knowledge.LoadShapes()
	all := func(*kb.Entry) bool { return true }
	tasks := s.Tasks(all, 50, 7)
	again := s.Tasks(all, 50, 7)
	for i, task := range tasks {
		if again[i].Entry != task.Entry || !slices.Equal(again[i].Cells, task.Cells) {
			t.Errorf("%s, and %s the second time", task.Entry.ID, again[i].Entry.ID)
		}
		if len(task.Answer) == 0 || len(task.Cells) != task.Size.Area() {
			t.Errorf("%s has no answer", task.Entry.ID)
		}
		for _, at := range task.Answer {
			if task.Cells[int(at.Y)*task.Size.W+int(at.X)] != pattern.Empty {
				t.Errorf("%s: the answer %v is no empty point", task.Entry.ID, at)
			}
		}
	}
}

// TestShapeNames: a saved query comes before a shape of the same name; a word by
// itself is no shape, but told to be one; names are offered and corrected.
func TestShapeNames(t *testing.T) {
	l := askLibrary(t, randomGo(t, "go:9x9", 6, 60)...)
	own := strings.Replace(ownCut, "name Own cut", "name Own cut | 自己之斷 | 自己之断 | 自分のキリ | 나의끊음", 1)
	if err := l.Knowledge().SaveShapes(t.Context(), parseShape(t, "term own-term\nname Own term\n\n"+own)); err != nil {
		t.Fatal(err)
	}
	shape := mustAsk(t, l, ask.Question{Text: "named:自分のキリ"})
	if _, ok := shape.Bound.(*query.Shape); !ok || shape.Games == 0 {
		t.Fatalf("%v finds %d games", shape.Bound, shape.Games)
	}
	word := mustAsk(t, l, ask.Question{Text: "나의끊음"})
	if len(word.Hints) == 0 || !strings.Contains(word.Hints[0], "named:나의끊음") {
		t.Errorf("hints %q", word.Hints)
	}
	if _, ok := word.Bound.(*query.Shape); ok {
		t.Error("a word by itself was taken for a shape")
	}
	_, err := l.Ask(t.Context(), &ask.Question{Text: "named:own-cux"})
	if err == nil || !strings.Contains(err.Error(), "own cut") {
		t.Errorf("%v", err)
	}
	offered := l.Search().Completer(t.Context()).Names("named", "own t", 5)
	if !slices.Equal(offered, []string{"Own term"}) {
		t.Errorf("offered %q", offered)
	}
	if offered = l.Search().Completer(t.Context()).Names("named", "自分のキ", 5); !slices.Equal(offered, []string{"自分のキリ"}) {
		t.Errorf("offered %q", offered)
	}
	// A query of the user's with the name.
	reply := mustAsk(t, l, ask.Question{Text: "moves>1", Game: "go:9x9"})
	if _, err := l.Search().Save(t.Context(), "own cut", "", reply); err != nil {
		t.Fatal(err)
	}
	if saved := mustAsk(t, l, ask.Question{Text: `named:"own cut"`}); saved.Games != reply.Games {
		t.Errorf("%d games, and the saved query has %d", saved.Games, reply.Games)
	}
	if _, err := l.Ask(t.Context(), &ask.Question{Text: "named:own-cut", Game: "othello"}); err == nil {
		t.Error("a shape of Go was found in Othello")
	}
}
