package knowledge

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/board"
	"qipu/cli"
	"qipu/game"
	"qipu/library/knowledge"
	"qipu/pattern"
	"qipu/pattern/kb"
)

// cutOptions are the flags that make a shape of a part of a board.
type cutOptions struct {
	from, region, spec, own string
	id, form                string
	good                    []string
	fields                  []string
	force                   bool
}

func shapesAdd(a *cli.App) *cobra.Command {
	var o cutOptions
	cmd := &cobra.Command{
		Use:   "add [FILE]",
		Short: "Add shapes to the library",
		Long: `Add the shapes of a file ("-" for standard input) to those that the library keeps,
with their fixtures and terms. What qipu workshop mine has written can be added as it
is. Lint looks at them first: errors are refused unless --force, warnings are told.
--form reads the older forms: that of the paper, and that of sums of 1, 2, 4 and 8.

--from begins with a part of a board instead: a position as qipu shapes match takes
it, of which --region is cut out. O is the side to move (or --own). Where the region
reaches the edge of the board, a border of # is drawn. With --id the shape is added,
else its text is printed, to be completed and added.`,
		Example: `  qipu shapes add --from games/go-9x9-1.sgf#20 --region D4:F6 --good D6
  qipu shapes add --from "E5 E4 F4 D4 F3" --game go:9x9 --region D3:F5 --id my-shape --set "name=My shape" --set urgency=3
  qipu shapes add --from "E5 E4 F4 D4 F3" --game go:9x9 --region C3:F5 --id my-other
  qipu shapes add --from "E5 E4 F4 D4 F3" --game go:9x9 --region D2:F5 --id my-third --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (o.from == "") == (len(args) == 0) {
				return cli.Usagef("what? Give either a FILE of shapes, or --from POSITION with --region POINTS")
			}
			if o.from != "" {
				return cutShape(a, cmd, &o)
			}
			text, err := shapeText(a, args[0])
			if err != nil {
				return err
			}
			return addShapes(a, cmd, args[0], shapeForms[o.form](args[0], []byte(text)), o.force)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.from, "from", "", "begin with this position: moves, a position text, FILE[#MOVE] or ID[#MOVE]")
	f.StringVar(&o.region, "region", "", "the part of it between two points, as in C3:G7")
	a.GameFlag(cmd, &o.spec, "go", "the board of a position text or of moves")
	cli.Enum(cmd, &o.own, "own", "turn", "who is O: turn (the side to move), black or white", "turn", "black", "white")
	f.StringVar(&o.id, "id", "", "id of the shape: lower-case letters, digits and hyphens")
	f.StringArrayVar(&o.good, "good", nil, "a good point of O")
	f.StringArrayVar(&o.fields, "set", nil, "a field of the shape, as in urgency=3 or terms=cut")
	f.BoolVar(&o.force, "force", false, "add it although lint finds errors")
	cli.Enum(cmd, &o.form, "form", "shapes", "of the file: shapes, paper (its field form) or digits (1-2-4-8)", "shapes", "paper", "digits")
	return cmd
}

// shapeText reads a file of shapes, or standard input.
func shapeText(a *cli.App, path string) (string, error) {
	if path == "-" {
		return a.Text(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%w: name a file that there is", err)
	}
	if len(data) > kb.MaxFile {
		return "", fmt.Errorf("%s: a file of %d bytes: at most %d are read: cut it into several", path, len(data), kb.MaxFile)
	}
	return string(data), nil
}

// cutShape makes a shape of a part of a board.
func cutShape(a *cli.App, cmd *cobra.Command, o *cutOptions) error {
	at, err := goPosition(cmd.Context(), a, o.from, o.spec)
	if err != nil {
		return err
	}
	g := at.pos.Rules().Geometry()
	from, to, ok := strings.Cut(strings.Replace(o.region, "-", ":", 1), ":")
	p, known := g.Point(from)
	q, too := g.Point(to)
	if !ok || !known || !too {
		return cli.Usagef("--region %s: want two points of the board, as in %s:%s", o.region, g.Name(0), g.Name(board.At(2, 2)))
	}
	swap := at.pos.Turn() == game.Second
	if o.own != "turn" {
		swap = o.own == "white"
	}
	e := cut(at.pos.Planes(), min(p.X(), q.X()), min(p.Y(), q.Y()), max(p.X(), q.X()), max(p.Y(), q.Y()), swap)
	left, top := e.left, e.top
	for _, name := range o.good {
		point, known := g.Point(name)
		x, y := point.X()-left, point.Y()-top
		if !known || e.At(x, y) != pattern.Empty || x < 0 || y < 0 || x >= e.Size.W || y >= e.Size.H {
			return cli.Usagef("--good %s: want an empty point of the region", name)
		}
		e.Ours = append(e.Ours, kb.Spot{X: int8(x), Y: int8(y)})
	}
	e.ID, e.Urgency, e.Origin, e.Source = o.id, kb.Ordinary, kb.User, at.Title
	if e.ID == "" {
		e.ID = "new-shape"
	}
	text, err := withFields(string(e.AppendTo(nil)), o.fields)
	if err != nil {
		return err
	}
	if o.id == "" {
		if _, err := knowledge.ParseShape("shape", text); err != nil {
			return err
		}
		_, err = fmt.Fprint(a.Out, text)
		return err
	}
	return addShapes(a, cmd, "shape", kb.Parse("shape", []byte(text)), o.force)
}

// cutout is an entry that was cut out of a board, and where.
type cutout struct {
	kb.Entry
	left, top int
}

// cut returns a part of a board, with a border where it reaches the edge.
func cut(planes *board.Planes, left, top, right, bottom int, swap bool) *cutout {
	c := &cutout{left: left, top: top}
	if left == 0 {
		c.left--
	}
	if top == 0 {
		c.top--
	}
	if right == planes.Size.W-1 {
		right++
	}
	if bottom == planes.Size.H-1 {
		bottom++
	}
	c.Size = board.Size{W: right - c.left + 1, H: bottom - c.top + 1}
	for y := c.top; y <= bottom; y++ {
		for x := c.left; x <= right; x++ {
			set := pattern.Off
			if x >= 0 && y >= 0 && x < planes.Size.W && y < planes.Size.H {
				piece := planes.At(board.At(x, y))
				if swap && piece != board.Empty {
					piece = 3 - piece
				}
				set = pattern.Of(piece)
			}
			c.Cells = append(c.Cells, set)
		}
	}
	return c
}

// withFields returns the text of a shape with fields set, as in urgency=3. An
// empty value takes a field out.
func withFields(text string, fields []string) (string, error) {
	lines := strings.Split(text, "\n")
	for _, f := range fields {
		word, value, ok := strings.Cut(f, "=")
		word, value = strings.TrimSpace(word), strings.TrimSpace(value)
		if !ok || word == "" || word == "draw" || strings.ContainsAny(value, "\r\n") {
			return "", cli.Usagef("--set %s: want a field and its value in one line, as in urgency=3; the diagram is changed in an editor or by --file", f)
		}
		is := func(line string) bool {
			return len(strings.Fields(line)) > 0 && line[0] != ' ' && strings.Fields(line)[0] == word
		}
		lines = slices.DeleteFunc(lines, is)
		if at := slices.Index(lines, "draw"); at >= 0 && value != "" {
			lines = slices.Insert(lines, at, fmt.Sprintf("%-9s %s", word, value))
		}
	}
	return strings.Join(lines, "\n"), nil
}

// addShapes adds the shapes of a text to the library.
func addShapes(a *cli.App, cmd *cobra.Command, name string, f *kb.File, force bool) error {
	if len(f.Faults) > 0 {
		return f.Faults[0]
	}
	if len(f.Entries) == 0 {
		return fmt.Errorf("%s has no shape in it: see qipu shapes add --help for the forms", name)
	}
	var ids []string
	err := a.Writing(cmd.Context(), cmd.CommandPath(), func(l *qipu.Library) error {
		for i := range f.Entries {
			ids = append(ids, f.Entries[i].ID)
		}
		if err := lintBefore(a, l.Knowledge().Shapes().With(f), ids, force); err != nil {
			return err
		}
		return l.Knowledge().SaveShapes(cmd.Context(), f)
	})
	if err != nil {
		return err
	}
	return a.Say(cli.Figures{{Name: "type", Value: "shapes"}, {Name: "change", Value: "add"}, {Name: "shapes", Value: len(ids)}, {Name: "ids", Value: strings.Join(ids, " ")}}, "%s added: %s", cli.Plural(len(ids), "shape"), strings.Join(ids, ", "))
}

// lintBefore tells what is wrong with shapes that are to be kept. Errors refuse
// them.
func lintBefore(a *cli.App, b *kb.Base, ids []string, force bool) error {
	wrong := 0
	for _, f := range b.Lint(kb.LintOptions{Only: ids}) {
		if f.ID == "" {
			continue // of another file
		}
		fmt.Fprintf(a.Err, "%s: %s\n", f.Weight, cli.Printable(f.Text))
		if f.Weight == kb.Fault {
			wrong++
		}
	}
	if wrong > 0 && !force {
		return fmt.Errorf("%s: nothing was kept; mend the text, or give --force", cli.Plural(wrong, "error"))
	}
	return nil
}

func shapesEdit(a *cli.App) *cobra.Command {
	var fields []string
	var file string
	var force bool
	cmd := &cobra.Command{
		Use:   "edit ID",
		Short: "Change a shape, in an editor or by fields",
		Long: `Change a shape: its text is opened in the editor that VISUAL or EDITOR names, looked at
by lint, and kept in the library. A shape that comes with the program or from a
folder stays as it is there; the changed one lies above it, until it is deleted.

Without an editor, --set changes single fields, and --file takes the whole text from
a file ("-" for standard input).`,
		Example: `  qipu shapes edit my-shape --set urgency=4 --set "note=Beware of the ladder."
  qipu shapes edit my-shape --set "note=" --json`,
		Args:              cli.ArgCount(1, 1),
		ValidArgsFunction: completeShapes(a, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if file != "" && len(fields) > 0 {
				return cli.Usagef("--file and --set exclude each other")
			}
			return editShape(a, cmd, args[0], file, fields, force)
		},
	}
	cmd.Flags().StringArrayVar(&fields, "set", nil, "set a field, as in urgency=3; without a value it is taken out")
	cmd.Flags().StringVar(&file, "file", "", "take the text from this file")
	cmd.Flags().BoolVar(&force, "force", false, "keep it although lint finds errors")
	return cmd
}

func editShape(a *cli.App, cmd *cobra.Command, name, file string, fields []string, force bool) error {
	ctx := cmd.Context()
	var id, text string
	err := a.WithShapes(ctx, func(s *knowledge.Shapes) error {
		e, err := shapeNamed(s, name)
		if err == nil {
			id, text = e.ID, s.Text(e)
		}
		return err
	})
	if err != nil {
		return err
	}
	draft := ""
	switch {
	case len(fields) > 0:
		text, err = withFields(text, fields)
	case file != "":
		text, err = shapeText(a, file)
	default:
		text, draft, err = editText(ctx, a, text)
	}
	if err != nil {
		return err
	}
	kept := ""
	if draft != "" {
		kept = fmt.Sprintf("; the text is in %s: qipu shapes edit %s --file goes on with it", draft, id)
	}
	f, err := knowledge.ParseShape("shape", text)
	if err != nil {
		return fmt.Errorf("%w%s", err, kept)
	}
	if got := f.Entries[0].ID; got != id {
		return fmt.Errorf("the text is about %q, and not about %q: qipu shapes add adds another shape%s", got, id, kept)
	}
	err = a.Writing(ctx, cmd.CommandPath(), func(l *qipu.Library) error {
		if err := lintBefore(a, l.Knowledge().Shapes().With(f), []string{id}, force); err != nil {
			return fmt.Errorf("%w%s", err, kept)
		}
		return l.Knowledge().SaveShapes(ctx, f)
	})
	if err != nil {
		return err
	}
	if draft != "" {
		os.RemoveAll(filepath.Dir(draft))
	}
	return a.Say(cli.Figures{{Name: "type", Value: "shapes"}, {Name: "change", Value: "edit"}, {Name: "shapes", Value: 1}, {Name: "ids", Value: id}}, "%s is kept in the library", id)
}

// editText opens a text in the user's editor, and returns what became of it and
// where it lies.
func editText(ctx context.Context, a *cli.App, text string) (changed, path string, err error) {
	editor, _ := a.LookupOS("VISUAL")
	if editor == "" {
		editor, _ = a.LookupOS("EDITOR")
	}
	words := strings.Fields(editor)
	if len(words) == 0 || !a.OutTerm {
		return "", "", cli.Usagef("there is no editor: set EDITOR and run it at a terminal, or give --set or --file")
	}
	dir, err := os.MkdirTemp("", "qipu-shapes-")
	if err != nil {
		return "", "", err
	}
	defer func() {
		if path == "" { // nothing of the user's is in it
			os.RemoveAll(dir)
		}
	}()
	file := filepath.Join(dir, "edit.shapes") // an id may be a name that a system keeps for itself
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", "", err
	}
	run := exec.CommandContext(ctx, words[0], append(words[1:], file)...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := run.Run(); err != nil {
		return "", "", fmt.Errorf("the editor %s: %w", words[0], err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	if string(data) == text {
		fmt.Fprintln(a.Err, "nothing was changed")
		return "", "", cli.Silent(cli.ExitOK)
	}
	return string(data), file, nil
}

func shapesDelete(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "delete ID",
		Short: "Take a shape out of the library",
		Long: `Take a shape that was added or changed out of the library, with its fixtures. One of
the program or of a folder with the same id counts again then; those themselves are
not deleted.`,
		Example: `  qipu shapes delete my-other
  qipu shapes delete my-third --json`,
		Args:              cli.ArgCount(1, 1),
		ValidArgsFunction: completeShapes(a, knowledge.LibraryLayer),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := a.Writing(cmd.Context(), cmd.CommandPath(), func(l *qipu.Library) error { return l.Knowledge().DeleteShape(cmd.Context(), args[0]) })
			if err != nil {
				return err
			}
			return a.Say(cli.Figures{{Name: "type", Value: "shapes"}, {Name: "change", Value: "delete"}, {Name: "shapes", Value: 1}, {Name: "ids", Value: args[0]}}, "%s is no longer in the library", args[0])
		},
	}
}
