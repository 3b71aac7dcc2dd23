package view

import "time"

// Change is an entry of the journal: something that was changed in the library.
type Change struct {
	ID       int64          `json:"id" doc:"Its number, by which it is undone"`
	At       time.Time      `json:"at" doc:"When it was done, or begun"`
	Who      string         `json:"who" doc:"The id of the profile that did it; empty for the owner of the machine"`
	ByName   string         `json:"byName,omitempty" doc:"Its name; empty where there is none, or the profile is gone"`
	Op       string         `json:"op" doc:"What was done: import, add, delete, restore, edit, tag, untag, collect, names, undo and so on"`
	Of       string         `json:"of,omitempty" doc:"Of an undo, what it undoes"`
	Again    bool           `json:"again,omitempty" doc:"Of an undo: it undoes an undo, so that what was undone holds again"`
	Args     map[string]any `json:"args" doc:"What it was about: names, fields, files, counts"`
	What     string         `json:"what" doc:"The same as a sentence in English"`
	Count    int            `json:"count" doc:"How many games, or where it is about none how many other things"`
	Undoes   int64          `json:"undoes,omitempty" doc:"The change that it undoes"`
	UndoneBy int64          `json:"undoneBy,omitempty" doc:"The change that has undone it"`
	Query    string         `json:"query,omitempty" doc:"Finds the games that it was about, as far as they are there"`
	Left     []string       `json:"left,omitempty" doc:"Of an undo, what could not be undone, in sentences"`
}

// Changes is a page of the journal.
type Changes struct {
	Changes []Change `json:"changes" doc:"The newest first"`
	Next    int64    `json:"next,omitempty" doc:"Asks for the page behind this one, as before"`
}

// TrashedRecord is a deleted record that can be brought back.
type TrashedRecord struct {
	ID     uint32    `json:"id" doc:"Its number, which it gets back"`
	Game   string    `json:"game" doc:"The kind of game"`
	First  string    `json:"first" doc:"The player who moves first"`
	Second string    `json:"second" doc:"The other player"`
	Event  string    `json:"event" doc:"Where it was played"`
	Date   string    `json:"date" doc:"When it was played"`
	At     time.Time `json:"at" doc:"When it was deleted"`
	Until  time.Time `json:"until" doc:"When it goes for good"`
	Change int64     `json:"change" doc:"What it was deleted by"`
}

// Trash is a page of deleted records.
type Trash struct {
	Records []TrashedRecord `json:"records" doc:"Those deleted last first"`
	Next    int64           `json:"next,omitempty" doc:"Asks for the page behind this one, as before"`
}

// RecordEdit corrects headers of records.
type RecordEdit struct {
	Selection
	Expect *int              `json:"expect,omitempty" doc:"How many records are selected; nothing is changed where there are others"`
	Set    map[string]string `json:"set" doc:"New values by the names of headers: first, second, result, date, event, round, place, komi, handicap, ruleset, first-rank and so on; an empty one makes it unknown"`
	Reset  []string          `json:"reset,omitempty" doc:"Headers that are to be what the record says again"`
}

// RecordHeader is a header of a record, and what the record says itself.
type RecordHeader struct {
	Name     string `json:"name" doc:"As it is corrected by: first, second, result, date, event, komi and so on"`
	Value    string `json:"value" doc:"What holds; empty where it is unknown"`
	Original string `json:"original" doc:"What the record says itself"`
	Edited   bool   `json:"edited" doc:"It was corrected, be it to the same"`
}

// RecordHeaders are the headers of a record that can be corrected.
type RecordHeaders struct {
	Headers []RecordHeader `json:"headers" doc:"The most important first"`
}

// RecordEdited tells what an edit did.
type RecordEdited struct {
	Records int   `json:"records" doc:"How many were selected"`
	Changed int   `json:"changed" doc:"How many have other headers now"`
	Change  int64 `json:"change,omitempty" doc:"The entry of the journal; none where nothing has changed"`
}

// Purged tells how many records went for good.
type Purged struct {
	Records int `json:"records" doc:"How many"`
}

// Restoring names deleted records.
type Restoring struct {
	IDs []uint32 `json:"ids" minItems:"1" maxItems:"10000" doc:"Their numbers"`
}
