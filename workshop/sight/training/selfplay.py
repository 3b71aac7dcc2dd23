"""Plays games of Go on small boards against itself, for further.py.

  python3 selfplay.py --side 9 --weights net.pt --rows folder --seconds 400

It reads the weights anew when they change, and leaves files of rows in the folder.
"""

import argparse
import ctypes
import os
import time

import torch

from data import Frame, library
from net import Net

lib = library("selfplay.cc")
lib.pool.restype = ctypes.c_void_p
lib.waiting.restype = ctypes.c_int64


def at(t):
    return ctypes.c_void_p(t.data_ptr())


class Pool:
    """Games that are played side by side, and the net that is asked for them. Each of
    two pools works on the processors while the other's positions are on the GPU."""

    def __init__(self, net, frame, games, sims, threads, seed):
        self.net, self.frame, n, p = net, frame, games, frame.points
        self.handle = ctypes.c_void_p(lib.pool(frame.side, games, sims, threads, ctypes.c_uint64(seed)))
        host = lambda *shape, dtype: torch.empty(*shape, dtype=dtype, pin_memory=True)
        self.host = [host(n, p, dtype=torch.uint8), host(n, dtype=torch.int16), host(n, 4, dtype=torch.int16), host(n, dtype=torch.uint8), host(n, dtype=torch.int16)]
        self.logits, self.said = host(n, p + 1, dtype=torch.float32), host(n, 2, dtype=torch.float32)
        self.inputs = [torch.zeros_like(h, device="cuda") for h in self.host]
        self.keep, self.sym = torch.full((n,), 4, device="cuda"), torch.zeros(n, dtype=torch.long, device="cuda")
        self.area = torch.ones(n, device="cuda")
        self.stream, self.done = torch.cuda.Stream(), torch.cuda.Event()
        torch.cuda.synchronize()  # what the other streams made is there
        with torch.cuda.stream(self.stream):
            for _ in range(3):
                self.out = self.ask()
        self.stream.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=self.stream):
            self.out = self.ask()
        self.first = True

    @torch.no_grad()
    def ask(self):
        boards, ko, recent, side, komi = self.inputs
        x = self.frame.see(boards, ko, recent, side, komi, self.area, self.keep, self.sym)
        moves, _, win, lead, _ = self.net(x.to(torch.bfloat16, memory_format=torch.channels_last))
        return moves.float(), torch.stack([win, lead], 1).float()

    def step(self):
        self.done.synchronize()
        lib.step(self.handle, None if self.first else at(self.logits), at(self.said), *(at(h) for h in self.host))
        self.first = False
        with torch.cuda.stream(self.stream):
            for i, h in zip(self.inputs, self.host):
                i.copy_(h, non_blocking=True)
            self.graph.replay()
            self.logits.copy_(self.out[0], non_blocking=True)
            self.said.copy_(self.out[1], non_blocking=True)
            self.done.record()

    def waiting(self):
        counts = (ctypes.c_int64 * 4)()
        return lib.waiting(self.handle, counts), list(counts)

    def take(self):
        n, p = self.waiting()[0], self.frame.points
        new = lambda *shape, dtype: torch.empty(*shape, dtype=dtype)
        r = {
            "boards": new(n, p, dtype=torch.uint8), "owners": new(n, p, dtype=torch.uint8), "policy": new(n, p + 1, dtype=torch.int16),
            "recent": new(n, 4, dtype=torch.int16), "side": new(n, dtype=torch.uint8), "ko": new(n, dtype=torch.int16),
            "komi": new(n, dtype=torch.int16), "lead": new(n, dtype=torch.int16),
        }  # fmt: skip
        lib.take(self.handle, *(at(t) for t in r.values()))
        return r


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--side", type=int, required=True)
    a.add_argument("--weights", required=True)
    a.add_argument("--rows", required=True)
    a.add_argument("--seconds", type=float, required=True)
    a.add_argument("--games", type=int, default=2048, help="in each of two pools")
    a.add_argument("--sims", type=int, default=32)
    a.add_argument("--threads", type=int, default=8)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--chunk", type=int, default=50_000)
    a.add_argument("--most", type=int, default=0, help="chunks to leave, 0 for as many as there is time for")
    o = a.parse_args()
    until = time.time() + o.seconds
    state = torch.load(o.weights, map_location="cuda")
    net = Net(*state["shape"]).cuda().fold().eval()
    net.load_state_dict(state["net"])
    net = net.to(torch.bfloat16).to(memory_format=torch.channels_last)
    read = os.path.getmtime(o.weights)
    frame = Frame(o.side)
    pools = [Pool(net, frame, o.games, o.sims, o.threads, o.seed * 2 + i) for i in range(2)]
    began, told, steps, files = time.time(), time.time(), 0, 0
    while time.time() < until and not 0 < o.most <= files:
        for p in pools:
            p.step()
        steps += 2
        if steps % 32:
            continue
        for k, p in enumerate(pools):
            if p.waiting()[0] >= o.chunk:
                files += 1
                name = os.path.join(o.rows, f"{o.side}-{o.seed}-{files}.pt")
                torch.save(p.take(), name + ".part")
                os.rename(name + ".part", name)
        if os.path.getmtime(o.weights) != read:
            read = os.path.getmtime(o.weights)
            net.load_state_dict(torch.load(o.weights, map_location="cuda")["net"])
        if time.time() - told > 30:
            told = time.time()
            c = [sum(n) for n in zip(*(p.waiting()[1] for p in pools))]
            print(f"side {o.side}: {c[0]} games, {c[1] / max(1, c[0]):.0f} moves each, Black won {c[2] / max(1, c[0]):.2f}, {c[3]} cut off, "
                  f"{steps * o.games / (time.time() - began):.0f} positions/s", flush=True)  # fmt: skip


main()
