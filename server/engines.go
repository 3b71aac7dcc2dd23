package server

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"qipu/engine"
	"qipu/game"
)

// engineHash is what an engine of the server may remember, in bytes. There are
// few of them, and the levels that people play at read little.
const engineHash = 16 << 20

// startEngines makes the pools that share a few engines among all who ask. Those
// that play have a pool of their own: a review of a whole game takes long, and
// nobody who plays shall wait for it.
func (s *Server) startEngines() {
	build := func(r game.Rules) (engine.Engine, error) {
		return s.lib.Records().Engine(r, engine.Options{Hash: engineHash})
	}
	cores := runtime.NumCPU()
	s.engines = engine.NewPool(engine.PoolOptions{Size: cores, Queue: 1000, Make: build})
	s.critics = engine.NewPool(engine.PoolOptions{Size: max(1, cores/2), Queue: 32, Make: build})
	s.gauge("play", "sessions", "Games that are being played.", func() int {
		if s.play == nil {
			return 0
		}
		return s.play.Len()
	})
	s.gauge("server", "streams", "Searches and imports that are followed, or may be gone on with.", s.hub.Len)
	for name, pool := range map[string]*engine.Pool{"players": s.engines, "critics": s.critics} {
		s.gauge("engine", name+"_busy", "Engines at work.", pool.Busy)
		s.gauge("engine", name+"_waiting", "Those who wait for an engine.", pool.Waiting)
	}
}

// gauge adds a figure to the metrics.
func (s *Server) gauge(subsystem, name, help string, value func() int) {
	o := prometheus.GaugeOpts{Namespace: "qipu", Subsystem: subsystem, Name: name, Help: help}
	s.metrics.MustRegister(prometheus.NewGaugeFunc(o, func() float64 { return float64(value()) }))
}

// judging returns how far a level reads where it judges and does not play: it
// makes no slips, and the time for one position is bounded.
func judging(level int, most time.Duration) engine.Limits {
	l := engine.LevelOf(level).Limits
	l.Multi, l.Time = 0, min(l.Time, most)
	return l
}
