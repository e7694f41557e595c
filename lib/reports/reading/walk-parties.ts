import type { StoredSum } from '../usage-item.ts';

/** A user, or a project, with the sums of some months. */
export interface Party {
  /** What it is sorted by. */
  readonly place: string;
  readonly sums: readonly StoredSum[];
}

/** Several months, each sorted by places, as one list of parties in that order. */
export async function* walkParties(
  months: readonly AsyncGenerator<StoredSum>[],
  placeOf: (sum: StoredSum) => string,
): AsyncGenerator<Party> {
  const heads = await Promise.all(months.map((month) => takeNext(month)));
  for (;;) {
    const places = heads.flatMap((head) => (head ? [placeOf(head)] : []));
    const [place] = places.sort();
    if (place === undefined) return;
    const sums: StoredSum[] = [];
    for (const [index, month] of months.entries()) {
      for (let head = heads[index]; head && placeOf(head) === place; head = heads[index]) {
        sums.push(head);
        heads[index] = await takeNext(month);
      }
    }
    yield { place, sums };
  }
}

async function takeNext(month: AsyncGenerator<StoredSum>): Promise<StoredSum | undefined> {
  const next = await month.next();
  return next.done ? undefined : next.value;
}
