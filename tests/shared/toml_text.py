"""TOML out of nested data, for tests that change files: one key a line, tables in lists inline."""

import json
import math


def value(item):
    if isinstance(item, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {value(one)}" for key, one in item.items()) + "}"
    if isinstance(item, list):
        return f"[{', '.join(map(value, item))}]"
    if isinstance(item, float) and not math.isfinite(item):
        return "nan" if math.isnan(item) else f"{'-' if item < 0 else ''}inf"
    return json.dumps(item, ensure_ascii=False)


def text_of(data):
    return "".join(f"{json.dumps(key)} = {value(item)}\n" for key, item in data.items())
