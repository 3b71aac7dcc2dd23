// Package recordview makes the answers about records.
package recordview
