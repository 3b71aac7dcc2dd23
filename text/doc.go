// Package text compares and finds texts in any script, as people mean them:
// 棋譜 is 棋谱, Müller is muller, ﾓｸﾓｸ is もくもく, LEE, SEDOL is Lee Sedol.
//
// [Fold] gives the form under which texts are compared. [Reading] goes further
// and gives a key of how a name sounds in Latin letters, so that "Ke Jie" finds
// 柯潔 and "yuuta" finds ゆうた. [Index] answers which of many documents contain
// a text: exact substrings of folded texts, of any length, by the pairs of
// characters in them. [Nearest] and [Suggest] find what was meant where a word
// is misspelled.
//
//	var b text.Builder
//	b.Add(7, text.Fold("黑先勝，聶衛平評"))
//	data := b.AppendTo(nil)
//
//	ix, err := text.Open(data)
//	games, err := ix.Search(text.Fold("聂卫平")) // {7}
//
// The package knows no language: it does not cut texts into words, removes no
// endings, and reads Han characters in Mandarin only. That a Japanese or Korean
// player is written 井山裕太 and called Iyama is known to package players.
//
// # Tables
//
// fold.txt and pinyin.txt are made by workshop/textgen from these data:
//
//   - OpenCC, https://github.com/BYVoid/OpenCC, commit 5249273a3e56, the
//     dictionaries of single characters, Apache License 2.0;
//   - pinyin-data, https://github.com/mozillazg/pinyin-data, commit 82759f96236a
//     (0.15.0), MIT License, Copyright (c) 2016 mozillazg;
//   - Unicode 15.0.0 through golang.org/x/text.
//
// Both are read once, when a text that is not ASCII is first met. What they say
// is part of stored indices: whoever changes them or [AppendFold] raises
// [Version].
package text

//go:generate go run ../workshop/textgen -opencc ../../OpenCC/data/dictionary -opencc-version 5249273a3e5606852f088c9a8b23522145d94f78 -pinyin ../../pinyin-data/pinyin.txt -pinyin-version 82759f96236a65141ddc0cc9198fa688b7b8a7fa
