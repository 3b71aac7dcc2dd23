package sgf

import "strings"

// isHeader holds the properties of a root that are about the whole game, from
// FF[1] to FF[4] and as servers and collections have added them.
var isHeader = set(`
AP ST
AN BR BT CP DT EV GN GC ON OT PB PC PW RE RO RU SO TM US WR WT HA KM
ID BS WS LT TC TT
EVX DTX REX OH JD BC WC LC RL RD GK PX PY NB NW RR
5A SW
TEXTBEFORE TEXTBEHIND ECCO
`)

// others holds the properties of nodes in FF[1] to FF[4]: what a long name may
// stand for.
var others = set(`
B W AB AW AE PL C FF GM CA SZ
AR AS BL BM CR DD DM DO FG GB GW HO IP IT IY KO LB LN MA MN N OB OW PM SE SL SQ
SU TB TE TR TW UC V VW WL
BO CH CI EL EX L M MI NA OM OP OV PD RG RK SC SI TU
`)

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

func isKnown(name string) bool { return isHeader[name] || others[name] }
