"""The room: floors and distances between slots, cooling, and the floor as a scene for any medium."""
