# SPDX-License-Identifier: MIT
"""Checks the JSON of `orrery bench --suite render --json FILE`, measured on two cores, against the limits of docs/bench.md:
python3 render_bounds.py FILE. Exit code 1 if a row exceeds one."""
import json
import sys

MEMORY = 700e6
BOUNDS = {  # (pictures, bodies): maximum values
    ("MP4, 1920 × 1080", 4096): {"seconds": 15},
    ("MP4, 1920 × 1080", 65536): {"seconds_per_frame": 0.06},
    ("MP4, 1920 × 1080", 1000000): {"seconds_per_frame": 0.12},
    ("MP4, 1920 × 1080", 6): {"seconds_per_frame": 0.03},
    ("MP4, elements, 1920 × 1080", 13): {"seconds_per_frame": 0.0167},
    ("four figures", 6): {"seconds": 3},
    ("GIF, 480 wide, 12 s", 6): {"seconds": 4, "bytes": 10e6},
    ("GIF, 480 wide, 12 s", 4096): {"seconds": 4, "bytes": 10e6},
}


def main():
    exceeded = 0
    for row in json.load(open(sys.argv[1]))["rows"]:
        name = (row["pictures"], row["bodies"])
        for key, maximum in {"memory": MEMORY, **BOUNDS[name]}.items():
            if row[key] > maximum:
                exceeded += 1
                print(f"{name[0]}, {name[1]} bodies: {key} is {row[key]:.3g}, above {maximum:.3g}")
    return 1 if exceeded else 0


sys.exit(main())
