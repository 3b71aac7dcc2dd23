package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"qipu"
	"qipu/internal/clickhouse"
	"qipu/library"
	"qipu/sample"
	"qipu/server/api"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// newLibrary makes an empty library: in a folder, or where QIPU_SERVERS is set on
// two servers, so that all that is asked of the one can be asked of the other.
func newLibrary(t testing.TB) *qipu.Library {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "library")
	if os.Getenv("QIPU_SERVERS") == "" {
		lib, err := qipu.Open(t.Context(), dir, qipu.Options{Create: true})
		if err != nil {
			t.Fatal(err)
		}
		return lib
	}
	return openServers(t, clickhouse.Start(t, clickhouse.Options{Shards: 2, Replicas: 1}), dir)
}

// openServers makes an empty library on servers, with its desk in a folder.
func openServers(t testing.TB, f *clickhouse.Fleet, desk string) *qipu.Library {
	t.Helper()
	cfg, err := wire.Parse(f.URL())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	lib, err := qipu.Open(t.Context(), f.URL(), qipu.Options{Env: func(name string) (string, bool) { return desk, name == "QIPU_DESK" }})
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// TestOnCluster serves a library that lies on two servers, of which one dies.
func TestOnCluster(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2, Replicas: 1})
	dir := t.TempDir()
	lib := openServers(t, f, filepath.Join(dir, "desk"))
	defer lib.Close()
	s, err := New(t.Context(), lib, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	games := filepath.Join(dir, "games")
	if err := os.CopyFS(games, sample.Files()); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Import(t.Context(), library.ImportOptions{}, games); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Records().Keeper().Merge(t.Context()); err != nil { // to the servers
		t.Fatal(err)
	}
	ask := func(path string) (int, map[string]any) {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", api.Prefix+path, nil))
		var body map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return w.Code, body
	}
	code, whole := ask("/find?q=moves%3E1&game=othello")
	if code != http.StatusOK || whole["games"].(float64) < 5 || whole["partial"] != false {
		t.Fatalf("%d: %v", code, whole)
	}
	f.Node(1, 0).Kill()
	time.Sleep(300 * time.Millisecond) // a log may be as old as that
	code, body := ask("/find?q=moves%3E2&game=othello")
	if code != http.StatusServiceUnavailable || body["code"] != "unreachable" {
		t.Errorf("with a dead shard %d: %v", code, body)
	}
	code, body = ask("/find?q=moves%3E2&game=othello&partial=true")
	if n := body["games"]; code != http.StatusOK || body["partial"] != true || n.(float64) >= whole["games"].(float64) {
		t.Errorf("a partial answer is %d: %v", code, body)
	}
	code, body = ask("/explore?game=othello&partial=true")
	if code != http.StatusOK || body["partial"] != true {
		t.Errorf("a partial answer of the explorer is %d: %v", code, body)
	}
}
