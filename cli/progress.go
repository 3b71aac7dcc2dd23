package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"qipu/ingest"
)

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

// Progress tells on standard error how far a long command has come. It keeps
// silent for the first second, and where standard error is no terminal unless
// it was asked for.
type Progress struct {
	app         *App
	what        string
	done, total int
	records     int64 // read so far, where records are read
	Stored      int64 // and stored, where they are
	began, last time.Time
	shown       bool
}

// NewProgress begins to tell of so many things; 0 where their number is not known.
func (a *App) NewProgress(what string, total int) *Progress {
	now := time.Now()
	return &Progress{app: a, what: what, total: total, began: now, last: now}
}

// Step counts n more and shows it, at most once a second.
func (p *Progress) Step(n int) {
	p.done += n
	if time.Since(p.last) < time.Second {
		return
	}
	p.last = time.Now()
	p.show()
}

func (p *Progress) show() {
	elapsed := time.Since(p.began)
	left := time.Duration(0)
	if p.done > 0 {
		left = time.Duration(float64(elapsed) / float64(p.done) * float64(p.total-p.done))
	}
	switch mode := p.app.progress; {
	case mode == "json":
		line, _ := json.Marshal(map[string]any{
			"what": p.what, "done": p.done, "total": p.total, "seconds": elapsed.Seconds(), "left_seconds": left.Seconds(),
			"records": p.records, "records_per_second": p.rate(elapsed), "stored": p.Stored,
		})
		fmt.Fprintf(p.app.Err, "%s\n", line)
	case mode == "plain":
		fmt.Fprintf(p.app.Err, "%s\n", p.text(elapsed, left))
	case mode == "auto" && p.app.ErrTerm:
		fmt.Fprintf(p.app.Err, "\r\x1b[K%s", p.text(elapsed, left))
		p.shown = true
	}
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

// Close wipes the line that show has drawn.
func (p *Progress) Close() {
	if p.shown {
		fmt.Fprint(p.app.Err, "\r\x1b[K")
	}
}
