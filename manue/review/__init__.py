"""Records annotated with our numbers, and the page that shows them."""
