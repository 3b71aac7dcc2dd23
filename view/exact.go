package view

// WholeBoard is what a position is worth when all games from it are read to their ends.
type WholeBoard struct {
	Game     string `json:"game"`
	Position string `json:"position"`
	Rules    string `json:"rules" doc:"What was read by, where a game has several"`
	Value    int    `json:"value" doc:"For the side to move: the margin in points or seeds; 1, 0 or -1 where games are won or lost"`
	Move     string `json:"move" doc:"One that is worth it"`
	Nodes    int64  `json:"nodes" doc:"Positions entered"`
	Known    int64  `json:"known" doc:"Of them, known from before"`
	Kept     int64  `json:"kept" doc:"Positions in memory at the end"`
}
