"""A test with a loop of its own, whose random choices became suggestions."""

import rlcheck


class Lift:
    """A lift that forgets its doors when it passes a floor."""

    def __init__(self):
        self.floor = 0
        self.is_open = False

    def up(self):
        """Go up, with the doors closed."""
        if not self.is_open or self.floor == 3:
            self.floor = min(self.floor + 1, 5)

    def down(self):
        """Go down, with the doors closed."""
        if not self.is_open:
            self.floor = max(self.floor - 1, 0)

    def doors(self):
        """Open the doors, or close them."""
        self.is_open = not self.is_open


process = rlcheck.AdaptiveProcess(seed=0)
seen = set()
failing = None
while failing is None:
    with process:
        lift = Lift()
        for _ in range(20):
            context = rlcheck.contexts.concrete(lift)
            floor, was_open = lift.floor, lift.is_open
            name = process.suggest(context, ["up", "down", "doors"], at="call")
            getattr(lift, name)()
            if was_open and lift.floor != floor:
                failing = process.episode.choices
                break
            if context not in seen:
                seen.add(context)
                process.reward(1.0)

print(f"it moved with open doors after {process.episodes} episodes, {len(seen)} states seen")

again = rlcheck.AdaptiveProcess(replay=failing)
with again:
    for _ in failing:
        print(again.suggest(None, ["up", "down", "doors"]), end=" ")
print()
