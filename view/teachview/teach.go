// Package teachview has the answers about bots that learnt from games.
package teachview

// Method is a way in which programs learn from games.
type Method struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Year    int    `json:"year"`
	People  string `json:"people"`
	Learns  string `json:"learns" doc:"What is learnt"`
	From    string `json:"from" doc:"From what"`
	How     string `json:"how"`
	Kept    string `json:"kept" doc:"How it is kept"`
	Effect  string `json:"effect" doc:"What its author reported"`
	Reading string `json:"reading" doc:"What is our reading of it"`
}

// Taught is an opponent that learnt from games.
type Taught struct {
	Name      string  `json:"name"`
	Method    string  `json:"method"`
	Game      string  `json:"game"`
	Query     string  `json:"query" doc:"What found the games"`
	Games     int     `json:"games" doc:"How many it learnt from"`
	Seed      uint64  `json:"seed"`
	Positions int     `json:"positions" doc:"Positions of openings that were kept aside, by which it was measured"`
	First     float64 `json:"first" doc:"Share of them in which it likes the move best that was made"`
	Chance    float64 `json:"chance" doc:"The same for a move by chance"`
	C         float64 `json:"c" doc:"(L-H)/(L+H): of the other moves, L are liked less than the one that was made, H more"`
	P         float64 `json:"p,omitempty" doc:"Share of samples of games in which it is no better than the first that it is compared with"`
}

// Line is a thing that was learnt.
type Line struct {
	Text   string  `json:"text"`
	Value  float64 `json:"value"`
	Weight int     `json:"weight" doc:"How often it was met"`
}
