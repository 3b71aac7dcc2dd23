package view

import "qipu/board"

// BookEntry is what the book knows of a position.
type BookEntry struct {
	Position  Position   `json:"position"`
	Unit      string     `json:"unit" enum:"discs,share" doc:"What values are counted in, for a game the same everywhere: the lead in discs in Othello, in all others the share of a win from 0 to 1"`
	Known     bool       `json:"known" doc:"The book has the position"`
	Of        string     `json:"of" enum:"records,here" doc:"Which games are counted: records that were read, or games that were played in this program, by guests and by its levels"`
	Games     int        `json:"games" doc:"That reached it"`
	Score     Score      `json:"score" doc:"Of these games"`
	Below     int        `json:"below" doc:"How many positions of the book lie below it"`
	Threshold int        `json:"threshold" doc:"How many games a move needs for its results to count"`
	Values    BookValues `json:"values" doc:"For the side to move"`
	Grade     string     `json:"grade" doc:"How far to trust the engine's value: A to F, empty without one"`
	Lines     []int      `json:"lines" doc:"By side: how many lines one has to know by heart from here"`
	Moves     []BookMove `json:"moves" doc:"Those with a value first, by what a person says, else X, else E; then by games"`
	Opening   Opening    `json:"opening" doc:"The deepest named opening on the way"`
	Apart     BookApart  `json:"apart" doc:"The games that are not counted: those played here beside records, records beside those"`
}

// BookApart are games at a position that are told apart from those that count.
type BookApart struct {
	Games int   `json:"games" doc:"That reached it"`
	Score Score `json:"score" doc:"Of these games"`
}

// BookValues are the three values of a position. They are never mixed.
type BookValues struct {
	R      *float64 `json:"r,omitempty" doc:"How it went for people: from results of games, by minimax over moves with enough of them; of moves drawn towards the mean of the position by a hundred games"`
	E      *float64 `json:"e,omitempty" doc:"From an engine's search, by minimax"`
	ELevel int      `json:"eLevel" doc:"Of the search that decided"`
	ELow   *float64 `json:"eLow,omitempty" doc:"What is known of it at least"`
	EHigh  *float64 `json:"eHigh,omitempty" doc:"And at most"`
	X      *float64 `json:"x,omitempty" doc:"Exact: read to the end of the game"`
	Human  *float64 `json:"human,omitempty" doc:"What a person set, which outranks E"`
	Note   string   `json:"note" doc:"What the person said"`
	By     string   `json:"by,omitempty" doc:"The engine of E, where it is not that of the program"`
	Apart  bool     `json:"apart" doc:"Results and search disagree by more than six discs: worth a look"`
}

// BookMove is a move of a book.
type BookMove struct {
	Move    Move         `json:"move"`
	Games   int          `json:"games" doc:"In which it was played here"`
	Apart   int          `json:"apart" doc:"Games in which it was played here that are not counted: see apart of the position"`
	Reached int          `json:"reached" doc:"Games that reach the position behind it by any order of moves"`
	Share   float64      `json:"share" doc:"Of the games here that played it"`
	Score   Score        `json:"score" doc:"Of the games that played it here"`
	Values  BookValues   `json:"values" doc:"For the side that makes the move"`
	Loss    *float64     `json:"loss,omitempty" doc:"What it gives away against the best move, by the value that decides: a person's, else X, else E; results make none"`
	Opening string       `json:"opening" doc:"The name of the opening that the move makes; empty where it makes none"`
	Names   *board.Names `json:"names,omitempty" doc:"The same by language"`
}

// BookChoice is a move that the book would play.
type BookChoice struct {
	Found bool    `json:"found" doc:"The book has a move"`
	Move  Move    `json:"move"`
	Loss  float64 `json:"loss" doc:"What it gives away against the best move"`
	Why   string  `json:"why" enum:"human,exact,engine,results," doc:"Which value decided"`
}

// BookEdit is what a person says of a position.
type BookEdit struct {
	Game  string   `json:"game" doc:"The kind of game, as a spec"`
	Line  string   `json:"line" maxLength:"65536" doc:"The position"`
	Value *float64 `json:"value,omitempty" doc:"For the side to move; absent to take it back"`
	Note  string   `json:"note,omitempty" maxLength:"2000" doc:"Why"`
}

// BookInfo describes the book of a game.
type BookInfo struct {
	Game      string `json:"game" doc:"The kind of game, as a spec"`
	Games     int    `json:"games" doc:"Records that are folded into it"`
	Here      int    `json:"here" doc:"Games that were played in this program, and are counted apart"`
	Positions int    `json:"positions" doc:"That it has statistics of"`
	Moves     int    `json:"moves" doc:"From all of them"`
	Bytes     int64  `json:"bytes" doc:"Of the statistics on disk"`
	Told      int    `json:"told" doc:"Positions whose exact value records tell"`
	Valued    int    `json:"valued" doc:"Positions with a value of an engine or a person"`
	Searched  int    `json:"searched" doc:"Positions with an engine's value"`
	Solved    int    `json:"solved" doc:"Positions with an exact value, those that records tell among them"`
	Edited    int    `json:"edited" doc:"Positions with a person's value"`
	Shipped   int    `json:"shipped" doc:"Valued positions that came with the program"`
	Links     int    `json:"links" doc:"Moves from one valued position to another"`
	Stale     int    `json:"stale" doc:"Valued positions of which the next best move is not known"`

	Levels []BookLevel `json:"levels" doc:"How deep positions were searched, the shallowest first"`
}

// BookLevel counts the positions that were searched to one depth.
type BookLevel struct {
	Level     int `json:"level" doc:"Of the search, in plies; 100 where it was exact"`
	Positions int `json:"positions" doc:"How many there are"`
}

// BookLearning is how far the librarian of a book is, who values its positions in the background.
type BookLearning struct {
	Game     string  `json:"game" doc:"The kind of game, as a spec"`
	Phase    string  `json:"phase" enum:"idle,surveying,learning,waiting,paused,done" doc:"What it does: waiting is for somebody else's search"`
	Whole    bool    `json:"whole" doc:"The net looks at whole games: games are what is counted, and not positions"`
	Total    int     `json:"total" doc:"Positions with enough games"`
	Valued   int     `json:"valued" doc:"Of these, those that are as sure as they shall be"`
	Searched int     `json:"searched" doc:"Since it began"`
	Errors   int     `json:"errors" doc:"Searches that failed"`
	Teacher  string  `json:"teacher" doc:"The engine that searches; empty for that of the program"`
	Level    int     `json:"level" doc:"How deep, in plies"`
	Games    int     `json:"games" doc:"How many games a position needs"`
	Rate     float64 `json:"rate" doc:"Searches a minute"`
	Seconds  int     `json:"seconds" doc:"How long it will take; 0 where nobody can tell"`
	Problem  string  `json:"problem" doc:"What ended it; empty for nothing"`
}

// BookLearner tells the librarian what to do.
type BookLearner struct {
	Game   string `json:"game" doc:"The kind of game, as a spec"`
	Do     string `json:"do" enum:"start,pause,stop" doc:"To start is also to go on; what was found stays in any case"`
	Engine string `json:"engine,omitempty" maxLength:"40" doc:"Another program that searches, by the name that engines lists; empty for the engine of this server, if its error is known"`
	Level  int    `json:"level,omitempty" minimum:"0" maximum:"40" doc:"How deep to search, in plies; 0 for the usual 18"`
	Games  int    `json:"games,omitempty" minimum:"0" maximum:"1000000" doc:"How many games a position needs; 0 for the usual 10"`
}

// Openings are the named openings of a game.
type Openings struct {
	Openings []NamedOpening `json:"openings" doc:"Shorter lines first"`
}

// NamedOpening is an opening with what the book knows of it.
type NamedOpening struct {
	ID     string      `json:"id" doc:"Its line, which names it in addresses" example:"f5d6c3d3c4"`
	Names  board.Names `json:"names"`
	Line   string      `json:"line" doc:"Its moves"`
	Ply    int         `json:"ply" doc:"How many they are"`
	Parent string      `json:"parent" doc:"The opening that it goes on from; empty for none"`
	Games  int         `json:"games" doc:"That reached its position"`
	Score  Score       `json:"score" doc:"Of these games"`
	Values BookValues  `json:"values" doc:"Of its position, for the side to move"`
}
