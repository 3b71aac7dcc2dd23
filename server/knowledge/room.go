// Package knowledge is the room of the server for what is known beside the records:
// shapes and advice, names and terms, life and death.
package knowledge

import (
	"net/http"

	"qipu/game/weiqi/judge"
	"qipu/library/knowledge"
	"qipu/server/api"
)

type room struct {
	*api.Service
	judges judge.Pool // of life and death
}

// Register registers what can be asked here.
func Register(service *api.Service) {
	s := &room{Service: service}
	s.Mean(knowledge.ErrNotOwn, http.StatusConflict, "not-own", "Shapes of the program stay; save one with the same id to change it.")
	s.Mean(knowledge.ErrShape, http.StatusUnprocessableEntity, "shape", "Send one block that begins with shape, and the checks of it.")
	s.registerShapes()
	s.registerNames()
	s.registerAdvice()
	s.registerJudge()
}
