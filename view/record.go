package view

import "time"

// Summary is what lists show of a record.
type Summary struct {
	ID       uint32   `json:"id" doc:"The number of the record"`
	Game     string   `json:"game" doc:"The kind of game, as a spec"`
	Players  []Player `json:"players" doc:"The first mover first; always two"`
	Date     string   `json:"date" doc:"As well as it is known: a day, month, year or span"`
	Result   string   `json:"result" doc:"In the usual short form; empty where it is not known"`
	Winner   int      `json:"winner" doc:"The side that won; 2 for a draw, -1 where it is not known"`
	Event    string   `json:"event" doc:"As the record has it"`
	Round    string   `json:"round" doc:"As the record has it"`
	Place    string   `json:"place" doc:"As the record has it"`
	Opening  string   `json:"opening" doc:"What the record calls it"`
	Code     string   `json:"code" doc:"Number of the opening in the books"`
	Plies    int      `json:"plies" doc:"Moves of the main line"`
	Handicap int      `json:"handicap" doc:"Stones; 0 for none"`
	Komi     string   `json:"komi" doc:"Empty where it is not known"`
	Marked   bool     `json:"marked" doc:"A move in it breaks the rules"`
}

// Player is a player as a record names one.
type Player struct {
	Name   string `json:"name" doc:"As the record has it"`
	Rank   string `json:"rank" doc:"As in 9p or 3d; empty where unknown"`
	Rating int    `json:"rating" doc:"0 where unknown"`
	Team   string `json:"team" doc:"Empty where unknown"`
}

// Records is a page of a list of records.
type Records struct {
	Records []Hit    `json:"records" doc:"In the order that was asked for"`
	Games   int      `json:"games" doc:"How many there are"`
	Score   Score    `json:"score"`
	Next    string   `json:"next" doc:"Cursor of the next page; empty at the end"`
	Query   string   `json:"query" doc:"As it was understood"`
	Hints   []string `json:"hints" doc:"What may be meant otherwise"`
	Elapsed float64  `json:"elapsed" doc:"Milliseconds that it took"`
}

// Facets are the records of a query by what they have in common.
type Facets struct {
	Facets []Facet `json:"facets" doc:"In the order in which they were asked for"`
}

// Facet is the records by one dimension.
type Facet struct {
	By     string  `json:"by" doc:"What the groups have in common"`
	Field  string  `json:"field" doc:"The field of the query language that narrows to one of the groups"`
	Groups []Group `json:"groups" doc:"The largest first, years by year"`
	More   bool    `json:"more" doc:"There are more than are listed"`
}

// FullRecord is a record with its tree of moves.
type FullRecord struct {
	Summary     Summary   `json:"summary"`
	Ruleset     string    `json:"ruleset" doc:"The rules that its headers name"`
	Author      string    `json:"author" doc:"Who wrote the record"`
	Origin      string    `json:"origin" doc:"The book or site that it is from"`
	Time        string    `json:"time" doc:"Time limits as written"`
	Format      string    `json:"format" doc:"In which it was read"`
	Encoding    string    `json:"encoding" doc:"Of the text of its file"`
	Guessed     bool      `json:"guessed" doc:"The encoding was guessed"`
	Added       time.Time `json:"added" doc:"When it came into the library"`
	Sources     []Source  `json:"sources" doc:"Where it was found"`
	Tags        []string  `json:"tags" doc:"Those that it has"`
	Collections []string  `json:"collections" doc:"Those that it is in"`
	Links       []Link    `json:"links" doc:"Games that belong to it"`
	Headers     []Header  `json:"headers" doc:"As the record has them"`
	Formats     []string  `json:"formats" doc:"Formats that it can be had in"`
	Start       []int     `json:"start" doc:"The pieces at the root; empty where the record cannot be played"`
	Turn        int       `json:"turn" doc:"The side that moves first"`
	Nodes       []Node    `json:"nodes" doc:"The tree, parents before children; the first is the root"`
	Main        int       `json:"main" doc:"Plies of the main line"`
	Truncated   bool      `json:"truncated" doc:"The tree is larger than is sent; the main line is whole"`
	Faults      []string  `json:"faults" doc:"What is wrong with the record"`
}

// Node is a node of the tree of a record.
type Node struct {
	Parent  int      `json:"parent" doc:"The number of the node it follows; -1 for the root"`
	Ply     int      `json:"ply" doc:"Steps from the start: moves, passes and set-ups, as hits count them"`
	Move    string   `json:"move" doc:"In the notation that was asked for; empty where it is no move"`
	Side    int      `json:"side" doc:"Who played it; -1 where it is no move"`
	From    int      `json:"from" doc:"The point that the piece came from; -1 for none"`
	To      int      `json:"to" doc:"The point that it came to; -1 for none"`
	Changes []int    `json:"changes" doc:"What the move or set-up changed against the board of the parent: point and piece, by turns"`
	Texts   []string `json:"texts,omitempty" doc:"What is written on each point behind it; absent where pieces stand on points"`
	Turn    int      `json:"turn" doc:"The side to move behind it"`
	Comment string   `json:"comment,omitempty" doc:"What the record says here"`
	Marks   []Mark   `json:"marks,omitempty" doc:"Signs on points; may be absent"`
	Fault   string   `json:"fault,omitempty" doc:"Why the rules refuse it"`
	Quality string   `json:"quality,omitempty" doc:"What the annotator says of the move: !! ! !? ?! ? ??"`
}

// Mark is a sign on a point.
type Mark struct {
	Point int    `json:"point" doc:"Where it is"`
	Kind  string `json:"kind" enum:"circle,square,triangle,cross,label,first,second,arrow,region" doc:"first and second are points that count for a side; arrows and regions go from one point to another"`
	Text  string `json:"text" doc:"Of a label; the colour of an arrow or region"`
	To    int    `json:"to,omitempty" doc:"Where an arrow or region ends"`
}

// Source is where a record was found.
type Source struct {
	File   string `json:"file" doc:"The file, as the user knows it"`
	Number int    `json:"number" doc:"Of the record in the file, from 1"`
	Offset int64  `json:"offset" doc:"Of its first byte in the file"`
}

// Link is a record that belongs to another.
type Link struct {
	ID  uint32 `json:"id" doc:"The number of the other record"`
	Why string `json:"why" doc:"What they have in common"`
}

// Header is a header as a record has it.
type Header struct {
	Name  string `json:"name" doc:"As the record has it"`
	Value string `json:"value" doc:"As the record has it"`
}

// Selection is some records: those with these numbers, or those of a query.
type Selection struct {
	IDs        []uint32 `json:"ids,omitempty" maxItems:"100000" doc:"The records; or else"`
	Query      string   `json:"query,omitempty" maxLength:"65536" doc:"a query for them"`
	Game       string   `json:"game,omitempty" maxLength:"100" doc:"The kind of game that the query means, where it does not say"`
	Variations bool     `json:"variations,omitempty" doc:"The query looks into the lines beside the main ones, too"`
}

// Labelling puts names on records, or takes them off.
type Labelling struct {
	Selection
	Add    []string `json:"add,omitempty" maxItems:"100" doc:"Names to put on them"`
	Remove []string `json:"remove,omitempty" maxItems:"100" doc:"Names to take off them"`
}

// Removal deletes records.
type Removal struct {
	Selection
	Expect int `json:"expect" minimum:"0" doc:"How many records are meant to go: where it is another number, none is deleted"`
}

// Changed tells how many records a change was made to.
type Changed struct {
	Records int   `json:"records" doc:"That were selected"`
	Changed int   `json:"changed" doc:"That are otherwise now"`
	Change  int64 `json:"change,omitempty" doc:"The entry of the journal, by which it is undone; none where nothing has changed"`
}

// Named is a collection or a tag.
type Named struct {
	Name    string    `json:"name" doc:"What it is called"`
	Note    string    `json:"note" doc:"What its owner says of it"`
	Games   int       `json:"games" doc:"Records that have it"`
	Created time.Time `json:"created" doc:"When it was made"`
}

// NamedList lists collections or tags.
type NamedList struct {
	Items []Named `json:"items" doc:"By name"`
}

// NewName names something, or renames it.
type NewName struct {
	Name string `json:"name" minLength:"1" maxLength:"200" doc:"What it is to be called"`
	Note string `json:"note,omitempty" maxLength:"4000" doc:"What to say of it"`
}

// Saved is a query that was saved under a name, or noted by a search.
type Saved struct {
	Name      string    `json:"name" doc:"Empty for one that a search noted"`
	Described string    `json:"described" doc:"A name that describes its board"`
	Query     string    `json:"query" doc:"In the query language"`
	Game      string    `json:"game" doc:"The kind of game, as a spec; may be empty"`
	Note      string    `json:"note" doc:"What its owner says of it"`
	Games     int       `json:"games" doc:"That the last search found"`
	Hits      int       `json:"hits" doc:"Occurrences that it found last"`
	Used      time.Time `json:"used" doc:"When it was asked last"`
	Board     *Diagram  `json:"board,omitempty"`
}

// SavedList lists saved queries.
type SavedList struct {
	Queries []Saved `json:"queries" doc:"Those with a name first, by it, then the others, the one used last first"`
	Next    string  `json:"next" doc:"Cursor of the next page; empty at the end"`
}

// SaveQuery is a query to save.
type SaveQuery struct {
	Query   string `json:"query" minLength:"1" maxLength:"65536" doc:"In the query language"`
	Game    string `json:"game,omitempty" doc:"The kind of game that it means, where it does not say"`
	Note    string `json:"note,omitempty" maxLength:"4000" doc:"What to say of it"`
	Replace bool   `json:"replace,omitempty" doc:"Take the name from another query that has it"`
}
