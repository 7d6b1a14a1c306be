"""Routes of cables over the trays of a room, within the fill limits.

The problem is a multicommodity flow of whole cables. A *demand* is a number of equal cables between two nodes of the tray
graph; a *strand* is those of them that share a route. The pages in reading order:

``graph``
    The tray graph with the room left in every segment, and the demands.
``routes``
    From cables to demands and back; the fill limit, and the smallest fill beyond it that can be kept.
``negotiation``
    The algorithm, negotiated congestion (PathFinder): all demands take their shortest routes; then, round after round, those
    on overfull segments are rerouted at prices that rise where the trays are overfull. In the end routes are shortened
    where there is room. Where the cables cannot fit, the overflow is minimized instead.
``state``
    The routes, loads and prices during a negotiation; the searches themselves are in `planner.kernels.trays`.
``chains``
    Trays contracted to their junctions, for which the searches are much faster.
``certificate``
    Proofs that the cables do not fit, whatever their routes: prices of segments, or a cut.
``exact``
    Small rooms solved by CP-SAT, for the optimum or a proof.
``result``
    What a negotiation returns.

Which parts the cables are, hence how thick they are and which trays they may use, depends on the routes in turn:
`planner.design.cabling.agreement` is the loop over both.
"""
