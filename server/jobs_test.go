package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"qipu/server/api"
	"qipu/server/jobs"
	"qipu/view"
)

// post sends a body, and reads the answer into a value.
func post(t *testing.T, address, kind string, body io.Reader, into any) int {
	t.Helper()
	reply, err := http.Post(address, kind, body)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	if into != nil && reply.StatusCode < 300 {
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	if reply.StatusCode >= 300 {
		t.Logf("%s: %d %s", address, reply.StatusCode, clip(string(text)))
	}
	return reply.StatusCode
}

// asked asks for a value over the net.
func asked(t *testing.T, address string, into any) int {
	t.Helper()
	reply, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if err := json.NewDecoder(reply.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode
}

// upload returns a form with files: names and texts by turns.
func upload(t *testing.T, fields map[string]string, files ...string) (kind string, body io.Reader) {
	t.Helper()
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < len(files); i += 2 {
		w, err := form.CreateFormFile("file", files[i])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, files[i+1])
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return form.FormDataContentType(), &out
}

// TestUpload: files are imported under the names that they were sent with, and
// everything that is wrong with them is listed.
//
//qipu:race
func TestUpload(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	kind, body := upload(t, map[string]string{"collection": "sent", "title": "four files"},
		"folder/good.sgf", "(;GM[1]FF[4]SZ[9]PB[Uploaded One]PW[Uploaded Two];B[ee];W[gg])",
		"marked.sgf", "(;GM[1]FF[4]SZ[9]PB[Uploaded One];B[ee];W[ee])",
		"../../broken.sgf", "(;GM[1]FF[4]SZ[9];B[ab];W[", "garbled.sgf", "\x00\x01\x02 no record")
	var job view.Job
	if code := post(t, base+api.Prefix+"/jobs/upload", kind, body, &job); code != 200 {
		t.Fatalf("upload: %d", code)
	}
	if job.Title != "four files" || job.FileCount != 4 || job.Source != "upload" {
		t.Errorf("job %+v", job)
	}
	await(t, base, job.ID)
	if code := asked(t, base+api.Prefix+"/jobs/"+itoa(job.ID), &job); code != 200 || job.State != "done" || job.Counts.New != 3 || job.Counts.Records != 3 {
		t.Errorf("%d, job %+v", code, job)
	}
	var faults view.Faults
	asked(t, base+api.Prefix+"/jobs/"+itoa(job.ID)+"/faults", &faults)
	if len(faults.Faults) != job.Faults || len(faults.Faults) < 2 {
		t.Fatalf("%d faults are listed, the job has %d", len(faults.Faults), job.Faults)
	}
	seen := map[string]bool{}
	for _, f := range faults.Faults {
		seen[f.File+" "+f.Severity] = true
		if f.Reason == "" || f.Kind == "" || strings.Contains(f.File, "..") || strings.Contains(f.File, w.lib.Records().Dir()) {
			t.Errorf("fault %+v", f)
		}
	}
	if !seen["marked.sgf marked"] || !seen["garbled.sgf rejected"] {
		t.Errorf("faults %v", seen)
	}
	// Page by page it is the same list.
	var paged []view.Fault
	for cursor := ""; ; {
		var page view.Faults
		asked(t, base+api.Prefix+"/jobs/"+itoa(job.ID)+"/faults?limit=1&cursor="+cursor, &page)
		paged = append(paged, page.Faults...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(paged) != len(faults.Faults) {
		t.Errorf("%d faults page by page, %d at once", len(paged), len(faults.Faults))
	}
	var found view.Records
	asked(t, base+api.Prefix+"/records?q=collection:sent", &found)
	if found.Games != 3 {
		t.Errorf("%d records in the collection", found.Games)
	}
	var rec view.FullRecord
	for _, hit := range found.Records {
		asked(t, base+api.Prefix+"/records/"+itoa(int64(hit.Record.ID)), &rec)
		if f := rec.Sources[0].File; f != "folder/good.sgf" && f != "marked.sgf" && f != "broken.sgf" {
			t.Errorf("the source is %q", f)
		}
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// TestJobEvents: an import is followed to its end, also by whoever comes late,
// lost the line, or follows it after it was stopped and gone on with.
//
//qipu:race
func TestJobEvents(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	var job view.Job
	if code := post(t, base+api.Prefix+"/jobs", "application/json", strings.NewReader(`{"sample":true,"dryRun":true}`), &job); code != 200 {
		t.Fatalf("start: %d", code)
	}
	address := base + api.Prefix + "/jobs/" + itoa(job.ID) + "/events"
	_, list := listen(t, address, "")
	last := list[len(list)-1]
	if err := json.Unmarshal([]byte(last.data), &job); err != nil || job.State != "done" {
		t.Fatalf("the last event is %+v", last)
	}
	if _, again := listen(t, address, last.id); len(again) != 0 {
		t.Errorf("whoever has everything gets %d events", len(again))
	}
	if _, late := listen(t, address, ""); len(late) != 1 || late[0].data != last.data {
		t.Errorf("whoever comes late gets %+v", late)
	}
	if code := post(t, base+api.Prefix+"/jobs", "application/json", strings.NewReader(`{"sample":true}`), &job); code != 200 {
		t.Fatalf("start: %d", code)
	}
	await(t, base, job.ID)
	if code := post(t, base+api.Prefix+"/jobs/"+itoa(job.ID)+"/resume", "application/json", nil, nil); code != http.StatusConflict {
		t.Errorf("going on with one that is done: %d", code)
	}
	if code := post(t, base+api.Prefix+"/jobs/999/cancel", "application/json", nil, nil); code != http.StatusNotFound {
		t.Errorf("cancelling one that is not there: %d", code)
	}
}

// TestCancelResume: an import that was cancelled can be gone on with, and its
// stream starts anew.
//
//qipu:race full
func TestCancelResume(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	var many strings.Builder
	for i := range 20_000 { // enough to be there in time
		many.WriteString("(;GM[1]FF[4]SZ[19]PB[Cancel]PW[Resume]EV[" + itoa(int64(i)) + "];B[aa];W[" + string(rune('a'+i%19)) + string(rune('b'+i/19%18)) + "];B[" + string(rune('a'+i/342%19)) + "t])\n")
	}
	kind, body := upload(t, nil, "many.sgf", many.String())
	var job view.Job
	if code := post(t, base+api.Prefix+"/jobs/upload", kind, body, &job); code != 200 {
		t.Fatalf("upload: %d", code)
	}
	address := base + api.Prefix + "/jobs/" + itoa(job.ID)
	code := post(t, address+"/cancel", "application/json", nil, nil)
	state := await(t, base, job.ID).State
	if code != 200 || state != string(jobs.Cancelled) {
		t.Fatalf("cancel: %d, %s", code, state)
	}
	_, list := listen(t, address+"/events", "")
	if last := list[len(list)-1]; !strings.Contains(last.data, `"cancelled"`) {
		t.Errorf("the last event is %s", last.data)
	}
	if code := post(t, address+"/resume", "application/json", nil, nil); code != 200 {
		t.Fatalf("resume: %d", code)
	}
	_, list = listen(t, address+"/events", "")
	if last := list[len(list)-1]; !strings.Contains(last.data, `"state":"done"`) {
		t.Errorf("after going on the last event is %s", last.data)
	}
	var found view.Records
	asked(t, base+api.Prefix+"/records?q=player:Cancel&limit=1", &found)
	if asked(t, address, &job); found.Games != job.Counts.New || found.Games == 0 {
		t.Errorf("%d records of %d", found.Games, job.Counts.New)
	}
}

// TestImportRoot: files of the server can be imported below the root, and only
// there.
func TestImportRoot(t *testing.T) {
	w := newWorld(t)
	w.Close(context.Background())
	root := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.sgf")
	for _, path := range []string{filepath.Join(root, "in.sgf"), outside} {
		if err := os.WriteFile(path, []byte("(;GM[1]FF[4]SZ[9]PB[Rooted];B[ee])"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	os.Symlink(outside, filepath.Join(root, "link.sgf")) // where links can be made
	s, err := New(t.Context(), w.lib, Options{ImportRoot: root, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	served := httptest.NewServer(s.Handler())
	defer served.Close()
	base := served.URL
	for path, want := range map[string]bool{"in.sgf": true, "../" + filepath.Base(filepath.Dir(outside)) + "/secret.sgf": false, outside: false, "link.sgf": false, "nothing.sgf": false} {
		var job view.Job
		if code := post(t, base+api.Prefix+"/jobs", "application/json", strings.NewReader(`{"paths":[`+strconv.Quote(path)+`]}`), &job); (code == 200) != want {
			t.Errorf("%s: %d", path, code)
		}
		if want {
			if j := await(t, base, job.ID); j.Counts.Records != 1 {
				t.Errorf("%s: %+v", path, j.Counts)
			}
		}
	}
}
