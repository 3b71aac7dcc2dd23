package sgf

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"qipu/record"
)

// issue is something wrong with the text of a game. Each sort is reported once
// a game, at its first place, with how often it occurs.
type issue uint8

const (
	issueJunk issue = iota
	issueNoSemicolon
	issueRootMove
	issueTwoMoves
	issueSameMove
	issueSetupMove
	issueOverlap
	issueCommas
	issueBlanks
	issuePlayer
	issueTwice
	issueLower
	issueUnclosed
	issueCut
	issueExtra
	issueEarly
	issueEmptyVariation
	issueBracket
	issueLate
	issueCount
)

var issueTexts = [issueCount]struct {
	severity record.Severity
	kind     string
	text     string // %s is what was found
}{
	issueJunk:           {record.Note, record.KindSyntax, "text between the properties is left out: %s"},
	issueNoSemicolon:    {record.Note, record.KindSyntax, "a node has no semicolon"},
	issueRootMove:       {record.Note, record.KindSyntax, "the first move stands in the root node"},
	issueTwoMoves:       {record.Marked, record.KindSyntax, "two moves in one node: %s is read as the next move"},
	issueSameMove:       {record.Marked, record.KindSyntax, "two moves of one colour in one node: %s is kept as a property"},
	issueSetupMove:      {record.Marked, record.KindSyntax, "set-up and a move in one node: the set-up comes first"},
	issueOverlap:        {record.Marked, record.KindSetup, "%s is set up twice in one node"},
	issueCommas:         {record.Note, record.KindSyntax, "points with commas between them: %s"},
	issueBlanks:         {record.Note, record.KindSyntax, "blanks in a move: %s"},
	issuePlayer:         {record.Marked, record.KindHeader, "PL names no side: %s"},
	issueTwice:          {record.Note, record.KindSyntax, "%s has two values in one node"},
	issueLower:          {record.Note, record.KindSyntax, "a property in small letters: %s"},
	issueUnclosed:       {record.Note, record.KindSyntax, "the tree is not closed"},
	issueCut:            {record.Marked, record.KindSyntax, "the record ends within a value"},
	issueExtra:          {record.Note, record.KindSyntax, "a closing parenthesis too many"},
	issueEarly:          {record.Marked, record.KindSyntax, "the tree is closed before its end: what follows is read as its continuation"},
	issueEmptyVariation: {record.Note, record.KindSyntax, "a variation without nodes is left out"},
	issueLate:           {record.Note, record.KindSyntax, "a node behind variations is read as one more variation"},
	issueBracket:        {record.Note, record.KindSyntax, "a bracket inside a value is not escaped: %s"},
}

type issues [issueCount]struct {
	count int
	at    int
	found string
}

// add counts an issue at an offset of the text.
func (l *issues) add(i issue, at int, found string) {
	if l[i].count == 0 {
		l[i].at, l[i].found = at, found
	}
	l[i].count++
}

// report turns the issues into faults of the game.
func (l *issues) report(g *record.Game, text string) {
	for i := range l {
		found := &l[i]
		if found.count == 0 {
			continue
		}
		t := &issueTexts[i]
		reason := t.text
		if strings.Contains(reason, "%s") {
			reason = fmt.Sprintf(reason, short(found.found))
		}
		if found.count > 1 {
			reason += fmt.Sprintf(" (%d times)", found.count)
		}
		g.Fault(t.severity, t.kind, 0, "%s", reason)
		place := &g.Faults[len(g.Faults)-1].Place
		at := min(found.at, len(text))
		if g.Raw != nil && len(g.Raw) == len(text) {
			place.Offset += int64(at)
		}
		if lines := strings.Count(text[:at], "\n"); lines > 0 {
			place.Line += lines
		} else {
			place.Line += strings.Count(text[:at], "\r")
		}
	}
}

// short returns a text for a message: quoted, and not too long.
func short(text string) string {
	const limit = 40
	if len(text) > limit {
		cut := limit
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		return fmt.Sprintf("%q...", text[:cut])
	}
	return fmt.Sprintf("%q", text)
}
