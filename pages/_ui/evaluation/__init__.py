"""The parts of the Evaluate screen, one module per view."""
