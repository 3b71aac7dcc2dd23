package cluster

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/rows"
	"qipu/store/cluster/wire"
	embedded "qipu/store/shard"
	"qipu/store/storetest"
)

// bench is a library on two shards of two replicas each, with the same games in
// an embedded store.
type bench struct {
	*desk
	fleet *clickhouse.Fleet
	near  *embedded.Shard
	pair  map[uint32]uint32 // numbers of the servers, by those of the embedded store
	heard atomic.Int64      // what was told to wait for
}

// TestReplicaFaults kills and stops servers of a library whose shards have two
// each, while it is asked and written to.
func TestReplicaFaults(t *testing.T) {
	if !testkit.Full() {
		t.Skip("replicas need ZooKeeper and time: they are tested at full scale")
	}
	t.Parallel()
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2, Replicas: 2})
	if _, err := ledger.Init(t.Context(), parse(t, f.URL()), ledger.InitOptions{Replicas: 2}); err != nil {
		t.Fatal(err)
	}
	b := &bench{fleet: f, pair: map[uint32]uint32{}}
	logf := func(format string, args ...any) {
		t.Logf(format, args...)
		if strings.Contains(format, "takes no writes") {
			b.heard.Add(1)
		}
	}
	c, err := Open(t.Context(), parse(t, f.URL()), Options{Games: builtin.Games(), Logf: logf})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	b.desk = &desk{t, c, storetest.NewMaker(builtin.Games(), 101)}
	if b.near, err = embedded.Open(t.Context(), t.TempDir(), embedded.Options{Create: true, Games: builtin.Games()}); err != nil {
		t.Fatal(err)
	}
	defer b.near.Close()
	for range 3 {
		b.put(b.games(400))
	}
	for _, part := range []struct {
		name string
		run  func(*bench, *testing.T)
	}{
		{"killed while asked", (*bench).killedAsked}, {"killed while written", (*bench).killedWriting},
		{"hangs", (*bench).hangs}, {"no ZooKeeper", (*bench).noZooKeeper},
	} {
		t.Run(part.name, func(t *testing.T) {
			b.TB = t
			part.run(b, t)
			b.whole()
		})
	}
	b.TB = t
	b.same()
}

// games makes games of Go.
func (b *bench) games(n int) (list []*record.Game) {
	for range n {
		g := b.Game("weiqi", "19x19", 30+b.Rng.IntN(40))
		b.Head(g)
		list = append(list, g)
	}
	return list
}

// put adds games to the servers and to the embedded store.
func (b *bench) put(games []*record.Game) {
	b.Helper()
	far, err := b.Add(b.Context(), b.batch(games...))
	if err != nil {
		b.Error(err)
		return
	}
	near, err := b.near.Add(b.Context(), b.batch(games...))
	if err != nil {
		b.Error(err)
		return
	}
	for i := range near {
		if near[i].Status != far[i].Status || near[i].Key != far[i].Key {
			b.Errorf("a record became %+v, want %+v", far[i], near[i])
		}
		b.pair[near[i].ID] = far[i].ID
	}
}

// answer asks for the games of a scan, and of the empty board.
func (b *bench) answer(scan bool) error {
	v, err := b.View(b.Context())
	if err != nil {
		return err
	}
	defer v.Close()
	k := b.kind("weiqi 19x19")
	want := 0
	for _, t := range v.Tally() {
		want += t.Games
	}
	games := roaring.New()
	if scan {
		lines := 0
		for batch, err := range v.Scan(b.Context(), &index.Plan{Kind: k}) {
			if err != nil {
				return err
			}
			lines += batch.N()
			for lane := range batch.N() {
				games.Add(batch.Game(lane))
			}
		}
		if lines != want {
			return fmt.Errorf("%d lines come of %d games", lines, want)
		}
	} else {
		root, _ := k.Canonical(board.NewPlanes(k.Board.Size, k.Board.Kinds))
		for p, err := range v.Positions(b.Context(), &index.Lookup{Kind: k, Keys: []uint64{root}}) {
			if err != nil {
				return err
			}
			for _, r := range p.Rows {
				games.Add(p.Game(int(r.Line)))
			}
		}
	}
	if n := int(games.GetCardinality()); n != want {
		return fmt.Errorf("%d games are found of %d", n, want)
	}
	return nil
}

// ask asks until it is told to stop, from several sides at once, and returns how
// long after a fault the first whole answer came that was asked for then, and how
// many came in all.
func (b *bench) ask(fault func()) (first time.Duration, answers int64) {
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	var wait sync.WaitGroup
	var n, broken atomic.Int64
	for i := range 3 {
		wait.Go(func() {
			for ctx.Err() == nil {
				if err := b.answer(i > 0); err != nil {
					b.Errorf("while a server fails: %v", err)
					broken.Add(1)
					return
				}
				n.Add(1)
			}
		})
	}
	for n.Load() < 3 && broken.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	fault()
	began := time.Now()
	if err := b.answer(false); err != nil {
		b.Errorf("after a fault: %v", err)
	}
	first = time.Since(began)
	for at := n.Load(); n.Load() < at+6 && broken.Load() == 0; {
		time.Sleep(time.Millisecond)
	}
	stop()
	wait.Wait()
	return first, n.Load()
}

// back waits until all replicas are asked again.
func (b *bench) back() {
	b.Helper()
	began := time.Now()
	patiently(b.TB, func() error {
		for _, s := range b.Shards {
			for _, r := range s.Replicas {
				if r.Down.Load() {
					return fmt.Errorf("%s is down, and has yet to do: %s", r.Host, queueOf(r))
				}
			}
		}
		return nil
	})
	b.Logf("all servers are asked again after %v", time.Since(began).Round(time.Millisecond))
}

// queueOf tells what a replica has to catch up with.
func queueOf(r *wire.Replica) string {
	var list []string
	var what string
	err := r.Conn.Query(wire.WithLimit(context.Background(), wire.CatchUp), "SELECT concat(table, ' ', type, ' ', new_part_name, ' ', last_exception, ' ', postpone_reason) AS what FROM system.replication_queue",
		func() error { list = append(list, what); return nil }, &what)
	return fmt.Sprintf("%q (%v)", list, err)
}

// whole checks that everything is there once, for this client and for a new one.
func (b *bench) whole() {
	b.Helper()
	b.back()
	b.alike()
	for _, scan := range []bool{false, true} {
		if err := b.answer(scan); err != nil {
			b.Error(err)
		}
	}
	other := newDesk(b.TB, parse(b.TB, b.fleet.URL()), 1)
	if n := len(other.ids()); n != len(b.pair) {
		b.Errorf("a new client sees %d games, want %d", n, len(b.pair))
	}
}

// alike checks that all replicas of each shard have every row of the documents that
// count, once. A server that lost ZooKeeper while it took a block may have rows of
// others for some minutes.
func (b *bench) alike() {
	b.Helper()
	st, err := b.Fresh(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range b.Shards {
		if err := s.Sync(b.Context(), b.Replicated()); err != nil {
			b.Error(err)
		}
		for _, t := range rows.Tables {
			columns, ok := distinct[t.Name]
			if !ok {
				continue
			}
			var all []uint64
			for _, r := range s.Replicas {
				var n, different uint64
				err := r.Conn.Query(b.Context(), "SELECT count() AS n, uniqExact("+columns+") AS different FROM "+t.Name+" WHERE "+st.Spans.Where(t.Within), func() error { return nil }, &n, &different)
				if err != nil || n != different {
					b.Errorf("%v: the table %s has %d rows on %s, of which %d are different: %v", s, t.Name, n, r.Host, different, err)
				}
				all = append(all, n)
			}
			if all[0] == 0 || all[0] != all[1] {
				b.Errorf("%v: the table %s has %d rows on one server and %d on the other", s, t.Name, all[0], all[1])
			}
		}
	}
	if n := len(b.ids()); n != len(b.pair) {
		b.Errorf("there are %d games, want %d", n, len(b.pair))
	}
}

// distinct are columns that tell the rows of a table apart.
var distinct = map[string]string{"game": "doc", "known": "k, what, doc", "pos": "hash, doc, line, ply", "line": "doc, line", "corner": "side, hash, doc", "feat": "side, feature, low", "page": "kind, low"}

// same compares all records with those of the embedded store.
func (b *bench) same() {
	b.Helper()
	compare(b.TB.(*testing.T), b.near, b.Cluster, b.pair)
}

// killedAsked kills a replica of each shard while the library is asked: no answer
// is wrong or missing, nor when it is back and the other one is killed.
func (b *bench) killedAsked(t *testing.T) {
	for shard := range 2 {
		for replica := range 2 {
			node := b.fleet.Node(shard, replica)
			first, n := b.ask(node.Kill)
			t.Logf("shard %d, replica %d killed: an answer after %v, %d answers in all", shard+1, replica+1, first.Round(time.Millisecond), n)
			if first > 3*time.Second {
				t.Errorf("the next answer came after %v", first)
			}
			node.Start(t)
			b.back()
		}
	}
}

// killedWriting kills a replica while batches are added. What was acknowledged is
// there when it is back and the other one is killed.
func (b *bench) killedWriting(t *testing.T) {
	for round := range 4 {
		shard, replica := b.Rng.IntN(2), round%2
		node, other := b.fleet.Node(shard, replica), b.fleet.Node(shard, 1-replica)
		lists := [][]*record.Game{b.games(250), b.games(250), b.games(250), b.games(250)}
		delay := time.Duration(b.Rng.IntN(800)) * time.Millisecond
		done := make(chan struct{})
		began := time.Now()
		go func() {
			defer close(done)
			time.Sleep(delay)
			node.Kill()
		}()
		for _, games := range lists {
			b.put(games)
		}
		<-done
		t.Logf("shard %d, replica %d killed: %d games written in %v", shard+1, replica+1, 4*250, time.Since(began).Round(time.Millisecond))
		b.unique(len(b.pair))
		node.Start(t)
		b.back()
		other.Kill()
		first := time.Now()
		if err := b.answer(true); err != nil {
			t.Errorf("the one that was killed has caught up, and is asked alone: %v", err)
		}
		t.Logf("it has caught up and answers alone after %v", time.Since(first).Round(time.Millisecond))
		b.unique(len(b.pair))
		other.Start(t)
		b.back()
	}
}

// hangs stops a replica: the other one answers, and takes what is written.
func (b *bench) hangs(t *testing.T) {
	for replica := range 2 {
		node := b.fleet.Node(1, replica)
		first, n := b.ask(func() { node.Stop(t) })
		t.Logf("replica %d hangs: an answer after %v, %d answers in all", replica+1, first.Round(time.Millisecond), n)
		if first > 10*time.Second {
			t.Errorf("the next answer came after %v", first)
		}
		timed(t, "writing while it hangs", func() { b.put(b.games(100)) })
		node.Continue(t)
		b.back()
		node.Stop(t)
		timed(t, "writing when it begins to hang", func() { b.put(b.games(100)) })
		node.Continue(t)
		b.back()
	}
}

// noZooKeeper kills ZooKeeper while batches are added: answers go on, writes wait
// and go on when it is back.
func (b *bench) noZooKeeper(t *testing.T) {
	for range 5 {
		heard := b.heard.Load()
		var lists [][]*record.Game
		for range 30 {
			lists = append(lists, b.games(30))
		}
		delay := time.Duration(b.Rng.IntN(1000)) * time.Millisecond
		enough, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for _, games := range lists {
				select {
				case <-enough:
					return
				default:
					b.put(games)
				}
			}
		}()
		time.Sleep(delay)
		b.fleet.ZooKeeper().Kill()
		answers, longest := 0, time.Duration(0)
		for until := time.Now().Add(8 * time.Second); time.Now().Before(until); answers++ {
			began := time.Now()
			if err := b.answer(answers%2 == 0); err != nil {
				t.Errorf("without ZooKeeper: %v", err)
			}
			longest = max(longest, time.Since(began))
		}
		select {
		case <-done:
			t.Error("written without ZooKeeper")
		default:
		}
		if b.heard.Load() == heard {
			t.Error("nobody was told to wait")
		}
		b.fleet.ZooKeeper().Start(t)
		began := time.Now()
		close(enough)
		<-done
		t.Logf("killed after %v: %d answers meanwhile, none took longer than %v; what waited was written %v after ZooKeeper was back",
			delay, answers, longest.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
		b.back()
		b.alike()
	}
}
