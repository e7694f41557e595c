/**
 * Runs in an empty page: the longest task while hardly anything is done, frame by frame. What is seen here
 * is the machine's, and may come on top of any task of any page.
 */
export async function watchIdlePage(seconds: number): Promise<number> {
  const tasks: number[] = [];
  const watching = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  watching.observe({ type: 'longtask' });
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    // As much as a frame of the list takes.
    const end = performance.now() + 12;
    while (performance.now() < end);
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  watching.disconnect();
  return Math.max(0, ...tasks);
}
