package builtin

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"

	"qipu/engine"
	"qipu/engine/puct"
)

// othelloLadder is what qipu workshop ladder --out wrote of the levels of Othello.
//
//go:embed othello.json
var othelloLadder []byte

// othelloLevels are the levels of Othello on 8x8, as the ladder rates them. One
// whose work was changed since has no rating.
var othelloLevels = sync.OnceValue(func() []engine.Level {
	list := engine.UsualLevels()
	list[8].Limits = engine.Limits{Depth: 8, Nodes: 150_000, Multi: 5}
	list[9].Limits = engine.Limits{Depth: 10, Nodes: 400_000, Multi: 3}
	list[10].Limits = engine.Limits{Depth: 13, Nodes: 1_500_000}
	list[11].Limits = engine.Limits{Depth: 17, Nodes: 8_000_000}
	return rated(list, othelloLadder)
})

// The same of the usual levels, as they play Xiangqi and Renju, and of those of Go as they
// play on 9x9.
//
//go:embed xiangqi.json
var xiangqiLadder []byte

//go:embed renju.json
var renjuLadder []byte

//go:embed go9.json
var goLadder []byte

var (
	xiangqiLevels = sync.OnceValue(func() []engine.Level { return rated(engine.UsualLevels(), xiangqiLadder) })
	renjuLevels   = sync.OnceValue(func() []engine.Level { return rated(engine.UsualLevels(), renjuLadder) })
	goLevels      = sync.OnceValue(func() []engine.Level { return rated(puct.Levels(), goLadder) })
)

// What qipu workshop theory ship wrote of Othello on 8x8, packed by zstd -19.
//
//go:embed othello.theory.zst
var packedTheory []byte

var othelloTheory = sync.OnceValue(func() []byte {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(16<<20))
	if err == nil {
		defer d.Close()
		var data []byte
		if data, err = d.DecodeAll(packedTheory, nil); err == nil {
			return data
		}
	}
	panic("builtin: the theory that comes with the program: " + err.Error()) // a test reads it
})

// rung is a player of a ladder.
type rung struct {
	Player, Work       string
	Elo, Margin, Share float64
	Games, Met         int
	Points, Nodes      float64
	Apart              bool
}

func rated(list []engine.Level, ladder []byte) []engine.Level {
	var rungs []rung
	if err := json.Unmarshal(ladder, &rungs); err != nil {
		panic("builtin: the ladder that comes with the program: " + err.Error()) // a test reads it
	}
	for i := range list {
		l := &list[i]
		for _, r := range rungs {
			if r.Player == fmt.Sprintf("level=%d", l.Number) && r.Work == l.Work() && r.Games > 0 {
				l.Rating = &engine.Rating{Elo: round(r.Elo), Margin: max(round(r.Margin), 10)}
				if i > 0 {
					l.Rating.Share = math.Round(100*r.Share) / 100
				}
			}
		}
	}
	return list
}

// round keeps no more of a rating than is known of it.
func round(elo float64) int { return 10 * int(math.Round(elo/10)) }
