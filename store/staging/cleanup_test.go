package staging_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"qipu/internal/clickhouse"
	"qipu/library"
	"qipu/library/ask"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// TestCleanupServers cleans up headers of games that lie on servers, finds them by what they
// say then, and takes it back.
func TestCleanupServers(t *testing.T) {
	f := clickhouse.Shared(t)
	cfg, err := wire.Parse(f.URL())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QIPU_DESK", filepath.Join(t.TempDir(), "desk"))
	from := t.TempDir()
	names := []string{"王甲山", "李乙水", "何丁文", "徐戊風", "王壬天", "李癸地", "何寅木", "徐卯星"}
	moves := []string{"炮二平五", "炮二平四", "炮二平六", "炮二平三", "炮二平七", "兵三進一", "兵一進一", "馬二進三", "馬二進一"}
	for i, move := range moves {
		event, first, second, date := "風雲賽", names[i%8], names[(i+1)%8], fmt.Sprintf("%d.5.1", 1985+i%3)
		if i == 8 { // a team stands in front of a name, and a date cannot be
			first, second, date = "上海何寅木", "王甲山", "1886.5.1"
		}
		text := fmt.Sprintf("[Game \"Chinese Chess\"]\n[Event %q]\n[Date %q]\n[Red %q]\n[Black %q]\n[Result \"1-0\"]\n\n1. %s 炮８平５ 1-0\n", event, date, first, second, move)
		if err := os.WriteFile(filepath.Join(from, fmt.Sprintf("%d.pgn", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lib := openPatiently(t, f.URL())
	if report, err := lib.Import(t.Context(), library.ImportOptions{}, from); err != nil || report.New != len(moves) {
		t.Fatalf("%+v, %v", report, err)
	}
	if err := lib.Close(); err != nil { // and all is shipped
		t.Fatal(err)
	}
	lib = openPatiently(t, f.URL())
	defer lib.Close()
	proposals := func() (list []string) {
		t.Helper()
		all, err := lib.Cleanup().Proposals(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			list = append(list, string(p.Kind))
		}
		return list
	}
	games := func(query string) int {
		t.Helper()
		reply, err := lib.Ask(t.Context(), &ask.Question{Text: query})
		if err != nil {
			t.Fatal(err)
		}
		return reply.Games
	}
	const team = `player:"上海何寅木"`
	before := proposals()
	if !slices.Contains(before, "date") || !slices.Contains(before, "team") || games(team) != 1 {
		t.Fatalf("proposals are %q, and games are found: %d", before, games(team))
	}
	all, err := lib.Cleanup().Proposals(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := lib.Cleanup().Accept(t.Context(), all); err != nil || n != 1 {
		t.Fatalf("%d games were corrected, %v", n, err)
	}
	if left := proposals(); len(left) > 0 || games(team) != 0 || games("date:1886") != 0 {
		t.Errorf("proposals are left: %q; games are found: %d and %d", left, games(team), games("date:1886"))
	}
	changes, err := lib.Records().Journal().Changes(t.Context(), store.Page{Limit: 1})
	if err != nil || len(changes) != 1 || changes[0].Op != store.OpEdit {
		t.Fatalf("the journal has %+v, %v", changes, err)
	}
	if _, err := lib.Records().Undo(t.Context(), changes[0].ID); err != nil {
		t.Fatal(err)
	}
	if again := proposals(); !slices.Equal(again, before) || games(team) != 1 {
		t.Errorf("undone, proposals are %q, not %q", again, before)
	}
}
