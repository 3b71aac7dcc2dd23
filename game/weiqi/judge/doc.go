// Package judge tells life and death on a board of Go, by any of the methods
// below [qipu/game/weiqi/life], and what follows from it: whose every point is,
// the score, and what is left to play.
//
//	r, err := judge.New().Judge(p, judge.Options{})   // the verdict
//	r.Strings[0].Status, r.Score.String()
//	r, err = j.Judge(p, judge.Options{Method: "benson", Trace: true})
//
// The methods are comparable: all give a [life.Judgement]. Those that prove leave
// open what they cannot prove, and are never wrong; the verdict speaks of every
// string, and says where it is unclear.
package judge
