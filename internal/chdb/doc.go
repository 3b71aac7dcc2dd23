// Package chdb runs today's ClickHouse inside the process, for tests: libchdb,
// called without cgo. It has no server and knows no network: it proves that our
// statements are understood, not how a cluster behaves.
//
//	s := chdb.Open(t, t.TempDir())
//	c, err := s.Conn("")
//	err = c.Exec(ctx, "CREATE TABLE t (a UInt8) ENGINE = MergeTree() ORDER BY a")
//
// # The library
//
// It is 570 MB, so it is neither kept here nor fetched at every run. QIPU_CHDB is
// the path of a libchdb.so; without it, tests at full scale (QIPU_SCALE=full)
// fetch it by npm once, into the cache of the user. Where neither gives one,
// tests are skipped and say so.
//
// # Sessions
//
// A process has one engine, and it has one folder of data at a time. Open waits
// until the session before has ended, which it does with its test; then another
// may open the same folder or another one. Within a session each Conn has
// settings and a database of its own, so that two shards are two databases.
// Connections work at the same time; on one of them statements queue.
package chdb
