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
	"qipu/mine/queue"
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
	if _, err := queue.Enter(t.Context(), lib, l.Search(), id, "", "2026-02-01"); !errors.Is(err, queue.ErrNotYet) {
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
	name, err := queue.Enter(t.Context(), lib, l.Search(), id, "", "2026-02-01")
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
