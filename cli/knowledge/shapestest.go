package knowledge

import (
	"fmt"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/library/knowledge"
	"qipu/pattern/kb"
	"qipu/view/shapeview"
)

func shapesTest(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "test",
		Short: "Run the fixtures of all shapes",
		Long: `Run every fixture of every shape: boards on which it must stand with its good points,
and such on which it must not. Exit code 1 if one fails.`,
		Example: `  qipu shapes test
  qipu shapes test --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.WithShapes(cmd.Context(), func(s *knowledge.Shapes) error { return testShapes(a, s) })
		},
	}
	cli.MovedFlag(cmd, "predict", "qipu workshop predict")
	return cmd
}

// fixture is a fixture that fails.
type fixture struct {
	Shape  string `json:"shape"`
	Match  bool   `json:"match"` // it should stand there
	File   string `json:"file"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

func testShapes(a *cli.App, s *knowledge.Shapes) error {
	t := &cli.Table{Columns: []string{"shape", "place", "reason"}}
	tried := map[string]bool{}
	run := 0
	for i := range s.Base.Checks {
		c := &s.Base.Checks[i]
		e := s.Base.Entry(c.ID)
		why := "there is no such shape"
		if e != nil {
			run++
			tried[c.ID] = true
			why = e.Fails(c)
		}
		if why != "" {
			t.Add(cli.Typed("fixture", fixture{c.ID, c.Match, c.File, c.Line, why}), c.ID, fmt.Sprintf("%s:%d", c.File, c.Line), why)
		}
	}
	if len(t.Rows) > 0 {
		if err := a.Print(t); err != nil {
			return err
		}
	}
	failed, bare := len(t.Rows), len(s.Base.Entries)-len(tried)
	if !a.CSV {
		err := a.Say(cli.Figures{{Name: "type", Value: "total"}, {Name: "shapes", Value: len(s.Base.Entries)}, {Name: "fixtures", Value: run}, {Name: "failed", Value: failed}, {Name: "without", Value: bare}},
			"%s of %s: %d failed, %s without any", cli.Plural(run, "fixture"), cli.Plural(len(tried), "shape"), failed, cli.Plural(bare, "shape"))
		if err != nil {
			return err
		}
	}
	if failed > 0 {
		return cli.Silent(cli.ExitNothing)
	}
	return nil
}

func shapesLint(a *cli.App) *cobra.Command {
	var form string
	cmd := &cobra.Command{
		Use:   "lint [FILE...]",
		Short: "Find what is wrong with the base",
		Long: `Look through the base, exactly and under all orientations and both colours: shapes that
are identical, that say nothing beyond another, that contradict each other, special
cases that do not name what they override, shapes that can never match, missing
names, fixtures that fail or are missing, and files that cannot be read.

With files, look at their shapes against the whole base, as if they were laid above
it. Exit code 1 if there are errors; warnings alone are 0.`,
		Example: `  qipu shapes lint
  qipu shapes lint --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.WithLayers(cmd.Context(), func(s *knowledge.Shapes) error { return lintShapes(a, s, args, form) })
		},
	}
	cli.Enum(cmd, &form, "form", "shapes", "of the files: shapes, paper or digits", "shapes", "paper", "digits")
	return cmd
}

func lintShapes(a *cli.App, s *knowledge.Shapes, paths []string, form string) error {
	list, looked := []kb.Finding(nil), len(s.Base.Entries)
	if len(paths) == 0 {
		list = s.Lint()
	} else {
		all := new(kb.File)
		for _, path := range paths {
			text, err := shapeText(a, path)
			if err != nil {
				return err
			}
			f := shapeForms[form](path, []byte(text))
			all.Terms, all.Entries = append(all.Terms, f.Terms...), append(all.Entries, f.Entries...)
			all.Checks, all.Faults = append(all.Checks, f.Checks...), append(all.Faults, f.Faults...)
		}
		ids := []string{}
		for i := range all.Entries {
			ids = append(ids, all.Entries[i].ID)
		}
		looked = len(ids)
		for _, f := range s.With(all).Lint(kb.LintOptions{Only: ids}) {
			if f.ID != "" || !s.Faulty(f.File) {
				list = append(list, f)
			}
		}
	}
	t := &cli.Table{Columns: []string{"place", "weight", "kind", "finding"}}
	wrong := 0
	for i := range list {
		f := &list[i]
		if f.Weight == kb.Fault {
			wrong++
		}
		t.Add(cli.Typed("finding", shapeview.FindingOf(f)), fmt.Sprintf("%s:%d", f.File, f.Line), string(f.Weight), string(f.Kind), cli.Printable(f.Text))
	}
	if len(t.Rows) > 0 || a.CSV {
		if err := a.Print(t); err != nil {
			return err
		}
	}
	if !a.CSV {
		err := a.Say(cli.Figures{{Name: "type", Value: "total"}, {Name: "shapes", Value: looked}, {Name: "errors", Value: wrong}, {Name: "warnings", Value: len(list) - wrong}},
			"%s: %s, %s", cli.Plural(looked, "shape"), cli.Plural(wrong, "error"), cli.Plural(len(list)-wrong, "warning"))
		if err != nil {
			return err
		}
	}
	if wrong > 0 {
		return cli.Silent(cli.ExitNothing)
	}
	return nil
}

// shapeForms are the forms in which shapes are read.
var shapeForms = map[string]func(string, []byte) *kb.File{"shapes": kb.Parse, "paper": kb.ParsePaper, "digits": kb.ParseDigits}
