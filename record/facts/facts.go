// Package facts normalises what the headers of records say: players, ranks,
// dates, results, komi, handicap, rules. The raw text stays beside it in the
// record; what is not certain here is unknown, never guessed silently.
package facts

// Facts are the normalised headers of a record. A zero field is unknown.
type Facts struct {
	Players  [2]Player // by side, the first mover first
	Event    string
	Round    string
	Place    string
	Date     Date
	Result   Result
	Komi     Komi
	Handicap int    // stones; 0 or 1 for none
	Ruleset  string // "japanese", "chinese", "aga", "new-zealand", "tromp-taylor"; "" unknown
	Opening  string // its name
	Code     string // its code: ECCO "C21"
	Source   string // book or site that the record was taken from
	Author   string // annotator
	Time     string // time limits, as written
}

// Player is one side's player or team.
type Player struct {
	Name   string
	Rank   Rank
	Rating int // Elo or the like
	Team   string
}
