"""The kit's mixins as an author uses them, over the backend that a run hands in."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

_kit: Any = import_module("haystack.testing.document_store")


_chosen: Any = type(
    "Chosen",
    (
        _kit.DocumentStoreBaseExtendedTests,
        _kit.CountDocumentsByFilterTest,
        _kit.CountUniqueMetadataByFilterTest,
        _kit.GetMetadataFieldsInfoTest,
        _kit.GetMetadataFieldMinMaxTest,
        _kit.GetMetadataFieldUniqueValuesTest,
    ),
    {},
)


class TestBackend(_chosen):  # type: ignore[misc] # the kit is not installed where this is checked
    @pytest.fixture
    def document_store(self, backend: type) -> Any:
        return backend()

    def test_write_documents(self, document_store: Any) -> None:
        """The kit leaves this one to the author: without a policy, this backend refuses."""
        document = import_module("haystack").Document(id="1", content="one")
        errors = import_module("haystack.document_stores.errors")
        assert document_store.write_documents([document]) == 1  # noqa: S101 - a test
        with pytest.raises(errors.DuplicateDocumentError):
            document_store.write_documents([document])
