package clickhouse

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a server may take to answer. It ends what would never end,
// and measures nothing: machines are slow and busy.
const patience = 5 * time.Minute

// Options tells what to start. The zero value is one server.
type Options struct {
	Shards, Replicas int // at least one of each

	User     string // "default" where it is empty
	Password string
	TLS      bool // URLs name the encrypted ports, and the certificate
}

// Fleet is servers that run.
type Fleet struct {
	options  Options
	dir      string
	nodes    []*Node // shard by shard
	zoo      *ZooKeeper
	database string

	certificate, key string
}

// ErrNone tells that this machine has no server to start.
var ErrNone = errors.New("no clickhouse-server: run make deps, which installs it")

// Start starts servers, which end with the test.
func Start(t testing.TB, o Options) *Fleet {
	t.Helper()
	f, err := begin(t.TempDir(), o)
	if err != nil {
		excuse(t, err)
	}
	t.Cleanup(f.end)
	return f
}

// excuse skips a test that cannot have its servers.
func excuse(t testing.TB, err error) {
	t.Helper()
	if (errors.Is(err, ErrNone) || errors.Is(err, ErrNoZooKeeper)) && os.Getenv("QIPU_CLICKHOUSE") != "required" {
		t.Skip(err)
	}
	t.Fatal(err)
}

// begin starts servers with a folder.
func begin(dir string, o Options) (*Fleet, error) {
	if _, err := server(); err != nil {
		return nil, err
	}
	o.Shards, o.Replicas = max(o.Shards, 1), max(o.Replicas, 1)
	if o.User == "" {
		o.User = "default"
	}
	f := &Fleet{options: o, dir: dir, database: Fresh()}
	if err := f.begin(); err != nil {
		f.end()
		return nil, err
	}
	return f, nil
}

func (f *Fleet) begin() (err error) {
	if f.options.TLS {
		if f.certificate, f.key, err = certify(f.dir); err != nil {
			return err
		}
	}
	if f.options.Replicas > 1 {
		if f.zoo, err = startZooKeeper(filepath.Join(f.dir, "zookeeper")); err != nil {
			return err
		}
	}
	for s := range f.options.Shards {
		for r := range f.options.Replicas {
			f.nodes = append(f.nodes, f.node(s, r))
		}
	}
	for _, n := range f.nodes {
		if err := n.launch(); err != nil {
			return err
		}
	}
	for _, n := range f.nodes {
		if err := n.settle(); err != nil {
			return err
		}
	}
	return nil
}

func (f *Fleet) node(shard, replica int) *Node {
	return &Node{fleet: f, dir: filepath.Join(f.dir, fmt.Sprintf("s%dr%d", shard, replica)), name: fmt.Sprintf("shard %d, replica %d", shard, replica)}
}

// end kills all of it.
func (f *Fleet) end() {
	for _, n := range f.nodes {
		n.process.kill()
	}
	if f.zoo != nil {
		f.zoo.process.kill()
	}
}

// Node returns the server of a replica of a shard; both count from 0.
func (f *Fleet) Node(shard, replica int) *Node { return f.nodes[shard*f.options.Replicas+replica] }

// Nodes returns all servers, shard by shard.
func (f *Fleet) Nodes() []*Node { return f.nodes }

// ZooKeeper returns that of a fleet with replicas.
func (f *Fleet) ZooKeeper() *ZooKeeper { return f.zoo }

func (f *Fleet) zooKeeperPort() int {
	if f.zoo == nil {
		return 0
	}
	return f.zoo.port
}

// URL names a library on all servers, in a database that nobody has made yet.
func (f *Fleet) URL() string { return f.URLOf(f.database, f.nodes...) }

// Database returns the name of the database of URL.
func (f *Fleet) Database() string { return f.database }

// URLOf names a library of a database on some servers.
func (f *Fleet) URLOf(database string, nodes ...*Node) string {
	var hosts []string
	for _, n := range nodes {
		hosts = append(hosts, n.Addr())
	}
	s := "clickhouse://" + f.options.User + "@" + strings.Join(hosts, ",") + "/" + database
	if f.options.TLS {
		s += "?tls=1&ca=" + url.QueryEscape(f.certificate)
	}
	return s
}

// Fresh returns the name of a database that nobody has.
func Fresh() string { return fmt.Sprintf("qipu_%08x", rand.Uint32()) }

// with returns the same servers with a database of its own.
func (f *Fleet) with(database string) *Fleet {
	other := *f
	other.database = database
	return &other
}

// shared is the fleet of the test binary.
var shared struct {
	sync.Mutex
	fleet *Fleet
	err   error
}

// Shared returns two shards of one replica each, which all tests of a test
// binary have together, with a database of the caller's own, that is dropped
// after the test. Whoever uses it must not stop servers.
func Shared(t testing.TB) *Fleet {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.fleet == nil && shared.err == nil {
		dir, err := os.MkdirTemp("", prefix+strconv.Itoa(os.Getpid())+"-")
		if err == nil {
			tidy(filepath.Dir(dir))
			shared.fleet, err = begin(dir, Options{Shards: 2})
		}
		if shared.err = err; err != nil {
			os.RemoveAll(dir)
		}
	}
	if shared.err != nil {
		excuse(t, shared.err)
	}
	f := shared.fleet.with(Fresh())
	t.Cleanup(func() {
		for _, n := range f.nodes {
			n.Exec(t, "DROP DATABASE IF EXISTS "+f.database)
			if t.Failed() {
				t.Logf("%s says:\n%s", n.name, n.Complaints())
			}
		}
	})
	return f
}

// Main runs the tests of a binary and ends what they shared. A binary without it
// leaves a folder behind, which the next one removes.
func Main(m *testing.M) int {
	defer func() {
		shared.Lock()
		defer shared.Unlock()
		if f := shared.fleet; f != nil {
			f.end()
			os.RemoveAll(f.dir)
		}
	}()
	return m.Run()
}

// prefix begins the names of the folders of shared fleets; the number of the
// process follows.
const prefix = "qipu-clickhouse-"

// tidy removes what processes left that are no more.
func tidy(dir string) {
	list, _ := filepath.Glob(filepath.Join(dir, prefix+"*"))
	for _, old := range list {
		number, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(old), prefix), "-")
		if pid, err := strconv.Atoi(number); err == nil && !alive(pid) {
			os.RemoveAll(old)
		}
	}
}

// freePort returns a port that nobody listens on, from below those which the
// system gives to clients: a server that is killed finds its port free again.
func freePort() (int, error) {
	for range 1000 {
		port := 12000 + rand.IntN(20000)
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return port, l.Close()
		}
	}
	return 0, errors.New("clickhouse: no port is free")
}
