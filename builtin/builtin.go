// Package builtin is the only package that names every game and every record
// format and wires them together with their engines. A new game is one line
// here, with all that the program has for it; a program that has games of its
// own adds them to the others:
//
//	set := append(builtin.All(), builtin.Game{Rules: breakthrough.Rules{}, Formats: []record.Format{btl.Format}})
//	lib, err := qipu.Open(ctx, dir, qipu.Options{Games: set.Games(), Formats: set.Formats(), Engine: set.Engine})
//
// What a game tells by itself (its openings, places of its board, texts) it
// tells by optional interfaces of its rules, which their users declare:
// docs/adding-a-game.md lists them.
package builtin

import (
	"qipu/engine"
	"qipu/engine/factors"
	"qipu/engine/simple"
	"qipu/game"
	"qipu/game/checkers"
	"qipu/game/chess"
	"qipu/game/connect4"
	"qipu/game/hex"
	"qipu/game/kalah"
	"qipu/game/nim"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/switching"
	"qipu/game/tictactoe"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/xiangqi"
	"qipu/record"
	"qipu/record/acf"
	"qipu/record/cbf"
	"qipu/record/cbridge"
	"qipu/record/dhtmlxq"
	"qipu/record/epd"
	"qipu/record/ggf"
	"qipu/record/gib"
	"qipu/record/ngf"
	"qipu/record/obf"
	"qipu/record/pdn"
	"qipu/record/pgn"
	"qipu/record/psq"
	"qipu/record/renlib"
	"qipu/record/rif"
	"qipu/record/sgf"
	"qipu/record/transcript"
	"qipu/record/ugf"
	"qipu/record/wthor"
	"qipu/record/xqf"
)

// Game is a game with all that the program has for it. Every field but Rules
// may be left out.
type Game struct {
	Rules game.Rules

	// Formats are those of this game, beside the formats that hold any game.
	Formats []record.Format

	// Engine makes the engine that plays the game best: see Reads. Without one
	// it is played by reading alone, to the end or not at all.
	Engine func(r game.Rules, o engine.Options) engine.Engine

	// Judge values positions as they stand, for the study of searches; nil where
	// nothing does.
	Judge engine.Evaluator

	// Factors count what programs that learn from games look at; nil where nothing does.
	Factors engine.Factors

	// Levels are the strengths at which it is played, at most engine.MaxLevel of
	// them; nil for the usual ones, which nobody has measured.
	Levels []engine.Level

	// Settler counts games that end by agreement about what is dead; nil where
	// the rules see the end of a game alone.
	Settler game.Settler

	// Theory returns values of positions, as theory.Theory.Ship writes them; nil for
	// none.
	Theory func() []byte

	// GM is the number that the Smart Game Format has for the game; 0 for none.
	// It holds every game.
	GM int

	// PGN tells that records are kept in Portable Game Notation, too.
	PGN bool
}

// Set is a list of games, in the order in which they are listed to users.
type Set []Game

// All returns the games of the program.
func All() Set {
	return Set{
		{Rules: weiqi.Standard, Engine: playGo, Settler: goSettler, GM: 1, Judge: simple.Weiqi{}},
		{Rules: othello.Standard, Engine: playOthello, Levels: othelloLevels(), Theory: othelloTheory, GM: 2, Judge: simple.Discs{}, Factors: factors.Othello{}},
		{Rules: xiangqi.Standard, Engine: playXiangqi, Levels: xiangqiLevels(), GM: 7, PGN: true, Judge: simple.Xiangqi{}, Factors: factors.Xiangqi{}},
		{Rules: renju.Renju, Engine: playRenju, Levels: renjuLevels(), GM: 4, PGN: true, Judge: simple.Rows{}, Factors: factors.Rows{}},
		{Rules: chess.Standard, Engine: playChess, GM: 3, PGN: true, Judge: simple.Chess{}},
		{Rules: checkers.Rules{}, Engine: Reads(simple.Checkers{}, 24), Judge: simple.Checkers{}, Factors: factors.Checkers{}, Formats: []record.Format{pdn.Format, acf.Format}},
	}
}

// Lab returns the small games on which methods of search are studied. They can be
// named wherever a game is, and are in no list (game.Info.Shelf).
func Lab() Set {
	return Set{
		{Rules: kalah.Rules{}, Engine: Reads(simple.Stores{}, -1), Judge: simple.Stores{}},
		{Rules: tictactoe.Standard, Engine: Reads(simple.OpenRows{}, -1), Judge: simple.OpenRows{}},
		{Rules: connect4.Rules{}, Engine: Reads(simple.OpenRows{}, -1), Judge: simple.OpenRows{}},
		{Rules: hex.Standard, Engine: Reads(simple.Theory{Else: simple.Ways{}}, -1), Judge: simple.Ways{}},
		{Rules: nim.Standard, Engine: Reads(simple.Theory{}, -1), Judge: simple.Theory{}},
		{Rules: switching.Standard, Engine: Reads(simple.Theory{}, -1), Judge: simple.Theory{}},
	}
}

// Judge returns what values positions of a game of the program as they stand; nil
// where nothing does.
func Judge(r game.Rules) engine.Evaluator {
	for _, g := range Whole() {
		if g.Rules.Info().Name == r.Info().Name {
			return g.Judge
		}
	}
	return nil
}

// Whole returns the games of the program with those of the laboratory.
func Whole() Set { return append(All(), Lab()...) }

// goSettler keeps the judges that it has lent.
var goSettler = new(judge.Settler)

// formats are the formats of the games of the program that are of some games
// alone. Where two are equally sure of a file, the first has it.
var formats = []record.Format{
	epd.Format, wthor.Format, ggf.Format, transcript.Format, obf.Format,
	xqf.Format, cbridge.Format, cbf.Format, dhtmlxq.Format,
	renlib.Format, rif.Format, psq.Format,
	gib.Format, ngf.Format, ugf.Format,
}

// Games returns the rules of the games.
func (s Set) Games() game.Catalog {
	list := make(game.Catalog, len(s))
	for i := range s {
		list[i] = s[i].Rules
	}
	return list
}

// Formats returns the record formats: those that hold any game, then those of
// some.
func (s Set) Formats() []record.Format {
	var kinds, portable []record.Kind
	for i := range s {
		k := record.KindOf(s[i].Rules)
		k.GM = s[i].GM
		kinds = append(kinds, k)
		if s[i].PGN {
			portable = append(portable, k)
		}
	}
	list := append([]record.Format{sgf.With(kinds...), pgn.With(portable...)}, formats...)
	for i := range s {
		list = append(list, s[i].Formats...)
	}
	return list
}

// Settler returns who settles games of a kind; nil where their rules see the end
// alone.
func (s Set) Settler(r game.Rules) game.Settler {
	for i := range s {
		if s[i].Rules.Info().Name == r.Info().Name {
			return s[i].Settler
		}
	}
	return nil
}

// Settler returns who settles games of a kind of the program.
func Settler(r game.Rules) game.Settler { return All().Settler(r) }

// Theory returns the values that come with the program of positions of a game; nil for
// none.
func (s Set) Theory(r game.Rules) []byte {
	for i := range s {
		if own := s[i].Rules; own.Info().Name == r.Info().Name && own.Geometry().Size == r.Geometry().Size && s[i].Theory != nil {
			return s[i].Theory()
		}
	}
	return nil
}

// Theory returns the values that come with the program of positions of a game.
func Theory(r game.Rules) []byte { return All().Theory(r) }

// Games returns the games of the program.
func Games() game.Catalog { return All().Games() }

// Formats returns the record formats of the program.
func Formats() []record.Format { return All().Formats() }
