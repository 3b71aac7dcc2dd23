package ingest

import "qipu/record"

// Report counts what an import met.
type Report struct {
	Files   int `json:"files"`   // files that were read
	Skipped int `json:"skipped"` // files of no known format
	Games   int `json:"records"` // records

	Unchanged int `json:"unchanged"` // files that Options.Skip left out

	Legal  int `json:"legal"`  // records whose main line keeps the rules to the end
	Marked int `json:"marked"` // records that are kept with a mark: an illegal move, a bad set-up

	// Rejected is the number of records or files that could not be read.
	Rejected int `json:"rejected"`

	Moves      int `json:"moves"`           // of all main lines
	Variations int `json:"with_variations"` // records with more than one line

	ByFormat   map[string]int `json:"by_format"`   // records by format
	ByGame     map[string]int `json:"by_game"`     // records by game
	ByEncoding map[string]int `json:"by_encoding"` // records by encoding
	ByFault    map[string]int `json:"by_fault"`    // faults by kind
}

func newReport() *Report {
	return &Report{ByFormat: map[string]int{}, ByGame: map[string]int{}, ByEncoding: map[string]int{}, ByFault: map[string]int{}}
}

func (r *Report) file(skipped bool) {
	if skipped {
		r.Skipped++
	} else {
		r.Files++
	}
}

func (r *Report) game(p *record.Played) {
	g := p.Game
	r.Games++
	r.Moves += g.Moves()
	if p.Legal() {
		r.Legal++
	}
	for i := range g.Faults {
		if g.Faults[i].Severity >= record.Marked {
			r.Marked++
			break
		}
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
