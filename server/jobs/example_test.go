package jobs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"qipu/builtin"
	"qipu/library"
	"qipu/server/jobs"
)

// A job is made of files, runs by itself, and keeps a list of what was wrong with
// them.
func Example() {
	dir, err := os.MkdirTemp("", "qipu")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	lib, err := library.Open(ctx, dir, library.Options{Create: true, Games: builtin.Games(), Formats: builtin.Formats()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer lib.Close()
	ended := make(chan jobs.Job, 1)
	m, err := jobs.Open(ctx, filepath.Join(dir, "jobs"), lib, jobs.Options{OnChange: func(j jobs.Job) {
		if j.State.Ended() {
			ended <- j
		}
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close(ctx)

	up, err := m.Begin(jobs.Spec{Title: "club games", Collection: "club"})
	if err == nil {
		_, err = up.Add("2024/round 1.sgf", strings.NewReader("(;GM[1]SZ[9];B[ee];W[dd])(;GM[1]SZ[9];B[aa];W[aa])"))
	}
	if err == nil {
		_, err = up.Start()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	job := <-ended
	fmt.Println(job.State, job.Counts.New, "new,", job.Counts.Marked, "marked")
	page, err := m.Faults(job.ID, 0, 100, jobs.Filter{})
	for _, f := range page.Faults {
		fmt.Printf("%s, game %d, byte %d: %s\n", f.File, f.Record, f.Offset, f.Reason)
	}
	// Output:
	// done 2 new, 1 marked
	// 2024/round 1.sgf, game 2, byte 43: "aa": the point is occupied
}
