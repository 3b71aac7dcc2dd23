package external

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/internal/testkit"
)

// dialogueRole names the file whose part of the program the test binary plays.
const dialogueRole = "QIPU_TEST_DIALOGUE"

// recite plays the program of a dialogue: it wants to be told the lines behind ">", in
// which * stands for anything, and says those behind "<".
func recite(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if said, ok := strings.CutPrefix(line, "<"); ok {
			fmt.Println(strings.TrimPrefix(said, " "))
			continue
		}
		want, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		if !in.Scan() {
			fmt.Fprintf(os.Stderr, "the talk ended before %q\n", want)
			os.Exit(1)
		}
		form := "^" + strings.ReplaceAll(regexp.QuoteMeta(want), `\*`, ".*") + "$"
		if !regexp.MustCompile(form).MatchString(in.Text()) {
			fmt.Fprintf(os.Stderr, "told %q, want %q\n", in.Text(), want)
			os.Exit(1)
		}
	}
	for in.Scan() { // until it is told to end
	}
}

var (
	dialogueHead = regexp.MustCompile(`(?m)^(protocol|game|line|limits|best) (.*)$`)
	dialogueBest = regexp.MustCompile(`^(\S+) value (-?\d+) told "(.*?)" line "(.*?)"(?: second "(.*)")?$`)
)

// TestDialogues holds the dialects to what well-known programs are told and say.
func TestDialogues(t *testing.T) {
	files, err := filepath.Glob("testdata/dialogues/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			head := map[string]string{}
			for _, m := range dialogueHead.FindAllStringSubmatch(string(text), -1) {
				head[m[1]] = m[2]
			}
			rules, err := catalog.Find(head["game"])
			if err != nil {
				t.Fatal(err)
			}
			var l engine.Limits
			for word := range strings.FieldsSeq(head["limits"]) {
				key, value, _ := strings.Cut(word, "=")
				n, _ := strconv.Atoi(value)
				switch key {
				case "depth":
					l.Depth = n
				case "nodes":
					l.Nodes = int64(n)
				case "multi":
					l.Multi = n
				case "time":
					l.Time, _ = time.ParseDuration(value)
				}
			}
			e, err := Start(t.Context(), Options{
				Protocol: Protocol(head["protocol"]), Rules: rules, Command: []string{os.Args[0]}, Env: append(os.Environ(), dialogueRole+"="+path),
				Startup: testkit.Patience, Patience: testkit.Patience, Thought: testkit.Patience,
			})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			task := line(t, rules, head["line"])
			r, err := e.Think(t.Context(), task, l, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := task.Position()
			if err != nil {
				t.Fatal(err)
			}
			want := dialogueBest.FindStringSubmatch(head["best"])
			if want == nil {
				t.Fatalf("best: %s", head["best"])
			}
			name := func(p game.Position, m game.Move) string { return game.FormatMove(rules, p, m, game.AnyNotation) }
			best := r.Best()
			var words []string
			for _, m := range best.Moves {
				words = append(words, name(p, m))
				if err := p.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			for range best.Moves {
				p.Undo()
			}
			got := fmt.Sprintf("%s value %d told %q line %q", name(p, best.Move), best.Value, best.Told, strings.Join(words, " "))
			if len(r.Lines) > 1 {
				got += fmt.Sprintf(" second %q", name(p, r.Lines[1].Move))
			}
			if got != head["best"] {
				t.Errorf("got  %s\nwant %s", got, head["best"])
			}
		})
	}
}
