// Package cli is one run of the program: the flags that every command has, what
// arguments name, what is printed and in which form, and how an error becomes a
// sentence and an exit code. The commands themselves stand in the rooms below it,
// which take an App and return commands; cmd/qipu lists the rooms.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/game"
	"qipu/index"
	"qipu/library"
	"qipu/query"
	"qipu/record"
	"qipu/remedy"
	"qipu/remedy/shellwords"
)

// The exit codes.
const (
	ExitOK          = 0
	ExitNothing     = 1   // nothing was found
	ExitUsage       = 2   // the command line is wrong
	ExitData        = 3   // the input is wrong
	ExitBug         = 70  // the program is wrong
	ExitInterrupted = 130 // the user stopped it
	exitUnread      = 141 // nobody reads what it prints: as shells have it
)

// App is one run of the program: what it knows, and the world it talks to.
type App struct {
	Rooms    []Room // what it can do
	Games    game.Catalog
	Formats  []record.Format
	Engine   library.EngineMaker
	Settlers game.Settlers
	Judges   library.Judges
	Theory   func(game.Rules) []byte // values that come with the program: see library.Options
	Net      func(path string) error // has engines look by the net of a file; nil where none does
	Taught   library.BotMaker        // nil where nothing plays what was taught
	In       io.Reader
	Out, Err io.Writer

	InTerm, OutTerm, ErrTerm bool // whether in, out and err are terminals
	Width                    int  // cells of a line on the terminal that out is; 0 where it is none, or that is unknown
	LookupOS                 func(string) (string, bool)
	Completion               time.Duration // how long a shell waits for names of the library; 0: as long as people do

	// Values of flags that every command has.
	JSON, CSV bool
	Color     string
	progress  string
	Library   string
	Config    string // the file of settings
	partial   bool
	net       string

	Shapes []string // folders of shapes that the command line names
}

// Room makes the commands of one part of the program.
type Room func(*App) []*cobra.Command

// UsageError is a mistake on the command line.
type UsageError struct{ error }

// Unwrap returns what is wrong.
func (e UsageError) Unwrap() error { return e.error }

// Usagef returns a mistake on the command line.
func Usagef(format string, args ...any) error {
	return UsageError{fmt.Errorf(format, args...)}
}

// Silent is an exit code without a message: everything has been said.
type Silent int

func (Silent) Error() string { return "" }

// ErrInterrupted ends a command that the user has stopped.
var ErrInterrupted = errors.New("interrupted")

// errUnread is why a command ends whose output nobody reads any more.
var errUnread = errors.New("nobody reads what is printed")

// Watched returns a writer that says when nobody reads from it any more.
func Watched(w io.Writer, quit context.CancelCauseFunc) io.Writer { return &watched{w, quit} }

type watched struct {
	w    io.Writer
	quit context.CancelCauseFunc
}

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		w.quit(errUnread)
	}
	return n, err
}

// Run runs one command line and returns the exit code. No panic leaves it.
func (a *App) Run(ctx context.Context, args []string) (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(a.Err, "qipu: internal error: %v\nThis is a bug in qipu %s; the command was: qipu %s\n",
				v, qipu.Version, strings.Join(args, " "))
			code = ExitBug
		}
	}()
	if err := a.Games.Check(); err != nil {
		panic(err) // no user can mend it
	}
	a.In = &interruptible{ctx: ctx, r: a.In}
	root := a.Root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return ExitOK
	}
	var usage UsageError
	var quiet Silent
	var wrong *query.Error
	switch {
	case errors.As(err, &quiet):
		return int(quiet)
	case errors.Is(context.Cause(ctx), errUnread):
		return exitUnread
	case errors.Is(err, ErrInterrupted) || errors.Is(err, context.Canceled):
		fmt.Fprintln(a.Err, "qipu: interrupted")
		return ExitInterrupted
	case errors.As(err, &wrong):
		fmt.Fprintf(a.Err, "qipu: the query is wrong:\n%s", wrong.Show())
		if r, ok := remedy.Of(err); ok {
			fmt.Fprintln(a.Err, shellwords.Say(r))
		}
		return ExitUsage
	case errors.As(err, &usage):
		fmt.Fprintf(a.Err, "qipu: %v\nRun '%s --help' for usage.\n", err, cmd.CommandPath())
		return ExitUsage
	}
	fmt.Fprintf(a.Err, "qipu: %s\n", strings.TrimPrefix(shellwords.Text(err), "qipu: "))
	return ExitData
}

// Root returns the tree of commands.
func (a *App) Root() *cobra.Command {
	root := &cobra.Command{
		Use:   "qipu",
		Short: "Search, study and play: board-game records as knowledge",
		Long: `Qipu (棋譜, "game records") turns board-game records into knowledge that people
can search, study and play against.

Exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 wrong input, 130 interrupted.`,
		Example: `  qipu demo
  qipu draw othello f5d6c3d3c4f4`,
		Version:       Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpTemplate(helpTemplate)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(a.flagError)
	root.SetHelpCommand(helpCommand())
	flags := root.PersistentFlags()
	flags.BoolVar(&a.JSON, "json", false, "print JSON, one object a line")
	flags.BoolVar(&a.CSV, "csv", false, "print comma-separated values")
	enum(root, flags, &a.Color, "color", "auto", "colours: auto, always or never (NO_COLOR is heeded)", []string{"auto", "always", "never"})
	enum(root, flags, &a.progress, "progress", "auto", "progress on standard error: auto, plain, json or off", []string{"auto", "plain", "json", "off"})
	flags.StringVar(&a.Library, "library", "", "folder or clickhouse:// address of the library (default: QIPU_LIBRARY, the nearest .qipu, or one in the user's data folder)")
	flags.StringVar(&a.Config, "config", "", "file of settings, in which engines are named (default: QIPU_CONFIG, or qipu.toml in the user's folder of settings)")
	flags.BoolVar(&a.partial, "partial", false, "answer without servers that cannot be reached, and say so")
	flags.StringVar(&a.net, "net", "", "file of a net that engines look by, instead of the one that comes with the program (default: QIPU_NET)")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if a.partial {
			cmd.SetContext(index.AllowPartial(cmd.Context()))
		}
		if a.JSON && a.CSV {
			return Usagef("--json and --csv exclude each other")
		}
		a.look()
		return nil
	}
	for _, room := range a.Rooms {
		root.AddCommand(room(a)...)
	}
	return root
}

// look takes the net that the user names. One that cannot be read is told of, and the
// one that comes with the program goes on.
func (a *App) look() {
	path := a.net
	if path == "" {
		path, _ = a.LookupOS("QIPU_NET")
	}
	if path == "" || a.Net == nil {
		return
	}
	if err := a.Net(path); err != nil {
		fmt.Fprintf(a.Err, "qipu: %v; the net that comes with the program is used\n", err)
	}
}

// OneOf checks the value of a flag that has a fixed set of values.
func OneOf(flag, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return Usagef("--%s=%s: the values are %s%s", flag, value, strings.Join(values, ", "), DidYouMean(value, values))
}

// Several reports whether more than one of some flags is given.
func Several(flags ...bool) bool {
	first := slices.Index(flags, true)
	return first >= 0 && slices.Contains(flags[first+1:], true)
}

// Colored reports whether standard output takes colours.
func (a *App) Colored() bool {
	switch a.Color {
	case "always":
		return true
	case "never":
		return false
	}
	no, _ := a.LookupOS("NO_COLOR")
	return a.OutTerm && no == ""
}

// ArgCount returns a check of the number of arguments that speaks of them by
// name: the words of Use after the command.
func ArgCount(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		names := strings.Fields(cmd.Use)[1:]
		switch {
		case len(args) < least:
			return Usagef("%s: %s is missing", cmd.CommandPath(), names[len(args)])
		case len(args) > most:
			return Usagef("%s: unexpected argument %q", cmd.CommandPath(), args[most])
		}
		return nil
	}
}

// Game returns the rules that an argument names.
func (a *App) Game(spec string) (game.Rules, error) {
	r, err := a.Games.Find(spec)
	var unknown *game.UnknownError
	if errors.As(err, &unknown) {
		return nil, Usagef("%v%s", err, DidYouMean(unknown.Name, unknown.Known))
	}
	if err != nil {
		return nil, UsageError{err}
	}
	return r, nil
}

// CompleteGames offers the names of games for the first argument.
func (a *App) CompleteGames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var list []string
	for _, r := range a.Games {
		list = append(list, r.Info().Name+"\t"+r.Info().Titles.En)
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// Text returns an argument, or standard input where it is "-".
func (a *App) Text(arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	const limit = 1 << 20
	data, err := io.ReadAll(io.LimitReader(a.In, limit+1))
	if errors.Is(err, ErrInterrupted) {
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
			return 0, ErrInterrupted
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

func (a *App) flagError(cmd *cobra.Command, err error) error {
	var to movedError
	if errors.As(err, &to) {
		return a.sayMoved(cmd.CommandPath()+" --"+to.name, to.command)
	}
	if usage, ok := errors.AsType[UsageError](err); ok { // of a value
		return usage
	}
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return UsageError{err}
	}
	return Usagef("%v%s", err, DidYouMean(name, flagNames(cmd)))
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		Example: `  qipu help
  qipu help draw`,
		Args: ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			found, _, err := cmd.Root().Find(args)
			if err != nil || len(args) > 0 && found == cmd.Root() {
				return Usagef("unknown command %q%s", args[0], DidYouMean(args[0], commandNames(cmd.Root())))
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
