"""Writes a net in whole numbers, as package engine/net reads it.

The file: "QNET1\\n", the length of a JSON text (u32, little endian), the text, then
arrays that it points into by offset and length. Weights of convolutions are int16
with a scale for each output, as fine as sums of 32 bits allow, activations are unsigned
13 bits with a scale for each layer, what follows a pooling is float32.
"""

import copy
import json
import struct

import numpy as np
import torch
import torch.nn.functional as F

from data import PLANES
from net import pooled

TOP, SUM = 8191, 2**31 - 2**20


class Writer:
    def __init__(self):
        self.blob, self.ops = bytearray(), []

    def array(self, a):
        while len(self.blob) % 4:
            self.blob.append(0)
        at = len(self.blob)
        a = np.ascontiguousarray(a)
        self.blob += a.tobytes()
        return {"at": at, "n": int(a.size)}

    def op(self, **o):
        self.ops.append(o)


def export(net, games, path, figures, boards=(7, 19), calibrate=8192):
    net = copy.deepcopy(net).eval()
    if not isinstance(net.stem.norm, torch.nn.Identity):
        net.fold()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False  # what is compared with is exact
    device = next(net.parameters()).device
    w = Writer()
    tops = {}

    def seen(name, x):
        tops[name] = max(tops.get(name, 1e-6), x.max().item())
        return x

    @torch.no_grad()
    def through(x):
        """The net; notes the largest activations."""
        conv = lambda c, x: c.conv(x)
        x = seen("x0", F.relu(conv(net.stem, x)))
        for i, b in enumerate(net.blocks):
            h = seen(f"h{i}", F.relu(conv(b.first, x)))
            if b.pool is not None:
                h = seen(f"g{i}", F.relu(h + b.pool(pooled(h))[:, :, None, None]))
            x = seen(f"x{i + 1}", F.relu(x + conv(b.second, h)))
        g = pooled(x)
        p = seen("p", F.relu(conv(net.policy, x)))
        p = seen("q", F.relu(p + net.policy_pool(g)[:, :, None, None]))
        o = seen("o", F.relu(conv(net.owner, x)))
        said = net.said(F.relu(net.value(g)))
        return torch.cat([net.point(p).flatten(1), said[:, 3:]], 1), net.owned(o).flatten(1), said[:, :3]

    rows = games.train[torch.randint(len(games.train), (calibrate,), device=device, generator=torch.Generator(device).manual_seed(7))]
    for i in range(0, calibrate, 1024):
        r = rows[i : i + 1024]
        keep = torch.where(torch.arange(len(r), device=device) % 4 == 0, 0, 4)
        through(games.batch(r, keep, torch.zeros(len(r), dtype=torch.long, device=device))[0])
    scale = {k: v * 1.25 / TOP for k, v in tops.items()}
    # Planes are 0 or 1 but for the komi: a step of 1/1024 holds both, signs too.
    scale["in"] = 1 / 1024

    def convolve(c, source, to, size, skip=None, last=None):
        layer = c.conv if last is None else last
        weight, bias = layer.weight, layer.bias
        weight, bias = weight.detach().float().cpu().numpy(), bias.detach().float().cpu().numpy()
        out, inputs = weight.shape[:2]
        # As fine as sums of 32 bits allow; planes are at most 2.
        high = 2 / scale["in"] if source == "in" else TOP
        most = np.abs(weight).reshape(out, -1)
        unit = np.maximum(most.max(1) / 32767, (most.sum(1) * high + np.abs(bias) / scale[source]) / SUM)
        unit = np.maximum(unit * 1.001, 1e-9)
        whole = np.rint(weight / unit[:, None, None, None]).astype(np.int16)
        acc = unit * scale[source]  # what one step of a sum is worth
        o = {"op": "conv", "from": source, "to": to, "size": size, "in": inputs, "out": out, "relu": last is None,
             "weights": w.array(whole.transpose(0, 2, 3, 1)), "bias": w.array(np.rint(bias / acc).clip(-2**30, 2**30).astype(np.int32)),
             "scale": w.array((acc if last is not None else acc / scale[to]).astype(np.float32))}  # fmt: skip
        if skip:
            o["skip"], o["skipScale"] = skip, scale[skip] / scale[to]
        w.op(**o)

    def dense(layer, source, to, relu):
        f = lambda t: w.array(t.detach().float().cpu().numpy())
        w.op(**{"op": "dense", "from": source, "to": to, "relu": relu, "in": layer.in_features, "out": layer.out_features,
                "weights": f(layer.weight), "bias": f(layer.bias)})  # fmt: skip

    def pool(source, to):
        w.op(**{"op": "pool", "from": source, "to": to, "scale": scale[source]})

    def shift(source, by, to):
        w.op(**{"op": "shift", "from": source, "by": by, "to": to, "scale": scale[source] / scale[to], "unit": 1 / scale[to]})

    convolve(net.stem, "in", "x0", 3)
    for i, b in enumerate(net.blocks):
        convolve(b.first, f"x{i}", f"h{i}", 3)
        h = f"h{i}"
        if b.pool is not None:
            pool(h, f"v{i}")
            dense(b.pool, f"v{i}", f"w{i}", False)
            shift(h, f"w{i}", f"g{i}")
            h = f"g{i}"
        convolve(b.second, h, f"x{i + 1}", 3, skip=f"x{i}")
    last = f"x{len(net.blocks)}"
    pool(last, "v")
    convolve(net.policy, last, "p", 1)
    dense(net.policy_pool, "v", "pv", False)
    shift("p", "pv", "q")
    convolve(None, "q", "point", 1, last=net.point)
    convolve(net.owner, last, "o", 1)
    convolve(None, "o", "owner", 1, last=net.owned)
    dense(net.value, "v", "hidden", True)
    dense(net.said, "hidden", "said", False)

    head = {"name": path.split("/")[-1], "planes": PLANES, "unit": 1024, "top": TOP, "leadUnit": 20, "boards": boards, "figures": figures, "ops": w.ops}
    write(path, head, w)

    # A few positions with what the net says of them in floating point, to test by.
    w = Writer()
    rows = games.held[torch.linspace(0, len(games.held) - 1, 24, device=device).long()]
    keep = torch.arange(len(rows), device=device) % 5
    x, label, *_ = games.batch(rows, keep, torch.zeros(len(rows), dtype=torch.long, device=device))
    moves, owned, said = through(x)
    f = lambda t: w.array(t.float().cpu().numpy())
    write(path + ".tests", {
        "count": len(rows), "planes": w.array(np.rint(x.cpu().numpy() * 1024).astype(np.int16)), "label": w.array(label.cpu().numpy().astype(np.int32)),
        "moves": f(moves), "owner": f(owned), "said": f(said),
    }, w)  # fmt: skip


def write(path, head, w):
    text = json.dumps(head).encode()
    with open(path, "wb") as f:
        f.write(b"QNET1\n" + struct.pack("<I", len(text)) + text)
        f.write(bytes(-(10 + len(text)) % 4))
        f.write(w.blob)
