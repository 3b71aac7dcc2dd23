package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"qipu/ingest"
)

// meter is a line on standard error that tells how far a long command has come. It
// keeps silent for the first second, is shown at most once a second, and where standard
// error is no terminal only if it was asked for.
type meter struct {
	app         *App
	began, last time.Time
	shown       bool
}

func (a *App) newMeter() meter {
	now := time.Now()
	return meter{app: a, began: now, last: now}
}

// due reports whether the line is to be shown again, which then begins anew.
func (m *meter) due() bool {
	if time.Since(m.last) < time.Second {
		return false
	}
	m.last = time.Now()
	return true
}

// show shows the line, or an object that says the same.
func (m *meter) show(text string, object map[string]any) {
	switch mode := m.app.progress; {
	case mode == "json":
		line, _ := json.Marshal(object)
		fmt.Fprintf(m.app.Err, "%s\n", line)
	case mode == "plain":
		fmt.Fprintf(m.app.Err, "%s\n", text)
	case mode == "auto" && m.app.ErrTerm:
		fmt.Fprintf(m.app.Err, "\r\x1b[K%s", text)
		m.shown = true
	}
}

// Close wipes the line.
func (m *meter) Close() {
	if m.shown {
		fmt.Fprint(m.app.Err, "\r\x1b[K")
	}
}

// Progress tells how far a command has come that knows its length.
type Progress struct {
	meter
	what        string
	done, total int
	records     int64 // read so far, where records are read
	Stored      int64 // and stored, where they are
}

// NewProgress begins to tell of so many things; 0 where their number is not known.
func (a *App) NewProgress(what string, total int) *Progress {
	return &Progress{meter: a.newMeter(), what: what, total: total}
}

// Ingest shows how far an import has come.
func (p *Progress) Ingest(now ingest.Progress) {
	p.done, p.total, p.records = int(now.Bytes>>10), int(now.Total>>10), now.Games
	p.Step(0)
}

// Games shows how many of how many games are done.
func (p *Progress) Games(done, total int) {
	p.done, p.total = done, total
	p.Step(0)
}

// Step counts n more and shows it, at most once a second.
func (p *Progress) Step(n int) {
	p.done += n
	if !p.due() {
		return
	}
	elapsed := time.Since(p.began)
	left := time.Duration(0)
	if p.done > 0 {
		left = time.Duration(float64(elapsed) / float64(p.done) * float64(p.total-p.done))
	}
	p.show(p.text(elapsed, left), map[string]any{
		"what": p.what, "done": p.done, "total": p.total, "elapsed": elapsed.Seconds(), "eta": left.Seconds(),
		"records": p.records, "rate": p.rate(elapsed), "stored": p.Stored,
	})
}

func (p *Progress) rate(elapsed time.Duration) float64 {
	return math.Round(float64(p.records) / max(elapsed.Seconds(), 0.001))
}

func (p *Progress) text(elapsed, left time.Duration) string {
	text := fmt.Sprintf("%d of %d %s", p.done, p.total, p.what)
	if p.total == 0 { // which is not known
		text = fmt.Sprintf("%d %s", p.done, p.what)
	}
	if p.records > 0 {
		text += fmt.Sprintf(", %d records, %.0f a second", p.records, p.rate(elapsed))
	}
	if p.Stored > 0 {
		text += fmt.Sprintf(", %d stored", p.Stored)
	}
	if p.total > 0 {
		text += fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	return text
}

// searching tells what a search has found so far.
type searching struct{ meter }

// NewSearching begins to tell how far a search has come.
func (a *App) NewSearching() *searching { return &searching{a.newMeter()} }

// Tick shows the counts, at most once a second.
func (s *searching) Tick(games, hits int) {
	if s.due() {
		s.show(fmt.Sprintf("%s, %s so far", Plural(games, "game"), Plural(hits, "hit")),
			map[string]any{"what": "search", "games": games, "hits": hits, "elapsed": time.Since(s.began).Seconds()})
	}
}
