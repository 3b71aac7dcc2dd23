// Package jobs runs imports that survive anything: the browser that is closed,
// the server that is stopped, the process that is killed, the disk that is full.
//
//	m, err := jobs.Open(ctx, filepath.Join(lib.Dir(), "jobs"), lib, jobs.Options{})
//	up, err := m.Begin(jobs.Spec{Title: "club games", Collection: "club"})
//	err = up.Add("2024/round 1.sgf", body)
//	job, err := up.Start()
//	...
//	page, err := m.Faults(job.ID, 0, 100, jobs.Filter{})
//
// The main type is Manager. One job runs at a time, because a library has one
// writer; others wait in the order in which they came.
//
// # The law
//
// A job that was interrupted any number of times, by a kill at any moment, ends
// with the library and the report of one that never was. Every fault is in its
// list once, under the name of the file that the user knows. It rests on three
// things: files are in the spool, flushed to the disk, before a job starts;
// library.Journal tells which batches are in the library; and the list of faults is
// cut back to what the journal counts before a run goes on.
//
// # The folder
//
//	jobs/last                the number given last
//	jobs/17/job.json         what Job tells, replaced as a whole
//	jobs/17/files.ndjson     all files of the job, a line each
//	jobs/17/journal.json     the last two checkpoints, while the job is not done
//	jobs/17/faults.ndjson    all faults, a line each
//	jobs/17/spool/           what was uploaded, until the job is done
//
// The package does not speak HTTP, does not tell users apart, and reads no path
// outside the folder that it was given for that (Options.Root).
package jobs
