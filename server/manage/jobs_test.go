package manage

import (
	"testing"

	"qipu/server/api"
	"qipu/server/jobs"
)

// TestImporting: that another import waits does not mean that none runs.
func TestImporting(t *testing.T) {
	s := &room{Service: api.New(t.Context(), nil, api.Options{})}
	for _, c := range []struct {
		id    int64
		state jobs.State
		busy  bool
	}{
		{1, jobs.Waiting, false}, {1, jobs.Running, true}, {2, jobs.Waiting, true}, {2, jobs.Cancelled, true}, {1, jobs.Done, false}, {3, jobs.Running, true}, {3, jobs.Interrupted, false},
	} {
		s.jobChanged(jobs.Job{ID: c.id, State: c.state})
		if busy := s.Importing.Load() != 0; busy != c.busy {
			t.Errorf("job %d is %s: busy %t", c.id, c.state, busy)
		}
	}
}
