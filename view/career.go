package view

import "time"

// Career is how the games of a profile went: those that it played here, or those of the
// library under its names. In all scores First are its own wins.
type Career struct {
	Names    []MyName        `json:"names" doc:"By which the profile stands in records"`
	Score    Score           `json:"score" doc:"Of all games"`
	Kinds    []Group         `json:"kinds" doc:"By the kind of game, as a spec; the most games first"`
	Colours  []Group         `json:"colours" doc:"By side: first, second, and both for games against oneself, which count for nobody"`
	Years    []Group         `json:"years" doc:"The earliest first; empty where it is not known"`
	Strength []StrengthGroup `json:"strength" doc:"By how strong the other side was, the weakest first"`
	Rivals   []Group         `json:"rivals" doc:"By opponent, the most games first; levels of the engine are not among them"`
	Openings []OpeningGroup  `json:"openings" doc:"By opening, the most games first"`
	Named    int             `json:"named" doc:"Games whose opening was looked for: the latest ones"`
	Games    []CareerGame    `json:"games" doc:"A page of them, the latest first"`
	Next     string          `json:"next" doc:"The cursor of the next page; empty where there is none"`
	Query    string          `json:"query" doc:"For the games of the library under these names; empty for games that were played here"`
}

// MyName is a name by which a profile stands in records.
type MyName struct {
	Name  string `json:"name" doc:"Of a player of the library"`
	Games int    `json:"games" doc:"In the library; 0 where nobody has the name any more"`
}

// MyNames are those of a profile.
type MyNames struct {
	Names []MyName `json:"names" doc:"In the order in which they were said"`
}

// StrengthGroup is games against players of one strength.
type StrengthGroup struct {
	Kind  string `json:"kind" enum:"level,rank,rating," doc:"What is known of it: the level of our engine, a rank, a rating of so much up to 199 more, or nothing"`
	Key   string `json:"key" doc:"The level, the rank, or the least rating"`
	Score Score  `json:"score"`
}

// OpeningGroup is games with one opening.
type OpeningGroup struct {
	Opening Opening `json:"opening"`
	Score   Score   `json:"score"`
}

// CareerGame is a game of a profile.
type CareerGame struct {
	Record Summary `json:"record"`
	Side   int     `json:"side" doc:"That the profile had; 2 for both"`
	Won    string  `json:"won" enum:"win,loss,draw," doc:"How it went for the profile; empty where that is not known"`
}

// Repertoire is what a profile plays from the start on, and what it meets.
type Repertoire struct {
	Game  string   `json:"game" doc:"The kind of game, as a spec; empty where there are no games"`
	Least int      `json:"least" doc:"What fewer games have is left out"`
	Sides []MyTree `json:"sides" doc:"For each side that the profile had"`
}

// MyTree is the beginnings of the games in which a profile had a side.
type MyTree struct {
	Side int  `json:"side" doc:"That the profile had"`
	Tree Tree `json:"tree" doc:"In its scores First are the profile's wins"`
}

// Mistakes are moves of a profile that an engine called bad, in the games that the profile has had reviewed.
type Mistakes struct {
	Games  int             `json:"games" doc:"Own games of which there is a review"`
	Plies  int             `json:"plies" doc:"Own moves in them that were looked at"`
	Marks  []MarkCount     `json:"marks" doc:"How many were called what, the least bad first"`
	Phases []PhaseMistakes `json:"phases" doc:"When they happened"`
	Worst  []OwnMistake    `json:"worst" doc:"The worst first; losses of different units are not compared, but their marks"`
}

// MarkCount is how many moves were called something.
type MarkCount struct {
	Mark  string `json:"mark" enum:"inaccuracy,mistake,blunder" doc:"What they were called"`
	Count int    `json:"count" doc:"How many"`
}

// PhaseMistakes is how many mistakes fall into a part of games.
type PhaseMistakes struct {
	From  int `json:"from" doc:"The first move of the part, counting those of both sides"`
	To    int `json:"to" doc:"The last one; 0 for the end of the game"`
	Count int `json:"count" doc:"Mistakes and blunders"`
}

// OwnMistake is a move that an engine called bad.
type OwnMistake struct {
	Record Summary `json:"record"`
	Ply    int     `json:"ply" doc:"From 1"`
	Side   int     `json:"side" doc:"That the profile had"`
	Move   string  `json:"move" doc:"That was played"`
	Best   string  `json:"best" doc:"What would have been better; empty where that is not known"`
	Loss   float64 `json:"loss" doc:"What it gave away"`
	Unit   string  `json:"unit" enum:"discs,points,share" doc:"Of the loss"`
	Mark   string  `json:"mark" enum:"inaccuracy,mistake,blunder" doc:"What it was called"`
	By     string  `json:"by" doc:"The engine that says so"`
}

// Cards are questions of quizzes that come back.
type Cards struct {
	Cards []Card `json:"cards" doc:"Those that wait longest first"`
}

// Card is a question that was answered wrong once.
type Card struct {
	Deck string    `json:"deck" doc:"The quiz"`
	Key  string    `json:"key" doc:"What is asked for in it"`
	Box  int       `json:"box" doc:"How often it was found right since"`
	Due  time.Time `json:"due" doc:"When it comes back"`
	Task any       `json:"task,omitempty" doc:"The question itself, where the key does not tell it"`
}

// CardAnswer is how a question was answered.
type CardAnswer struct {
	Deck  string `json:"deck" minLength:"1" maxLength:"100" doc:"The quiz"`
	Key   string `json:"key" minLength:"1" maxLength:"4000" doc:"What was asked for"`
	Right bool   `json:"right" doc:"It was found right; what was never wrong is not kept"`
	Task  any    `json:"task,omitempty" doc:"The question itself, where the key does not tell it"`
}
