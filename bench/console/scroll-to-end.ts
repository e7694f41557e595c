export interface Scrolled {
  readonly ms: number;
  /** Of the longest task; 0 where none took 50 ms, below which browsers do not tell. */
  readonly longest: number;
}

/** Runs in the page: as fast as Page Down that is held, until the last row is there. */
export async function scrollToEnd(jobs: number): Promise<Scrolled> {
  const deadlineMs = 120_000;
  const perFrame = innerHeight / 2;
  const tasks: number[] = [];
  const watching = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  watching.observe({ type: 'longtask' });
  const began = performance.now();
  const last = () => {
    const list = document.querySelector('.long-list');
    const row = document.querySelector('[data-row]');
    if (!list || !row) return false;
    const loaded = Math.round(list.clientHeight / row.clientHeight) >= jobs;
    return loaded && list.getBoundingClientRect().bottom <= innerHeight + 1000;
  };
  // Looking makes the browser lay the page out, so it is done rarely.
  for (let frame = 1; frame % 20 !== 0 || !last(); frame += 1) {
    if (performance.now() - began > deadlineMs) throw new Error('The last row did not come.');
    scrollBy(0, perFrame);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  const ms = performance.now() - began;
  // What was measured last is told a moment later.
  await new Promise((resolve) => setTimeout(resolve, 200));
  watching.disconnect();
  return { ms, longest: Math.max(0, ...tasks) };
}
