package xqf

import (
	"slices"
	"strings"

	"qipu/record"
)

// entry is a line at the end of a comment that holds what the format has no
// other place for: a header,
//
//	[Event "the full name"]
//
// or a property of the node, which may have any number of values:
//
//	[%MN "7"]
type entry struct {
	name   string
	values []string
}

// maxLines is how many such lines a file may have. Further ones stay with the
// comments: a file of nothing else would take ten times its size in memory.
const maxLines = 200_000

// propMark begins the name of an entry that is a property.
const propMark = "%"

// isProp reports whether an entry is a property, not a header.
func (e entry) isProp() bool { return strings.HasPrefix(e.name, propMark) }

func tagEntry(t record.Tag) entry { return entry{t.Name, []string{t.Value}} }

func propEntry(p record.Prop) entry { return entry{propMark + p.Name, p.Values} }

var (
	escape   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`)
	unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\r`, "\r")
)

// append appends the line of an entry.
func (e entry) append(dst []byte) []byte {
	dst = append(append(dst, '['), e.name...)
	for _, v := range e.values {
		dst = append(append(append(dst, ` "`...), escape.Replace(v)...), '"')
	}
	return append(dst, ']')
}

// valid reports whether an entry can be written and read back.
func (e entry) valid() bool {
	name := strings.TrimPrefix(e.name, propMark)
	return name != "" && !strings.ContainsAny(name, " \t\r\n\"[]\x00"+propMark) && (e.isProp() || len(e.values) == 1)
}

// parseEntry reads a line that entry.append could have written, and no other.
func parseEntry(line string) (e entry, ok bool) {
	if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
		return e, false
	}
	rest := line[1 : len(line)-1]
	e.name, rest, _ = strings.Cut(rest, ` "`)
	for more := len(line) > len(e.name)+2; more; {
		end := 0
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return e, false
		}
		e.values = append(e.values, unescape.Replace(rest[:end]))
		rest, more = strings.CutPrefix(rest[end+1:], ` "`)
	}
	return e, rest == "" && e.valid() && string(e.append(nil)) == line
}

// cutEntries parts a comment from the entries at its end, at most so many. Only
// the root has headers among them.
func cutEntries(comment string, root bool, most int) (text string, entries []entry) {
	for text = comment; len(entries) < most; {
		at := strings.LastIndexByte(text, '\n') + 1
		e, ok := parseEntry(text[at:])
		if !ok || !root && !e.isProp() {
			break
		}
		entries = append(entries, e)
		text = strings.TrimRight(text[:at], "\n\x00")
	}
	slices.Reverse(entries)
	return text, entries
}
