// Package man writes manual pages of the commands, in the macros that man(7) tells of. They
// are made of the same words as the helps.
package man

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"qipu"
	"qipu/cli"
)

// Commands returns the command that prints manual pages.
func Commands(a *cli.App) []*cobra.Command { return []*cobra.Command{command(a)} }

func command(a *cli.App) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "man [COMMAND...]",
		Short: "Print the manual page of a command, or write those of all",
		Long: `Print the manual page of a command, for the program man to show (man -l FILE), or
with --to write one file for each command into a folder, which is made where there
is none.`,
		Example: `  qipu man import
  qipu man --to man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				about, rest, err := cmd.Root().Find(args)
				if err != nil || len(rest) > 0 {
					return cli.Usagef("there is no command %q: qipu --help lists them", strings.Join(args, " "))
				}
				return page(a.Out, about)
			}
			if len(args) > 0 {
				return cli.Usagef("--to writes the pages of all commands: leave %q out", strings.Join(args, " "))
			}
			if err := os.MkdirAll(to, 0o777); err != nil {
				return err
			}
			n, err := pages(to, cmd.Root())
			if err == nil {
				fmt.Fprintf(a.Err, "%d pages are in %s\n", n, to)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "write the pages of all commands into this folder")
	return cmd
}

// pages writes the pages of a command and of those below it.
func pages(dir string, cmd *cobra.Command) (n int, err error) {
	if cmd.Hidden {
		return 0, nil
	}
	var text strings.Builder
	if err := page(&text, cmd); err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(dir, nameOf(cmd)+".1"), []byte(text.String()), 0o666); err != nil {
		return 0, err
	}
	n = 1
	for _, c := range cmd.Commands() {
		more, err := pages(dir, c)
		if err != nil {
			return 0, err
		}
		n += more
	}
	return n, nil
}

func nameOf(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page writes the page of a command in the macros man(7).
func page(w io.Writer, cmd *cobra.Command) error {
	p := &roff{}
	p.line(".TH %q 1 \"\" %q \"Qipu\"", strings.ToUpper(nameOf(cmd)), "qipu "+qipu.Version)
	p.line(".SH NAME")
	p.text(nameOf(cmd) + " - " + cmd.Short)
	p.line(".SH SYNOPSIS")
	p.line(".B %s", escape(cmd.UseLine()))
	p.line(".SH DESCRIPTION")
	long := cmd.Long
	if long == "" {
		long = cmd.Short
	}
	p.paragraphs(long)
	var below []*cobra.Command
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			below = append(below, c)
		}
	}
	if len(below) > 0 {
		p.line(".SH COMMANDS")
		for _, c := range below {
			p.line(".TP\n.B %s", escape(c.Name()))
			p.text(c.Short)
		}
	}
	p.flags("OPTIONS", cmd.LocalNonPersistentFlags())
	p.flags("OPTIONS OF ALL COMMANDS", cmd.Root().PersistentFlags())
	if cmd.Example != "" {
		p.line(".SH EXAMPLES\n.nf")
		p.text(cmd.Example)
		p.line(".fi")
	}
	if cmd.HasParent() {
		p.line(".SH SEE ALSO\n.BR %s (1)", escape(nameOf(cmd.Parent())))
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// roff is a page that is being written.
type roff struct{ strings.Builder }

// line writes a line of macros.
func (p *roff) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// escape keeps a text from being taken for macros.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// text writes lines as they are.
func (p *roff) text(text string) {
	for line := range strings.Lines(text) {
		p.line("%s", escape(strings.TrimSuffix(line, "\n")))
	}
}

// paragraphs writes text that is filled, but for parts whose lines begin with blanks.
func (p *roff) paragraphs(text string) {
	for i, part := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			p.line(".PP")
		}
		if drawn := strings.Contains("\n"+part, "\n "); drawn {
			p.line(".nf")
			p.text(part)
			p.line(".fi")
			continue
		}
		p.text(part)
	}
}

func (p *roff) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.line(".SH %s", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value, _ := pflag.UnquoteUsage(f); value != "" {
			name += " " + value
		}
		p.line(".TP\n.B %s", escape(name))
		p.text(f.Usage)
	})
}
