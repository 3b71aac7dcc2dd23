// Replays the games of a file that `qipu workshop sight pack` wrote, and gives every
// position before a move to the training: stones with their liberties, ko, the last
// moves, the move that was played. Built and called by data.py.
//
//   g++ -O3 -march=native -shared -fPIC -pthread -o replay.so replay.cc

#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace {

constexpr int kSide = 19, kPoints = kSide * kSide, kStride = kSide + 2, kCells = kStride * kStride, kPass = kPoints;
constexpr uint8_t kEmpty = 0, kBlack = 1, kWhite = 2, kWall = 3;

int cell(int point) { return (point / kSide + 1) * kStride + point % kSide + 1; }

// Board is a position of Go with strings found anew where they are asked for.
struct Board {
  uint8_t at[kCells];
  int ko = kPass;
  int list[kPoints], libs[kPoints];
  uint32_t seen[kCells], round = 0;

  Board() {
    memset(at, kWall, sizeof at);
    memset(seen, 0, sizeof seen);
    for (int p = 0; p < kPoints; p++) at[cell(p)] = kEmpty;
  }

  // string lists the stones that are connected with one, and counts their liberties
  // up to a limit.
  int string(int from, int limit, int *liberties) {
    static const int steps[4] = {1, -1, kStride, -kStride};
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

  void play(int point, uint8_t colour) {
    static const int steps[4] = {1, -1, kStride, -kStride};
    ko = kPass;
    if (point == kPass) return;
    int to = cell(point), taken = 0, last = 0, free;
    at[to] = colour;
    for (int d : steps) {
      if (at[to + d] != 3 - colour) continue;
      int n = string(to + d, 1, &free);
      if (free) continue;
      for (int i = 0; i < n; i++) at[list[i]] = kEmpty;
      taken += n;
      last = to + d;
    }
    int n = string(to, 2, &free);
    if (free == 0) {
      for (int i = 0; i < n; i++) at[list[i]] = kEmpty;
    } else if (taken == 1 && n == 1 && free == 1) {
      ko = (last / kStride - 1) * kSide + last % kStride - 1;
    }
  }

  // describe writes a point a byte: 0 empty, 1-4 Black with so many liberties (4: or
  // more), 5-8 White.
  void describe(uint8_t *out) {
    memset(out, 0, kPoints);
    for (int p = 0; p < kPoints; p++) {
      uint8_t colour = at[cell(p)];
      if (colour == kEmpty || out[p]) continue;
      int free, n = string(cell(p), 4, &free);
      if (free < 1) free = 1;
      for (int i = 0; i < n; i++) out[(list[i] / kStride - 1) * kSide + list[i] % kStride - 1] = free + (colour == kWhite ? 4 : 0);
    }
  }
};

}  // namespace

extern "C" {

// replay fills the arrays for games that begin at the given bytes of the file; game i
// has its first position at row first[i]. It returns the number of positions.
void replay(const uint8_t *file, const int64_t *start, const int64_t *first, int games, int threads, uint8_t *boards, uint16_t *ko, uint16_t *recent,
            uint16_t *label, uint8_t *side, int32_t *game, uint16_t *ply) {
  std::atomic<int> next{0};
  auto work = [&] {
    for (int g; (g = next++) < games;) {
      const uint8_t *p = file + start[g];
      int stones, moves;
      {
        uint16_t n[2];
        memcpy(n, p + 8, 4);
        stones = n[0], moves = n[1];
      }
      p += 12;
      Board b;
      std::vector<uint16_t> list(stones + moves);
      memcpy(list.data(), p, 2 * list.size());
      for (int i = 0; i < stones; i++) b.at[cell(list[i] & 0x7FFF)] = list[i] >> 15 ? kWhite : kBlack;
      uint16_t last[4] = {kPass, kPass, kPass, kPass};
      for (int i = 0; i < moves; i++) {
        uint16_t to = list[stones + i] & 0x7FFF, white = list[stones + i] >> 15;
        int64_t row = first[g] + i;
        b.describe(boards + row * kPoints);
        ko[row] = b.ko;
        memcpy(recent + 4 * row, last, sizeof last);
        // A record that puts a stone on a stone teaches nothing.
        label[row] = to != kPass && b.at[cell(to)] != kEmpty ? 0xFFFF : to;
        side[row] = white;
        game[row] = g;
        ply[row] = i;
        b.play(to, white ? kWhite : kBlack);
        memmove(last + 1, last, 6);
        last[0] = to;
      }
    }
  };
  std::vector<std::thread> pool;
  for (int i = 0; i < threads; i++) pool.emplace_back(work);
  for (auto &t : pool) t.join();
}
}
