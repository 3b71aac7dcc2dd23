package obf

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"qipu/record/discs"
)

// position is what one line says.
type position struct {
	name    string
	squares string // 64 of X, O and -
	turn    byte   // X or O
	stated  bool   // the line says who is to move
	scores  string // "A2:+38; C7:+36"
	comment string
}

// parseLine reads a line that is no comment.
func parseLine(text string) (position, error) {
	var p position
	if body, comment, ok := strings.Cut(text, "%"); ok {
		text, p.comment = body, strings.TrimSpace(comment)
	}
	from, to := findSquares(text)
	if to == 0 {
		return p, errors.New("no position: a line must have 64 squares of X, O and -")
	}
	p.name = strings.Trim(text[:from], " \t;,:")
	p.squares = plainSquares.Replace(text[from:to])
	rest := strings.TrimSpace(text[to:])
	side, after := rest, ""
	if i := strings.IndexAny(rest, " \t;,"); i >= 0 {
		side, after = rest[:i], rest[i:]
	}
	if p.turn, p.stated = discs.Turn(side); !p.stated && side != "" {
		return p, fmt.Errorf("%q does not say who is to move", discs.Clip(side))
	}
	p.scores = parseScores(strings.Trim(after, " \t;,"), p.turn)
	return p, nil
}

// findSquares finds the field of 64 squares.
func findSquares(text string) (from, to int) {
	run := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && strings.IndexByte("XxOo*-.", text[i]) >= 0 {
			run++
			continue
		}
		if run == 64 && (i == len(text) || strings.IndexByte(" \t;,", text[i]) >= 0) &&
			(i == 64 || strings.IndexByte(" \t;,:", text[i-65]) >= 0) {
			return i - 64, i
		}
		run = 0
	}
	return 0, 0
}

var plainSquares = strings.NewReplacer("x", "X", "*", "X", "o", "O", ".", "-")

// parseScores returns the scores as "A2:+38; C7:+36" in the view of the side to
// move, whatever their layout. What it does not understand it leaves as it is.
func parseScores(text string, turn byte) string {
	fields := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\t' || c == ';' || c == ',' })
	if len(fields) == 2 && !strings.Contains(text, ":") {
		if pair, ok := singleScore(fields[0], fields[1], turn); ok {
			return pair
		}
	}
	var list []string
	for _, pair := range strings.FieldsFunc(text, func(c rune) bool { return c == ';' || c == ',' }) {
		if pair = strings.Join(strings.Fields(pair), " "); pair != "" {
			list = append(list, pair)
		}
	}
	return strings.Join(list, "; ")
}

// singleScore reads the one move of a line and its score.
func singleScore(move, value string, turn byte) (string, bool) {
	move = strings.ToUpper(move)
	score, err := strconv.Atoi(value)
	if err != nil {
		return "", false
	}
	if n, err := strconv.Atoi(move); err == nil && n >= 0 && n < 64 {
		move = string([]byte{'A' + byte(n%8), '1' + byte(n/8)})
		// Files that number the squares give the score as Black sees it.
		if turn == 'O' {
			score = -score
		}
	}
	if discs.Index(strings.ToLower(move)) < 0 {
		return "", false
	}
	return fmt.Sprintf("%s:%+d", move, score), true
}

// cutComment returns the text of a comment line, and whether it is one.
func cutComment(text string) (string, bool) { return discs.CutComment(text, "%%", "%", "#") }
