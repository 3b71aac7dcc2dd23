package builtin

import (
	"qipu/board"
	"qipu/engine"
	"qipu/engine/alphabeta"
	enginechess "qipu/engine/chess"
	"qipu/engine/patterned"
	"qipu/engine/puct"
	fives "qipu/engine/renju"
	"qipu/engine/reversi"
	"qipu/engine/sight"
	"qipu/engine/simple"
	"qipu/engine/xiangqi"
	"qipu/game"
)

// Engine returns the engine that plays a game best. Games that nobody has
// written an evaluation for are played too, by reading alone.
func (s Set) Engine(r game.Rules, o engine.Options) (engine.Engine, error) {
	build := Reads(simple.Nothing{}, 0)
	for i := range s {
		if s[i].Rules.Info().Name == r.Info().Name && s[i].Engine != nil {
			build, o.Levels = s[i].Engine, s[i].Levels
			if o.General && s[i].Judge != nil {
				judge := s[i].Judge
				if o.Patterns {
					judge = patternsIn(judge, r)
				}
				build, o.Levels = Reads(judge, 0), nil
			}
		}
	}
	return build(r, o), nil
}

// Engine returns the engine that plays a game of the program best.
func Engine(r game.Rules, o engine.Options) (engine.Engine, error) { return Whole().Engine(r, o) }

// Reads returns what makes engines that read ahead and judge positions by an
// evaluation. Quiesce is how many plies they read behind the last one where
// pieces are taken; 0 for as many as is usual, negative for none.
func Reads(e engine.Evaluator, quiesce int) func(game.Rules, engine.Options) engine.Engine {
	return func(r game.Rules, o engine.Options) engine.Engine {
		info := r.Info()
		return alphabeta.New(e, alphabeta.Options{Name: "Qipu " + info.Titles.En, Games: []string{info.Name}, Hash: o.Hash, Quiesce: quiesce, Levels: o.Levels, Known: o.Known})
	}
}

// Net has engines and judges look by the net of a file where it was trained for it.
func Net(path string) error { return sight.Use(path) }

// playGo: a net looks at boards of usual sizes. Others, and all where the net cannot be
// read, are played by reading alone.
func playGo(r game.Rules, o engine.Options) engine.Engine {
	if r.Geometry().Size == (board.Size{W: 9, H: 9}) {
		o.Levels = goLevels() // the ladder was climbed there
	}
	if sight.Sees(r.Geometry().Size) {
		if e, err := puct.New(puct.Options{Name: "Qipu " + r.Info().Titles.En, Hash: o.Hash, Levels: o.Levels, Shapes: o.Patterns, Resign: true}); err == nil {
			return e
		}
	}
	o.Levels = nil
	return Reads(simple.Weiqi{}, 3)(r, o)
}

// playXiangqi: patterns with names are a further term of the evaluation, where they are
// asked for.
func playXiangqi(r game.Rules, o engine.Options) engine.Engine {
	own := xiangqi.Options{Name: "Qipu " + r.Info().Titles.En, Hash: o.Hash, Threads: o.Threads, Levels: o.Levels, Known: o.Known}
	if o.Patterns {
		own.Further = func() xiangqi.Further {
			t, err := patterned.NewTerm(r)
			if err != nil {
				panic(err) // what the program carries was read in its tests
			}
			return t
		}
	}
	return xiangqi.New(own)
}

// playChess: boards of other sizes are read by the general reader.
func playChess(r game.Rules, o engine.Options) engine.Engine {
	if r.Geometry().Size != (board.Size{W: 8, H: 8}) {
		o.Levels = nil
		return Reads(simple.Chess{}, 0)(r, o)
	}
	return enginechess.New(enginechess.Options{Name: "Qipu " + r.Info().Titles.En, Hash: o.Hash, Threads: o.Threads, Levels: o.Levels, Known: o.Known})
}

// patternsIn returns an evaluation in which patterns with names have a part, where the game
// has weights for them: else the evaluation itself.
func patternsIn(e engine.Evaluator, r game.Rules) engine.Evaluator {
	base, ok := e.(patterned.Base)
	if !ok {
		return e
	}
	if p, err := patterned.New(base, r); err == nil && len(patterned.Patterns(r)) > 0 {
		return p
	}
	return e
}

func playOthello(r game.Rules, o engine.Options) engine.Engine {
	if r.Geometry().Size == (board.Size{W: 8, H: 8}) {
		return reversi.New(o)
	}
	o.Levels = nil // those of the large boards have not been measured
	return Reads(simple.Discs{}, -1)(r, o)
}

func playRenju(r game.Rules, o engine.Options) engine.Engine {
	if r.Info().Variant != "" {
		o.Levels = nil // the ladder was climbed in Renju
	}
	return fives.New(o)
}
