//qipu:race

package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"qipu/record"
)

// told is all that a run hands on, as text.
type told struct {
	lines []string
	stop  int // after so many records; 0: never
}

var errStop = errors.New("stop")

func (s *told) Add(_ context.Context, p *record.Played) error {
	s.lines = append(s.lines, fmt.Sprintf("%s %d %d steps", p.Game.Place.File, p.Game.Place.Number, len(p.Steps)))
	if s.stop--; s.stop == 0 {
		return errStop
	}
	return nil
}

// TestTrack states the law of tracks: a run that is stopped after any record and
// gone on with hands on, and counts, what one that never stops does. Names are
// those of Options.Names throughout.
func TestTrack(t *testing.T) {
	dir := t.TempDir()
	var members []member
	for i := range 5 {
		data := []byte("lines\n" + strings.Repeat("f5 d6 c3\nbad\nf5 f5\n", 1+i*7%4))
		put(t, dir, fmt.Sprintf("%d.lines", i), data)
		members = append(members, member{fmt.Sprintf("%d.lines", i), data})
	}
	members = append(members, member{"nothing", nil})
	put(t, dir, "5.tar.gz", gz(tarOf(t, members...)))
	put(t, dir, "6.dat", gz(tarOf(t, members...))) // packed under a name that does not say so
	put(t, dir, "7.zip", zipOf(t, members...))
	put(t, dir, "8.lines", []byte("lines\nbad\nbad\n"))

	run := func(s *told, track *Track) (*Report, error) {
		o := options(s)
		o.Track = track
		o.Names = func(path string) string { return "mine/" + filepath.Base(path) }
		o.OnFaultBytes = func(f *record.Fault, at []byte) { s.lines = append(s.lines, fmt.Sprintf("%v %.5q", f, at)) }
		return Run(t.Context(), o, dir)
	}
	whole := &told{}
	end := new(Track)
	want, err := run(whole, end)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(whole.lines, "\n")
	if strings.Contains(text, dir) || !strings.Contains(text, "mine/5.tar.gz!3.lines") || !strings.Contains(text, "mine/6.dat!3.lines") || !strings.Contains(text, `"lines"`) {
		t.Fatalf("names or bytes are wrong:\n%s", text)
	}
	for n := 1; n < want.Games; n += 3 {
		// Stopped twice, and each time kept as text in between.
		track := new(Track)
		all := &told{}
		for range 2 {
			all.stop = n
			if _, err := run(all, track); !errors.Is(err, errStop) && err != nil {
				t.Fatalf("%d: %v", n, err)
			}
			data, err := json.Marshal(track.Clone())
			if err != nil {
				t.Fatal(err)
			}
			track = new(Track)
			if err := json.Unmarshal(data, track); err != nil {
				t.Fatal(err)
			}
		}
		all.stop = 0
		got, err := run(all, track)
		if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || strings.Join(all.lines, "\n") != text || track.Events != end.Events || track.Sum != end.Sum {
			t.Fatalf("stopped every %d records:\n%+v\n%+v\n%s", n, got, want, strings.Join(all.lines, "\n"))
		}
	}

	// Other files are told from those that were read.
	for name, data := range map[string]string{"0.lines": "lines\n", "7.zip": "", "00.lines": "lines\nf5\n"} {
		track := end.Clone()
		other := t.TempDir()
		put(t, other, name, []byte(data))
		s := &told{}
		o := options(s)
		o.Track = track
		if _, err := Run(t.Context(), o, other); !errors.Is(err, ErrChanged) || len(s.lines) > 0 {
			t.Errorf("%s: %v, %q", name, err, s.lines)
		}
	}
	// As many events, and not the same.
	put(t, dir, "0.lines", []byte("lines\nbad\nf5 d6 c3\nf5 f5\n"))
	s := &told{}
	if _, err := run(s, end.Clone()); !errors.Is(err, ErrChanged) || len(s.lines) > 0 {
		t.Errorf("%v, %q", err, s.lines)
	}
}
