"""The asynchronous client, with the same names."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path

from conftest import Service

from slipway_hpc import AsyncBatch, AsyncJob, AsyncSlipway, Batch, Job, Slipway


def test_it_has_the_same_names() -> None:
    for one, other in [(Slipway, AsyncSlipway), (Job, AsyncJob), (Batch, AsyncBatch)]:
        names = {name for name in dir(one) if not name.startswith("_")} - {"close"}
        others = {name for name in dir(other) if not name.startswith("_")} - {"aclose"}
        assert names == others
    plain = inspect.signature(Slipway.submit).parameters
    assert list(plain) == list(inspect.signature(AsyncSlipway.submit).parameters)


def test_it_runs_jobs(service: Service, study: Path, tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncSlipway.local(service.url, user="306395", key_file=service.key_file) as s:
            one, two = await asyncio.gather(
                s.submit(study, "hpc_one", command="ls", runtime=0.1, title="one"),
                s.submit(study, "hpc_one", command="ls", runtime=0.1, title="two"),
            )
            await asyncio.gather(one.wait(60), two.wait(60))
            assert [job.title async for job in s.jobs(title="two")] == ["two"]
            assert "title: one" in await one.logs()
            assert [line async for line in two.logs(follow=True)]
            assert len(await one.download(tmp_path / "out")) == 3
            batch = await s.map(study, "hpc_one", command="ls", count=3, runtime=0.1)
            await batch.wait(60)
            assert (await batch[1]).index == 1
            assert [job.index async for job in batch[1:]] == [1, 2]
            assert await batch.failed == []
            assert len(await batch.results()) == 3
            tokens = 0

            async def token() -> str:
                nonlocal tokens
                tokens += 1
                return await s._transport._find_token(None) or ""

            other = AsyncSlipway(service.url, token)
            assert (await other.quotas())[0].user == "306395"
            assert tokens == 1
            await other.aclose()

    asyncio.run(main())
