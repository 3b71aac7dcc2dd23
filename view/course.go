package view

// Course is what a net says of a whole game: of each of its positions, and when groups died. It is an opinion.
type Course struct {
	Net     string         `json:"net" doc:"The net whose opinion it is"`
	Version string         `json:"version" doc:"Tells it from other nets of that name"`
	Depth   int            `json:"depth" doc:"How deep it looked: 1 for one look at each position"`
	Moments []CourseMoment `json:"moments" doc:"Of the position before the first move, behind it, and so on along the main line"`
	Falls   []CourseFall   `json:"falls" doc:"Groups that died, by ply"`
}

// CourseMoment is what a net says of a position.
type CourseMoment struct {
	Lead  float64 `json:"lead" doc:"What the first side is expected to lead by in the end, in points"`
	Win   float64 `json:"win" doc:"How likely the first side is to win, from 0 to 1"`
	First float64 `json:"first" doc:"How many points of the board the first side is expected to have in the end, its stones among them"`
	Other float64 `json:"other" doc:"The same of the second side"`
	Clear float64 `json:"clear" doc:"The share of the board of which the net is sure, from 0 to 1"`
}

// CourseFall is a group that was alive, died, and did not come back.
type CourseFall struct {
	Ply    int    `json:"ply" doc:"Behind which it was dead"`
	Side   int    `json:"side" doc:"Whose it was"`
	At     int    `json:"at" doc:"One of its points"`
	Name   string `json:"name" doc:"That point, in letters and figures"`
	Stones int    `json:"stones" doc:"How many stones it had"`
	Taken  bool   `json:"taken" doc:"It was captured then; else the net gave it up"`
}
