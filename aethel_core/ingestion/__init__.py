"""From files to stored documents.

sources      files as people hand them over
prepare      one file: pages, passages, metadata, names
preparation  where that happens: a process of its own (worker, wire), or a thread
pipeline     the order of the work: queue, prepare, embed, store; progress, stop, failures
versions     is it a new version of a document that is there already?
report       what is said about it
"""
