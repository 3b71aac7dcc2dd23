package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// Status is how a library is. It is made of what every server says that answers.
type Status struct {
	Address string        `json:"address"`
	ID      string        `json:"id"`
	Format  int           `json:"format"` // the version of the tables
	Epoch   uint32        `json:"epoch"`
	Shards  []ShardStatus `json:"shards"`
	Log     LogStatus     `json:"log"`

	// Problems says what is wrong, and what to do; none where all is well.
	Problems []string `json:"problems"`
}

// ShardStatus is how a shard is.
type ShardStatus struct {
	Number    int          `json:"number"`
	Documents int64        `json:"documents"` // rows of the table game
	Garbage   int64        `json:"garbage"`   // those among them that no commit has
	Nodes     []NodeStatus `json:"nodes"`
}

// NodeStatus is how a server is.
type NodeStatus struct {
	Host    string        `json:"host"`
	Replica int           `json:"replica"`
	Up      bool          `json:"up"`
	Why     string        `json:"why,omitempty"` // it does not answer
	Version string        `json:"version,omitempty"`
	Uptime  int64         `json:"uptime,omitempty"` // in seconds
	Tables  []TableStatus `json:"tables,omitempty"`
	Bytes   int64         `json:"bytes"`   // of all tables
	Free    int64         `json:"free"`    // bytes of its disk; -1 where the server does not tell
	Working int64         `json:"working"` // deletions that it has not finished

	// Of a replica that has others.
	Delay    int64 `json:"delay"` // seconds that it is behind; -1 where it does not know yet
	Queue    int64 `json:"queue"` // what it has to fetch and merge
	ReadOnly bool  `json:"readonly"`

	epoch uint32
	about ledger.About
	log   []*ledger.Commit
}

// TableStatus is how large a table is.
type TableStatus struct {
	Name  string `json:"name"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
	Parts int64  `json:"parts"` // files that it is in
}

// LogStatus is what the log says.
type LogStatus struct {
	Commits   int64 `json:"commits"`
	Documents int64 `json:"documents"` // those that count
	Dead      int64 `json:"dead"`      // those that were committed and count no more
	Writers   int64 `json:"writers"`
	Same      bool  `json:"same"` // all shards that answer have the same
}

// askLimit is how long a server may take to tell how it is.
const askLimit = 15 * time.Second

// StatusOf asks all servers of a library how they are. It is an error only where
// none that the address names answers.
func StatusOf(ctx context.Context, cfg *wire.Config) (*Status, error) {
	dial, err := cfg.Dial()
	if err != nil {
		return nil, err
	}
	return statusWith(ctx, cfg, dial)
}

// statusWith is StatusOf through lines of another make.
func statusWith(ctx context.Context, cfg *wire.Config, dial wire.Dialer) (*Status, error) {
	t, err := ledger.ReadTopology(ctx, cfg, dial)
	if err != nil {
		return nil, err
	}
	st := &Status{Address: cfg.String(), Epoch: t.Epoch, Problems: []string{}}
	lines := make([][]wire.Conn, len(t.Shards))
	var wg sync.WaitGroup
	for i, hosts := range t.Shards {
		st.Shards = append(st.Shards, ShardStatus{Number: i + 1, Nodes: make([]NodeStatus, len(hosts))})
		lines[i] = make([]wire.Conn, len(hosts))
		for j, host := range hosts {
			line, err := dial(host, cfg.Database)
			if err != nil {
				return nil, err
			}
			defer line.Close()
			lines[i][j] = line
			n := &st.Shards[i].Nodes[j]
			n.Host, n.Replica, n.Free = host, j+1, -1
			wg.Go(func() {
				if err := n.ask(wire.WithLimit(ctx, askLimit), line, cfg.Database, len(hosts) > 1); err != nil {
					n.Up, n.Why = false, err.Error()
				}
			})
		}
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	now := st.Fold()
	for i := range st.Shards {
		wg.Go(func() { st.Shards[i].Count(wire.WithLimit(ctx, askLimit), lines[i], now) })
	}
	wg.Wait()
	st.judge()
	return st, ctx.Err()
}

// ask asks one server.
func (n *NodeStatus) ask(ctx context.Context, line wire.Conn, database string, replicated bool) (err error) {
	if n.about, err = ledger.Inspect(ctx, line, database); err != nil {
		return err
	}
	var up uint32
	if err := line.Query(ctx, "SELECT version() AS v, uptime() AS u", func() error { n.Uptime = int64(up); return nil }, &n.Version, &up); err != nil {
		return err
	}
	t, err := ledger.TopologyOf(ctx, line)
	if errors.Is(err, store.ErrNoLibrary) {
		return remedy.For(errors.New("it has no part of the library: was its disk replaced?"), remedy.Init)
	} else if err != nil {
		return err
	}
	n.epoch = t.Epoch
	var one TableStatus
	sql := "SELECT table, toInt64(sum(rows)) AS r, toInt64(sum(bytes_on_disk)) AS b, toInt64(count()) AS p FROM system.parts WHERE database = '" + database + "' AND active GROUP BY table ORDER BY table"
	if err := line.Query(ctx, sql, func() error {
		n.Tables, n.Bytes = append(n.Tables, one), n.Bytes+one.Bytes
		return nil
	}, &one.Name, &one.Rows, &one.Bytes, &one.Parts); err != nil {
		return err
	}
	sql = "SELECT toInt64(count()) AS n FROM system.mutations WHERE database = '" + database + "' AND is_done = 0"
	if err := line.Query(ctx, sql, func() error { return nil }, &n.Working); err != nil {
		return err
	}
	if !n.about.Version.Before(ledger.ReleaseOf(20, 1)) { // older ones have no such table
		if err := line.Query(ctx, "SELECT toInt64(sum(free_space)) AS f FROM system.disks", func() error { return nil }, &n.Free); err != nil {
			return err
		}
	}
	if replicated {
		var ro uint8
		sql = "SELECT toInt64(max(absolute_delay)) AS d, toInt64(sum(queue_size)) AS q, toUInt8(max(is_readonly OR is_session_expired)) AS ro FROM system.replicas WHERE database = '" + database + "'"
		if err := line.Query(ctx, sql, func() error {
			if n.ReadOnly = ro != 0; n.Delay > 1e9 {
				n.Delay = -1 // it counts from 1970 before it knows
			}
			return nil
		}, &n.Delay, &n.Queue, &ro); err != nil {
			return err
		}
	}
	if n.log, err = ledger.ReadCommits(ctx, line, ""); err != nil {
		return err
	}
	n.Up = true
	return nil
}

// Fold puts the logs of all servers together, and returns the documents that were
// committed.
func (st *Status) Fold() ledger.Extent {
	all := map[uint64]*ledger.Commit{}
	writers := map[uint32]bool{}
	for _, s := range st.Shards {
		for _, n := range s.Nodes {
			for _, r := range n.log {
				all[r.Key()], writers[r.Writer] = r, true
			}
		}
	}
	l := ledger.NewLedger(nil, index.NewKinds(nil), 0) // boards are of no concern here
	var spans ledger.Extent
	dead := roaring.New()
	if len(all) > 0 {
		now := l.Fold(slices.Collect(maps.Values(all)))
		spans, dead = now.Spans, now.Dead
	}
	st.Log = LogStatus{Commits: int64(len(all)), Writers: int64(len(writers)), Same: true}
	for _, x := range spans {
		st.Log.Documents += int64(x.High - x.Low)
		gone := dead.Rank(x.High-1) - dead.Rank(x.Low)
		if dead.Contains(x.Low) {
			gone++
		}
		st.Log.Dead += int64(gone)
	}
	st.Log.Documents -= st.Log.Dead
	for _, s := range st.Shards {
		up, most := false, 0
		for _, n := range s.Nodes {
			if n.Up {
				keys := map[uint64]bool{}
				for _, r := range n.log {
					keys[r.Key()] = true
				}
				up, most = true, max(most, len(keys))
			}
		}
		st.Log.Same = st.Log.Same && (!up || most == len(all))
	}
	return spans
}

// Count asks the first server of a shard that answers how many documents it has,
// and how many of them no commit has.
func (s *ShardStatus) Count(ctx context.Context, lines []wire.Conn, committed ledger.Extent) {
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if !n.Up {
			continue
		}
		total, kept := int64(0), int64(0)
		ask := func(where string, to *int64) error {
			var n int64
			return lines[i].Query(ctx, "SELECT toInt64(count()) AS n FROM game"+where, func() error { *to += n; return nil }, &n)
		}
		err := ask("", &total)
		for part := range committed.Parts() {
			if err == nil {
				err = ask(" WHERE "+part.Where("doc"), &kept)
			}
		}
		if err != nil {
			n.Up, n.Why = false, err.Error()
			continue
		}
		s.Documents, s.Garbage = total, total-kept
		return
	}
}

// judge says what is wrong.
func (st *Status) judge() {
	say := func(format string, args ...any) { st.Problems = append(st.Problems, fmt.Sprintf(format, args...)) }
	versions := map[string]bool{}
	garbage := int64(0)
	for _, s := range st.Shards {
		up := 0
		for _, n := range s.Nodes {
			if !n.Up {
				say("shard %d: %s: start the server", s.Number, n.Why)
				continue
			}
			up++
			versions[n.Version] = true
			if st.ID == "" {
				st.ID, st.Format = n.about.Id, n.about.Schema
			}
			switch {
			case n.about.Id != st.ID:
				say("shard %d: %s has a part of another library", s.Number, n.Host)
			case n.about.Schema != st.Format:
				say("shard %d: %s has tables of format %d, others of %d: the servers are to be set up anew", s.Number, n.Host, n.about.Schema, st.Format)
			case n.epoch != st.Epoch:
				say("shard %d: %s does not know all shards: the servers are to be set up anew", s.Number, n.Host)
			}
			if n.ReadOnly {
				say("shard %d: %s takes no writes: see whether its ZooKeeper or Keeper runs", s.Number, n.Host)
			} else if n.Delay < 0 {
				say("shard %d: %s was just started and does not know yet how far it is behind", s.Number, n.Host)
			} else if n.Delay > 60 {
				say("shard %d: %s is %d seconds behind", s.Number, n.Host, n.Delay)
			}
		}
		if up == 0 {
			say("shard %d cannot be reached: answers are errors, or partial", s.Number)
		}
		garbage += s.Garbage
	}
	if len(versions) > 1 {
		say("servers have different versions: %s", strings.Join(slices.Sorted(maps.Keys(versions)), ", "))
	}
	if !st.Log.Same {
		say("not all shards have the whole log: the next import copies it")
	}
	if garbage > 0 {
		say("%d documents are of no commit, of an import that runs or of one that was interrupted: a sweep removes the latter", garbage)
	}
	if st.Format > ledger.SchemaVersion {
		say("the library has format %d, and this program knows formats up to %d: use a newer version of the program", st.Format, ledger.SchemaVersion)
	}
}
