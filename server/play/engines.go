package play

import (
	"runtime"
	"time"

	"qipu/engine"
	"qipu/engine/guests"
	"qipu/game"
)

// engineHash is what an engine of the server may remember, in bytes. There are
// few of them, and the levels that people play at read little.
const engineHash = 16 << 20

// startEngines makes the pools that share a few engines among all who ask. Those
// that play have a pool of their own: a review of a whole game takes long, and
// nobody who plays shall wait for it.
func (s *room) startEngines() {
	build := func(r game.Rules) (engine.Engine, error) {
		return s.Lib.Records().Engine(r, engine.Options{Hash: engineHash})
	}
	cores := runtime.NumCPU()
	s.guests = &guests.Pools{File: s.Engines}
	s.engines = engine.NewPool(engine.PoolOptions{Size: cores, Queue: 1000, Make: build})
	s.critics = engine.NewPool(engine.PoolOptions{Size: max(1, cores/2), Queue: 32, Make: build})
	s.Gauge("play", "sessions", "Games that are being played.", func() int {
		if s.host == nil {
			return 0
		}
		return s.host.Len()
	})
	s.Gauge("engine", "guests_busy", "Other programs at work.", s.guests.Busy)
	for name, pool := range map[string]*engine.Pool{"players": s.engines, "critics": s.critics} {
		s.Gauge("engine", name+"_busy", "Engines at work.", pool.Busy)
		s.Gauge("engine", name+"_waiting", "Those who wait for an engine.", pool.Waiting)
	}
}

// judging returns how far a level of an engine reads where it judges and does not
// play; the time for one position is bounded.
func judging(info engine.Info, level int, most time.Duration) engine.Limits {
	l := engine.Judging(info, level)
	l.Time = most
	return l
}
