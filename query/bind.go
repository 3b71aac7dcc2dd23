package query

import "github.com/RoaringBitmap/roaring/v2"

// Names knows what the names in queries stand for.
type Names interface {
	Collection(name string) (*roaring.Bitmap, error)
}

// Bind replaces names by what they stand for.
func Bind(q Q, names Names) (Q, error) {
	return Map(q, func(q Q) (Q, error) {
		f, ok := q.(Field)
		if !ok || f.Name != "collection" {
			return q, nil
		}
		set, err := names.Collection(f.Value)
		if err != nil {
			return nil, err
		}
		return Games{Set: set, Why: f.String()}, nil
	})
}
