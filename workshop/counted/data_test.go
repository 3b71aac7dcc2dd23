package counted_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/game/weiqi/life"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/workshop/counted"
)

func read(t testing.TB, paths ...string) []*counted.Board {
	t.Helper()
	list, err := counted.Read(context.Background(), ingest.Options{Formats: builtin.Formats(), Games: builtin.Games()}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// tables reads the tables that come with the shared boards, by the name of the
// board and the title of the column.
func tables(t *testing.T, archive string) map[string]map[string]string {
	all := map[string]map[string]string{}
	for name, data := range testkit.Archive(t, testkit.Games(t, archive)) {
		if !strings.HasSuffix(name, ".tsv") {
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		titles := strings.Split(lines[0], "\t")
		for _, line := range lines[1:] {
			row := map[string]string{}
			for i, cell := range strings.Split(line, "\t") {
				row[titles[i]] = strings.TrimSpace(cell)
			}
			all[row["file"]] = row
		}
	}
	return all
}

// TestShared reads all shared boards and holds every count against the tables
// that come with them, and the score by the labels against the record.
func TestShared(t *testing.T) {
	path := testkit.Games(t, "go-testsets/counted.tar.gz")
	want := tables(t, "go-testsets/counted.tar.gz")
	strings, taken, games := 0, 0, 0
	var b life.Board
	for _, c := range read(t, path) {
		row := want[c.Name]
		if row == nil || !c.Labelled {
			t.Errorf("%s: labelled %v, in a table %v", c.Name, c.Labelled, row != nil)
			continue
		}
		delete(want, c.Name)
		b.Reset(c.Setup.Board)
		dead := 0
		for i := range b.Strings {
			if c.Taken.Has(b.Strings[i].Head.Point()) {
				dead++
			}
		}
		owners := [4]int{}
		for p := range b.Size.Points() {
			owners[c.Owner[p]]++
		}
		equal := func(title string, got int) {
			if text, ok := row[title]; ok && text != strconv.Itoa(got) {
				t.Errorf("%s: %s is %d, want %s", c.Name, title, got, text)
			}
		}
		equal("strings", len(b.Strings))
		equal("dead_strings", dead)
		equal("dead_strings_gnugo", dead)
		equal("black_points", owners[life.OwnedByBlack])
		equal("white_points", owners[life.OwnedByWhite])
		equal("neutral_points", owners[life.Neutral])
		equal("neutral_points_gnugo", owners[life.Neutral])
		if row["result"] == "" {
			continue
		}
		games++
		strings += len(b.Strings)
		taken += dead
		if !c.Counted || c.Lead() != c.Result {
			t.Errorf("%s: the labels count %d half points for Black, the record says %s", c.Name, c.Lead(), row["result"])
		}
	}
	for name := range want {
		t.Errorf("%s was not read", name)
	}
	if !testkit.Shared() {
		return // the boards of the corpus have no results
	}
	if games != 517 || strings != 20072 || taken != 4007 {
		t.Errorf("%d games with %d strings, %d of them dead; want 517, 20072, 4007", games, strings, taken)
	}
}

// TestMarks labels the shared games by the marks of their records alone: they say
// the same as the files beside them.
func TestMarks(t *testing.T) {
	path := testkit.Data(t, "go-testsets/counted.tar.gz")
	byFile := map[string]*counted.Board{}
	for _, b := range read(t, path) {
		byFile[b.Name] = b
	}
	games := 0
	o := ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), Sink: sink(func(p *record.Played) error {
		b, err := counted.FromRecord(p)
		if err != nil || !b.Labelled {
			return err
		}
		games++
		if other := byFile[b.Name]; other == nil || b.Owner != other.Owner || b.Taken != other.Taken {
			t.Errorf("%s: the marks say something else than the file beside it", b.Name)
		}
		return nil
	})}
	if _, err := ingest.Run(context.Background(), o, path); err != nil {
		t.Fatal(err)
	}
	if games != 517 {
		t.Errorf("%d records with marks, want 517", games)
	}
}

type sink func(*record.Played) error

func (f sink) Add(_ context.Context, p *record.Played) error { return f(p) }
