// Package records is the room of the server for records and boards: lists of records,
// one of them with all that is known of it, files of them, pictures, the labels that
// people put on them, and the games that there are.
package records

import (
	"runtime"

	"qipu/server/api"
	"qipu/server/guard"
)

type room struct {
	*api.Service
	files *guard.Gate // of exports, whose clients may take their time
}

// Register registers what can be asked here.
func Register(service *api.Service) {
	s := &room{service, guard.NewGate(runtime.GOMAXPROCS(0), 0)}
	s.registerGames()
	s.registerRecords()
	s.registerLabels()
	s.registerOwn()
	s.registerJournal()
	s.registerCleanup()
	s.registerConvert()
}
