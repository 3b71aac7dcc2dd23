"""Plays games that were not counted, or not as they were recorded, to their end, and
says whose each point is there.

  python3 settle.py --games games.bin --net small.net --out labels.npz

A game that has a score is believed where it comes out within a point and a half; one
without, where the same side wins by more than three points and no string is in doubt,
and it weighs three tenths.
"""

import argparse
import ctypes
import os
import time

import numpy as np
import torch

from data import HELD, OWNERS, Frame, Index, library, pointer
from weights import load

CHOICES = 12


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--games", required=True)
    a.add_argument("--net", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--moves", type=int, default=120, help="that a game is played on for, at most")
    a.add_argument("--batch", type=int, default=8192)
    a.add_argument("--most", type=int, default=0, help="games to read, 0 for all")
    o = a.parse_args()
    began = time.time()
    lib = library("selfplay.cc")
    lib.ends.restype = ctypes.c_void_p
    index = Index(o.games, o.most)
    frame = Frame(19)
    net = load(o.net).cuda().to(torch.bfloat16).to(memory_format=torch.channels_last)
    flags, winner, komi, lead = (index.facts[:, i] for i in range(4))
    todo = np.nonzero((flags & HELD) == 0)[0]
    found, owners_of, weights = [], [], []
    tally = np.zeros(6, np.int64)
    for first in range(0, len(todo), o.batch):
        ids = todo[first : first + o.batch]
        n = len(ids)
        start = np.ascontiguousarray(index.start[ids])
        handle = ctypes.c_void_p(lib.ends(pointer(index.raw), pointer(start), n, os.cpu_count()))
        host = lambda *shape, dtype: torch.empty(*shape, dtype=dtype, pin_memory=True)
        boards, ko, recent, side, over = host(n, 361, dtype=torch.uint8), host(n, dtype=torch.int16), host(n, 4, dtype=torch.int16), host(n, dtype=torch.uint8), host(n, dtype=torch.uint8)
        at = lambda t: ctypes.c_void_p(t.data_ptr())
        k = torch.from_numpy(komi[ids]).cuda()
        area = torch.from_numpy((flags[ids] & 4) != 0).cuda()
        keep, sym = torch.full((n,), 4, device="cuda"), torch.zeros(n, dtype=torch.long, device="cuda")

        @torch.no_grad()
        def ask(sym):
            x = frame.see(boards.cuda(), ko.cuda(), recent.cuda(), side.cuda().long(), k, area, keep, sym)
            return net(x.to(torch.bfloat16, memory_format=torch.channels_last))

        lib.on(handle, None, CHOICES, o.moves, at(boards), at(ko), at(recent), at(side), at(over))
        for _ in range(o.moves + 1):
            moves = ask(sym)[0].float()
            taken = boards.cuda() > 0
            moves[:, :361][taken] = -1e9
            choice = moves.topk(CHOICES, 1).indices.to(torch.int16).cpu()
            lib.on(handle, at(choice), CHOICES, o.moves, at(boards), at(ko), at(recent), at(side), at(over))
            if over.sum().item() >= 0.995 * n:
                break
        black = torch.zeros(n, 361, device="cuda")
        for s in range(8):
            turned = torch.full((n,), s, dtype=torch.long, device="cuda")
            own = torch.sigmoid(ask(turned)[1].float())
            own = torch.gather(own, 1, frame.place[turned][:, :361])
            black += torch.where(side.cuda()[:, None] == 1, 1 - own, own) / 8
        black = black.cpu()
        owners, sure, area_lead = np.zeros((n, 361), np.uint8), np.zeros(n, np.float32), np.zeros(n, np.int16)
        lib.taken(handle, at(black), pointer(owners), pointer(sure), pointer(area_lead))
        lib.finish(handle)
        half = 2 * area_lead.astype(np.int32) - komi[ids]
        counted = lead[ids] != 32767
        right = counted & (np.abs(half - lead[ids]) <= 3)
        won = ~counted & (winner[ids] * half > 6) & (sure > 0.75) & (over.numpy() == 1)
        known = (flags[ids] & OWNERS) != 0
        truth = index.owners[ids[known]]
        tally += [known.sum(), right[known].sum(), (counted & ~known).sum(), (right & ~known).sum(), (~counted).sum(), won.sum()]
        agree = (owners[known] == truth).mean() if known.any() else 0
        new = (right | won) & ~known
        found.append(ids[new]), owners_of.append(owners[new]), weights.append(np.where(right, 1.0, 0.3)[new])
        print(f"{first + n} games, {time.time() - began:.0f} s: of {tally[0]} known {tally[1]} right ({agree:.4f} of the points), of {tally[2]} counted {tally[3]}, of {tally[4]} others {tally[5]}", flush=True)
    np.savez_compressed(o.out + ".part.npz", games=np.concatenate(found), owners=np.concatenate(owners_of), weight=np.concatenate(weights).astype(np.float32))
    os.rename(o.out + ".part.npz", o.out)


main()
