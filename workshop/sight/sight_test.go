package sight

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/engine/puct"
	"qipu/game/weiqi/life"
	"qipu/record"
	"qipu/record/sgf"
)

// played reads games of Go.
func played(t *testing.T, text string) (list []*record.Played) {
	t.Helper()
	referee := record.NewReferee(builtin.Games())
	for g, err := range sgf.Format.Read(&record.Source{Name: "test.sgf", Reader: strings.NewReader(text), Size: -1}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, referee.Play(g))
	}
	return list
}

// TestPack packs a counted game, a copy of it and one that is too short.
func TestPack(t *testing.T) {
	moves := ";B[da];W[ea];B[db];W[eb];B[dc];W[ec];B[dd];W[ed];B[de];W[ee];B[df];W[ef];B[dg];W[eg];B[dh];W[eh];B[di];W[ei];B[];W[]"
	text := "(;GM[1]SZ[9]KM[7.5]RU[Chinese]RE[W+16.5]" + moves + ")(;GM[1]SZ[9]KM[7.5]RU[Chinese]RE[W+16.5]" + moves + ")(;GM[1]SZ[9];B[da])"
	var b bytes.Buffer
	p := NewPacker(&b)
	for _, g := range played(t, text) {
		if err := p.Add(g, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if p.Games != 1 || p.Twice != 1 || p.Left != 1 || p.Owners != 1 || p.Moves != 20 {
		t.Fatalf("%+v", p.Packed)
	}
	data := b.Bytes()
	if !bytes.HasPrefix(data, []byte(magic)) {
		t.Fatal("no beginning")
	}
	data = data[len(magic):]
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(data[at:])) }
	if data[0] != 9 || data[1] != 9 || data[2]&^flagHeld != flagOwners|flagArea|flagPro || int8(data[3]) != -1 || u16(4) != 15 || int16(u16(6)) != -33 || u16(8) != 0 || u16(10) != 20 {
		t.Fatalf("%v", data[:12])
	}
	if u16(12) != 3 || u16(14) != 4|white || u16(12+2*18) != 81 {
		t.Errorf("moves %v", data[12:52])
	}
	owners := data[12+2*20:]
	if len(owners) != 21 {
		t.Fatalf("%d bytes of owners", len(owners))
	}
	for i := range 81 {
		want := byte(1) // Black's
		if i%9 >= 4 {
			want = 2
		}
		if got := owners[i/4] >> (2 * (i % 4)) & 3; got != want {
			t.Errorf("point %d: %d, want %d", i, got, want)
		}
	}
}

// TestMeter asks for the moves of a game that everybody plays.
func TestMeter(t *testing.T) {
	m, err := NewMeter(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range played(t, "(;GM[1]SZ[19]KM[6.5];B[pd];W[dd];B[pp];W[dp])(;GM[1]SZ[9];B[ee])") {
		m.Add(g, true)
	}
	if r := m.Result(); r.Positions != 4 || r.Top5 < 0.75 || r.Top1 > r.Top5 {
		t.Errorf("%+v", r)
	}
}

// TestHints makes lists of hints at the moves of a game that everybody plays.
func TestHints(t *testing.T) {
	m, err := NewMeter(1)
	if err != nil {
		t.Fatal(err)
	}
	e, err := puct.New(puct.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	m.Hinter, m.Hints = e, 2
	for _, g := range played(t, "(;GM[1]SZ[19]KM[6.5];B[pd];W[dd];B[pp];W[dp])") {
		m.Add(g, true)
	}
	if r := m.Result(); m.err != nil || r.Hinted != 2 || r.Listed != 5 || r.Hint5 < .5 || r.Hint1 > r.Hint5 || r.Struck != 0 {
		t.Errorf("%+v %v", r, m.err)
	}
}

// TestFates asks for the fate of strings and counts nothing of games that are too short.
func TestFates(t *testing.T) {
	o := NewOracle("verdict")
	known := 0
	truth := o.Truth
	o.Truth = func(p *record.Played) (*[board.MaxPoints]life.Owner, bool) {
		known++
		return truth(p)
	}
	moves := ";B[da];W[ea];B[db];W[eb];B[dc];W[ec];B[dd];W[ed];B[de];W[ee];B[df];W[ef];B[dg];W[eg];B[dh];W[eh];B[di];W[ei]"
	text := "(;GM[1]SZ[9]KM[7.5]RU[Chinese]RE[W+16.5]" + moves + ";B[];W[])(;GM[1]SZ[9]KM[7.5]RU[Chinese]RE[W+16.5]" + moves + strings.Repeat(";B[];W[]", 20) + ")"
	for _, g := range played(t, text) {
		if err := o.Add(g, true); err != nil {
			t.Fatal(err)
		}
	}
	all := o.Fates()[0]
	if o.Games != 1 || known != 1 || all.Strings != 2 || all.Right != 2 {
		t.Errorf("%d games, %d asked for, %d of %d strings right", o.Games, known, all.Right, all.Strings)
	}
}
