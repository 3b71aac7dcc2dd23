package storetest

import (
	"context"
	"os"
	"testing"

	"qipu/game"
	"qipu/ingest"
	"qipu/record"
	"qipu/sample"
)

// gathered is a sink that keeps records.
type gathered struct{ list []*record.Played }

func (g *gathered) Add(_ context.Context, p *record.Played) error {
	g.list = append(g.list, p)
	return nil
}

// Samples returns the records of the demo set, played with a trace.
func Samples(t testing.TB, games game.Catalog, formats []record.Format) []*record.Played {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, sample.Files()); err != nil {
		t.Fatal(err)
	}
	var g gathered
	if _, err := ingest.Run(t.Context(), ingest.Options{Formats: formats, Games: games, Trace: true, Sink: &g}, dir); err != nil {
		t.Fatal(err)
	}
	return g.list
}
