package sight

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/engine/net"
	"qipu/game"
	"qipu/game/weiqi"
)

// spoken is what a net says in floating point, in PyTorch.
type spoken struct {
	Count  int `json:"count"`
	Planes ref `json:"planes"`
	Moves  ref `json:"moves"`
	Owner  ref `json:"owner"`
	Said   ref `json:"said"`
}

type ref struct{ At, N int }

func (r ref) floats(blob []byte) []float64 {
	list := make([]float64, r.N)
	for i := range list {
		list[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(blob[r.At+4*i:])))
	}
	return list
}

func softmax(logits []float64) []float64 {
	top, sum := math.Inf(-1), 0.0
	for _, v := range logits {
		top = max(top, v)
	}
	out := make([]float64, len(logits))
	for i, v := range logits {
		out[i] = math.Exp(v - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// TestPyTorch holds whole numbers against what PyTorch says of the same weights in double
// precision (weights.py).
func TestPyTorch(t *testing.T) {
	for name, path := range map[string]string{"small": "small.net", "large": "../../workshop/sight/training/large.net"} {
		t.Run(name, func(t *testing.T) {
			weights, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, weights, "testdata/"+name+".net.tests")
		})
	}
}

func compare(t *testing.T, weights []byte, tests string) {
	data, err := os.ReadFile(tests)
	if err != nil {
		t.Fatal(err)
	}
	length := int(binary.LittleEndian.Uint32(data[6:]))
	var s spoken
	if err := json.Unmarshal(data[10:10+length], &s); err != nil {
		t.Fatal(err)
	}
	blob := data[(10+length+3)/4*4:]
	n, err := read(weights)
	if err != nil {
		t.Fatal(err)
	}
	run := n.NewRun(19, 19)
	moves, owner, said := s.Moves.floats(blob), s.Owner.floats(blob), s.Said.floats(blob)
	var worst, total, points, worstOwner, worstWin, worstLead float64
	for i := range s.Count {
		for plane := range planes {
			for j := range 361 {
				run.Plane(plane)[j] = int16(binary.LittleEndian.Uint16(blob[s.Planes.At+2*((i*len(planes)+plane)*361+j):]))
			}
		}
		run.Evaluate()
		mine := make([]float64, 362)
		for j, v := range run.Plot("point") {
			mine[j] = float64(v)
		}
		mine[361] = float64(run.Vector("said")[3])
		mine = softmax(mine)
		for j, want := range softmax(moves[362*i : 362*(i+1)]) {
			d := math.Abs(mine[j] - want)
			worst, total, points = max(worst, d), total+d, points+1
		}
		for j, v := range run.Plot("owner") {
			worstOwner = max(worstOwner, math.Abs(chance(v)-chance(float32(owner[361*i+j]))))
		}
		worstWin = max(worstWin, math.Abs(chance(run.Vector("said")[0])-chance(float32(said[3*i]))))
		worstLead = max(worstLead, math.Abs(float64(run.Vector("said")[1])-said[3*i+1])*n.Lead())
	}
	t.Logf("largest difference of a move's chance %.5f, mean %.6f; owner %.5f, win %.5f, lead %.3f points", worst, total/points, worstOwner, worstWin, worstLead)
	if total/points > 1e-4 || worst > 0.03 || worstOwner > 0.01 || worstWin > 0.01 || worstLead > 0.1 {
		t.Error("too far from floating point")
	}
}

// picture draws a plane: digits are thousandths of one, "." is nothing.
func picture(run *net.Run, plane, w int) string {
	var b strings.Builder
	for i, v := range run.Plane(plane) {
		if i > 0 && i%w == 0 {
			b.WriteByte('/')
		}
		switch v {
		case 0:
			b.WriteByte('.')
		case 1024:
			b.WriteByte('1')
		default:
			b.WriteByte('x')
		}
	}
	return b.String()
}

// TestPlanes looks at what the net is shown of a small board.
func TestPlanes(t *testing.T) {
	r, err := weiqi.Standard.Variant("4x3,chinese,komi=7.5")
	if err != nil {
		t.Fatal(err)
	}
	p := r.Start().(*weiqi.Position)
	var last []board.Point
	for _, text := range strings.Fields("B2 C2 A1 C1") {
		m, err := r.ParseMove(p, text, game.AnyNotation)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Play(m); err != nil {
			t.Fatal(err)
		}
		last = append([]board.Point{m.To()}, last...)
	}
	e, err := New()
	if err != nil {
		t.Fatal(err)
	}
	run := e.net.NewRun(4, 3)
	e.face(board.Size{W: 4, H: 3}, 0)
	e.show(run, p, last)
	for plane, want := range map[int]string{
		planeBoard: "1111/1111/1111", planeOwn: "..../.1../1...", planeOther: "..../..1./..1.",
		planeLiberty: "..../..../....", planeLiberty + 1: "..../..../1...", planeLiberty + 2: "..../.1../....",
		planeKo: "..../..../....", planeLast: "..../..../..1.", planeLast + 1: "..../..../1...", planeLast + 2: "..../..1./....",
		planeLast + 3: "..../.1../....", planeKomi: "xxxx/xxxx/xxxx", planeArea: "1111/1111/1111",
	} {
		if got := picture(run, plane, 4); got != want {
			t.Errorf("%s: %s, want %s", planes[plane], got, want)
		}
	}
	if got := run.Plane(planeKomi)[0]; got != -512 {
		t.Errorf("komi: %d", got)
	}
	s := new(Sight)
	e.look(s, p, nil, 0)
	sum := s.Pass
	for i, v := range s.Moves {
		sum += v
		if legal := p.Check(game.Drop(board.At(i%4, i/4))) == nil; v > 0 != legal {
			t.Errorf("point %d: %v, legal %v", i, v, legal)
		}
	}
	if math.Abs(sum-1) > 1e-9 || s.Spread <= 0 || s.Win < 0 || s.Win > 1 {
		t.Errorf("%+v", s)
	}
}

// TestOpening asks for the corner where everybody plays.
func TestOpening(t *testing.T) {
	e, err := New()
	if err != nil {
		t.Fatal(err)
	}
	p := weiqi.Standard.Start().(*weiqi.Position)
	s, err := e.See(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	corner := 0.0
	for _, at := range []board.Point{board.At(3, 3), board.At(15, 3), board.At(3, 15), board.At(15, 15), board.At(2, 3), board.At(3, 2), board.At(16, 3), board.At(15, 2), board.At(2, 15), board.At(3, 16), board.At(16, 15), board.At(15, 16)} {
		corner += s.Moves[at.Y()*19+at.X()]
	}
	if corner < 0.9 || math.Abs(s.Lead) > 10 {
		t.Errorf("corners %.3f, lead %.1f", corner, s.Lead)
	}
}

func BenchmarkSee(b *testing.B) {
	e, err := New()
	if err != nil {
		b.Fatal(err)
	}
	p := weiqi.Standard.Start().(*weiqi.Position)
	for b.Loop() {
		e.See(p, nil)
	}
}

// TestUse: a net of a file looks at the boards that it was trained on; one that cannot be
// read is refused, and all stays as it was.
func TestUse(t *testing.T) {
	defer other.Store(nil)
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	nets := func() (list []string) {
		e, err := New()
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []int{9, 13, 19} {
			list = append(list, e.Net(board.Size{W: side, H: side}))
		}
		return list
	}
	version := bytes.Clone(small)
	version[4] = '9'
	for name, data := range map[string][]byte{"cut": small[:len(small)/3], "version": version, "empty": nil, "text": []byte("no net at all")} {
		if err := Use(file(name, data)); !errors.Is(err, net.ErrFile) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Use(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if got := nets(); !slices.Equal(got, []string{"small", "small", "small"}) {
		t.Fatal(got)
	}
	// The same net with a name of the same length, which was trained on 19x19.
	named := renamed(t, "large.net", [2]int{19, 19})
	if err := Use(file("large.net", named)); err != nil {
		t.Fatal(err)
	}
	if got := nets(); !slices.Equal(got, []string{"small", "small", "large"}) {
		t.Error(got)
	}
	e, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"19x19", "9x9", "19x19"} {
		r, err := weiqi.Standard.Variant(spec)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := e.See(r.Start().(*weiqi.Position), nil); err != nil || len(s.Moves) != r.Geometry().Size.Area() {
			t.Error(spec, err)
		}
	}
}

// renamed returns the net of the program under another name, for some boards.
func renamed(t *testing.T, name string, boards [2]int) []byte {
	t.Helper()
	length := int(binary.LittleEndian.Uint32(small[6:]))
	var head map[string]any
	if err := json.Unmarshal(small[10:10+length], &head); err != nil {
		t.Fatal(err)
	}
	head["name"], head["boards"] = name, boards
	text, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	for (10+len(text))%4 != 0 {
		text = append(text, ' ')
	}
	out := binary.LittleEndian.AppendUint32(append([]byte{}, small[:6]...), uint32(len(text)))
	return append(append(out, text...), small[(10+length+3)/4*4:]...)
}

// TestDamage: a net that is cut off, of another version, or not one of Go is refused.
func TestDamage(t *testing.T) {
	other := bytes.Clone(small)
	other[4] = '9'
	shown := bytes.Replace(small, []byte(`"liberty1"`), []byte(`"something"`[:10]), 1)
	for name, data := range map[string][]byte{"none": nil, "half": small[:len(small)/2], "version": other, "planes": shown, "last byte": small[:len(small)-1]} {
		if _, err := read(data); !errors.Is(err, net.ErrFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
