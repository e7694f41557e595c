"""The mean of a column of numbers: enough to see that a job has run."""

import csv
import statistics

with open("data.csv", newline="") as table:
    values = [float(row["value"]) for row in csv.DictReader(table)]

print(f"{len(values)} values, mean {statistics.mean(values):.3f}")
