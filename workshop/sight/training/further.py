"""Trains the net further, on records and on games that it plays against itself.

  python3 further.py --games games.bin --from run/small.pt --out run --seconds 500 --of 1000
  python3 further.py --games games.bin --from run/small.pt --out run --seconds 500 --of 1000   # goes on

It begins with the net of train.py, folds the normalisation in, and goes on without: what
it sees are batches of one size of board each, 19x19 from records, small ones from
selfplay.py, which runs beside it with the weights of the last half minute, or from a
folder that it filled before (--rows). At its end it measures records that were kept out
and writes run/small.net (or what --name says).

A --teacher is a net whose opinion is learnt from beside the records: that of the same
position, move for move.
"""

import argparse
import glob
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import torch
import torch.nn.functional as F

from data import Frame, Games
from export import export
from net import Net
from train import losses, measure
from weights import load


class Rows:
    """The last positions of self-play on one size of board."""

    def __init__(self, side, capacity):
        self.frame, self.capacity, self.count, self.seen = Frame(side), capacity, 0, 0
        p, put = side * side, lambda *shape, dtype: torch.zeros(*shape, dtype=dtype, device="cuda")
        self.all = {
            "boards": put(capacity, p, dtype=torch.uint8), "owners": put(capacity, p, dtype=torch.uint8), "policy": put(capacity, p + 1, dtype=torch.int16),
            "recent": put(capacity, 4, dtype=torch.int16), "side": put(capacity, dtype=torch.uint8), "ko": put(capacity, dtype=torch.int16),
            "komi": put(capacity, dtype=torch.int16), "lead": put(capacity, dtype=torch.int16),
        }  # fmt: skip

    def add(self, rows):
        n = len(rows["side"])
        to = (self.seen + torch.arange(n, device="cuda")) % self.capacity
        for k, t in rows.items():
            self.all[k][to] = t.cuda()
        self.seen += n
        self.count = min(self.capacity, self.seen)

    def batch(self, n):
        i = torch.randint(self.count, (n,), device="cuda")
        sym, luck = torch.randint(8, (n,), device="cuda"), torch.rand(n, device="cuda")
        keep = torch.where(luck < 0.2, 0, 4)
        r = {k: t[i] for k, t in self.all.items()}
        white = r["side"].long()
        # How they were counted tells little on these boards: a quarter does not know.
        area = torch.rand(n, device="cuda") > 0.25
        x = self.frame.see(r["boards"], r["ko"], r["recent"], white, r["komi"], area, keep, sym)
        policy = (r["policy"].int() & 0xFFFF).float() / 65535
        policy = torch.zeros_like(policy).scatter_(1, self.frame.place[sym], policy)
        sign = torch.where(white == 1, -1.0, 1.0)
        lead = sign * r["lead"].float() / 2
        return x, policy / policy.sum(1, keepdim=True), self.frame.owned(r["owners"], white, sym), lead


def small_losses(out, policy, owner, lead):
    moves, owned, win, score, spread = (t.float() for t in out)
    said = -(policy * F.log_softmax(moves, 1)).sum(1).mean()
    own = F.binary_cross_entropy_with_logits(owned, owner)
    value = F.binary_cross_entropy_with_logits(win, (lead.sign() + 1) / 2)
    s = spread.clamp(-5, 3)
    return said, own, value, ((score - lead / 20).abs() / s.exp() + s).mean()


def taught(out, said):
    """How far a net is from what its teacher said."""
    moves, owned, win, score, _ = (t.float() for t in out)
    with torch.no_grad():
        wise, own, chance, lead, _ = (t.float() for t in said)
        wise, own, chance = F.softmax(wise, 1), torch.sigmoid(own), torch.sigmoid(chance)
    policy = -(wise * F.log_softmax(moves, 1)).sum(1).mean()
    owner = F.binary_cross_entropy_with_logits(owned, own)
    return policy + 0.6 * owner + 0.3 * F.binary_cross_entropy_with_logits(win, chance) + 0.1 * (score - lead).abs().mean()


def begin(path):
    """The net of a file of train.py, of further.py, or of export.py, without
    normalisation."""
    if path.endswith(".net"):
        return load(path).cuda()
    c = torch.load(path, map_location="cuda")
    state = c["ema"]
    width = state["stem.conv.weight"].shape[0]
    blocks = 1 + max(int(k.split(".")[1]) for k in state if k.startswith("blocks."))
    net = Net(blocks, width).cuda().eval()
    if "stem.conv.bias" in state:  # folded before
        net.fold()
        net.load_state_dict(state)
        return net
    net.load_state_dict(state)
    return net.fold()


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--games", required=True)
    a.add_argument("--from", dest="start", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--seconds", type=float, default=500)
    a.add_argument("--of", type=float, default=1000)
    a.add_argument("--rate", type=float, default=6e-4)
    a.add_argument("--batch", type=int, default=3072)
    a.add_argument("--name", default="small")
    a.add_argument("--masters", type=float, default=0, help="share of positions that are of professional games, 0 for as they come")
    a.add_argument("--labels", default="", help="owners that settle.py found")
    a.add_argument("--rows", default="", help="folder of rows that selfplay.py left, instead of games beside")
    a.add_argument("--teacher", default="", help="net to learn from")
    a.add_argument("--most", type=int, default=0, help="games to read, 0 for all")
    a.add_argument("--seed", type=int, default=2)
    o = a.parse_args()
    os.makedirs(o.out, exist_ok=True)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    began = time.time()
    path, spent, steps, c = os.path.join(o.out, o.name + "-further.pt"), 0.0, 0, None
    games = Games(o.games, most=o.most)
    if o.labels:
        games.add(o.labels)
    print(f"{len(games.flags)} games, {len(games.train)} positions to learn, {len(games.held)} kept out, {time.time() - began:.0f} s", flush=True)
    while not os.path.exists(o.start) or o.teacher and not os.path.exists(o.teacher):
        time.sleep(0.2)
    time.sleep(0.5)
    net, ema = begin(o.start), begin(o.start)
    if os.path.exists(path):
        c = torch.load(path, map_location="cuda")
        net.load_state_dict(c["net"]), ema.load_state_dict(c["ema"])
        spent, steps = c["spent"], c["steps"]
    net = net.to(memory_format=torch.channels_last)
    teacher = begin(o.teacher).to(memory_format=torch.channels_last) if o.teacher else None
    torch.manual_seed(o.seed + steps)
    decay = [p for p in net.parameters() if p.ndim > 1]
    rest = [p for p in net.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 1e-2}, {"params": rest, "weight_decay": 0}], lr=o.rate, betas=(0.9, 0.99), fused=True)
    if c:
        opt.load_state_dict(c["opt"])

    shared = o.rows or tempfile.mkdtemp(dir="/dev/shm")
    weights = os.path.join(shared, "net.pt")

    def publish():
        torch.save({"net": ema.state_dict(), "shape": ema.shape}, weights + ".part")
        os.rename(weights + ".part", weights)

    if not o.rows:
        publish()
    here = os.path.dirname(os.path.abspath(__file__))
    players = []
    for side, many, threads in () if o.rows else ((9, 2048, 5), (13, 1024, 9), (7, 512, 2)):
        players.append(subprocess.Popen([
            sys.executable, os.path.join(here, "selfplay.py"), "--side", str(side), "--weights", weights, "--rows", shared, "--seconds", str(o.seconds + 600),
            "--games", str(many), "--threads", str(threads), "--seed", str(o.seed + steps),
        ]))  # fmt: skip
    rows = {9: Rows(9, 1_500_000), 13: Rows(13, 1_000_000), 7: Rows(7, 200_000)}
    shares = {9: o.batch // 3, 13: o.batch // 4, 7: o.batch // 24}
    run, ask = torch.compile(net), torch.compile(teacher) if teacher else None

    def learnt(x, out, loss):
        """What is to be made small, with a teacher half of it what he says."""
        if not teacher:
            return loss
        with torch.no_grad(), torch.autocast("cuda", torch.bfloat16):
            said = ask(x) if x.shape[2] == 19 else teacher(x)
        return 0.5 * loss + 0.5 * taught(out, said)

    def step():
        r = games.draw(o.batch, o.masters)
        sym = torch.randint(8, (o.batch,), device="cuda")
        luck = torch.rand(o.batch, device="cuda")
        keep = torch.where(luck < 0.2, 0, torch.where(luck < 0.25, torch.randint(1, 4, (o.batch,), device="cuda"), 4))
        x, label, owner, has, won, lead = games.batch(r, keep, sym)
        opt.zero_grad(set_to_none=True)
        x = x.to(memory_format=torch.channels_last)
        with torch.autocast("cuda", torch.bfloat16):
            out = run(x)
        policy, own, value, score = losses(out, label, owner, has, won, lead)
        learnt(x, out, policy + 0.6 * own + 0.3 * value + 0.1 * score).backward()
        told = {19: torch.stack([policy, own, value, score]).detach()}
        for side, buffer in rows.items():
            if buffer.count < 50_000:
                continue
            x, policy, owner, lead = buffer.batch(shares[side])
            x = x.to(memory_format=torch.channels_last)
            with torch.autocast("cuda", torch.bfloat16):
                out = net(x)
            four = small_losses(out, policy, owner, lead)
            (shares[side] / o.batch * (four[0] + 0.6 * four[1] + 0.6 * four[2] + 0.1 * four[3])).backward()
            told[side] = torch.stack(four).detach()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()
        return told

    read = set()

    def gather():
        for name in glob.glob(os.path.join(shared, "*-*.pt")):
            if name not in read:
                rows[int(os.path.basename(name).split("-")[0])].add(torch.load(name))
                if o.rows:
                    read.add(name)
                else:
                    os.remove(name)

    gather()
    step()  # compiles
    torch.cuda.synchronize()
    start = told_at = sent = time.time()
    sums, counts = {}, {}
    print(f"begins after {start - began:.0f} s", flush=True)
    while time.time() - start < o.seconds:
        part = min(1.0, (spent + time.time() - start) / o.of)
        for g in opt.param_groups:
            g["lr"] = o.rate * min(1.0, (steps + 1) / 300) * (0.5 * (1 + math.cos(math.pi * part)) + 1e-3)
        for k, v in step().items():
            sums[k], counts[k] = sums.get(k, 0) + v, counts.get(k, 0) + 1
        steps += 1
        if steps % 5 == 0:
            with torch.no_grad():
                torch._foreach_lerp_(list(ema.parameters()), list(net.parameters()), 1 - min(0.99, steps / (steps + 20)))
        if steps % 50 == 0:
            gather()
        if not o.rows and time.time() - sent > 20:
            sent = time.time()
            publish()
        if time.time() - told_at > 30:
            told_at = time.time()
            means = {k: [round(x, 4) for x in (v / counts[k]).tolist()] for k, v in sums.items()}
            if not all(math.isfinite(x) for v in means.values() for x in v):
                raise SystemExit("the loss is no number")
            print(f"{told_at - start:.0f} s, step {steps}, rows {({k: b.seen for k, b in rows.items()})}, {means}", flush=True)
            sums, counts = {}, {}
    for p in players:
        p.kill()
    spent += time.time() - start
    torch.save({"net": net.state_dict(), "ema": ema.state_dict(), "opt": opt.state_dict(), "spent": spent, "steps": steps, "shape": ema.shape}, path + ".part")
    os.rename(path + ".part", path)  # a pupil may wait for it
    figures = {"steps": steps, "seconds": round(spent), "rows": {k: b.seen for k, b in rows.items()}, "held": measure(ema, games)}
    print(json.dumps(figures), flush=True)
    export(ema, games, os.path.join(o.out, o.name + ".net"), figures)


main()
