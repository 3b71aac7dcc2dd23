package manage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"qipu/sample"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/server/jobs"
	"qipu/server/stream"
	"qipu/store"
	"qipu/view"
)

func (s *room) registerJobs() {
	api.Get(s.Service, api.Sent, "/jobs", "list-jobs", "import", "Imports, the last first: all of them for editors, those that one has sent for others", s.jobList)
	api.Register(s.Service, api.Sending, http.MethodPost, "/jobs", "start-job", "import", "Import the demo set, a text, or, for the owner, files below the import root", s.startJob)
	api.Register(s.Service, api.Owning, http.MethodPost, "/jobs/fetch", "fetch-records", "import", "Fetch records from a public site, and import them", s.fetchRecords)
	s.registerUpload()
	api.Get(s.Service, api.Sent, "/jobs/{id}", "get-job", "import", "An import", s.job)
	api.Plain(s.Service, api.Sent, "/jobs/{id}/events", "follow-job", "import", "An import as a stream of events (job) until it ends", "text/event-stream", s.jobEvents)
	api.Get(s.Service, api.Sent, "/jobs/{id}/faults", "job-faults", "import", "Every record that was rejected or marked, with file, place and reason", s.jobFaults)
	api.Register(s.Service, api.Change, http.MethodPost, "/jobs/{id}/accept", "accept-job", "import", "Let records that somebody has sent into the library; DELETE refuses them", s.acceptJob)
	api.Register(s.Service, api.Change, http.MethodPost, "/jobs/{id}/cancel", "cancel-job", "import", "Stop an import; what is stored stays", s.cancelJob)
	api.Register(s.Service, api.Change, http.MethodPost, "/jobs/{id}/resume", "resume-job", "import", "Go on with an import that was stopped or has failed", s.resumeJob)
	api.Register(s.Service, api.Change, http.MethodDelete, "/jobs/{id}", "remove-job", "import", "Forget an import; its records stay", s.removeJob)
}

// registerUpload registers the upload of files, whose body is a form of any
// size: it is read as it comes, so that it is described by hand.
func (s *room) registerUpload() {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	api.Described[view.Job](s.Service, api.Uploading, &huma.Operation{
		OperationID: "upload", Method: http.MethodPost, Path: "/jobs/upload", Tags: []string{"import"}, Summary: "Import files; a form whose fields come before its files",
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
	}, s.upload)
}

// upload takes the files of a form into the spool, and starts their import when
// all are there. Where one cannot be taken, nothing is imported.
func (s *room) upload(w http.ResponseWriter, r *http.Request) error {
	if err := s.canImport(); err != nil {
		return err
	}
	form, err := r.MultipartReader()
	if err != nil {
		return api.Bad("no-form", "Send multipart/form-data with one part \"file\" for each file.", "The body is no form: %v", err)
	}
	spec := s.sent(r.Context())
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
				return api.Bad("form-order", "Put the fields before the files.", "The field %q comes behind a file", part.FormName())
			}
			if err := readField(&spec, part); err != nil {
				return err
			}
			continue
		}
		if up == nil {
			if err := s.mayCollect(r.Context(), &spec); err != nil {
				return err
			}
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
		return api.Bad("no-file", "Add a part \"file\" for each file.", "The form has no files")
	}
	job, err := up.Start()
	if err != nil {
		return err
	}
	return api.WriteJSON(w, s.shown(r.Context(), &job))
}

// sent is an import by who asks: what members and guests send may have to wait.
func (s *room) sent(ctx context.Context) jobs.Spec {
	return jobs.Spec{By: store.Who(ctx), Hold: s.Approve && !s.May(ctx, api.Editors)}
}

// mayCollect refuses records for a collection, which all see, from who is no editor and
// has not to wait for one.
func (s *room) mayCollect(ctx context.Context, spec *jobs.Spec) error {
	if spec.Collection == "" || spec.Hold || s.May(ctx, api.Editors) {
		return nil
	}
	return &guard.Problem{Status: http.StatusForbidden, Code: "not-allowed", Detail: "collections of the library are for editors to change", Hint: "Send the records without a collection."}
}

// shown returns an import as it is shown, with the name of who sent it.
func (s *room) shown(ctx context.Context, j *jobs.Job) *view.Job {
	w := j.View()
	if w.By != "" {
		if p, err := s.Lib.People().Profile(ctx, w.By); err == nil {
			w.ByName = p.Name
		}
	}
	return w
}

// readField reads a field of the form of an upload.
func readField(spec *jobs.Spec, part *multipart.Part) error {
	const most = 1000
	value, err := io.ReadAll(io.LimitReader(part, most+1))
	if err != nil {
		return uploadProblem(err)
	}
	if len(value) > most {
		return api.Bad("field", "Shorten it.", "The field %q has more than %d bytes", part.FormName(), most)
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
		return api.Bad("field", "The fields are title, collection, encoding, dryRun, variations and file.", "There is no field %q", part.FormName())
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
	return api.Bad("form", "Send it again.", "The form is broken: %v", err)
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
func (s *room) canImport() error {
	if s.jobs == nil {
		return s.ReadOnly()
	}
	return nil
}

func (s *room) jobList(ctx context.Context, _ *struct{}) (*view.Jobs, error) {
	list := &view.Jobs{Jobs: []view.Job{}}
	if s.jobs == nil {
		return list, nil
	}
	for _, j := range s.jobs.List() {
		if s.sees(ctx, &j) {
			list.Jobs = append(list.Jobs, *s.shown(ctx, &j))
		}
	}
	return list, nil
}

type newJobInput struct{ Body view.NewJob }

func (s *room) startJob(ctx context.Context, in *newJobInput) (*view.Job, error) {
	if err := s.canImport(); err != nil {
		return nil, err
	}
	b := &in.Body
	spec := s.sent(ctx)
	spec.Title, spec.Collection, spec.CheckOnly, spec.Variations, spec.Encoding, spec.Again = b.Title, b.Collection, b.DryRun, b.Variations, b.Encoding, b.Again
	var job jobs.Job
	err := s.mayCollect(ctx, &spec)
	if err != nil {
		return nil, err
	}
	of := 0
	for _, given := range []bool{b.Sample, b.Played, b.Text != "", len(b.Paths) > 0} {
		if given {
			of++
		}
	}
	switch {
	case of != 1:
		return nil, api.Bad("job", "Send just one of sample, played, text and paths.", "It is not clear what to import")
	case len(b.Paths) > 0 && !s.Owns(ctx):
		return nil, &guard.Problem{Status: http.StatusForbidden, Code: "not-allowed", Detail: "files of the server are the owner's to import", Hint: "Send the records themselves."}
	case b.Sample:
		job, err = s.jobs.Sample(spec, sample.Files())
	case b.Played:
		job, err = s.jobs.Sample(spec, sample.Played())
	case b.Text != "":
		job, err = s.jobs.Paste(spec, []byte(b.Text), s.Lib.Records().Formats())
	default:
		job, err = s.jobs.Paths(spec, b.Paths...)
	}
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, &job), nil
}

type newFetchInput struct{ Body view.NewFetch }

func (s *room) fetchRecords(ctx context.Context, in *newFetchInput) (*view.Job, error) {
	if err := s.canImport(); err != nil {
		return nil, err
	}
	job, err := s.jobs.Fetch(jobs.Spec{By: store.Who(ctx), Collection: in.Body.Collection}, in.Body.Source)
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, &job), nil
}

// JobInput names an import. It is embedded, which needs an exported type.
type JobInput struct {
	ID int64 `path:"id" doc:"The number of the import"`
}

// jobNow returns an import as it is. One that somebody else has sent is not there for
// who is no editor.
func (s *room) jobNow(ctx context.Context, id int64) (*jobs.Job, error) {
	if s.jobs == nil {
		return nil, fmt.Errorf("%w: %d", jobs.ErrNotFound, id)
	}
	j, err := s.jobs.Get(id)
	if err == nil && !s.sees(ctx, &j) {
		err = fmt.Errorf("%w: %d", jobs.ErrNotFound, id)
	}
	return &j, err
}

// sees reports whether an import is shown to who asks.
func (s *room) sees(ctx context.Context, j *jobs.Job) bool {
	return s.May(ctx, api.Editors) || j.By != "" && j.By == store.Who(ctx)
}

func (s *room) job(ctx context.Context, in *JobInput) (*view.Job, error) {
	j, err := s.jobNow(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, j), nil
}

// jobEvents follows an import: every event is all that is known of it, so that
// whoever comes late has missed nothing.
func (s *room) jobEvents(ctx context.Context, in *JobInput, w http.ResponseWriter, r *http.Request) error {
	now, err := s.jobNow(ctx, in.ID)
	if err != nil {
		return err
	}
	st, made := s.Hub.Open(s.jobStream(now))
	if made {
		// The import may end just now: then the stream has the last of it already.
		if err := st.Send("job", now.View()); err != nil && !errors.Is(err, stream.ErrClosed) {
			return err
		}
		// It may have ended between: then nobody else closes the stream.
		if now, err = s.jobNow(ctx, in.ID); err != nil || now.State.Ended() {
			s.closeJob(st, now)
		}
	}
	return stream.Serve(w, r, st)
}

// closeJob sends the last of an import, and ends its stream.
func (s *room) closeJob(st *stream.Stream, last *jobs.Job) {
	if last != nil {
		st.Send("job", last.View()) // an error means that it is closed already
	}
	st.Close()
}

// jobStream names the stream of an import: another one each time that it is gone
// on with, since a stream that has ended stays so.
func (s *room) jobStream(j *jobs.Job) string {
	return "job" + strconv.FormatInt(j.ID, 10) + "q" + strconv.FormatInt(j.Queued.UnixMilli(), 36) + s.streams
}

// jobChanged tells those who follow an import of its progress.
func (s *room) jobChanged(j jobs.Job) {
	if j.State == jobs.Running {
		s.Importing.Store(j.ID)
	} else {
		s.Importing.CompareAndSwap(j.ID, 0) // another one may run
	}
	st, ok := s.Hub.Get(s.jobStream(&j))
	if !ok {
		return
	}
	if j.State.Ended() {
		s.closeJob(st, &j)
		return
	}
	st.Send("job", j.View()) // an error means that nobody can follow any more
}

type faultsInput struct {
	JobInput
	Severity string `query:"severity" enum:"note,marked,rejected," doc:"Only these"`
	Kind     string `query:"kind" maxLength:"100" doc:"Only these"`
	Limit    int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Faults a page"`
	Cursor   string `query:"cursor" maxLength:"100" doc:"Of the page: next or at of the one before"`
}

func (s *room) jobFaults(ctx context.Context, in *faultsInput) (*view.Faults, error) {
	now, err := s.jobNow(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	after := int64(0)
	if in.Cursor != "" {
		if after, err = strconv.ParseInt(in.Cursor, 10, 64); err != nil {
			return nil, api.Bad("cursor", "Begin again without a cursor.", "%q is no cursor of this list", in.Cursor)
		}
	}
	page, err := s.jobs.Faults(in.ID, after, in.Limit, jobs.Filter{Kind: in.Kind, Severity: in.Severity})
	if err != nil {
		return nil, err
	}
	out := &view.Faults{Faults: page.Faults, Total: int(now.Faults), At: strconv.FormatInt(page.At, 10)}
	if page.Next != 0 {
		out.Next = strconv.FormatInt(page.Next, 10)
	}
	return out, nil
}

func (s *room) cancelJob(ctx context.Context, in *JobInput) (*view.Job, error) {
	return s.changeJob(ctx, in.ID, (*jobs.Manager).Cancel)
}

func (s *room) acceptJob(ctx context.Context, in *JobInput) (*view.Job, error) {
	return s.changeJob(ctx, in.ID, (*jobs.Manager).Accept)
}

func (s *room) resumeJob(ctx context.Context, in *JobInput) (*view.Job, error) {
	if j, err := s.jobNow(ctx, in.ID); err == nil && j.Source == jobs.FromNet && !s.Owns(ctx) {
		return nil, &guard.Problem{Status: http.StatusForbidden, Code: "not-allowed", Detail: "what comes from the net is the owner's to fetch", Hint: "Ask the owner of the library."}
	}
	return s.changeJob(ctx, in.ID, (*jobs.Manager).Resume)
}

func (s *room) changeJob(ctx context.Context, id int64, change func(*jobs.Manager, int64) error) (*view.Job, error) {
	if _, err := s.jobNow(ctx, id); err != nil {
		return nil, err
	}
	if err := change(s.jobs, id); err != nil {
		return nil, err
	}
	return s.job(ctx, &JobInput{ID: id})
}

func (s *room) removeJob(ctx context.Context, in *JobInput) (*api.Nothing, error) {
	if _, err := s.jobNow(ctx, in.ID); err != nil {
		return nil, err
	}
	return nil, s.jobs.Remove(in.ID)
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
