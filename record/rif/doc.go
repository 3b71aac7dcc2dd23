// Package rif reads the database of RenjuNet, an XML file with tables and then
// games:
//
//	<countries><country id="1" name="Estonia" abbr="EST"/></countries>
//	<cities>...  <months>...  <rules>...  <openings>...
//	<players><player id="7" name="..." surname="..." country="1" city="2"/></players>
//	<tournaments><tournament id="3" name="..." start="2003-08-05" .../></tournaments>
//	<games>
//	 <game id="1" tournament="3" round="2" rule="1" black="7" white="8" bresult="1" opening="5" alt="..." swap="...">
//	  <move>h8 i9 ...</move><info>...</info>
//	 </game>
//	</games>
//
// The file is read as a stream: in memory are the tables and one game. The
// attributes of a game are its tags, as they stand; what the numbers mean is in
// the Facts, and in the tags rule_name and tournament_name. Games that come
// before a table that they need wait until the end of the file, as long as they
// are not too many.
//
// Facts.Date is the time of the tournament: the file does not tell the day of a
// game. bresult is 1, 0.5 or 0 for Black.
//
// The terms of RenjuNet allow private use only: a program may read the file
// that its user brings, but not come with one. The format is not written.
package rif
