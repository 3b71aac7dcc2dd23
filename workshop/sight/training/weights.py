"""Reads a net that export.py wrote back into floating point.

  python3 weights.py small.net small.pt   # as selfplay.py and further.py read it
  python3 weights.py large.net large.net.tests small.net.tests   # what it says of the positions of another file of tests

The second is computed on the processor, in double precision: export.py asks a GPU, whose
factors have ten bits where TensorFloat-32 is on.
"""

import json
import struct
import sys

import numpy as np
import torch

from data import PLANES
from export import Writer, write
from net import Net

# Of registers whose scale the file does not tell, since nobody else reads them.
ANY = 8e-4


def load(path):
    """The net of a file, without normalisation, on the processor."""
    raw = open(path, "rb").read()
    assert raw[:6] == b"QNET1\n", path + ": not a net"
    (length,) = struct.unpack("<I", raw[6:10])
    head = json.loads(raw[10 : 10 + length])
    blob = raw[(10 + length + 3) // 4 * 4 :]

    def array(a, kind):
        return np.frombuffer(blob, kind, a["n"], a["at"]).astype(np.float32)

    ops = head["ops"]
    scale = {"in": 1 / head["unit"]}
    for o in ops:
        if o["op"] == "pool":
            scale[o["from"]] = o["scale"]
        if o["op"] == "shift":
            scale[o["to"]], scale[o["from"]] = 1 / o["unit"], o["scale"] / o["unit"]
    for o in reversed(ops):  # from the last block to the first
        if "skip" in o:
            scale[o["skip"]] = o["skipScale"] * scale[o["to"]]
    blocks = sum(1 for o in ops if "skip" in o)
    by = {o["to"]: o for o in ops}
    width, heads = by["x0"]["out"], by["p"]["out"]
    net = Net(blocks, width, heads).eval().fold()
    with torch.no_grad():

        def conv(layer, o, last=False):
            source, to = scale.get(o["from"], ANY), scale.get(o["to"], ANY)
            worth = array(o["scale"], "<f4") * (1 if last else to)  # of one step of a sum
            w = array(o["weights"], "<i2").reshape(o["out"], o["size"], o["size"], o["in"]).transpose(0, 3, 1, 2)
            layer.weight.copy_(torch.from_numpy(w * (worth / source)[:, None, None, None]))
            layer.bias.copy_(torch.from_numpy(array(o["bias"], "<i4") * worth))

        def dense(layer, o):
            layer.weight.copy_(torch.from_numpy(array(o["weights"], "<f4").reshape(o["out"], o["in"])))
            layer.bias.copy_(torch.from_numpy(array(o["bias"], "<f4")))

        conv(net.stem.conv, by["x0"])
        for i, b in enumerate(net.blocks):
            conv(b.first.conv, by[f"h{i}"])
            conv(b.second.conv, by[f"x{i + 1}"])
            if b.pool is not None:
                dense(b.pool, by[f"w{i}"])
        conv(net.policy.conv, by["p"])
        dense(net.policy_pool, by["pv"])
        conv(net.point, by["point"], True)
        conv(net.owner.conv, by["o"])
        conv(net.owned, by["owner"], True)
        dense(net.value, by["hidden"])
        dense(net.said, by["said"])
    return net


def tests(net, path, positions):
    """Writes what a net says of the positions of a file of tests, as export.py does."""
    raw = open(positions, "rb").read()
    (length,) = struct.unpack("<I", raw[6:10])
    head = json.loads(raw[10 : 10 + length])
    blob = raw[(10 + length + 3) // 4 * 4 :]
    part = lambda a, kind: np.frombuffer(blob, kind, a["n"], a["at"])
    planes, label = part(head["planes"], "<i2"), part(head["label"], "<i4")
    x = torch.from_numpy(planes.reshape(head["count"], len(PLANES), 19, 19) / 1024)
    with torch.no_grad():
        moves, owned, *said = net.double()(x)
    w = Writer()
    f = lambda t: w.array(t.float().numpy())
    write(path, {"count": head["count"], "planes": w.array(planes), "label": w.array(label), "moves": f(moves), "owner": f(owned), "said": f(torch.stack(said, 1))}, w)  # fmt: skip


if __name__ == "__main__":
    net = load(sys.argv[1])
    if len(sys.argv) > 3:
        sys.exit(tests(net, *sys.argv[2:]))
    torch.save({"net": net.state_dict(), "ema": net.state_dict(), "shape": net.shape}, sys.argv[2])
