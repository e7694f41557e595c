import * as v from 'valibot';
import type { ReportedWindow } from '#lib/systems/keep-maintenance.ts';
import { writeMoment } from '#lib/time/write-moment.ts';
import type { Observation } from '../connector.ts';
import { Amount, Moment } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { isPathGone, isSuccess } from './read-answer.ts';
import type { Slurm } from './slurm.ts';

/** Reservations change rarely, and one call is made for all jobs. */
const rememberedMs = 5 * 60_000;

/** An item of the table has room for these, and a person for fewer. */
const mostWindows = 20;

const Reservations = v.object({
  reservations: v.array(
    v.object({
      name: v.string(),
      flags: v.optional(v.array(v.string()), []),
      start_time: Moment,
      end_time: Moment,
      node_count: v.optional(Amount),
    }),
  ),
});

/**
 * Reads the maintenance reservations of a cluster. Other reservations are for courses or users, so
 * only the flag MAINT tells.
 */
export function createMaintenance(
  { listReservations }: Pick<Slurm, 'listReservations'>,
  clock = () => performance.now(),
) {
  let known: { readonly windows: readonly ReportedWindow[]; readonly at: number } | undefined;

  async function read(): Promise<readonly ReportedWindow[]> {
    if (known && clock() - known.at < rememberedMs) return known.windows;
    const answer = await listReservations();
    const parsed = v.safeParse(Reservations, answer.content);
    if (!isPathGone(answer) && !(isSuccess(answer) && parsed.success)) {
      throw reportFailure(answer, 'reservations');
    }
    known = { windows: parsed.success ? listWindows(parsed.output) : [], at: clock() };
    return known.windows;
  }

  return {
    read,
    /** Names the maintenance in the reasons of jobs that cannot start because of a reservation. */
    async explain(observations: ReadonlyMap<string, Observation>) {
      if (![...observations.values()].some(waitsForReservation)) return observations;
      // The reason without it is true, too.
      const windows = await read().catch(() => []);
      const next = windows.find(({ until }) => until > new Date());
      if (!next) return observations;
      return new Map([...observations].map(([id, seen]) => [id, nameMaintenance(seen, next)]));
    },
  };
}

function listWindows({ reservations }: v.InferOutput<typeof Reservations>): ReportedWindow[] {
  return reservations
    .flatMap(({ name, flags, start_time: start, end_time: end, node_count: nodes }) => {
      if (!flags.includes('MAINT') || start === undefined || end === undefined) return [];
      const where = nodes ? ` of ${nodes} ${nodes === 1 ? 'node' : 'nodes'}` : '';
      const reason = `Maintenance${where}, reserved in Slurm as '${name}'.`;
      return [{ name, from: new Date(start * 1000), until: new Date(end * 1000), reason }];
    })
    .sort((one, other) => one.from.getTime() - other.from.getTime())
    .slice(0, mostWindows);
}

function waitsForReservation(seen: Observation): boolean {
  if (seen.state !== 'living') return false;
  return /Slurm says: (ReqNodeNotAvail|Reservation)\b/.test(seen.reason ?? '');
}

function nameMaintenance(seen: Observation, { from, until }: ReportedWindow): Observation {
  if (seen.state !== 'living' || !waitsForReservation(seen)) return seen;
  const span = `from ${writeMoment(from)} to ${writeMoment(until)}`;
  return { ...seen, reason: `${seen.reason} Slurm has reserved nodes for maintenance ${span}.` };
}
