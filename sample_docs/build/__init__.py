"""The fictional deal behind the sample documents: its ledgers, its prose and its typesetting."""
