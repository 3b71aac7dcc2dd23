package view

// Insights are what the games of a query tell about winning, in findings.
type Insights struct {
	Game  string      `json:"game" doc:"The kind of game" example:"xiangqi 9x10"`
	Query string      `json:"query" doc:"What was asked for"`
	At    string      `json:"at" doc:"The moment at which each game is looked at" example:"ply:40"`
	Sides []MinedSide `json:"sides" doc:"What the sides are called"`
	Rows  int         `json:"rows" doc:"Games, or positions, that were looked at"`

	Sets    int      `json:"sets" doc:"Sets of items that are frequent"`
	Tests   int      `json:"tests" doc:"Hypotheses that were tested, told or not"`
	Passed  int      `json:"passed" doc:"Those that are discoveries at the rate"`
	Held    int      `json:"held" doc:"Sets of items of which that holds within strata, too"`
	Rate    float64  `json:"rate" doc:"The rate of false discoveries that was allowed"`
	Control string   `json:"control" doc:"How it is controlled: yekutieli or hochberg"`
	Strata  int      `json:"strata" doc:"Groups of games within which effects are measured"`
	By      []string `json:"by" doc:"What games of a stratum have in common: material, rating, rank, strength, value"`

	Halves Agreement `json:"halves" doc:"How far two halves of the games agree about the findings"`
	Unseen Agreement `json:"unseen" doc:"The same of findings of one half, which the other had no part in"`

	Findings []Finding `json:"findings" doc:"The surest effects first, those about results, then sequences, then what goes together"`
	More     int       `json:"more" doc:"Findings that were left out of the list"`
	Left     []string  `json:"left" doc:"What was left out of the table, as sentences"`
}

// MinedSide is one of two sides.
type MinedSide struct {
	Name string `json:"name" doc:"Its identifier" example:"red"`
}

// Agreement is how far two halves of the games say the same.
type Agreement struct {
	Findings    int     `json:"findings" doc:"About which both halves say something"`
	Correlation float64 `json:"correlation" doc:"Of the effects in both"`
	Same        float64 `json:"same" doc:"The share of findings whose effects have the same sign"`
}

// Finding is something that the games tell.
type Finding struct {
	Kind     string        `json:"kind" doc:"rule: about results. sequence: one item soon after another. together: items that go with each other. next: the next move"`
	Sentence string        `json:"sentence" doc:"What was found, in English"`
	Items    []FindingItem `json:"items" doc:"What it is about; of a sequence, the first and what follows it"`
	Then     []FindingItem `json:"then" doc:"What the items go with, of together: one, or none"`
	Next     string        `json:"next" doc:"The next move that the items go with, of next"`
	Side     int           `json:"side" doc:"From whose view the effect is told"`
	Within   int           `json:"within" doc:"Of a sequence: within so many plies"`

	Games      int     `json:"games" doc:"Games with a result that it is about"`
	Support    float64 `json:"support" doc:"Share of all rows with the items of which the consequent is true"`
	Confidence float64 `json:"confidence" doc:"Share of those with the items of which it is true"`
	Base       float64 `json:"base" doc:"Share of all rows of which it is true"`
	Lift       float64 `json:"lift" doc:"Confidence by base"`
	Leverage   float64 `json:"leverage" doc:"How much more often both are seen than if neither knew of the other"`
	Conviction float64 `json:"conviction" doc:"How many times more often the rule would be wrong if neither knew of the other; 0 where it is never wrong"`

	Effect float64 `json:"effect" doc:"How much more the side scores than like games without it, from -1 to 1"`
	Error  float64 `json:"error" doc:"Of the effect, at 95 %"`
	Odds   float64 `json:"odds" doc:"The odds ratio of winning for the first side by Mantel and Haenszel; 0 for none"`
	Low    float64 `json:"low" doc:"The interval of the odds ratio at 95 %"`
	High   float64 `json:"high" doc:"The interval of the odds ratio at 95 %; 0 for none"`
	P      float64 `json:"p" doc:"Of Fisher's exact test"`
	Q      float64 `json:"q" doc:"The rate of false discoveries at which it is one"`
	Strict float64 `json:"withinQ" doc:"The same of the effect within strata"`
	Folded int     `json:"folded" doc:"Longer rules that say no more"`
	Closed bool    `json:"closed" doc:"No item goes with all of these games beside those of the rule"`

	Query  string `json:"query" doc:"What finds the games behind it"`
	Exact  bool   `json:"exact" doc:"The query finds just these games, and those of them without a result; else more, since a query cannot tell the moment or the side"`
	Record uint32 `json:"record" doc:"A game of it, 0 for none"`
	Ply    int    `json:"ply" doc:"When all of it stands there"`
}

// FindingItem is something that games have or have not.
type FindingItem struct {
	ID    string `json:"id" doc:"Unique in the table" example:"red.bottom-cannon"`
	Name  string `json:"name" doc:"The id of what has a name; empty for a fact" example:"bottom-cannon"`
	Title string `json:"title" doc:"What it is called"`
	Kind  string `json:"kind" doc:"mate, structure, opening, code, shape or fact"`
	Side  int    `json:"side" doc:"Whose it is; -1 for both"`
}
