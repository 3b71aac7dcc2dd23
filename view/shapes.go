package view

import "qipu/board"

// Shape is an entry of the knowledge base of Go shapes.
type Shape struct {
	ID        string         `json:"id" doc:"One of its kind in the base"`
	Names     board.Names    `json:"names" doc:"Its own, or those of its main term"`
	Aliases   []string       `json:"aliases" doc:"Other names"`
	Terms     []string       `json:"terms" doc:"Ids, the main one first"`
	Purposes  []string       `json:"purposes" doc:"Words, as in the list of all purposes"`
	Urgency   int            `json:"urgency" doc:"4 urgent, 3 important, 2 ordinary, 1 special cases"`
	Avoid     bool           `json:"avoid" doc:"The points are to be kept away from"`
	Size      board.Size     `json:"size"`
	Cells     []int          `json:"cells" doc:"Row by row, the sum of what may be there: 1 empty, 2 own, 4 enemy, 8 outside the board"`
	Ours      []int          `json:"ours" doc:"The good points of own, as indices of cells"`
	Theirs    []int          `json:"theirs" doc:"Those of the enemy"`
	Place     string         `json:"place" doc:"Two digits, the lines of the middle point; empty for anywhere"`
	Pictures  int            `json:"pictures" doc:"How many orientations look different: computed"`
	Overrides []string       `json:"overrides" doc:"Ids of shapes, or term:id, whose advice this one replaces"`
	Origin    string         `json:"origin" enum:"hand,paper,mined,user" doc:"Where it comes from"`
	Source    string         `json:"source" doc:"The same in words"`
	Note      string         `json:"note" doc:"What else is worth knowing"`
	Layer     string         `json:"layer" enum:"shipped,folder,library" doc:"Where it is kept: one of the library can be changed"`
	Evidence  *ShapeEvidence `json:"evidence,omitempty" doc:"What records say of it"`
}

// ShapeEvidence is how a shape fared in records.
type ShapeEvidence struct {
	Seen     int            `json:"seen" doc:"How often it stood: stretches of moves"`
	Ours     int            `json:"ours" doc:"How often own then played a good point of its own"`
	Theirs   int            `json:"theirs" doc:"How often the enemy played one of its"`
	Rate     float64        `json:"rate" doc:"Of the times it stood, those in which the side with the good points played one"`
	Stale    bool           `json:"stale" doc:"The diagram was changed since this was counted"`
	Examples []ShapeExample `json:"examples" doc:"Places where it stood and was played"`
}

// ShapeExample is a place in a record, by reference.
type ShapeExample struct {
	File   string `json:"file" doc:"Of the record, in its source"`
	Ply    int    `json:"ply" doc:"Moves played before the good point"`
	Title  string `json:"title" doc:"Players and date, as far as they are known"`
	Record uint32 `json:"record,omitempty" doc:"Its number, where the library has the record and a single shape was asked for"`
}

// ShapeTerm is a term of the game with the number of its shapes.
type ShapeTerm struct {
	ID       string      `json:"id" doc:"One of its kind in the base"`
	Names    board.Names `json:"names"`
	Aliases  []string    `json:"aliases" doc:"Other names"`
	Purposes []string    `json:"purposes" doc:"That its shapes usually have"`
	Form     string      `json:"form" enum:"move,shape" doc:"Whether it names the move or the stones"`
	Note     string      `json:"note" doc:"What else is worth knowing"`
	Shapes   int         `json:"shapes" doc:"How many are sorted under it"`
}

// ShapePurpose is a thing that a shape may be good for.
type ShapePurpose struct {
	Word   string      `json:"word" doc:"That filters take"`
	Names  board.Names `json:"names"`
	Shapes int         `json:"shapes" doc:"How many have it"`
}

// Shapes is a page of the base.
type Shapes struct {
	Shapes []Shape `json:"shapes" doc:"Of this page"`
	Total  int     `json:"total" doc:"That fit the filters"`
	Next   string  `json:"next" doc:"Cursor of the next page; empty on the last"`
}

// ShapeIndex tells what the base is sorted by.
type ShapeIndex struct {
	Total     int            `json:"total" doc:"Shapes in all"`
	Terms     []ShapeTerm    `json:"terms" doc:"In the order of the base"`
	Purposes  []ShapePurpose `json:"purposes" doc:"All that there are"`
	Urgencies []int          `json:"urgencies" doc:"How many shapes are special, ordinary, important, urgent"`
	Mined     int            `json:"mined" doc:"How many were found in records"`
	Own       int            `json:"own" doc:"How many the library has added or changed"`
	Writable  bool           `json:"writable" doc:"Shapes can be changed, by whoever may write"`
}

// ShapeDetail is one shape with all that is known of it.
type ShapeDetail struct {
	Shape    Shape          `json:"shape"`
	Text     string         `json:"text" doc:"As it is written in files"`
	Paper    string         `json:"paper" doc:"In the field form of the paper; empty where that has no form for it"`
	Query    string         `json:"query" doc:"What finds it in the records"`
	Checks   []ShapeCheck   `json:"checks" doc:"Its fixtures"`
	Findings []ShapeFinding `json:"findings" doc:"What lint says of it"`
	Found    []NameFinding  `json:"found" doc:"What was found in records about it or its terms, and accepted by readers"`
}

// ShapeCheck is a fixture: a part of a board.
type ShapeCheck struct {
	Match bool       `json:"match" doc:"Whether the shape stands there"`
	Size  board.Size `json:"size"`
	Cells []int      `json:"cells" doc:"1 empty, 2 own, 4 enemy, 8 outside the board"`
	Spots []int      `json:"spots" doc:"Where the good points lie, as indices of cells"`
}

// ShapeText is a shape as text.
type ShapeText struct {
	Text string `json:"text" maxLength:"65536" doc:"Blocks as in files of shapes"`
}

// ShapeFinding is something that lint found.
type ShapeFinding struct {
	Kind   string `json:"kind" doc:"identical, implied, contradictory, unreachable, unnamed, fixture, override, evidence or syntax"`
	Weight string `json:"weight" enum:"error,warning" doc:"How bad it is"`
	ID     string `json:"id" doc:"Of the shape; empty for a fault of a file"`
	Other  string `json:"other" doc:"Of the other shape of a pair"`
	File   string `json:"file" doc:"That it is about; empty for none"`
	Line   int    `json:"line" doc:"There, counted from 1"`
	Text   string `json:"text" doc:"In words, with what to do"`
}

// ShapeReport is what lint says.
type ShapeReport struct {
	Shape    *Shape         `json:"shape,omitempty" doc:"As it was understood, where a text was asked about"`
	Findings []ShapeFinding `json:"findings" doc:"What it found; nothing where all is well"`
	Total    int            `json:"total" doc:"How many findings there are: of very many, not all are told"`
	Shapes   int            `json:"shapes" doc:"How many were looked at"`
	Millis   int            `json:"millis" doc:"How long it took"`
}

// Advice is what the base says of a position.
type Advice struct {
	Points []AdvicePoint `json:"points" doc:"The most urgent first"`
	Likely []LikelyMove  `json:"likely" doc:"What players of records would play, by local patterns alone, the likeliest first"`
	Hints  []Hint        `json:"hints" doc:"At most five moves of the side to move, by the engine, the best first; empty where it does not see the board"`
}

// Hint is a move that the engine would think of, and why.
type Hint struct {
	Point   int            `json:"point" doc:"Row by row from the top left; -1 for a pass"`
	Name    string         `json:"name" doc:"Of the point"`
	Chance  float64        `json:"chance" doc:"How likely strong players make the move: a guess of the net, less where reading refutes it"`
	Before  float64        `json:"before" doc:"The lead of the side to move, in points, as the net expects it: the mean of what it says of the position and of the best that follows"`
	After   float64        `json:"after" doc:"The same behind the move"`
	Lives   []string       `json:"lives" doc:"Strings whose fate is open before the move and that live behind it, as the net has it, each by the name of a point"`
	Dies    []string       `json:"dies" doc:"And those that die by it"`
	Reasons []AdviceReason `json:"reasons" doc:"The shapes of the base that speak for the point"`
	Refuted bool           `json:"refuted" doc:"Reading refutes the move: what runs there is taken by a ladder"`
}

// AdvicePoint is a point that shapes say something about.
type AdvicePoint struct {
	Point   int            `json:"point" doc:"Row by row from the top left"`
	Name    string         `json:"name" doc:"Of the point"`
	Side    int            `json:"side" doc:"Who should play there: 0 the first side, 1 the second"`
	Urgency int            `json:"urgency" doc:"The highest of its reasons that stand; of all where none stands"`
	Avoid   bool           `json:"avoid" doc:"Shapes say to keep away from it"`
	Refused bool           `json:"refused" doc:"No shape speaks for it that conditions let stand"`
	Refuted bool           `json:"refuted" doc:"Reading refutes it: what runs there is taken by a ladder"`
	Reasons []AdviceReason `json:"reasons" doc:"The shapes that speak of it, those that people wrote first; not all, where there are many"`
}

// AdviceReason is one shape that speaks for a point, or against it.
type AdviceReason struct {
	Shape    string      `json:"shape" doc:"Its id"`
	Names    board.Names `json:"names"`
	Purposes []string    `json:"purposes" doc:"What it is good for there"`
	Urgency  int         `json:"urgency" doc:"As the shape says"`
	Avoid    bool        `json:"avoid" doc:"It speaks against the point"`
	Theirs   bool        `json:"theirs" doc:"The shape is that of the other side: to play here is to take its point"`
	Refused  string      `json:"refused" doc:"The condition that it does not meet; empty where it stands"`
	Stones   []int       `json:"stones" doc:"The points that the shape covers, row by row from the top left"`
}

// LikelyMove is a guess.
type LikelyMove struct {
	Point int     `json:"point" doc:"Row by row from the top left"`
	Name  string  `json:"name" doc:"Of the point"`
	Share float64 `json:"share" doc:"Of the players who would play it: probability"`
}

// ShapeQuestion is a task: find the good point.
type ShapeQuestion struct {
	Shape  string     `json:"shape" doc:"Its id"`
	Size   board.Size `json:"size"`
	Cells  []int      `json:"cells" doc:"1 empty, 2 own, 4 enemy, 8 outside the board"`
	Answer []int      `json:"answer" doc:"Indices of cells that are right"`
	Avoid  bool       `json:"avoid" doc:"Find the point that one must not play"`
}

// ShapeQuestions is a list of tasks.
type ShapeQuestions struct {
	Questions []ShapeQuestion `json:"questions" doc:"In the order to be asked"`
}
