package server

import (
	"context"
	"errors"
	"runtime"

	"qipu"
	"qipu/server/alike"
	"qipu/server/api"
	"qipu/server/drill"
	"qipu/server/insights"
	"qipu/server/knowledge"
	"qipu/server/lab"
	"qipu/server/manage"
	"qipu/server/people"
	"qipu/server/play"
	"qipu/server/records"
	"qipu/server/search"
	"qipu/server/studies"
)

// Options say how to serve. The zero value serves a library to its owner, on
// the machine that it is on.
type Options = api.Options

// Server answers requests about one library. It is safe for concurrent use.
type Server = api.Service

// New returns a server for a library, which stays the caller's. Close it before the
// library: an import that runs is left as it is, and gone on with by the next server.
func New(ctx context.Context, lib *qipu.Library, o Options) (*Server, error) {
	s := api.New(ctx, lib, o)
	records.Register(s)
	search.Register(s)
	knowledge.Register(s)
	lab.Register(s)
	alike.Register(s)
	insights.Register(s)
	studies.Register(s)
	people.Register(s)
	drill.Register(s)
	err := manage.Register(s)
	if err == nil {
		err = play.Register(ctx, s)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	return s, nil
}

// ShareProcessors has the program run more threads at once than there are
// processors. While an import keeps these busy, a request would otherwise wait
// for its turn behind ten milliseconds of reading records, several times on its
// way; the system gives a thread that has slept its turn at once. With 100
// clients on two cores and an import running, the 99th percentile of the explorer
// falls to half. It is for programs that do nothing but serve.
func ShareProcessors() {
	if n := runtime.NumCPU(); runtime.GOMAXPROCS(0) <= n {
		runtime.GOMAXPROCS(4 * runtime.GOMAXPROCS(0))
	}
}
