package kb

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/pattern"
)

// letters are what good points are written as, in reading order.
const letters = "abcdefghijklmnpqrstuvwyz"

// AppendTo appends the block of the entry as Parse reads it.
func (e *Entry) AppendTo(dst []byte) []byte {
	dst = fmt.Appendf(dst, "shape %s\n", e.ID)
	dst = appendField(dst, "terms", strings.Join(e.Terms, " "))
	dst = appendField(dst, "name", formatNames(e.Names))
	dst = appendField(dst, "alias", formatList(e.Aliases))
	dst = appendField(dst, "purpose", e.Purpose.String())
	dst = appendField(dst, "urgency", fmt.Sprint(uint8(e.Urgency)))
	marks := e.marks()
	dst = appendField(dst, "ours", lettersOf(marks, e.Ours))
	dst = appendField(dst, "theirs", lettersOf(marks, e.Theirs))
	if e.Place != [2]uint8{} {
		dst = appendField(dst, "place", fmt.Sprintf("%d%d", e.Place[0], e.Place[1]))
	}
	dst = appendField(dst, "overrides", strings.Join(e.Overrides, " "))
	dst = appendField(dst, "yields", strings.Join(e.Yields, " "))
	dst = appendField(dst, "origin", e.Origin.String())
	dst = appendField(dst, "source", oneLine(e.Source))
	dst = appendField(dst, "note", oneLine(e.Note))
	dst = append(dst, "draw\n"...)
	return appendDrawing(dst, e.Size, e.Cells, marks)
}

// AppendTo appends the block of the term as Parse reads it.
func (t *Term) AppendTo(dst []byte) []byte {
	dst = fmt.Appendf(dst, "term %s\n", t.ID)
	dst = appendField(dst, "name", formatNames(t.Names))
	dst = appendField(dst, "alias", formatList(t.Aliases))
	dst = appendField(dst, "purpose", t.Purpose.String())
	if t.Form == Stones {
		dst = appendField(dst, "form", "shape")
	}
	return appendField(dst, "note", oneLine(t.Note))
}

// AppendTo appends the block of the check as Parse reads it.
func (c *Check) AppendTo(dst []byte) []byte {
	word := "no"
	if c.Match {
		word = "yes"
	}
	dst = fmt.Appendf(dst, "check %s %s\n", c.ID, word)
	marks := map[Spot]byte{}
	for _, s := range c.Spots {
		marks[s] = 'a'
	}
	return appendDrawing(dst, c.Size, c.Cells, marks)
}

// marks gives each good point a letter of its own, so that a reader can speak of
// each. Where there are more of them than letters, those that are good for the
// same sides share one.
func (e *Entry) marks() map[Spot]byte {
	all := slices.Concat(e.Ours, e.Theirs)
	sortSpots(all)
	all = slices.Compact(all)
	marks := make(map[Spot]byte, len(all))
	for i, s := range all {
		if len(all) > len(letters) {
			i = 0
			if slices.Contains(e.Theirs, s) {
				i++
				if slices.Contains(e.Ours, s) {
					i++
				}
			}
		}
		marks[s] = letters[i]
	}
	return marks
}

func lettersOf(marks map[Spot]byte, list []Spot) string {
	var words []string
	for _, s := range list {
		words = append(words, string(marks[s]))
	}
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// Diagram returns the diagram in rows of cells parted by blanks, with letters on
// the good points.
func (e *Entry) Diagram() string {
	return string(appendDrawing(nil, e.Size, e.Cells, e.marks()))
}

func appendDrawing(dst []byte, size board.Size, cells []pattern.Set, marks map[Spot]byte) []byte {
	for y := range size.H {
		dst = append(dst, ' ')
		for x := range size.W {
			dst = append(dst, ' ')
			if c, ok := marks[Spot{int8(x), int8(y)}]; ok {
				dst = append(dst, c)
			} else {
				dst = appendCell(dst, cells[y*size.W+x])
			}
		}
		dst = append(dst, '\n')
	}
	return dst
}

func appendCell(dst []byte, set pattern.Set) []byte {
	for _, s := range symbols {
		if s.set == set {
			return append(dst, s.char)
		}
	}
	dst = append(dst, '{')
	for _, s := range symbols {
		if s.set&(s.set-1) == 0 && set&s.set != 0 {
			dst = append(dst, s.char)
		}
	}
	return append(dst, '}')
}

func appendField(dst []byte, word, value string) []byte {
	if value == "" {
		return dst
	}
	return fmt.Appendf(dst, "%-9s %s\n", word, value)
}

func formatNames(n board.Names) string {
	text := formatList([]string{n.En, n.Hant, n.Hans, n.Ja, n.Ko})
	if strings.Trim(text, " |") == "" {
		return ""
	}
	return strings.TrimRight(text, " |")
}

// formatList returns texts parted by bars, which are no part of them.
func formatList(list []string) string {
	var parts []string
	for _, text := range list {
		parts = append(parts, oneLine(strings.ReplaceAll(text, "|", " ")))
	}
	return strings.Join(parts, " | ")
}

// oneLine returns a text without line ends, for a field is one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
