package term_test

import (
	"fmt"

	"qipu/text/term"
)

func Example() {
	d := term.Of("xiangqi")
	title := d.Title("042-東北韓福德先勝上海胡榮華 順炮橫車對直車")
	for _, p := range d.Split(title) {
		if p.Term != nil {
			fmt.Println(p.Text, p.Term.Names.En, p.Side)
		}
	}
	// Output:
	// 順炮 Same-direction cannons first
	// 橫車 Ranked chariot first
	// 直車 Filed chariot second
}

func ExampleDict_Forms() {
	d := term.Of("xiangqi")
	fmt.Printf("%q\n", d.Forms(d.Find("卒林線")))
	// Output: ["卒林" "兵林" "졸림선" "soldier rank"]
}
