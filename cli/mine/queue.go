package mine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/board/draw"
	"qipu/cli"
	"qipu/game"
	"qipu/mine/queue"
	"qipu/mine/report"
	"qipu/record"
	"qipu/record/facts"
	"qipu/view"
	"qipu/view/mineview"
	"qipu/view/recordview"
)

// today is the day that verdicts and entries are dated with.
func today() string { return time.Now().UTC().Format(time.DateOnly) }

func queueCommand(a *cli.App) *cobra.Command {
	var state string
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "Judge what mining has found: accept, reject with a reason, or not sure",
		Long: `List the findings that wait for readers, and what readers said of the others. Where two
have read the same findings, it is told how far they agree beyond chance (Cohen's
kappa). What two readers accept and none rejects becomes an entry: a saved query with
what was found, on what evidence and when as its note. The queue is kept in the
library, and is in its backups.`,
		Example: `  qipu mine queue --state open
  qipu mine queue add game:othello --at ply:20 --limit 10`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.Reading(cmd.Context(), func(l *qipu.Library) error {
				q, err := queue.Read(l.Records())
				if err != nil {
					return err
				}
				return printQueue(a, q, state)
			})
		},
	}
	stateFlag(cmd, &state)
	cmd.AddCommand(queueAdd(a), queueShow(a), queueJudge(a), queueVerdicts(a), queueWrite(a), queueEnter(a), queueDrop(a))
	return cmd
}

func stateFlag(cmd *cobra.Command, state *string) {
	cli.Enum(cmd, state, "state", "", "only findings that are open, disputed, unsure, accepted or rejected (default: all)", append([]string{""}, queue.States()...)...)
}

// states returns those that a flag names: all for none.
func states(flag string) []string {
	if flag == "" {
		return nil
	}
	return []string{flag}
}

func printQueue(a *cli.App, q *queue.Queue, state string) error {
	w := mineview.QueueOf(q, states(state)...)
	if a.JSON {
		return a.PrintJSON(cli.Typed("queue", w))
	}
	t := &cli.Table{Columns: []string{"id", "state", "kind", "games", "finding"}}
	for i := range w.Findings {
		f := &w.Findings[i]
		t.Add(nil, f.ID, f.State, f.Kind, strconv.Itoa(f.Games), f.Sentence)
	}
	if len(w.Findings) == 0 {
		return a.Nothing("no finding is in the queue: qipu mine queue add puts some there")
	}
	if err := a.Print(t); err != nil || a.CSV {
		return err
	}
	var counts []string
	for _, s := range w.States {
		if s.Findings > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", s.Findings, s.State))
		}
	}
	fmt.Fprintln(a.Out, strings.Join(counts, ", "))
	for _, x := range w.Agreements {
		fmt.Fprintf(a.Out, "%s and %s have both read %s: they say the same of %.0f %% (%.0f %% by chance), kappa %.2f\n", x.Readers[0], x.Readers[1], cli.Plural(x.Findings, "finding"), 100*x.Same, 100*x.Chance, x.Kappa)
	}
	return nil
}

func queueAdd(a *cli.App) *cobra.Command {
	var t Table
	var o mined
	cmd := &cobra.Command{
		Use:   "add [QUERY]",
		Short: "Mine games, and put what is found into the queue",
		Long: `Make a report of the games that QUERY finds, as qipu mine report does, and put its
findings into the queue: at most --limit rules, sequences and things that go together
each. What is there already keeps its verdicts, and gets its new figures.`,
		Example: `  qipu mine queue add game:othello --at ply:20 --limit 10
  qipu mine queue add "game:xiangqi year:1990.." --at ply:40`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := t.Read(args); err != nil {
				return err
			}
			if err := o.read(); err != nil {
				return err
			}
			return Mining(cmd.Context(), a, "games", func(l *qipu.Library, progress func(done, total int)) error {
				t.Progress = progress
				r, err := report.Make(cmd.Context(), l.Records(), l.Search(), report.Options{Options: t.Options, Rules: o.Options})
				if err != nil {
					return err
				}
				w := mineview.Insights(r, &o.Options, o.limit)
				added, all := 0, 0
				err = queue.Change(cmd.Context(), l.Records(), func(q *queue.Queue) error {
					added = 0
					for _, f := range w.Findings {
						fresh, err := q.Add(mineview.Queued(&view.QueueFinding{Game: w.Game, Query: w.Query, At: w.At, Finding: f}, today()))
						if err != nil {
							return err
						}
						if fresh {
							added++
						}
					}
					all = len(q.Findings)
					return nil
				})
				if err != nil {
					return err
				}
				return a.Say(cli.Figures{{Name: "type", Value: "queued"}, {Name: "found", Value: len(w.Findings)}, {Name: "added", Value: added}, {Name: "findings", Value: all}},
					"%s, %d of them new; the queue has %d now", cli.Plural(len(w.Findings), "finding"), added, all)
			})
		},
	}
	t.Register(a, cmd)
	o.register(cmd)
	return cmd
}

func queueShow(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show a finding: its sentence, a board, games, verdicts",
		Example: `  qipu mine queue show 1f3a
  qipu mine queue show 1f3a --json`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.Reading(cmd.Context(), func(l *qipu.Library) error {
				q, err := queue.Read(l.Records())
				if err != nil {
					return err
				}
				f, err := q.Find(args[0])
				if err != nil {
					return err
				}
				w := mineview.QueuedOf(f)
				if a.JSON {
					return a.PrintJSON(cli.Typed("finding", w))
				}
				games, err := sampled(cmd.Context(), a, l, f)
				if err != nil {
					return err
				}
				fmt.Fprintf(a.Out, "%s (%s, %s)\n%s.\n    qipu find '%s'\n", w.ID, w.State, w.Kind, w.Sentence, w.Query)
				for _, g := range games {
					fmt.Fprintf(a.Out, "\n%s: %s, after %d plies\n%s", g.Title, g.Result, g.Ply, g.Board)
					break
				}
				for _, g := range games {
					fmt.Fprintf(a.Out, "game %d, ply %d: %s, %s\n", g.Record, g.Ply, g.Title, g.Result)
				}
				for _, v := range w.Verdicts {
					fmt.Fprintf(a.Out, "%s, %s: %s %s\n", v.Reader, v.Day, v.Says, v.Reason)
				}
				if w.Entry != "" {
					fmt.Fprintf(a.Out, "it is %s since %s\n", become(w.As, w.Entry), w.Entered)
				}
				return nil
			})
		},
	}
}

func queueJudge(a *cli.App) *cobra.Command {
	var v queue.Verdict
	cmd := &cobra.Command{
		Use:   "judge ID accept|reject|unsure",
		Short: "Say what you think of a finding",
		Example: `  qipu mine queue judge 1f3a accept --reader anna
  qipu mine queue judge 1f3a reject --reader ben --reason "it is the opening that decides"`,
		Args: cli.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.Says, v.Day = args[1], today()
			return a.Reading(cmd.Context(), func(l *qipu.Library) error {
				return judge(cmd.Context(), a, l, []said{{ID: args[0], Reader: v.Reader, Verdict: v.Says, Reason: v.Reason}})
			})
		},
	}
	cmd.Flags().StringVar(&v.Reader, "reader", os.Getenv("USER"), "who says it")
	cmd.Flags().StringVar(&v.Reason, "reason", "", "why; who rejects a finding gives one")
	return cmd
}

// said is a verdict as a file has it.
type said struct {
	ID      string `json:"id"`
	Reader  string `json:"reader"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
}

// judge notes verdicts, all or none of them, and makes entries of what two readers accept.
func judge(ctx context.Context, a *cli.App, l *qipu.Library, list []said) error {
	var ripe []string
	err := queue.Change(ctx, l.Records(), func(q *queue.Queue) error {
		for _, s := range list {
			if _, err := q.Judge(s.ID, queue.Verdict{Reader: s.Reader, Says: s.Verdict, Reason: s.Reason, Day: today()}); err != nil {
				return fmt.Errorf("%s: %w", s.ID, err)
			}
		}
		ripe = nil
		for i := range q.Findings {
			if q.Findings[i].Ripe() {
				ripe = append(ripe, q.Findings[i].ID)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range ripe {
		if _, err := queue.Enter(ctx, l.Records(), l.Search(), id, queue.Entry{}, today()); err != nil {
			return fmt.Errorf("%s is accepted, and could not become an entry: %w", id, err)
		}
	}
	return a.Say(cli.Figures{{Name: "type", Value: "judged"}, {Name: "verdicts", Value: len(list)}, {Name: "entries", Value: len(ripe)}},
		"%s noted, %d became entries", cli.Plural(len(list), "verdict"), len(ripe))
}

func queueVerdicts(a *cli.App) *cobra.Command {
	var reader string
	cmd := &cobra.Command{
		Use:   "read FILE",
		Short: "Read verdicts from a file",
		Long: `Read verdicts of a reader, or of several: JSON, either a list or one object a line, with
id, verdict (accept, reject or unsure), reason, and reader where --reader does not name
one. They are all noted, or none of them.`,
		Example: `  qipu mine queue read verdicts.json
  qipu mine queue read verdicts.json --reader anna`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readText(a, args[0])
			if err != nil {
				return err
			}
			list, err := verdicts(text)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			for i := range list {
				if reader != "" {
					list[i].Reader = reader
				}
			}
			return a.Reading(cmd.Context(), func(l *qipu.Library) error { return judge(cmd.Context(), a, l, list) })
		},
	}
	cmd.Flags().StringVar(&reader, "reader", "", "who says all of it")
	return cmd
}

// readText reads a file, or standard input for "-".
func readText(a *cli.App, path string) (string, error) {
	if path == "-" {
		return a.Text(path)
	}
	data, err := os.ReadFile(path)
	return string(data), err
}

// verdicts reads a list, or one object after another.
func verdicts(text string) (list []said, err error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") {
		err = json.Unmarshal([]byte(text), &list)
	} else {
		d := json.NewDecoder(strings.NewReader(text))
		for err == nil {
			var s said
			if err = d.Decode(&s); err == nil {
				list = append(list, s)
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("there are no verdicts in it: %w", err)
	case len(list) == 0:
		return nil, errors.New("there are no verdicts in it")
	}
	return list, nil
}

// shown is a game of a finding for somebody who has no library.
type shown struct {
	Record uint32 `json:"record"`
	Ply    int    `json:"ply"`
	Title  string `json:"title"`
	Result string `json:"result"`
	Board  string `json:"board,omitempty"`
}

// written is a finding for somebody who has no library.
type written struct {
	ID       string  `json:"id"`
	Kind     string  `json:"kind"`
	Game     string  `json:"game"`
	Sentence string  `json:"sentence"`
	Games    int     `json:"games"`
	Effect   float64 `json:"effect"`
	Error    float64 `json:"error"`
	Q        float64 `json:"q"`
	Query    string  `json:"query"`
	Samples  []shown `json:"samples"`
}

// sampled returns the games of a finding that are still there, the first with its board.
func sampled(ctx context.Context, a *cli.App, l *qipu.Library, f *queue.Finding) (list []shown, err error) {
	for _, p := range f.Samples {
		err := a.PlayStored(ctx, l, []uint32{p.Record}, func(g *record.Played) bool {
			s := shown{Record: p.Record, Ply: p.Ply, Title: recordview.TitleOf(g.Game), Result: ended(g)}
			if pos, last, err := cli.BoardAt(g, p.Ply); len(list) == 0 && err == nil && pos != nil {
				scene := &draw.Scene{Coordinates: true, Last: last, Geometry: g.Rules.Geometry()}
				scene.Planes, scene.Texts = game.Shown(pos)
				s.Board = draw.Text(scene, draw.TextOptions{Unicode: true})
			}
			list = append(list, s)
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ended says who won a game.
func ended(g *record.Played) string {
	sides := record.SidesOf(g.Rules)
	switch g.Game.Facts.Result.Verdict {
	case facts.FirstWon:
		return sides.First + " won"
	case facts.SecondWon:
		return sides.Second + " won"
	case facts.Drawn:
		return "drawn"
	}
	return "nobody knows who won"
}

func queueWrite(a *cli.App) *cobra.Command {
	var out, state string
	cmd := &cobra.Command{
		Use:   "write",
		Short: "Write findings with boards and games, for readers without the library",
		Example: `  qipu mine queue write --state open
  qipu mine queue write --state open --out findings.json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.Reading(cmd.Context(), func(l *qipu.Library) error {
				q, err := queue.Read(l.Records())
				if err != nil {
					return err
				}
				list := []written{}
				for i := range q.Findings {
					f := &q.Findings[i]
					if state != "" && f.State() != state {
						continue
					}
					w := written{ID: f.ID, Kind: f.Kind, Game: f.Game, Sentence: f.Sentence, Games: f.Games, Effect: f.Effect, Error: f.Error, Q: f.Q, Query: f.Query}
					if w.Samples, err = sampled(cmd.Context(), a, l, f); err != nil {
						return err
					}
					list = append(list, w)
				}
				data, err := json.MarshalIndent(list, "", " ")
				if err != nil {
					return err
				}
				if err := a.Emit(append(data, '\n'), out); err != nil || out == "" {
					return err
				}
				return a.Say(cli.Figures{{Name: "type", Value: "findings"}, {Name: "written", Value: len(list)}}, "%s written to %s", cli.Plural(len(list), "finding"), out)
			})
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write to (default: standard output)")
	stateFlag(cmd, &state)
	return cmd
}

func queueEnter(a *cli.App) *cobra.Command {
	var e queue.Entry
	var text string
	cmd := &cobra.Command{
		Use:   "enter ID",
		Short: "Make an entry of a finding that is accepted: a query, a note, a pattern, a shape",
		Long: `Make an entry of a finding that is accepted, with what was found, on what evidence and
when: a saved query; a note on the names that it is about, which qipu names show tells;
or what has a name of its own. A pattern is made of those that the finding is about, and
stands where all of them stand at once, or it has the text of a file. A shape of Go
always has one ("-" for standard input).`,
		Example: `  qipu mine queue enter 1f3a
  qipu mine queue enter 1f3a --name "river horse against five-six cannons"
  qipu mine queue enter 1f3a --as pattern --name "bottom cannon with river horse"
  qipu mine queue enter 1f3a --as note`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if text != "" {
				if e.As != queue.AsPattern && e.As != queue.AsShape {
					return cli.Usagef("--text is of patterns and shapes: say --as pattern or --as shape")
				}
				var err error
				if e.Text, err = readText(a, text); err != nil {
					return err
				}
			}
			return a.Reading(cmd.Context(), func(l *qipu.Library) error {
				name, err := queue.Enter(cmd.Context(), l.Records(), l.Search(), args[0], e, today())
				if err != nil {
					return err
				}
				return a.Say(cli.Figures{{Name: "type", Value: "entered"}, {Name: "as", Value: e.As}, {Name: "name", Value: name}}, "it is %s now", become(e.As, name))
			})
		},
	}
	cmd.Flags().StringVar(&e.Name, "name", "", "its name (default: what the finding is about)")
	cli.Enum(cmd, &e.As, "as", queue.AsQuery, "what it becomes: query, note, pattern or shape", queue.Kinds()...)
	cmd.Flags().StringVar(&text, "text", "", "file with the text of the pattern or shape")
	return cmd
}

// become says what a finding has become.
func become(as, name string) string {
	switch as {
	case queue.AsNote:
		return "a note on " + name
	case queue.AsPattern, queue.AsShape:
		return "the " + as + " " + name
	}
	return fmt.Sprintf("the saved query %q", name)
}

func queueDrop(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "drop ID...",
		Short: "Take findings out of the queue; entries that they have become stay",
		Example: `  qipu mine queue drop 1f3a
  qipu mine queue drop 1f3a 20b7`,
		Args: cli.ArgCount(1, 1000),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.Reading(cmd.Context(), func(l *qipu.Library) error {
				err := queue.Change(cmd.Context(), l.Records(), func(q *queue.Queue) error {
					for _, id := range args {
						if err := q.Drop(id); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					return err
				}
				return a.Say(cli.Figures{{Name: "type", Value: "dropped"}, {Name: "findings", Value: len(args)}}, "%s taken out of the queue", cli.Plural(len(args), "finding"))
			})
		},
	}
}
