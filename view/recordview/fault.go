package recordview

import (
	"qipu/record"
	"qipu/view"
)

// FaultOf returns something wrong with a file or a record, the n-th of its list.
func FaultOf(n int, f *record.Fault) view.Fault {
	return view.Fault{
		Number: n, File: f.Place.File, Record: f.Place.Number, Offset: f.Place.Offset, Line: f.Place.Line, Move: f.Move,
		Kind: f.Kind, Severity: f.Severity.String(), Reason: f.Reason,
	}
}
