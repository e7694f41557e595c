import { isRecord, readStored, store } from '../storage/stored.ts';

/** A look at Home. */
export interface Visit {
  readonly at: string;
  /**
   * When the oldest job was submitted that had not ended then. No job from before it can end after
   * this visit.
   */
  readonly oldestLiving?: string | undefined;
}

const key = 'slipway-visits';
/** A reload within this time belongs to the same visit. */
const sameVisitMs = 30 * 60 * 1000;

/** Notes this visit and returns the one before it, or undefined on a first visit. */
export function noteVisit(now: Date): Visit | undefined {
  const { here, before } = readVisits();
  const isSame = here && now.getTime() - Date.parse(here.at) <= sameVisitMs;
  const last = isSame ? before : here;
  store('browser', key, { here: { at: now.toISOString() }, before: last });
  return last;
}

/** Completes the note of this visit as soon as its jobs are known. */
export function noteOldestLiving(oldestLiving: string): void {
  const { here, before } = readVisits();
  if (here) store('browser', key, { here: { ...here, oldestLiving }, before });
}

function readVisits(): { readonly here: Visit | undefined; readonly before: Visit | undefined } {
  const stored = readStored('browser', key);
  if (!isRecord(stored)) return { here: undefined, before: undefined };
  return { here: toVisit(stored.here), before: toVisit(stored.before) };
}

function toVisit(value: unknown): Visit | undefined {
  if (!isRecord(value) || !isMoment(value.at)) return undefined;
  return {
    at: value.at,
    ...(isMoment(value.oldestLiving) && { oldestLiving: value.oldestLiving }),
  };
}

function isMoment(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
