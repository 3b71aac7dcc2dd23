package knowledge

import (
	"context"

	"qipu/library/courses"
	"qipu/record"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/recordview"
)

// course returns what the net says of a whole game.
func (s *room) course(ctx context.Context, in *api.IDInput) (*view.Course, error) {
	g, _, err := s.Lib.Record(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	played := record.NewReferee(s.Lib.Records().Rules()).Play(g)
	game := courses.GameOf(played)
	if game == nil {
		return nil, api.Bad("no-course", "Ask about a game of Go from 7x7 to 19x19 with a move in it.", "the net does not see this game")
	}
	c, err := s.courses().See(ctx, game)
	if err != nil {
		return nil, err
	}
	return recordview.CourseOf(c, played.Rules.Geometry()), nil
}
