package view

import "qipu/board"

// Games are the kinds of game that the program knows.
type Games struct {
	Games []Game `json:"games" doc:"Every kind of game on every board that is usual or that the library has games of"`
}

// OpeningRule is a rule by which two players share out the first moves and the colours.
type OpeningRule struct {
	Name   string      `json:"name" doc:"What to send as rule of a new game" example:"soosorv-8"`
	Titles board.Names `json:"titles" doc:"What it is called"`
	Howto  board.Names `json:"howto" doc:"How it goes"`
}

// Game is a kind of game on one board.
type Game struct {
	Spec         string            `json:"spec" doc:"What to send as the parameter game" example:"weiqi:9x9"`
	Family       string            `json:"family" doc:"The game without its variant" example:"weiqi"`
	Titles       board.Names       `json:"titles" doc:"The name of the game"`
	Variant      string            `json:"variant" doc:"What distinguishes it from the plain game; empty for that" example:"9x9"`
	Usual        bool              `json:"usual" doc:"The board that the game is usually played on"`
	Aliases      []string          `json:"aliases" doc:"Other words that mean the game"`
	Sides        []Side            `json:"sides" doc:"The first mover first"`
	Notations    []Notation        `json:"notations" doc:"Ways to write moves; the first is the usual one"`
	Variants     []Variant         `json:"variants" doc:"Words that may stand behind the colon of a spec"`
	Levels       []Level           `json:"levels" doc:"How strong the computer can be, the weakest first: fixed work for a move"`
	Choices      []Choice          `json:"choices" doc:"What can be chosen before somebody plays it, such as the board and the rules"`
	OpeningRules []OpeningRule     `json:"openingRules" doc:"Rules by which the first moves and the colours can be shared out, the usual one first"`
	Moving       bool              `json:"moving" doc:"Pieces move from point to point; otherwise they are placed"`
	Geometry     board.Geometry    `json:"geometry" doc:"Everything that drawing the board needs"`
	Glyphs       map[string]string `json:"glyphs" doc:"Outlines of the characters on pieces and board, as SVG path data in units of a thousandth of the line height, y downwards from the baseline; the middle is at 500,-360"`
	Start        []int             `json:"start" doc:"The pieces of the start position"`
	Texts        []string          `json:"texts,omitempty" doc:"What is written on each point of the start position; absent where pieces stand on points"`
	Turns        []string          `json:"turns" doc:"The pictures of a position that keep the rules, as symmetries are named"`
	Records      int               `json:"records" doc:"How many games of it the library has"`
	Formats      []string          `json:"formats" doc:"Formats that can write it"`
	Lab          bool              `json:"lab" doc:"Methods of search can be run on its positions: something judges them as they stand"`
	Howto        board.Names       `json:"howto" doc:"The rules in a few sentences; empty where the game tells none"`
	Tools        []string          `json:"tools" doc:"What there is beyond what all games have: judge (life and death), shapes (names and hints by shapes of stones), learn (openings taught with values), xot (games from balanced random starts), names (a catalogue of mates and structures), endings (tables of endings can be made)"`
}

// Level is a strength of the computer.
type Level struct {
	Number int     `json:"number" doc:"From 1; each does more work than the one before" example:"3"`
	Rating *Rating `json:"rating,omitempty" doc:"How strong it is, where a ladder of matches has measured it"`
}

// Rating is what a ladder says of a level.
type Rating struct {
	Elo    int     `json:"elo" doc:"Above one who makes any move" example:"1350"`
	Margin int     `json:"margin" doc:"Half of the interval that has the true value in 95 of 100 ladders" example:"60"`
	Share  float64 `json:"share,omitempty" doc:"Of the points, against the level below" example:"0.78"`
}

// Side is one of the two sides of a game.
type Side struct {
	Name   string      `json:"name" example:"black" doc:"What queries call it"`
	Titles board.Names `json:"titles"`
}

// Notation is a way to write moves.
type Notation struct {
	Name    string `json:"name" doc:"What parameters call it"`
	Summary string `json:"summary" doc:"What it looks like"`
}

// Variant is a word that changes the board or the rules of a game.
type Variant struct {
	Name    string `json:"name" doc:"What a spec has behind the colon" example:"10x10"`
	Summary string `json:"summary" doc:"What it means"`
}

// Choice is a question before a game.
type Choice struct {
	Titles board.Names   `json:"titles" doc:"What is asked"`
	Values []ChoiceValue `json:"values" doc:"The answers; the first is what the plain game has"`
}

// ChoiceValue is an answer to it.
type ChoiceValue struct {
	Word   string       `json:"word" doc:"What a spec has for it behind the colon; it may be empty for the first" example:"13x13"`
	Titles *board.Names `json:"titles,omitempty" doc:"Absent where the word says it"`
}

// Position is one moment of a game: what is on the board, and what can be done.
type Position struct {
	Game    string   `json:"game" doc:"The kind of game, as a spec"`
	Line    string   `json:"line" doc:"How it came about, in a form that the parameter line takes: moves from the start, or a position text, or both"`
	Text    string   `json:"text" doc:"The position text, a dialect of FEN"`
	Pieces  []int    `json:"pieces" doc:"What stands on each point: 0 for nothing, else the number of the piece"`
	Texts   []string `json:"texts,omitempty" doc:"What is written on each point, such as how many seeds lie there; absent where pieces stand on points"`
	Turn    int      `json:"turn" doc:"The side to move"`
	Ply     int      `json:"ply" doc:"How many moves the line has"`
	Moves   []Move   `json:"moves" doc:"The moves of the line"`
	Legal   []Move   `json:"legal" doc:"The moves that are possible now"`
	Over    bool     `json:"over" doc:"The game has ended"`
	Outcome string   `json:"outcome" doc:"How it ended, in words; empty while it goes on"`
	Reason  string   `json:"reason,omitempty" doc:"What ended it by the rules, in a word of the game; absent while it goes on" example:"mate"`
	Board   string   `json:"board" doc:"The board in plain letters, as terminals show it"`
	Opening Opening  `json:"opening" doc:"The opening, where the rules of the game know it"`
}

// Move is a move in some position.
type Move struct {
	Text  string `json:"text" doc:"In the notation that was asked for"`
	From  int    `json:"from" doc:"The point it starts from; -1 for one that places a piece, and for a pass"`
	To    int    `json:"to" doc:"The point it ends on; -1 for a pass"`
	Side  int    `json:"side" doc:"Who plays it"`
	Also  *int   `json:"also,omitempty" doc:"Another point by which it may be pointed at: that of the rook of a king that castles; absent for most"`
	Piece int    `json:"piece,omitempty" doc:"The piece that it names, by its number: what is put down, or what the piece that moves becomes; absent where it names none"`

	Forced bool `json:"forced,omitempty" doc:"A pass that nobody chose, since nothing else was possible: such ones are not counted as moves"`
}

// Opening is the name of an opening.
type Opening struct {
	Name  string       `json:"name" doc:"What it is called"`
	Code  string       `json:"code" doc:"Its number in the books"`
	Games int          `json:"games" doc:"How many games of the answer have it in their headers"`
	Names *board.Names `json:"names,omitempty" doc:"The name by language, where the rules of the game know it"`
}

// Perft counts the lines of a depth.
type Perft struct {
	Depth int         `json:"depth" doc:"Moves of each line"`
	Nodes uint64      `json:"nodes" doc:"Lines in all"`
	Moves []PerftMove `json:"moves" doc:"The count below each move"`
}

// PerftMove is the count of lines behind a move.
type PerftMove struct {
	Move  string `json:"move" doc:"The first move of the lines"`
	Nodes uint64 `json:"nodes" doc:"Lines that begin with it"`
}
