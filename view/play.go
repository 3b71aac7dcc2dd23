package view

// Sessions are games that are being played.
type Sessions struct {
	Sessions []SessionRow `json:"sessions" doc:"The one that changed last first"`
}

// SessionRow is a game in a list of those that are being played.
type SessionRow struct {
	ID      string `json:"id" doc:"Names it in addresses"`
	Game    string `json:"game" doc:"The kind of game, as a spec"`
	Line    string `json:"line" doc:"The moves so far, in a form that the parameter line takes"`
	Ply     int    `json:"ply" doc:"How many moves were made"`
	Level   int    `json:"level" doc:"Of the engine"`
	Side    int    `json:"side" doc:"The person's side; -1 where people play both"`
	Over    bool   `json:"over" doc:"The game has ended"`
	Changed string `json:"changed" doc:"When the last move was made"`
}

// NewSession asks for a game.
type NewSession struct {
	Game     string `json:"game" doc:"The kind of game, as a spec" example:"othello"`
	Side     string `json:"side,omitempty" enum:"first,second,random,both" default:"first" doc:"The side that the person plays; both where two people play"`
	Level    int    `json:"level,omitempty" minimum:"1" maximum:"20" default:"5" doc:"How strong the engine is"`
	Line     string `json:"line,omitempty" maxLength:"65536" doc:"Where it begins: moves from the start, a position text, or both"`
	Opening  string `json:"opening,omitempty" maxLength:"200" doc:"Begin behind this named opening; random for any, xot for a random start of eight moves"`
	Style    string `json:"style,omitempty" enum:"best,human" default:"best" doc:"What the engine plays from the book: what is best, or what people play as often as they do"`
	NoBook   bool   `json:"noBook,omitempty" doc:"The engine thinks for itself from the first move on"`
	Minutes  int    `json:"minutes,omitempty" minimum:"0" maximum:"600" doc:"A clock for both sides; 0 for none"`
	Seconds  int    `json:"seconds,omitempty" minimum:"0" maximum:"600" doc:"Gained with every move"`
	Name     string `json:"name,omitempty" maxLength:"100" doc:"The person's name in the record"`
	Opponent string `json:"opponent,omitempty" maxLength:"100" doc:"The other person's, where both sides are people"`
	Seed     uint64 `json:"seed,omitempty" doc:"Makes the engine's choices repeatable; 0 for chance"`
}

// Session is a game that is being played.
type Session struct {
	ID       string        `json:"id" doc:"Names it in addresses"`
	Position Position      `json:"position" doc:"With the moves that are possible where it is a person's turn, and none otherwise"`
	Version  int           `json:"version" doc:"Rises with every change"`
	Players  []SessionSide `json:"players" doc:"By side"`
	State    string        `json:"state" enum:"yours,thinking,over" doc:"Whose turn it is; yours is that of any person"`
	Passed   int           `json:"passed" doc:"The side that just had to pass; -1 where none had"`
	Undo     bool          `json:"undo" doc:"A move can be taken back"`
	Clock    *SessionClock `json:"clock,omitempty" doc:"Where there is one"`
	Opening  Opening       `json:"opening" doc:"The deepest named opening of the line"`
	Note     string        `json:"note" doc:"Where the engine's last move is from: book, or empty"`
	Trouble  string        `json:"trouble" doc:"Why the engine does not move; empty where all is well"`
	Result   *GameResult   `json:"result,omitempty" doc:"Once the game is over"`
}

// SessionSide is who plays a side.
type SessionSide struct {
	Name  string `json:"name" doc:"As the record has it"`
	Level int    `json:"level" doc:"Of the engine; 0 for a person"`
	Count int    `json:"count" doc:"Pieces on the board"`
}

// SessionClock is the time that is left.
type SessionClock struct {
	Left    []int `json:"left" doc:"Milliseconds by side"`
	Running int   `json:"running" doc:"The side whose time runs; -1 for none"`
}

// GameResult is how a game that was played has ended.
type GameResult struct {
	Winner int    `json:"winner" doc:"The side; -1 for none"`
	Text   string `json:"text" doc:"As records have it" example:"W+12"`
	Reason string `json:"reason" enum:"board,resigned,time" doc:"What ended it"`
	Score  []int  `json:"score" doc:"What each side has on the board; empty where games are not counted"`
	Record int    `json:"record" doc:"The number of the record in the library; 0 where it was not kept"`
	Known  bool   `json:"known" doc:"The library had a game of the same moves before"`
	Fresh  int    `json:"fresh" doc:"How many positions of it are new in the book"`
}

// PlayMove is a move in a game that is being played.
type PlayMove struct {
	Move    string `json:"move" maxLength:"40" doc:"In any notation of the game; pass where one must" example:"f5"`
	Version int    `json:"version,omitempty" doc:"That of the session which the move is meant for; 0 for any"`
}

// Review is what an engine thinks of a game, move by move.
type Review struct {
	Game   string       `json:"game" doc:"The kind of game, as a spec"`
	Unit   string       `json:"unit" enum:"discs,share" doc:"What values are counted in, for a game the same everywhere: the lead in discs in Othello, in all others the share of a win from 0 to 1"`
	Moves  []ReviewMove `json:"moves" doc:"Of the line, in its order"`
	Losses []float64    `json:"losses" doc:"By side: what was lost in all"`
	Done   bool         `json:"done" doc:"It has ended, with all moves or with as many as there was time for; otherwise it goes on"`
}

// ReviewMove is a move, and what would have been better.
type ReviewMove struct {
	Ply   int     `json:"ply" doc:"From 1"`
	Move  Move    `json:"move" doc:"That was played"`
	Value float64 `json:"value" doc:"Of the position behind it, for the first side"`
	Loss  float64 `json:"loss" doc:"What it gave away, for the side that made it"`
	Exact bool    `json:"exact" doc:"Both values are solved"`
	Best  []Move  `json:"best" doc:"The best line instead, where it is another"`
	Mark  string  `json:"mark" enum:",inaccuracy,mistake,blunder" doc:"How bad it is"`
}

// Values are what the moves of a position are worth.
type Values struct {
	Unit        string      `json:"unit" enum:"discs,share" doc:"What values are counted in, for a game the same everywhere: the lead in discs in Othello, in all others the share of a win from 0 to 1"`
	Depth       int         `json:"depth" doc:"Plies that were read"`
	Selectivity int         `json:"selectivity,omitempty" doc:"How sure the reading is, in per cent; absent where the engine cannot tell"`
	Exact       bool        `json:"exact" doc:"The best move is solved"`
	Nodes       int64       `json:"nodes" doc:"Positions that were looked at"`
	Moves       []MoveValue `json:"moves" doc:"The best first"`
}

// MoveValue is what a move is worth.
type MoveValue struct {
	Move  Move    `json:"move"`
	Value float64 `json:"value" doc:"For the side that makes it"`
	Exact bool    `json:"exact" doc:"The game was read to its end"`
	Line  []Move  `json:"line" doc:"What both sides do best then, the move first"`
}
