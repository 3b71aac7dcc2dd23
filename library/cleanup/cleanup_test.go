package cleanup_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu"
	"qipu/library"
	"qipu/library/cleanup"
	"qipu/store"
)

// game is a record as a collection has it, with players who were made for this test.
type game struct{ file, event, first, second, date, round, result string }

// moves makes records different: no two games are one.
func moves(i int) string {
	first := []string{"炮二平五", "炮二平四", "炮二平六", "炮二平三", "炮二平七", "兵三進一", "兵一進一", "馬二進三", "馬二進一", "相三進五"}
	second := []string{"馬８進７", "馬２進３", "卒７進１", "卒３進１", "炮８平５", "象３進５", "象７進５"}
	return fmt.Sprintf("1. %s %s", first[i%len(first)], second[i/len(first)%len(second)])
}

func open(t *testing.T, games []game) *qipu.Library {
	t.Helper()
	dir := t.TempDir()
	for i, g := range games {
		var b strings.Builder
		for _, tag := range [][2]string{{"Game", "Chinese Chess"}, {"Event", g.event}, {"Round", g.round}, {"Date", g.date}, {"Red", g.first}, {"Black", g.second}, {"Result", g.result}} {
			fmt.Fprintf(&b, "[%s %q]\n", tag[0], tag[1])
		}
		if g.file == "" {
			g.file = fmt.Sprintf("%03d.pgn", i+1)
		}
		if err := os.WriteFile(filepath.Join(dir, g.file), []byte(b.String()+"\n"+moves(i)+" "+g.result+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := qipu.Open(t.Context(), filepath.Join(t.TempDir(), "lib"), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	report, err := l.Import(t.Context(), library.ImportOptions{}, dir)
	if err != nil || report.New != len(games) {
		t.Fatalf("%d of %d games: %v", report.New, len(games), err)
	}
	return l
}

// known are games from which the players and teams are learnt.
func known() (list []game) {
	names := []string{"王甲山", "李乙水", "何丁文", "徐戊風", "王壬天", "李癸地", "何寅木", "徐卯星"}
	for i, a := range names {
		list = append(list, game{event: "風雲賽", first: a, second: names[(i+1)%len(names)], date: fmt.Sprintf("%d.5.1", 1985+i%3), result: "1-0"})
	}
	return list
}

// lines are the proposals in a form that can be read.
func lines(ctx context.Context, t *testing.T, l *qipu.Library, dismissed bool) (list []string) {
	t.Helper()
	all, err := l.Cleanup().Proposals(ctx, dismissed)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		var set []string
		for _, c := range p.Corrections() {
			set = append(set, fmt.Sprintf("%s=%s", c.Field, *c.Value))
		}
		list = append(list, fmt.Sprintf("%s (%s) %d: %s", p.Kind, p.Reason, len(p.Games), strings.Join(set, " ")))
	}
	return list
}

func headers(t *testing.T, l *qipu.Library) []store.Game {
	t.Helper()
	ids, err := l.Records().IDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	games, err := l.Records().Games(t.Context(), ids.ToArray())
	if err != nil {
		t.Fatal(err)
	}
	return games
}

func TestProposals(t *testing.T) {
	ctx := t.Context()
	l := open(t, append(known(),
		game{event: "1989年風雲杯賽 上海 王甲山 先勝 廣東 李乙水", result: "1-0"},                                                // names
		game{event: "1989年風雲杯賽 何丁文和徐戊風", result: "1/2-1/2"},                                                     // who was first?
		game{event: "1989年風雲杯賽 何丁文勝徐戊風", result: "0-1"},                                                         // the result is another one
		game{event: "風雲杯賽 上海勝廣東", result: "1-0"},                                                                // towns are no players
		game{event: "風雲賽", first: "上海何寅木", second: "廣東 徐卯星", result: "0-1"},                                     // teams
		game{event: "風雲賽", first: "上海何丁文", second: "廣東何丁文", result: "0-1"},                                      // two of one name
		game{event: "風雲賽", first: "王甲山", second: "何寅木", date: "1886.5.1", result: "1-0"},                        // cannot be
		game{event: "1986年風雲杯賽", first: "徐戊風", second: "李乙水", date: "1886.5.3", result: "1-0"},                  // and the title tells
		game{event: "風雲杯賽 李癸地先勝王甲山", first: "王甲山", second: "李癸地", date: "1986.5.4", result: "1-0"},              // exchanged
		game{event: "風雲賽", first: "王甲山", second: "何丁文", date: "1986.5.5", result: "1-0", file: "何丁文先勝王甲山.pgn"},  // and by the file
		game{event: "風雲杯賽 李癸地先負何丁文", first: "李癸地", second: "何丁文", date: "1986.5.6", result: "*"},                // result
		game{event: "風雲杯賽 中炮對屏風馬", first: "李癸地", second: "徐卯星", date: "1986.5.7", round: "菴01謫", result: "1-0"}, // text, event
		game{event: "Ã‰checs", first: "�����", second: "王壬天", date: "1986.5.8", result: "1-0"},                  // text
	))
	want := []string{
		"date (title) 1: date=1986-05-03",
		"date (players) 1: date=1986-05-01",
		"colours (title) 1: first=李癸地 second=王甲山",
		"colours (file) 1: first=何丁文 second=王甲山",
		"result (title) 1: result=second",
		"text (nothing) 1: first=",
		"text (encoding) 1: event=Échecs",
		"text (encoding) 1: round=第01轮",
		"name (title) 1: first=王甲山 first-team=上海 second=李乙水 second-team=廣東",
		"team (library) 1: first=何寅木 first-team=上海",
		"team (library) 1: second=徐卯星 second-team=廣東",
		"event (title) 1: event=風雲杯賽 opening=中炮對屏風馬",
	}
	got := lines(ctx, t, l, false)
	sorted := func(list []string) []string { return slices.Sorted(slices.Values(list)) }
	if !slices.Equal(sorted(got), sorted(want)) {
		t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	// Accepted they are one change, and undone everything is as it was.
	before := headers(t, l)
	room := l.Cleanup()
	all, err := room.Proposals(ctx, false)
	if err != nil {
		t.Fatal(err)
	}
	n, err := room.Accept(ctx, all)
	if err != nil || n != 9 {
		t.Fatalf("%d games corrected: %v", n, err)
	}
	// The titles are free now: the events are what is left, and then nothing.
	want = []string{"event (title) 1: event=1989年風雲杯賽", "event (title) 2: event=風雲杯賽 event=風雲杯賽"}
	if got := lines(ctx, t, l, false); !slices.Equal(sorted(got), want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	changes, err := l.Records().Journal().Changes(ctx, store.Page{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Records().Undo(ctx, changes[0].ID); err != nil {
		t.Fatal(err)
	}
	if after := headers(t, l); !slices.Equal(before, after) {
		t.Error("undone, headers are others than before")
	}
	if again := lines(ctx, t, l, false); !slices.Equal(again, got) {
		t.Errorf("undone, the proposals are\n%s", strings.Join(again, "\n"))
	}

	// What is dismissed does not come back, until that is undone.
	if all, err = room.Proposals(ctx, false, cleanup.Teams); err != nil || len(all) != 2 {
		t.Fatal(len(all), err)
	}
	if err := room.DismissAll(ctx, all); err != nil {
		t.Fatal(err)
	}
	if left, gone := lines(ctx, t, l, false), lines(ctx, t, l, true); len(left) != len(got)-2 || len(gone) != 2 {
		t.Errorf("%d left, %d dismissed", len(left), len(gone))
	}
	if edits, err := l.Players().Edits(ctx); err != nil || len(edits) > 0 {
		t.Errorf("the players have edits of it: %v %v", edits, err)
	}
	if changes, err = l.Records().Journal().Changes(ctx, store.Page{Limit: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Records().Undo(ctx, changes[0].ID); err != nil {
		t.Fatal(err)
	}
	if again := lines(ctx, t, l, false); !slices.Equal(again, got) {
		t.Errorf("undone, the proposals are\n%s", strings.Join(again, "\n"))
	}
	if _, err := room.Find(ctx, []string{"team-0"}); !errors.Is(err, cleanup.ErrNoProposal) {
		t.Error(err)
	}
}

// Names and titles that nobody means do no harm: they are of any length, and of any characters.
func TestOddTexts(t *testing.T) {
	long := strings.Repeat("王甲山先勝", 20_000)
	l := open(t, append(known(),
		game{event: long, first: long, second: strings.Repeat("長", 100_000), date: "1986.5.1", result: "1-0"},
		game{event: "\u202e風雲賽\u202c 王甲山先勝李乙水", first: "\u200f王甲山", second: "李\u0007乙水", date: "1986.5.2", result: "1-0"},
	))
	for _, p := range lines(t.Context(), t, l, false) {
		if len(p) > 3000 {
			t.Errorf("a proposal of %d bytes", len(p))
		}
	}
}
