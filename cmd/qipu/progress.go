package main

import (
	"encoding/json"
	"fmt"
	"time"

	"qipu/ingest"
)

// ingest shows how far an import has come.
func (p *progress) ingest(now ingest.Progress) {
	p.done, p.total = int(now.Bytes>>10), int(now.Total>>10)
	p.what = fmt.Sprintf("KiB, %d records", now.Games)
	p.step(0)
}

// progress tells on standard error how far a long command has come. It keeps
// silent for the first second, and where standard error is no terminal unless
// it was asked for.
type progress struct {
	app         *app
	what        string
	done, total int
	began, last time.Time
	shown       bool
}

func (a *app) newProgress(what string, total int) *progress {
	now := time.Now()
	return &progress{app: a, what: what, total: total, began: now, last: now}
}

// step counts n more and shows it, at most once a second.
func (p *progress) step(n int) {
	p.done += n
	if time.Since(p.last) < time.Second {
		return
	}
	p.last = time.Now()
	p.show()
}

func (p *progress) show() {
	elapsed := time.Since(p.began)
	left := time.Duration(0)
	if p.done > 0 {
		left = time.Duration(float64(elapsed) / float64(p.done) * float64(p.total-p.done))
	}
	switch mode := p.app.progress; {
	case mode == "json":
		line, _ := json.Marshal(map[string]any{
			"what": p.what, "done": p.done, "total": p.total, "seconds": elapsed.Seconds(), "left_seconds": left.Seconds(),
		})
		fmt.Fprintf(p.app.err, "%s\n", line)
	case mode == "plain":
		fmt.Fprintf(p.app.err, "%d of %d %s, about %v left\n", p.done, p.total, p.what, left.Round(time.Second))
	case mode == "auto" && p.app.errTerm:
		fmt.Fprintf(p.app.err, "\r\x1b[K%d of %d %s, about %v left", p.done, p.total, p.what, left.Round(time.Second))
		p.shown = true
	}
}

// close wipes the line that show has drawn.
func (p *progress) close() {
	if p.shown {
		fmt.Fprint(p.app.err, "\r\x1b[K")
	}
}
