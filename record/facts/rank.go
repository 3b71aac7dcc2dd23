package facts

// Rank is a playing strength in kyu, dan or professional dan. The zero value is
// unknown.
type Rank struct {
	Grade int
	Scale byte // 'k', 'd' or 'p'
}

// ParseRank reads "9p", "5 dan", "初段", "九段", "18k*".
func ParseRank(text string) Rank { return Rank{} }

// Komi is the compensation for moving second, in half points.
type Komi struct {
	Half  int
	Known bool
}

// ParseKomi reads a komi of Go. Numbers that cannot be meant as they stand
// (Fox' KM[375]) are understood where there is one way to, and unknown
// otherwise.
func ParseKomi(text string) Komi { return Komi{} }

// ParseRuleset reads the name of a rule set of Go: "Japanese", "chinese",
// "AGA", "日本".
func ParseRuleset(text string) string { return "" }
