"""From a state to one value for every option."""
