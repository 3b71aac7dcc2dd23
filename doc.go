// Package qipu turns board-game records into knowledge that people can search,
// study and play against. Qipu (棋譜) means "game records".
//
// The package list in dependency order, and walks through it, are in
// docs/ARCHITECTURE.md. The program is cmd/qipu.
package qipu
