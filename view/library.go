package view

import "time"

// Library tells what the library has, and what may be done with it.
type Library struct {
	Version     string       `json:"version" doc:"Of the program"`
	Name        string       `json:"name" doc:"Of the folder"`
	Records     int          `json:"records" doc:"How many there are of games that the program knows"`
	Unknown     int          `json:"unknown" doc:"Records of other games: they are kept as they came, and are in no list"`
	ByGame      []GameCount  `json:"byGame" doc:"Records by the kind of game"`
	Collections int          `json:"collections" doc:"How many there are"`
	Tags        int          `json:"tags" doc:"How many there are"`
	Saved       int          `json:"saved" doc:"Queries with a name"`
	Bytes       int64        `json:"bytes" doc:"On disk"`
	Generation  int64        `json:"generation" doc:"Rises with every change"`
	Writable    bool         `json:"writable" doc:"Records can be added"`
	Holder      string       `json:"holder" doc:"Who else writes to it, where it is not writable"`
	Token       bool         `json:"token" doc:"Changes need a token"`
	Owner       bool         `json:"owner" doc:"Whoever asks is the owner: may change it, and see imports and saved queries"`
	Analyses    bool         `json:"analyses" doc:"Whoever asks may have engines think about positions, and name other programs for that"`
	ImportRoot  bool         `json:"importRoot" doc:"Files on the server may be imported by their path"`
	MaxUpload   int64        `json:"maxUpload" doc:"Bytes that one upload may have"`
	Formats     []FormatInfo `json:"formats" doc:"Formats of records that can be read"`
	Sample      int          `json:"sample" doc:"Games of the demo set"`
	Played      int          `json:"played" doc:"Games that the engine has played against itself, and that come with the program"`
}

// GameCount counts the records of a kind of game.
type GameCount struct {
	Game    string `json:"game" doc:"The kind of game, as a spec"`
	Records int    `json:"records" doc:"How many there are"`
}

// FormatInfo describes a format of records.
type FormatInfo struct {
	Name       string   `json:"name" doc:"What parameters call it"`
	Title      string   `json:"title" doc:"What people call it"`
	Extensions []string `json:"extensions" doc:"Of its files"`
	Games      []string `json:"games" doc:"The families of games that it holds"`
	Writes     bool     `json:"writes" doc:"It can be written, and not only read"`
}

// Care is a check of the library, a rebuilding of its tables, or a backup: how far it is, and what it has found.
type Care struct {
	Task     string    `json:"task" doc:"check, repair, reindex, backup or restore; empty where there was none"`
	State    string    `json:"state" doc:"none, running, done, failed, cancelled, or unfinished where the end of the server cut it off"`
	Done     int       `json:"done" doc:"Games that were gone through"`
	Total    int       `json:"total" doc:"Games to go through; 0 where nobody can tell"`
	OK       bool      `json:"ok" doc:"It is done, and nothing is wrong"`
	Made     string    `json:"made" doc:"The backup that was made, or the folder of the library that was restored"`
	Problems []string  `json:"problems" doc:"What is wrong, in words"`
	Error    string    `json:"error" doc:"Why it failed"`
	Started  time.Time `json:"started" doc:"When it began"`
	Elapsed  float64   `json:"elapsed" doc:"Milliseconds that it took so far"`
}

// Backups is the backups of the library that the server keeps.
type Backups struct {
	Folder  string    `json:"folder" doc:"Where they lie; empty where the server was started without a folder for them"`
	Every   float64   `json:"every" doc:"Hours between those that are made by themselves; 0 where none are"`
	Backups []Backup  `json:"backups" doc:"The newest first"`
	Failed  string    `json:"failed" doc:"Why the last one that was due could not be made; empty where it was"`
	Next    time.Time `json:"next" doc:"When the next one is due, where some are made by themselves"`
}

// Backup is a copy of the library as it was at a moment.
type Backup struct {
	Name string    `json:"name" doc:"Of its folder"`
	At   time.Time `json:"at" doc:"When it was made"`
}

// Players is a page of the players of the library.
type Players struct {
	Players []PlayerRow `json:"players" doc:"In the order that was asked for"`
	Total   int         `json:"total" doc:"How many fit"`
	Next    string      `json:"next" doc:"Cursor of the next page; empty at the end"`
}

// PlayerRow is a player with the games that the library has.
type PlayerRow struct {
	Name    string   `json:"name" doc:"That the player is listed under"`
	Aliases []string `json:"aliases" doc:"Other names in the library"`
	Games   int      `json:"games" doc:"Games of the player"`
	Score   Score    `json:"score" doc:"First are the player's wins"`
}

// PlayerDetail is a player with everything that the book knows.
type PlayerDetail struct {
	Name     string      `json:"name" doc:"Under which the player is listed"`
	Known    []string    `json:"known" doc:"All names that the book has"`
	Names    []NameRow   `json:"names" doc:"Names in the library, with their games"`
	Score    Score       `json:"score"`
	Games    []GameCount `json:"games" doc:"Records by the kind of game"`
	Rivals   []Group     `json:"rivals" doc:"By opponent: First are the player's wins"`
	Years    []Group     `json:"years" doc:"By the year"`
	Openings []Group     `json:"openings" doc:"The most frequent first"`
	Query    string      `json:"query" doc:"For the player's games"`
}

// NameRow is a spelling of a player's name.
type NameRow struct {
	Name  string `json:"name" doc:"As records spell it"`
	Games int    `json:"games" doc:"Games under this name"`
}

// Events is a page of the events of the library.
type Events struct {
	Events []EventRow `json:"events" doc:"In the order that was asked for"`
	Total  int        `json:"total" doc:"How many fit"`
	Next   string     `json:"next" doc:"Cursor of the next page; empty at the end"`
}

// EventRow is an event with the games that the library has.
type EventRow struct {
	Name    string   `json:"name" doc:"That the event is listed under"`
	Aliases []string `json:"aliases" doc:"Other names in the library"`
	Games   int      `json:"games" doc:"Games of the event"`
	Since   string   `json:"since" doc:"Day of the first of them, as far as it is known"`
	Until   string   `json:"until" doc:"Day of the last"`
	Query   string   `json:"query" doc:"For these games"`
}

// PlayerEdit says something about the names of players, or of events.
type PlayerEdit struct {
	Op     string   `json:"op" enum:"merge,split,rename" doc:"What to do with them"`
	Names  []string `json:"names" minItems:"1" maxItems:"200" doc:"The names that it is about"`
	Into   string   `json:"into,omitempty" maxLength:"400" doc:"The name to list them under"`
	Force  bool     `json:"force,omitempty" doc:"Take names that neither the library nor the book has"`
	DryRun bool     `json:"dryRun,omitempty" doc:"Tell what would happen, and change nothing"`
}

// PlayerEdited is an edit that was made.
type PlayerEdited struct {
	ID     int64     `json:"id" doc:"0 of a dry run"`
	Op     string    `json:"op" doc:"What was said of them"`
	Names  []string  `json:"names" doc:"The names that it is about"`
	Into   string    `json:"into" doc:"The name that they are listed under"`
	Undone bool      `json:"undone" doc:"It was taken back"`
	At     time.Time `json:"at" doc:"When it was said"`
	Before []string  `json:"before" doc:"What they were listed as before; empty in lists"`
	After  string    `json:"after" doc:"What they are listed as now; empty in lists"`
}

// PlayerEdits lists edits, the last first.
type PlayerEdits struct {
	Edits []PlayerEdited `json:"edits" doc:"The last first"`
}

// Jobs lists imports, the last first.
type Jobs struct {
	Jobs []Job `json:"jobs" doc:"The last first"`
}

// Job is an import.
type Job struct {
	ID         int64      `json:"id" doc:"Its number"`
	By         string     `json:"by" doc:"The profile that sent it; empty for the owner, and for who has none"`
	ByName     string     `json:"byName" doc:"Its name; empty where the profile is gone"`
	Title      string     `json:"title" doc:"What it is called"`
	Source     string     `json:"source" enum:"upload,paste,sample,path,net" doc:"Where its records come from"`
	State      string     `json:"state" enum:"uploading,held,waiting,running,done,failed,cancelled,interrupted" doc:"How far it has come"`
	Collection string     `json:"collection" doc:"The records come into it; empty for none"`
	DryRun     bool       `json:"dryRun" doc:"Only checks: nothing is stored"`
	Variations bool       `json:"variations" doc:"Checks the moves of all lines"`
	Encoding   string     `json:"encoding" doc:"Overrides what files declare"`
	Files      []JobFile  `json:"files" doc:"The first of them"`
	FileCount  int        `json:"fileCount" doc:"How many there are"`
	Bytes      int64      `json:"bytes" doc:"Of all files"`
	Outside    int        `json:"outside" doc:"Links that were left out because they lead out of the import root"`
	Progress   Progress   `json:"progress"`
	Counts     JobCounts  `json:"counts"`
	Faults     int        `json:"faults" doc:"Entries in the list of faults"`
	Change     int64      `json:"change,omitempty" doc:"The entry of the journal, by which it is undone; none where nothing was stored"`
	Error      string     `json:"error" doc:"Why it failed"`
	Hint       string     `json:"hint" doc:"What to do about it"`
	Runs       int        `json:"runs" doc:"How often it was begun or gone on with"`
	Created    time.Time  `json:"created" doc:"When it was sent"`
	Started    *time.Time `json:"started,omitempty" doc:"When it ran first; absent before"`
	Ended      *time.Time `json:"ended,omitempty" doc:"When it came to its end; absent before"`
}

// JobFile is a file of an import.
type JobFile struct {
	Name string `json:"name" doc:"As the user knows it"`
	Size int64  `json:"size" doc:"Bytes"`
}

// Progress tells how far an import has come.
type Progress struct {
	Bytes   int64   `json:"bytes" doc:"Read so far, packed as they are"`
	Total   int64   `json:"total" doc:"Bytes of all files"`
	Files   int64   `json:"files" doc:"Read so far, those in archives too"`
	Records int64   `json:"records" doc:"Read so far"`
	Rate    float64 `json:"rate" doc:"Records a second"`
	Elapsed float64 `json:"elapsed" doc:"Seconds"`
	ETA     float64 `json:"eta" doc:"Seconds that it will still take; -1 where that is not known"`
	Pieces  int     `json:"pieces" doc:"Files or pages that have come from the net"`
	Fetched int64   `json:"fetched" doc:"Bytes of these"`
}

// JobCounts counts what became of the records of an import.
type JobCounts struct {
	Records    int            `json:"records" doc:"Records that were read"`
	New        int            `json:"new" doc:"Games that were not there"`
	Duplicates int            `json:"duplicates" doc:"Records of games that were there"`
	Fuller     int            `json:"fuller" doc:"Took the place of shorter or poorer ones"`
	Twins      int            `json:"twins" doc:"Same moves, other headers: both kept"`
	Marked     int            `json:"marked" doc:"Kept with a mark"`
	Rejected   int            `json:"rejected" doc:"Records or files that could not be read"`
	Legal      int            `json:"legal" doc:"Keep the rules to the end"`
	Skipped    int            `json:"skipped" doc:"Files of no known format"`
	Unchanged  int            `json:"unchanged" doc:"Files that were read before"`
	ByFormat   map[string]int `json:"byFormat" doc:"Files by their format"`
	ByGame     map[string]int `json:"byGame" doc:"Records by their game"`
	ByEncoding map[string]int `json:"byEncoding" doc:"Files by the encoding of their text"`
	ByFault    map[string]int `json:"byFault" doc:"Faults by their kind"`
}

// Faults is a page of what was wrong in an import.
type Faults struct {
	Faults []Fault `json:"faults" doc:"In the order in which they were met"`
	Total  int     `json:"total" doc:"Of all severities"`
	Next   string  `json:"next" doc:"The cursor of the next page; empty where there is none yet"`
	At     string  `json:"at" doc:"The cursor behind this page, for a list that still grows"`
}

// Fault is something wrong with a file or a record.
type Fault struct {
	Number   int    `json:"number" doc:"In the list, from 1"`
	File     string `json:"file" doc:"The file, as the user knows it"`
	Record   int    `json:"record" doc:"Of the record in the file, from 1; 0 where it is about the file"`
	Offset   int64  `json:"offset" doc:"Bytes before the place"`
	Line     int    `json:"line" doc:"From 1; 0 where the file has no lines"`
	Move     int    `json:"move" doc:"Of the move, from 1; 0 where it is about none"`
	Kind     string `json:"kind" doc:"A short stable word for what is wrong"`
	Severity string `json:"severity" enum:"note,marked,rejected" doc:"Whether the record was left out, is there with a mark, or only notable"`
	Reason   string `json:"reason" doc:"What is wrong, in words"`
	Excerpt  string `json:"excerpt" doc:"What stands there, short; may be empty"`
}

// Read tells what a text is taken for.
type Read struct {
	What     string    `json:"what" enum:"records,position,moves,query,words,nothing" doc:"What the text is taken for"`
	Format   string    `json:"format" doc:"Of records"`
	Records  int       `json:"records" doc:"How many"`
	Marked   int       `json:"marked" doc:"Records with a move that breaks the rules"`
	Rejected int       `json:"rejected" doc:"Records that cannot be read"`
	Cut      bool      `json:"cut" doc:"The text is longer than what was looked at"`
	Games    []string  `json:"games" doc:"Kinds of game that it may be of, as specs, the likeliest first"`
	Sure     bool      `json:"sure" doc:"The first of the games leaves no doubt"`
	First    *Summary  `json:"first,omitempty" doc:"The first of the records; its id is 0"`
	Line     string    `json:"line" doc:"Of a position or moves: as the parameter line takes it, in the first of the games"`
	Query    string    `json:"query" doc:"Of a query, and of words"`
	Problem  string    `json:"problem" doc:"What is wrong with the query"`
	Faults   []Fault   `json:"faults" doc:"Of records; the first of them"`
	Preview  *Position `json:"preview,omitempty" doc:"The board of it: of records the end of the first"`
}

// NewJob asks for an import of something that needs no upload.
type NewJob struct {
	Sample     bool     `json:"sample,omitempty" doc:"The demo set"`
	Played     bool     `json:"played,omitempty" doc:"The games that the engine has played against itself"`
	Text       string   `json:"text,omitempty" doc:"Records as text"`
	Name       string   `json:"name,omitempty" maxLength:"400" doc:"What to call the text"`
	Paths      []string `json:"paths,omitempty" maxItems:"1000" doc:"Files below the import root of the server"`
	Collection string   `json:"collection,omitempty" maxLength:"200" doc:"The records come into it; made where there is none"`
	DryRun     bool     `json:"dryRun,omitempty" doc:"Only check: store nothing"`
	Variations bool     `json:"variations,omitempty" doc:"Check the moves of all lines"`
	Title      string   `json:"title,omitempty" maxLength:"200" doc:"What to call the import"`
	Encoding   string   `json:"encoding,omitempty" maxLength:"40" doc:"Overrides what files declare"`
	Again      bool     `json:"again,omitempty" doc:"Read files that are known, too"`
}

// NewFetch says what to fetch from the net.
type NewFetch struct {
	Source     string `json:"source" minLength:"1" maxLength:"2000" doc:"lichess:USER, ogs:USER, or https:// and the address of a public file"`
	Collection string `json:"collection,omitempty" maxLength:"200" doc:"The records come into it; made where there is none"`
}

// Converted is records in another format.
type Converted struct {
	Text    string  `json:"text" doc:"The records; in base64 where the format is no text"`
	Binary  bool    `json:"binary" doc:"The text is base64 of bytes"`
	Format  string  `json:"format" doc:"The format that it is in"`
	Records int     `json:"records" doc:"How many were written"`
	Faults  []Fault `json:"faults" doc:"What was wrong with the records"`
}
