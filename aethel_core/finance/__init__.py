"""The language of finance: figures, periods, abbreviations, line items, metrics and synonyms.

What it knows lies in ``data/`` as JSON; the modules read it and apply it. Nothing here depends on
a corpus or a model.
"""
