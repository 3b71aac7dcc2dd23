package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"qipu/sample"
	"qipu/server/guard"
	"qipu/server/jobs"
	"qipu/server/stream"
	"qipu/view"
)

func (s *Server) registerJobs() {
	get(s, fresh, "/jobs", "list-jobs", "import", "Imports, the last first", s.jobList)
	register(s, change, http.MethodPost, "/jobs", "start-job", "import", "Import the demo set, a text, or files below the import root", s.startJob)
	s.registerUpload()
	get(s, fresh, "/jobs/{id}", "get-job", "import", "An import", s.job)
	plain(s, fresh, "/jobs/{id}/events", "follow-job", "import", "An import as a stream of events (job) until it ends", "text/event-stream", s.jobEvents)
	get(s, fresh, "/jobs/{id}/faults", "job-faults", "import", "Every record that was rejected or marked, with file, place and reason", s.jobFaults)
	register(s, change, http.MethodPost, "/jobs/{id}/cancel", "cancel-job", "import", "Stop an import; what is stored stays", s.cancelJob)
	register(s, change, http.MethodPost, "/jobs/{id}/resume", "resume-job", "import", "Go on with an import that was stopped or has failed", s.resumeJob)
	register(s, change, http.MethodDelete, "/jobs/{id}", "remove-job", "import", "Forget an import; its records stay", s.removeJob)
}

// registerUpload registers the upload of files, whose body is a form of any
// size: it is read as it comes, so that it is described by hand.
func (s *Server) registerUpload() {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	op := huma.Operation{
		OperationID: "upload", Method: http.MethodPost, Path: "/jobs/upload", Tags: []string{"import"}, Summary: "Import files; a form whose fields come before its files",
		SkipValidateBody: true, Security: secured(uploading, http.MethodPost),
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
			Type: huma.TypeObject,
			Properties: map[string]*huma.Schema{
				"title":      text("What to call the import"),
				"collection": text("The records come into it; made where there is none"),
				"dryRun":     text("true only checks, and stores nothing"),
				"variations": text("true checks the moves of all lines"),
				"encoding":   text("Overrides what files declare"),
				"file":       {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString, Format: "binary"}, Description: "Files; a name may have folders before it"},
			},
		}}}},
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{
			"application/json": {Schema: s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[view.Job](), true, "Job")},
		}}},
	}
	s.api.OpenAPI().AddOperation(&op)
	s.policies.add(uploading, "POST "+prefix+op.Path)
	s.mux.HandleFunc("POST "+prefix+op.Path, func(w http.ResponseWriter, r *http.Request) {
		s.serve(humago.NewContext(&op, r, w), s.upload)
	})
}

// upload takes the files of a form into the spool, and starts their import when
// all are there. Where one cannot be taken, nothing is imported.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) error {
	if err := s.canImport(); err != nil {
		return err
	}
	form, err := r.MultipartReader()
	if err != nil {
		return bad("no-form", "Send multipart/form-data with one part \"file\" for each file.", "The body is no form: %v", err)
	}
	var spec jobs.Spec
	var up *jobs.Upload
	defer func() {
		if up != nil {
			up.Abort() // does nothing once it has started
		}
	}()
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return uploadProblem(err)
		}
		if part.FormName() != "file" {
			if up != nil {
				return bad("form-order", "Put the fields before the files.", "The field %q comes behind a file", part.FormName())
			}
			if err := readField(&spec, part); err != nil {
				return err
			}
			continue
		}
		if up == nil {
			if up, err = s.jobs.Begin(spec); err != nil {
				return err
			}
		}
		// Part.FileName drops folders; the spool takes care of them.
		in := &source{r: part}
		if _, err := up.Add(sentName(part), in); in.err != nil {
			return uploadProblem(in.err)
		} else if err != nil {
			return err
		}
	}
	if up == nil {
		return bad("no-file", "Add a part \"file\" for each file.", "The form has no files")
	}
	job, err := up.Start()
	if err != nil {
		return err
	}
	return writeJSON(w, jobOf(&job))
}

// readField reads a field of the form of an upload.
func readField(spec *jobs.Spec, part *multipart.Part) error {
	const most = 1000
	value, err := io.ReadAll(io.LimitReader(part, most+1))
	if err != nil {
		return uploadProblem(err)
	}
	if len(value) > most {
		return bad("field", "Shorten it.", "The field %q has more than %d bytes", part.FormName(), most)
	}
	text, flag := string(value), string(value) == "true"
	switch part.FormName() {
	case "title":
		spec.Title = text
	case "collection":
		spec.Collection = text
	case "encoding":
		spec.Encoding = text
	case "dryRun":
		spec.CheckOnly = flag
	case "variations":
		spec.Variations = flag
	default:
		return bad("field", "The fields are title, collection, encoding, dryRun, variations and file.", "There is no field %q", part.FormName())
	}
	return nil
}

// uploadProblem tells why an upload ended early.
func uploadProblem(err error) error {
	if p, ok := guard.TooLarge(err); ok {
		return p
	}
	if p, ok := guard.TooSlow(err); ok {
		return p
	}
	return bad("form", "Send it again.", "The form is broken: %v", err)
}

// source is what is uploaded: it tells the errors of the client from those of
// the disk.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// canImport tells why nothing can be imported, if so.
func (s *Server) canImport() error {
	if s.jobs == nil {
		return s.readOnly()
	}
	return nil
}

func (s *Server) jobList(context.Context, *struct{}) (*view.Jobs, error) {
	list := &view.Jobs{Jobs: []view.Job{}}
	if s.jobs == nil {
		return list, nil
	}
	for _, j := range s.jobs.List() {
		list.Jobs = append(list.Jobs, *jobOf(&j))
	}
	return list, nil
}

type newJobInput struct{ Body view.NewJob }

func (s *Server) startJob(_ context.Context, in *newJobInput) (*view.Job, error) {
	if err := s.canImport(); err != nil {
		return nil, err
	}
	b := &in.Body
	spec := jobs.Spec{Title: b.Title, Collection: b.Collection, CheckOnly: b.DryRun, Variations: b.Variations, Encoding: b.Encoding, Again: b.Again}
	var job jobs.Job
	var err error
	of := 0
	for _, given := range []bool{b.Sample, b.Played, b.Text != "", len(b.Paths) > 0} {
		if given {
			of++
		}
	}
	switch {
	case of != 1:
		return nil, bad("job", "Send just one of sample, played, text and paths.", "It is not clear what to import")
	case b.Sample:
		job, err = s.jobs.Sample(spec, sample.Files())
	case b.Played:
		job, err = s.jobs.Sample(spec, sample.Played())
	case b.Text != "":
		job, err = s.jobs.Paste(spec, []byte(b.Text), s.lib.Records().Formats())
	default:
		job, err = s.jobs.Paths(spec, b.Paths...)
	}
	if err != nil {
		return nil, err
	}
	return jobOf(&job), nil
}

// JobInput names an import. It is embedded, which needs an exported type.
type JobInput struct {
	ID int64 `path:"id" doc:"The number of the import"`
}

// jobNow returns an import as it is.
func (s *Server) jobNow(id int64) (*jobs.Job, error) {
	if s.jobs == nil {
		return nil, fmt.Errorf("%w: %d", jobs.ErrNotFound, id)
	}
	j, err := s.jobs.Get(id)
	return &j, err
}

func (s *Server) job(_ context.Context, in *JobInput) (*view.Job, error) {
	j, err := s.jobNow(in.ID)
	if err != nil {
		return nil, err
	}
	return jobOf(j), nil
}

// jobEvents follows an import: every event is all that is known of it, so that
// whoever comes late has missed nothing.
func (s *Server) jobEvents(_ context.Context, in *JobInput, w http.ResponseWriter, r *http.Request) error {
	now, err := s.jobNow(in.ID)
	if err != nil {
		return err
	}
	st, made := s.hub.Open(jobStream(now))
	if made {
		// The import may end just now: then the stream has the last of it already.
		if err := st.Send("job", jobOf(now)); err != nil && !errors.Is(err, stream.ErrClosed) {
			return err
		}
		// It may have ended between: then nobody else closes the stream.
		if now, err = s.jobNow(in.ID); err != nil || now.State.Ended() {
			s.closeJob(st, now)
		}
	}
	return stream.Serve(w, r, st)
}

// closeJob sends the last of an import, and ends its stream.
func (s *Server) closeJob(st *stream.Stream, last *jobs.Job) {
	if last != nil {
		st.Send("job", jobOf(last)) // an error means that it is closed already
	}
	st.Close()
}

// jobStream names the stream of an import: another one each time that it is gone
// on with, since a stream that has ended stays so.
func jobStream(j *jobs.Job) string {
	return "job" + strconv.FormatInt(j.ID, 10) + "q" + strconv.FormatInt(j.Queued.UnixMilli(), 36)
}

// jobChanged tells those who follow an import of its progress.
func (s *Server) jobChanged(j jobs.Job) {
	if j.State == jobs.Running {
		s.importing.Store(j.ID)
	} else {
		s.importing.CompareAndSwap(j.ID, 0) // another one may run
	}
	st, ok := s.hub.Get(jobStream(&j))
	if !ok {
		return
	}
	if j.State.Ended() {
		s.closeJob(st, &j)
		return
	}
	st.Send("job", jobOf(&j)) // an error means that nobody can follow any more
}

type faultsInput struct {
	JobInput
	Severity string `query:"severity" enum:"note,marked,rejected," doc:"Only these"`
	Kind     string `query:"kind" maxLength:"100" doc:"Only these"`
	Limit    int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Faults a page"`
	Cursor   string `query:"cursor" maxLength:"100" doc:"Of the page: next or at of the one before"`
}

func (s *Server) jobFaults(_ context.Context, in *faultsInput) (*view.Faults, error) {
	now, err := s.jobNow(in.ID)
	if err != nil {
		return nil, err
	}
	after := int64(0)
	if in.Cursor != "" {
		if after, err = strconv.ParseInt(in.Cursor, 10, 64); err != nil {
			return nil, bad("cursor", "Begin again without a cursor.", "%q is no cursor of this list", in.Cursor)
		}
	}
	page, err := s.jobs.Faults(in.ID, after, in.Limit, jobs.Filter{Kind: in.Kind, Severity: in.Severity})
	if err != nil {
		return nil, err
	}
	out := &view.Faults{Faults: []view.Fault{}, Total: int(now.Faults), At: strconv.FormatInt(page.At, 10)}
	if page.Next != 0 {
		out.Next = strconv.FormatInt(page.Next, 10)
	}
	for _, f := range page.Faults {
		out.Faults = append(out.Faults, faultOf(&f))
	}
	return out, nil
}

// faultOf dresses a fault.
func faultOf(f *jobs.Fault) view.Fault {
	return view.Fault{
		Number: int(f.Number), File: f.File, Record: f.Record, Offset: f.Offset, Line: f.Line, Move: f.Move,
		Kind: f.Kind, Severity: f.Severity, Reason: f.Reason, Excerpt: f.Excerpt,
	}
}

func (s *Server) cancelJob(ctx context.Context, in *JobInput) (*view.Job, error) {
	return s.changeJob(ctx, in.ID, (*jobs.Manager).Cancel)
}

func (s *Server) resumeJob(ctx context.Context, in *JobInput) (*view.Job, error) {
	return s.changeJob(ctx, in.ID, (*jobs.Manager).Resume)
}

func (s *Server) changeJob(ctx context.Context, id int64, change func(*jobs.Manager, int64) error) (*view.Job, error) {
	if _, err := s.jobNow(id); err != nil {
		return nil, err
	}
	if err := change(s.jobs, id); err != nil {
		return nil, err
	}
	return s.job(ctx, &JobInput{ID: id})
}

func (s *Server) removeJob(_ context.Context, in *JobInput) (*nothing, error) {
	if _, err := s.jobNow(in.ID); err != nil {
		return nil, err
	}
	return nil, s.jobs.Remove(in.ID)
}

// jobOf dresses an import.
func jobOf(j *jobs.Job) *view.Job {
	c, p := &j.Counts, &j.Progress
	out := &view.Job{
		ID: j.ID, Title: j.Title, Source: string(j.Source), State: string(j.State), Collection: j.Collection, DryRun: j.CheckOnly,
		Variations: j.Variations, Encoding: j.Encoding, Files: []view.JobFile{}, FileCount: j.FileCount, Bytes: j.Bytes, Outside: j.Outside,
		Progress: view.Progress{Bytes: p.Bytes, Total: p.Total, Files: p.Files, Records: p.Records, Rate: p.Rate, Elapsed: p.Elapsed, ETA: p.ETA},
		Counts: view.JobCounts{
			Records: c.Records, New: c.New, Duplicates: c.Duplicates, Fuller: c.Fuller, Twins: c.Twins, Marked: c.Marked, Rejected: c.Rejected,
			Legal: c.Legal, Skipped: c.Skipped, Unchanged: c.Unchanged, ByFormat: c.ByFormat, ByGame: c.ByGame, ByEncoding: c.ByEncoding, ByFault: c.ByFault,
		},
		Faults: int(j.Faults), Error: j.Error, Hint: j.Hint, Runs: j.Runs, Created: j.Created, Started: timeOf(j.Started), Ended: timeOf(j.Ended),
	}
	for _, f := range j.Files {
		out.Files = append(out.Files, view.JobFile(f))
	}
	return out
}

// sentName returns the name of a file of a form as it was sent: Part.FileName
// would leave out the folders before it, which the spool takes care of.
func sentName(part *multipart.Part) string {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return part.FileName()
	}
	return params["filename"]
}

// timeOf returns a time, or nil where it is not known.
func timeOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
