package view

// Ending is a table of endings: what is known of all positions with certain men.
type Ending struct {
	Game      string      `json:"game" doc:"The kind of game, as a spec"`
	Ending    string      `json:"ending" doc:"What both sides have, the stronger first" example:"KR-KAAEE"`
	Men       int         `json:"men" doc:"Kings included"`
	First     EndingCount `json:"first" doc:"With the side to move that is named first"`
	Second    EndingCount `json:"second" doc:"With the other side to move"`
	Example   string      `json:"example" doc:"One of the longest wins, as a position text; empty where nothing is won"`
	Positions int64       `json:"positions" doc:"Entries of the table"`
	Bytes     int64       `json:"bytes" doc:"What the file takes"`
	Shipped   bool        `json:"shipped" doc:"It comes with the program"`
	Seconds   float64     `json:"seconds" doc:"How long it took to make; 0 where it was there before"`
}

// EndingCount counts positions with one side to move. Pictures of a position count, equal men that change places do not.
type EndingCount struct {
	Legal   int64 `json:"legal" doc:"Positions that can be"`
	Won     int64 `json:"won" doc:"By the side to move"`
	Drawn   int64 `json:"drawn" doc:"Of the legal ones"`
	Lost    int64 `json:"lost" doc:"By the side to move"`
	Held    int64 `json:"held" doc:"Of the drawn, those that one side holds by giving check for ever and by nothing else"`
	Longest int   `json:"longest" doc:"Plies of the longest win"`
	Defence int   `json:"defence" doc:"Plies of the longest loss"`
}

// Known is the truth about a position, from a table of endings.
type Known struct {
	Game     string      `json:"game" doc:"The kind of game, as a spec"`
	Position string      `json:"position" doc:"As a position text"`
	Ending   string      `json:"ending" example:"KR-KAAEE" doc:"What both sides have; empty where there are too many men for any table"`
	Result   string      `json:"result" enum:"won,drawn,lost," doc:"For the side to move; empty where no table has the position"`
	Plies    int         `json:"plies" doc:"Until the end, where it is won or lost"`
	Checks   string      `json:"checks" doc:"Of a draw that somebody holds by checks alone: self or other, as the side to move sees it; else empty"`
	Moves    []KnownMove `json:"moves" doc:"All legal moves, the best first"`
	Line     []Move      `json:"line" doc:"Best play to the end"`
}

// KnownMove is a move with what it leads to, for who makes it.
type KnownMove struct {
	Move   Move   `json:"move"`
	Result string `json:"result" enum:"won,drawn,lost" doc:"What it leads to"`
	Plies  int    `json:"plies" doc:"Until the end, this move included"`
	Checks string `json:"checks" doc:"As of the position"`
}

// EndingChecked is what a check of a table came to.
type EndingChecked struct {
	Game   string   `json:"game"`
	Ending string   `json:"ending"`
	Asked  int      `json:"asked" doc:"Positions that the rules were asked about"`
	Legal  int      `json:"legal" doc:"Of them, those that can be"`
	Wrong  []string `json:"wrong" doc:"Position texts of which the table says what does not follow from the moves; at most ten"`
	Fault  string   `json:"fault" doc:"Why the file cannot be read; empty where it can"`
}
