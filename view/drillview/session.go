package drillview

import (
	"time"

	"qipu/view"
)

// DrillSession is what somebody should do now: what is about to be forgotten, then what is new.
type DrillSession struct {
	Items  []DrillItem  `json:"items" doc:"In the order in which they should be done"`
	Left   int          `json:"left" doc:"What is due beside these"`
	Rating DrillRating  `json:"rating" doc:"Of who asks"`
	Themes []DrillTheme `json:"themes" doc:"What was done of, the weakest first"`
	Set    *DrillSet    `json:"set,omitempty" doc:"The set that was asked for"`
	Cards  int          `json:"cards" doc:"Questions of quizzes about openings and shapes that are due"`
}

// DrillRating is how strong somebody is, or how hard an exercise, on one scale.
type DrillRating struct {
	Points float64 `json:"points" doc:"1500 is where everybody begins"`
	Within float64 `json:"within" doc:"The true value is nearer than this in nineteen of twenty cases"`
}

// DrillTheme is how somebody does the exercises of a theme.
type DrillTheme struct {
	Name  string `json:"name" example:"KR-KAAEE" doc:"An ending, win-2 for a win in two moves, win, save, own or guess"`
	Done  int    `json:"done" doc:"Answers to its exercises"`
	Right int    `json:"right" doc:"Of these, the right ones"`
}

// DrillItem is an exercise as it is done.
type DrillItem struct {
	Exercise string        `json:"exercise" doc:"Its identifier"`
	Game     string        `json:"game" doc:"The kind of game, as a spec"`
	Position view.Position `json:"position" doc:"Where it begins"`
	Kind     string        `json:"kind" enum:"win,save,own,guess" doc:"One move wins; one holds; a mistake of one's own that is to be made good; what a player chose"`
	Theme    string        `json:"theme" doc:"As in the themes of the session"`
	Answer   view.Move     `json:"answer" doc:"The right move"`
	Line     []view.Move   `json:"line" doc:"How it goes on, the right move first"`
	Plies    int           `json:"plies" doc:"Until the end, where it wins"`
	Proof    string        `json:"proof" doc:"What proves it: table, or the engine that has read it; whose word it is where it is an opinion"`
	Source   string        `json:"source" doc:"The game that it is from"`
	Record   uint32        `json:"record,omitempty" doc:"Its number in the library; 0 where it is none of it"`
	Ply      int           `json:"ply" doc:"How many moves of the game come before it"`
	Played   string        `json:"played" doc:"What was played there; empty where that is unknown"`
	Rating   DrillRating   `json:"rating" doc:"How hard it is"`
	Times    int           `json:"times" doc:"How often it was done"`
}

// DrillAnswers are what somebody has answered, since the last time that it was told.
type DrillAnswers struct {
	Answers []DrillAnswered `json:"answers" maxItems:"1000" doc:"Each counts once, however often it is sent"`
}

// DrillAnswered is one answer.
type DrillAnswered struct {
	At       time.Time `json:"at" doc:"When it was given, by the clock of who gave it"`
	Exercise string    `json:"exercise" maxLength:"100" doc:"Its identifier"`
	Right    bool      `json:"right" doc:"Whether it was right"`
}

// DrillNoted tells what answers came to.
type DrillNoted struct {
	Rating DrillRating `json:"rating" doc:"Of who answered"`
	Kept   int         `json:"kept" doc:"Answers that are kept of this person, each once"`
}

// DrillSets are the sets of a library.
type DrillSets struct {
	Sets []DrillSet `json:"sets" doc:"The newest first"`
}

// DrillSet is a set of exercises that somebody has made for others.
type DrillSet struct {
	ID        string    `json:"id" doc:"Its identifier, which is in the link to it"`
	Name      string    `json:"name" doc:"As its owner calls it"`
	Query     string    `json:"query" doc:"The games that it was cut from"`
	Made      time.Time `json:"made" doc:"When"`
	Exercises int       `json:"exercises" doc:"How many there are"`
	Own       bool      `json:"own" doc:"Who asks has made it"`
	Seen      bool      `json:"seen" doc:"Who asks lets its owner see how he does"`
}

// MakeDrillSet says what set is to be made.
type MakeDrillSet struct {
	Name  string `json:"name" minLength:"1" maxLength:"200" doc:"What it is to be called"`
	Query string `json:"query" maxLength:"4000" doc:"Whose games it is cut from"`
	Game  string `json:"game" maxLength:"100" doc:"The kind of game, as a spec"`
}

// DrillConsent says whether the owner of a set may see how one does.
type DrillConsent struct {
	Yes bool `json:"yes" doc:"True lets its owner see it, false ends that"`
}

// DrillClass is how those do who let the owner of a set see it.
type DrillClass struct {
	Set    DrillSet     `json:"set" doc:"Which set it is"`
	Pupils []DrillPupil `json:"pupils" doc:"Those who let the owner see it"`
}

// DrillPupil is one of them.
type DrillPupil struct {
	Name  string `json:"name" doc:"Of the profile"`
	Done  int    `json:"done" doc:"Exercises of the set that were done"`
	Right int    `json:"right" doc:"Of these, those whose last answer was right"`
	Last  string `json:"last" doc:"When something was answered last; empty for never"`
}
