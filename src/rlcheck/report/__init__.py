"""Ways to look at a campaign: what is kept of it, what the terminal shows, what the page says."""
