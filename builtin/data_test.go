package builtin_test

import (
	"context"
	"testing"

	"qipu/builtin"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/record"
)

// TestRealGames reads every archive of real games and accounts for every record
// in it. The counts are those that the collection states.
func TestRealGames(t *testing.T) {
	for _, c := range []struct {
		archive      string
		game         string
		games, moves int // moves are 0 where the collection states none
	}{
		{"go/go-pro-6300.tar.gz", "weiqi", 6300, 1319336},
		{"go/go-pro-more.tar.gz", "weiqi", 30000, 6264910},
		{"go/go-kgs6d.tar.gz", "weiqi", 10000, 2004233},
		{"go/go-ai.tar.gz", "weiqi", 4366, 718001},
		{"go/go-tom9d.tar.gz", "weiqi", 10000, 0},
		{"go/go-tygem9d.tar.gz", "weiqi", 30000, 0},
		{"go/go-small-boards.tar.gz", "weiqi", 416, 0},
		{"othello/wthor.tar.gz", "othello", 92070, 0},
		{"xiangqi/xiangqi-games.tar.gz", "xiangqi", 17648, 0},
		{"xiangqi/xiangqi-positions.tar.gz", "xiangqi", 1259, 0},
		{"renju/renju-games.tar.gz", "renju", 3270, 0},
	} {
		t.Run(c.archive, func(t *testing.T) {
			path := testkit.Data(t, c.archive)
			report, err := ingest.Run(context.Background(), ingest.Options{
				Formats: builtin.Formats(), Games: builtin.Games(),
				OnFault: func(f *record.Fault) {
					if f.Severity != record.Note {
						t.Logf("%v: %s", f.Severity, f.Error())
					}
				},
			}, path)
			if err != nil {
				t.Fatal(err)
			}
			if report.ByGame[c.game] != c.games || report.Games != c.games || report.Rejected > 0 {
				t.Errorf("%d records, %v, %d rejected, want %d of %s", report.Games, report.ByGame, report.Rejected, c.games, c.game)
			}
			if c.moves > 0 && report.Moves != c.moves {
				t.Errorf("%d moves, want %d", report.Moves, c.moves)
			}
			if report.Legal+report.Marked != report.Games {
				t.Errorf("%d legal and %d marked of %d", report.Legal, report.Marked, report.Games)
			}
			t.Logf("%d records, %d legal, %d marked", report.Games, report.Legal, report.Marked)
		})
	}
}
