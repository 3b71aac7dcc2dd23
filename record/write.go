package record

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"
)

// Inexpressible returns an error that names what a format has no way to write.
func Inexpressible(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrInexpressible)
}

// WriteEach writes games one behind the other, each as appendGame makes it: all
// that most formats have to do in Write. Errors name the format and the game.
func WriteEach(w io.Writer, f *FormatInfo, games iter.Seq[*Game], appendGame func(dst []byte, g *Game) ([]byte, error)) error {
	out := bufio.NewWriter(w)
	var buf []byte
	n := 0
	for g := range games {
		n++
		text, err := appendGame(buf[:0], g)
		if err != nil {
			return fmt.Errorf("%s: game %d: %w", f.Name, n, err)
		}
		if _, err := out.Write(text); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		buf = text
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// LineFeeds ends every line of a text with a line feed alone.
func LineFeeds(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
