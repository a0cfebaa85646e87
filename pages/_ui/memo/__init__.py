"""The parts of the Memo screen."""
