package clickhouse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

func TestShared(t *testing.T) {
	a, b := Shared(t), Shared(t)
	if a.URL() == b.URL() {
		t.Errorf("two tests have the same database: %s", a.URL())
	}
	if len(a.Nodes()) != 2 || a.Node(0, 0) != b.Node(0, 0) {
		t.Errorf("%d servers, or not the same", len(a.Nodes()))
	}
	a.Node(1, 0).Exec(t, "CREATE DATABASE "+a.Database())
}

// A server that is killed and started again has what it had.
func TestKillAndStart(t *testing.T) {
	f := Start(t, Options{Password: "open sesame", TLS: true})
	if u := f.URL(); !strings.Contains(u, "tls=1") || strings.Contains(u, "sesame") {
		t.Error(u)
	}
	n := f.Node(0, 0)
	n.Exec(t, "CREATE TABLE t (x UInt8) ENGINE = MergeTree() ORDER BY x")
	n.Kill()
	n.Start(t)
	n.Exec(t, "INSERT INTO t SELECT 1")
}

func TestReplicas(t *testing.T) {
	f := Start(t, Options{Replicas: 2})
	for r, name := range []string{"a", "b"} {
		f.Node(0, r).Exec(t, "CREATE TABLE t (x UInt8) ENGINE = ReplicatedMergeTree('/t', '"+name+"') ORDER BY x")
	}
	f.Node(0, 0).Exec(t, "INSERT INTO t SELECT 1")
	f.Node(0, 1).Exec(t, "SYSTEM SYNC REPLICA t")
	f.ZooKeeper().Kill()
	f.ZooKeeper().Start(t)
}

func TestTidy(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{prefix + "999999999-1", prefix + "1-1", "other"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tidy(dir)
	list, _ := os.ReadDir(dir)
	if len(list) != 2 {
		t.Errorf("left: %v", list)
	}
}
