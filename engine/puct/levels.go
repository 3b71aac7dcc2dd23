package puct

import "qipu/engine"

// Levels returns the levels of Go: the net alone with slips, then without, then more
// and more visits.
func Levels() []engine.Level {
	list := []engine.Level{
		{Limits: engine.Limits{Nodes: 1, Multi: -1}, Slip: 3},
		{Limits: engine.Limits{Nodes: 1, Multi: -1}, Slip: 2},
		{Limits: engine.Limits{Nodes: 1, Multi: -1}, Slip: 1.4},
		{Limits: engine.Limits{Nodes: 1, Multi: -1}, Slip: 1},
		{Limits: engine.Limits{Nodes: 1, Multi: -1}, Slip: 0.5},
		{Limits: engine.Limits{Nodes: 1}},
		{Limits: engine.Limits{Nodes: 8}},
		{Limits: engine.Limits{Nodes: 24}},
		{Limits: engine.Limits{Nodes: 64}},
		{Limits: engine.Limits{Nodes: 160}},
		{Limits: engine.Limits{Nodes: 400}},
		{Limits: engine.Limits{Nodes: 1000}},
	}
	for i := range list {
		list[i].Number = i + 1
	}
	return list
}
