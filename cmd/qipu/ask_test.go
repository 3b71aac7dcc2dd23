package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/internal/testkit"
)

// lines runs a command and returns what it printed, and what it said.
func lines(t *testing.T, line string) (stdout, stderr string) {
	t.Helper()
	a := newTestApp("")
	if code := shell(a, line); code != 0 {
		t.Fatalf("%s: exit %d: %s", line, code, a.stderr.String())
	}
	return a.stdout.String(), a.stderr.String()
}

// withYears goes to an empty folder whose library has ten games of each year
// from 2000 to 2009. In the year 2000+n, n of them begin on the centre point.
func withYears(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	var games strings.Builder
	for year := range 10 {
		for i := range 10 {
			move, result := "cc", "B+R"
			if i < year {
				move = "ee"
			}
			if i%2 == 0 {
				result = "W+R"
			}
			fmt.Fprintf(&games, "(;GM[1]SZ[9]DT[%d]PB[Centre %d]PW[Other]RE[%s];B[%s];W[%c%c];B[ii])\n", 2000+year, i, result, move, 'a'+year%5, 'f'+i%4)
		}
	}
	if err := os.WriteFile("games.sgf", []byte(games.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	lines(t, "qipu import games.sgf --again --progress off")
}

// TestFindTrend: shares by year, their direction, and all forms of them.
func TestFindTrend(t *testing.T) {
	withYears(t)
	const query = `qipu find --game go:9x9 --position E5 --trend`
	text, _ := lines(t, query)
	for _, want := range []string{"trend: the odds rise x192 in ten years (25-999+)", "\n2000  0", "\n2009  9"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	data, _ := lines(t, query+" --csv --svg trend.svg")
	rows, err := csv.NewReader(strings.NewReader(data)).ReadAll()
	if err != nil || len(rows) != 11 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		if row[0] != fmt.Sprint(2000+i) || row[1] != fmt.Sprint(i) || row[2] != "10" || row[3] != fmt.Sprintf("%.4f", float64(i)/10) {
			t.Errorf("%v", row)
		}
	}
	picture, err := os.ReadFile("trend.svg")
	if err != nil || strings.Count(string(picture), "<circle") != 10 {
		t.Errorf("the picture: %v\n%s", err, picture)
	}
	testkit.WellFormed(t, picture)
	// Among the games of a player: the rest of the query counts, the board not.
	data, _ = lines(t, query+` --csv "black='Centre 0'"`)
	rows, err = csv.NewReader(strings.NewReader(data)).ReadAll()
	if err != nil || len(rows) != 11 || rows[1][2] != "1" || rows[1][1] != "0" || rows[2][1] != "1" {
		t.Errorf("%v, %v", rows, err)
	}
	// A query without a board is compared with all games of its years.
	data, _ = lines(t, `qipu find --trend --csv "black='Centre 0' date:2003..2005"`)
	rows, err = csv.NewReader(strings.NewReader(data)).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][0] != "2003" || rows[1][1] != "1" || rows[1][2] != "10" {
		t.Errorf("%v, %v", rows, err)
	}
	steady, _ := lines(t, `qipu find --trend --game go:9x9 white:Other`)
	if !strings.Contains(steady, "trend: unknown") {
		t.Errorf("all games of all years have a trend:\n%s", steady)
	}
}

// TestFindGroupsSum: the groups have all games, and --groups cuts them.
func TestFindGroupsSum(t *testing.T) {
	withYears(t)
	data, _ := lines(t, `qipu find --game go:9x9 --position E5 --by year --csv --groups 0`)
	rows, err := csv.NewReader(strings.NewReader(data)).ReadAll()
	if err != nil || len(rows) != 10 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		if row[0] != fmt.Sprint(2001+i) || row[1] != fmt.Sprint(1+i) || row[2] != row[1] {
			t.Errorf("%v", row)
		}
	}
	text, _ := lines(t, `qipu find --by year --groups 4`)
	if strings.Count(text, "\n200") != 4 || !strings.Contains(text, "6 more rows: --groups 0") {
		t.Errorf("not four groups:\n%s", text)
	}
}

// TestFindVersus: the difference is that of the rates.
func TestFindVersus(t *testing.T) {
	withYears(t)
	data, _ := lines(t, `qipu find result:black --versus result:white --csv`)
	rows, err := csv.NewReader(strings.NewReader(data)).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][7] != "1.0000" || rows[2][7] != "0.0000" || rows[2][10] != "-1.0000" {
		t.Errorf("%v, %v", rows, err)
	}
	text, _ := lines(t, `qipu find result:black --versus result:white`)
	if !strings.Contains(text, "difference: -100.0 points") || !strings.Contains(text, "p < 0.001") {
		t.Errorf("%s", text)
	}
}

// TestAnswersHaveNoNull: every form of every answer is JSON without null.
func TestAnswersHaveNoNull(t *testing.T) {
	withLibrary(t)
	for _, line := range []string{
		`qipu find`, `qipu find player:Ada`, `qipu find "fuzzy:'R../.n.'{min:.5}" --game xiangqi --explain`, `qipu find "when(ply:10)" --game othello`,
		`qipu find --game othello --pattern "XXX/O.O/XXX" --fuzzy`,
	} {
		objects(t, line) // fails on null
	}
}

// TestRemember: a board that was found is known by its name, but not with
// --no-save; where it cannot be kept, a terminal says so and the answer stays.
func TestRemember(t *testing.T) {
	withLibrary(t)
	saved := func() int {
		l, err := qipu.Open(t.Context(), "data/qipu", qipu.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		list, err := l.Notes().SavedQueries(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for _, line := range []string{
		`qipu find --game othello --position f5 --no-save`, `qipu find player:Ada`, `qipu find --game othello --position f5 player:Ada`,
		`qipu find --game othello --position f5 --by year`,
	} {
		if lines(t, line); saved() != 0 {
			t.Errorf("%s is remembered", line)
		}
	}
	text, _ := lines(t, `qipu find --game othello --position f5`)
	if saved() != 1 {
		t.Fatal("the board is not remembered")
	}
	_, name, _ := strings.Cut(text, "name: ")
	name, _, _ = strings.Cut(name, "\n")
	a := newTestApp("")
	if code := a.Run(t.Context(), []string{"find", name}); code != 0 || !strings.HasPrefix(a.stdout.String(), "9 hits in 9 of 9 games") {
		t.Errorf("%q: exit %d: %s%s", name, code, a.stdout.String(), a.stderr.String())
	}
	w, err := qipu.Open(t.Context(), "data/qipu", qipu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, terminal := range []bool{false, true} {
		a := newTestApp("")
		a.ErrTerm = terminal
		code := shell(a, `qipu find --game othello --position f5d6`)
		if told := strings.Contains(a.stderr.String(), "not remembered"); code != 0 || told {
			t.Errorf("terminal %t: exit %d: %s", terminal, code, a.stderr.String())
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if saved() != 2 {
		t.Error("a board is not remembered because somebody else writes")
	}
}

// TestCompleteQuery completes fields, words, and names of the library.
func TestCompleteQuery(t *testing.T) {
	complete := func(args ...string) string {
		a := newTestApp("")
		a.Run(t.Context(), append([]string{cobra.ShellCompRequestCmd}, args...))
		return a.stdout.String()
	}
	t.Chdir(t.TempDir())
	if got := complete("find", "eve"); !strings.HasPrefix(got, "event:\t") {
		t.Errorf("without a library: %s", got)
	}
	if got := complete("find", "player:De"); strings.Contains(got, "Demo") {
		t.Errorf("names without a library: %s", got)
	}
	withLibrary(t)
	lines(t, "qipu collections create masters")
	for _, c := range []struct{ args, want string }{
		{`find|player:"De`, `player:"Demo Alpha"`}, {`find|player:Ad`, `player:"Demo Ada"`}, {`find|game:oth`, `game:othello`},
		{`find|collection:mas`, `collection:masters`}, {`find|--collection|mas`, `masters`}, {`find|moves<9|result:dr`, `result:draw`},
		{`find|--by|`, `opening`}, {`explore|--within|(event:Qipu`, `(event:"Qipu Demo Cup"`}, {`find|board:"XO"{no-sw`, `board:"XO"{no-swap`},
	} {
		if got := complete(strings.Split(c.args, "|")...); !strings.Contains("\n"+got, "\n"+c.want) {
			t.Errorf("%s: no %s in\n%s", c.args, c.want, got)
		}
	}
}

// TestCompleteNames: every command offers the names that it takes.
func TestCompleteNames(t *testing.T) {
	withLibrary(t)
	lines(t, "qipu collections create masters")
	lines(t, "qipu tags add study 1")
	lines(t, "qipu query save diagonal game:othello position:f5d6")
	for _, c := range []struct{ args, want string }{
		{`export|player:Ad`, `player:"Demo Ada"`}, {`export|--collection|mas`, "masters"}, {`export|--query|result:dr`, "result:draw"},
		{`query|save|new|game:oth`, "game:othello"}, {`query|explain|named:dia`, "named:diagonal"}, {`query|check|eve`, "event:"},
		{`query|show|dia`, "diagonal"}, {`query|rename|dia`, "diagonal"}, {`query|drop|dia`, "diagonal"},
		{`players|show|Ada`, "Demo Ada"}, {`players|merge|Demo Ada|Bo`, "Demo Bob"}, {`players|rename|Bo`, "Demo Bob"}, {`players|Ada`, "Demo Ada"},
		{`tags|add|stu`, "study"}, {`tags|drop|stu`, "study"}, {`tags|rename|stu`, "study"}, {`tags|add|study|--query|tag:stu`, "tag:study"},
		{`collections|remove|mas`, "masters"}, {`collections|drop|mas`, "masters"}, {`delete|--collection|mas`, "masters"}, {`find|game:go`, "game:go"},
	} {
		a := newTestApp("")
		a.Run(t.Context(), append([]string{cobra.ShellCompRequestCmd}, strings.Split(c.args, "|")...))
		if got := a.stdout.String(); !strings.Contains("\n"+got, "\n"+c.want) {
			t.Errorf("%s: no %s in\n%s", c.args, c.want, got)
		}
	}
	a := newTestApp("")
	if a.Run(t.Context(), []string{cobra.ShellCompRequestCmd, "query", "rename", "diagonal", "dia"}); strings.Contains(a.stdout.String(), "diagonal") {
		t.Errorf("the new name is completed: %s", a.stdout.String())
	}
}
