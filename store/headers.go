package store

import "qipu/record/facts"

// RankNumber returns the number under which a rank is stored. It rises with
// the strength as facts.Rank.Strength does, so that ranks can be compared in
// the database: 100-n for n kyu, 100+n for n dan, 200+n for a professional, 300+n
// for a title of chess.
// Unknown ranks, and ones beyond 99, have ok false.
func RankNumber(r facts.Rank) (n int, ok bool) {
	if r.Grade < 1 || r.Grade > 99 {
		return 0, false
	}
	switch r.Scale {
	case 'k':
		return 100 - r.Grade, true
	case 'd':
		return 100 + r.Grade, true
	case 'p':
		return 200 + r.Grade, true
	case 't':
		return 300 + r.Grade, true
	}
	return 0, false
}

// Lay lays corrections over headers. What an older program has written and this one does not
// understand is passed over.
func Lay(f *facts.Facts, layer []Correction) {
	for _, c := range layer {
		if c.Value != nil {
			_ = f.Set(c.Field, *c.Value)
		}
	}
}

// Storable returns headers as a catalogue gives them back: it keeps dates as text
// and ranks within bounds.
func Storable(f facts.Facts) facts.Facts {
	if _, _, ok := f.Date.Bounds(); ok {
		f.Date = facts.ParseDate(f.Date.SGF())
	} else {
		f.Date = facts.Date{}
	}
	if !f.Komi.Known {
		f.Komi = facts.Komi{}
	}
	for i := range f.Players {
		if _, ok := RankNumber(f.Players[i].Rank); !ok {
			f.Players[i].Rank = facts.Rank{}
		}
	}
	if f.Result.Margin != f.Result.Margin {
		f.Result.Margin = 0 // not a number
	}
	return f
}
