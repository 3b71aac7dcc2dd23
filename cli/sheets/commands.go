// Package sheets has the commands by which people write on records: qipu study.
package sheets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/studies"
	"qipu/record"
	"qipu/record/study"
	"qipu/store"
	"qipu/store/sheets"
	"qipu/view/recordview"
	"qipu/view/studyview"
)

// Commands returns qipu study.
func Commands(a *cli.App) []*cobra.Command {
	s := &room{App: a}
	cmd := &cobra.Command{
		Use:   "study",
		Short: "Write on games: variations, comments, signs, what you think of moves",
		Long: `Write on games of the library. A record stays as it is: what is written is a sheet above
it, of which the library has one, and everybody with a profile one of his own (--of). Each
change is noted with its author and time, and can be undone; people who write at once are
merged by rule, and what contradicts itself is shown and not dropped.

A place is the number of a move of the main line, as 12, or the name of a node as
"qipu study show" tells it. The viewer in the browser does the same with a board.`,
		Example: `  qipu study write 1 --at 12 --comment "the turning point" --glyph "?"
  qipu study write 1 --at 11 --play "pass pass" --comment "was better"
  qipu study show 1
  qipu study export 1 copies/annotated.sgf --force`,
	}
	cmd.PersistentFlags().StringVar(&s.of, "of", "", "the profile whose sheet it is (default: that of the library)")
	cmd.AddCommand(s.writeCommand(), s.showCommand(), s.listCommand(), s.undoCommand("undo"), s.undoCommand("redo"), s.logCommand(), s.shareCommand(), s.removeCommand(), s.importCommand(), s.exportCommand())
	return []*cobra.Command{cmd}
}

type room struct {
	*cli.App
	of string
}

// with opens the library, and finds the sheet above a record.
func (s *room) with(cmd *cobra.Command, arg string, do func(ctx context.Context, l *qipu.Library, key studies.Key, names studyview.Names) error) error {
	id, ok := cli.GameNumber(arg)
	if !ok {
		return cli.Usagef("%q is no number of a game: qipu find lists games with their numbers", cli.Printable(cli.Shorten(arg, 40)))
	}
	return s.Reading(cmd.Context(), func(l *qipu.Library) error {
		ctx := cmd.Context()
		key := studies.Key{Record: id}
		if s.of != "" {
			p, err := l.People().Find(ctx, s.of)
			if err != nil {
				return fmt.Errorf("nobody is called %q: qipu people list tells who there is", cli.Printable(s.of))
			}
			key.Owner = p.ID
		}
		names, err := studyview.NamesOf(ctx, l.People())
		if err != nil {
			return err
		}
		return do(ctx, l, key, names)
	})
}

// place finds a node: by its name, or as a move of the main line.
func place(p *studies.Page, at string) (study.ID, error) {
	if at == "" {
		return study.Root, nil
	}
	if n, err := strconv.Atoi(at); err == nil && n >= 0 {
		g := p.Log.Tree()
		node, moves := int32(0), 0
		for moves < n {
			kids := g.Kids(node)
			if len(kids) == 0 {
				return study.ID{}, fmt.Errorf("there is no move %d: the main line has %s", n, cli.Plural(moves, "move"))
			}
			node = kids[0]
			if _, move := g.Move(node); move != "" {
				moves++
			}
		}
		return g.Nodes[node].ID, nil
	}
	id, err := study.ParseID(at)
	if err != nil {
		return id, cli.Usagef("--at %s: write the number of a move, or a name as qipu study show tells it", cli.Printable(cli.Shorten(at, 40)))
	}
	return id, nil
}

func (s *room) writeCommand() *cobra.Command {
	var at, line, comment, glyph string
	var signs, unsigns []string
	var promote, main, remove, restore bool
	cmd := &cobra.Command{
		Use:   "write ID [--at PLACE] ...",
		Short: "Play moves, comment, put signs on points, promote and delete variations",
		Long: `Write on a game. With --play the moves come behind the place, as a variation where the game
went on otherwise; what else is said is said of the last of them, or of the place itself.

A sign is KIND:POINT, of the kinds triangle, square, circle and cross; label:POINT=TEXT;
arrow:FROM:TO and region:CORNER:CORNER, with =red, =blue, =green or =yellow if you like.`,
		Example: `  qipu study write 1 --at 4 --play "pass pass"
  qipu study write 1 --at 2 --sign triangle:D4 --sign label:C3=A --comment "see A"
  qipu study write 1 --at 2 --unsign triangle:D4`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, args[0], func(ctx context.Context, l *qipu.Library, key studies.Key, _ studyview.Names) error {
				var node study.ID
				var point func(string) (string, bool)
				err := l.Studies().View(ctx, key, func(p *studies.Page) (err error) {
					if p.Rules != nil {
						g := p.Rules.Geometry()
						point = func(text string) (string, bool) { return studyview.Points(g, text) }
					}
					node, err = place(p, at)
					return err
				})
				if err != nil {
					return told(err)
				}
				w := studies.Writer{By: key.Owner}
				write := func(edits ...studies.Edit) error {
					return told(l.Studies().Write(ctx, key, w, edits, func(_ *studies.Page, last study.ID) error {
						node = last
						return nil
					}))
				}
				for _, move := range strings.Fields(line) {
					if err := write(studies.Edit{Do: "play", Node: node, Text: move}); err != nil {
						return err
					}
				}
				var edits []studies.Edit
				f := cmd.Flags()
				if f.Changed("comment") {
					edits = append(edits, studies.Edit{Do: "comment", Node: node, Text: comment})
				}
				if f.Changed("glyph") {
					edits = append(edits, studies.Edit{Do: "glyph", Node: node, Text: glyph})
				}
				for do, list := range map[string][]string{"sign": signs, "unsign": unsigns} {
					for _, text := range list {
						e, err := sign(text, point)
						if err != nil {
							return err
						}
						e.Do, e.Node = do, node
						edits = append(edits, e)
					}
				}
				for _, x := range []struct {
					is bool
					do string
				}{{restore, "restore"}, {promote, "promote"}, {main, "main"}, {remove, "delete"}} {
					if x.is {
						edits = append(edits, studies.Edit{Do: x.do, Node: node})
					}
				}
				if len(edits) == 0 && line == "" {
					return cli.Usagef("what is to be written? --play, --comment, --glyph, --sign, --unsign, --promote, --main, --delete or --restore")
				}
				if len(edits) > 0 {
					if err := write(edits...); err != nil {
						return err
					}
				}
				return s.Say(cli.Figures{{Name: "type", Value: "written"}, {Name: "node", Value: node.String()}}, "written at %s; qipu study undo %s takes it back", node, args[0])
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&at, "at", "", "the number of a move, or the name of a node (default: the start)")
	f.StringVar(&line, "play", "", "moves to play behind it, parted by blanks, in any notation")
	f.StringVar(&comment, "comment", "", "what to say; empty takes a comment away")
	f.StringVar(&glyph, "glyph", "", "what to think of the move: "+strings.Join(study.Glyphs, " "))
	f.StringArrayVar(&signs, "sign", nil, "a sign on a point; may be given several times")
	f.StringArrayVar(&unsigns, "unsign", nil, "a sign to take away; may be given several times")
	f.BoolVar(&promote, "promote", false, "move the variation up by one")
	f.BoolVar(&main, "main", false, "make it the main line")
	f.BoolVar(&remove, "delete", false, "delete the node with all that follows")
	f.BoolVar(&restore, "restore", false, "bring a deleted node back")
	return cmd
}

// sign reads KIND:POINT=TEXT.
func sign(text string, point func(string) (string, bool)) (studies.Edit, error) {
	kind, rest, _ := strings.Cut(text, ":")
	points, value, _ := strings.Cut(rest, "=")
	e := studies.Edit{Sign: kind, Text: value}
	ok := false
	if point != nil {
		e.Points, ok = point(points)
	}
	if !ok || study.Signs[kind] == "" {
		return e, cli.Usagef("%s: write a sign as KIND:POINT, such as triangle:D4, label:C3=A or arrow:C3:D4=red", cli.Printable(cli.Shorten(text, 60)))
	}
	return e, nil
}

// told says what to do about an error.
func told(err error) error {
	switch {
	case errors.Is(err, sheets.ErrNone):
		return fmt.Errorf("nothing is written there: qipu study list tells what there is")
	case errors.Is(err, store.ErrNoGame):
		return fmt.Errorf("the library has no such game: qipu find lists games with their numbers")
	case errors.Is(err, studies.ErrNoNode):
		return fmt.Errorf("%w: qipu study show tells which nodes there are", err)
	case errors.Is(err, studies.ErrNothing):
		return fmt.Errorf("there is nothing to take back")
	}
	return err
}

func (s *room) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show a game with what was written on it, node by node",
		Long: `Show the moves of a game with what was written on it: the name of each node, by which qipu
study write finds it, the move, what is said of it, and who said so. Contradictions come at
the end: what several people said who did not know of each other.`,
		Example: "  qipu study show 1\n  qipu study show 1 --json",
		Args:    cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, args[0], func(ctx context.Context, l *qipu.Library, key studies.Key, names studyview.Names) error {
				return told(l.Studies().View(ctx, key, func(p *studies.Page) error {
					w := studyview.SheetOf(p, l.Records().Kinds(), s.Formats, "", names, key.Owner, study.Root)
					if s.JSON {
						return s.PrintJSON(cli.Typed("sheet", *w))
					}
					return s.tree(w)
				}))
			})
		},
	}
}

// tree prints the nodes of a sheet.
func (s *room) tree(w *studyview.StudySheet) error {
	by := map[int]studyview.StudyWritten{}
	for _, x := range w.Written {
		by[x.Node] = x
	}
	t := &cli.Table{Columns: []string{"node", "ply", "move", "value", "by"}}
	depth := make([]int, len(w.Record.Nodes)) // of variations
	kids := map[int]int{}
	for i := range w.Record.Nodes {
		n := &w.Record.Nodes[i]
		if i > 0 {
			depth[i] = depth[n.Parent]
			if kids[n.Parent]++; kids[n.Parent] > 1 {
				depth[i]++
			}
		}
		said := make([]string, 0, 3)
		for _, m := range n.Marks {
			said = append(said, strings.TrimSpace(m.Kind+" "+m.Text))
		}
		if n.Comment != "" {
			said = append(said, n.Comment)
		}
		who := ""
		if x, ok := by[i]; ok {
			if who = x.By; who == "" {
				who = "owner"
			}
		}
		row := studyview.StudyEntry{Node: w.Nodes[i]}
		t.Add(row, w.Nodes[i], strconv.Itoa(n.Ply), strings.Repeat("  ", min(depth[i], 10))+n.Move+n.Quality, cli.Printable(strings.Join(said, "; ")), who)
	}
	if err := s.Print(t); err != nil {
		return err
	}
	for _, c := range w.Conflicts {
		var values []string
		for _, v := range c.Values {
			values = append(values, fmt.Sprintf("%q", v.Value))
		}
		what := "several say something else of its " + c.Key + ": " + strings.Join(values, ", ")
		if c.Key == string(study.Gone) {
			what = "was deleted while somebody else wrote on it, and stays"
		}
		if _, err := fmt.Fprintf(s.Err, "note: %s: %s\n", w.Nodes[c.Node], what); err != nil {
			return err
		}
	}
	if w.Gone {
		fmt.Fprintln(s.Err, "note: the record itself has been deleted")
	}
	return nil
}

func (s *room) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the games on which something is written",
		Long:    "List the games on which something is written, by whom, and when last.",
		Example: "  qipu study list\n  qipu study list --csv",
		Args:    cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.Reading(cmd.Context(), func(l *qipu.Library) error {
				names, err := studyview.NamesOf(cmd.Context(), l.People())
				if err != nil {
					return err
				}
				list, err := l.Studies().List(cmd.Context())
				if err != nil {
					return err
				}
				t := &cli.Table{Columns: []string{"game", "of", "sharing", "changes", "players"}}
				for i := range list {
					row := studyview.RowOf(&list[i], names)
					t.Add(cli.Typed("sheet", row), strconv.Itoa(int(row.Record)), row.Name, row.Sharing, strconv.Itoa(row.Changes), row.Title)
				}
				return s.Print(t)
			})
		},
	}
}

func (s *room) undoCommand(do string) *cobra.Command {
	what := map[string][2]string{"undo": {"Take back what you did last", "undone"}, "redo": {"Do again what was undone last", "done again"}}[do]
	return &cobra.Command{
		Use:     do + " ID",
		Short:   what[0],
		Long:    what[0] + ", on whichever device that was. What others did in between stays.",
		Example: "  qipu study undo 1\n  qipu study redo 1",
		Args:    cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, args[0], func(ctx context.Context, l *qipu.Library, key studies.Key, _ studyview.Names) error {
				if n, err := l.Studies().Revision(ctx, key); err != nil || n == 0 {
					return errors.Join(err, told(studies.ErrNothing))
				}
				return told(l.Studies().Write(ctx, key, studies.Writer{By: key.Owner}, []studies.Edit{{Do: do}}, func(_ *studies.Page, last study.ID) error {
					return s.Say(cli.Figures{{Name: "type", Value: do}, {Name: "node", Value: last.String()}}, "%s at %s", what[1], last)
				}))
			})
		},
	}
}

func (s *room) logCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "log ID",
		Short:   "List all that was ever written on a game",
		Long:    "List all changes that were ever made, in the order in which they came. What was undone or contradicted stands in it, too.",
		Example: "  qipu study log 1\n  qipu study log 1 --csv",
		Args:    cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, args[0], func(ctx context.Context, l *qipu.Library, key studies.Key, names studyview.Names) error {
				return told(l.Studies().View(ctx, key, func(p *studies.Page) error {
					t := &cli.Table{Columns: []string{"number", "node", "key", "value", "by", "at"}}
					for _, e := range studyview.EntriesOf(p, names) {
						t.Add(cli.Typed("change", e), strconv.Itoa(e.Number), e.Node, e.Key, cli.Printable(e.Value), e.By, e.At.Format("2006-01-02 15:04:05"))
					}
					return s.Print(t)
				}))
			})
		},
	}
}

func (s *room) shareCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "share ID private|members|public --of NAME",
		Short:   "Say who may read what a profile has written",
		Long:    "Say who may read the sheet of a profile on a server: its writer, all members, or all who may read the library. That of the library everybody may read.",
		Example: "  qipu study share 1 members --of Anna\n  qipu study share 1 private --of Anna",
		Args:    cli.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			sharing, ok := studyview.ParseSharing(args[1])
			if !ok || s.of == "" {
				return cli.Usagef("write qipu study share ID private|members|public --of NAME")
			}
			return s.with(cmd, args[0], func(ctx context.Context, l *qipu.Library, key studies.Key, _ studyview.Names) error {
				if err := l.Studies().Share(ctx, key, sharing); err != nil {
					return told(err)
				}
				return s.Say(cli.Figures{{Name: "type", Value: "shared"}, {Name: "sharing", Value: args[1]}}, "the sheet is %s now", args[1])
			})
		},
	}
}

func (s *room) removeCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "remove ID",
		Short:   "Take all away that was written on a game",
		Long:    "Take all away that was written on a game. It comes back when something is written there anew, and can be undone then.",
		Example: "  qipu study list\n  qipu study remove 1",
		Args:    cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, args[0], func(ctx context.Context, l *qipu.Library, key studies.Key, _ studyview.Names) error {
				if err := l.Studies().Remove(ctx, key); err != nil {
					return told(err)
				}
				return s.Say(cli.Figures{{Name: "type", Value: "removed"}}, "taken away; it comes back when you write there anew")
			})
		},
	}
}

func (s *room) importCommand() *cobra.Command {
	var number int
	cmd := &cobra.Command{
		Use:   "import ID FILE",
		Short: "Write what a file says of the same game onto it",
		Long: `Read a record of the same game, annotated elsewhere, and write what it says onto the game:
moves that are not there as variations, comments, signs, and all properties of its format.`,
		Example: "  qipu study export 1 copies/annotated.sgf --force\n  qipu study import 1 copies/annotated.sgf",
		Args:    cli.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := s.FindRecord(cmd.Context(), &cli.ReadFlags{Workers: 1}, args[1], number)
			if err != nil {
				return err
			}
			return s.with(cmd, args[0], func(ctx context.Context, l *qipu.Library, key studies.Key, _ studyview.Names) error {
				n, err := l.Studies().Import(ctx, key, studies.Writer{By: key.Owner}, p.Game)
				if err != nil {
					return told(err)
				}
				return s.Say(cli.Figures{{Name: "type", Value: "imported"}, {Name: "nodes", Value: n}}, "%s added; qipu study undo %s takes that back", cli.Plural(n, "node"), args[0])
			})
		},
	}
	cmd.Flags().IntVar(&number, "number", 1, "which record of the file")
	return cmd
}

func (s *room) exportCommand() *cobra.Command {
	var apart, force bool
	var to string
	cmd := &cobra.Command{
		Use:   "export ID [FILE]",
		Short: "Write a game with what was written on it, or that alone",
		Long: `Write a game as a file, with what was written on it (--apart: that alone, with the moves that
lead there). Signs of SGF are kept by PGN, too, for this program to read.`,
		Example: "  qipu study export 1\n  qipu study export 1 notes.sgf --apart --force",
		Args:    cli.ArgCount(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, args[0], func(ctx context.Context, l *qipu.Library, key studies.Key, _ studyview.Names) error {
				return told(l.Studies().View(ctx, key, func(p *studies.Page) error {
					g := p.Log.Tree().Game()
					if apart {
						g = p.Log.Tree().Apart()
					}
					return s.export(g, p, to, args[1:], force)
				}))
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&apart, "apart", false, "what was written alone")
	f.StringVar(&to, "to", "", "the format (default: by the name of the file, else that of the record, else SGF)")
	f.BoolVar(&force, "force", false, "write over a file that is there")
	return cmd
}

// export writes a game to a file, or to standard output.
func (s *room) export(g *record.Game, p *studies.Page, to string, args []string, force bool) error {
	path := ""
	if len(args) > 0 && args[0] != "-" {
		path = args[0]
	}
	f, err := studies.FormatFor(s.Formats, g, to, path)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	out, err := record.Fit(f, &record.Played{Game: g, Rules: p.Rules}, "")
	if err != nil {
		return fmt.Errorf("%s: %w", recordview.TitleOf(g), err)
	}
	if err := record.CheckWrite(f, out); err != nil {
		return err
	}
	write := func(w io.Writer) error {
		return f.(record.Writer).Write(w, func(yield func(*record.Game) bool) { yield(out) })
	}
	if path == "" {
		return write(s.Out)
	}
	if _, err := os.Stat(path); err == nil && !force {
		return fmt.Errorf("%s is there already: --force overwrites it", path)
	}
	if err := cli.Atomically(path, write); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "written: %s\n", path)
	return nil
}
