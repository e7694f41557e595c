import { isRecord } from './stored.ts';

/** Where somebody was on a page, kept in its entry of the history. */
interface Spot {
  readonly top: number;
  /** The address of the focused link. */
  readonly focus: string | undefined;
}

/** Notes the place on this page before it is left. */
export function noteSpot(): void {
  const link = document.activeElement?.closest('main a');
  const spot: Spot = { top: scrollY, focus: link?.getAttribute('href') ?? undefined };
  history.replaceState({ spot }, '');
}

/** Returns the noted place of a page. Undefined for a page that nobody has left yet. */
export function spotOf(state: unknown): Spot | undefined {
  const spot = isRecord(state) ? state.spot : undefined;
  if (!isRecord(spot) || typeof spot.top !== 'number') return undefined;
  return { top: spot.top, focus: typeof spot.focus === 'string' ? spot.focus : undefined };
}

/** Long enough for a list to load all the pages above the place. */
const patienceMs = 15_000;

/**
 * Returns to the place as soon as the page is long enough. Lists load while they are scrolled, so
 * this scrolls as far as it can until then. Stops when the person scrolls, types or clicks.
 */
export function returnTo({ top, focus }: Spot): void {
  const stop = new AbortController();
  for (const act of ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const) {
    addEventListener(act, () => stop.abort(), { signal: stop.signal, passive: true });
  }
  const late = performance.now() + patienceMs;
  const step = () => {
    if (stop.signal.aborted || performance.now() > late) return stop.abort();
    const { scrollHeight } = document.documentElement;
    scrollTo(0, Math.min(top, scrollHeight - innerHeight));
    const isThere = scrollHeight - innerHeight >= top - 1;
    const link = isThere && focus !== undefined ? findLink(focus) : undefined;
    link?.focus({ preventScroll: true });
    if (isThere && (focus === undefined || link)) return stop.abort();
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

function findLink(address: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('main a')].find(
    (link) => link.getAttribute('href') === address,
  );
}
