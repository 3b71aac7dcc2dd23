// Package drillview has the answers about exercises and those who do them.
package drillview

// DrillMade is what was cut from games.
type DrillMade struct {
	Games     int `json:"games"`
	Exercises int `json:"exercises"`

	Looked  int     `json:"looked" doc:"Positions that were read"`
	Checked int     `json:"checked" doc:"Exercises that were read sixteen times deeper"`
	Sound   int     `json:"sound" doc:"Of these, those that stand"`
	Seconds float64 `json:"seconds" doc:"How long it took to cut them"`
}

// Drill is an exercise as it stands for somebody.
type Drill struct {
	Exercise string  `json:"exercise" doc:"Its identifier"`
	Game     string  `json:"game"`
	Position string  `json:"position"`
	Theme    string  `json:"theme" doc:"The ending" example:"KR-KAAEE"`
	Kind     string  `json:"kind" doc:"win where one move wins, save where one holds the draw"`
	Rating   float64 `json:"rating" doc:"How hard it is, on the scale of people"`
	Times    int     `json:"times" doc:"How often it was done"`
	Known    float64 `json:"known" doc:"How likely it is known now"`
	Due      string  `json:"due" doc:"When it should come again; empty where it is new"`
	Source   string  `json:"source" doc:"The game that it is from"`
}
