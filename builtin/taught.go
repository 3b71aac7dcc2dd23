package builtin

import (
	"qipu/engine"
	"qipu/game"
	"qipu/learn/bots"
	"qipu/learn/methods"
)

// Ground returns what programs learn about a game.
func Ground(r game.Rules) *methods.Ground {
	g := &methods.Ground{Rules: r}
	for _, own := range Whole() {
		if own.Rules.Info().Name != r.Info().Name {
			continue
		}
		if own.Judge != nil {
			g.Quiet = own.Judge
		}
		if own.Factors != nil && own.Rules.Geometry().Size == r.Geometry().Size {
			g.Factors = own.Factors
		}
	}
	return g
}

// Taught makes an engine of the file of what was taught.
func Taught(name, path string, r game.Rules) (engine.Engine, error) {
	t, err := methods.Read(path)
	if err != nil {
		return nil, err
	}
	g := Ground(r)
	m, err := t.Open(g)
	if err != nil {
		return nil, err
	}
	return bots.New(name, r, m, g.Quiet), nil
}
