package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qipu/builtin"
)

// mayName lists where the name of a game may stand in a string: packages of one
// game, formats, which are what a file says, and what is for tests or for the
// makers of the program. Each has its reason.
var mayName = map[string]string{
	"game/":                                 "the rules of games",
	"record/":                               "formats of one game, and the ways that four games have in SGF and PGN",
	"opening/ecco/":                         "codes of Xiangqi",
	"pattern/relation/":                     "patterns of the pieces of Xiangqi",
	"engine/reversi/":                       "plays Othello",
	"engine/renju/":                         "plays Renju and Gomoku",
	"book/theory/internal/graph/shipped.go": "values that come with the program are of Othello",
	"protocol/gomocup/gomocup.go":           "rule sets by their numbers",
	"cli/protocols/gomocup.go":              "what a flag is if nobody gives it",
	"protocol/uci/server.go":                "go is a command of UCI",
	"cli/protocols/uci.go":                  "what a flag is if nobody gives it",
	"protocol/nboard/nboard.go":             "go is a command of NBoard",
	"engine/external/nboard.go":             "go is a command of NBoard",
	"engine/external/tricks/":               "for tests",
	"store/storetest/":                      "for tests",
	"internal/":                             "for tests, and the tool go",
	"workshop/":                             "for those who make the program, about Go and Othello",
	"cli/book/book.go":                      "what a flag is if nobody gives it",
	"cli/match/match.go":                    "what a flag is if nobody gives it",
	"cli/knowledge/names.go":                "what a flag is if nobody gives it",
	"cli/knowledge/shapesmatch.go":          "what a flag is if nobody gives it",
	"cli/knowledge/shapesedit.go":           "what a flag is if nobody gives it",
	"cli/study/judge.go":                    "what a flag is if nobody gives it",
	"cli/study/solve.go":                    "what a flag is if nobody gives it",
}

// TestNoGameByName: general code knows no game by its name. It asks the facts of
// a game, or an optional interface that it declares and games fill, so that a
// new game is as good as the others: see docs/adding-a-game.md. Names are the
// identifier and the English title: an alias may be a word of something else.
func TestNoGameByName(t *testing.T) {
	var names []string
	for _, r := range builtin.Games() {
		names = append(names, r.Info().Name, r.Info().Titles.En)
		for _, n := range r.Info().Nicknames {
			names = append(names, n.Name)
		}
	}
	met := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != "../.."):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(lit.Value); err != nil || !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, text) }) {
				return true
			}
			for place := range mayName {
				if strings.HasPrefix(name, place) {
					met[place] = true
					return true
				}
			}
			t.Errorf("%s: %s is the name of a game: ask a fact of its rules, or an interface that they may have", name, lit.Value)
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for place := range mayName {
		if !met[place] {
			t.Errorf("%s names no game: take it off the list", place)
		}
	}
}
