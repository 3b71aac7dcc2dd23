package builtin

import (
	"qipu/board"
	"qipu/engine"
	"qipu/engine/alphabeta"
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
				build, o.Levels = Reads(s[i].Judge, 0), nil
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
		return alphabeta.New(e, alphabeta.Options{Name: "Qipu " + info.Titles.En, Games: []string{info.Name}, Hash: o.Hash, Quiesce: quiesce, Levels: o.Levels})
	}
}

// Net has engines and judges look by the net of a file where it was trained for it.
func Net(path string) error { return sight.Use(path) }

// playGo: a net looks at boards of usual sizes. Others, and all where the net cannot be
// read, are played by reading alone.
func playGo(r game.Rules, o engine.Options) engine.Engine {
	if sight.Sees(r.Geometry().Size) {
		if e, err := puct.New(puct.Options{Name: "Qipu " + r.Info().Titles.En, Hash: o.Hash, Levels: o.Levels, Resign: true}); err == nil {
			return e
		}
	}
	o.Levels = nil
	return Reads(simple.Weiqi{}, 3)(r, o)
}

// playXiangqi: whoever asks for patterns with names to count has the general reader play,
// whose evaluation they can be added to.
func playXiangqi(r game.Rules, o engine.Options) engine.Engine {
	if o.Patterns {
		if e, err := patterned.New(simple.Xiangqi{}, r); err == nil {
			return Reads(e, 0)(r, o)
		}
	}
	return xiangqi.New(xiangqi.Options{Name: "Qipu " + r.Info().Titles.En, Hash: o.Hash, Threads: o.Threads, Levels: o.Levels})
}

func playOthello(r game.Rules, o engine.Options) engine.Engine {
	if r.Geometry().Size == (board.Size{W: 8, H: 8}) {
		return reversi.New(o)
	}
	o.Levels = nil // those of the large boards have not been measured
	return Reads(simple.Discs{}, -1)(r, o)
}

func playRenju(_ game.Rules, o engine.Options) engine.Engine { return fives.New(o) }
