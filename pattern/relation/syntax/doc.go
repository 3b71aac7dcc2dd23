// Package syntax is the language of patterns that are made of what pieces do to each
// other, and the files that they are written in: what is read, checked word by word,
// printed back and laid in layers. Package relation looks for them on boards.
//
//	file := syntax.Parse("own.patterns", data) // with its Faults
//	base := syntax.New(shipped, file)
//	list := base.Find("馬後炮")
//
// A [Pattern] is what a player writes: roles for pieces, and conditions on them, which
// are a tree of [Condition], [Area] and [Number]. Its text form is the same for all
// that mean the same word for word.
//
// # Files
//
// Patterns are text in files whose names end in ".patterns": blocks begun by their
// kind and id, one field a line, parted by empty lines. Lines that begin with //
// are comments.
//
//	pattern cannon-behind-horse
//	game     xiangqi
//	kind     mate
//	name     Cannon behind horse | 馬後炮 | 马后炮 | 馬後砲~ | 마후포~
//	vi       Mã hậu pháo
//	alias    馬后炮 | ma hou pao
//	source   Paper 003; English name after xqinenglish.com
//	note     The horse takes the king's side steps and is the screen of the cannon.
//	let      c = our cannon
//	let      h = our horse
//	where    mated
//	where    c checks and between(k, c) = 1 and h between k c
//	where    distance(k, h) = 2
//
//	check cannon-behind-horse yes
//	fen      3k5/9/3N5/9/3C5/9/9/9/9/4K4 b
//	roles    c=d5 h=d7
//	why      the plain form
//
// The fields of a pattern:
//
//	game     the game it is for: xiangqi, if it is not said, or chess
//	kind     mate, structure or opening
//	name     English | 繁體 | 简体 | 日本語 | 한국어; a name that ends in ~ is a
//	         transliteration of ours and not attested
//	vi       the Vietnamese name, with ~ likewise
//	alias    other names in any language, parted by |
//	parent   the id of a wider pattern that this one is a case of
//	source   where definition and names are from
//	note     what a player should know
//	sides    "first" or "second" where only that side can have it; both else
//	mirror   "no" where the mirrored picture does not count; it does else
//	let      a role: NAME = PIECES, or NAME = PIECES on AREA
//	where    a condition; all lines must be true together
//
// The fields let, where and alias may stand several times, the others once. Roles
// are letters and digits, up to ten of them. "k" is the enemy king always, and "g"
// the own one; they need no line. Different roles are different pieces, and so are
// the kings where a definition names them.
//
// # Whose eyes
//
// The pattern is written for its owner, "our", who sits at the bottom and moves up;
// the other side is "their". Files are counted from the owner's right, 1 to 9, as
// players do; ranks from the owner's back rank, 1 to 10. A point is FILE.RANK: 5.10
// is where the enemy king begins, 7.9 the elbow point. Since mirrored pictures
// count, 3.9 would mean the same.
//
//	PIECES   our|their|any, then kinds joined by "or": king, advisor, elephant,
//	         chariot, horse, cannon, soldier, piece (any kind)
//	AREA     file 4, file 4,6, file 4..6, rank 7..10, 5.9, {6.8, 4.8}: points,
//	         palace (theirs), our palace, their half, our half, river (both banks:
//	         ranks 5 and 6), edge (files 1 and 9), board,
//	         beside X     the neighbours of a role on its row and column; of a
//	                      king those in its palace
//	         between X Y  the points strictly between two on one line
//	         reach X      what a piece reaches
//	         line X       the file and the rank of a piece
//	         several joined by "and" (both), "or" (either), "but" (without);
//	         "or" binds least, and parentheses help
//
// Beside and line do not hold the point itself. Where a joining word is followed by
// an area it joins areas, else conditions: "r on rank 7 and check" is one condition
// and another.
//
// Wherever a condition or a number names a second piece (Y, Z), it may name a point
// instead, but for blocks, pins and screens.
//
// # Chess
//
// In chess the kinds are king, queen, rook, bishop, knight, pawn. Points are squares as
// the owner would write them playing White, "e4", and files are counted from the left,
// 1 for a; the owner's back rank is rank 1 for Black, too. Areas are their half, our
// half, centre (d4, e4, d5, e5), edge (all four sides), queenside and kingside (files 1
// to 4, 5 to 8), light and dark (a1 is dark in the owner's picture), board. Neighbours
// lie on diagonals, too, and so do lines. A pawn reaches the squares that it strikes.
// X blocks Y where X stands right before the pawn Y. X pins Y where the queen, rook or
// bishop X would reach the enemy king, or a piece that is worth more than both, if Y
// left the line. Nothing screens. Castling is a move of the king.
//
// # Conditions
//
//	mated        the enemy is to move, in check, and has no legal move
//	stalemated   the enemy is to move, not in check, and has no legal move
//	check        the enemy king is attacked
//	our turn, their turn
//	X checks     the piece attacks the enemy king
//	X shuts k    X alone keeps the enemy king from a step. A piece of ours: it is
//	             the only one of ours that attacks the king once it has gone to a
//	             point beside it in the palace, where it may take one of ours.
//	             One of theirs: it stands on such a point itself, and none of ours
//	             would attack the king there
//	X shuts Y    the same of one step: that to Y. Where Y checks beside the king,
//	             X is what keeps the king from taking it
//	X attacks Y  the piece reaches Y, of the other side
//	X guards Y   the piece reaches Y, of its own side; of a point, it could take
//	             an enemy that came there (a cannon: behind one screen)
//	X reaches P  the piece goes to a point, or takes or protects what stands there
//	X blocks Y   X stands on the leg of the horse Y, or in the eye of the elephant
//	             Y, and so keeps it from a point that it could go to otherwise
//	X pins Y     a chariot or cannon, or the king against the king, which would
//	             reach the enemy king or an enemy chariot if Y, of that side, left
//	             the line; before a cannon either of two pieces is pinned
//	X screens C  the cannon C reaches an enemy piece over X
//	X on AREA
//	X is KIND    chariot, or several kinds joined by "or"
//	X between Y Z
//	X beside Y   neighbours on a row or column
//	empty P      nothing stands on the point, or on any of an area
//	essential X  it is mate, and without X it would be none: X checks, shuts, is a
//	             screen or a pin, stands in the way of a defender, or is one of
//	             theirs that does the like for us
//	E = E, E != E, E < E, E <= E, E > E, E >= E
//	             of numbers: 3, file(X), rank(X), between(X, Y) pieces between two
//	             on one line (no number otherwise, and then no comparison is true),
//	             distance(X, Y) steps along one line (the same), across(X, Y) and
//	             along(X, Y) difference of files and of ranks without sign,
//	             count(PIECES), count(PIECES on AREA), count(AREA) points,
//	             checkers (pieces that give check), needed (own pieces that are
//	             essential, the king too; 0 where it is no mate), sums and
//	             differences, ply: the moves from the usual start, of both sides;
//	             1000 where the game did not begin there or the moves are not
//	             known
//	lately N: M  one of the owner's last N moves was such a move
//	always N: M  each of the owner's last N moves was (there are as many)
//	early N: M   one of the first N moves of whom M names was; false where the
//	             game does not begin from the usual start
//	early N: M before M
//	             and no move of the second kind had been made then
//	last: M      the last move on the board, of whichever side, was
//	lately N: M after M, always N: M after M, last: M after M
//	             and the move right before it, of the other side, was of the
//	             second kind; "not after": it was not, or is not known
//	not C, C and C, C or C, (C)
//
// A move M is PIECES, then optionally "from AREA", "to AREA", "took PIECES" in this
// order; or a role in place of PIECES, which is the piece that has moved. "their"
// is allowed behind early, last, before and after only. Areas of moves name no roles.
//
// What depends on a single board alone is found on any board. Reach, check and mate
// are asked of the position of the game, and are false where there is none: so are
// they for a board that the rules refuse. A pattern for which more than 5,000
// pieces would have to be tried on one board does not stand there.
//
// A check is a fixture: a position ("fen"; the usual start where it is not given),
// with "moves" played from it, in any notation of the game, where the pattern is
// about moves, "side" (red or black; the owner: either, where it is not given),
// "roles" with points as the game writes them, "why" in words. "yes" must match at
// the end of the moves, "no" must not.
package syntax
