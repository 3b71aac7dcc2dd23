package facts

import "strings"

// A sentence is taken apart into who is named, whether that side won or lost,
// and how. Words that are part of others come behind them.

type word struct {
	text string
	does int
	how  string
}

// What a word says of the side that is named.
const (
	mentions = iota
	wins
	loses
	fails // loses, unless another word says that it won by it
)

var sentenceWords = []word{
	{"resigns", loses, Resign}, {"resigned", loses, Resign}, {"resignation", mentions, Resign}, {"resign", mentions, Resign},
	{"中押", mentions, Resign}, {"中盘", mentions, Resign}, {"中盤", mentions, Resign}, {"不計", mentions, Resign}, {"不计", mentions, Resign}, {"불계", mentions, Resign},
	{"投了", loses, Resign}, {"投子", loses, Resign}, {"认负", loses, Resign}, {"認負", loses, Resign}, {"认输", loses, Resign}, {"認輸", loses, Resign}, {"投降", loses, Resign},
	{"超时", fails, Time}, {"超時", fails, Time}, {"시간", mentions, Time}, {"时间", mentions, Time}, {"時間", mentions, Time}, {"時限", mentions, Time},
	{"on time", mentions, Time}, {"by time", mentions, Time}, {"timeout", mentions, Time},
	{"forfeit", mentions, Forfeit}, {"弃权", fails, Forfeit}, {"棄權", fails, Forfeit}, {"棄権", fails, Forfeit}, {"기권", fails, Forfeit},
	{"不战", mentions, Forfeit}, {"不戰", mentions, Forfeit}, {"不戦", mentions, Forfeit}, {"掉线", mentions, Forfeit}, {"断线", mentions, Forfeit}, {"접속", mentions, Forfeit},
	{"犯规", fails, Illegal}, {"犯規", fails, Illegal}, {"反則", mentions, Illegal}, {"반칙", mentions, Illegal}, {"禁手", mentions, Illegal},
	{"裁定", mentions, Judge}, {"判定", mentions, Judge}, {"裁判", mentions, Judge},
	{"五连", mentions, Five}, {"五連", mentions, Five}, {"连五", mentions, Five}, {"連五", mentions, Five}, {"将死", mentions, Mate}, {"將死", mentions, Mate}, {"绝杀", mentions, Mate},
	{"wins", wins, ""}, {"won", wins, ""}, {"win", wins, ""}, {"勝", wins, ""}, {"胜", wins, ""}, {"승", wins, ""}, {"かち", wins, ""}, {"赢", wins, ""}, {"贏", wins, ""},
	{"loses", loses, ""}, {"lost", loses, ""}, {"負", loses, ""}, {"负", loses, ""}, {"敗", loses, ""}, {"败", loses, ""}, {"패", loses, ""}, {"输", loses, ""}, {"輸", loses, ""},
}

// doubts are words that turn what stands beside them: a sentence with one of
// them is not understood.
var doubts = []string{"?", " or ", "but", "not ", "n't", "guess", "reports", "depend", "未", "不明", "勝負", "胜负", "승부", "不负", "不負", "不敗", "不败"}

// sideWords are the words that name a side, for all games; 先 and 後 name it by
// the order of moving.
var sideWords = []struct{ word, side string }{
	{"black", "b"}, {"white", "w"}, {"黑", "b"}, {"黒", "b"}, {"흑", "b"}, {"白", "w"}, {"백", "w"},
	{"红", "r"}, {"紅", "r"}, {"홍", "r"}, {"先", "first"}, {"後", "second"}, {"后", "second"},
}

// sentence reads results that are told in words. It must find one side and one
// thing that happened to it, and nothing that raises a doubt.
func sentence(sides Sides, s string) Result {
	s, _, _ = strings.Cut(s, ". ") // "Black resigns. W 133.5 B 81.0"
	for _, d := range doubts {
		if strings.Contains(s, d) {
			return Result{}
		}
	}
	who := named(sides, s)
	does, how := deed(s)
	if who == Unknown {
		return Result{}
	}
	if does == mentions {
		if how != Resign || !strings.Contains(s, "中") && !strings.Contains(s, "불계") {
			return Result{}
		}
		does = wins // 黑中押, 백불계
	}
	if does == loses || does == fails {
		who = FirstWon + SecondWon - who
	}
	r := Result{Verdict: who, How: how}
	if margin, ok := margin(s); ok && how == "" && does == wins {
		return counted(who, margin)
	}
	return r
}

// named returns the one side that a sentence names, as its victory.
func named(sides Sides, s string) Verdict {
	who := Unknown
	for _, w := range sideWords {
		if !hasWord(s, w.word) {
			continue
		}
		v := FirstWon
		switch w.side {
		case "first":
		case "second":
			v = SecondWon
		default:
			v = sides.winner(w.side)
		}
		if v == Unknown || who != Unknown && who != v {
			return Unknown
		}
		who = v
	}
	return who
}

// hasWord finds a word; a word in Latin letters has to stand alone.
func hasWord(s, word string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if !isLetter(word[0]) || (i == 0 || !isLetter(s[i-1])) && (end == len(s) || !isLetter(s[end])) {
			return true
		}
		from = end
	}
}

// deed returns what a sentence says of the side it names, and how it came.
func deed(s string) (does int, how string) {
	for _, w := range sentenceWords {
		if !hasWord(s, w.text) {
			continue
		}
		s = strings.ReplaceAll(s, w.text, " ")
		if how == "" {
			how = w.how
		}
		switch {
		case w.does == mentions:
		case does == mentions || does == fails:
			does = w.does
		case does != w.does && w.does != fails:
			return mentions, "" // both won and lost
		}
	}
	return does, how
}

// margin returns the one amount of a sentence, less the number of moves
// ("226手"). Several amounts (a komi among them) are none.
func margin(s string) (value float64, ok bool) {
	for i := 0; i < len(s); {
		v, _, n := points(s[i:])
		if n == 0 {
			i++
			continue
		}
		i += n
		if strings.HasPrefix(s[i:], "手") || strings.HasPrefix(s[i:], "수") {
			continue
		}
		if ok {
			return 0, false
		}
		value, ok = v, true
	}
	return value, ok
}
