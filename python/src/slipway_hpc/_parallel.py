"""Does a few things at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Few enough to stay below the service's limit of calls.
_WIDTH = 8


def map_parallel(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Calls a function for each item, and returns the results in their order."""
    with ThreadPoolExecutor(_WIDTH) as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


async def map_parallel_async(
    work: Callable[[Item], Awaitable[Result]], items: Sequence[Item]
) -> list[Result]:
    """Calls a function for each item, and returns the results in their order."""
    places = asyncio.Semaphore(_WIDTH)

    async def do(item: Item) -> Result:
        async with places:
            return await work(item)

    tasks = [asyncio.ensure_future(do(item)) for item in items]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        raise
