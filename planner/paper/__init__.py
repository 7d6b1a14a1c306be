"""The printed report, by subject. `canvas` and `sheet` draw, `blocks` and `table` break text into sheets."""
