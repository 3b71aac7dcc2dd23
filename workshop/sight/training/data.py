"""Games that `qipu workshop sight pack` wrote, as tensors on the GPU."""

import ctypes
import os
import subprocess
import tempfile
import time

import numpy as np
import torch

POINTS, PASS = 361, 361
HELD, OWNERS, AREA, PRO = 1, 2, 4, 8

# The planes that the net sees, in their order; engine/sight/sight.go fills the same.
PLANES = ["board", "own", "other", "liberty1", "liberty2", "liberty3", "ko", "last1", "last2", "last3", "last4", "komi", "area"]


def library(source):
    """A source of this folder, compiled for this machine."""
    here = os.path.dirname(os.path.abspath(__file__))
    out = os.path.join(tempfile.gettempdir(), f"qipu-{source}-{os.getpid()}.so")
    subprocess.run(["g++", "-O3", "-march=native", "-shared", "-fPIC", "-pthread", "-o", out, os.path.join(here, source)], check=True)
    loaded = ctypes.CDLL(out)
    os.remove(out)
    return loaded


def pointer(a):
    return a.ctypes.data_as(ctypes.c_void_p)


class Frame:
    """Boards of one size, as the net sees them."""

    def __init__(self, side, device="cuda"):
        self.side, self.points, self.device = side, side * side, device
        n = torch.arange(self.points, device=device).reshape(side, side)
        turned = []
        for flip in (n, n.flip(1)):
            turned += [torch.rot90(flip, k).reshape(-1) for k in range(4)]
        self.turn = torch.stack(turned)  # turn[s][new] = old
        end = torch.full((8, 1), self.points, device=device)
        self.place = torch.cat([torch.argsort(self.turn, dim=1), end], 1)  # place[s][old] = new, the pass at the end

    def see(self, boards, ko, recent, white, komi, area, keep, sym):
        """The planes of positions: boards as replay.cc describes them, komi in half
        points; keep: how many of the last moves the net is told of; sym: the symmetry
        of each."""
        n = len(boards)
        b = torch.gather(boards.long(), 1, self.turn[sym])
        colour = (b > 0).long() + (b > 4).long()  # 1 Black, 2 White
        liberties = torch.where(b > 4, b - 4, b)
        mine = torch.where(white == 1, 2, 1)[:, None]
        x = torch.zeros(n, len(PLANES), self.points, device=self.device, dtype=torch.float32)
        x[:, 0] = 1
        x[:, 1] = (colour == mine).float()
        x[:, 2] = ((colour > 0) & (colour != mine)).float()
        for k in (1, 2, 3):
            x[:, 2 + k] = (liberties == k).float()
        extra = torch.zeros(n, 5, self.points + 1, device=self.device)
        spots = torch.cat([ko[:, None], recent], 1).long()
        known = torch.arange(5, device=self.device).expand(n, 5)
        spots = torch.where(known <= keep[:, None], spots, self.points)
        extra.scatter_(2, torch.gather(self.place[sym], 1, spots)[:, :, None], 1.0)
        x[:, 6:11] = extra[:, :, : self.points]
        sign = torch.where(white == 1, 1.0, -1.0)
        x[:, 11] = (sign * komi.float() / 30).clamp(-2, 2)[:, None]
        x[:, 12] = area.float()[:, None]
        return x.reshape(n, len(PLANES), self.side, self.side)

    def owned(self, owners, white, sym):
        """What the net is to say of owners (1 Black, 2 White, 3 nobody)."""
        o = torch.gather(owners.long(), 1, self.turn[sym])
        return torch.where(o == 3, 0.5, (o == torch.where(white == 1, 2, 1)[:, None]).float())


class Index:
    """The games of a file on 19x19: where each begins, what is known of it, and the owners
    of its points where they are told."""

    def __init__(self, path, most=0):
        self.raw = raw = np.fromfile(path, dtype=np.uint8)
        assert raw[:8].tobytes() == b"QSIGHT1\n", path + ": not a file of games"
        start, first, facts, owners = [], [], [], []
        at, rows = 8, 0
        while at < len(raw) and (not most or len(start) < most):
            w, h, flags = int(raw[at]), int(raw[at + 1]), int(raw[at + 2])
            winner = int(raw[at + 3 : at + 4].view(np.int8)[0])
            komi, lead = raw[at + 4 : at + 8].copy().view("<i2").tolist()
            stones, moves = raw[at + 8 : at + 12].copy().view("<u2").tolist()
            end = at + 12 + 2 * (stones + moves)
            packed = None
            if flags & OWNERS:
                packed = raw[end : end + (w * h + 3) // 4]
                end += (w * h + 3) // 4
            if w == 19 and h == 19:
                start.append(at)
                first.append(rows)
                facts.append((flags, winner, komi, lead, moves))
                rows += moves
                if packed is None:
                    owners.append(np.zeros(POINTS, np.uint8))
                else:
                    owners.append(((packed[:, None] >> np.array([0, 2, 4, 6], np.uint8)) & 3).reshape(-1)[:POINTS].astype(np.uint8))
            at = end
        self.start, self.first, self.rows = np.array(start, np.int64), np.array(first, np.int64), rows
        self.facts, self.owners = np.array(facts, np.int32), np.stack(owners)


class Games:
    """All positions of all games on 19x19, one row each."""

    def __init__(self, path, device="cuda", most=0):
        index = Index(path, most)
        rows, f = index.rows, index.facts
        boards, ko, recent = np.empty((rows, POINTS), np.uint8), np.empty(rows, np.uint16), np.empty((rows, 4), np.uint16)
        label, side, game, ply = np.empty(rows, np.uint16), np.empty(rows, np.uint8), np.empty(rows, np.int32), np.empty(rows, np.uint16)
        library("replay.cc").replay(
            pointer(index.raw), pointer(index.start), pointer(index.first), len(f), os.cpu_count(),
            pointer(boards), pointer(ko), pointer(recent), pointer(label), pointer(side), pointer(game), pointer(ply),
        )  # fmt: skip
        put = lambda a: torch.from_numpy(a).to(device)
        self.device = device
        self.boards, self.side, self.game = put(boards), put(side), put(game)
        self.ko, self.recent = put(ko.astype(np.int16)), put(recent.astype(np.int16))
        self.label, self.ply = put(label.astype(np.int32)), put(ply.astype(np.int16))
        self.flags, self.winner, self.komi, self.lead, self.moves = (put(np.ascontiguousarray(f[:, i])) for i in range(5))
        self.owners = put(index.owners)
        self.weight = (self.flags & OWNERS != 0).float()  # of what is known of them
        good = self.label != 0xFFFF
        held = (self.flags & HELD != 0)[self.game.long()]
        self.train = torch.nonzero(good & ~held).squeeze(1)
        self.held = torch.nonzero(good & held & (self.flags & PRO != 0)[self.game.long()]).squeeze(1)
        self.frame, self.pro = Frame(19, device), None

    def draw(self, n, masters):
        """Rows to learn from, this share of them of professional games."""
        if self.pro is None:
            pro = (self.flags & PRO != 0)[self.game[self.train].long()]
            self.pro, self.rest = self.train[pro], self.train[~pro]
        if masters <= 0 or not len(self.pro) or not len(self.rest):
            return self.train[torch.randint(len(self.train), (n,), device=self.device)]
        k = round(n * masters)
        return torch.cat([self.pro[torch.randint(len(self.pro), (k,), device=self.device)], self.rest[torch.randint(len(self.rest), (n - k,), device=self.device)]])

    def add(self, labels):
        """Takes over the owners that settle.py found; they are waited for."""
        while not os.path.exists(labels):
            time.sleep(0.2)
        more = np.load(labels)
        here = more["games"] < len(self.weight)
        at = torch.from_numpy(more["games"][here]).to(self.device)
        self.owners[at] = torch.from_numpy(more["owners"][here]).to(self.device)
        self.weight[at] = torch.from_numpy(more["weight"][here]).to(self.device)
        print(f"owners of {len(at)} games more", flush=True)

    def batch(self, rows, keep, sym):
        """What the net sees of rows and what it is to say. keep: how many of the last
        moves it is told of; sym: the symmetry of each row."""
        white, game = self.side[rows].long(), self.game[rows].long()
        area = self.flags[game] & AREA != 0
        x = self.frame.see(self.boards[rows], self.ko[rows], self.recent[rows], white, self.komi[game], area, keep, sym)
        sign = torch.where(white == 1, 1.0, -1.0)
        label = torch.gather(self.frame.place[sym], 1, self.label[rows].long()[:, None]).squeeze(1)
        owner = self.frame.owned(self.owners[game], white, sym)
        has = self.weight[game]
        won = -sign * self.winner[game].float()  # 1: the side to move won
        lead = torch.where(self.lead[game] == 32767, float("nan"), -sign * self.lead[game].float() / 2)
        return x, label, owner, has, won, lead
