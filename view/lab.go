package view

// LabRun is what a method of search found on a position.
type LabRun struct {
	Method string     `json:"method" doc:"Its name"`
	Title  string     `json:"title" doc:"What it is called"`
	Source string     `json:"source" doc:"Who and when"`
	Exact  bool       `json:"exact" doc:"Its value is that of minimax of the same depth"`
	Value  float64    `json:"value" doc:"For the side to move, in units of the game"`
	Low    float64    `json:"low" doc:"The least that the value can be, by the method"`
	High   float64    `json:"high" doc:"The most"`
	Move   string     `json:"move" doc:"The best that it found"`
	Line   []string   `json:"line" doc:"What both sides do then"`
	Nodes  int64      `json:"nodes" doc:"Positions entered"`
	Leaves int64      `json:"leaves" doc:"Positions judged or counted at the horizon"`
	Judged int64      `json:"judged" doc:"Positions judged for ordering or for bounds"`
	Kept   int64      `json:"kept" doc:"Positions that it had in memory"`
	Pruned int64      `json:"pruned" doc:"Moves or positions left out unread"`
	Whole  bool       `json:"whole" doc:"No limit ended it"`
	Proved bool       `json:"proved" doc:"The move is proved best, or the game won or not"`
	Note   string     `json:"note" doc:"What else there is to say"`
	Stages []LabStage `json:"stages" doc:"Its rounds, where it reads again and again"`
	Counts Counters   `json:"counters" doc:"What the recorder counted"`
}

// LabStage is one round of a method.
type LabStage struct {
	Depth  int     `json:"depth"`
	Nodes  int64   `json:"nodes"`
	Leaves int64   `json:"leaves"`
	Value  float64 `json:"value"`
	Move   string  `json:"move"`
}

// LabTree is the tree of a search.
type LabTree struct {
	Method string    `json:"method"`
	Nodes  []LabNode `json:"nodes" doc:"In the order in which they were entered"`
	Left   int64     `json:"left" doc:"Positions that were entered and are not here"`
	Events int       `json:"events" doc:"How many there were: each position is entered and left"`
}

// LabNode is a position of a tree.
type LabNode struct {
	Parent int     `json:"parent" doc:"Its place in the list; -1 for a root"`
	Ply    int     `json:"ply"`
	Move   string  `json:"move" doc:"That led there"`
	Alpha  float64 `json:"alpha" doc:"The window, for the side to move, in units of the game"`
	Beta   float64 `json:"beta"`
	Value  float64 `json:"value"`
	Why    string  `json:"why" doc:"Why it was left"`
	Says   string  `json:"says" doc:"The same in a sentence"`
	In     int     `json:"in" doc:"When it was entered, in events"`
	Out    int     `json:"out" doc:"When it was left"`
}

// LabMean is how many leaves a method judges on trees by chance.
type LabMean struct {
	Width   int     `json:"width"`
	Depth   int     `json:"depth"`
	Method  string  `json:"method"`
	Trees   int     `json:"trees"`
	Mean    float64 `json:"mean"`
	Error   float64 `json:"error" doc:"Of the mean"`
	Best    int64   `json:"best" doc:"The least number of leaves"`
	Growth  float64 `json:"growth" doc:"The mean by the mean of a ply less; 0 where that was not counted"`
	Knuth   float64 `json:"knuth" doc:"b/ln b"`
	Pearl   float64 `json:"pearl" doc:"x/(1-x) with x^b + x = 1"`
	Branchy bool    `json:"branchy" doc:"Leaves are sums of what the branches are worth"`
}

// LabKalah is one row of the experiment with Kalah.
type LabKalah struct {
	Game   string  `json:"game"`
	Depth  int     `json:"depth"`
	Method string  `json:"method"`
	Leaves int64   `json:"leaves"`
	Judged int64   `json:"judged"`
	Ratio  float64 `json:"ratio" doc:"ln(leaves of minimax) by ln(leaves): 2 is the limit"`
}

// LabHorizon is a depth that is wrong about a position.
type LabHorizon struct {
	Position string  `json:"position"`
	Depth    int     `json:"depth"`
	Move     string  `json:"move" doc:"What the depth plays"`
	Value    float64 `json:"value" doc:"What it thinks of it"`
	Deeper   float64 `json:"deeper" doc:"What that move is worth read deeper"`
	Better   string  `json:"better" doc:"What reading deeper plays"`
	Kind     string  `json:"kind" enum:"loss,gain" doc:"loss: it pushes a loss over the horizon; gain: it takes early what was not to be had, or what could wait"`
}
