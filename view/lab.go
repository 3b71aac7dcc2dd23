package view

import "qipu/board"

// Lab is what there is in the laboratory.
type Lab struct {
	Methods []LabMethod `json:"methods" doc:"In the order of the survey"`
	Games   []LabGame   `json:"games" doc:"On whose positions they can be run, those of the library first"`
	Depth   int         `json:"depth" doc:"The most plies that may be read"`
	Nodes   int64       `json:"nodes" doc:"The most positions that a method may enter for whoever asks"`
	Kept    int         `json:"kept" doc:"The most positions of a tree that are told"`
	Seconds int         `json:"seconds" doc:"How long a method may take for whoever asks"`
}

// LabMethod is a method of search.
type LabMethod struct {
	Method string `json:"method" doc:"Its name"`
	Title  string `json:"title" doc:"What it is called"`
	Source string `json:"source" doc:"Who and when"`
	Exact  bool   `json:"exact" doc:"Its value is that of minimax of the same depth"`
}

// LabGame is a game on whose positions methods can be run.
type LabGame struct {
	Spec   string      `json:"spec" doc:"What to send as the parameter game" example:"kalah"`
	Titles board.Names `json:"titles" doc:"The name of the game"`
	Small  bool        `json:"small" doc:"It is of the laboratory, and in no other list"`
	Words  []string    `json:"words" doc:"What may stand behind the colon of the spec"`
}

// LabRuns are what several methods found on a position.
type LabRuns struct {
	Runs   []LabRun    `json:"runs" doc:"In the order in which they were asked for"`
	Failed []LabFailed `json:"failed" doc:"Those that found nothing"`
}

// LabFailed is a method that found nothing.
type LabFailed struct {
	Method string `json:"method" doc:"Its name"`
	Why    string `json:"why" doc:"In a sentence"`
}

// LabRun is what a method of search found on a position.
type LabRun struct {
	LabMethod
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
	Depth  int     `json:"depth" doc:"Plies read"`
	Nodes  int64   `json:"nodes" doc:"Positions entered"`
	Leaves int64   `json:"leaves" doc:"Positions judged or counted at the horizon"`
	Value  float64 `json:"value" doc:"For the side to move, in units of the game"`
	Move   string  `json:"move" doc:"The best that it found"`
}

// LabTree is the tree of a search.
type LabTree struct {
	Method string    `json:"method" doc:"Its name"`
	Turn   int       `json:"turn" doc:"The side to move in the position that is searched"`
	Nodes  []LabNode `json:"nodes" doc:"Each behind the one that it was reached from"`
	Left   int64     `json:"left" doc:"Positions that were entered and are not here"`
	Events int       `json:"events" doc:"How many there were: each position is entered and left"`
	Run    LabRun    `json:"run" doc:"What the method found"`
}

// LabNode is a position of a tree.
type LabNode struct {
	Parent int     `json:"parent" doc:"Its place in the list; -1 for a root"`
	Ply    int     `json:"ply" doc:"Plies from the position that is searched"`
	Move   string  `json:"move" doc:"That led there"`
	Again  bool    `json:"again,omitempty" doc:"The side that made the move moves once more"`
	Alpha  float64 `json:"alpha" doc:"The lower end of the window, for the side to move, in units of the game"`
	Beta   float64 `json:"beta" doc:"Its upper end"`
	Value  float64 `json:"value" doc:"For the side to move, in units of the game"`
	Why    string  `json:"why" doc:"Why it was left"`
	At     int     `json:"at,omitempty" doc:"The number of the move that cut, from 1"`
	Says   string  `json:"says,omitempty" doc:"Why it was left, in a sentence"`
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

// LabKalah is one row of the experiment with Kalah: means over positions.
type LabKalah struct {
	Game       string  `json:"game"`
	Depth      int     `json:"depth"`
	Method     string  `json:"method" doc:"staged: its last stage; all stages: the same with the stages before it"`
	Positions  int     `json:"positions"`
	Leaves     float64 `json:"leaves"`
	Judged     float64 `json:"judged" doc:"Positions judged for the order"`
	Ratio      float64 `json:"ratio" doc:"ln(leaves of minimax) by ln(leaves): 2 is the limit"`
	RatioError float64 `json:"ratioError" doc:"Standard error of the mean"`
	Above      float64 `json:"above" doc:"How much the ratio is above that of fixed ordering, position by position"`
	AboveError float64 `json:"aboveError"`
}

// LabTable is one row of the table of Fuller, Gaschnig and Gillogly.
type LabTable struct {
	Width    int       `json:"width"`
	Depth    int       `json:"depth"`
	Trees    int       `json:"trees"`
	All      float64   `json:"all" doc:"Leaves of the tree"`
	Best     int64     `json:"best" doc:"The least number of leaves that alpha-beta judges"`
	Expected float64   `json:"expected" doc:"The exact mean for depth 2; 0 for others"`
	Means    []LabMean `json:"means"`
}

// LabGrowth is how many times more leaves a ply more costs.
type LabGrowth struct {
	Width          int     `json:"width"`
	Depth          int     `json:"depth" doc:"The deeper of the two that were measured, two plies apart"`
	Trees          int     `json:"trees"`
	AlphaBeta      float64 `json:"alphabeta"`
	AlphaBetaError float64 `json:"alphabetaError"`
	Shallow        float64 `json:"shallow"`
	ShallowError   float64 `json:"shallowError"`
	Knuth          float64 `json:"knuth" doc:"b/ln b"`
	Pearl          float64 `json:"pearl" doc:"x/(1-x) with x^b + x = 1"`
	Least          float64 `json:"least" doc:"The root of b"`
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
