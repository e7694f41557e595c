"""The mean of the first column."""

from pathlib import Path

rows = Path(snakemake.input[0]).read_text().splitlines()  # type: ignore[name-defined]  # noqa: F821
numbers = [int(row.split()[0]) for row in rows]
Path(snakemake.output[0]).write_text(f"{sum(numbers) / len(numbers)}\n")  # type: ignore[name-defined]  # noqa: F821
