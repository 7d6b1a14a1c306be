"""The printed report, by subject. `ink` and `sheet` are the paper, `blocks` and `table` break text into sheets."""
