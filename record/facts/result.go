package facts

import (
	"math"
	"strconv"
	"strings"
)

// Verdict is who won.
type Verdict uint8

// The verdicts.
const (
	Unknown    Verdict = iota
	FirstWon           // the side that moves first in the game
	SecondWon          //
	Drawn              //
	BothLost           //
	Void               // played, but without result
	Unfinished         // broken off, adjourned, not played
)

var verdictNames = [...]string{"unknown", "first won", "second won", "drawn", "both lost", "void", "unfinished"}

// String returns the name of the verdict.
func (v Verdict) String() string { return verdictNames[v] }

// Turned returns the verdict for players who have changed sides.
func (v Verdict) Turned() Verdict {
	if v == FirstWon || v == SecondWon {
		return FirstWon + SecondWon - v
	}
	return v
}

// Result is how a game ended.
type Result struct {
	Verdict Verdict
	Margin  float64 // points; 0 where unknown or none
	How     string  // one of the Hows; "" unknown
}

// The values of Result.How.
const (
	Resign  = "resign"
	Time    = "time"    // ran out of time
	Forfeit = "forfeit" // did not come, left, was offline; a bye
	Count   = "count"   // points or discs were counted
	Judge   = "judge"   // decided by a referee
	Illegal = "illegal" // lost by a move against the rules
	Five    = "five"    // Renju: five in a row
	Mate    = "mate"    // Xiangqi: mate or stalemate
)

// Margins outside these bounds are no points: averages of several counts go
// down to a sixth, and no board has 1000 points.
const (
	minMargin = 0.1
	maxMargin = 1000
)

// ParseResult reads a result as records of a game with these sides have it:
// that of SGF ("B+3.5", "W+Resign"), PGN ("1-0"), GGF ("+10.000"),
// and sentences in English, Chinese, Japanese and Korean ("白中盤勝",
// "흑불계승").
//
// A text that leaves a doubt about the winner is Unknown: "B+1?", "X+" (the
// players are elsewhere), "W+ (but Black does not lose)". A doubtful margin is
// unknown alone.
func ParseResult(sides Sides, text string) Result {
	s := fold(text)
	if s == "" {
		return Result{}
	}
	if r, ok := wholeResults[s]; ok {
		return r
	}
	for _, won := range [...]string{"胜", "勝"} {
		if side, ok := strings.CutSuffix(s, won); ok {
			if v := sides.winner(side); v != Unknown {
				return Result{Verdict: v}
			}
		}
	}
	if r, ok := plusResult(sides, s); ok {
		return r
	}
	if r, ok := scoreResult(sides, s); ok {
		return r
	}
	return sentence(sides, s)
}

// wholeResults are the texts that are a result as a whole, folded.
var wholeResults = map[string]Result{
	"?": {}, "*": {}, "-": {}, "unknown": {}, "未知": {},
	"1-0": {Verdict: FirstWon}, "1:0": {Verdict: FirstWon}, "2-0": {Verdict: FirstWon}, "2:0": {Verdict: FirstWon},
	"0-1": {Verdict: SecondWon}, "0:1": {Verdict: SecondWon}, "0-2": {Verdict: SecondWon}, "0:2": {Verdict: SecondWon},
	"1/2-1/2": {Verdict: Drawn}, "1/2": {Verdict: Drawn}, "½-½": {Verdict: Drawn}, "0.5-0.5": {Verdict: Drawn}, "1-1": {Verdict: Drawn}, "1:1": {Verdict: Drawn},
	"0-0": {Verdict: BothLost},
	"0":   {Verdict: Drawn}, "draw": {Verdict: Drawn}, "d": {Verdict: Drawn}, "jigo": {Verdict: Drawn}, "tie": {Verdict: Drawn}, "drawn": {Verdict: Drawn},
	"d+j": {Verdict: Drawn, How: Judge}, "d+": {Verdict: Drawn}, "d+t": {Verdict: Drawn}, "d+r": {Verdict: Drawn},
	"和": {Verdict: Drawn}, "和棋": {Verdict: Drawn}, "和局": {Verdict: Drawn}, "平局": {Verdict: Drawn}, "平": {Verdict: Drawn}, "先和": {Verdict: Drawn}, "双方和": {Verdict: Drawn},
	"持碁": {Verdict: Drawn}, "持棋": {Verdict: Drawn}, "ジゴ": {Verdict: Drawn}, "引き分け": {Verdict: Drawn}, "引分": {Verdict: Drawn}, "引分け": {Verdict: Drawn},
	"무승부": {Verdict: Drawn}, "비김": {Verdict: Drawn}, "빅": {Verdict: Drawn}, "화국": {Verdict: Drawn},
	"void": {Verdict: Void}, "no result": {Verdict: Void}, "無勝負": {Verdict: Void}, "无胜负": {Verdict: Void}, "annulled": {Verdict: Void}, "無効": {Verdict: Void}, "무효": {Verdict: Void},
	"both lost": {Verdict: BothLost}, "both lose": {Verdict: BothLost}, "両負け": {Verdict: BothLost}, "両者負け": {Verdict: BothLost}, "双负": {Verdict: BothLost}, "雙負": {Verdict: BothLost}, "양패": {Verdict: BothLost},
	"unfinished": {Verdict: Unfinished}, "left unfinished": {Verdict: Unfinished}, "game suspended": {Verdict: Unfinished}, "suspended": {Verdict: Unfinished}, "not played": {Verdict: Unfinished},
	"adjourned": {Verdict: Unfinished}, "has adjourned": {Verdict: Unfinished}, "has adjourned.": {Verdict: Unfinished}, "abandoned": {Verdict: Unfinished}, "interrupted": {Verdict: Unfinished},
	"打ち掛け": {Verdict: Unfinished}, "打掛": {Verdict: Unfinished}, "打掛け": {Verdict: Unfinished}, "封盘": {Verdict: Unfinished}, "封盤": {Verdict: Unfinished}, "未完": {Verdict: Unfinished}, "未下完": {Verdict: Unfinished}, "봉수": {Verdict: Unfinished},
}

// hows are the words behind the plus of SGF.
var hows = map[string]string{
	"": "", "r": Resign, "res": Resign, "resign": Resign, "resigned": Resign, "resignation": Resign, "resigns": Resign,
	"t": Time, "time": Time, "timeout": Time, "f": Forfeit, "forfeit": Forfeit, "forfeited": Forfeit, "bye": Forfeit, "offline": Forfeit, "disconnect": Forfeit,
	"j": Judge, "judge": Judge, "judgement": Judge, "judgment": Judge, "adjudication": Judge,
	"aw":      "", // programs that agreed on the winner
	"illegal": Illegal, "illegal move": Illegal, "v": Illegal, "violation": Illegal, "five": Five, "mate": Mate, "checkmate": Mate, "count": Count,
	"?": "", "unknown": "", "win": "",
}

// plusResult reads the form of SGF: "B+3.5", "W+R", "B", "W+4 1/3".
func plusResult(sides Sides, s string) (Result, bool) {
	side, rest, plus := strings.Cut(s, "+")
	v := sides.winner(strings.TrimRight(side, " "))
	if v == Unknown {
		return Result{}, plus && len(side) <= 1 && side != "" // X+, Y+: read, but not known
	}
	rest = strings.TrimSpace(rest)
	if rest == "?" {
		return Result{}, true
	}
	if how, ok := hows[strings.TrimRight(rest, ".!")]; ok {
		return Result{Verdict: v, How: how}, true
	}
	value, _, n := points(rest)
	if n == 0 || n < len(rest) {
		return Result{}, true
	}
	return counted(v, value), true
}

// counted is a win by points. "W+0" is a tie that counts as a win by agreement.
// Quarters come from counting stones, of which one is two points. A margin that
// no board can give is none.
func counted(v Verdict, margin float64) Result {
	if quarters := margin * 4; quarters == math.Trunc(quarters) && math.Mod(quarters, 2) == 1 {
		margin *= 2
	}
	if margin < minMargin || margin >= maxMargin {
		return Result{Verdict: v}
	}
	return Result{Verdict: v, Margin: margin, How: Count}
}

// scoreResult reads results that are numbers alone: "+10.000" and
// "-64.000:r" of GGF, from the first side's view, and the discs "33-31" of
// games that count them.
func scoreResult(sides Sides, s string) (Result, bool) {
	if !sides.Discs {
		return Result{}, false
	}
	body, tail, _ := strings.Cut(s, ":")
	how, ok := map[string]string{"": Count, "r": Resign, "t": Time, "s": Judge, "l": Forfeit}[tail]
	if !ok {
		return Result{}, false
	}
	if a, b, ok := strings.Cut(body, "-"); ok && a != "" {
		first, n := number(a)
		second, m := number(b)
		if n == 0 || n < len(a) || m == 0 || m < len(b) || first+second > 100 {
			return Result{}, false
		}
		return signed(float64(first-second), how), true
	}
	margin, err := strconv.ParseFloat(body, 64)
	if err != nil || margin != math.Trunc(margin) || math.Abs(margin) > 100 { // NaN is no whole number either
		return Result{}, false
	}
	return signed(margin, how), true
}

func signed(margin float64, how string) Result {
	if margin == 0 {
		return Result{Verdict: Drawn}
	}
	r := Result{Verdict: FirstWon, How: how}
	if margin < 0 {
		r.Verdict = SecondWon
	}
	if how == Count {
		r.Margin = math.Abs(margin)
	}
	return r
}

// SGF returns the result as SGF has it, in the letters of the game: "B+3.5",
// "W+R", "0", "Void", "?". ParseResult reads it back.
func (r Result) SGF(sides Sides) string {
	switch r.Verdict {
	case FirstWon, SecondWon:
	case Drawn:
		if r.How == Judge {
			return "D+J"
		}
		return "0"
	case BothLost:
		return "Both lost"
	case Void:
		return "Void"
	case Unfinished:
		return "Unfinished"
	default:
		return "?"
	}
	s := sides.letter(r.Verdict) + "+"
	switch {
	case r.Margin > 0 && (r.How == Count || r.How == ""):
		return s + strconv.FormatFloat(r.Margin, 'f', -1, 64)
	case r.How == Resign || r.How == Time || r.How == Forfeit || r.How == Judge:
		return s + strings.ToUpper(r.How[:1])
	case r.How == Count || r.How == "":
		return s
	}
	return s + strings.ToUpper(r.How[:1]) + r.How[1:]
}

// PGN returns the result as PGN has it: "1-0", "0-1", "1/2-1/2", or "*". The
// first side stands on the left.
func (r Result) PGN() string {
	switch r.Verdict {
	case FirstWon:
		return "1-0"
	case SecondWon:
		return "0-1"
	case Drawn:
		return "1/2-1/2"
	}
	return "*"
}

// String returns the result with Black as the first side.
func (r Result) String() string { return r.SGF(BlackFirst) }
