package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"qipu/builtin"
	"qipu/internal/chdb"
	"qipu/record"
	headers "qipu/record/facts"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	embedded "qipu/store/shard"
	"qipu/store/storetest"
)

// modern is a host that is a database of an engine in this process, which is a
// ClickHouse of today.
type modern struct {
	session        *chdb.Session
	host, database string

	once sync.Once
	line *chdb.Conn
	err  error
}

var _ wire.Conn = (*modern)(nil)

// dialModern returns the dialer to hosts of a session. They have one engine
// together: databases of the same name are told apart by their hosts.
func dialModern(s *chdb.Session) wire.Dialer {
	return func(host, database string) (wire.Conn, error) {
		return &modern{session: s, host: host, database: database}, nil
	}
}

// own writes the name of a library as that of its part on the host.
func (m *modern) own(s string) string {
	name, _, _ := strings.Cut(m.host, ":")
	return strings.ReplaceAll(s, modernName, modernName+name+"_")
}

// do runs a statement, on the connection that it makes first where there is none.
func (m *modern) do(ctx context.Context, run func(*chdb.Conn) error) error {
	m.once.Do(func() {
		if m.line, m.err = m.session.Conn(m.own(m.database)); m.err == nil {
			m.err = m.line.Exec(ctx, fmt.Sprintf("SET max_query_size = %d, max_execution_time = %d", wire.QuerySize, int(wire.DefaultTimeout.Seconds())))
		}
	})
	err := m.err
	if err == nil {
		err = run(m.line)
	}
	return wire.Understand(m.host, err)
}

func (m *modern) Exec(ctx context.Context, sql string) error {
	return m.do(ctx, func(c *chdb.Conn) error { return c.Exec(ctx, m.own(sql)) })
}

func (m *modern) Query(ctx context.Context, sql string, row func() error, dest ...any) error {
	var stopped error
	err := m.do(ctx, func(c *chdb.Conn) error {
		return c.Query(ctx, m.own(sql), func() error { stopped = row(); return stopped }, dest...)
	})
	if stopped != nil {
		return stopped
	}
	return err
}

func (m *modern) Insert(ctx context.Context, table string, names []string, columns []any) error {
	return m.do(ctx, func(c *chdb.Conn) error { return c.Insert(ctx, table, names, columns) })
}

func (m *modern) Close() error {
	if m.line == nil {
		return nil
	}
	return m.line.Close()
}

// modernName begins the names of libraries on chdb.
const modernName = "modern_library_"

// newModern makes an empty library on two shards.
func newModern(t testing.TB, s *chdb.Session, name string) *library {
	t.Helper()
	cfg := parse(t, "clickhouse://one,two/"+modernName+name)
	dial := dialModern(s)
	if _, err := ledger.InitWith(t.Context(), cfg, ledger.InitOptions{}, dial); err != nil {
		t.Fatal(err)
	}
	l := &library{open: func(ctx context.Context) (*Cluster, error) {
		c, err := openWith(ctx, cfg, Options{Games: builtin.Games(), Logf: t.Logf}, dial)
		if err == nil {
			t.Cleanup(func() { c.Close() })
		}
		return c, err
	}}
	var err error
	if l.Cluster, err = l.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !l.Caps.Bitmaps || !l.Caps.Codecs {
		t.Fatalf("a ClickHouse of today has bitmaps and codecs, this one %+v", l.Caps)
	}
	return l
}

// TestModernConformance runs the statements of views and of the writer in the
// dialect of today's servers. That is all it is for: at full scale too, the long
// histories are for servers.
func TestModernConformance(t *testing.T) {
	s, n := chdb.Open(t, t.TempDir()), 0
	t.Setenv("QIPU_SCALE", "")
	storetest.Run(t, storetest.Config{Games: builtin.Games(), Samples: samples(t), Seed: 7, Open: func(t *testing.T) storetest.Library {
		n++
		return newModern(t, s, fmt.Sprint(n))
	}})
}

// TestModernArchive runs the statements of the archive and of those who look
// after a library.
func TestModernArchive(t *testing.T) {
	s := chdb.Open(t, t.TempDir())
	l := newModern(t, s, "archive")
	d := &desk{t, l.Cluster, storetest.NewMaker(builtin.Games(), 5)}
	near, err := embedded.Open(t.Context(), t.TempDir(), embedded.Options{Create: true, Games: builtin.Games()})
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()

	// Beginnings, whole games, the same from elsewhere, and other people who
	// played them too.
	var batches [4][]*record.Game
	for i := range 40 {
		g := from(d.Random(60), fmt.Sprintf("file %d", i))
		batches[0] = append(batches[0], d.Cut(g, g.Moves()/(1+i%3)))
		batches[1] = append(batches[1], g)
		batches[2] = append(batches[2], from(g, "elsewhere"))
		batches[3] = append(batches[3], named(from(g, "others"), "Honinbo", "Inoue", headers.Drawn))
	}
	pair := map[uint32]uint32{}
	for _, games := range batches {
		want, err := near.Add(t.Context(), d.batch(games...))
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range d.add(games...) {
			pair[want[i].ID] = got.ID
			if got.Status != want[i].Status {
				t.Errorf("record %d became %v, want %v", i, got.Status, want[i].Status)
			}
		}
	}
	ids, err := near.Records().IDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	gone := ids.ToArray()[:5]
	var far []uint32
	for _, id := range gone {
		far = append(far, pair[id])
	}
	if err := errors.Join(near.Delete(t.Context(), gone), l.Delete(t.Context(), far)); err != nil {
		t.Fatal(err)
	}
	st, err := statusWith(t.Context(), &l.Config, dialModern(s))
	if err != nil {
		t.Fatal(err)
	}
	if len(st.Problems) > 0 || !st.Log.Same || st.Log.Documents != int64(ids.GetCardinality())-5 {
		t.Errorf("the library is %+v", st)
	}
	swept, err := l.Sweep(t.Context(), 0)
	if err != nil || swept.Dead != int(st.Log.Dead) || swept.Dead == 0 || swept.Waiting != 0 {
		t.Errorf("swept %+v, %v; there were %d dead documents", swept, err, st.Log.Dead)
	}
	compare(t, near, l.Cluster, pair)
}

// halved is a line that breaks the first time that classes of windows are
// written, when the server has stored them and not passed them on.
type halved struct {
	wire.Conn
	broke bool
}

func (h *halved) Insert(ctx context.Context, table string, names []string, columns []any) error {
	if table != "feat" || h.broke {
		return h.Conn.Insert(ctx, table, names, columns)
	}
	h.broke = true
	return errors.Join(
		h.Conn.Exec(ctx, "DETACH TABLE bits_feed"),
		h.Conn.Insert(ctx, table, names, columns),
		h.Conn.Exec(ctx, "ATTACH TABLE bits_feed"),
		&wire.DownError{Host: "here", Err: errors.New("broken")},
	)
}

// TestModernBits checks that bitmaps have what the table has that they are made
// of, also where a server died between the two.
func TestModernBits(t *testing.T) {
	l := newModern(t, chdb.Open(t, t.TempDir()), "bits")
	for _, s := range l.Shards {
		s.Replicas[0].Conn = &halved{Conn: s.Replicas[0].Conn}
	}
	d := &desk{t, l.Cluster, storetest.NewMaker(builtin.Games(), 8)}
	for range 3 {
		d.add(d.Game("weiqi", "19x19", 60), d.Game("weiqi", "19x19", 60), d.Game("weiqi", "9x9", 20), d.Game("weiqi", "19x19", 60))
	}
	want := d.Count("SELECT uniqExact(kind, side, feature, low + one) AS n FROM feat ARRAY JOIN docs AS one")
	got := d.Count("SELECT toUInt64(sum(n)) AS m FROM (SELECT groupBitmapMerge(docs) AS n FROM bits GROUP BY kind, side, feature) AS x")
	if got != want || want == 0 {
		t.Errorf("bitmaps have %d documents, the table has %d", got, want)
	}
	for _, s := range l.Shards {
		if !s.Replicas[0].Conn.(*halved).broke {
			t.Errorf("%v: nothing broke", s)
		}
	}
}
