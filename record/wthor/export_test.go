package wthor

import "qipu/record"

// Bind gives the players and the tournament of a game read by this package
// their names, which go into the facts; the tags keep the numbers. Either table
// may be nil; what it would name stays as it is.
func Bind(g *record.Game, players, tournaments *Names) {
	if g.Format != formatName {
		return
	}
	if players != nil {
		g.Faults = without(g.Faults, noPlayers)
		for side, tag := range [2]string{tagBlack, tagWhite} {
			name(g, tag, g.Tag(tag), players, &g.Facts.Players[side].Name)
		}
	}
	if tournaments != nil {
		g.Faults = without(g.Faults, noTournaments)
		name(g, tagTournament, g.Tag(tagTournament), tournaments, &g.Facts.Event)
	}
}

// without returns the faults but those with this reason.
func without(faults []record.Fault, reason string) []record.Fault {
	var kept []record.Fault
	for i := range faults {
		if faults[i].Reason != reason {
			kept = append(kept, faults[i])
		}
	}
	return kept
}
