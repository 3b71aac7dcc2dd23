// Plays games of Go against itself, many at once, on boards that records are rare on.
// The net is asked outside: step hands out one position of every game and is given
// what the net says of them. Built and called by selfplay.py.
//
// A move is searched as in "Policy improvement by planning with Gumbel" (Danihelka,
// Guez, Schrittwieser, Silver, 2022): some moves are drawn without replacement, halved
// by what the search finds, and the target of learning is the net's own policy
// corrected by the values found. Area is counted, stones on the board live: whoever
// wants dead stones has to take them.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <unordered_set>
#include <vector>

namespace {

constexpr int kMost = 19, kCells = (kMost + 2) * (kMost + 2);
constexpr uint8_t kEmpty = 0, kBlack = 1, kWhite = 2, kWall = 3;
constexpr float kVisits = 50, kScale = 0.5f;  // how much a value weighs against the policy

uint64_t zobrist[3][kCells];

struct Board {
  int side, stride, points;
  uint8_t at[kCells];
  int ko;  // a point, or points
  uint64_t hash = 0;

  void begin(int s) {
    side = s, stride = s + 2, points = s * s, ko = points, hash = 0;
    memset(at, kWall, sizeof at);
    for (int p = 0; p < points; p++) at[cell(p)] = kEmpty;
  }
  int cell(int p) const { return (p / side + 1) * stride + p % side + 1; }
  int point(int c) const { return (c / stride - 1) * side + c % stride - 1; }

  // string lists the stones that are connected with one; it counts liberties up to a limit.
  int string(int from, int limit, int *liberties, int *list) const {
    static thread_local uint32_t seen[kCells], round = 0;
    const int steps[4] = {1, -1, stride, -stride};
    uint8_t colour = at[from];
    int n = 0, free = 0;
    seen[from] = ++round;
    list[n++] = from;
    for (int i = 0; i < n; i++) {
      for (int d : steps) {
        int to = list[i] + d;
        if (seen[to] == round) continue;
        if (at[to] == colour) {
          seen[to] = round;
          list[n++] = to;
        } else if (at[to] == kEmpty && free < limit) {
          seen[to] = round;
          free++;
        }
      }
    }
    *liberties = free;
    return n;
  }

  void remove(const int *list, int n) {
    for (int i = 0; i < n; i++) hash ^= zobrist[at[list[i]]][list[i]], at[list[i]] = kEmpty;
  }

  void play(int p, uint8_t colour) {
    ko = points;
    if (p == points) return;
    const int steps[4] = {1, -1, stride, -stride};
    int to = cell(p), taken = 0, last = 0, free, list[kCells];
    at[to] = colour;
    hash ^= zobrist[colour][to];
    for (int d : steps) {
      if (at[to + d] != 3 - colour) continue;
      int n = string(to + d, 1, &free, list);
      if (free) continue;
      remove(list, n);
      taken += n;
      last = to + d;
    }
    if (taken == 1) {
      int n = string(to, 2, &free, list);
      if (n == 1 && free == 1) ko = point(last);
    }
  }

  // legal: empty, not the ko, no suicide, and no filling of an own eye, which is
  // never any good where area is counted and stones on the board live.
  bool legal(int p, uint8_t colour) const {
    int to = cell(p);
    if (at[to] != kEmpty || p == ko) return false;
    const int steps[4] = {1, -1, stride, -stride};
    int own = 0;
    bool free = false;
    for (int d : steps) {
      if (at[to + d] == kEmpty) return true;
      if (at[to + d] == colour || at[to + d] == kWall) own++;
    }
    if (own == 4) {
      const int corners[4] = {stride + 1, stride - 1, -stride + 1, -stride - 1};
      int bad = 0, walls = 0;
      for (int d : corners) walls += at[to + d] == kWall, bad += at[to + d] == 3 - colour;
      if (bad + (walls > 0) < 2) return false;
    }
    int list[kCells], n;
    for (int d : steps) {
      uint8_t c = at[to + d];
      if (c == kWall) continue;
      string(to + d, 2, &n, list);
      if (c == colour ? n > 1 : n == 1) free = true;
    }
    return free;
  }

  // describe writes a point a byte: 0 empty, 1-4 Black with so many liberties (4: or
  // more), 5-8 White.
  void describe(uint8_t *out) const {
    int list[kCells];
    memset(out, 0, points);
    for (int p = 0; p < points; p++) {
      uint8_t colour = at[cell(p)];
      if (colour == kEmpty || out[p]) continue;
      int free, n = string(cell(p), 4, &free, list);
      for (int i = 0; i < n; i++) out[point(list[i])] = std::max(free, 1) + (colour == kWhite ? 4 : 0);
    }
  }

  // owners says whose each point is: the stone's on it, or theirs who alone surround
  // it; 3 where both or nobody do. It returns Black's points less White's.
  int owners(uint8_t *out) const {
    const int steps[4] = {1, -1, stride, -stride};
    int lead = 0, list[kCells];
    bool seen[kCells] = {};
    for (int p = 0; p < points; p++) {
      int c = cell(p);
      if (at[c] != kEmpty) {
        out[p] = at[c];
        lead += at[c] == kBlack ? 1 : -1;
        continue;
      }
      if (seen[c]) continue;
      int n = 0, touched = 0;
      seen[c] = true;
      list[n++] = c;
      for (int i = 0; i < n; i++) {
        for (int d : steps) {
          int to = list[i] + d;
          if (at[to] == kEmpty && !seen[to]) seen[to] = true, list[n++] = to;
          if (at[to] == kBlack || at[to] == kWhite) touched |= at[to];
        }
      }
      uint8_t who = touched == 1 || touched == 2 ? touched : 3;
      for (int i = 0; i < n; i++) out[point(list[i])] = who;
      lead += who == kBlack ? n : who == kWhite ? -n : 0;
    }
    return lead;
  }
};

struct Position {
  Board board;
  uint8_t turn = kBlack;
  uint16_t last[4];
  int passes = 0, moves = 0;

  void begin(int side) {
    board.begin(side);
    turn = kBlack, passes = moves = 0;
    for (auto &l : last) l = board.points;
  }
  void play(int p) {
    board.play(p, turn);
    memmove(last + 1, last, 6);
    last[0] = p;
    passes = p == board.points ? passes + 1 : 0;
    moves++;
    turn = 3 - turn;
  }
};

struct Edge {
  uint16_t move;
  int visits, child;  // child: a node, or -1
  float logit, prior, sum;
};

struct Node {
  int first = 0, count = 0, visits = 0;  // of edges
  float value = 0;                       // what the net says, or the end
  bool over = false;
};

struct Row {
  std::vector<uint8_t> board;
  std::vector<uint16_t> policy;  // in 65535ths
  uint16_t ko, last[4];
  uint8_t side;
};

float utility(float win, float lead, int side) { return 0.75f * win + 0.25f * (0.5f + 0.5f * std::tanh(lead / (side * 1.2f))); }

struct Game {
  std::mt19937_64 random;
  Position at, leaf;
  int side, sims, komi, opening;  // komi in half points
  std::unordered_set<uint64_t> history;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<float> gumbel;
  std::vector<std::pair<int, int>> path;  // node, edge
  std::vector<int> order;                 // visits to be considered
  std::vector<Row> rows;
  int done = 0, pending = 0;  // simulations; the node that the net is asked for
  float noise = 1;

  float uniform() { return std::uniform_real_distribution<float>(1e-7f, 1.0f)(random); }

  void begin() {
    at.begin(side);
    history.clear();
    history.insert(at.board.hash);
    rows.clear();
    // Mostly near what is fair, sometimes anything.
    komi = uniform() < 0.85f ? 10 + int(uniform() * 6) : int((uniform() * 2 - 1) * side * side * 0.6f);
    opening = int(-std::log(uniform()) * side / 3.0f);
    opening = std::min(opening, side + 3);
    root();
  }

  void root() {
    nodes.clear(), edges.clear(), path.clear();
    nodes.emplace_back();
    done = 0, pending = 0;
    leaf = at;
  }

  // margin is what the side to move leads by at the end of a game.
  float margin(const Position &p) const {
    uint8_t owner[kMost * kMost];
    float black = p.board.owners(owner) - komi / 2.0f;
    return p.turn == kBlack ? black : -black;
  }

  void expand(const float *logits, float win, float lead) {
    Node &n = nodes[pending];
    n.value = utility(1 / (1 + std::exp(-win)), lead * 20, side);
    n.first = edges.size();
    int points = leaf.board.points;
    float top = -1e9f;
    for (int p = 0; p <= points; p++) {
      if (p < points && !leaf.board.legal(p, leaf.turn)) continue;
      if (pending == 0 && p < points) {  // no position twice
        Board b = leaf.board;
        b.play(p, leaf.turn);
        if (history.count(b.hash)) continue;
      }
      edges.push_back({uint16_t(p), 0, -1, logits[p], 0, 0});
      top = std::max(top, logits[p]);
    }
    n.count = edges.size() - n.first;
    float sum = 0;
    for (int i = n.first; i < n.first + n.count; i++) sum += edges[i].prior = std::exp(edges[i].logit - top);
    for (int i = n.first; i < n.first + n.count; i++) edges[i].prior /= sum, edges[i].logit -= top;
  }

  // improved writes the policy of a node corrected by its values.
  void improved(const Node &n, std::vector<float> &out) const {
    float seen = 0, weighed = 0, most = 0;
    for (int i = n.first; i < n.first + n.count; i++) {
      const Edge &e = edges[i];
      if (!e.visits) continue;
      seen += e.prior;
      weighed += e.prior * e.sum / e.visits;
      most = std::max(most, float(e.visits));
    }
    float mixed = n.value;
    if (seen > 0) mixed = (n.value + n.visits * weighed / seen) / (1 + n.visits);
    out.resize(n.count);
    float top = -1e9f, sum = 0, scale = (kVisits + most) * kScale;
    for (int i = 0; i < n.count; i++) {
      const Edge &e = edges[n.first + i];
      out[i] = e.logit + scale * (e.visits ? e.sum / e.visits : mixed);
      top = std::max(top, out[i]);
    }
    for (auto &x : out) sum += x = std::exp(x - top);
    for (auto &x : out) x /= sum;
  }

  void back(float value) {  // value: for the side to move at the end of the path
    for (int i = path.size() - 1; i >= 0; i--) {
      value = 1 - value;
      Edge &e = edges[path[i].second];
      e.visits++, e.sum += value;
      nodes[path[i].first].visits++;
    }
  }

  void consider() {  // after the root was expanded
    int most = std::min(16, nodes[0].count), rounds = 0;
    while ((1 << rounds) < most) rounds++;
    order.clear();
    std::vector<int> visits(most, 0);
    int left = most;
    while (int(order.size()) < sims) {
      int each = std::max(1, sims / std::max(1, rounds * left));
      for (int k = 0; k < each; k++) {
        for (int i = 0; i < left; i++) order.push_back(visits[i]++);
      }
      left = std::max(std::min(2, most), left / 2);
    }
    gumbel.resize(nodes[0].count);
    noise = at.moves < side * 2 ? 1.0f : 0.5f;
    for (auto &g : gumbel) g = -std::log(-std::log(uniform())) * noise;
    // Only the best by luck and policy are considered at all.
    std::vector<int> by(nodes[0].count);
    for (size_t i = 0; i < by.size(); i++) by[i] = i;
    std::nth_element(by.begin(), by.begin() + (most - 1), by.end(), [&](int a, int b) { return gumbel[a] + edges[a].logit > gumbel[b] + edges[b].logit; });
    for (size_t i = most; i < by.size(); i++) gumbel[by[i]] = -1e9f;
  }

  int choose(int visits) {  // at the root, among the edges with so many visits
    const Node &n = nodes[0];
    float most = 0, top = -1e30f;
    for (int i = 0; i < n.count; i++) most = std::max(most, float(edges[i].visits));
    int best = -1;
    for (int i = 0; i < n.count; i++) {
      const Edge &e = edges[i];
      if (e.visits != visits || gumbel[i] < -1e8f) continue;
      float q = e.visits ? e.sum / e.visits : n.value;
      float s = gumbel[i] + e.logit + (kVisits + most) * kScale * q;
      if (s > top) top = s, best = i;
    }
    return best;
  }

  // descend goes from the root to a position for the net; false: the simulation ended
  // by itself.
  bool descend() {
    static thread_local std::vector<float> policy;
    path.clear();
    leaf = at;
    int node = 0, edge = choose(order[done]);
    if (edge < 0) {  // fewer moves than the plan has: whichever was seen least
      edge = 0;
      for (int i = 1; i < nodes[0].count; i++) {
        if (edges[i].visits < edges[edge].visits && gumbel[i] > -1e8f) edge = i;
      }
    }
    for (;;) {
      path.push_back({node, edge});
      leaf.play(edges[edge].move);
      int child = edges[edge].child;
      if (child < 0) {
        child = nodes.size();
        edges[edge].child = child;
        nodes.emplace_back();
        if (leaf.passes >= 2) {
          float m = margin(leaf);
          nodes[child].over = true;
          nodes[child].value = utility(m > 0 ? 1 : m < 0 ? 0 : 0.5f, m, side);
          back(nodes[child].value);
          return false;
        }
        pending = child;
        return true;
      }
      node = child;
      if (nodes[node].over || path.size() > 60) {
        back(nodes[node].value);
        return false;
      }
      const Node &n = nodes[node];
      improved(n, policy);
      float top = -1e30f;
      for (int i = 0; i < n.count; i++) {
        float s = policy[i] - edges[n.first + i].visits / (1.0f + n.visits);
        if (s > top) top = s, edge = n.first + i;
      }
    }
  }

  // finish makes the move that the search found, and keeps what it teaches.
  bool finish() {  // true: the game is over
    const Node &n = nodes[0];
    static thread_local std::vector<float> policy;
    improved(n, policy);
    Row r;
    int points = at.board.points;
    r.board.resize(points);
    at.board.describe(r.board.data());
    r.policy.assign(points + 1, 0);
    for (int i = 0; i < n.count; i++) r.policy[edges[i].move] = uint16_t(policy[i] * 65535 + 0.5f);
    r.ko = at.board.ko, r.side = at.turn == kWhite;
    memcpy(r.last, at.last, sizeof r.last);
    rows.push_back(std::move(r));
    int most = 0;
    for (int i = 0; i < n.count; i++) most = std::max(most, edges[i].visits);
    return made(edges[choose(most)].move);
  }

  bool made(int move) {
    at.play(move);
    if (move != at.board.points) history.insert(at.board.hash);
    return at.passes >= 2 || at.moves >= side * side * 2;
  }
};

struct Pool {
  int side, threads;
  std::vector<Game> games;
  std::mutex lock;
  int64_t played = 0, moves = 0, won = 0, cut = 0;
  // What was learnt and not yet taken, row by row.
  std::vector<uint8_t> boards, owners, sides;
  std::vector<uint16_t> policies, kos, lasts;
  std::vector<int16_t> komis, leads;  // in half points, Black's

  void over(Game &g) {
    uint8_t owner[kMost * kMost];
    int lead = 2 * g.at.board.owners(owner) - g.komi;
    std::lock_guard<std::mutex> l(lock);
    played++, moves += g.at.moves, won += lead > 0;
    if (g.at.passes < 2) {
      cut++;
      return;
    }
    for (auto &r : g.rows) {
      boards.insert(boards.end(), r.board.begin(), r.board.end());
      owners.insert(owners.end(), owner, owner + side * side);
      policies.insert(policies.end(), r.policy.begin(), r.policy.end());
      lasts.insert(lasts.end(), r.last, r.last + 4);
      sides.push_back(r.side), kos.push_back(r.ko), komis.push_back(g.komi), leads.push_back(lead);
    }
  }

  // advance takes what the net said of a game's leaf and goes on to the next.
  void advance(Game &g, const float *logits, const float *said) {
    g.expand(logits, said[0], said[1]);
    if (g.pending) {
      g.back(g.nodes[g.pending].value);
      g.done++;
    } else if (g.opening > 0) {
      g.opening--;
      // By luck, as the policy has it; nobody passes in the opening.
      const Node &n = g.nodes[0];
      int points = g.at.board.points, move = points;
      float sum = 0;
      for (int i = 0; i < n.count; i++) sum += g.edges[i].move < points ? g.edges[i].prior : 0;
      float pick = g.uniform() * sum;
      for (int i = 0; i < n.count && pick > 0; i++) {
        if (g.edges[i].move < points) pick -= g.edges[i].prior, move = g.edges[i].move;
      }
      if (g.made(move)) {
        g.begin();
      } else {
        g.root();
      }
      return;
    } else {
      g.consider();
    }
    while (g.done < g.sims) {
      if (g.descend()) return;
      g.done++;
    }
    if (g.finish()) {
      over(g);
      g.begin();
    } else {
      g.root();
    }
  }
};

// Ends are games of records that are played on from where they stop.
struct Ends {
  std::vector<Position> at;
  std::vector<uint8_t> over;
  int threads;

  template <typename Work>
  void each(Work work) {
    std::atomic<int> next{0};
    std::vector<std::thread> pool;
    for (int i = 0; i < threads; i++) {
      pool.emplace_back([&] {
        for (int from; (from = next.fetch_add(32)) < int(at.size());) {
          for (int g = from; g < std::min(int(at.size()), from + 32); g++) work(g);
        }
      });
    }
    for (auto &t : pool) t.join();
  }
};

}  // namespace

extern "C" {

// ends plays the games that begin at the given bytes of a file (data.py says of which
// kind) to where they stop.
Ends *ends(const uint8_t *file, const int64_t *start, int games, int threads) {
  auto *e = new Ends;
  e->threads = threads;
  e->at.resize(games), e->over.assign(games, 0);
  e->each([&](int g) {
    const uint8_t *p = file + start[g];
    Position &at = e->at[g];
    at.begin(p[0]);
    uint16_t n[2], to;
    memcpy(n, p + 8, 4);
    p += 12;
    for (int i = 0; i < n[0] + n[1]; i++, p += 2) {
      memcpy(&to, p, 2);
      at.turn = to >> 15 ? kWhite : kBlack, to &= 0x7FFF;
      if (i < n[0]) {
        at.board.at[at.board.cell(to)] = at.turn;
      } else if (to == at.board.points || at.board.at[at.board.cell(to)] == kEmpty) {
        at.play(to);
      }
    }
    at.passes = at.moves = 0;
  });
  return e;
}

// on makes of each game the first of some moves that is one (choices is null the first
// time), and writes the position that follows; over is 1 where both have passed.
void on(Ends *e, const int16_t *choices, int each, int most, uint8_t *boards, uint16_t *ko, uint16_t *recent, uint8_t *side, uint8_t *over) {
  e->each([&](int g) {
    Position &at = e->at[g];
    int points = at.board.points, move = points;
    if (choices && !e->over[g]) {
      for (int k = 0; k < each; k++) {
        int to = choices[int64_t(g) * each + k];
        if (to == points || at.board.legal(to, at.turn)) {
          move = to;
          break;
        }
      }
      at.play(move);
      e->over[g] = at.passes >= 2 || at.moves >= most;
    }
    at.board.describe(boards + int64_t(g) * points);
    ko[g] = at.board.ko;
    memcpy(recent + 4 * g, at.last, 8);
    side[g] = at.turn == kWhite;
    over[g] = e->over[g];
  });
}

// taken says whose each point is where strings are dead that are not their side's by
// more than half, as the net has it (black: chance of each point to be Black's). It
// tells how sure the least sure string is, and the lead in area.
void taken(Ends *e, const float *black, uint8_t *owners, float *sure, int16_t *lead) {
  e->each([&](int g) {
    Board b = e->at[g].board;
    const float *mine = black + int64_t(g) * b.points;
    bool seen[kCells] = {};
    int list[kCells], free;
    sure[g] = 1;
    for (int p = 0; p < b.points; p++) {
      int c = b.cell(p);
      if (b.at[c] == kEmpty || seen[c]) continue;
      int n = b.string(c, 1, &free, list);
      float sum = 0;
      for (int i = 0; i < n; i++) seen[list[i]] = true, sum += mine[b.point(list[i])];
      float stays = b.at[c] == kBlack ? sum / n : 1 - sum / n;
      sure[g] = std::min(sure[g], std::max(stays, 1 - stays));
      if (stays < 0.5f) b.remove(list, n);
    }
    lead[g] = b.owners(owners + int64_t(g) * b.points);
  });
}

void finish(Ends *e) { delete e; }

Pool *pool(int side, int games, int sims, int threads, uint64_t seed) {
  static std::once_flag once;
  std::call_once(once, [] {
    std::mt19937_64 r(20260101);
    for (auto &c : zobrist)
      for (auto &z : c) z = r();
  });
  auto *p = new Pool;
  p->side = side, p->threads = threads;
  p->games.resize(games);
  for (int i = 0; i < games; i++) {
    Game &g = p->games[i];
    g.random.seed(seed * 1000003 + i);
    g.side = side, g.sims = sims;
    g.begin();
  }
  return p;
}

// step takes what the net said of the positions that the last step handed out (logits
// is null the first time), and hands out the next.
void step(Pool *p, const float *logits, const float *said, uint8_t *boards, uint16_t *ko, uint16_t *recent, uint8_t *side, int16_t *komi) {
  std::atomic<int> next{0};
  int games = p->games.size(), points = p->side * p->side;
  auto work = [&] {
    for (int from; (from = next.fetch_add(32)) < games;) {
      for (int i = from; i < std::min(games, from + 32); i++) {
        Game &g = p->games[i];
        if (logits) p->advance(g, logits + int64_t(i) * (points + 1), said + int64_t(i) * 2);
        g.leaf.board.describe(boards + int64_t(i) * points);
        ko[i] = g.leaf.board.ko;
        memcpy(recent + 4 * i, g.leaf.last, 8);
        side[i] = g.leaf.turn == kWhite;
        komi[i] = g.komi;
      }
    }
  };
  std::vector<std::thread> pool;
  for (int i = 0; i < p->threads; i++) pool.emplace_back(work);
  for (auto &t : pool) t.join();
}

// waiting is how many rows can be taken; counts: games, moves, won by Black, cut off.
int64_t waiting(Pool *p, int64_t *counts) {
  std::lock_guard<std::mutex> l(p->lock);
  counts[0] = p->played, counts[1] = p->moves, counts[2] = p->won, counts[3] = p->cut;
  return p->sides.size();
}

// take moves all rows into arrays that have room for them.
void take(Pool *p, uint8_t *boards, uint8_t *owners, uint16_t *policies, uint16_t *recent, uint8_t *side, uint16_t *ko, int16_t *komi, int16_t *lead) {
  std::lock_guard<std::mutex> l(p->lock);
  auto move = [](auto &from, auto *to) {
    memcpy(to, from.data(), from.size() * sizeof(from[0]));
    from.clear();
  };
  move(p->boards, boards), move(p->owners, owners), move(p->policies, policies), move(p->lasts, recent);
  move(p->sides, side), move(p->kos, ko), move(p->komis, komi), move(p->leads, lead);
}
}
