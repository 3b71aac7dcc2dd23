package renju

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"qipu/engine"
	"qipu/game"
	rules "qipu/game/renju"
)

// balanceText has what each of the 26 openings is worth for Black under each rule by which
// Renju is opened, in hundredths: made by "qipu workshop renju balance".
//
//go:embed balance.txt
var balanceText string

// balances are the lines of the table by rule and opening.
var balances = sync.OnceValue(func() map[[2]string]engine.Value {
	m := map[[2]string]engine.Value{}
	for line := range strings.Lines(balanceText) {
		var rule, code string
		var v engine.Value
		if strings.HasPrefix(line, "#") {
			continue
		}
		if _, err := fmt.Sscan(line, &rule, &code, &v); err != nil {
			panic(fmt.Sprintf("renju: balance.txt: %q: %v", line, err)) // a test has read it
		}
		m[[2]string{rule, code}] = v
	}
	return m
})

// Balance returns what one of the 26 openings is worth for Black under an opening rule
// where the colours stay as they are. It is how engine/swap need not read them again.
func (e *Engine) Balance(r game.Rules, rule string, moves []game.Move) (engine.Value, bool) {
	own, ok := r.(*rules.Rules)
	if !ok || len(moves) != 3 || own.Info().Variant != "" {
		return 0, false
	}
	o, ok := rules.OpeningOf(own.Geometry().Size, moves)
	if !ok {
		return 0, false
	}
	v, ok := balances()[[2]string{rule, o.Code}]
	return v, ok
}
