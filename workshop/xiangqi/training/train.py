"""Trains the net of the Xiangqi engine on positions that `qipu workshop xiangqi label` wrote,
and writes it in whole numbers, as package engine/nnue reads it.

    python3 train.py --labels FOLDER --seconds 300 --out xiangqi.nnue
"""

import argparse
import glob
import json
import struct
import time

import numpy as np
import torch

KINDS, AREA, KINGS, MEN, ROW = 7, 90, 6, 32, 36
INPUTS = KINGS * 2 * KINDS * AREA
PADDED = INPUTS + 8  # the last column is that of pieces that are gone
STEPS_ACC, STEPS_OUT = 255, 256  # whole numbers for one

KIND = torch.tensor([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6])


def tables(device):
    """feature[mirror king square][man][square]: for the own king on each square, seen from
    its own side (its back rank is row 9), the input of each piece; own men come first."""
    feature = torch.full((256, MEN, 256), PADDED - 1, dtype=torch.int32)
    for king in range(AREA):
        x, y = king % 9, king // 9
        if not (3 <= x <= 5 and y >= 7):
            continue
        turned = x > 4
        bucket = (min(x, 8 - x) - 3) * 3 + y - 7
        for man in range(MEN):
            kind = int(KIND[man % 16]) + KINDS * (man // 16)
            for s in range(AREA):
                at = s // 9 * 9 + (8 - s % 9 if turned else s % 9)
                feature[king, man, s] = (bucket * 2 * KINDS + kind) * AREA + at
    flip = torch.full((256,), 255, dtype=torch.int64)  # seen by the other side
    turn = torch.full((256,), 255, dtype=torch.int64)  # left and right exchanged
    for s in range(AREA):
        flip[s] = (9 - s // 9) * 9 + s % 9
        turn[s] = s // 9 * 9 + 8 - s % 9
    return feature.to(device), flip.to(device), turn.to(device)


class Sight:
    """Positions as inputs."""

    def __init__(self, device):
        self.feature, self.flip, self.turn = tables(device)
        self.man = torch.arange(MEN, device=device)

    def read(self, rows, mirror=None):
        """Inputs of both sides, the mover first; who moves; pieces; value; result for the mover."""
        at = rows[:, :MEN].long()
        if mirror is not None:
            at = torch.where(mirror[:, None], self.turn[at], at)
        other = torch.cat([self.flip[at[:, 16:]], self.flip[at[:, :16]]], 1)
        red = self.feature[at[:, 0, None], self.man, at]
        black = self.feature[other[:, 0, None], self.man, other]
        first = (rows[:, 34] == 0)[:, None]
        own, enemy = torch.where(first, red, black), torch.where(first, black, red)
        pieces = (rows[:, :MEN] < AREA).sum(1)
        value = rows[:, 32].float() + 256 * rows[:, 33].to(torch.int8).float()
        result = rows[:, 35].float() / 2
        result = torch.where(rows[:, 34] == 0, result, 1 - result)
        return own, enemy, ((pieces - 2) // 4).clamp(0, 7), value, result


class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.rows = torch.nn.Parameter(torch.randn(KINGS, INPUTS // KINGS, width) * 0.02)
        self.common = torch.nn.Parameter(torch.randn(INPUTS // KINGS, width) * 0.05)  # to all places of the king
        self.bias = torch.nn.Parameter(torch.full((width,), 0.2))
        self.out = torch.nn.Parameter(torch.randn(8, 2 * width) * 0.05)
        self.shift = torch.nn.Parameter(torch.zeros(8))

    def table(self):
        w = (self.rows + self.common).reshape(INPUTS, self.width)
        return torch.nn.functional.pad(w, (0, 0, 0, PADDED - INPUTS))

    def forward(self, own, enemy, bucket):
        n = len(own)
        at = torch.cat([own, enemy]).long()
        seen = torch.zeros(2 * n, PADDED, device=at.device)
        seen.scatter_(1, at, 1.0)
        x = (seen @ self.table() + self.bias).clamp(0, 1).square()
        x = torch.cat([x[:n], x[n:]], 1)
        y = x @ self.out.T + self.shift
        return y.gather(1, bucket[:, None]).squeeze(1)


def steepness(value, result):
    """Hundredths of a soldier that make the odds e times better, as results have it."""
    best, low = 0, 1e9
    for k in range(100, 1000, 20):
        p = torch.sigmoid(value / k).clamp(1e-6, 1 - 1e-6)
        loss = -(result * p.log() + (1 - result) * (1 - p).log()).mean().item()
        if loss < low:
            best, low = k, loss
    return best, low


def whole(net):
    """The net in whole numbers."""
    with torch.no_grad():
        rows = (net.table()[:INPUTS] * STEPS_ACC).round().clamp(-1000, 1000).to(torch.int16).cpu().numpy()
        bias = (net.bias * STEPS_ACC).round().to(torch.int16).cpu().numpy()
        out = (net.out * STEPS_OUT).round().clamp(-127, 127).to(torch.int8).cpu().numpy()
        shift = (net.shift * STEPS_ACC * STEPS_ACC * STEPS_OUT).round().to(torch.int32).cpu().numpy()
    return rows, bias, out, shift


def say(parts, own, enemy, bucket, scale):
    """What the net in whole numbers says, for tests."""
    rows, bias, out, shift = parts
    values = []
    for a, b, k in zip(own.tolist(), enemy.tolist(), bucket.tolist()):
        total = int(shift[k])
        for half, side in enumerate((a, b)):
            acc = bias.astype(np.int64) + sum(rows[i].astype(np.int64) for i in side if i < INPUTS)
            v = acc.clip(0, STEPS_ACC)
            total += int((v * v * out[k][half * len(bias) : (half + 1) * len(bias)].astype(np.int64)).sum())
        values.append(int(total * scale / (STEPS_ACC * STEPS_ACC * STEPS_OUT)))
    return values


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("--labels", required=True)
    flags.add_argument("--out", required=True)
    flags.add_argument("--seconds", type=float, default=300)
    flags.add_argument("--width", type=int, default=256)
    flags.add_argument("--batch", type=int, default=16384)
    flags.add_argument("--rate", type=float, default=2e-3)
    flags.add_argument("--results", type=float, default=0.25, help="share of results in what is aimed at")
    flags.add_argument("--scale", type=int, default=0, help="0: as results have it")
    o = flags.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(1)
    learn, held = [], []
    for path in sorted(glob.glob(o.labels + "/*.labels")):
        a = np.fromfile(path, dtype=np.uint8)
        a = a[: len(a) // ROW * ROW].reshape(-1, ROW)
        cut = len(a) - len(a) // 50  # the last games of each file are kept out
        learn.append(a[: max(cut - 300, 0)])
        held.append(a[cut:])
    learn = torch.from_numpy(np.concatenate(learn)).to(device)
    held = torch.from_numpy(np.concatenate(held)).to(device)
    print(f"{len(learn)} positions, {len(held)} kept out", flush=True)
    sight = Sight(device)
    _, _, _, value, result = sight.read(held[:200000])
    k, base = steepness(value, result)
    scale = o.scale or k
    print(f"scale {k} by results (log loss {base:.4f}), taken {scale}", flush=True)
    net = Net(o.width).to(device)
    adam = torch.optim.Adam(net.parameters(), lr=o.rate, betas=(0.9, 0.999))

    def aim(value, result):
        return (1 - o.results) * torch.sigmoid(value / scale) + o.results * result

    def measure():
        with torch.no_grad():
            total, off, log, n = 0.0, 0.0, 0.0, 0
            for i in range(0, min(len(held), 300000), 8192):
                own, enemy, bucket, value, result = sight.read(held[i : i + 8192])
                y = net(own, enemy, bucket)
                p = torch.sigmoid(y)
                total += (p - aim(value, result)).abs().pow(2.5).sum().item()
                off += (p - torch.sigmoid(value / scale)).abs().sum().item()
                p = p.clamp(1e-6, 1 - 1e-6)
                log -= (result * p.log() + (1 - result) * (1 - p).log()).sum().item()
                n += len(value)
            return total / n, off / n, log / n

    curve, began, step, epoch, running, met = [], time.time(), 0, 0, 0.0, 0
    while True:
        order = torch.randperm(len(learn), device=device)
        for i in range(0, len(learn) - o.batch + 1, o.batch):
            done = (time.time() - began) / o.seconds
            if done >= 1:
                break
            rate = o.rate * min(1, (step + 1) / 200) * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
            for g in adam.param_groups:
                g["lr"] = rate
            rows = learn[order[i : i + o.batch]]
            own, enemy, bucket, value, result = sight.read(rows, torch.rand(len(rows), device=device) < 0.5)
            y = net(own, enemy, bucket)
            loss = (torch.sigmoid(y) - aim(value, result)).abs().pow(2.5).mean()
            adam.zero_grad(set_to_none=True)
            loss.backward()
            adam.step()
            with torch.no_grad():
                net.out.clamp_(-127 / STEPS_OUT, 127 / STEPS_OUT)
            step += 1
            if step % 50 == 0:
                running, met = running + loss.item(), met + 1
        epoch += 1
        m = measure()
        curve.append({"epoch": epoch, "seconds": round(time.time() - began, 1), "loss": running / max(met, 1), "held": m[0], "off": m[1], "log_loss": m[2]})
        running, met = 0.0, 0
        print(json.dumps(curve[-1]), flush=True)
        if time.time() - began >= o.seconds:
            break
    parts = whole(net)
    print("largest row", int(np.abs(parts[0]).max()), "largest out", int(np.abs(parts[2]).max()), "steps", step, flush=True)
    with open(o.out, "wb") as f:
        f.write(b"QNNU1\n" + struct.pack("<IIIII", INPUTS, o.width, 8, scale, STEPS_ACC * STEPS_ACC * STEPS_OUT))
        for a in parts:
            f.write(np.ascontiguousarray(a).tobytes())
    rows = held[:: max(len(held) // 60, 1)][:60]
    own, enemy, bucket, value, _ = sight.read(rows)
    with torch.no_grad():
        exact = (net(own, enemy, bucket) * scale).tolist()
    said = say(parts, own, enemy, bucket, scale)
    with open(o.out + ".json", "w") as f:
        json.dump({"positions": len(learn), "held": len(held), "scale": scale, "steps": step, "curve": curve,
                   "rows": rows.cpu().tolist(), "said": said, "exact": [round(v, 1) for v in exact]}, f)
    print("said", said[:8], "exact", [round(v) for v in exact[:8]], "labels", value[:8].tolist(), flush=True)


main()
