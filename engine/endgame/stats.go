package endgame

// Count is what a table says of all positions with one side to move. Pictures of a
// position count, equal men that change places do not.
type Count struct {
	Legal   int64 `json:"legal"`
	Won     int64 `json:"won"`
	Lost    int64 `json:"lost"`
	Drawn   int64 `json:"drawn"`
	Held    int64 `json:"held"`    // of the drawn: held by checks alone, by either side
	Longest int   `json:"longest"` // plies of the longest win, 0 for none
	Defence int   `json:"defence"` // plies of the longest loss
}

// counts looks through a table.
func (v *values) counts() (c [2]Count) {
	var p place
	for side := range c {
		c := &c[side]
		for i, code := range v.of[side] {
			if code == nothing {
				continue
			}
			v.put(&p, i)
			_, same := v.number(&p)
			v.lift(&p)
			n := v.images(same)
			c.Legal += n
			switch {
			case code == unknown:
				c.Drawn += n
			case code >= heldByMover:
				c.Drawn += n
				c.Held += n
			case code&1 == 0:
				c.Won += n
				c.Longest = max(c.Longest, int(code)-1)
			default:
				c.Lost += n
				c.Defence = max(c.Defence, int(code)-1)
			}
		}
	}
	return c
}
