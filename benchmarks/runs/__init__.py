"""What watching, storing and reporting a campaign costs, and what a second worker brings."""
