package view

// Counters are the counts of a search.
type Counters struct {
	Nodes  int64        `json:"nodes" doc:"Positions that were entered"`
	Leaves int64        `json:"leaves" doc:"Positions that were judged or counted"`
	Plies  []PlyCount   `json:"plies" doc:"By distance from the root"`
	Left   []NamedCount `json:"left" doc:"Positions by the reason for which they were left: read, horizon, over, quiet, table, forward, proved, shallow, deep, window, stopped"`
	CutAt  []int64      `json:"cutAt" doc:"Cuts by the number of the move that made them, the first move first; the last number stands for all later ones"`
	Hits   int64        `json:"hits" doc:"Positions that the table knew"`
	Untold int64        `json:"untold,omitempty" doc:"Positions that were entered beside these: searches that order moves or ask whether a position is worth reading, the last squares of an ending, other threads"`
	Work   []WorkCount  `json:"work" doc:"Where the time went"`
}

// PlyCount is what happened at one distance from the root.
type PlyCount struct {
	Ply    int   `json:"ply" doc:"Plies from the position that is searched"`
	Nodes  int64 `json:"nodes" doc:"Positions entered there"`
	Leaves int64 `json:"leaves" doc:"Positions judged or counted there"`
}

// NamedCount is a number of something.
type NamedCount struct {
	Name  string `json:"name" doc:"What is counted"`
	Count int64  `json:"count" doc:"How many there were"`
}

// WorkCount is what a kind of work took.
type WorkCount struct {
	Name    string  `json:"name" enum:"generator,evaluation,ordering" doc:"The kind of work"`
	Calls   int64   `json:"calls" doc:"How often it was done"`
	Seconds float64 `json:"seconds" doc:"One call in 64 is timed"`
}
