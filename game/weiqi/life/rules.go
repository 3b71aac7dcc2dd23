package life

// Rule names what a step applies. The names are part of answers that travel;
// texts in other languages belong to who shows them.
type Rule string

// The rules of the string graph, as paper 004 names them.
const (
	RuleGraph Rule = "graph" // the graph as it is built from the board
	RuleCG    Rule = "cg"
	RuleSR    Rule = "sr"
	RuleER    Rule = "er"
	RuleET    Rule = "et"
	RuleDESR  Rule = "desr"
	RuleSCSR  Rule = "scsr"
	RuleAPC   Rule = "apc"
	RuleASG   Rule = "asg"
	RuleNone  Rule = "no-asg" // no rule is left, and it is not an ASG
	RuleRoom  Rule = "room"   // an area too wide to be divided by two points, and too wide for one eye
)

// The rules of the proofs.
const (
	RuleBenson    Rule = "benson"    // two vital regions of stones that are safe
	RuleTerritory Rule = "territory" // enclosed by safe stones, and no room for two eyes
	RuleChain     Rule = "chain"     // two ways to connect, each of them enough
	RuleOneVital  Rule = "one-vital" // a region that is one sure eye
	RuleTwoVital  Rule = "two-vital" // a region that is two sure eyes
	RuleLasting   Rule = "lasting"   // a region that leaves two liberties, be they eyes or seki
	RuleSafe      Rule = "safe"      // chains with two sure eyes each
	RuleSearch    Rule = "search"    // a search of the region that found no way in
)

// The rules of the verdict.
const (
	RuleWeighed Rule = "weighed" // judged by its surroundings
	RuleEyes    Rule = "eyes"    // two eyes
	RuleNoRoom  Rule = "no-room" // enclosed, without room for two eyes
	RuleCaught  Rule = "caught"  // read out: it can be captured
	RuleRace    Rule = "race"    // a race for liberties
	RuleSeki    Rule = "seki"    // neither side can begin
	RuleJoined  Rule = "joined"  // connected to a string that lives
	RuleTaken   Rule = "taken"   // beside it a string is dead, and it lives by that

	RuleBentFour Rule = "bent-four" // the four in the corner, bent: the other side may begin a ko when it likes
)

var ruleTexts = map[Rule]string{
	RuleGraph:     "the strings, the empty areas, and which contain which",
	RuleCG:        "a circle of strings and empty areas: false eyes that the enemy cannot fill (CG)",
	RuleSR:        "two of one colour and the empty points between them become one (SR)",
	RuleER:        "neighbouring empty areas become one (ER)",
	RuleET:        "an empty area beside one alone is contained in it (ET)",
	RuleDESR:      "a dead enemy string and the empty points beside it become one empty area (DESR)",
	RuleSCSR:      "a string inside, beside two areas, is absorbed (SCSR)",
	RuleAPC:       "an empty area with two points that divide it: two eyes (APC)",
	RuleASG:       "two areas contained: alive (ASG)",
	RuleNone:      "no rule is left, and it contains fewer than two areas: not alive",
	RuleRoom:      "an empty area of six points or more: room for two eyes",
	RuleBenson:    "two vital regions: cannot be captured even if its side always passes (Benson)",
	RuleTerritory: "enclosed by safe stones, and no room to live inside",
	RuleChain:     "two ways to connect, each of them enough",
	RuleOneVital:  "a region that is one sure eye",
	RuleTwoVital:  "a region that is two sure eyes",
	RuleLasting:   "a region that always leaves two liberties, be they eyes or a seki",
	RuleSafe:      "two sure eyes, if every attack on them is answered",
	RuleSearch:    "a search of the region found no way to break it",
	RuleWeighed:   "judged by its surroundings: eyes, liberties, neighbours, influence",
	RuleEyes:      "two eyes",
	RuleNoRoom:    "enclosed, without room for two eyes",
	RuleCaught:    "can be captured: read out",
	RuleRace:      "a race for liberties",
	RuleSeki:      "neither side can begin: seki",
	RuleJoined:    "connected to stones that live",
	RuleTaken:     "beside it enemy stones are dead, and it lives by them",
	RuleBentFour:  "bent four in the corner: the other side can begin the ko when no threat is left, and this side never",
}

// Text returns what the rule says, in English.
func (r Rule) Text() string { return ruleTexts[r] }
