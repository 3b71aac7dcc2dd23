"""The net of Go: a residual tower with global pooling, and five heads."""

import torch
import torch.nn.functional as F
from torch import nn

from data import PLANES


def pooled(x):
    # max and not amax: the compiled gradient of amax looks for its equals in other
    # precision than it was found in, and divides by their number.
    return torch.cat([x.mean((2, 3)), x.flatten(2).max(2).values], 1)


class Conv(nn.Module):
    def __init__(self, inputs, outputs, size):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs, eps=1e-4, momentum=0.01)

    def forward(self, x):
        return self.norm(self.conv(x))

    def fold(self):
        """Puts the normalisation into the weights and does without it from then on."""
        k = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        bias = self.norm.bias - self.norm.running_mean * k
        self.conv.weight = nn.Parameter((self.conv.weight * k[:, None, None, None]).detach())
        self.conv.bias = nn.Parameter(bias.detach())
        self.norm = nn.Identity()


class Block(nn.Module):
    def __init__(self, width, pools):
        super().__init__()
        self.first, self.second = Conv(width, width, 3), Conv(width, width, 3)
        self.pool = nn.Linear(2 * width, width) if pools else None

    def forward(self, x):
        h = F.relu(self.first(x))
        if self.pool is not None:
            h = F.relu(h + self.pool(pooled(h))[:, :, None, None])
        return F.relu(x + self.second(h))


class Net(nn.Module):
    """forward gives logits of the points, of the pass, of who owns each point, of
    winning, and the lead with the logarithm of its spread (both in units of 20 points)."""

    def __init__(self, blocks=8, width=64, head=32):
        super().__init__()
        self.shape = (blocks, width, head)
        self.stem = Conv(len(PLANES), width, 3)
        self.blocks = nn.ModuleList(Block(width, i % 3 == 2) for i in range(blocks))
        self.policy, self.policy_pool, self.point = Conv(width, head, 1), nn.Linear(2 * width, head), nn.Conv2d(head, 1, 1)
        self.owner, self.owned = Conv(width, head, 1), nn.Conv2d(head, 1, 1)
        self.value, self.said = nn.Linear(2 * width, 64), nn.Linear(64, 4)  # win, lead, spread, pass

    def fold(self):
        """Without normalisation, which batches of boards of several sizes do not share."""
        for m in self.modules():
            if isinstance(m, Conv):
                m.fold()
        return self

    def forward(self, x):
        x = F.relu(self.stem(x))
        for b in self.blocks:
            x = b(x)
        g = pooled(x)
        p = F.relu(F.relu(self.policy(x)) + self.policy_pool(g)[:, :, None, None])
        said = self.said(F.relu(self.value(g)))
        moves = torch.cat([self.point(p).flatten(1), said[:, 3:]], 1)
        return moves, self.owned(F.relu(self.owner(x))).flatten(1), said[:, 0], said[:, 1], said[:, 2]
