// Package ingest brings records in: it finds files in folders, archives and
// streams, tells their formats, reads them, plays the records out, and hands
// them to sinks, in parallel, with the order kept inside every file.
//
//	report, err := ingest.Run(ctx, ingest.Options{
//		Formats: builtin.Formats(), Games: builtin.Games(),
//		Sink: sink,
//	}, "games.tar.gz", "folder", "-")
//
// A fault never ends a file, and a file never ends an import: the [Report]
// counts everything, and Options.OnFault hears of each fault with its place and
// reason. Memory is bounded whatever the size of the input; nothing is unpacked
// to disk except what needs random access and has none, into a bounded spool.
//
// The package knows no format and no game by name.
package ingest
