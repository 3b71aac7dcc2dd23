// Package shellwords says what can be done about an error to somebody who sits before a
// command line.
package shellwords

import (
	"strings"

	"qipu/remedy"
)

// sentences has the words for each code; %s is the argument.
var sentences = map[remedy.Code]string{
	remedy.Check:       "run qipu doctor",
	remedy.Repair:      "run qipu doctor --repair: it is made anew from the records",
	remedy.Reindex:     "run qipu reindex",
	remedy.Restore:     "restore the library from a backup, or qipu doctor --salvage DIR gets out what can still be read",
	remedy.Replace:     "go back to a backup with qipu restore, or run qipu delete %s and qipu import for its file",
	remedy.Recollect:   "qipu import --collection makes one",
	remedy.ListPlayers: "qipu %s lists them",
	remedy.ListEdits:   "qipu %s history lists them",
	remedy.MergeNames:  "qipu %s merge makes them one",
	remedy.EditAgain:   "make it again with qipu %s",
	remedy.ListShapes:  "qipu shapes list tells which there are",
	remedy.LintShapes:  "mend the file: qipu shapes lint tells all that is wrong",
	remedy.ListNames:   "qipu names list and qipu query list tell what has a name, qipu query save gives one",
	remedy.BuildNames:  "qipu names build makes the columns that are missing",
	remedy.CheckRecord: "qipu check tells why",
	remedy.Copy:        "qipu copy writes the library into one, and docs/scale.md tells how servers are backed up",
	remedy.Servers:     "see qipu cluster status",
	remedy.Init:        "run qipu cluster init %s",
	remedy.Sweep:       "run qipu cluster sweep",
	remedy.GoOn:        "run the command again: it goes on where it ended",
	remedy.Resend:      "run qipu cluster sweep, and import again what is missing",
}

// without has the words for codes whose argument is not known.
var without = map[remedy.Code]string{
	remedy.Replace: "go back to a backup with qipu restore, or run qipu delete for these games and qipu import for their files",
	remedy.Init:    "run qipu cluster init",
}

// Say returns what to do; nothing for the zero value.
func Say(r remedy.Remedy) string {
	if text, ok := without[r.Code]; ok && r.Arg == "" {
		return text
	}
	return strings.Replace(sentences[r.Code], "%s", r.Arg, 1)
}

// Text returns the text of an error, and what to do about it.
func Text(err error) string {
	if r, ok := remedy.Of(err); ok {
		return err.Error() + ": " + Say(r)
	}
	return err.Error()
}
