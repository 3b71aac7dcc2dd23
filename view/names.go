package view

import "qipu/board"

// Name is something that has a name on the boards of a game: a mate, a structure, an opening, a code of openings.
type Name struct {
	ID      string      `json:"id" doc:"One of its kind in the game; queries take it too"`
	Kind    string      `json:"kind" enum:"mate,structure,opening,code,ending" doc:"What it is"`
	Names   board.Names `json:"names"`
	Vi      string      `json:"vi" doc:"In Vietnamese; empty for none"`
	Coined  []string    `json:"coined" enum:"en,zh-Hant,zh-Hans,ja,ko,vi" doc:"The languages in which its name is a transliteration of ours, and not attested"`
	Aliases []string    `json:"aliases" doc:"Other names"`
	Note    string      `json:"note" doc:"What a player should know"`
	Source  string      `json:"source" doc:"Where definition and names are from"`
	Parent  string      `json:"parent" doc:"The id of a wider one that this is a case of; empty for none"`
	Layer   string      `json:"layer" enum:"shipped,folder,library" doc:"Where it is kept: what the library keeps can be changed"`
	Query   string      `json:"query" doc:"What finds it in records"`
	Board   *NameBoard  `json:"board,omitempty" doc:"A board on which it stands"`
	Count   *NameCount  `json:"count,omitempty" doc:"How it fared in the records of the library; absent while that is being counted"`
}

// NameCount is how something with a name fared in records.
type NameCount struct {
	Games int     `json:"games" doc:"That have it"`
	Won   int     `json:"won" doc:"By the side that had it; by the first side where it is of both"`
	Drawn int     `json:"drawn" doc:"Without a winner"`
	Lost  int     `json:"lost" doc:"By the same side"`
	Score float64 `json:"score" doc:"Of the games with a result: wins and half of the draws"`
	Low   float64 `json:"low" doc:"The lower bound of the score at 95 %"`
	High  float64 `json:"high" doc:"The upper bound"`
}

// NameBoard is a board with the pieces that have a part in something.
type NameBoard struct {
	Position string     `json:"position" doc:"As text, with the side to move"`
	Side     int        `json:"side" doc:"Whose it is: 0 the first side, 1 the second"`
	Roles    []NameRole `json:"roles" doc:"The pieces that have a part in it"`
	Match    bool       `json:"match" doc:"It stands here; a counter-example has false"`
	Why      string     `json:"why" doc:"In words"`
	Record   uint32     `json:"record,omitempty" doc:"The number of the record that it is from; 0 for none"`
	Ply      int        `json:"ply,omitempty" doc:"How many of its moves have been played"`
	Title    string     `json:"title,omitempty" doc:"Players and date, where it is from a record"`
}

// NameRole is a piece, or a point, with its part.
type NameRole struct {
	Name  string `json:"name" doc:"As the definition calls it; empty for a stone of a picture"`
	Point int    `json:"point" doc:"Row by row from the top left"`
	At    string `json:"at" doc:"The point as the game writes it"`
	Piece int    `json:"piece" doc:"What stands there, as in the geometry; 0 for nothing"`
}

// NameGroup counts the names of a kind.
type NameGroup struct {
	Kind  string `json:"kind" enum:"mate,structure,opening,code,ending" doc:"What they are"`
	Names int    `json:"names" doc:"How many there are"`
}

// NameList is a page of the catalogue of a game.
type NameList struct {
	Names []Name      `json:"names" doc:"Of this page"`
	Total int         `json:"total" doc:"That fit the filters"`
	Next  string      `json:"next" doc:"Cursor of the next page; empty on the last"`
	Kinds []NameGroup `json:"kinds" doc:"All that the game has"`
	Ready bool        `json:"ready" doc:"The index of names is complete; else names are looked for by reading games"`
}

// NameDetail is one name with all that is known of it.
type NameDetail struct {
	Name     Name        `json:"name"`
	Text     string      `json:"text" doc:"The definition as it is written in files, or of a code the ways to it; empty for others"`
	Line     string      `json:"line" doc:"The moves of an opening that has a line; empty for others"`
	Boards   []NameBoard `json:"boards" doc:"Its fixtures: boards on which it stands, and others on which it does not"`
	Examples []NameBoard `json:"examples" doc:"Boards of records of the library, the first that were found"`
	Cases    []Name      `json:"cases" doc:"Narrower ones, of which this is the parent"`

	Findings []NameFinding `json:"findings" doc:"What was found in records about it, and accepted by readers"`

	Ending *Ending `json:"ending,omitempty" doc:"Of an ending: what its table says of all positions"`
}

// NamesAt is what has a name on a board.
type NamesAt struct {
	Names []NameAt `json:"names" doc:"Mates, then openings, codes and structures"`
}

// NameAt is something with a name that stands on a board.
type NameAt struct {
	ID    string      `json:"id" doc:"One of its kind in the game"`
	Kind  string      `json:"kind" enum:"mate,structure,opening,code,ending" doc:"What it is"`
	Names board.Names `json:"names"`
	Side  int         `json:"side" doc:"Whose it is: 0 the first side, 1 the second; -1 for both, as with openings"`
	Roles []NameRole  `json:"roles" doc:"The pieces in their parts"`
	Query string      `json:"query" doc:"What finds it in records"`
}

// Term is a word of the game that titles and comments have.
type Term struct {
	ID      string      `json:"id" doc:"One of its kind in the game"`
	Kind    string      `json:"kind" doc:"opening, tactic, place, move or piece"`
	Names   board.Names `json:"names"`
	Aliases []string    `json:"aliases" doc:"Other names"`
	Note    string      `json:"note" doc:"What a reader should know"`
	Name    string      `json:"name" doc:"The id of the name in the catalogue that it stands for; empty for none"`
	Games   int         `json:"games" doc:"That have it in their titles or comments"`
	Query   string      `json:"query" doc:"What finds these"`
}

// UnknownTerm is a word that titles and comments have and nobody has defined.
type UnknownTerm struct {
	Text    string `json:"text" doc:"As it was first written"`
	Count   int    `json:"count" doc:"How often it stands there"`
	Games   int    `json:"games" doc:"That have it"`
	Example string `json:"example" doc:"Where it stands in a text"`
}

// Terms are the words of a game in the records of the library.
type Terms struct {
	Terms   []Term        `json:"terms" doc:"The most frequent first"`
	Unknown []UnknownTerm `json:"unknown" doc:"For an expert to define, the most frequent first"`
	Total   int           `json:"total" doc:"Terms that fit the filter"`
}

// SplitTerms is a text taken apart.
type SplitTerms struct {
	Title  string     `json:"title" doc:"The part of the text that names an opening"`
	Pieces []TermPart `json:"pieces" doc:"Put together they are the title"`
}

// TermPart is a piece of a title.
type TermPart struct {
	Text string `json:"text" doc:"As it stands there"`
	Term string `json:"term" doc:"The id of its term; empty for what is none"`
	Side int    `json:"side" doc:"Whose part of the title it stands in: 0 the first side, 1 the second, -1 unknown"`
}
