package view

import "qipu/board"

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
	Level    int    `json:"level,omitempty" minimum:"1" maximum:"20" default:"5" doc:"How strong the engine is: one of the levels of the game; 12 stands for all above, which there once were"`
	Engine   string `json:"engine,omitempty" maxLength:"40" doc:"Another program as the opponent, by the name that engines lists; it knows no levels"`
	Line     string `json:"line,omitempty" maxLength:"65536" doc:"Where it begins: moves from the start, a position text, or both"`
	Opening  string `json:"opening,omitempty" maxLength:"200" doc:"Begin behind this named opening; random for any, xot for a random start of eight moves"`
	Rule     string `json:"rule,omitempty" maxLength:"40" doc:"The opening rule by which the players share out the first moves and the colours: one of openingRules of the game; empty for none. The person's side is then the one that begins with" example:"soosorv-8"`
	Style    string `json:"style,omitempty" enum:"best,human" default:"best" doc:"What the engine plays from the book: what is best, or what people play as often as they do"`
	NoBook   bool   `json:"noBook,omitempty" doc:"The engine thinks for itself from the first move on"`
	Minutes  int    `json:"minutes,omitempty" minimum:"0" maximum:"600" doc:"A clock for both sides; 0 for none"`
	Seconds  int    `json:"seconds,omitempty" minimum:"0" maximum:"600" doc:"Gained with every move"`
	Periods  int    `json:"periods,omitempty" minimum:"0" maximum:"100" doc:"Periods of byo-yomi behind the minutes: one that a move does not use up begins anew"`
	Period   int    `json:"period,omitempty" minimum:"0" maximum:"600" doc:"How many seconds each has"`
	Invite   bool   `json:"invite,omitempty" doc:"The other side is a person at a screen of their own, who comes by invitation"`
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
	State    string        `json:"state" enum:"yours,thinking,settling,over" doc:"Whose turn it is; yours is that of any person, and settling where both sides have passed and what is dead is to be agreed upon"`
	Passed   int           `json:"passed" doc:"The side that just had to pass; -1 where none had"`
	Undo     bool          `json:"undo" doc:"A move can be taken back"`
	Clock    *SessionClock `json:"clock,omitempty" doc:"Where there is one"`
	Opening  Opening       `json:"opening" doc:"The deepest named opening of the line"`
	Sharing  *Sharing      `json:"sharing,omitempty" doc:"How the opening stands, where a rule shares the first moves out"`
	Note     string        `json:"note" doc:"Where the engine's last move is from: book, or empty"`
	Trouble  string        `json:"trouble" doc:"Why the engine does not move; empty where all is well"`
	Count    *Settlement   `json:"count,omitempty" doc:"While the game is settling: how it counts as it is marked now"`
	Result   *GameResult   `json:"result,omitempty" doc:"Once the game is over"`
	Seats    *SessionSeats `json:"seats,omitempty" doc:"Where two people play at screens of their own"`
}

// SessionSeats are those of a game that two people play at screens of their own: who sits on one moves for its side, and everybody else watches.
type SessionSeats struct {
	Taken []bool `json:"taken" doc:"By side: somebody sits there"`
	Known []bool `json:"known" doc:"By side: who sits there has a profile of that name"`
	You   int    `json:"you" doc:"The side of who asks; -1 for who watches, and in events"`
	Key   string `json:"key,omitempty" doc:"Of one's own seat, told when one sits down: it goes with every move as the header Qipu-Seat"`
	Draws bool   `json:"draws" doc:"A draw can be offered in this game"`
	Offer string `json:"offer" enum:",draw,undo" doc:"What a side has asked the other for"`
	By    int    `json:"by" doc:"That side; -1 for none"`
	Next  string `json:"next" doc:"The game that follows, once a side has asked for one: colours are swapped"`
}

// Invitation is the way to the free seat of a game.
type Invitation struct {
	Key     string `json:"key" doc:"Of the seat, good for sitting down once; another invitation takes its place"`
	Address string `json:"address" doc:"The page of the game; the key is behind the #, which browsers do not send"`
	QR      string `json:"qr" doc:"The address as a picture to be scanned: an SVG"`
}

// SitDown takes a seat.
type SitDown struct {
	Name string `json:"name,omitempty" maxLength:"400" doc:"What to be called; for who has a profile its name, if it is left out"`
}

// OfferSide asks the other side for something.
type OfferSide struct {
	What string `json:"what" enum:"draw,undo" doc:"Undo is of one's own last move and of what followed; asking for what the other side asks for agrees to it"`
}

// Settlement is a count of a game that ends by agreement about what is dead.
type Settlement struct {
	Text     string         `json:"text" doc:"The result as records have it" example:"B+1.5"`
	Totals   []float64      `json:"totals" doc:"The sum of each side in points, with what the second side is given"`
	Groups   []SettledGroup `json:"groups" doc:"All stones of the board, by what lives or dies together"`
	Land     [][]int        `json:"land" doc:"By side: the points that count for it beside its living stones, those under dead stones of the other among them"`
	Left     []int          `json:"left" doc:"Points that are worth a move, though neither side has made it"`
	Sure     bool           `json:"sure" doc:"Whoever proposes it is sure of it"`
	Doubt    string         `json:"doubt" enum:",early,unclear" doc:"Why not: large parts of the board are open, so that nothing is taken off that is not proved dead; or the fate of some groups is a guess"`
	Proposed bool           `json:"proposed" doc:"The marks are those that the program proposes: its engines agree to these and to no others"`
	Agreed   []bool         `json:"agreed" doc:"Which sides agree to it as it is marked"`
}

// SettledGroup are stones of one side that live or die together.
type SettledGroup struct {
	Side   int    `json:"side" doc:"Whose they are"`
	Points []int  `json:"points" doc:"Row by row"`
	Fate   string `json:"fate" enum:"alive,dead,seki" doc:"What becomes of them"`
	Sure   bool   `json:"sure" doc:"Otherwise the fate is the better guess of two"`
}

// MarkStones says what is dead in a game that is settling.
type MarkStones struct {
	Points  []int `json:"points" minItems:"1" maxItems:"625" doc:"Points; the groups of the stones on them are meant"`
	Dead    bool  `json:"dead" doc:"They are dead; otherwise they are not"`
	Version int   `json:"version,omitempty" doc:"That of the session which it is meant for; 0 for any"`
}

// Sharing is an opening in which two players share out the first moves and the colours.
type Sharing struct {
	Rule    string          `json:"rule" doc:"Its name"`
	Titles  board.Names     `json:"titles" doc:"What it is called"`
	Howto   board.Names     `json:"howto" doc:"How it goes"`
	Swapped bool            `json:"swapped" doc:"The players have the other colours than in the beginning"`
	Said    []SharingAnswer `json:"said" doc:"What was decided, in order; stones are moves of the game"`
	Ask     *SharingAsk     `json:"ask,omitempty" doc:"What is to be decided next; left out once the opening is over"`
}

// SharingAnswer is a decision in such an opening.
type SharingAnswer struct {
	Side  int    `json:"side" doc:"The colour that who decided had then"`
	Word  string `json:"word,omitempty" doc:"swap, stay, more, many or a number; empty for a point"`
	Point int    `json:"point" doc:"That was offered; -1 for a word"`
	Ply   int    `json:"ply" doc:"Moves made before"`
}

// SharingAsk is what is to be decided next in such an opening.
type SharingAsk struct {
	Act     string   `json:"act" enum:"put,offer,take,choose" doc:"Put a stone, offer a point for the next stone, take one of the points that were offered, or choose a word"`
	Side    int      `json:"side" doc:"Who decides: the player of this colour"`
	Words   []string `json:"words" doc:"To choose from: swap (take the other colour), stay (keep the own one), more (put more stones and leave the choice to the other player), many (offer many points instead of swapping), or numbers of points to be offered"`
	Points  []int    `json:"points" doc:"Where a point may be, as numbers of points row by row from 0"`
	Offered []int    `json:"offered" doc:"So far"`
	Left    int      `json:"left" doc:"How many points have to be told in a row"`
}

// AnswerOpening decides what an opening asks for.
type AnswerOpening struct {
	Answer  string `json:"answer" maxLength:"40" doc:"One of the words that are asked for, or a point as moves are written" example:"swap"`
	Version int    `json:"version,omitempty" doc:"That of the session which it is meant for; 0 for any"`
}

// Agree agrees to a count.
type Agree struct {
	Side    string `json:"side,omitempty" enum:"first,second,all" default:"all" doc:"Who agrees; all for all people"`
	Version int    `json:"version,omitempty" doc:"That of the session which it is meant for; 0 for any"`
}

// SessionSide is who plays a side.
type SessionSide struct {
	Name   string `json:"name" doc:"As the record has it"`
	Level  int    `json:"level" doc:"Of the engine; 0 for a person"`
	Engine string `json:"engine,omitempty" doc:"The name of another program that plays, which knows no levels"`
	Count  int    `json:"count" doc:"Pieces on the board"`
}

// SessionClock is the time that is left.
type SessionClock struct {
	Left    []int `json:"left" doc:"Milliseconds by side, with all periods"`
	Periods []int `json:"periods,omitempty" doc:"Periods of byo-yomi that each side had left behind its last move"`
	Period  int   `json:"period,omitempty" doc:"Milliseconds that each has"`
	Running int   `json:"running" doc:"The side whose time runs; -1 for none"`
}

// GameResult is how a game that was played has ended.
type GameResult struct {
	Winner int     `json:"winner" doc:"The side; -1 for none"`
	Text   string  `json:"text" doc:"As records have it" example:"W+12"`
	Reason string  `json:"reason" enum:"board,resigned,time,agreed" doc:"What ended it; agreed is a draw"`
	Score  []int   `json:"score" doc:"What each side has on the board; empty where games are not counted"`
	Dead   []int   `json:"dead,omitempty" doc:"Stones that were taken off before the count, where both sides agreed about it"`
	Land   [][]int `json:"land,omitempty" doc:"By side: the points that counted for it beside its living stones, where both sides agreed about it"`
	Record int     `json:"record" doc:"The number of the record in the library; 0 where it was not kept"`
	Known  bool    `json:"known" doc:"The library had a game of the same moves before"`
	Fresh  int     `json:"fresh" doc:"How many positions of it are new in the book"`
}

// PlayMove is a move in a game that is being played.
type PlayMove struct {
	Move    string `json:"move" maxLength:"40" doc:"In any notation of the game; pass where one must" example:"f5"`
	Version int    `json:"version,omitempty" doc:"That of the session which the move is meant for; 0 for any"`
}

// Review is what an engine thinks of a game, move by move.
type Review struct {
	Game   string       `json:"game" doc:"The kind of game, as a spec"`
	Unit   string       `json:"unit" enum:"discs,points,share" doc:"What values are counted in: the lead in discs in Othello, the lead in points in Go where the engine counts them, else the share of a win from 0 to 1"`
	Moves  []ReviewMove `json:"moves" doc:"Of the line, in its order"`
	Losses []float64    `json:"losses" doc:"By side: what was lost in all"`
	By     Opinion      `json:"by" doc:"Whose opinion it is, and what that is worth"`
	Facts  []ReviewFact `json:"facts" doc:"What the library knows of the moves, as far as other games went the same way"`
	Done   bool         `json:"done" doc:"It has ended, with all moves or with as many as there was time for; otherwise it goes on"`
}

// Opinion tells whose word a review is.
type Opinion struct {
	Engine   string     `json:"engine" doc:"What the engine is called"`
	Version  string     `json:"version" doc:"Of the engine"`
	Counts   bool       `json:"counts" doc:"What it says is shown: its error is known, or it was chosen. Otherwise only what it has proved is"`
	Accuracy []Accuracy `json:"accuracy" doc:"How wrong it is by how deep it reads, the least depth first; empty where nobody has measured it: then no move is called a mistake that is not proved to be one"`
	Measured string     `json:"measured" doc:"How that was measured"`
	Itself   bool       `json:"itself" doc:"That was measured against the engine itself, reading deeper: how wrong both are nobody knows"`
}

// Accuracy is how wrong an engine is about what moves give away.
type Accuracy struct {
	Depth int     `json:"depth" doc:"Plies that it reads at least"`
	Mean  float64 `json:"mean" doc:"Of all moves, in the unit of the review"`
	Most  float64 `json:"most" doc:"What it claims too much at most, in 19 of 20 moves that it says give something away; a smaller loss has no mark"`
}

// ReviewFact is what a library knows of a move of a game.
type ReviewFact struct {
	Ply    int   `json:"ply" doc:"From 1"`
	Move   Move  `json:"move" doc:"That was played"`
	Games  int   `json:"games" doc:"Games that came to the position before it"`
	Played int   `json:"played" doc:"Those of them that went on with it"`
	Score  Score `json:"score" doc:"How these ended"`
	Usual  *Move `json:"usual,omitempty" doc:"What most of them played, where it is another move"`
}

// ReviewMove is a move, and what would have been better.
type ReviewMove struct {
	Ply   int     `json:"ply" doc:"From 1"`
	Move  Move    `json:"move" doc:"That was played"`
	Known bool    `json:"known" doc:"There are values; without it what follows is empty"`
	Value float64 `json:"value" doc:"Of the position behind it, for the first side"`
	Loss  float64 `json:"loss" doc:"What it gave away, for the side that made it"`
	Exact bool    `json:"exact" doc:"Both values are solved"`
	Best  []Move  `json:"best" doc:"The best line instead, where it is another"`
	Mark  string  `json:"mark" enum:",inaccuracy,mistake,blunder" doc:"How bad it is"`

	Finding *ReviewFinding `json:"finding,omitempty" doc:"What was proved against it, in games whose engine proves wins"`
}

// ReviewFinding is a win that a move has missed or let the other side have.
type ReviewFinding struct {
	Missed bool   `json:"missed" doc:"The side had the win; else the other side has it now"`
	By     string `json:"by" doc:"How it is won: five, open four, two fours, four and three, fours, threats, mate"`
	Plies  int    `json:"plies" doc:"Until the end"`
	Line   []Move `json:"line" doc:"The win; from before the move where it was missed, else from behind it"`
	Text   string `json:"text" doc:"The same in English words"`
}

// Values are what the moves of a position are worth.
type Values struct {
	Unit        string      `json:"unit" enum:"discs,points,share" doc:"What values are counted in: the lead in discs in Othello, the lead in points in Go where the engine counts them, else the share of a win from 0 to 1"`
	Engine      string      `json:"engine,omitempty" doc:"The other program that says so; absent for the engine of this server"`
	By          *Opinion    `json:"by,omitempty" doc:"Whose word it is, and what that is worth; absent where the game is over"`
	Depth       int         `json:"depth" doc:"Plies that were read"`
	Selectivity int         `json:"selectivity,omitempty" doc:"How sure the reading is, in per cent; absent where the engine cannot tell"`
	Exact       bool        `json:"exact" doc:"The best move is solved"`
	Nodes       int64       `json:"nodes" doc:"Positions that were looked at"`
	Counters    *Counters   `json:"counters,omitempty" doc:"What the search did, where it was counted"`
	Moves       []MoveValue `json:"moves" doc:"The best first"`
}

// MoveValue is what a move is worth.
type MoveValue struct {
	Move  Move    `json:"move"`
	Value float64 `json:"value" doc:"For the side that makes it"`
	Told  string  `json:"told,omitempty" doc:"The value as another program has told it, in its own unit" example:"cp 35"`
	Exact bool    `json:"exact" doc:"The game was read to its end"`
	Line  []Move  `json:"line" doc:"What both sides do best then, the move first"`
}

// Engines are other programs that the owner has named.
type Engines struct {
	Engines []Engine `json:"engines" doc:"In the order of the owner"`
}

// Engine is another program, as those see it who may ask it.
type Engine struct {
	Name     string   `json:"name" doc:"By which it is asked for"`
	Protocol string   `json:"protocol" doc:"What it speaks"`
	Games    []string `json:"games" doc:"The kinds of game that it plays, as specs"`
	Silent   bool     `json:"silent" doc:"It was found to tell no values: it plays, and judges nothing"`
}

// HostedEngine is another program that the owner has named, as the owner sees it.
type HostedEngine struct {
	Name     string   `json:"name"`
	Protocol string   `json:"protocol"`
	Command  []string `json:"command"`
	Dir      string   `json:"dir,omitempty"`
	Games    []string `json:"games"`
	Options  []string `json:"options"`
	Values   *bool    `json:"values,omitempty"` // whether it tells any; absent before it was tried
	Time     string   `json:"time,omitempty"`
	Depth    int      `json:"depth,omitempty"`
	Nodes    int64    `json:"nodes,omitempty"`
	Threads  int      `json:"threads,omitempty"`
	Memory   int      `json:"memory,omitempty"` // MiB
}

// EngineTest is what such a program did when it was tried.
type EngineTest struct {
	Engine  string  `json:"engine"`
	Game    string  `json:"game"`
	Says    string  `json:"says"` // what it calls itself
	Move    Move    `json:"move"`
	Values  Values  `json:"values"`
	Seconds float64 `json:"seconds"` // of the move
}
