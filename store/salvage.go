package store

// Fate is what became of a game when a damaged library was salvaged.
type Fate struct {
	Game   uint32 `json:"game"`
	State  string `json:"state"`            // FateWhole, FateRebuilt, FateLost
	Reason string `json:"reason,omitempty"` // what is wrong with its remains
}

// What may become of a game.
const (
	FateWhole   = "whole"   // its record was read, every byte of it
	FateRebuilt = "rebuilt" // moves and headers come from a table
	FateLost    = "lost"
)

// Salvaged counts what became of a damaged library.
type Salvaged struct {
	Whole, Rebuilt, Lost int

	// Unnamed is how many games there must have been besides, of which not even the
	// number is known.
	Unnamed int

	// Notes are what people had made and is lost.
	Notes []string
}

// Complete reports whether nothing was lost.
func (s *Salvaged) Complete() bool { return s.Rebuilt+s.Lost+s.Unnamed+len(s.Notes) == 0 }
