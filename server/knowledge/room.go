// Package knowledge is the room of the server for what is known beside the records:
// shapes and advice, names and terms, life and death.
package knowledge

import (
	"context"
	"net/http"
	"runtime"
	"sync"

	"qipu/engine"
	"qipu/engine/sight"
	"qipu/game"
	"qipu/game/weiqi/judge"
	"qipu/library/courses"
	"qipu/library/knowledge"
	"qipu/server/api"
)

type room struct {
	*api.Service
	judges  judge.Pool // of life and death
	courses func() *courses.Room
	engines *engine.Pool // that rank moves
}

// Register registers what can be asked here.
func Register(service *api.Service) {
	s := &room{Service: service, judges: judge.Pool{New: sight.Judge}}
	s.courses = sync.OnceValue(func() *courses.Room { return courses.New(s.Lib.Records()) })
	s.engines = engine.NewPool(engine.PoolOptions{Size: max(1, runtime.NumCPU()/2), Make: func(r game.Rules) (engine.Engine, error) {
		return s.Lib.Records().Engine(r, engine.Options{Hash: 1 << 20})
	}})
	s.OnClose(func(context.Context) error { return s.engines.Close() })
	s.Mean(knowledge.ErrNotOwn, http.StatusConflict, "not-own", "Shapes of the program stay; save one with the same id to change it.")
	s.Mean(knowledge.ErrShape, http.StatusUnprocessableEntity, "shape", "Send one block that begins with shape, and the checks of it.")
	s.registerShapes()
	s.registerNames()
	s.registerAdvice()
	s.registerJudge()
}
