package knowledge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/knowledge"
	"qipu/pattern/relation/syntax"
	"qipu/view"
)

func namesAdd(a *cli.App) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "add FILE",
		Short: "Add patterns of pieces to the library",
		Long: `Add the patterns of a file ("-" for standard input) to those that the library keeps,
with their fixtures; one with the same id is replaced. Fixtures are tried first: one
that fails is refused unless --force. The index is then made for these patterns alone.`,
		Example: `  qipu names export 馬後炮 重炮 --out mine.patterns
  qipu names add mine.patterns`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := shapeText(a, args[0])
			if err != nil {
				return err
			}
			return addPatterns(a, cmd, syntax.Parse(args[0], []byte(text)), force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "add them although fixtures fail")
	return cmd
}

func addPatterns(a *cli.App, cmd *cobra.Command, f *syntax.File, force bool) error {
	if len(f.Faults) > 0 {
		for _, fault := range f.Faults[1:] {
			fmt.Fprintf(a.Err, "%s\n", cli.Printable(fault.Error()))
		}
		return f.Faults[0]
	}
	var ids []string
	for _, p := range f.Patterns {
		ids = append(ids, p.ID)
	}
	ctx := cmd.Context()
	err := a.Writing(ctx, cmd.CommandPath(), func(l *qipu.Library) error {
		wrong := 0
		for _, x := range l.Knowledge().Patterns().Lint(f) {
			if !slices.Contains(ids, x.ID) {
				continue
			}
			fmt.Fprintf(a.Err, "%s:%d: %s: %s\n", cli.Printable(x.File), x.Line, x.Weight, cli.Printable(x.Text))
			if x.Weight == syntax.Fault {
				wrong++
			}
		}
		if wrong > 0 && !force {
			return fmt.Errorf("%s: nothing was kept; mend the text, or give --force", cli.Plural(wrong, "error"))
		}
		if err := l.Knowledge().SavePatterns(ctx, f); err != nil {
			return err
		}
		_, err := a.BuildNames(ctx, l)
		return err
	})
	if err != nil {
		return err
	}
	return a.Say(cli.Figures{{Name: "type", Value: "patterns"}, {Name: "change", Value: "add"}, {Name: "patterns", Value: len(ids)}, {Name: "ids", Value: strings.Join(ids, " ")}}, "%s added: %s", cli.Plural(len(ids), "pattern"), strings.Join(ids, ", "))
}

func namesDelete(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "delete ID",
		Short: "Take a pattern out of the library",
		Long: `Take a pattern that was added or changed out of the library, with its fixtures. One of
the program or of a folder with the same id counts again then.`,
		Example: `  qipu names delete cannon-behind-horse
  qipu names delete double-cannon --json`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := a.Writing(cmd.Context(), cmd.CommandPath(), func(l *qipu.Library) error { return l.Knowledge().DeletePattern(cmd.Context(), args[0]) })
			if err != nil {
				return err
			}
			return a.Say(cli.Figures{{Name: "type", Value: "patterns"}, {Name: "change", Value: "delete"}, {Name: "patterns", Value: 1}, {Name: "ids", Value: args[0]}}, "%s is no longer in the library", args[0])
		},
	}
}

func namesExport(a *cli.App) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "export [NAME...]",
		Short: "Write patterns of pieces with their fixtures as text",
		Long: `Write the patterns that are called so in any language, or all, with their fixtures:
to be changed, or to begin others with. qipu names add takes them back.`,
		Example: `  qipu names export 馬後炮
  qipu names export elbow-horse --out mine.patterns`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.CSV || a.JSON {
				return cli.Usagef("patterns are text: qipu names show and qipu names list have other forms")
			}
			return withPatterns(cmd.Context(), a, func(_ *qipu.Library, p *knowledge.Patterns) error { return exportPatterns(a, p, args, out) })
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write to this file")
	return cmd
}

func exportPatterns(a *cli.App, p *knowledge.Patterns, names []string, out string) error {
	f := &syntax.File{Patterns: p.Base.Patterns}
	if len(names) > 0 {
		f.Patterns = nil
	}
	for _, name := range names {
		list := p.Base.Find(name)
		if len(list) == 0 {
			return fmt.Errorf("no pattern is called %q%s: qipu names list tells all", name, near(p.Base.Nearest(name, 3)))
		}
		for _, x := range list {
			if !slices.Contains(f.Patterns, x) {
				f.Patterns = append(f.Patterns, x)
			}
		}
	}
	for _, x := range f.Patterns {
		f.Checks = append(f.Checks, p.Checks(x.ID)...)
	}
	if err := a.Emit(f.AppendTo(nil), out); err != nil {
		return err
	}
	if out != "" {
		fmt.Fprintf(a.Err, "%s in %s\n", cli.Plural(len(f.Patterns), "pattern"), out)
	}
	return nil
}

func namesLint(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "lint [FILE...]",
		Short: "Find what is wrong with patterns, and try their fixtures",
		Long: `Look through the patterns: what cannot be read, names that are missing or given twice,
fixtures that fail, patterns with fewer than five boards on which they stand and five
on which they do not. With files, look at theirs as if they were laid above the rest.
Exit code 1 if there are errors; warnings alone are 0.`,
		Example: "  qipu names lint\n  qipu names lint mine.patterns --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			all := new(syntax.File)
			for _, path := range args {
				text, err := shapeText(a, path)
				if err != nil {
					return err
				}
				f := syntax.Parse(path, []byte(text))
				all.Patterns, all.Checks, all.Faults = append(all.Patterns, f.Patterns...), append(all.Checks, f.Checks...), append(all.Faults, f.Faults...)
			}
			return withPatterns(cmd.Context(), a, func(_ *qipu.Library, p *knowledge.Patterns) error { return lintPatterns(a, p, all, args) })
		},
	}
}

func lintPatterns(a *cli.App, p *knowledge.Patterns, all *syntax.File, files []string) error {
	base := p.With(all)
	t := &cli.Table{Columns: []string{"place", "weight", "pattern", "finding"}}
	wrong := 0
	for _, f := range p.Lint(all) {
		if len(files) > 0 && !slices.Contains(files, f.File) {
			continue
		}
		if f.Weight == syntax.Fault {
			wrong++
		}
		t.Add(cli.Typed("finding", view.ShapeFinding{Weight: string(f.Weight), ID: f.ID, File: f.File, Line: f.Line, Text: f.Text}), fmt.Sprintf("%s:%d", f.File, f.Line), string(f.Weight), f.ID, cli.Printable(f.Text))
	}
	if len(t.Rows) > 0 || a.CSV {
		if err := a.Print(t); err != nil {
			return err
		}
	}
	patterns, checks := len(base.Patterns), len(base.Checks)
	if len(files) > 0 {
		patterns, checks = len(all.Patterns), len(all.Checks)
	}
	if !a.CSV {
		err := a.Say(cli.Figures{{Name: "type", Value: "total"}, {Name: "patterns", Value: patterns}, {Name: "fixtures", Value: checks}, {Name: "errors", Value: wrong}, {Name: "warnings", Value: len(t.Rows) - wrong}},
			"%s, %s: %s, %s", cli.Plural(patterns, "pattern"), cli.Plural(checks, "fixture"), cli.Plural(wrong, "error"), cli.Plural(len(t.Rows)-wrong, "warning"))
		if err != nil {
			return err
		}
	}
	if wrong > 0 {
		return cli.Silent(cli.ExitNothing)
	}
	return nil
}
