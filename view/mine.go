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

	Until   int       `json:"until" doc:"The year until which one part of the games goes, about as many as the later ones; 0 where years are not known"`
	Years   Agreement `json:"years" doc:"How far the later games agree with findings that only the earlier had a part in"`
	Values  Agreement `json:"values" doc:"How far results agree with what the evaluation says of the positions, about the findings; 0 findings where the column value is not there"`
	Touched float64   `json:"touched" doc:"The share of the games that a finding about results is about"`

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
	Title    string        `json:"title" doc:"What it is about, in a few words"`
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
	Rank   int     `json:"rank" doc:"Its place among the findings of its kind, from 1, by effect, q, lift, leverage and conviction together: the mean of its ranks by each; 0 of sequences"`
	Folded int     `json:"folded" doc:"Longer rules that say no more"`
	Closed bool    `json:"closed" doc:"No item goes with all of these games beside those of the rule"`

	Query string `json:"query" doc:"What finds the games behind it"`
	Exact bool   `json:"exact" doc:"The query finds just these games, and those of them without a result; else more, since a query cannot tell the moment or the side"`

	Samples []FindingPlace `json:"samples" doc:"Some of the games behind it, from all of the table" maxItems:"20"`
}

// FindingPlace is a position of a game that a finding is about.
type FindingPlace struct {
	Record uint32 `json:"record" doc:"The number of the game"`
	Ply    int    `json:"ply" doc:"When all of it stands there; 0 where it is about no moment"`
}

// FindingItem is something that games have or have not.
type FindingItem struct {
	ID    string `json:"id" doc:"Unique in the table" example:"red.bottom-cannon"`
	Name  string `json:"name" doc:"The id of what has a name; empty for a fact" example:"bottom-cannon"`
	Title string `json:"title" doc:"What it is called"`
	Kind  string `json:"kind" doc:"mate, structure, opening, code, shape or fact"`
	Side  int    `json:"side" doc:"Whose it is; -1 for both"`
}

// Mining is how far a report is that is being made.
type Mining struct {
	Step  string `json:"step" doc:"games: they are read. sets: rules are looked for"`
	Done  int    `json:"done" doc:"So many are done"`
	Total int    `json:"total" doc:"Of so many; 0 where that is not known"`
}

// QueueFinding is a finding that is put into the queue.
type QueueFinding struct {
	Game    string  `json:"game" maxLength:"100" doc:"The kind of game, as insights tell it"`
	Query   string  `json:"query" maxLength:"10000" doc:"What was asked for"`
	At      string  `json:"at" maxLength:"200" doc:"The moment at which games were looked at"`
	Finding Finding `json:"finding" doc:"As insights tell it"`
}

// FindingsQueue is what waits for readers, and what they said.
type FindingsQueue struct {
	Findings   []QueuedFinding   `json:"findings" doc:"Those that want work first"`
	States     []QueueState      `json:"states" doc:"How many there are of each"`
	Agreements []ReaderAgreement `json:"agreements" doc:"How far each two readers agree who have read the same findings"`
}

// QueueState counts the findings of a state.
type QueueState struct {
	State    string `json:"state" doc:"open: nobody has read it. disputed: readers differ. unsure, accepted, rejected: what they say"`
	Findings int    `json:"findings" doc:"How many there are"`
}

// QueuedFinding is a finding that readers judge.
type QueuedFinding struct {
	ID       string           `json:"id" doc:"The same whenever the same is found again"`
	Kind     string           `json:"kind" doc:"rule, sequence, together or next"`
	Game     string           `json:"game" doc:"The kind of game"`
	Among    string           `json:"among" doc:"The query whose games were mined"`
	At       string           `json:"at" doc:"The moment at which they were looked at"`
	Title    string           `json:"title" doc:"What it is about, in a few words"`
	Sentence string           `json:"sentence" doc:"What was found, in English"`
	Query    string           `json:"query" doc:"What finds the games behind it"`
	Games    int              `json:"games" doc:"Games with a result that it is about"`
	Effect   float64          `json:"effect" doc:"How much more the side scores than like games without it, from -1 to 1"`
	Error    float64          `json:"error" doc:"Of the effect, at 95 %"`
	Q        float64          `json:"q" doc:"The rate of false discoveries at which it is one"`
	Samples  []FindingPlace   `json:"samples" doc:"Some of the games behind it"`
	Found    string           `json:"found" doc:"The day on which it was found" example:"2026-01-31"`
	State    string           `json:"state" doc:"open, disputed, unsure, accepted or rejected"`
	Verdicts []FindingVerdict `json:"verdicts" doc:"What readers say, one verdict each"`
	Names    []string         `json:"names" doc:"The ids of what has a name and it is about"`
	Entry    string           `json:"entry" doc:"The name of what it has become: of a query, or the id of a pattern or shape; empty for nothing"`
	As       string           `json:"as" enum:"query,note,pattern,shape" doc:"What it has become: a saved query, a note on the names that it is about, a pattern, a shape"`
	Entered  string           `json:"entered" doc:"The day on which it became one"`
}

// FindingVerdict is what a reader says of a finding.
type FindingVerdict struct {
	Reader string `json:"reader" maxLength:"200" doc:"Who"`
	Says   string `json:"says" enum:"accept,reject,unsure" doc:"What"`
	Reason string `json:"reason" maxLength:"4000" doc:"Why; who rejects a finding gives one"`
	Day    string `json:"day" required:"false" maxLength:"20" doc:"When; today where a verdict is given"`
}

// FindingEntry says what an accepted finding becomes.
type FindingEntry struct {
	Name string `json:"name" maxLength:"200" doc:"The name of the query, or of the pattern that is made; the title of the finding where it is empty"`
	As   string `json:"as" required:"false" enum:"query,note,pattern,shape" doc:"A saved query, a note on the names that it is about, a pattern that stands where all of these stand at once or has the text, or the shape of the text; a query where it is empty"`
	Text string `json:"text" required:"false" maxLength:"100000" doc:"The block of a pattern or shape"`
}

// NameFinding is something that was found about what has a name, and accepted by readers.
type NameFinding struct {
	ID       string   `json:"id" doc:"Of the finding in the queue"`
	Sentence string   `json:"sentence" doc:"What was found, in English"`
	Query    string   `json:"query" doc:"What finds the games behind it"`
	Games    int      `json:"games" doc:"Games with a result that it is about"`
	Found    string   `json:"found" doc:"The day on which it was found" example:"2026-01-31"`
	By       []string `json:"by" doc:"Who has accepted it"`
	Entered  string   `json:"entered" doc:"The day on which it became a note"`
}

// ReaderAgreement is how far two readers agree.
type ReaderAgreement struct {
	Readers  []string `json:"readers" doc:"The two"`
	Findings int      `json:"findings" doc:"That both have read"`
	Same     float64  `json:"same" doc:"The share of which they say the same"`
	Chance   float64  `json:"chance" doc:"The share that they would by chance"`
	Kappa    float64  `json:"kappa" doc:"Cohen's: 0 is chance, 1 is all"`
}
