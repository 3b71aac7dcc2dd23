package builtin_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/game/renju"
	"qipu/game/weiqi/life"
	"qipu/internal/testkit"
	"qipu/opening"
	"qipu/record"
	"qipu/record/recordtest"
)

// The corpus in testdata/corpus stands in for the collection of real games where
// that is not there. Its archives bear the names of the real ones and hold some
// hundred records that this file makes: played by chance with a little sense,
// always the same, in several formats and encodings, with variations, comments,
// duplicates, twins and faults. All names are invented; it is as free as the rest
// of the repository.

// corpusNames are the people of the corpus, by the encoding that their names are
// written in.
var corpusNames = []struct {
	charset  string
	encoding encoding.Encoding
	names    []string
	event    string
	remark   string
}{
	{"UTF-8", encoding.Nop, []string{"Ada Brook", "Bela Stone", "Cleo Field", "Dion Marsh"}, "Meadow Cup", "A fight begins in the corner."},
	{"GB18030", simplifiedchinese.GB18030, []string{"林一舟", "沈棋生", "何小满", "陆星河"}, "杏林杯", "此处开始激战。"},
	{"Big5", traditionalchinese.Big5, []string{"葉知秋", "蘇棋遠", "羅長風", "鄭小雪"}, "竹林盃", "此處開始激戰。"},
	{"Shift_JIS", japanese.ShiftJIS, []string{"山野太郎", "川辺花子", "石橋譲二", "森下小枝"}, "見本杯", "ここから戦いが始まる。"},
	{"EUC-KR", korean.EUCKR, []string{"강하늘", "윤바다", "서가람", "문달님"}, "보기배", "여기서 싸움이 시작된다."},
}

// dice plays by chance: near the last move and by captures rather than anywhere.
type dice struct {
	*rand.Rand
	rules game.Rules
}

func newDice(spec string, seed uint64) *dice {
	rules, err := builtin.Games().Find(spec)
	if err != nil {
		panic(err) // the name stands in this file
	}
	return &dice{rand.New(rand.NewPCG(seed, 23)), rules}
}

// choose draws a move.
func (d *dice) choose(p game.Position, last board.Point, list []game.Move) game.Move {
	best, most := game.Pass, -1000
	for range 7 {
		m := list[d.IntN(len(list))]
		if m == game.Pass && len(list) > 1 {
			continue
		}
		worth := d.IntN(4)
		if m != game.Pass {
			if b, ok := p.(game.Planar); ok && m.From() != board.NoPoint && b.Planes().At(m.To()) != 0 {
				worth += 6
			}
			if last != board.NoPoint && m.From() == board.NoPoint {
				dx, dy := m.To().X()-last.X(), m.To().Y()-last.Y()
				worth -= max(dx, -dx, dy, -dy)
			}
		}
		if worth > most {
			best, most = m, worth
		}
	}
	return best
}

// line is a game with, perhaps, another way to go on.
type line struct {
	moves   []game.Move
	fork    int // the ply that has a variation; 0 for none
	instead []game.Move
	end     game.Position
}

// play plays a game of at most n moves that begins with some.
func (d *dice) play(n int, begin ...game.Move) (l line) {
	p := d.rules.Start()
	last := board.NoPoint
	step := func(p game.Position, m game.Move) game.Move {
		if err := p.Play(m); err != nil {
			panic(err) // it was listed
		}
		if m != game.Pass {
			last = m.To()
		}
		return m
	}
	var list []game.Move
	for !p.Outcome().Final() && len(l.moves) < n {
		if i := len(l.moves); i < len(begin) {
			l.moves = append(l.moves, step(p, begin[i]))
			continue
		}
		list = p.AppendMoves(list[:0])
		l.moves = append(l.moves, step(p, d.choose(p, last, list)))
	}
	l.end = p
	if d.IntN(3) > 0 || len(l.moves) < 20 {
		return l
	}
	l.fork = 5 + d.IntN(10)
	p, last = d.rules.Start(), board.NoPoint
	for _, m := range l.moves[:l.fork] {
		step(p, m)
	}
	for range 4 {
		list = p.AppendMoves(list[:0])
		m := d.choose(p, last, list)
		if len(l.instead) == 0 && m == l.moves[l.fork] {
			continue
		}
		l.instead = append(l.instead, step(p, m))
	}
	return l
}

// texts writes moves from the start of a game.
func (d *dice) texts(notation game.Notation, moves []game.Move) (list []string) {
	p := d.rules.Start()
	for _, m := range moves {
		list = append(list, game.FormatMove(d.rules, p, m, notation))
		if err := p.Play(m); err != nil {
			panic(err) // it was played before
		}
	}
	return list
}

// sgf writes a game. The sides alternate in all games of the corpus that SGF is
// used for.
func (d *dice) sgf(head, remark string, l line) string {
	var b strings.Builder
	nodes := func(list []string, from int) {
		for i, m := range list[from:] {
			fmt.Fprintf(&b, ";%c[%s]", "BW"[(from+i)%2], m)
		}
	}
	b.WriteString("(;" + head)
	main := d.texts("sgf", l.moves)
	if l.fork == 0 {
		nodes(main, 0)
		return b.String() + ")\n"
	}
	nodes(main[:l.fork], 0)
	b.WriteString("C[" + remark + "](")
	nodes(main, l.fork)
	b.WriteString(")(")
	nodes(d.texts("sgf", slices.Concat(l.moves[:l.fork], l.instead)), l.fork)
	return b.String() + "))\n"
}

// pgn writes a game of pieces that move.
func (d *dice) pgn(tags, remark string, notation game.Notation, l line) string {
	var b strings.Builder
	b.WriteString(tags + "\n")
	for i, m := range d.texts(notation, l.moves) {
		if i%2 == 0 {
			fmt.Fprintf(&b, "%d. ", i/2+1)
		}
		b.WriteString(m + " ")
		if i == l.fork && i > 0 && i%2 == 1 {
			b.WriteString("{" + remark + "} ")
		}
		if i%8 == 7 {
			b.WriteByte('\n')
		}
	}
	return b.String() + "*\n\n"
}

// corpusFile is a file of an archive.
type corpusFile struct {
	name string
	data []byte
}

// encoded writes a text as an encoding has it.
func encoded(e encoding.Encoding, text string) []byte {
	b, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("%.40s: %v", text, err)) // the texts stand in this file
	}
	return b
}

// corpusFuseki are the first moves of games on the large board, as people begin
// there; chance goes on.
var corpusFuseki = []string{"dd fc cf pp iq pd lq cp", "pd dp pp dd", "pd dp qp dc ce", "qd dc pq dq oc", "pd dp qf nc rd"}

// read reads moves from the start of a game, as SGF has them.
func (d *dice) read(text string) (moves []game.Move) {
	for _, word := range strings.Fields(text) {
		moves = append(moves, game.Drop(board.At(int(word[0]-'a'), int(word[1]-'a'))))
	}
	return moves
}

// corpusGo makes games of Go.
func corpusGo(size string, n, moves int, seed uint64) (files []corpusFile) {
	d := newDice("weiqi:"+size, seed)
	for i := range n {
		c := corpusNames[i%len(corpusNames)]
		var begin []game.Move
		if size == "19x19" {
			begin = d.read(corpusFuseki[i%len(corpusFuseki)])
		}
		l := d.play(moves/2+d.IntN(moves/2), begin...)
		a, b := d.IntN(4), 1+d.IntN(3)
		across, _, _ := strings.Cut(size, "x")
		head := fmt.Sprintf("GM[1]FF[4]CA[%s]SZ[%s]PB[%s]PW[%s]BR[%dd]WR[%dd]EV[%s]RO[%d]DT[%d-%02d-%02d]KM[6.5]RE[%s]", c.charset, across, c.names[a], c.names[(a+b)%4],
			1+d.IntN(9), 1+d.IntN(9), c.event, 1+i%7, 1970+d.IntN(50), 1+d.IntN(12), 1+d.IntN(28), []string{"B+R", "W+R", "B+3.5", "W+0.5"}[d.IntN(4)])
		files = append(files, corpusFile{fmt.Sprintf("%s/%03d.sgf", size, i), encoded(c.encoding, d.sgf(head, c.remark, l))})
	}
	return files
}

// corpusXiangqi makes games of Xiangqi: in Chinese notation, and some of them in
// coordinates.
func corpusXiangqi(n int) (chinese, coordinates []corpusFile) {
	d := newDice("xiangqi", 3)
	for i := range n {
		c := corpusNames[i%3]
		notation, format := game.Notation("chinese"), "Chinese"
		if i%3 == 1 {
			notation = "chinese-hans"
		}
		l := d.play(40 + d.IntN(80))
		a, b := d.IntN(4), 1+d.IntN(3)
		tags := func(format string) string {
			return fmt.Sprintf("[Game \"Chinese Chess\"]\n[Event \"%s\"]\n[Date \"%d.%02d.%02d\"]\n[Red \"%s\"]\n[Black \"%s\"]\n[Result \"*\"]\n[Format \"%s\"]\n",
				c.event, 1980+i%40, 1+i%12, 1+i%28, c.names[a], c.names[(a+b)%4], format)
		}
		e := c.encoding
		if e == encoding.Nop {
			e = simplifiedchinese.GB18030
			notation = "chinese-hans"
		}
		chinese = append(chinese, corpusFile{fmt.Sprintf("games/%03d.pgn", i), encoded(e, d.pgn(tags(format), c.remark, notation, l))})
		if i%2 == 0 {
			coordinates = append(coordinates, corpusFile{fmt.Sprintf("iccs/%03d.pgn", i), []byte(d.pgn(tags("ICCS"), c.remark, "iccs", l))})
		}
	}
	return chinese, coordinates
}

// written writes records of files in another format.
func written(t *testing.T, files []corpusFile, most int, from, name, format string) (out []corpusFile) {
	t.Helper()
	all := builtin.Formats()
	called := func(name string) record.Format {
		return all[slices.IndexFunc(all, func(f record.Format) bool { return f.Info().Name == name })]
	}
	to := called(format)
	referee := record.NewReferee(builtin.Games())
	var games []*record.Game
	for _, f := range files[:most] {
		list, faults := recordtest.ReadAll(t, called(from), recordtest.Source(f.name, f.data))
		if len(faults) > 0 {
			t.Fatalf("%s: %v", f.name, faults[0])
		}
		for _, g := range list {
			g, err := record.Fit(to, referee.Play(g), "")
			if err != nil {
				t.Fatalf("%s as %s: %v", f.name, format, err)
			}
			games = append(games, g)
		}
	}
	sets := [][]*record.Game{games}
	if format == "xqf" { // a file is a game
		sets = nil
		for _, g := range games {
			sets = append(sets, []*record.Game{g})
		}
	}
	for i, set := range sets {
		parts := map[string]*bytes.Buffer{}
		create := func(ext string) (io.Writer, error) {
			parts[ext] = new(bytes.Buffer)
			return parts[ext], nil
		}
		var err error
		if s, ok := to.(record.SetWriter); ok {
			err = s.WriteSet(create, slices.Values(set))
		} else {
			w, _ := create(to.Info().Extensions[0])
			err = to.(record.Writer).Write(w, slices.Values(set))
		}
		if err != nil {
			t.Fatalf("%s as %s: %v", name, format, err)
		}
		for ext, b := range parts {
			file := name
			if len(sets) > 1 {
				file = fmt.Sprintf("%s-%03d", name, i)
			}
			out = append(out, corpusFile{file + "." + ext, b.Bytes()})
		}
	}
	slices.SortFunc(out, func(a, b corpusFile) int { return strings.Compare(a.name, b.name) })
	return out
}

// corpusOthello makes games of Othello, as transcripts.
func corpusOthello(n int) []corpusFile {
	d := newDice("othello", 5)
	var b strings.Builder
	for i := range n {
		c := corpusNames[0]
		l := d.play(60 + 20) // passes count
		discs := [3]int{}
		for at := range board.Point(8 * board.Stride) {
			if at.X() < 8 {
				discs[l.end.(game.Planar).Planes().At(at)]++
			}
		}
		if discs[1] > discs[2] { // what is empty is the winner's
			discs[1] += discs[0]
		} else {
			discs[2] += discs[0]
		}
		fmt.Fprintf(&b, "# Event: %s\n# Date: 2001-%02d-%02d\n# Result: %d-%d\n# Black: %s\n# White: %s\n%s\n\n", c.event, 1+i%12, 1+i%28, discs[1], discs[2], c.names[i%4], c.names[(i+1+i/4%3)%4],
			strings.ReplaceAll(strings.Join(d.texts("square", l.moves), ""), "pass", ""))
	}
	return []corpusFile{{"transcripts.txt", []byte(b.String())}}
}

// corpusRenju makes games of Renju from every opening that has a name, which the
// names of their files bear.
func corpusRenju() (files []corpusFile) {
	d := newDice("renju", 7)
	for i, o := range opening.Of(renju.Renju).List() {
		if len(o.Moves) != 3 {
			continue
		}
		for k := range 2 {
			c := corpusNames[(i+k)%len(corpusNames)]
			l := d.play(16+d.IntN(30), o.Moves...)
			head := fmt.Sprintf("GM[4]FF[4]CA[UTF-8]SZ[15]RU[Renju]PB[%s]PW[%s]EV[%s]DT[%d]RE[%s]", c.names[0], c.names[1+k], c.event, 1990+i, []string{"B+", "W+", "0"}[d.IntN(3)])
			files = append(files, corpusFile{fmt.Sprintf("games/【%s】【%d】.sgf", o.Names.Hans, k), []byte(d.sgf(head, c.remark, l))})
		}
	}
	return files
}

// corpusOdd makes records that are strange, damaged or there twice.
func corpusOdd() (files []corpusFile) {
	d := newDice("weiqi:9x9", 11)
	put := func(name, text string) { files = append(files, corpusFile{name, []byte(text)}) }
	l := d.play(40)
	l.fork = 0
	head := "GM[1]FF[4]CA[UTF-8]SZ[9]PB[Ada Brook]PW[Bela Stone]DT[2001-02-03]RE[B+R]"
	whole := d.sgf(head, "", l)
	moves := d.texts("sgf", l.moves)
	put("whole.sgf", whole)
	put("again.sgf", whole)
	put("twin.sgf", strings.Replace(whole, "Bela Stone", "B. Stone", 1))
	mirrored := func(m string) string {
		if len(m) != 2 {
			return m
		}
		return string([]byte{'a' + 'i' - m[0], m[1]})
	}
	var turned strings.Builder
	for i, m := range moves {
		fmt.Fprintf(&turned, ";%c[%s]", "BW"[i%2], mirrored(m))
	}
	put("mirrored.sgf", "(;"+head+turned.String()+")")
	fuller := d.sgf(head+"GC[the same with a remark and more moves]", "", line{moves: l.moves})
	put("fuller.sgf", strings.TrimSuffix(fuller, ")\n")+";B[])")
	put("shorter.sgf", d.sgf(head, "", line{moves: l.moves[:len(l.moves)-9]}))
	put("cut.sgf", whole[:len(whole)*2/3])
	put("occupied.sgf", strings.TrimSuffix(whole, ")\n")+";B["+moves[0]+"];W["+moves[1]+"])")
	put("outside.sgf", strings.TrimSuffix(whole, ")\n")+";B[zz];W[aa])")
	put("nonsense.sgf", strings.Replace(whole, moves[7], "??", 1))
	put("no-size.sgf", strings.Replace(whole, "SZ[9]", "", 1))
	put("two.sgf", whole+d.sgf(head, "", d.play(30)))
	put("mail.sgf", "From: somebody\nSubject: our game\n\n"+whole)
	put("UPPER.SGF", whole)
	put("crlf.sgf", strings.ReplaceAll(strings.ReplaceAll(whole, ";B", "\n;B"), "\n", "\r\n"))
	put("bom.sgf", "\ufeff"+whole)
	put("escaped.sgf", strings.Replace(whole, "DT[", `GC[brackets \] and \\ and : here]DT[`, 1))
	put("unknown.sgf", strings.Replace(whole, "DT[", "ZZ[what is this]DT[", 1))
	put("dates.sgf", strings.Replace(whole, "2001-02-03", "199x, in spring", 1))
	put("komi.sgf", strings.Replace(whole, "RE[", "KM[5 1/2]RE[", 1))
	put("results.sgf", strings.Replace(whole, "RE[B+R]", "RE[black wins by resignation?]", 1))
	put("handicap.sgf", "(;GM[1]FF[4]SZ[9]HA[2]AB[cc][gg]PB[Ada Brook]PW[Bela Stone];W[ee];B[ec];W[ge])")
	put("set-up.sgf", "(;GM[1]FF[4]SZ[9]AB[cc][dc][ec]AW[cd][dd][ed]PL[W]C[who is to move?];W[fc](;B[bc])(;B[bd]))")
	put("old.sgf", "(;GaMe[1]SiZe[9]PlayerBlack[Ada]PlayerWhite[Bela];Black[cc];White[gg])")
	put("empty-root.sgf", "(;)")
	put("deep.sgf", "(;SZ[9]"+strings.Repeat("(;B[cc]", 30)+strings.Repeat(")", 30)+")")
	for _, c := range corpusNames[1:] {
		text := d.sgf(fmt.Sprintf("GM[1]FF[4]SZ[9]PB[%s]PW[%s]EV[%s]C[%s]", c.names[0], c.names[1], c.event, strings.Repeat(c.remark, 3)), c.remark, d.play(30))
		files = append(files, corpusFile{"undeclared-" + strings.ToLower(c.charset) + ".sgf", encoded(c.encoding, text)})
		text = strings.Replace(text, "SZ[", "CA["+c.charset+"]SZ[", 1)
		files = append(files, corpusFile{"declared-" + strings.ToLower(c.charset) + ".sgf", encoded(c.encoding, text)})
	}
	return files
}

// corpusCounted makes boards of Go whose owners are known: games played until
// nobody can move but into his own eyes, so that everything that stands lives.
func corpusCounted() (files []corpusFile) {
	table := "file\tstrings\tdead_strings\tblack_points\twhite_points\tneutral_points\n"
	for i := 0; len(files) < 2*32; i++ {
		size := 9
		if i%4 == 3 {
			size = 13
		}
		d := newDice(fmt.Sprintf("weiqi:%dx%d", size, size), uint64(100+i))
		p := d.rules.Start()
		for passes := 0; passes < 2; {
			list := slices.DeleteFunc(p.AppendMoves(nil), func(m game.Move) bool { return m == game.Pass || fills(p, m) })
			m := game.Pass
			if passes++; len(list) > 0 {
				m, passes = list[d.IntN(len(list))], 0
			}
			if err := p.Play(m); err != nil {
				panic(err) // it was listed
			}
		}
		name := fmt.Sprintf("end%02d", i)
		planes := p.(game.Planar).Planes()
		var stones, owners strings.Builder
		put, points := [3]string{}, [4]int{}
		for y := range size {
			for x := range size {
				at := board.At(x, y)
				piece, owner := planes.At(at), beside(planes, at)
				if piece != 0 {
					owner = 1 << (piece - 1)
					put[piece] += fmt.Sprintf("[%c%c]", 'a'+x, 'a'+y)
				}
				points[owner]++
				stones.WriteByte(".XO"[piece])
				owners.WriteByte("=BW="[owner])
			}
			stones.WriteByte('\n')
			owners.WriteByte('\n')
		}
		if points[1] == 0 || points[2] == 0 {
			continue // one side has taken everything
		}
		var b life.Board
		b.Reset(planes)
		table += fmt.Sprintf("%s\t%d\t0\t%d\t%d\t%d\n", name, len(b.Strings), points[1], points[2], points[0]+points[3])
		files = append(files, corpusFile{"counted/own/" + name + ".own", []byte("# " + name + ".sgf: stones, then owners, of a game played to its end\n" + stones.String() + "\n" + owners.String())},
			corpusFile{"counted/own/" + name + ".sgf", fmt.Appendf(nil, "(;GM[1]FF[4]SZ[%d]AB%sAW%s)\n", size, put[1], put[2])})
	}
	return append(files, corpusFile{"counted/own/COUNTS.tsv", []byte(table)})
}

// beside tells whose stones are around a point: 1 for Black's, 2 for White's.
func beside(b *board.Planes, at board.Point) (sides int) {
	for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		x, y := at.X()+d[0], at.Y()+d[1]
		if x >= 0 && y >= 0 && x < b.Size.W && y < b.Size.H {
			if piece := b.At(board.At(x, y)); piece != 0 {
				sides |= 1 << (piece - 1)
			}
		}
	}
	return sides
}

// fills tells whether a move fills an eye of the side that makes it.
func fills(p game.Position, m game.Move) bool {
	b := p.(game.Planar).Planes()
	other, off := 0, 0
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			x, y := m.To().X()+dx, m.To().Y()+dy
			inside := x >= 0 && y >= 0 && x < b.Size.W && y < b.Size.H
			own := inside && b.At(board.At(x, y)) == board.Piece(p.Turn()+1)
			switch {
			case dx == 0 && dy == 0:
			case dx == 0 || dy == 0:
				if inside && !own {
					return false
				}
			case !inside:
				off = 1
			case b.At(board.At(x, y)) == board.Piece(2-p.Turn()):
				other++
			}
		}
	}
	return other+off < 2
}

// corpus makes all archives.
func corpus(t *testing.T) map[string][]corpusFile {
	chinese, coordinates := corpusXiangqi(60)
	othello, renju := corpusOthello(120), corpusRenju()
	small := slices.Concat(corpusGo("9x9", 40, 70, 1), corpusGo("13x13", 20, 130, 2))
	return map[string][]corpusFile{
		"go/go-small-boards.tar.gz":        small,
		"go/go-pro-6300.tar.gz":            corpusGo("19x19", 60, 240, 9),
		"othello/wthor.tar.gz":             written(t, othello, 1, "transcript", "WTH_2001", "wthor"),
		"othello/othello-positions.tar.gz": written(t, othello, 1, "transcript", "games", "ggf"),
		"xiangqi/xiangqi-games.tar.gz":     chinese,
		"xiangqi/xiangqi-formats.tar.gz":   slices.Concat(coordinates, written(t, chinese, 12, "pgn", "xqf/game", "xqf"), written(t, chinese, 12, "pgn", "web/boards", "dhtmlxq")),
		"renju/renju-games.tar.gz":         renju,
		"renju/renju-formats.tar.gz":       written(t, renju, 20, "sgf", "renju", "pgn"),
		"odd/odd.tar.gz":                   corpusOdd(),
		"go-testsets/counted.tar.gz":       corpusCounted(),
	}
}

// TestCorpus makes the corpus and compares it with the files, or writes them under
// -rewrite.
func TestCorpus(t *testing.T) {
	total := 0
	for name, files := range corpus(t) {
		path := filepath.Join("..", "testdata", "corpus", filepath.FromSlash(name))
		if testkit.Rewriting() {
			var b bytes.Buffer
			z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
			w := tar.NewWriter(z)
			for _, f := range files {
				if err := w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.data))}); err != nil {
					t.Fatal(err)
				}
				w.Write(f.data)
			}
			w.Close()
			z.Close()
			testkit.Golden(t, path, b.Bytes())
			total += b.Len()
		}
		i := 0
		for at, data := range testkit.Archive(t, path) {
			if i >= len(files) || files[i].name != at || !bytes.Equal(files[i].data, data) {
				t.Fatalf("%s: %s is not what is made (run with -rewrite)", name, at)
			}
			i++
		}
		if i != len(files) {
			t.Errorf("%s has %d files, not %d", name, i, len(files))
		}
	}
	if total > 2<<20 {
		t.Errorf("the corpus has %d bytes", total)
	}
}
