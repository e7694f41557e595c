const key = 'slipway-last-visit';
/** A reload is no new visit. */
const sameVisitMs = 30 * 60 * 1000;
/** Who is here for the first time may have used the command before. */
const firstVisitMs = 24 * 60 * 60 * 1000;

/** When somebody was here before this visit. */
export function noteVisit(now: Date): string {
  const stored: { seen?: string; before?: string } = JSON.parse(localStorage.getItem(key) ?? '{}');
  const seen = stored.seen ?? new Date(now.getTime() - firstVisitMs).toISOString();
  const again = now.getTime() - Date.parse(seen) > sameVisitMs;
  const before = again ? seen : (stored.before ?? seen);
  localStorage.setItem(key, JSON.stringify({ seen: now.toISOString(), before }));
  return before;
}
