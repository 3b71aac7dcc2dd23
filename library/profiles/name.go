package profiles

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"qipu/text"
)

// Bounds of names: nobody is called by more, and lists have to show them.
const (
	maxName  = 60 // characters
	maxBytes = 400
	maxMarks = 3 // accents on one letter
)

// NameError tells why a text is no name.
type NameError struct{ Why string }

func (e *NameError) Error() string { return "profiles: " + e.Why }

// Reason returns it for people.
func (e *NameError) Reason() string { return e.Why }

// Name returns a name as it is kept, and in the form in which names are compared. What
// cannot be seen, turns the text around it or looks like something else than a name is
// refused.
func Name(given string) (name, fold string, err error) {
	bad := func(format string, args ...any) (string, string, error) {
		return "", "", &NameError{fmt.Sprintf(format, args...)}
	}
	if len(given) > maxBytes { // before anything is done with it
		return bad("a name has at most %d characters", maxName)
	}
	if !utf8.ValidString(given) {
		return bad("the name is no text")
	}
	name = strings.Join(strings.Fields(norm.NFC.String(given)), " ")
	marks := 0
	for _, r := range name {
		switch {
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) || !unicode.IsPrint(r):
			return bad("the name has a character that cannot be seen (%U): leave it out", r)
		case unicode.Is(unicode.M, r):
			if marks++; marks > maxMarks {
				return bad("the name has more than %d marks on one letter", maxMarks)
			}
		default:
			marks = 0
		}
	}
	if utf8.RuneCountInString(name) > maxName {
		return bad("a name has at most %d characters", maxName)
	}
	if fold = text.Fold(name); fold == "" || !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return bad("a name has at least one letter")
	}
	return name, fold, nil
}

// hidden reports characters that cannot be seen, or turn the text around them.
func hidden(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) }
