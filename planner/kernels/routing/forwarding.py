"""Forwarding tables: one port for each router and destination, with balanced links."""

from __future__ import annotations

from planner.kernels import compiled


@compiled
def forwarding(destination, start, port, neighbor, first_port, sources, waiting, order, weight, load, chosen):
    """Choose a port for every router and destination; return -1, or a router from which packets may circle.

    Destinations are served in order. Each router that has packets for one takes the port with the smallest load of those that
    the routing offers; the packets of its `sources` and of the routers behind it then count as load of that port, in `load`,
    and arrive at the `neighbor`. Routers are visited in an order in which all packets for the destination have arrived before
    they leave.

    Parameters
    ----------
    destination
        Router of each destination, int64 (D,).
    start, port, neighbor
        Ports that the routing offers and the routers behind them: those of router r to router t are at ``start[t, r]`` up to
        ``start[t, r + 1]``; int64 (R,R+1), (N,), (N,).
    first_port
        Position of the first port of each router in `load`, int64 (R+1,).
    sources
        Packets that start at each router, int64 (R,).
    waiting, order, weight
        Scratch, int64 (R,).
    load
        Packets on each port, int64 (A,), zeros.
    chosen
        Output: the port of each router to each destination, int32 (R,D); -1 where there is none.
    """
    routers = len(sources)
    for number in range(len(destination)):
        target = destination[number]
        behind = start[target]
        waiting[:] = 0
        weight[:] = sources
        for entry in range(behind[0], behind[routers]):
            waiting[neighbor[entry]] += 1
        count = 0
        for router in range(routers):
            if waiting[router] == 0:
                order[count] = router
                count += 1
        done = 0
        while done < count:
            router = order[done]
            done += 1
            best = -1
            for entry in range(behind[router], behind[router + 1]):
                if best < 0 or load[first_port[router] + port[entry]] < load[first_port[router] + port[best]]:
                    best = entry
                waiting[neighbor[entry]] -= 1
                if waiting[neighbor[entry]] == 0:
                    order[count] = neighbor[entry]
                    count += 1
            if best >= 0 and router != target:
                chosen[router, number] = port[best]
                load[first_port[router] + port[best]] += weight[router]
                weight[neighbor[best]] += weight[router]
        if count < routers:
            for router in range(routers):
                if waiting[router] > 0:
                    return router
    return -1
