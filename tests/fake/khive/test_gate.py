"""The guard refuses what khive's own was seen to refuse, and nothing that it was seen to write."""

from __future__ import annotations

from typing import Any, Final

import pytest

from memory_fidelity.fake.khive.gate import secret_in

UUID: Final = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"
HEX: Final = "0123456789abcdef0123456789abcdef"

SECRETS: Final[dict[str, tuple[Any, str]]] = {
    "a UUID after a word": (f"auth token: {UUID}", "uuid-near-trigger"),
    "a UUID before a word": (f"{UUID} is the key", "uuid-near-trigger"),
    "a UUID in capitals": (f"api key {UUID.upper()}", "uuid-near-trigger"),
    "a UUID as a value": (f"key={UUID}", "uuid-near-trigger"),
    "a UUID in quotes": (f'token: {{"a": "{UUID}"}}', "uuid-near-trigger"),
    "a UUID as far as may be": ("key" + " " * 117 + UUID, "uuid-near-trigger"),
    "hex as a value": (f"key={HEX}", "hex-credential-token"),
    "hex of a long hash": (f"sha256 key: {HEX * 2}", "hex-credential-token"),
    "letters drawn by chance": (
        "key FXIpeUcfikk6InrWvMG1qxvvhsp38MX9T4FiLJXg",
        "high-entropy-token",
    ),
    "a long name of many letters": (
        "key the-quick-brown-fox-jumps-over-the-lazy-dog-1234567890",
        "high-entropy-token",
    ),
    "a token of JSON": ("eyJhbGciOiJI.eyJzdWIiOiIx.abcdefghij", "jwt"),
    "a private key": ("-----BEGIN RSA PRIVATE KEY-----", "pem-private-key"),
    "a key of AWS": ("AKIAIOSFODNN7EXAMPLE", "aws-access-key-id"),
    "a token of GitHub": ("ghp_" + "aB3" * 12, "github-token"),
    "a key of OpenAI": ("sk-proj-" + "aB3x" * 8, "openai-api-key"),
    "a key of Anthropic": ("sk-ant-" + "aB3x" * 8, "anthropic-api-key"),
    "a password in a URL": ("https://user:password1@example.org/", "url-userinfo"),
    "a name of a property": ({f"token {UUID}": 1}, "uuid-near-trigger"),
    "a value within": ({"a": [None, {"b": f"token {UUID}"}]}, "uuid-near-trigger"),
}

NO_SECRETS: Final[dict[str, Any]] = {
    "a UUID": UUID,
    "a UUID too far from a word": "key" + " " * 118 + UUID,
    "a UUID beside a longer word": f"keyboard tokens author {UUID}",
    "a UUID after a name with an underscore": f"my_token {UUID}",
    "a UUID in a path": f"https://example.org/auth/{UUID}",
    "a UUID in a longer word": f"token a-{UUID}",
    "a word and a UUID apart": {"token": UUID, "auth": ["key", UUID]},
    "a hash": HEX * 2,
    "hex of another length": f"key {HEX}a",
    "letters drawn by chance alone": "FXIpeUcfikk6InrWvMG1qxvvhsp38MX9T4FiLJXg",
    "a path": "token /usr/lib/python3.11/site-packages/lionagi/protocols/memory/base.py",
    "letters of another script": "key あぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞ",
    "a password": "password: hunter2",
    "a certificate": "-----BEGIN CERTIFICATE-----",
    "a short name with its beginning": "sk-learn-is-a-library-of-python-tools",
    "what is no text": [1, None, True, 2.5],
}


@pytest.mark.parametrize(("value", "pattern"), SECRETS.values(), ids=SECRETS)
def test_a_secret_is_found(value: Any, pattern: str) -> None:
    """Its pattern is named as khive names it."""
    assert secret_in(value) == pattern


@pytest.mark.parametrize("value", NO_SECRETS.values(), ids=NO_SECRETS)
def test_what_is_no_secret_passes(value: Any) -> None:
    """It is written, however much it looks like one."""
    assert secret_in(value) is None
