"""Faults in tags and in texts: B16 to B25."""

from __future__ import annotations

from tests.public_faults.bench import Bench, Ending

from memory_fidelity import MemoryItem


async def tags_discarded(bench: Bench) -> Ending:
    """B16: two tags, none, one twice, and others that are lost or altered on the way."""
    several: list[list[str]] = [
        *(["alpha", "beta"], [], ["b", "a", "b"], [" edge ", "two  spaces"], ["", "x"]),
        *(["1", "true"], ["A", "a"], ["caf\u00e9", "cafe\u0301"], ["x" * 300], ["a\nb"]),
        *([f"tag {n}" for n in range(100)], ["&amp;", "{{x}}"], ["a\x01b", "c\x7f"]),
    ]
    endings = {
        await bench.stores_or_refuses(MemoryItem(content="m", tags=tags)) for tags in several
    }
    return _only(endings)


async def comma(bench: Bench) -> Ending:
    """B18: a tag with a comma, and others with what separates tags elsewhere."""
    endings = set()
    for tag, part in (("red,blue", "red"), ("red;blue", "blue"), ("red|blue", "red"), ("a b", "a")):
        item = MemoryItem(content="m", tags=[tag])
        ending = await bench.stores_or_refuses(item)
        if ending == "preserved":
            assert item.id not in await bench.found(tags=[part]), f"{tag!r} is found by {part!r}"
            assert item.id in await bench.found(tags=[tag]), f"{tag!r} is not found"
        endings.add(ending)
    return _only(endings)


async def operators_in_tags(bench: Bench) -> Ending:
    """B20: what a query grammar takes for operators, in a tag that is searched."""
    tags = ["conv-550e8400-e29b", "a|b", "{x}", "@me", "x*", '"q"', "b\\s", "k:v", "a/b", "a b"]
    for tag in (*tags, "-not", "(x)", "a'b", "%", "_", "[1]", "$x", "~near", "AND", "x' --", "*/"):
        item = MemoryItem(content="needle", tags=[tag])
        await bench.store.store(item)
        for parts in ({"tags": [tag]}, {"tags": [tag, tag]}, {"tags": [tag], "text": "needle"}):
            found = await bench.found(**parts, limit=1000)
            assert found == {item.id}, f"{tag!r}: expected one item, got {len(found)}"
        assert await bench.found(tags=[tag], text="absent") == set()
        await bench.keeps(item)
    return "preserved"


async def nul(bench: Bench) -> Ending:
    """B21: NUL in a text, in a metadata value and key, and in a tag."""
    endings = {
        await bench.stores_or_refuses(item)
        for item in (
            MemoryItem(content="a\x00b"),
            MemoryItem(content="\x00"),
            MemoryItem(content="m", tags=["a\x00b"]),
        )
    }
    if "metadata" not in bench.manifest.dropped_item_fields:
        in_metadata = MemoryItem(content="a\x00b", metadata={"t": "x\x00y"})
        endings.add(await bench.stores_or_refuses(in_metadata))
    # Each place may be kept or refused for itself; altered it may not be.
    return "preserved" if endings == {"preserved"} else "rejected_before_transport"


async def counted_in_bytes(bench: Bench) -> Ending:
    """B24: more bytes than characters, above a limit of 65,535 bytes."""
    endings = {
        await bench.stores_or_refuses(MemoryItem(content=text), hits=False)
        for text in ("é" * 40_000, "\U0001f600" * 20_000, "a" * 65_535 + "é")
    }
    # A text of few characters is kept, whatever becomes of a long one.
    await bench.stores_or_refuses(MemoryItem(content="short"), hits=False)
    return _only(endings)


async def left_out_of_the_index(bench: Bench) -> Ending:
    """B25: a filter value of 300 characters, and one of 40,000."""
    bench.needs("metadata", filters=("user",))
    for value in ("x" * 300, "é" * 40_000):
        item = MemoryItem(content="m", metadata={"user": value})
        other = MemoryItem(content="m", metadata={"user": value[:-1] + "y"})
        await bench.store.store(item)
        await bench.store.store(other)
        found = await bench.found(filters={"user": value})
        assert found == {item.id}, f"expected the item of {len(value)} characters, got {found}"
    return "preserved"


def _only(endings: set[Ending]) -> Ending:
    assert len(endings) == 1, f"expected one ending for one kind of value, got {endings}"
    return next(iter(endings))
