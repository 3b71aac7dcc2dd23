package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/game/xiangqi"
	"qipu/library/knowledge"
	"qipu/pattern/relation"
)

func (a *app) namesAdd() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "add FILE",
		Short: "Add patterns of pieces to the library",
		Long: `Add the patterns of a file ("-" for standard input) to those that the library keeps,
with their fixtures; one with the same id is replaced. Fixtures are tried first: one
that fails is refused unless --force. The index is then made for these patterns alone.`,
		Example: `  qipu names export 馬後炮 重炮 --out mine.patterns
  qipu names add mine.patterns`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := a.shapeText(args[0])
			if err != nil {
				return err
			}
			return a.addPatterns(cmd, relation.Parse(args[0], []byte(text)), force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "add them although fixtures fail")
	return cmd
}

func (a *app) addPatterns(cmd *cobra.Command, f *relation.File, force bool) error {
	if len(f.Faults) > 0 {
		for _, fault := range f.Faults[1:] {
			fmt.Fprintf(a.err, "%s\n", printable(fault.Error()))
		}
		return f.Faults[0]
	}
	var ids []string
	for _, p := range f.Patterns {
		ids = append(ids, p.ID)
	}
	ctx := cmd.Context()
	err := a.writing(ctx, cmd.CommandPath(), func(l *qipu.Library) error {
		wrong := 0
		for _, x := range l.Knowledge().Patterns().With(f).Lint(xiangqi.Standard) {
			if !slices.Contains(ids, x.ID) {
				continue
			}
			fmt.Fprintf(a.err, "%s:%d: %s: %s\n", printable(x.File), x.Line, x.Weight, printable(x.Text))
			if x.Weight == relation.Fault {
				wrong++
			}
		}
		if wrong > 0 && !force {
			return fmt.Errorf("%s: nothing was kept; mend the text, or give --force", plural(wrong, "error"))
		}
		if err := l.Knowledge().SavePatterns(ctx, f); err != nil {
			return err
		}
		_, err := a.buildNames(ctx, l)
		return err
	})
	if err != nil {
		return err
	}
	return a.say(figures{{"type", "patterns"}, {"change", "add"}, {"patterns", len(ids)}, {"ids", strings.Join(ids, " ")}}, "%s added: %s", plural(len(ids), "pattern"), strings.Join(ids, ", "))
}

func (a *app) namesDelete() *cobra.Command {
	return &cobra.Command{
		Use:   "delete ID",
		Short: "Take a pattern out of the library",
		Long: `Take a pattern that was added or changed out of the library, with its fixtures. One of
the program or of a folder with the same id counts again then.`,
		Example: `  qipu names delete cannon-behind-horse
  qipu names delete double-cannon --json`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := a.writing(cmd.Context(), cmd.CommandPath(), func(l *qipu.Library) error { return l.Knowledge().DeletePattern(cmd.Context(), args[0]) })
			if err != nil {
				return err
			}
			return a.say(figures{{"type", "patterns"}, {"change", "delete"}, {"patterns", 1}, {"ids", args[0]}}, "%s is no longer in the library", args[0])
		},
	}
}

func (a *app) namesExport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "export [NAME...]",
		Short: "Write patterns of pieces with their fixtures as text",
		Long: `Write the patterns that are called so in any language, or all, with their fixtures:
to be changed, or to begin others with. qipu names add takes them back.`,
		Example: `  qipu names export 馬後炮
  qipu names export elbow-horse --out mine.patterns`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.csv || a.json {
				return usagef("patterns are text: qipu names show and qipu names list have other forms")
			}
			return a.withPatterns(cmd.Context(), func(_ *qipu.Library, p *knowledge.Patterns) error { return a.exportPatterns(p, args, out) })
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write to this file")
	return cmd
}

func (a *app) exportPatterns(p *knowledge.Patterns, names []string, out string) error {
	f := &relation.File{Patterns: p.Base.Patterns}
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
	if err := a.emit(f.AppendTo(nil), out); err != nil {
		return err
	}
	if out != "" {
		fmt.Fprintf(a.err, "%s in %s\n", plural(len(f.Patterns), "pattern"), out)
	}
	return nil
}

// patternFindingJSON is what lint found.
type patternFindingJSON struct {
	Type   string `json:"type"` // "finding"
	Weight string `json:"weight"`
	ID     string `json:"id"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Text   string `json:"text"`
}

func (a *app) namesLint() *cobra.Command {
	return &cobra.Command{
		Use:   "lint [FILE...]",
		Short: "Find what is wrong with patterns, and try their fixtures",
		Long: `Look through the patterns: what cannot be read, names that are missing or given twice,
fixtures that fail, patterns with fewer than five boards on which they stand and five
on which they do not. With files, look at theirs as if they were laid above the rest.
Exit code 1 if there are errors; warnings alone are 0.`,
		Example: "  qipu names lint\n  qipu names lint mine.patterns --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			all := new(relation.File)
			for _, path := range args {
				text, err := a.shapeText(path)
				if err != nil {
					return err
				}
				f := relation.Parse(path, []byte(text))
				all.Patterns, all.Checks, all.Faults = append(all.Patterns, f.Patterns...), append(all.Checks, f.Checks...), append(all.Faults, f.Faults...)
			}
			return a.withPatterns(cmd.Context(), func(_ *qipu.Library, p *knowledge.Patterns) error { return a.lintPatterns(p, all, args) })
		},
	}
}

func (a *app) lintPatterns(p *knowledge.Patterns, all *relation.File, files []string) error {
	base := p.With(all)
	t := &table{columns: []string{"place", "weight", "pattern", "finding"}}
	wrong := 0
	for _, f := range base.Lint(xiangqi.Standard) {
		if len(files) > 0 && !slices.Contains(files, f.File) {
			continue
		}
		if f.Weight == relation.Fault {
			wrong++
		}
		t.add(patternFindingJSON{"finding", string(f.Weight), f.ID, f.File, f.Line, f.Text}, fmt.Sprintf("%s:%d", f.File, f.Line), string(f.Weight), f.ID, printable(f.Text))
	}
	if len(t.rows) > 0 || a.csv {
		if err := a.print(t); err != nil {
			return err
		}
	}
	patterns, checks := len(base.Patterns), len(base.Checks)
	if len(files) > 0 {
		patterns, checks = len(all.Patterns), len(all.Checks)
	}
	if !a.csv {
		err := a.say(figures{{"type", "total"}, {"patterns", patterns}, {"fixtures", checks}, {"errors", wrong}, {"warnings", len(t.rows) - wrong}},
			"%s, %s: %s, %s", plural(patterns, "pattern"), plural(checks, "fixture"), plural(wrong, "error"), plural(len(t.rows)-wrong, "warning"))
		if err != nil {
			return err
		}
	}
	if wrong > 0 {
		return silent(exitNothing)
	}
	return nil
}
