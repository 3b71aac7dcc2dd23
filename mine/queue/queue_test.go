package queue_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qipu"
	"qipu/builtin"
	"qipu/library"
	"qipu/library/ask"
	"qipu/mine/queue"
	"qipu/pattern/relation/syntax"
	"qipu/record"
)

func finding(title string) queue.Finding {
	return queue.Finding{Kind: "rule", Game: "othello 8x8", Among: "game:othello", At: "ply:20", Title: title, Sentence: title + " scores more", Query: "game:othello", Games: 9, Q: .01, Samples: []queue.Place{{Record: 1, Ply: 20}}, Day: "2026-01-31"}
}

// TestKappa holds agreement against a table that Cohen's measure is usually shown with.
func TestKappa(t *testing.T) {
	q := &queue.Queue{}
	n := 0
	for _, cell := range []struct {
		a, b string
		n    int
	}{{queue.Accept, queue.Accept, 20}, {queue.Accept, queue.Reject, 5}, {queue.Reject, queue.Accept, 10}, {queue.Reject, queue.Reject, 15}} {
		for range cell.n {
			f := finding(fmt.Sprint("finding ", n))
			n++
			if fresh, err := q.Add(f); err != nil || !fresh {
				t.Fatal(fresh, err)
			}
			id := q.Findings[len(q.Findings)-1].ID
			for reader, says := range map[string]string{"a": cell.a, "b": cell.b} {
				if _, err := q.Judge(id, queue.Verdict{Reader: reader, Says: says, Reason: "why"}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	list := q.Agreements()
	if len(list) != 1 || list[0].Findings != 50 || math.Abs(list[0].Same-.7) > 1e-9 || math.Abs(list[0].Chance-.5) > 1e-9 || math.Abs(list[0].Kappa-.4) > 1e-9 {
		t.Errorf("%+v", list)
	}
	states := map[string]int{}
	for i := range q.Findings {
		states[q.Findings[i].State()]++
	}
	if states[queue.Accepted] != 20 || states[queue.Disputed] != 15 || states[queue.Rejected] != 15 {
		t.Error(states)
	}
	if fresh, err := q.Add(finding("finding 0")); fresh || err != nil || len(q.Findings[0].Verdicts) != 2 {
		t.Error("a finding that is found again loses its verdicts", fresh, err)
	}
}

func TestRefused(t *testing.T) {
	q := &queue.Queue{}
	if _, err := q.Add(finding("x")); err != nil {
		t.Fatal(err)
	}
	id := q.Findings[0].ID
	for _, c := range []struct {
		id   string
		v    queue.Verdict
		want error
	}{
		{"nothing", queue.Verdict{Reader: "a", Says: queue.Accept}, queue.ErrNone},
		{id, queue.Verdict{Reader: "a", Says: "yes"}, queue.ErrVerdict},
		{id, queue.Verdict{Reader: " ", Says: queue.Accept}, queue.ErrVerdict},
		{id, queue.Verdict{Reader: "a\nb", Says: queue.Accept}, queue.ErrVerdict},
		{id, queue.Verdict{Reader: "a", Says: queue.Reject}, queue.ErrVerdict},
		{id, queue.Verdict{Reader: "a", Says: queue.Reject, Reason: strings.Repeat("x", 2000)}, queue.ErrVerdict},
	} {
		if _, err := q.Judge(c.id, c.v); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c.v, err)
		}
	}
	if err := q.Drop(id[:4]); err != nil || len(q.Findings) != 0 {
		t.Error(err)
	}
}

// TestKept keeps a queue in a library: verdicts, an entry, a backup that has it all, and
// a file that cannot be read, which is left as it is.
func TestKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "library")
	l, err := qipu.Open(t.Context(), dir, qipu.Options{Games: builtin.Games(), Formats: builtin.Formats(), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	lib := l.Records()
	var id string
	err = queue.Change(t.Context(), lib, func(q *queue.Queue) error {
		_, err := q.Add(finding("corner"))
		id = q.Findings[0].ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := queue.Enter(t.Context(), lib, l.Search(), id, queue.Entry{}, "2026-02-01"); !errors.Is(err, queue.ErrNotYet) {
		t.Error("what nobody has accepted became an entry:", err)
	}
	for _, reader := range []string{"anna", "ben"} {
		err := queue.Change(t.Context(), lib, func(q *queue.Queue) error {
			f, err := q.Judge(id[:5], queue.Verdict{Reader: reader, Says: queue.Accept, Day: "2026-02-01"})
			if err == nil && f.Ripe() != (reader == "ben") {
				t.Error(reader, "ripe:", f.Ripe())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	name, err := queue.Enter(t.Context(), lib, l.Search(), id, queue.Entry{}, "2026-02-01")
	if err != nil || name != "corner" {
		t.Fatal(name, err)
	}
	saved, err := l.Search().SavedQuery(t.Context(), "corner")
	if err != nil || !strings.Contains(saved.Note, "corner scores more. Found on 2026-01-31") || !strings.Contains(saved.Note, "Accepted by anna, ben; entered on 2026-02-01") {
		t.Errorf("%+v %v", saved, err)
	}
	to := filepath.Join(t.TempDir(), "backup")
	if err := lib.Keeper().Backup(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	restored := filepath.Join(t.TempDir(), "restored")
	if err := library.Restore(t.Context(), to, restored, builtin.Games()); err != nil {
		t.Fatal(err)
	}
	again, err := qipu.Open(t.Context(), restored, qipu.Options{Games: builtin.Games(), Formats: builtin.Formats()})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	q, err := queue.Read(again.Records())
	if err != nil || len(q.Findings) != 1 || q.Findings[0].Entry != "corner" || len(q.Findings[0].Verdicts) != 2 {
		t.Errorf("%+v %v", q, err)
	}
	path := filepath.Join(restored, "shapes", "queue.findings")
	if err := os.WriteFile(path, []byte("{}\nnothing\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	err = queue.Change(t.Context(), again.Records(), func(*queue.Queue) error { return nil })
	if data, _ := os.ReadFile(path); err == nil || !strings.Contains(err.Error(), "line 1") || string(data) != "{}\nnothing\n" {
		t.Errorf("%q %v", data, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"id":"1","sentence":"x"}`)
	f.Fuzz(func(t *testing.T, text string) { // what is read is written and read the same
		once, err := queue.Parse([]byte(text))
		if err != nil {
			return
		}
		lines, err := once.Lines()
		if err != nil {
			t.Fatal(err)
		}
		twice, err := queue.Parse(lines)
		if err != nil || len(twice.Findings) != len(once.Findings) {
			t.Fatal(err, len(once.Findings), len(twice.Findings))
		}
	})
}

// TestEntries makes of findings what they may become: a note on names, a pattern of those
// that stand together, a pattern and a shape with texts; and what they may not.
func TestEntries(t *testing.T) {
	l, err := qipu.Open(t.Context(), filepath.Join(t.TempDir(), "library"), qipu.Options{Games: builtin.Games(), Formats: builtin.Formats(), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	g := &record.Game{Kind: "xiangqi"}
	at := int32(0)
	for _, move := range []string{"h2e2", "h9g7", "h0g2", "i9h9", "i0h0"} {
		at = g.Add(at, record.Unstated, move)
	}
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	if _, err := l.Records().AddAll(t.Context(), []*record.Played{referee.Play(g)}); err != nil {
		t.Fatal(err)
	}
	own := syntax.Parse("own", []byte("pattern own-cannon\nname Own cannon\nlet c = our cannon on file 5\n\npattern own-horse\nname Own horse\nlet h = our horse on rank 3\n\npattern own-chariot\nname Own chariot\nlet r = our chariot on 5.5\n"))
	if err := l.Knowledge().SavePatterns(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	add := func(title string, sides []int, names ...string) string {
		t.Helper()
		f := finding(title)
		f.Game, f.Among, f.Query, f.Names, f.Sides = "xiangqi 9x10", "game:xiangqi", "game:xiangqi", names, sides
		f.Identify()
		err := queue.Change(t.Context(), l.Records(), func(q *queue.Queue) error {
			if _, err := q.Add(f); err != nil {
				return err
			}
			_, err := q.Judge(f.ID, queue.Verdict{Reader: "anna", Says: queue.Accept})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return f.ID
	}
	enter := func(id string, e queue.Entry) (string, error) {
		return queue.Enter(t.Context(), l.Records(), l.Search(), id, e, "2026-02-01")
	}
	both := add("Cannon with horse", []int{0, 0}, "own-cannon", "own-horse")
	never := add("Cannon with chariot", []int{0, 0}, "own-cannon", "own-chariot")
	for want, x := range map[string]struct {
		id string
		e  queue.Entry
	}{
		"none of the games":       {never, queue.Entry{As: queue.AsPattern}},
		"is of one side":          {add("Two sides", []int{0, 1}, "own-cannon", "own-horse"), queue.Entry{As: queue.AsPattern}},
		"no pattern of pieces":    {add("Something else", []int{0, 0}, "own-cannon", "hane"), queue.Entry{As: queue.AsPattern}},
		"is a pattern already":    {add("One", []int{0}, "own-cannon"), queue.Entry{As: queue.AsPattern}},
		"nothing that has a name": {add("No name", nil), queue.Entry{As: queue.AsNote}},
		"needs its text":          {both, queue.Entry{As: queue.AsShape}},
		"it is not one shape":     {both, queue.Entry{As: queue.AsShape, Text: "term x\n"}},
		"is to have one":          {both, queue.Entry{As: queue.AsPattern, Text: "// nothing\n"}},
		"there is a pattern":      {both, queue.Entry{As: queue.AsPattern, Text: "pattern own-horse\nlet h = our horse\n"}},
		"findings become one of":  {both, queue.Entry{As: "song"}},
	} {
		if _, err := enter(x.id, x.e); !errors.Is(err, queue.ErrEntry) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if p := l.Knowledge().Patterns().Base.Pattern("own-cannon-with-own-chariot"); p != nil {
		t.Error("a pattern that stands nowhere was kept")
	}
	if name, err := enter(both, queue.Entry{As: queue.AsPattern}); err != nil || name != "own-cannon-with-own-horse" {
		t.Fatal(name, err)
	}
	p := l.Knowledge().Patterns().Base.Pattern("own-cannon-with-own-horse")
	if p == nil || p.Names.En != "Cannon with horse" || !strings.Contains(p.Note, "Found on 2026-01-31") || !strings.Contains(p.Note, "Accepted by anna") || !strings.Contains(p.Note, "at once in 1 games") {
		t.Errorf("%+v", p)
	}
	if reply, err := l.Ask(t.Context(), &ask.Question{Text: "named.red:own-cannon-with-own-horse"}); err != nil || reply.Games != 1 {
		t.Errorf("%v %v", reply, err)
	}
	if name, err := enter(never, queue.Entry{As: queue.AsNote}); err != nil || name != "own-cannon, own-chariot" {
		t.Error(name, err)
	}
	written := add("Written", []int{0}, "own-horse")
	if name, err := enter(written, queue.Entry{As: queue.AsPattern, Text: "pattern written\nname Written\nnote Mine.\nlet h = our horse on rank 3\n"}); err != nil || name != "written" {
		t.Error(name, err)
	}
	if p := l.Knowledge().Patterns().Base.Pattern("written"); p == nil || !strings.HasPrefix(p.Note, "Mine. Written scores more. Found on") {
		t.Errorf("%+v", p)
	}
	shape := add("Shape", []int{0}, "hane")
	if name, err := enter(shape, queue.Entry{As: queue.AsShape, Text: "shape own-wall\nname Own wall\ndraw\n . . .\n X X X\n . . .\n"}); err != nil || name != "own-wall" {
		t.Error(name, err)
	}
	if e := l.Knowledge().Shapes().Base.Entry("own-wall"); e == nil || !strings.Contains(e.Note, "Accepted by anna; entered on 2026-02-01") {
		t.Errorf("%+v", e)
	}
	q, err := queue.Read(l.Records())
	if err != nil {
		t.Fatal(err)
	}
	if list := q.About("xiangqi", "own-cannon"); len(list) != 2 || list[0].As != queue.AsPattern || list[1].As != queue.AsNote {
		t.Errorf("%d findings are about the cannon", len(list))
	}
	if list := q.About("chess", "own-cannon"); len(list) != 0 {
		t.Errorf("%d findings of another game", len(list))
	}
}
