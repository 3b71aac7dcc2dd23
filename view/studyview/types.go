package studyview

import (
	"time"

	"qipu/view"
)

// StudySheet is a record with what somebody has written on it.
type StudySheet struct {
	Record    view.FullRecord `json:"record" doc:"The record with what was written on it; it has no sources, tags, collections and links"`
	Nodes     []string        `json:"nodes" doc:"The name of every node of the record, by which changes are made; empty for a forced pass"`
	Written   []StudyWritten  `json:"written" doc:"Nodes that were added or of which something was said"`
	Conflicts []StudyConflict `json:"conflicts" doc:"Where people who did not know of each other said different things"`
	Of        string          `json:"of" doc:"The profile whose it is; empty for that of the library"`
	Writes    bool            `json:"writes" doc:"Whoever asks may write on it"`
	Sharing   string          `json:"sharing" enum:"private,members,public" doc:"Who may read it"`
	Revision  int             `json:"revision" doc:"How many changes were made"`
	Undo      bool            `json:"undo" doc:"There is something of one's own to undo"`
	Redo      bool            `json:"redo" doc:"There is something of one's own to do again"`
	Last      int             `json:"last" doc:"The number of the node that was changed last; -1 where it is not shown"`
	Gone      bool            `json:"gone" doc:"The record itself has been deleted"`
	Stale     bool            `json:"stale" doc:"The record has been replaced by a fuller one since"`
}

// StudyWritten is who has written on a node.
type StudyWritten struct {
	Node  int       `json:"node" doc:"The number of the node in the record"`
	Added bool      `json:"added" doc:"The node is not in the record itself"`
	By    string    `json:"by" doc:"The name of who wrote last; empty for the owner of the library"`
	At    time.Time `json:"at" doc:"When that was"`
}

// StudyConflict is a place where several things stand.
type StudyConflict struct {
	Node   int          `json:"node" doc:"The number of the node in the record"`
	Key    string       `json:"key" doc:"What it is about: comment, glyph, rank, sign/KIND/POINTS; gone for a branch that was deleted while somebody wrote on it, and stays"`
	Values []StudyValue `json:"values" doc:"What stands there; what is shown first"`
}

// StudyValue is one of several things that were said.
type StudyValue struct {
	Value string    `json:"value" doc:"What was said"`
	By    string    `json:"by" doc:"The name of who said it"`
	At    time.Time `json:"at" doc:"When"`
}

// StudyEdits are changes that somebody makes on a sheet: all are made, or none.
type StudyEdits struct {
	Edits []StudyEdit `json:"edits" minItems:"1" maxItems:"200" doc:"In their order"`
	Seen  int         `json:"seen" minimum:"0" doc:"The revision that they were made on"`
	Page  string      `json:"page,omitempty" maxLength:"40" pattern:"^[a-z0-9-]{2,40}$" doc:"A name that no other open page has; it tells changes apart that are made at once"`
	Sent  string      `json:"sent,omitempty" maxLength:"80" doc:"A name of these changes: they are made once, however often they are sent under it"`
}

// StudyEdit is one change.
type StudyEdit struct {
	Do     string `json:"do" enum:"play,comment,glyph,sign,unsign,delete,restore,promote,main,undo,redo" doc:"What to do"`
	Node   string `json:"node,omitempty" maxLength:"60" doc:"The name of the node; the start of the game if empty"`
	Text   string `json:"text,omitempty" maxLength:"65536" doc:"A move in any notation or by the names of its points, a comment, a glyph, the text of a label, or the colour of an arrow or region"`
	Sign   string `json:"sign,omitempty" enum:"triangle,square,circle,cross,label,arrow,region," doc:"Of sign and unsign"`
	Points string `json:"points,omitempty" maxLength:"20" doc:"Of sign and unsign: a point by its name, or two of them parted by a colon"`
}

// StudySharing says who may read a sheet.
type StudySharing struct {
	Sharing string `json:"sharing" enum:"private,members,public" doc:"Its writer, all members, or all who may read the library"`
}

// StudyList lists the sheets on which something is written.
type StudyList struct {
	Sheets []StudyRow `json:"sheets" doc:"By record"`
}

// StudyRow is one sheet in a list.
type StudyRow struct {
	Record  uint32    `json:"record" doc:"The number of the record"`
	Of      string    `json:"of" doc:"The profile whose it is; empty for that of the library"`
	Name    string    `json:"name" doc:"What the profile is called"`
	Sharing string    `json:"sharing" enum:"private,members,public" doc:"Who may read it"`
	Changes int       `json:"changes" doc:"How many were made"`
	Changed time.Time `json:"changed" doc:"When the last was made"`
	Title   string    `json:"title" doc:"Who plays in the record"`
}

// StudyLog is all that was ever written on a sheet.
type StudyLog struct {
	Changes []StudyEntry `json:"changes" doc:"In the order in which they came"`
}

// StudyEntry is one change in the log of a sheet.
type StudyEntry struct {
	Number int       `json:"number" doc:"In the order in which they came"`
	Node   string    `json:"node" doc:"The name of the node"`
	Key    string    `json:"key" doc:"What it is about; empty for a node that was added"`
	Value  string    `json:"value" doc:"What was said, or the move"`
	By     string    `json:"by" doc:"The name of who did it; empty for the owner of the library"`
	At     time.Time `json:"at" doc:"When"`
}
