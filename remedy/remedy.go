// Package remedy tells what can be done about an error without telling how. An
// error of a library is read on a command line, on a page and in the log of a
// server, and "run qipu doctor" helps one of them only. Therefore errors carry a
// [Remedy], a code with its argument, and each face of the program says it in its
// own words:
//
//	return remedy.For(err, remedy.Repair)
//	...
//	if r, ok := remedy.Of(err); ok { fmt.Println(sentences[r.Code]) }
package remedy

import "errors"

// Code names something that can be done.
type Code string

// What can be done.
const (
	Check       Code = "check"        // look the library through
	Repair      Code = "repair"       // have damaged parts made anew from the records
	Reindex     Code = "reindex"      // have everything that is derived made anew
	Restore     Code = "restore"      // go back to a backup
	Replace     Code = "replace"      // go back to a backup, or delete a game and import it anew; Arg is its number
	Recollect   Code = "recollect"    // name the collection at an import, which makes it
	ListPlayers Code = "list-players" // look at the names that there are; Arg is of whom: players, events
	ListEdits   Code = "list-edits"   // look at the changes of names; Arg as above
	MergeNames  Code = "merge-names"  // make two one; Arg as above
	EditAgain   Code = "edit-again"   // make a change of names anew; Arg is of whom, and its kind
	ListShapes  Code = "list-shapes"  // look at the shapes that there are
	LintShapes  Code = "lint-shapes"  // have the files of shapes checked
	ListNames   Code = "list-names"   // look at what has a name, or give one
	BuildNames  Code = "build-names"  // have the columns of names made
	CheckRecord Code = "check-record" // have the record checked
	Copy        Code = "copy"         // copy the library into a folder
	Servers     Code = "servers"      // look at the state of the servers
	Init        Code = "init"         // set the servers up; Arg is the address of the library
	Sweep       Code = "sweep"        // clear the servers of what counts for nothing
	GoOn        Code = "go-on"        // run again what was interrupted
	Resend      Code = "resend"       // clear the servers, and import again what is missing
)

// Codes lists all, for faces to check that they have words for each.
var Codes = []Code{
	Check, Repair, Reindex, Restore, Replace, Recollect, ListPlayers, ListEdits, MergeNames, EditAgain, ListShapes, LintShapes,
	ListNames, BuildNames, CheckRecord, Copy, Servers, Init, Sweep, GoOn, Resend,
}

// Remedy is something that can be done about an error. The zero value is nothing.
type Remedy struct {
	Code Code
	Arg  string
}

// With returns a code with its argument.
func (c Code) With(arg string) Remedy { return Remedy{c, arg} }

// fault is an error with what can be done about it.
type fault struct {
	error
	remedy Remedy
}

func (f *fault) Unwrap() error  { return f.error }
func (f *fault) Remedy() Remedy { return f.remedy }

// For returns an error that carries a code. No error stays none.
func For(err error, c Code) error { return ForThis(err, c.With("")) }

// ForThis returns an error that carries a remedy. No error stays none.
func ForThis(err error, r Remedy) error {
	if err == nil {
		return nil
	}
	return &fault{err, r}
}

// Of returns what can be done about an error: that of the outermost error which
// knows, or nothing. Errors with a type of their own tell it by a method Remedy.
func Of(err error) (r Remedy, ok bool) {
	var knows interface {
		error
		Remedy() Remedy
	}
	if errors.As(err, &knows) {
		r = knows.Remedy()
	}
	return r, r.Code != ""
}
