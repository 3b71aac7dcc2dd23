package builtin_test

import (
	"bytes"
	"context"
	"maps"
	"path"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/record"
)

// collections are what reading is measured on.
var collections = []string{
	"go/go-pro-6300.tar.gz", "go/go-kgs6d.tar.gz", "othello/wthor.tar.gz", "xiangqi/xiangqi-games.tar.gz", "renju/renju-games.tar.gz",
}

// BenchmarkRead reads, decodes and plays real games out, one core, from files
// in memory.
func BenchmarkRead(b *testing.B) {
	for _, archive := range collections {
		b.Run(strings.TrimSuffix(path.Base(archive), ".tar.gz"), func(b *testing.B) {
			files := maps.Collect(testkit.Files(b, archive))
			formats := builtin.Formats()
			referee := record.NewReferee(builtin.Games())
			games, size := 0, 0
			for _, data := range files {
				size += len(data)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				for name, data := range files {
					format := record.Detect(formats, data[:min(len(data), record.SniffLen)], name)
					src := &record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data)), At: bytes.NewReader(data)}
					for g, err := range format.Read(src) {
						if err != nil {
							b.Fatal(err)
						}
						referee.Play(g)
						games++
					}
				}
			}
			b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
		})
	}
}

// BenchmarkIngest does the same from the compressed archive on disk, with one
// worker.
func BenchmarkIngest(b *testing.B) {
	for _, archive := range collections {
		b.Run(strings.TrimSuffix(path.Base(archive), ".tar.gz"), func(b *testing.B) {
			name := testkit.Data(b, archive)
			games := 0
			for b.Loop() {
				report, err := ingest.Run(context.Background(), ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), Workers: 1}, name)
				if err != nil {
					b.Fatal(err)
				}
				games += report.Games
			}
			b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
		})
	}
}
