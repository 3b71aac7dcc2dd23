package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// didYouMean returns a question that offers the nearest word, or nothing where
// none is near.
func didYouMean(word string, known []string) string {
	word = strings.ToLower(word)
	best, least := "", len([]rune(word))/2+1
	for _, k := range known {
		if d := distance(word, strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// distance is the number of letters to insert, delete, replace or exchange
// with a neighbour to make b of a.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	var before []int
	prev := make([]int, len(t)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row := make([]int, len(t)+1)
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev = prev, row
	}
	return prev[len(t)]
}

func commandNames(cmd *cobra.Command) []string {
	var list []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			list = append(list, c.Name())
		}
	}
	return list
}

func flagNames(cmd *cobra.Command) []string {
	var list []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { list = append(list, f.Name) })
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { list = append(list, f.Name) })
	return list
}
