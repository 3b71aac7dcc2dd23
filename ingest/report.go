package ingest

import "qipu/record"

// Report counts what an import met.
type Report struct {
	Files   int // files that were read
	Skipped int // files of no known format
	Games   int // records
	Legal   int // records whose main line keeps the rules to the end
	Marked  int // records that are kept with a mark: an illegal move, a bad set-up

	// Rejected is the number of records or files that could not be read.
	Rejected int

	Moves      int // of all main lines
	Variations int // records with more than one line

	ByFormat   map[string]int // records by format
	ByGame     map[string]int // records by game
	ByEncoding map[string]int // records by encoding
	ByFault    map[string]int // faults by kind
}

// fileStat is what a worker tells about a file at its end.
type fileStat struct {
	format  string
	games   int
	size    int64
	skipped bool
}

func newReport() *Report {
	return &Report{ByFormat: map[string]int{}, ByGame: map[string]int{}, ByEncoding: map[string]int{}, ByFault: map[string]int{}}
}

func (r *Report) file(s *fileStat) {
	if s.skipped {
		r.Skipped++
		return
	}
	r.Files++
}

func (r *Report) game(p *record.Played) {
	g := p.Game
	r.Games++
	r.Moves += len(p.Steps) + p.Unplayed
	if p.Legal() {
		r.Legal++
	} else {
		r.Marked++
	}
	if g.Variations() {
		r.Variations++
	}
	r.ByFormat[g.Format]++
	kind := g.Kind
	if kind == "" {
		kind = "unknown"
	}
	r.ByGame[kind]++
	if g.Encoding != "" {
		r.ByEncoding[g.Encoding]++
	}
}

func (r *Report) fault(f *record.Fault) {
	r.ByFault[f.Kind]++
	if f.Severity == record.Rejected {
		r.Rejected++
	}
}
