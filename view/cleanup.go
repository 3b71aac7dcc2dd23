package view

// Proposal is a correction of headers that may be made in some records.
type Proposal struct {
	ID      string           `json:"id" doc:"Of what it proposes: it stays when records come and go"`
	Kind    string           `json:"kind" enum:"date,colours,result,text,name,team,event" doc:"What it is about: an impossible or missing date, exchanged sides, a missing result, an unreadable text, a missing or cut name, a team in front of a name, a title in the place of the event"`
	Reason  string           `json:"reason" enum:"title,file,players,future,library,encoding,nothing" doc:"What it rests on: the title of the game, the name of the file, the other games of the players, the day it came into the library, names in other records, another encoding of the same bytes, or that nothing of it can be read"`
	Fields  []string         `json:"fields" doc:"Headers that it changes"`
	Before  string           `json:"before" doc:"What the first of the records says now"`
	After   string           `json:"after" doc:"What it would say; empty for unknown"`
	Spelt   int              `json:"spelt" doc:"How many different texts the records have there now"`
	Records int              `json:"records" doc:"How many records it changes"`
	Samples []ProposalSample `json:"samples" doc:"Some of them"`
}

// ProposalSample is what a proposal changes in one record.
type ProposalSample struct {
	ID      uint32           `json:"id" doc:"The number of the record"`
	Changes []ProposalChange `json:"changes" doc:"Header by header"`
}

// ProposalChange is one header before and after.
type ProposalChange struct {
	Field  string `json:"field" doc:"As it is corrected by: first, second, event and so on"`
	Before string `json:"before" doc:"What it says now"`
	After  string `json:"after" doc:"What it would say; empty for unknown"`
}

// ProposalKind counts proposals of a kind.
type ProposalKind struct {
	Kind      string `json:"kind" doc:"As in a proposal"`
	Proposals int    `json:"proposals" doc:"How many there are"`
	Records   int    `json:"records" doc:"How many records they change; one that several change counts for each"`
}

// Proposals is a page of proposals.
type Proposals struct {
	Proposals []Proposal     `json:"proposals" doc:"By kind, those of the most records first"`
	Kinds     []ProposalKind `json:"kinds" doc:"All kinds of which there are some, whatever page this is"`
	Total     int            `json:"total" doc:"How many there are on all pages"`
	Next      string         `json:"next,omitempty" doc:"The cursor of the next page; none on the last"`
}

// ProposalChoice chooses proposals.
type ProposalChoice struct {
	IDs    []string `json:"ids,omitempty" maxItems:"10000" doc:"By their ids"`
	Kind   string   `json:"kind,omitempty" enum:"date,colours,result,text,name,team,event," doc:"Instead of ids: all of this kind"`
	Expect *int     `json:"expect,omitempty" doc:"How many there are of the kind; nothing is changed where there are others"`
}

// ProposalsDone tells what became of proposals.
type ProposalsDone struct {
	Proposals int   `json:"proposals" doc:"How many were chosen"`
	Changed   int   `json:"changed" doc:"How many records have other headers now"`
	Change    int64 `json:"change,omitempty" doc:"The entry of the journal, which can be undone; none where nothing has changed"`
}
