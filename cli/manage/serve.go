package manage

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/cli/engines"
	"qipu/server"
	"qipu/store"
	"qipu/web"
)

// serveOptions are the flags of the serve command.
type serveOptions struct {
	listen, token, readToken, root, web string
	cert, key                           string
	hosts, proxies                      []string
	upload                              int64
	rate                                float64
	open, verbose, guests, approve      bool
	backup                              string
	every, budget                       time.Duration
	memory                              cli.Memory
}

func serveCommand(a *cli.App) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the library as web pages and as an interface for programs",
		Long: `Serve the library: pages for a browser, and under /api/v1 an interface for
programs, described by /api/v1/openapi.json. A library that is not there is made.

Only this machine can reach it, unless --listen names another address, or --host
a name under which a proxy lets others in: then everybody who reaches it by an
address or name of this machine, or a name of --host, may read, and every change
needs a token, which --token or QIPU_TOKEN gives, or which is made up and printed.
So do imports and saved queries, which nobody else can see. With --read-token or
QIPU_READ_TOKEN reading needs a token, too. With --guests those who may read may also
play against the computer; games that they finish become records of the library.
With --approve records that members send, and with --guests guests, wait on the page
Import until an editor lets them in. Who people are, and what they may do, is the
business of "qipu people"; on this machine alone nobody logs in.

With --tls-cert and --tls-key the server speaks TLS itself; the files are read anew when
they change. Behind a proxy --trusted-proxy names whose word is taken for where a request
comes from (X-Forwarded-For) and whether it was encrypted (X-Forwarded-Proto); without it
that of programs on this machine is.

Other commands change the library while it is served, and so does a second server:
their changes go through the first process that opened it, and the others take its
place when it ends. With --backup DIR a backup is made every day, or as --every says, and
old ones go by a rule; the page of settings has them. Where the disk takes no changes, the library is served for reading
only. An interrupt ends it; imports that run go on when it is started again.`,
		Example: `  qipu serve
  qipu serve --listen 127.0.0.1:8080 --open
  qipu serve --listen 0.0.0.0:8080 --host games.example.org --token "$(cat token)"
  qipu serve --listen 0.0.0.0:8080 --host games.example.org --guests
  qipu serve --listen 0.0.0.0:443 --host games.example.org --tls-cert chain.pem --tls-key key.pem
  qipu serve --listen 0.0.0.0:8080 --host games.example.org --trusted-proxy 10.0.0.2 --approve
  qipu serve --listen 0.0.0.0:8080 --read-token "$(cat readers)"
  qipu serve --import-root /srv/games
  qipu serve --backup /srv/backups --every 24h`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context(), a, &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.listen, "listen", "l", "127.0.0.1:7070", "address and port; port 0 chooses a free one")
	f.StringVar(&o.token, "token", "", "what changes must bear where others can reach the server (default: QIPU_TOKEN, or made up)")
	f.StringVar(&o.readToken, "read-token", "", "what reading must bear there (default: QIPU_READ_TOKEN, or nothing)")
	f.BoolVar(&o.guests, "guests", false, "let everybody who may read play, without the token")
	f.BoolVar(&o.approve, "approve", false, "have records of members, and with --guests of guests, wait for an editor")
	f.StringVar(&o.cert, "tls-cert", "", "file with the certificate of the server and those above it, as PEM")
	f.StringVar(&o.key, "tls-key", "", "file with its private key, which nobody else may read")
	f.StringArrayVar(&o.proxies, "trusted-proxy", nil, "address, or range as in 10.0.0.0/8, of a proxy that is believed; may be repeated")
	f.StringArrayVar(&o.hosts, "host", nil, "a further name under which the server may be asked for, as browsers show it; may be repeated")
	f.StringVar(&o.root, "import-root", "", "folder below which files may be imported by their path")
	f.Int64Var(&o.upload, "max-upload", 2<<30, "bytes that one upload may have")
	f.Float64Var(&o.rate, "rate", 0, "requests a second that one client may send (default: 50 where others can reach the server)")
	f.DurationVar(&o.budget, "budget", 0, "how long one request may keep a processor busy: a search tells what it found by then (default: 1m, or 20s where others can reach the server)")
	f.Var(&o.memory, "memory", "how much memory the server and its imports may take, as in 400MB or 2GB (default: what GOMEMLIMIT or its control group say)")
	f.StringVar(&o.backup, "backup", "", "folder in which backups are kept: the newest of the last 7 days, 4 weeks and 12 months")
	f.DurationVar(&o.every, "every", 24*time.Hour, "how often a backup is made with --backup; 0 for when the page asks for it")
	f.BoolVar(&o.open, "open", false, "open the page in a browser")
	f.StringVar(&o.web, "web", "", "folder with the sources of the pages, read anew when they change, for those who work on them")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "log every request")
	return cmd
}

func serve(ctx context.Context, a *cli.App, o *serveOptions) error {
	// A server keeps answers, and is asked while it imports: more memory buys
	// fewer collections than the commands that run by the hundred may cost.
	debug.SetGCPercent(150)
	granted := a.Granted(o.memory)
	a.LimitHeap(1<<30, granted)
	server.ShareProcessors()

	exposed, err := isExposed(o.listen)
	if err != nil {
		return cli.Usagef("--listen %s: %v: give an address and a port, as in 127.0.0.1:7070", o.listen, err)
	}
	// Names other than those of this machine mean that a proxy brings others here.
	exposed = exposed || len(o.hosts) > 0
	tls, err := certificates(o.cert, o.key)
	if err != nil {
		return err
	}
	proxies, err := prefixes(o.proxies)
	if err != nil {
		return err
	}
	if o.token == "" {
		o.token, _ = a.LookupOS("QIPU_TOKEN")
	}
	if o.readToken == "" {
		o.readToken, _ = a.LookupOS("QIPU_READ_TOKEN")
	}
	made := exposed && o.token == ""
	if made {
		o.token = rand.Text()
	}
	if o.readToken == o.token && exposed {
		return cli.Usagef("--read-token: whoever reads could change everything: give another one than --token")
	}
	if o.every < 0 || o.every > 0 && o.every < time.Minute {
		return cli.Usagef("--every %v: give a minute at least, as in 24h", o.every)
	}
	if o.backup != "" {
		if o.backup, err = filepath.Abs(o.backup); err != nil {
			return err
		}
	}
	lib, holder, unwritable, err := openServed(ctx, a, granted.Bytes)
	if err != nil {
		return err
	}
	defer a.Close(ctx, lib)
	level := slog.LevelWarn
	if o.verbose {
		level = slog.LevelInfo
	}
	log := slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: level}))
	if a.JSON {
		log = slog.New(slog.NewJSONHandler(a.Err, &slog.HandlerOptions{Level: level}))
	}
	pages, err := web.New(web.Options{Dir: o.web, Log: log})
	if err != nil {
		return err
	}
	named, err := engines.File(a)
	if err != nil {
		return err
	}
	s, err := server.New(ctx, lib, server.Options{
		Engines: named,
		Exposed: exposed, Token: o.token, ReadToken: o.readToken, Hosts: o.hosts, Guests: exposed && o.guests, Approve: exposed && o.approve, Proxies: proxies, TLS: tls, ImportRoot: o.root, Backups: o.backup, Every: o.every, MaxUpload: o.upload, Rate: o.rate, Budget: o.budget, Holder: holder, Unwritable: unwritable != nil, Web: pages, Log: log,
	})
	if err != nil {
		return err
	}
	defer s.Close(context.WithoutCancel(ctx))
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("%w: choose another port by --listen, or 0 for any", err)
	}
	if unwritable != nil {
		fmt.Fprintf(a.Err, "note: the library is served for reading only: %v\n", unwritable)
	}
	tellServed(a, l.Addr(), lib, o, exposed, made, holder, s.Writes())
	if err := s.Serve(ctx, l); err != nil {
		return err
	}
	return nil
}

// tellServed says where the pages are, and what others may do.
func tellServed(a *cli.App, addr net.Addr, lib *qipu.Library, o *serveOptions, exposed, made bool, holder string, writes bool) {
	scheme := "http://"
	if o.cert != "" {
		scheme = "https://"
	}
	url := scheme + strings.Replace(strings.Replace(addr.String(), "0.0.0.0", "localhost", 1), "[::]", "localhost", 1) + "/"
	if a.JSON {
		_ = a.Say(cli.Figures{{Name: "url", Value: url}, {Name: "library", Value: lib.Records().Place()}, {Name: "exposed", Value: exposed}, {Name: "writable", Value: writes}}, "")
	} else {
		fmt.Fprintf(a.Out, "%s serves %s (Ctrl+C ends it)\n", url, cli.Printable(lib.Records().Place()))
	}
	if exposed {
		who := "They"
		if o.readToken != "" {
			who = "Who has the token for reading"
		}
		open := ""
		if o.cert == "" {
			open = " Traffic is not encrypted: give --tls-cert and --tls-key, or put a proxy with TLS before it."
		}
		fmt.Fprintf(a.Err, "warning: others can reach this server. %s may read the records, and the token changes them.%s\n", who, open)
	}
	if made {
		fmt.Fprintf(a.Err, "token: %s\n", o.token)
	}
	if holder != "" {
		fmt.Fprintf(a.Err, "note: the library is served for reading only: %s writes to it\n", cli.Printable(holder))
	}
	if o.open {
		openBrowser(url)
	}
}

// openServed opens the library for writing, or where another program does that, or
// the disk takes no changes, for reading, and tells who it is, or what the disk says.
func openServed(ctx context.Context, a *cli.App, memory int64) (lib *qipu.Library, holder string, unwritable, err error) {
	var locked *store.LockedError
	for range 10 { // a server that was killed may hold the lock for a moment
		lib, err = a.OpenLibrary(ctx, qipu.Options{Create: true, Holder: "qipu serve", Memory: memory})
		if errors.Is(err, syscall.EROFS) || errors.Is(err, os.ErrPermission) {
			if lib, readErr := a.OpenLibrary(ctx, qipu.Options{ReadOnly: true}); readErr == nil {
				return lib, "", err, nil
			}
		}
		if !errors.As(err, &locked) {
			return lib, "", nil, err
		}
		select {
		case <-ctx.Done():
			return nil, "", nil, cli.ErrInterrupted
		case <-time.After(200 * time.Millisecond):
		}
	}
	lib, err = a.OpenLibrary(ctx, qipu.Options{ReadOnly: true})
	return lib, cmp.Or(locked.Holder, "another program"), nil, err
}

// isExposed reports whether other machines can reach an address.
func isExposed(listen string) (bool, error) {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false, err
	}
	if host == "localhost" {
		return false, nil
	}
	ip := net.ParseIP(host)
	return ip == nil || !ip.IsLoopback(), nil
}

// openBrowser shows a page to the user, where there is a way.
func openBrowser(url string) {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	if cmd := exec.Command(name, args...); cmd.Start() == nil {
		go cmd.Wait() // no zombie; how it went is the browser's business
	}
}
