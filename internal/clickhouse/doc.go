// Package clickhouse starts ClickHouse servers for tests: shards, replicas and
// the ZooKeeper that replicas need, as processes on this machine that die with
// the test. Where the programs are not installed, tests that need them are
// skipped and say so; QIPU_CLICKHOUSE=required makes that a failure.
//
//	f := clickhouse.Start(t, clickhouse.Options{Shards: 2})
//	library := f.URL()
//	f.Node(1, 0).Kill()
//
// Most tests need no fleet of their own: Shared gives them a database of their
// own on servers that the whole test binary has together.
package clickhouse
