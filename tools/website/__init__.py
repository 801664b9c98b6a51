"""What the site is made with, beside what MkDocs does by itself.

`hooks` is what `mkdocs.yml` names; everything else is a function from what the
project holds to the text of a page, so that no generated page can be committed
and become stale. Run MkDocs from the root: `python -m mkdocs build --strict`.
"""
