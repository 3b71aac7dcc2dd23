// Package manage is the room of the server in which a library is kept: imports, what
// the library has and how it is, who its players are, and which events there are.
package manage

import (
	"crypto/rand"
	"net/http"
	"path/filepath"

	"qipu/library/players"
	"qipu/server/api"
	"qipu/server/jobs"
)

type room struct {
	*api.Service
	jobs  *jobs.Manager // nil where the library is open for reading only
	care  care
	shelf shelf

	// streams is part of the names of the streams of imports, which only their owner
	// may follow: whoever can name a stream of a search gets it.
	streams string
}

// Register registers what can be asked here, and goes on with imports that were
// interrupted.
func Register(service *api.Service) error {
	s := &room{Service: service, streams: rand.Text()}
	s.Mean(players.ErrNoPlayer, http.StatusNotFound, "no-player", "Look for the player in the list.")
	s.Mean(players.ErrOtherPlayer, http.StatusConflict, "other-player", "Choose another name, or merge the two.")
	s.Mean(players.ErrSamePlayers, http.StatusConflict, "same-players", "They are one already: nothing is left to do.")
	s.Mean(players.ErrNoEvent, http.StatusNotFound, "no-event", "Look for the event in the list.")
	s.Mean(players.ErrOtherEvent, http.StatusConflict, "other-event", "Choose another name, or merge the two.")
	s.Mean(players.ErrNoEdit, http.StatusNotFound, "not-found", "List the changes that there are.")
	s.Mean(jobs.ErrNotFound, http.StatusNotFound, "not-found", "List the imports that there are.")
	s.Mean(jobs.ErrState, http.StatusConflict, "state", "Look at the import again: it has changed.")
	s.Mean(jobs.ErrBusy, http.StatusTooManyRequests, "busy", "Wait until one of the imports has run.")
	s.Mean(jobs.ErrTooLarge, http.StatusRequestEntityTooLarge, "too-large", "Upload less at once.")
	s.Mean(jobs.ErrOutside, http.StatusForbidden, "outside", "Only files below the import root of the server can be read.")
	s.Mean(jobs.ErrInvalid, http.StatusUnprocessableEntity, "job", "Mend what is wrong, and send it again.")
	s.MeanClosing(jobs.ErrClosed)
	s.registerJobs()
	s.registerRead()
	s.registerLibrary()
	s.registerCare()
	s.registerBackups()
	s.registerPlayers()
	if !s.Writes() {
		return nil
	}
	var err error
	s.jobs, err = jobs.Open(s.Context, filepath.Join(s.Lib.Records().Dir(), "jobs"), s.Lib.Records(), jobs.Options{
		Log: s.Log, Root: s.ImportRoot, MaxUpload: max(16<<30, s.MaxUpload), OnChange: s.jobChanged, Net: s.Net,
	})
	if err == nil {
		s.OnClose(s.jobs.Close)
	}
	return err
}
