"""From all passages of a page to the few that a claim is judged by: prefilter, relevance, the five."""
