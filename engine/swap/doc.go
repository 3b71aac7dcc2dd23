// Package swap has engines take part in openings whose first moves are shared out
// between the players: it decides by what positions are worth to an engine.
//
//	answers, err := swap.Decide(ctx, &swap.Opening{Rules: rules, Rule: "swap2", Answers: so far}, think, seed)
//
// Who may take the other colour takes the better one; who has to put stones before the
// other may do so looks for a position that is as even as can be; of points that are
// offered, the one remains that is worst for who offers them. What an engine knows of
// beginnings (Knower) is not read again.
package swap
