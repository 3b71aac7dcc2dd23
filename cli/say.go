package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/board/draw"
)

// Escape codes of emphasis.
const (
	Bold  = "\x1b[1m"
	Faint = "\x1b[2m"
	Plain = "\x1b[0m"
)

// Shorten cuts a text that takes more cells than there is room for.
func Shorten(text string, room int) string {
	if draw.Cells(text) <= room {
		return text
	}
	runes := []rune(text)
	for draw.Cells(string(runes)) > room-1 {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimSpace(string(runes)) + "…"
}

// Of returns the value of a figure.
func (f Figures) Of(name string) any {
	for _, g := range f {
		if g.Name == name {
			return g.Value
		}
	}
	return nil
}

// Emit writes to standard output, or to a file.
func (a *App) Emit(data []byte, path string) error {
	write := func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
	if path == "" {
		return write(a.Out)
	}
	return Atomically(path, write)
}

// Figures are what a command tells at its end: one object in JSON, one row in
// CSV, and a sentence for people.
type Figures []Figure

// Figure is one of them.
type Figure struct {
	Name  string
	Value any
}

// MarshalJSON keeps the order.
func (f Figures) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, g := range f {
		if i > 0 {
			out = append(out, ',')
		}
		value, err := MarshalLine(g.Value)
		if err != nil {
			return nil, err
		}
		out = append(strconv.AppendQuote(out, g.Name), ':')
		out = append(out, value...)
	}
	return append(out, '}'), nil
}

// Say prints figures, or the sentence for people.
func (a *App) Say(f Figures, format string, args ...any) error {
	if !a.JSON && !a.CSV {
		_, err := fmt.Fprintf(a.Out, format+"\n", args...)
		return err
	}
	t := new(Table)
	var cells []string
	for _, g := range f {
		t.Columns = append(t.Columns, g.Name)
		cells = append(cells, fmt.Sprint(g.Value))
	}
	t.Add(f, cells...)
	return a.Print(t)
}

// Nothing says on standard error why there is nothing to print, and returns the exit
// code of that.
func (a *App) Nothing(format string, args ...any) error {
	fmt.Fprintf(a.Err, format+"\n", args...)
	return Silent(ExitNothing)
}

// Plural returns a number with what it counts.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Size returns a number of bytes as people read it.
func Size(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n)/(1<<10), "KiB"
	for _, next := range []string{"MiB", "GiB", "TiB"} {
		if value < 1<<10 {
			break
		}
		value, unit = value/(1<<10), next
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

// When returns a time as people read it.
func When(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// Printable keeps control characters of a file away from the terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		if r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1 // it would turn what follows around
		}
		return r
	}, text)
}

// Percent returns a share as people read it.
func Percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }

// Confirm asks a user at a terminal. Elsewhere nobody can be asked, and nothing is
// done.
func (a *App) Confirm(format string, args ...any) error {
	if !a.InTerm || !a.ErrTerm {
		return Usagef(format+" There is nobody to ask: add --yes", args...)
	}
	fmt.Fprintf(a.Err, format+" [y/N] ", args...)
	var line []byte
	for c := make([]byte, 1); ; {
		n, err := a.In.Read(c)
		if errors.Is(err, ErrInterrupted) {
			return err
		}
		if n == 0 && err != nil || n > 0 && c[0] == '\n' {
			break
		}
		line = append(line, c[:n]...)
	}
	if slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(string(line)))) {
		return nil
	}
	return a.Nothing("nothing was done")
}
