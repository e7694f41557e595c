declare global {
  /** When the first rows of the page were painted, in milliseconds since the navigation began. */
  var rowsPainted: Promise<number>;
}

/** Runs in the page, before anything of its own. */
export function watchForRows(): void {
  globalThis.rowsPainted = new Promise((resolve) => {
    const watching = new MutationObserver(() => {
      if (!document.querySelector('[data-row]')) return;
      watching.disconnect();
      // At the frame after the next they have been painted.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
    });
    watching.observe(document, { childList: true, subtree: true });
  });
}

/** Runs in the page. */
export function waitForRows(): Promise<number> {
  return globalThis.rowsPainted;
}
