package store

// Weight returns about how many bytes of memory what was prepared takes, with what is
// kept of its record.
func (p *Prepared) Weight() int {
	n := 1<<10 + len(p.Record) + 16*len(p.Remarks)
	if d := p.Doc; d != nil {
		n += len(d.Comment) + 8*len(d.Prefixes)
		for i := range d.Lines {
			n += 8*len(d.Lines[i].Changes) + 2*len(d.Lines[i].Moves) + 2*len(d.Lines[i].Skips) + 64
		}
		for i := range d.Found {
			n += 24*len(d.Found[i].Positions) + 2*len(d.Found[i].Windows) + 8*len(d.Found[i].Corners) + 72
		}
	}
	return n
}
