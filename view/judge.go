package view

import "qipu/board"

// Judgement is what a method says of life and death on a board of Go.
type Judgement struct {
	Game   string `json:"game" doc:"The game with its rule set and komi, as a spec"`
	Text   string `json:"text" doc:"The position text"`
	Method string `json:"method" doc:"The method that judged"`
	Pieces []int  `json:"pieces" doc:"What stands on each point: 0 for nothing, else the number of the piece"`

	Strings []JudgedString `json:"strings" doc:"Stones that are connected along lines and are taken together, by their first stone, row by row"`
	Groups  []JudgedGroup  `json:"groups" doc:"Strings that live or die together"`
	Owner   []int          `json:"owner" doc:"Whose each point is: 0 where nothing is said, 1 the first side, 2 the second, 3 nobody"`
	Open    []int          `json:"open" doc:"Points whose owner hangs on a string that is unclear"`
	Fills   []int          `json:"fills" doc:"Points of territory that their owner has to fill in the end, lest stones be taken"`
	Score   JudgedScore    `json:"score" doc:"What follows from it, by the rules of the position"`
	Early   bool           `json:"early" doc:"So much is unclear that the game is not over, and the score a guess"`
	Guess   *JudgedGuess   `json:"guess,omitempty" doc:"How the game looks to the net, where it was asked: an opinion"`

	Endgame   *JudgedEnd      `json:"endgame,omitempty" doc:"What is left to play, where it was asked for"`
	Influence []float64       `json:"influence,omitempty" doc:"How strongly each point leans to a side, from 1 for the first to -1 for the second, where it was asked for"`
	Steps     []JudgedStep    `json:"steps" doc:"The rules that were applied, in their order; none where they were not asked for"`
	Cut       bool            `json:"cut" doc:"There are more steps than are told"`
	Methods   []JudgeMethod   `json:"methods" doc:"The methods that there are, the one that claims least first"`
	Geometry  *board.Geometry `json:"geometry,omitempty" doc:"Everything that drawing the board needs, where it was asked for"`
	Elapsed   float64         `json:"elapsed" doc:"Milliseconds that judging took"`
}

// JudgedGuess is how a game looks to a net that guesses how it will end.
type JudgedGuess struct {
	Win    float64   `json:"win" doc:"How likely the first side is to win, from 0 to 1"`
	Lead   float64   `json:"lead" doc:"What the first side is expected to lead by in the end, in points, as a game can have it: the board as it is judged and as it is played on, weighed by the net"`
	Spread float64   `json:"spread" doc:"How far from it the end is in the mean, in points"`
	First  []float64 `json:"first" doc:"How likely each point is to be the first side's in the end, from 0 to 1"`
}

// JudgedString is what is said of a string.
type JudgedString struct {
	Name    string  `json:"name" doc:"The point of its first stone"`
	Points  []int   `json:"points" doc:"Of its stones, row by row"`
	Side    int     `json:"side" doc:"Whose it is"`
	Status  string  `json:"status" enum:"unknown,alive,dead,seki" doc:"What becomes of it; unknown where the method says nothing"`
	Proved  bool    `json:"proved" doc:"The status holds whatever is played, as far as the method defines that"`
	Unclear bool    `json:"unclear" doc:"The status is the better guess of two"`
	Chance  float64 `json:"chance" doc:"How likely it is to stay on the board, from 0 to 1"`
	Group   int     `json:"group" doc:"The number of its group, from 0"`
	Steps   []int   `json:"steps" doc:"The numbers of the steps that the status rests on, from 0"`
}

// JudgedGroup is a set of strings of one side.
type JudgedGroup struct {
	Side    int     `json:"side" doc:"Whose it is"`
	Strings []int   `json:"strings" doc:"The numbers of its strings, from 0"`
	Stones  int     `json:"stones" doc:"How many stones it has"`
	Status  string  `json:"status" enum:"unknown,alive,dead,seki" doc:"What becomes of it"`
	Unclear bool    `json:"unclear" doc:"Some of its strings are unclear"`
	Proved  bool    `json:"proved" doc:"The status of all of its strings is proved"`
	Eyes    float64 `json:"eyes" doc:"As many eyes as the method sees, in halves"`
}

// JudgedScore is a count of a board, in points; lists have the first side first.
type JudgedScore struct {
	Text      string    `json:"text" doc:"As records write it: B+3.5, W+10, Draw"`
	Scoring   string    `json:"scoring" enum:"area,territory" doc:"What is counted"`
	Stones    []int     `json:"stones" doc:"Stones that stay on the board"`
	Territory []int     `json:"territory" doc:"Points surrounded, those under dead stones among them"`
	Prisoners []int     `json:"prisoners" doc:"Stones taken by each side, with the dead stones of the other"`
	Dame      int       `json:"dame" doc:"Empty points that count for nobody"`
	Komi      float64   `json:"komi" doc:"Points for the second side"`
	Handicap  float64   `json:"handicap" doc:"Points for the second side in return for handicap stones"`
	Total     []float64 `json:"total" doc:"The sum of each side"`
}

// JudgedEnd is what is left to play on a board that is nearly done.
type JudgedEnd struct {
	Over  bool         `json:"over" doc:"Nothing but neutral points is left"`
	Dame  []int        `json:"dame" doc:"Neutral points between living stones of both sides"`
	Open  []int        `json:"open" doc:"Points of areas whose border no single move closes: there the game is not over"`
	Moves []JudgedMove `json:"moves" doc:"Moves that change the count, or are needed: those of the first side before those of the second, the most valuable first"`
}

// JudgedMove is a move that is left.
type JudgedMove struct {
	Point   int     `json:"point" doc:"Row by row from the top left"`
	Name    string  `json:"name" doc:"Of the point"`
	Side    int     `json:"side" doc:"Whose move it is"`
	Kind    string  `json:"kind" enum:"border,ko,fill-ko,take,save,reinforce" doc:"What it is for"`
	Value   float64 `json:"value" doc:"What it is worth to who plays it, in points"`
	Strings []int   `json:"strings" doc:"The numbers of the strings that are taken or saved, from 0"`
}

// JudgedStep is a rule that was applied.
type JudgedStep struct {
	Number  int          `json:"number" doc:"Its place among all steps, from 0"`
	Rule    string       `json:"rule" doc:"The code of the rule" example:"sr"`
	Text    string       `json:"text" doc:"What the rule says, in English"`
	Side    int          `json:"side" doc:"Whose stones it is about"`
	Strings []int        `json:"strings" doc:"The numbers of the strings that it is about, from 0"`
	Points  []int        `json:"points" doc:"The points that it rests on"`
	Status  string       `json:"status" enum:"unknown,alive,dead,seki" doc:"What the strings are from here on; unknown where that is left open"`
	Count   int          `json:"count" doc:"A number that belongs to the rule: eyes in halves, liberties"`
	Graph   *StringGraph `json:"graph,omitempty" doc:"The string graph after the step, with the method that has one"`
}

// StringGraph is the graph of strings and empty areas.
type StringGraph struct {
	Vertices []GraphVertex `json:"vertices" doc:"Strings, empty areas and what reductions made of them"`
	Edges    []GraphEdge   `json:"edges" doc:"What touches what"`
}

// GraphVertex is a string, an empty area or what a reduction made of them.
type GraphVertex struct {
	Name   string `json:"name" doc:"As in BS1, WS2, ES3" example:"BS1"`
	Kind   string `json:"kind" enum:"BS,WS,ES" doc:"Black stones, white stones or empty points"`
	Points []int  `json:"points" doc:"The points that it stands for"`
	Alive  bool   `json:"alive" doc:"Found alive"`
	Dead   bool   `json:"dead" doc:"Found dead"`
}

// GraphEdge joins two vertices.
type GraphEdge struct {
	From     int  `json:"from" doc:"The number of a vertex, from 0"`
	To       int  `json:"to" doc:"The number of the other"`
	Directed bool `json:"directed" doc:"The first contains the second; else they are neighbours"`
}

// JudgeMethod is a way to judge a board.
type JudgeMethod struct {
	Name    string  `json:"name" doc:"What to send as the method"`
	Summary string  `json:"summary" doc:"In one line, in English"`
	Proof   bool    `json:"proof" doc:"What it says is never wrong, and it says nothing of the rest"`
	Strings int     `json:"strings,omitempty" doc:"Strings in the middle of games it had not seen by which the next two were measured; 0 or missing where nobody did"`
	Error   float64 `json:"error,omitempty" doc:"How far its chances are from what came true, in the mean, from 0 to 1"`
	Wrong   float64 `json:"wrong,omitempty" doc:"The share that came out otherwise of strings it was sure of: 99 % and more"`
}

// JudgeRequest asks about a position that is too long for an address, or about a moment of a record.
type JudgeRequest struct {
	Game      string `json:"game,omitempty" maxLength:"100" doc:"The kind of game, as a spec; Go on 19x19 if empty" example:"weiqi:9x9,chinese"`
	Line      string `json:"line,omitempty" maxLength:"1048576" doc:"Moves from the start in any notation, or a position text, or a position text, the word moves and moves"`
	Record    uint32 `json:"record,omitempty" doc:"A record of the library instead, where it is not 0"`
	Ply       *int   `json:"ply,omitempty" minimum:"-1" doc:"Of the main line of the record; -1 or nothing for the end"`
	Node      int    `json:"node,omitempty" minimum:"0" doc:"A node of the tree of the record instead, where it is not 0"`
	Method    string `json:"method,omitempty" maxLength:"40" doc:"One of the methods; the weighed verdict if empty"`
	Why       string `json:"why,omitempty" maxLength:"10" doc:"A point of a string: its steps are told, with their graphs" example:"Q16"`
	Trace     bool   `json:"trace,omitempty" doc:"Tell all steps"`
	Endgame   bool   `json:"endgame,omitempty" doc:"Tell what is left to play"`
	Influence bool   `json:"influence,omitempty" doc:"Tell how strongly each point leans to a side"`
	Geometry  bool   `json:"geometry,omitempty" doc:"Tell how the board is drawn"`
	Scoring   string `json:"scoring,omitempty" enum:"area,territory," doc:"How to count; by the rules of the position if empty"`
	Nodes     int    `json:"nodes,omitempty" minimum:"0" maximum:"200000" doc:"How many moves a searching method may try on the whole board; 0 for a usual number"`
}
