package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/game"
	"qipu/index"
	"qipu/query"
	"qipu/record"
)

// The exit codes.
const (
	exitOK          = 0
	exitNothing     = 1   // nothing was found
	exitUsage       = 2   // the command line is wrong
	exitData        = 3   // the input is wrong
	exitBug         = 70  // the program is wrong
	exitInterrupted = 130 // the user stopped it
)

// app is one run of the program: what it knows, and the world it talks to.
type app struct {
	rooms    []room // what it can do
	games    game.Catalog
	formats  []record.Format
	in       io.Reader
	out, err io.Writer

	inTerm, outTerm, errTerm bool // whether in, out and err are terminals
	width                    int  // cells of a line on the terminal that out is; 0 where it is none, or that is unknown
	lookupOS                 func(string) (string, bool)

	// Values of flags that every command has.
	json, csv bool
	color     string
	progress  string
	library   string
	partial   bool

	shapes []string // folders of shapes that the command line names
}

// room makes the commands of one part of the program.
type room func(*app) []*cobra.Command

// usageError is a mistake on the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// silent is an exit code without a message: everything has been said.
type silent int

func (silent) Error() string { return "" }

var errInterrupted = errors.New("interrupted")

// run runs one command line and returns the exit code. No panic leaves it.
func (a *app) run(ctx context.Context, args []string) (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(a.err, "qipu: internal error: %v\nThis is a bug in qipu %s; the command was: qipu %s\n",
				v, qipu.Version, strings.Join(args, " "))
			code = exitBug
		}
	}()
	a.in = &interruptible{ctx: ctx, r: a.in}
	root := a.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	var usage usageError
	var quiet silent
	var wrong *query.Error
	switch {
	case errors.As(err, &quiet):
		return int(quiet)
	case errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled):
		fmt.Fprintln(a.err, "qipu: interrupted")
		return exitInterrupted
	case errors.As(err, &wrong):
		fmt.Fprintf(a.err, "qipu: the query is wrong:\n%s", wrong.Show())
		return exitUsage
	case errors.As(err, &usage):
		fmt.Fprintf(a.err, "qipu: %v\nRun '%s --help' for usage.\n", err, cmd.CommandPath())
		return exitUsage
	}
	fmt.Fprintf(a.err, "qipu: %s\n", strings.TrimPrefix(err.Error(), "qipu: "))
	return exitData
}

// root returns the tree of commands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "qipu",
		Short: "Search, study and play: board-game records as knowledge",
		Long: `Qipu (棋譜, "game records") turns board-game records into knowledge that people
can search, study and play against.

Exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 wrong input, 130 interrupted.`,
		Example: `  qipu demo
  qipu draw othello f5d6c3d3c4f4`,
		Version:       qipu.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpTemplate(helpTemplate)
	root.SetVersionTemplate("qipu {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(helpCommand())
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "print JSON, one object a line")
	flags.BoolVar(&a.csv, "csv", false, "print comma-separated values")
	flags.StringVar(&a.color, "color", "auto", "colours: auto, always or never (NO_COLOR is heeded)")
	flags.StringVar(&a.progress, "progress", "auto", "progress on standard error: auto, plain, json or off")
	flags.StringVar(&a.library, "library", "", "folder or clickhouse:// address of the library (default: QIPU_LIBRARY, the nearest .qipu, or one in the user's data folder)")
	flags.BoolVar(&a.partial, "partial", false, "answer without servers that cannot be reached, and say so")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if a.partial {
			cmd.SetContext(index.AllowPartial(cmd.Context()))
		}
		return a.checkFlags()
	}
	for _, room := range a.rooms {
		root.AddCommand(room(a)...)
	}
	return root
}

func (a *app) checkFlags() error {
	if a.json && a.csv {
		return usagef("--json and --csv exclude each other")
	}
	if err := oneOf("color", a.color, "auto", "always", "never"); err != nil {
		return err
	}
	return oneOf("progress", a.progress, "auto", "plain", "json", "off")
}

// oneOf checks the value of a flag that has a fixed set of values.
func oneOf(flag, value string, values ...string) error {
	for _, v := range values {
		if v == value {
			return nil
		}
	}
	return usagef("--%s=%s: the values are %s%s", flag, value, strings.Join(values, ", "), didYouMean(value, values))
}

// colored reports whether standard output takes colours.
func (a *app) colored() bool {
	switch a.color {
	case "always":
		return true
	case "never":
		return false
	}
	no, _ := a.lookupOS("NO_COLOR")
	return a.outTerm && no == ""
}

// argCount returns a check of the number of arguments that speaks of them by
// name: the words of Use after the command.
func argCount(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		names := strings.Fields(cmd.Use)[1:]
		switch {
		case len(args) < least:
			return usagef("%s: %s is missing", cmd.CommandPath(), names[len(args)])
		case len(args) > most:
			return usagef("%s: unexpected argument %q", cmd.CommandPath(), args[most])
		}
		return nil
	}
}

// game returns the rules that an argument names.
func (a *app) game(spec string) (game.Rules, error) {
	r, err := a.games.Find(spec)
	var unknown *game.UnknownError
	if errors.As(err, &unknown) {
		return nil, usagef("%v%s", err, didYouMean(unknown.Name, unknown.Known))
	}
	if err != nil {
		return nil, usageError{err}
	}
	return r, nil
}

// completeGames offers the names of games for the first argument.
func (a *app) completeGames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var list []string
	for _, r := range a.games {
		list = append(list, r.Info().Name+"\t"+r.Info().Titles.En)
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// text returns an argument, or standard input where it is "-".
func (a *app) text(arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	const limit = 1 << 20
	data, err := io.ReadAll(io.LimitReader(a.in, limit+1))
	if errors.Is(err, errInterrupted) {
		return "", err
	}
	if err != nil {
		return "", fmt.Errorf("standard input: %w", err)
	}
	if len(data) > limit {
		return "", fmt.Errorf("standard input: more than %d bytes", limit)
	}
	return string(data), nil
}

// interruptible is a reader that gives up when the command is interrupted, even
// where the one below waits for a user who does not type.
type interruptible struct {
	ctx context.Context
	r   io.Reader
	buf []byte      // read, but not asked for yet
	got chan answer // an answer that was not waited for
}

type answer struct {
	data []byte
	err  error
}

func (i *interruptible) Read(p []byte) (int, error) {
	if len(i.buf) == 0 {
		if i.got == nil {
			// The reader below writes into a buffer of its own: after an
			// interrupt it may still be at it.
			i.got = make(chan answer, 1)
			go func(out chan<- answer) {
				data := make([]byte, 64<<10)
				n, err := i.r.Read(data)
				out <- answer{data[:n], err}
			}(i.got)
		}
		select {
		case <-i.ctx.Done():
			return 0, errInterrupted
		case a := <-i.got:
			i.got = nil
			if len(a.data) == 0 {
				return 0, a.err
			}
			i.buf = a.data
		}
	}
	n := copy(p, i.buf)
	i.buf = i.buf[n:]
	return n, nil
}

func flagError(cmd *cobra.Command, err error) error {
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return usageError{err}
	}
	return usagef("%v%s", err, didYouMean(name, flagNames(cmd)))
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		Example: `  qipu help
  qipu help draw`,
		Args: argCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			found, _, err := cmd.Root().Find(args)
			if err != nil || len(args) > 0 && found == cmd.Root() {
				return usagef("unknown command %q%s", args[0], didYouMean(args[0], commandNames(cmd.Root())))
			}
			return found.Help()
		},
	}
}

// Help begins with examples: most readers need nothing else.
const helpTemplate = `{{.Short}}

{{if .HasExample}}Examples:
{{.Example}}

{{end}}{{with .Long}}{{. | trimTrailingWhitespaces}}

{{end}}{{.UsageString}}`

const usageTemplate = `Usage:
  {{.UseLine}}{{if .HasAvailableSubCommands}} COMMAND

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Flags of every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableSubCommands}}

Run '{{.CommandPath}} COMMAND --help' for more about a command.{{end}}
`
