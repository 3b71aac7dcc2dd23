// Package guests knows the engines that the owner of the program has named: other
// programs, with the protocol that they speak, the games that they play and the
// limits of their thoughts. They stand in a file, qipu.toml, which the owner alone
// writes:
//
//	[[engine]]
//	name = "gnugo"
//	protocol = "gtp"
//	command = ["gnugo", "--mode", "gtp", "--chinese-rules"]
//	games = ["go"]
//	limits = { time = "5s" }
//
// A command is a list of words that no shell reads. Nothing that comes over the
// network is ever part of one: who asks for an engine names it, and the name is
// looked up here.
package guests
