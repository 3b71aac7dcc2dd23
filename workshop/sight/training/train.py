"""Trains the net of Go on a GPU, in runs that follow on each other.

  python3 train.py --games games.bin --out run --seconds 540 --of 1100
  python3 train.py --games games.bin --out run --seconds 540 --of 1100   # goes on

A run stops after --seconds and leaves run/small.pt (or what --name says), with which the
next one goes on; the learning rate falls over --of seconds of training in all. At its end
a run measures games that were kept out, and writes run/small.net for the program.
"""

import argparse
import json
import math
import os
import time

import torch
import torch.nn.functional as F

from data import PASS, Games
from export import export
from net import Net


def losses(out, label, owner, has, won, lead):
    moves, owned, win, score, spread = (t.float() for t in out)
    policy = F.cross_entropy(moves, label)
    point = F.binary_cross_entropy_with_logits(owned, owner, reduction="none").mean(1)
    own = (point * has).sum() / has.sum().clamp(min=1)
    known = (won != 0).float()
    value = (F.binary_cross_entropy_with_logits(win, (won + 1) / 2, reduction="none") * known).sum() / known.sum().clamp(min=1)
    counted = ~lead.isnan()
    off = (score - lead.nan_to_num() / 20).abs()
    laplace = off / spread.clamp(-5, 3).exp() + spread.clamp(-5, 3)
    lead_loss = (laplace * counted).sum() / counted.sum().clamp(min=1)
    return policy, own, value, lead_loss


@torch.no_grad()
def measure(net, games, most=200_000, batch=4096):
    """How good the net is on professional games that were kept out."""
    net.eval()
    rows = games.held[:: max(1, len(games.held) // most)]
    t = {k: 0.0 for k in ("n", "top1", "top5", "bare1", "bare5", "loss", "wins", "decided", "lead", "counted")}
    fate = {}
    for i in range(0, len(rows), batch):
        r = rows[i : i + batch]
        sym = torch.zeros(len(r), dtype=torch.long, device=r.device)
        for keep, name in ((4, "top"), (0, "bare")):
            x, label, owner, has, won, lead = games.batch(r, torch.full((len(r),), keep, device=r.device), sym)
            with torch.autocast("cuda", torch.bfloat16):
                moves, owned, win, score, _ = net(x.to(memory_format=torch.channels_last))
            moves = moves.float()
            taken = (x[:, 1] + x[:, 2]).flatten(1) > 0
            moves[:, :PASS][taken] = -1e9
            best = moves.topk(5, 1).indices
            t[name + "1"] += (best[:, 0] == label).sum().item()
            t[name + "5"] += (best == label[:, None]).any(1).sum().item()
            if keep:
                t["n"] += len(r)
                t["loss"] += F.cross_entropy(moves, label, reduction="sum").item()
                t["wins"] += (((win > 0) == (won > 0)) & (won != 0)).sum().item()
                t["decided"] += (won != 0).sum().item()
                c = ~lead.isnan()
                t["lead"] += (score.float() * 20 - lead).abs()[c].sum().item()
                t["counted"] += c.sum().item()
                stones = taken & (has[:, None] > 0)
                right = ((owned > 0) == (owner > 0.5)) & stones
                ply = games.ply[r].long()
                for at in (100, 150, 200, 250):
                    near = (ply >= at - 5) & (ply <= at + 5)
                    a, b = fate.get(at, (0, 0))
                    fate[at] = (a + right[near].sum().item(), b + stones[near].sum().item())
    n = t["n"]
    return {
        "positions": int(n), "top1": t["top1"] / n, "top5": t["top5"] / n, "loss": t["loss"] / n, "bare1": t["bare1"] / n, "bare5": t["bare5"] / n,
        "winner": t["wins"] / max(1, t["decided"]), "lead": t["lead"] / max(1, t["counted"]),
        "stones": {k: a / max(1, b) for k, (a, b) in fate.items()},
    }  # fmt: skip


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--games", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--seconds", type=float, default=540)
    a.add_argument("--of", type=float, default=1100)
    a.add_argument("--batch", type=int, default=4096)
    a.add_argument("--rate", type=float, default=4e-3)
    a.add_argument("--blocks", type=int, default=8)
    a.add_argument("--width", type=int, default=64)
    a.add_argument("--name", default="small")
    a.add_argument("--masters", type=float, default=0, help="share of positions that are of professional games, 0 for as they come")
    a.add_argument("--labels", default="", help="owners that settle.py found, waited for")
    a.add_argument("--most", type=int, default=0, help="games to read, 0 for all")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--resume", default="")
    o = a.parse_args()
    os.makedirs(o.out, exist_ok=True)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(o.seed)
    began = time.time()
    games = Games(o.games, most=o.most)
    if o.labels:
        games.add(o.labels)
    print(f"{len(games.flags)} games, {len(games.train)} positions to learn, {len(games.held)} kept out, {time.time() - began:.0f} s", flush=True)

    net = Net(o.blocks, o.width).cuda().to(memory_format=torch.channels_last)
    ema = Net(o.blocks, o.width).cuda()
    decay = [p for p in net.parameters() if p.ndim > 1]
    rest = [p for p in net.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 2e-2}, {"params": rest, "weight_decay": 0}], lr=o.rate, betas=(0.9, 0.98), fused=True)
    spent, steps = 0.0, 0
    path = o.resume or os.path.join(o.out, o.name + ".pt")
    if os.path.exists(path):
        c = torch.load(path, map_location="cuda")
        net.load_state_dict(c["net"]), ema.load_state_dict(c["ema"]), opt.load_state_dict(c["opt"])
        spent, steps = c["spent"], c["steps"]
    else:
        ema.load_state_dict(net.state_dict())
    torch.manual_seed(o.seed + steps)
    run = torch.compile(net)

    def step():
        rows = games.draw(o.batch, o.masters)
        sym = torch.randint(8, (o.batch,), device="cuda")
        luck = torch.rand(o.batch, device="cuda")
        keep = torch.where(luck < 0.2, 0, torch.where(luck < 0.25, torch.randint(1, 4, (o.batch,), device="cuda"), 4))
        x, label, owner, has, won, lead = games.batch(rows, keep, sym)
        with torch.autocast("cuda", torch.bfloat16):
            out = run(x.to(memory_format=torch.channels_last))
        policy, own, value, score = losses(out, label, owner, has, won, lead)
        opt.zero_grad(set_to_none=True)
        (policy + 0.6 * own + 0.3 * value + 0.1 * score).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()
        return torch.stack([policy.detach(), own.detach(), value.detach(), score.detach()])

    net.train()
    step()  # compiles
    torch.cuda.synchronize()
    first, told, sums, count = time.time(), time.time(), 0, 0
    while True:
        now = spent + time.time() - first
        if now - spent >= o.seconds:
            break
        part = min(1.0, now / o.of)
        for g in opt.param_groups:
            g["lr"] = o.rate * min(1.0, (steps + 1) / 500) * (0.5 * (1 + math.cos(math.pi * part)) + 1e-3)
        sums = sums + step()
        steps, count = steps + 1, count + 1
        if count == 50 and not torch.isfinite(sums).all():
            raise SystemExit("the loss is no number")
        if steps % 5 == 0:
            with torch.no_grad():
                f = min(0.995, steps / (steps + 100))
                a, b = list(ema.parameters()), list(net.parameters())
                torch._foreach_lerp_(a, b, 1 - f)
                for m, n in zip(ema.buffers(), net.buffers()):
                    m.copy_(n)
        if time.time() - told > 30:
            told = time.time()
            print(f"{now:.0f} s, step {steps}, {count * o.batch / (time.time() - first):.0f} positions/s in all,", (sums / count).tolist(), flush=True)
    spent += time.time() - first
    path = os.path.join(o.out, o.name + ".pt")
    torch.save({"net": net.state_dict(), "ema": ema.state_dict(), "opt": opt.state_dict(), "spent": spent, "steps": steps}, path + ".part")
    os.rename(path + ".part", path)  # further.py may wait for it
    figures = {"steps": steps, "positions": steps * o.batch, "seconds": round(spent), "held": measure(ema, games)}
    print(json.dumps(figures), flush=True)
    export(ema, games, os.path.join(o.out, o.name + ".net"), figures, boards=(19, 19))


if __name__ == "__main__":
    main()
