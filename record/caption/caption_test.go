package caption_test

import (
	"fmt"
	"maps"
	"testing"

	"qipu/record/caption"
	"qipu/record/facts"
)

// learnt knows players who were made for these tests, by themselves and with teams.
func learnt() *caption.Lexicon {
	return caption.Learn(maps.All(map[string]int{
		"王天一一": 1, "王甲山": 9, "李乙水": 7, "陳丙紅": 5, "陳丙": 2, "何丁文": 4, "徐戊": 3, "王己": 1, "李庚": 1, "陳辛海": 1, "王壬天": 2, "李癸地": 2,
		"上海 王甲山": 3, "上海李乙水": 2, "風雲 王甲山": 1, "風雲 李乙水": 1, "風雲 何丁文": 1, "南京": 4, "上海": 6,
	}))
}

func TestSplit(t *testing.T) {
	x := learnt()
	for name, want := range map[string]string{
		"上海王甲山": "上海|王甲山", "上海 王甲山": "上海|王甲山", "上海王 甲山": "上海|王甲山", "風雲李乙水": "風雲|李乙水", "徐戊（日本）": "日本|徐戊",
		"上海隊 何丁文": "上海隊|何丁文", "上海王子丑": "上海|王子丑", "上海中山公園隊徐戊": "上海中山公園隊|徐戊",
		"王甲山": "", "上海": "", "上海南京": "", "王天一一": "", "上海，": "", "Ada Alpha": "", "": "", "上海第三輪": "",
	} {
		got := ""
		if team, player, ok := x.Split(name); ok {
			got = team + "|" + player
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestTake(t *testing.T) {
	x := learnt()
	for title, want := range map[string]string{
		"1989年風雲杯賽 上海 王甲山 先勝 南京 李乙水":            "1989年風雲杯賽|||上海/王甲山 南京/李乙水 1 true",
		"第6屆風雲賽 040-上海王甲山先負南京李乙水 中炮對屏風馬":        "第6屆風雲賽||中炮對屏風馬|上海/王甲山 南京/李乙水 2 true",
		"風雲杯賽第 12 輪 王甲山和李乙水":                    "風雲杯賽|12||/王甲山 /李乙水 3 false",
		"風雲杯 19900518陳丙紅和李乙水":                   "風雲杯|||/陳丙紅 /李乙水 3 false",
		"上海王甲山紅先勝南京李乙水":                         "|||上海/王甲山 南京/李乙水 1 true",
		"風雲杯賽 中炮對屏風馬":                           "風雲杯賽||中炮對屏風馬|",
		"風雲杯賽 飛 相 局":                            "風雲杯賽||飛相局|",
		"1984年風雲團體賽 1984年風雲團體賽":                 "1984年風雲團體賽|||",
		"風雲杯賽第3輪 20081021 風雲男團 1-20 上海陳 丙 負 徐戊": "風雲杯賽|3||上海/陳丙 /徐戊 2 false",
		"十八、上海中山公園隊王甲山先勝風雲隊李乙水":                 "|||上海中山公園隊/王甲山 風雲隊/李乙水 1 true",
		"第五章 第19局 王甲山（先負）李乙水":                   "|||/王甲山 /李乙水 2 true",
		"中炮對屏風馬":                                "||中炮對屏風馬|",

		// Not understood: towns are no players, and what is left over is not thrown away.
		"上海先勝南京":                 "!",
		"風雲杯賽 上海對南京":             "!",
		"風雲雙人賽 王甲山 李乙水 勝 何丁文 徐戊": "!",
		"王甲山先勝李乙水 名局欣賞":          "!",
		"春風送暖":                   "!",
		"":                       "!",
	} {
		got := "!"
		if tt, ok := x.Take(title, "", ""); ok {
			got = fmt.Sprintf("%s|%s|%s|", tt.Event, tt.Round, tt.Opening)
			if c := tt.Caption; c != nil {
				got += fmt.Sprintf("%s/%s %s/%s %d %v", c.Sides[0].Team, c.Sides[0].Name, c.Sides[1].Team, c.Sides[1].Name, c.Verdict, c.Ordered)
			}
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", title, got, want)
		}
	}
}

// Headers tell who plays where nobody else knows the players.
func TestTold(t *testing.T) {
	x := learnt()
	title := "2009年風雲杯賽 德國 MÜLLER Ada 負 某某俱樂部 玄武"
	if _, ok := x.Take(title, "", ""); ok {
		t.Error("understood without headers")
	}
	tt, ok := x.Take(title, "MÜLLER Ada", "玄武")
	if !ok || tt.Event != "2009年風雲杯賽" || tt.Caption == nil || tt.Caption.Verdict != facts.SecondWon || tt.Caption.Sides[1].Team != "某某俱樂部" {
		t.Errorf("%+v %v", tt, ok)
	}
}

func FuzzTake(f *testing.F) {
	f.Add("1989年風雲杯賽 上海 王甲山 先勝 南京 李乙水", "王甲山", "李乙水")
	f.Add("第6屆 040-上海王甲山先負\xff 中炮", "", "")
	x := learnt()
	f.Fuzz(func(t *testing.T, title, first, second string) {
		tt, ok := x.Take(title, first, second)
		if ok && tt.Event == "" && tt.Caption == nil && tt.Opening == "" {
			t.Errorf("%q: understood, and nothing in it", title)
		}
		x.Split(title)
	})
}
