package kb

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Evidence is what records say of an entry. It is kept beside the shapes, in a
// file of its own that programs write and people read.
type Evidence struct {
	ID    string
	Print uint32 // of the entry when it was counted: Fingerprint

	// Seen counts occurrences: a shape occurs once from when it comes to stand
	// somewhere, in any picture, until it no longer does. Ours and Theirs count
	// those of them that ended with own, or the enemy, on a good point of theirs.
	Seen, Ours, Theirs int

	Examples []Example
}

// Example is a moment of a record, by reference.
type Example struct {
	File  string // of the record, with slashes, as its source names it
	Ply   int    // moves played before the good point
	Title string // players and date
}

// Rate returns the share of occurrences in which a side played its good point:
// own, or the enemy where only that has some.
func (v *Evidence) Rate(e *Entry) float64 {
	played := v.Ours
	if len(e.Ours) == 0 {
		played = v.Theirs
	}
	return float64(played) / float64(max(v.Seen, 1))
}

// Fingerprint returns a number that changes with what an entry matches and
// where its good points lie, and with nothing else.
func (e *Entry) Fingerprint() uint32 {
	h := fnv.New32a()
	fmt.Fprint(h, e.Size, e.Cells, e.Ours, e.Theirs, e.Place)
	return h.Sum32()
}

// evidenceHead begins a file of evidence.
const evidenceHead = "id\tprint\tseen\tours\ttheirs\texamples\n"

// FormatEvidence returns a file of evidence, which ParseEvidence reads: one line
// an entry, examples as file#ply (title) parted by bars.
func FormatEvidence(list []Evidence) []byte {
	out := []byte(evidenceHead)
	for i := range list {
		v := &list[i]
		out = fmt.Appendf(out, "%s\t%08x\t%d\t%d\t%d\t", v.ID, v.Print, v.Seen, v.Ours, v.Theirs)
		for j, x := range v.Examples {
			if j > 0 {
				out = append(out, '|')
			}
			out = fmt.Appendf(out, "%s#%d", clean(x.File), x.Ply)
			if x.Title != "" {
				out = fmt.Appendf(out, " (%s)", clean(x.Title))
			}
		}
		out = append(out, '\n')
	}
	return out
}

// clean returns a text without the characters that part fields.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\t', '\n', '\r', '|':
			return ' '
		}
		return r
	}, text)
}

// ParseEvidence reads a file of evidence. What cannot be read is a fault and left
// out.
func ParseEvidence(name string, data []byte) (list []Evidence, faults []*Error) {
	scan := bufio.NewScanner(bytes.NewReader(data))
	scan.Buffer(nil, 1<<20)
	for line := 1; scan.Scan(); line++ {
		text := scan.Text()
		if line == 1 && text+"\n" == evidenceHead || text == "" {
			continue
		}
		v, err := parseEvidence(text)
		if err != nil {
			faults = append(faults, &Error{name, line, err.Error()})
			continue
		}
		list = append(list, v)
	}
	if err := scan.Err(); err != nil {
		faults = append(faults, &Error{name, 0, err.Error()})
	}
	return list, faults
}

func parseEvidence(text string) (v Evidence, err error) {
	parts := strings.Split(text, "\t")
	if len(parts) != 6 {
		return v, fmt.Errorf("%d fields: write id, print, seen, ours, theirs and examples, parted by tabs", len(parts))
	}
	v.ID = parts[0]
	print, err := strconv.ParseUint(parts[1], 16, 32)
	if err != nil {
		return v, fmt.Errorf("%q is no print: eight hexadecimal digits", parts[1])
	}
	v.Print = uint32(print)
	for i, to := range []*int{&v.Seen, &v.Ours, &v.Theirs} {
		if *to, err = strconv.Atoi(parts[2+i]); err != nil || *to < 0 {
			return v, fmt.Errorf("%q is no count", parts[2+i])
		}
	}
	for part := range strings.SplitSeq(parts[5], "|") {
		if part == "" {
			continue
		}
		x, ok := parseExample(part)
		if !ok {
			return v, fmt.Errorf("%q is no example: write file#ply", part)
		}
		v.Examples = append(v.Examples, x)
	}
	return v, nil
}

// parseExample reads file#ply or file#ply (title). Names of files may have
// number signs and parentheses too: the first number that ends the text, or has a
// title behind it, is the ply.
func parseExample(text string) (x Example, ok bool) {
	for i := range len(text) {
		if text[i] != '#' {
			continue
		}
		number, title, titled := strings.Cut(text[i+1:], " (")
		ply, err := strconv.Atoi(number)
		if err != nil || ply < 0 || titled && !strings.HasSuffix(title, ")") {
			continue
		}
		return Example{File: text[:i], Ply: ply, Title: strings.TrimSuffix(title, ")")}, true
	}
	return Example{}, false
}
