"""The snippets of the documentation work when pasted, and print what the page shows."""

import pytest

from pages import Reader


@pytest.mark.parametrize("page", ["docs/quickstart.md", "docs/authentication.md", "docs/recipes.md", "docs/policy.md"])
def test_every_snippet_runs_as_the_page_shows(page, tmp_path):
    Reader(page, tmp_path).follow()
