// Package cbf reads CBF, the XML form of the records of CCBridge, a program for
// Xiangqi:
//
//	<ChineseChessRecord Version="1.0">
//	 <Head><Name>...</Name><Red>...</Red><FEN>...</FEN>...</Head>
//	 <MoveList>
//	  <Move value="00-00"><![CDATA[comment on the start]]></Move>
//	  <Move value="77-47" />
//	  <Move value="70-62" end="1" />
//	 </MoveList>
//	</ChineseChessRecord>
//
// The elements of Head are the tags of the game. A move is column and row from
// the top left, twice; it becomes ICCS text (77-47 is h2e2). The first one,
// 00-00, stands for the start. Attributes that the package does not know become
// properties of their node.
//
// The files seen so far hold one line of moves each; how the program writes
// variations is not known. Moves behind the one that is marked as the end are
// kept in the property Behind of the root, and the game is marked. The format
// is not written.
package cbf
