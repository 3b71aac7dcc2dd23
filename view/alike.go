package view

// MinedTree is a decision tree from what was on the board to what came of it.
type MinedTree struct {
	Game      string      `json:"game" doc:"The kind of game"`
	Query     string      `json:"query" doc:"Whose games it was learnt from"`
	At        string      `json:"at" doc:"The moment of each game until which columns know it"`
	Judgement string      `json:"judgement" doc:"What is foretold: result or value, from the view of the first side"`
	Method    string      `json:"method" enum:"CART,C4.5" doc:"How it was grown"`
	Given     bool        `json:"given" doc:"Leaves tell what is to be added to what material and ratings say"`
	Rows      int         `json:"rows" doc:"It was learnt from"`
	Columns   int         `json:"columns" doc:"That it could choose from"`
	Left      []string    `json:"left" doc:"What was left out, in words"`
	Nodes     []TreeNode  `json:"nodes" doc:"The root first, then what is below each"`
	Sentences []string    `json:"sentences" doc:"One for each leaf"`
	Checks    []TreeCheck `json:"checks" doc:"Held against rows that were not learnt from"`
	Says      string      `json:"says" doc:"Whether the tree is better than material and ratings alone, and the evaluation where it is asked for"`
}

// TreeNode is a node of a decision tree.
type TreeNode struct {
	Parent int     `json:"parent" doc:"The number of the node above; -1 for the root"`
	Ask    string  `json:"ask" doc:"What the branch to it asks for"`
	Leaf   bool    `json:"leaf" doc:"Nothing is below it"`
	Rows   int     `json:"rows" doc:"That it is true of"`
	Score  float64 `json:"score" doc:"Of the first side in these rows, as it was"`
	Value  float64 `json:"value" doc:"What is to be expected: the score, held back by what is above it"`
	Low    float64 `json:"low" doc:"The lower bound of the value at 95 %"`
	High   float64 `json:"high" doc:"The upper bound"`
}

// TreeCheck is how ways to foretell fared on rows that they had not seen.
type TreeCheck struct {
	By     string      `json:"by" enum:"opening,players" doc:"What rows on both sides of a split do not share"`
	Models []TreeModel `json:"models" doc:"The simplest first"`
}

// TreeModel is one way to foretell.
type TreeModel struct {
	Name  string  `json:"name" doc:"constant, base (material and ratings), CART, C4.5, given (CART on top of the base), forest"`
	Loss  float64 `json:"loss" doc:"Log loss in nats: less is better"`
	Gain  float64 `json:"gain" doc:"How much less that is than the base's"`
	Error float64 `json:"error" doc:"The standard error of the gain"`
	AUC   float64 `json:"auc" doc:"How often a game that was won had a higher value than one that was lost; 0 where there are none"`
	Gap   float64 `json:"gap" doc:"How far values and scores are apart, in the mean of ten bins"`
}

// MinedClusters are things that are alike, put together.
type MinedClusters struct {
	Game       string           `json:"game" doc:"The kind of game"`
	Sort       string           `json:"sort" enum:"patterns,openings,players" doc:"What was put together"`
	By         string           `json:"by" doc:"What makes patterns alike: together, place, follows or all; empty for others"`
	Games      int              `json:"games" doc:"That were read"`
	Groups     int              `json:"groups" doc:"How many there are"`
	Silhouette float64          `json:"silhouette" doc:"How much nearer things are to their own group than to the next, from -1 to 1"`
	Same       float64          `json:"same" doc:"How far hierarchy and map agree: 1 wholly, 0 as by chance"`
	Things     []ClusteredThing `json:"things" doc:"In the order of the hierarchy"`
	Width      int              `json:"width" doc:"Of the map, in cells"`
	Height     int              `json:"height" doc:"Of the map"`
	Borders    []float64        `json:"borders" doc:"How unlike its neighbours each cell is, row by row"`
	Torn       float64          `json:"torn" doc:"The share of things whose second best cell is no neighbour of the best"`
	Truth      []ClusterTruth   `json:"truth" doc:"Held against what is known by other means"`
	Left       []string         `json:"left" doc:"What was left out, in words"`
}

// ClusteredThing is one of the things that were put together.
type ClusteredThing struct {
	ID       string `json:"id" doc:"The pattern, opening or player"`
	Title    string `json:"title" doc:"What it is called"`
	Link     string `json:"link" doc:"Its page; empty for none"`
	Games    int    `json:"games" doc:"That have it"`
	Group    int    `json:"group" doc:"In the hierarchy, from 0"`
	MapGroup int    `json:"mapGroup" doc:"On the map"`
	Cell     int    `json:"cell" doc:"Of the map, row by row"`
}

// ClusterTruth is how far clusters agree with classes that were not looked at.
type ClusterTruth struct {
	What      string  `json:"what" doc:"The classes"`
	Of        string  `json:"of" enum:"hierarchy,map" doc:"Which clusters are compared"`
	Games     int     `json:"games" doc:"That have a class"`
	Groups    int     `json:"groups" doc:"How many clusters there are"`
	Classes   int     `json:"classes" doc:"How many classes there are"`
	Purity    float64 `json:"purity" doc:"The share of games that are of the most frequent class of their group"`
	Chance    float64 `json:"chance" doc:"The same where games are put into these groups blindly"`
	Precision float64 `json:"precision" doc:"Of pairs in one group: so many are of one class"`
	Recall    float64 `json:"recall" doc:"Of pairs of one class: so many are in one group"`
	Rand      float64 `json:"rand" doc:"Adjusted: 1 for the same grouping, 0 for chance"`
}

// LikeGames are games that are like one.
type LikeGames struct {
	Record uint32     `json:"record" doc:"The number of the record that was asked about; 0 where it is not of the library"`
	Of     int        `json:"of" doc:"Games that were compared"`
	Rows   []LikeGame `json:"rows" doc:"The most alike first"`
	Left   []string   `json:"left" doc:"What was left out, in words"`
}

// LikeGame is a game that is like another.
type LikeGame struct {
	ID      uint32   `json:"id" doc:"The number of the record"`
	Players []string `json:"players" doc:"Of the first and of the second side; empty where that is not known"`
	Year    int      `json:"year" doc:"0 where that is not known"`
	Opening string   `json:"opening" doc:"Its code, or what its record calls it"`
	Result  string   `json:"result" enum:"unknown,first,second,draw,none" doc:"Who won"`
	Plies   int      `json:"plies" doc:"How long it is"`
	Like    float64  `json:"like" doc:"From 0 to 1: what both do, rare things counting more"`
	Shared  int      `json:"shared" doc:"The last ply of the first forty at which both had the same board; 0 for none"`
}

// LikeMeasure is how much games that are told to be alike have in common otherwise.
type LikeMeasure struct {
	Game          string   `json:"game" doc:"The kind of game"`
	Tried         int      `json:"tried" doc:"Games whose ten nearest were asked for"`
	Opening       float64  `json:"opening" doc:"The share of the nearest that have the same opening"`
	OpeningChance float64  `json:"openingChance" doc:"The same of games drawn blindly"`
	Player        float64  `json:"player" doc:"The share of the nearest in which one of both players plays"`
	PlayerChance  float64  `json:"playerChance" doc:"The same of games drawn blindly"`
	Left          []string `json:"left" doc:"What was left out, in words"`
}

// Habit is something that is on the board more often, or more seldom, than it would be if something else did not matter.
type Habit struct {
	Name     string  `json:"name" doc:"Its id"`
	Title    string  `json:"title" doc:"What it is called"`
	Kind     string  `json:"kind" doc:"mate, structure, opening, code or shape"`
	Other    bool    `json:"other" doc:"It is the other side's"`
	Have     int     `json:"have" doc:"So many games have it"`
	Of       int     `json:"of" doc:"Of so many"`
	Expected float64 `json:"expected" doc:"So many would have it"`
	Lift     float64 `json:"lift" doc:"How many times as often it is there; 0 where none was expected"`
	Z        float64 `json:"z" doc:"By how many standard deviations that is more"`
	Query    string  `json:"query" doc:"What finds it in records"`
}

// Habits are what is not by chance.
type Habits struct {
	Of     int     `json:"of" doc:"Sides of games that were looked at"`
	Tested int     `json:"tested" doc:"Things that were looked at; of those listed about one in a hundred is by chance"`
	More   []Habit `json:"more" doc:"More often, the most certain first"`
	Less   []Habit `json:"less" doc:"More seldom"`
}

// PlayerStyle is how a player plays.
type PlayerStyle struct {
	Game   string        `json:"game" doc:"The kind of game"`
	Player string        `json:"player" doc:"The name under which the player is listed"`
	Games  int           `json:"games" doc:"Of the player"`
	Like   []PlayerAlike `json:"like" doc:"Who plays most like the player"`
	Habits Habits        `json:"habits" doc:"What the player does that others do not"`
	Left   []string      `json:"left" doc:"What was left out, in words"`
}

// PlayerAlike is a player who plays like another.
type PlayerAlike struct {
	Name  string  `json:"name" doc:"Of the player"`
	Games int     `json:"games" doc:"Of the player in the library"`
	Like  float64 `json:"like" doc:"From -1 to 1: how far both differ from all players in the same way"`
}

// Authorship is how often the player of an unseen game is known by what is done on the board.
type Authorship struct {
	Game    string  `json:"game" doc:"The kind of game"`
	Unseen  string  `json:"unseen" enum:"by chance,the latest" doc:"Which fifth of the games was not learnt from"`
	Players int     `json:"players" doc:"Among whom"`
	Tried   int     `json:"tried" doc:"Games that were asked about"`
	First   float64 `json:"first" doc:"The share in which the player came first"`
	Five    float64 `json:"five" doc:"The share in which the player was among the first five"`
	Chance  float64 `json:"chance" doc:"The share of the first by chance"`
	Most    float64 `json:"most" doc:"The share of the first where it is always the player with most games"`
}
