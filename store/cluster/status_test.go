package cluster

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/internal/clickhouse"
	"qipu/remedy"
	"qipu/store/cluster/data"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/rows"
	"qipu/store/cluster/wire"
)

// statusOf asks how a library is.
func statusOf(t testing.TB, cfg *wire.Config) *Status {
	t.Helper()
	st, err := StatusOf(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestStatus(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2})
	_, err := StatusOf(t.Context(), parse(t, f.URL()))
	if r, _ := remedy.Of(err); r.Code != remedy.Init {
		t.Errorf("%v: no advice to set the servers up", err)
	}
	cfg := foundOn(t, f)
	st := statusOf(t, cfg)
	if len(st.Problems) != 0 || st.Log != (LogStatus{Same: true}) || st.Format != ledger.SchemaVersion || st.ID == "" || st.Epoch != 1 || len(st.Shards) != 2 {
		t.Errorf("of an empty library: %+v", st)
	}
	d := newDesk(t, cfg, 1)
	added := d.add(d.Game("weiqi", "9x9", 30), d.Game("weiqi", "9x9", 30), d.Game("othello", "8x8", 20))
	if err := d.Delete(t.Context(), []uint32{added[1].ID}); err != nil {
		t.Fatal(err)
	}
	st = statusOf(t, cfg)
	if want := (LogStatus{Commits: 2, Documents: 2, Dead: 1, Writers: 1, Same: true}); st.Log != want {
		t.Errorf("log %+v, want %+v", st.Log, want)
	}
	if n := st.Shards[0].Documents + st.Shards[1].Documents; n != 3 || len(st.Problems) != 0 {
		t.Errorf("%d documents, problems %q", n, st.Problems)
	}
	n := st.Shards[0].Nodes[0]
	if !n.Up || n.Host != f.Node(0, 0).Addr() || n.Version == "" || n.Bytes == 0 || !slices.ContainsFunc(n.Tables, func(t TableStatus) bool { return t.Name == "log" && t.Rows == 2 && t.Bytes > 0 }) {
		t.Errorf("%+v", n)
	}
	text, err := json.Marshal(st)
	if err != nil || !strings.Contains(string(text), `"documents":2`) {
		t.Errorf("%s, %v", text, err)
	}

	f.Node(0, 0).Exec(t, "INSERT INTO "+f.Database()+".game (doc, kind) SELECT toUInt32(60000), 'weiqi:9x9'")
	f.Node(1, 0).Exec(t, "ALTER TABLE "+f.Database()+".log DELETE WHERE notEmpty(gone)")
	patiently(t, func() error { return d.Shards[1].Settle(t.Context()) })
	st = statusOf(t, cfg)
	if st.Shards[0].Garbage != 1 || st.Shards[1].Garbage != 0 || st.Log.Same || st.Log.Commits != 2 || len(st.Problems) != 2 {
		t.Errorf("with garbage, and a row of the log missing: %+v", st)
	}
	f.Node(1, 0).Kill()
	st = statusOf(t, cfg)
	n = st.Shards[1].Nodes[0]
	if n.Up || !strings.Contains(n.Why, n.Host) || !strings.Contains(strings.Join(st.Problems, "\n"), "shard 2 cannot be reached") {
		t.Errorf("one dead: %+v, %q", n, st.Problems)
	}
}

// What an interrupted import leaves goes when it is old enough, and not before.
// What counts stays.
func TestSweep(t *testing.T) {
	t.Parallel()
	f := clickhouse.Shared(t)
	cfg := foundOn(t, f)
	d := newDesk(t, cfg, 2)
	added := d.add(d.Game("weiqi", "9x9", 30), d.Game("weiqi", "9x9", 30), d.Game("weiqi", "9x9", 30))
	if err := d.Delete(t.Context(), []uint32{added[1].ID}); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"game", "pos"} { // the second document has no row in game
		for _, doc := range []string{"60000", "70000"}[:1+len(table)%2] {
			d.Shards[1].Replicas[0].Conn.Exec(t.Context(), "INSERT INTO "+table+" (doc, kind) SELECT toUInt32("+doc+"), 'weiqi:9x9'")
		}
	}
	rows := func() (n uint64) {
		for _, table := range rows.Tables {
			if table.Within == "doc" {
				n += d.Count("SELECT count() AS n FROM " + table.Name)
			}
		}
		return n
	}
	noted := func(at time.Time, doc uint32) error { // by an earlier sweep
		return d.Shards[0].Write(t.Context(), "noting", func(db wire.Conn) error {
			return ledger.WriteMeta(t.Context(), db, "garbage", fmt.Sprintf(`[{"at":%d,"spans":[[%d,%d]]}]`, at.Unix(), doc, doc+1))
		})
	}
	sweep := func(olderThan time.Duration) data.Swept {
		t.Helper()
		done, err := d.Sweep(t.Context(), olderThan)
		if err != nil {
			t.Fatal(err)
		}
		return *done
	}
	before := rows()
	for range 2 {
		if got := sweep(time.Hour); got != (data.Swept{Waiting: 2}) || rows() != before {
			t.Errorf("%+v, and %d rows of %d are left", got, rows(), before)
		}
	}
	if seen, err := d.Sightings(t.Context()); err != nil || len(seen) != 1 {
		t.Errorf("%+v, %v", seen, err)
	}
	// An hour passes.
	if err := noted(time.Now().Add(-2*time.Hour), 60000); err != nil {
		t.Fatal(err)
	}
	if got := sweep(time.Hour); got != (data.Swept{Abandoned: 1, Waiting: 1}) {
		t.Errorf("an hour later: %+v", got)
	}
	if got := sweep(0); got != (data.Swept{Abandoned: 1, Dead: 1}) {
		t.Errorf("all that is left: %+v", got)
	}
	if got := sweep(0); got != (data.Swept{}) {
		t.Errorf("again: %+v", got)
	}
	if n := d.Count("SELECT count() AS n FROM game"); n != 2 {
		t.Errorf("%d games are left, want 2", n)
	}
	if got, want := newDesk(t, cfg, 3).ids(), []uint32{added[0].ID, added[2].ID}; !slices.Equal(got, want) {
		t.Errorf("games are %v, want %v", got, want)
	}
	if st := statusOf(t, cfg); len(st.Problems) != 0 {
		t.Errorf("%q", st.Problems)
	}
}
