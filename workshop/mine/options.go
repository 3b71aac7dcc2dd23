package mine

import (
	"cmp"
	"runtime"
)

// Options say how to count and to mine. The zero value is useful.
type Options struct {
	Workers int // games read at the same time; 0 is one per core

	// Progress hears how many games were taken up, every hundred of them; it may
	// be nil. Mine goes through games several times, and begins anew each time.
	Progress func(done int)

	// MinPlayed is in how many occurrences of the games that are mined a shape
	// must have been played; 0 is 30.
	MinPlayed int

	// MinRate is how often, of all occurrences, a shape must be played, at the
	// lower end of what is likely; 0 is 0.3.
	MinRate float64

	// MaxOften is how many times in a game a shape may occur on average, unless
	// it is played more often than not; 0 is 8. What stands everywhere tells a
	// reader little, even where it is played often.
	MaxOften float64

	// MinGain is how much a test of a point must tell (the statistic G); 0 is 24,
	// which chance reaches once in a million tests.
	MinGain float64

	// Shapes is how many shapes are chosen; 0 is 800. Avoid is how many of
	// shapes to avoid at the most besides; 0 is 40, and -1 none.
	Shapes, Avoid int

	// Corpus is what the sources of mined shapes call the games.
	Corpus string
}

func (o Options) withDefaults() Options {
	o.MinPlayed, o.Shapes, o.Avoid = cmp.Or(o.MinPlayed, 30), cmp.Or(o.Shapes, 800), cmp.Or(o.Avoid, 40)
	o.MinRate, o.MaxOften, o.MinGain = cmp.Or(o.MinRate, .3), cmp.Or(o.MaxOften, 8), cmp.Or(o.MinGain, 24)
	o.Corpus = cmp.Or(o.Corpus, "records")
	return o
}

func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}
