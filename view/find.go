package view

// Answer is what a query found.
type Answer struct {
	Query string   `json:"query" doc:"The query as it was read, written in the usual form"`
	Game  string   `json:"game" doc:"The kind of game that the board of the query is of, as a spec; empty where several were asked"`
	Kinds []string `json:"kinds" doc:"All kinds of game that were asked"`
	Board *Diagram `json:"board,omitempty" doc:"The board that occurrences are counted of, as it was drawn"`
	Timed bool     `json:"timed" doc:"Hits tell a ply"`
	Fuzzy bool     `json:"fuzzy" doc:"The query is about likeness, and ranks by it"`

	Name  string   `json:"name" doc:"The name of the board, where the query is nothing but one: under which it is saved, else one that describes it"`
	Saved bool     `json:"saved" doc:"The name is one under which it is saved"`
	Like  string   `json:"like" doc:"A query for boards that are alike, where none was found"`
	Hints []string `json:"hints" doc:"What may have been meant otherwise"`

	Games     int          `json:"games" doc:"How many games were found"`
	Hits      int          `json:"hits" doc:"How often the board occurs in them; -1 where the query has none"`
	Of        int64        `json:"of" doc:"How many games were searched"`
	Score     Score        `json:"score" doc:"By the sides that they had"`
	Drawn     *Score       `json:"drawn,omitempty" doc:"By the sides as drawn, where the board was also looked for with the sides exchanged"`
	Owner     *Score       `json:"owner,omitempty" doc:"The same from the view of the side that had what the query names; absent where it names nothing of that sort"`
	Player    *PlayerScore `json:"player,omitempty" doc:"Of the player whom the query names"`
	Moves     []NextMove   `json:"moves" doc:"What was played next in the region, the most frequent first"`
	Elsewhere int          `json:"elsewhere" doc:"How often the next move was outside the region"`
	Ended     int          `json:"ended" doc:"How often no move came in the region any more"`
	Groups    []Group      `json:"groups" doc:"The games by what the parameter by says: the largest groups first, years by year"`
	GroupsOf  int          `json:"groupsOf" doc:"How many groups there are"`

	Rows    []Hit   `json:"rows" doc:"A page of the games"`
	Next    string  `json:"next" doc:"The cursor of the next page; empty where there is none"`
	Partial bool    `json:"partial" doc:"Not all of the library was asked"`
	Cut     *Cut    `json:"cut,omitempty" doc:"Where the work that one request may have ended before the games did: all counts are of what was looked at"`
	Elapsed float64 `json:"elapsed" doc:"Milliseconds that it took"`
}

// Cut tells how far an answer came that had all the work that one request may have.
type Cut struct {
	Looked int64   `json:"looked" doc:"Lines of games that were looked at"`
	Lines  int64   `json:"lines" doc:"Lines that there are"`
	Budget float64 `json:"budget" doc:"Milliseconds that one request may keep a processor busy; 0 where it was the time for an answer that ended"`
}

// Diagram is the board of a query, cell by cell.
type Diagram struct {
	Word    string   `json:"word" enum:"board,position,line,fuzzy" doc:"How it is written"`
	Columns int      `json:"columns" doc:"Width of the board"`
	Rows    int      `json:"rows" doc:"Height of the board"`
	Cells   []string `json:"cells" doc:"What each cell may be, in the language of diagrams: X . * x [Rr.]"`
	Column  int      `json:"column" doc:"Where it lies as it is drawn: its left column on the board; -1 where that is open"`
	Row     int      `json:"row" doc:"Its top row on the board; -1 where that is open"`
	Anchor  string   `json:"anchor" enum:"floating,corner,side,centre,fixed,whole" doc:"Where it may lie"`
	Edges   []string `json:"edges" doc:"The edges of the board that it touches as drawn: top, right, bottom, left"`
	Mirror  bool     `json:"mirror" doc:"Turned and mirrored pictures count"`
	Swap    bool     `json:"swap" doc:"With the sides exchanged, too"`
	Turn    int      `json:"turn" doc:"The side to move; -1 for either"`
	From    int      `json:"from" doc:"From this ply on"`
	To      int      `json:"to" doc:"Up to this ply; -1 for no bound"`
	Min     float64  `json:"min" doc:"The least likeness, of a fuzzy one; 0 for others"`
	Next    string   `json:"next" doc:"Moves that must have followed"`
	Text    string   `json:"text" doc:"The diagram as the query has it"`
	Options []string `json:"options" doc:"Its options as the query has them"`
	Pieces  []int    `json:"pieces" doc:"The cells as a position would have them: the number of the piece where just one is possible, else 0"`
}

// Score counts games by their results.
type Score struct {
	Games  int      `json:"games" doc:"How many there are"`
	First  int      `json:"first" doc:"Won by the first side"`
	Second int      `json:"second" doc:"Won by the second side"`
	Draws  int      `json:"draws" doc:"Games without a winner"`
	Rate   *float64 `json:"rate,omitempty" doc:"The share of points that the first side made, a draw counting half; absent where no result is known"`
	Low    *float64 `json:"low,omitempty" doc:"The 95 % interval around it"`
	High   *float64 `json:"high,omitempty" doc:"Its upper bound"`
	Since  string   `json:"since" doc:"The earliest date, as well as it is known"`
	Until  string   `json:"until" doc:"The latest date"`
	Rating int      `json:"rating" doc:"The mean rating of those who chose so; 0 where none is known"`
}

// PlayerScore is the score of one player: First are that player's wins.
type PlayerScore struct {
	Name  string `json:"name" doc:"As the query names the player"`
	Score Score  `json:"score"`
}

// NextMove is a move that came behind a board.
type NextMove struct {
	Move    Move  `json:"move" doc:"Its points are those of the board where the region lies on it as drawn, else -1"`
	Column  int   `json:"column" doc:"Where it ends: in the region, from its left; -1 for a pass"`
	Row     int   `json:"row" doc:"And from its top"`
	Left    int   `json:"left" doc:"Where it comes from: in the region, from its left; -1 where a piece is placed, or comes from outside"`
	Top     int   `json:"top" doc:"And its row"`
	Count   int   `json:"count" doc:"How often it was played"`
	Games   int   `json:"games" doc:"In how many games"`
	Direct  int   `json:"direct" doc:"How often it was the very next move; otherwise it came after play elsewhere"`
	Reached int   `json:"reached" doc:"How many games reach the position behind it by any order of moves; -1 where that is not counted"`
	Score   Score `json:"score" doc:"Of the games"`
}

// Group is the games of an answer that have something in common.
type Group struct {
	Key   string `json:"key" doc:"Empty where it is not known"`
	Hits  int    `json:"hits" doc:"Occurrences of the board in its games"`
	Score Score  `json:"score"`
}

// Hit is a game that was found, and where in it.
type Hit struct {
	Record      Summary      `json:"record"`
	Ply         int          `json:"ply" doc:"Of the first occurrence; -1 where the query is about games alone"`
	Occurrences int          `json:"occurrences" doc:"How often the board occurs in the game"`
	Symmetry    string       `json:"symmetry" doc:"Takes the board as drawn to this occurrence"`
	Swapped     bool         `json:"swapped" doc:"With the sides exchanged"`
	Region      *Region      `json:"region,omitempty" doc:"Where it lies"`
	Variation   bool         `json:"variation" doc:"In a line beside the main one"`
	Next        string       `json:"next" doc:"The move that was played then; empty at the end, and where no boards were asked for"`
	Likeness    float64      `json:"likeness" doc:"Of a fuzzy query; else 0"`
	Differences []Difference `json:"differences" doc:"Of a fuzzy query"`
	Others      int          `json:"others" doc:"Pieces more than asked for, of a fuzzy query"`
	Pieces      []int        `json:"pieces" doc:"The board at that ply, or at the end; empty where no boards were asked for"`
	Texts       []string     `json:"texts,omitempty" doc:"What is written on its points; absent where pieces stand on points"`
	Last        int          `json:"last" doc:"The point of the last move on it; -1 for none"`
}

// Region is a rectangle of the board.
type Region struct {
	Column  int `json:"column" doc:"Of its left edge, from 0"`
	Row     int `json:"row" doc:"Of its upper edge, from 0"`
	Columns int `json:"columns" doc:"Its width"`
	Rows    int `json:"rows" doc:"Its height"`
}

// Difference is a cell in which a board is otherwise than a query asks.
type Difference struct {
	Column int    `json:"column" doc:"In the board as drawn"`
	Row    int    `json:"row" doc:"And from its top"`
	Text   string `json:"text" doc:"What is otherwise, in words"`
}

// Tick tells how far a search has come.
type Tick struct {
	Games int `json:"games" doc:"Found so far"`
	Hits  int `json:"hits" doc:"Occurrences so far"`
}

// Page is the first rows of an answer that is still being counted.
type Page struct {
	Rows []Hit `json:"rows" doc:"The first of the answer"`
}

// Understood tells how a query is read, part by part, so that it can be edited as a drawing and a row of conditions.
type Understood struct {
	Text       string      `json:"text" doc:"The query in the usual form"`
	Game       string      `json:"game" doc:"The kind of game that it is about; empty where it may be several"`
	Board      *Diagram    `json:"board,omitempty" doc:"The first board of it, where it is one of the conditions that all must be met"`
	Conditions []Condition `json:"conditions" doc:"The other conditions, of which all must be met"`
	Problem    *Mistake    `json:"problem,omitempty" doc:"What is wrong with it; then nothing else is told"`
	Hints      []string    `json:"hints" doc:"What may be meant otherwise"`
}

// Condition is a part of a query.
type Condition struct {
	Text    string      `json:"text" doc:"As the query has it"`
	Negated bool        `json:"negated" doc:"It must not hold"`
	Field   string      `json:"field" doc:"The field that it asks about, where it is a plain one: text for words, named for a saved query, board and the like for a further board"`
	Op      string      `json:"op" doc:"The sign between field and value" enum:":,=,<,<=,>,>=,"`
	Value   string      `json:"value" doc:"What it is compared with"`
	Any     []Condition `json:"any" doc:"Alternatives, of which one must be met"`
}

// Mistake is what is wrong with a query, and where.
type Mistake struct {
	Message string `json:"message" doc:"What is wrong"`
	Hint    string `json:"hint" doc:"What to write instead"`
	At      int    `json:"at" doc:"Where, in UTF-16 units from the start of the text, as browsers count"`
	Length  int    `json:"length" doc:"Of what is wrong, in UTF-16 units"`
}

// Completions are words that may come next in a query.
type Completions struct {
	Items []Completion `json:"items" doc:"The likeliest first"`
}

// Completion is a word that may come next.
type Completion struct {
	Text  string `json:"text" doc:"What to put in"`
	From  int    `json:"from" doc:"What it replaces, in UTF-16 units from the start"`
	To    int    `json:"to" doc:"Where it ends"`
	Note  string `json:"note" doc:"What it is"`
	Label string `json:"label" doc:"How it is shown, where that is not the text"`
}

// Reference describes the fields of the query language.
type Reference struct {
	Fields  []Field  `json:"fields" doc:"What can be asked for"`
	Sorts   []string `json:"sorts" doc:"Orders of hits"`
	Groups  []string `json:"groups" doc:"What games can be grouped by"`
	Anchors []string `json:"anchors" doc:"Where a board may lie"`
}

// Field is a field of the query language.
type Field struct {
	Name    string            `json:"name" doc:"What it is called in queries"`
	Names   map[string]string `json:"names" doc:"By language"`
	Aliases []string          `json:"aliases" doc:"Other words for it, of any language"`
	Value   string            `json:"value" doc:"The kind of value" enum:"text,number,date,rank,side,word,name,game,board"`
	Values  []string          `json:"values" doc:"Those that there are, where they are few"`
	Sided   bool              `json:"sided" doc:"It is also asked of one side, as in rating.black"`
	Moment  bool              `json:"moment" doc:"It is true of moments, and not of games"`
	Meaning string            `json:"meaning" doc:"What it is about"`
	Example string            `json:"example" doc:"How it is used"`
}

// Weights are what the pieces of a game count in likeness, as they are used where a query names none.
type Weights struct {
	Pieces   []PieceWeight `json:"pieces" doc:"One for each kind of piece"`
	Min      float64       `json:"min" doc:"The least likeness where a query names none"`
	Empty    float64       `json:"empty" doc:"What a point counts that must be empty"`
	Line     float64       `json:"line" doc:"What two pieces on one line count"`
	Moved    float64       `json:"moved" doc:"The share that a piece keeps which stands a step away"`
	Relation float64       `json:"relation" doc:"The share of the likeness that attack, protection and the like make up"`
}

// PieceWeight is what a kind of piece counts.
type PieceWeight struct {
	Letters string  `json:"letters" doc:"The pieces, as options of a fuzzy board name them"`
	Weight  float64 `json:"weight" doc:"What one of them counts"`
}

// Trend is how the share of the games of a query went over the years.
type Trend struct {
	Years     []Year  `json:"years" doc:"In their order"`
	Change    float64 `json:"change" doc:"By what factor the odds change in ten years"`
	Low       float64 `json:"low" doc:"Its 95 % interval"`
	High      float64 `json:"high" doc:"Its upper bound"`
	Direction string  `json:"direction" enum:"rising,falling,steady,unknown" doc:"Whether the share rises or falls"`
}

// Year is one year of a trend.
type Year struct {
	Year  int     `json:"year" doc:"Of the games"`
	Games int     `json:"games" doc:"Games of the query"`
	Of    int     `json:"of" doc:"Games of that year in all"`
	Share float64 `json:"share" doc:"Of the one in the other"`
	Low   float64 `json:"low" doc:"Its lower bound"`
	High  float64 `json:"high" doc:"Its upper bound"`
	Rate  float64 `json:"rate" doc:"Of the first side"`
	Rated int     `json:"rated" doc:"Games with a result"`
}

// Tree is the moves behind a board, as a tree.
type Tree struct {
	Move     Move   `json:"move" doc:"Of the root, none: its text is empty"`
	Score    Score  `json:"score"`
	Children []Tree `json:"children" doc:"The most frequent first"`
	Depth    int    `json:"depth,omitempty" doc:"Of the root: how many moves deep the tree may go; less than was asked for where there are very many games"`
	Least    int    `json:"least,omitempty" doc:"Of the root: what fewer games have is left out; more than was asked for where the tree would be too large"`
}

// Comparison is the rates of two queries side by side.
type Comparison struct {
	A          Score   `json:"a"`
	B          Score   `json:"b"`
	Player     bool    `json:"player" doc:"The scores are those of the players whom the queries name"`
	Shared     int     `json:"shared" doc:"Games that both have, of which p knows nothing"`
	Difference float64 `json:"difference" doc:"The rate of b less that of a"`
	Low        float64 `json:"low" doc:"Its 95 % interval"`
	High       float64 `json:"high" doc:"Its upper bound"`
	P          float64 `json:"p" doc:"The chance of a difference at least as large where there is none"`
}

// Explanation tells how a query is answered.
type Explanation struct {
	Query string          `json:"query" doc:"As it was understood"`
	Hints []string        `json:"hints" doc:"What may be meant otherwise"`
	Parts []ExplainedPart `json:"parts" doc:"One for each kind of game"`
}

// ExplainedPart is what a query means for one kind of game.
type ExplainedPart struct {
	Game       string `json:"game" doc:"The kind of game, as a spec"`
	Query      string `json:"query" doc:"What is asked of it"`
	Plan       string `json:"plan" doc:"What the index is asked"`
	Placements int    `json:"placements" doc:"Ways in which the board lies"`
	Blocks     int    `json:"blocks" doc:"Blocks of lines to read"`
	Candidates int64  `json:"candidates" doc:"Lines that the index lets through"`
	Lines      int64  `json:"lines" doc:"Lines that there are"`
}

// Explored is what was played in a position.
type Explored struct {
	Position Position   `json:"position"`
	Games    int        `json:"games" doc:"Games that reach it"`
	Hits     int        `json:"hits" doc:"Occurrences of the position"`
	Of       int64      `json:"of" doc:"Games that there are of this kind"`
	Counted  string     `json:"counted" enum:"records,here" doc:"Which games are counted: records that were read, or games that were played in this program"`
	Apart    int        `json:"apart" doc:"Games that reach it and are not counted: those played here beside records, records beside those"`
	Score    Score      `json:"score"`
	Moves    []NextMove `json:"moves" doc:"What was played, the most frequent first"`
	Openings []Opening  `json:"openings" doc:"Names that the headers of these games give the opening, the most frequent first"`
	Rows     []Hit      `json:"rows" doc:"A page of the games"`
	Next     string     `json:"next" doc:"Cursor of the next page; empty at the end"`
	Query    string     `json:"query" doc:"A query for the same games"`
	Partial  bool       `json:"partial" doc:"Not everything could be looked at"`
	Elapsed  float64    `json:"elapsed" doc:"Milliseconds that it took"`
}

// Occurrences are the places of a board in one record.
type Occurrences struct {
	Hits []Occurrence `json:"hits" doc:"Those of the main line first, and then by ply"`
}

// Occurrence is one place of a board, at the first ply at which it stands there.
type Occurrence struct {
	Ply       int     `json:"ply" doc:"Moves before it"`
	Symmetry  string  `json:"symmetry" doc:"Takes the board as drawn there"`
	Swapped   bool    `json:"swapped" doc:"With the sides exchanged"`
	Region    *Region `json:"region,omitempty" doc:"Where it lies; absent where the query has no board with a place"`
	Variation bool    `json:"variation" doc:"In a line beside the main one"`
}
