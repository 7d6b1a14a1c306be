"""Data of a page of a plan in one file."""

import base64
import json
import re
import zlib
from typing import Any


def page_data(page: str) -> dict[str, Any]:
    """Return the data of a page as its script reads it, with arrays as on a server: type, and bytes as base64."""
    block = zlib.decompress(base64.b64decode(re.search(r'id="plan">(.*?)</script>', page, re.S)[1]))
    size = int.from_bytes(block[:4], "little")
    assert (4 + size) % 8 == 0
    return _with_arrays(json.loads(block[4 : 4 + size]), block[4 + size :])


def _with_arrays(item: Any, block: bytes) -> Any:
    if isinstance(item, list):
        return [_with_arrays(each, block) for each in item]
    if not isinstance(item, dict):
        return item
    if item.keys() == {"dtype", "place", "bytes"}:
        assert item["place"] % 8 == 0
        content = block[item["place"] : item["place"] + item["bytes"]]
        return {"dtype": item["dtype"], "base64": base64.b64encode(content).decode("ascii")}
    return {key: _with_arrays(each, block) for key, each in item.items()}
