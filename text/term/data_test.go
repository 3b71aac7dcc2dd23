package term_test

import (
	"bytes"
	"path"
	"strings"
	"testing"
	"time"

	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/pgn"
	"qipu/text/term"
)

// events yields the headers of the games and positions of the collection.
func events(t *testing.T) (list []string) {
	for _, archive := range []string{"xiangqi/xiangqi-games.tar.gz", "xiangqi/xiangqi-positions.tar.gz"} {
		for name, data := range testkit.Files(t, archive) {
			if !strings.EqualFold(path.Ext(name), ".pgn") {
				continue
			}
			head, _, _ := bytes.Cut(data, []byte("1. ")) // the moves are not needed
			for g, err := range pgn.Format.Read(&record.Source{Name: name, Reader: bytes.NewReader(head), Size: int64(len(head))}) {
				if err == nil {
					list = append(list, g.Tag("Event"))
				}
			}
			if len(list) >= testkit.Scale(4000, 1<<30) {
				return list
			}
		}
	}
	return list
}

// TestRealTitles checks that the terms of the dictionary are those of real
// titles, and that what it does not know is little.
func TestRealTitles(t *testing.T) {
	list := events(t)
	d := term.Of("xiangqi")
	titles, all := term.NewMiner(d, term.MinerOptions{}), term.NewMiner(d, term.MinerOptions{})
	known, rest, named := 0, 0, 0
	start := time.Now()
	for i, event := range list {
		all.Add(int64(i), event)
		title := d.Title(event)
		if title == "" {
			continue
		}
		named++
		titles.Add(int64(i), title)
		for _, p := range d.Split(title) {
			switch p.Class {
			case term.Known:
				known += len(p.Text)
			case term.Unknown, term.Phrase:
				rest += len(p.Text)
			}
		}
	}
	candidates := all.Candidates()
	t.Logf("%d headers, %d with a title, %d terms met in titles and %d in all; %.2f %% of the titles unknown; %d candidates; %v",
		len(list), named, len(titles.Uses()), len(all.Uses()), 100*float64(rest)/float64(known+rest), len(candidates), time.Since(start))
	if 50*rest > known {
		t.Errorf("%d bytes of titles are unknown and %d known, want at most 2 %%", rest, known)
	}
	if testkit.Full() && len(all.Uses()) < 150 {
		t.Errorf("%d terms occur, want at least 150", len(all.Uses()))
	}
	for _, c := range titles.Candidates() {
		t.Logf("in titles: %s %d times, as %q", c.Text, c.Count, c.Examples[0])
	}
}
