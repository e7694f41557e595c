/** A call that a client made. Times may be of any clock that all clients share. */
export interface Call<Asked, Told> {
  readonly asked: Asked;
  readonly invoked: number;
  /** Missing if no answer came: it may have happened at any later moment, or never. */
  readonly answer?: { readonly told: Told; readonly at: number };
}

/** What a service should do if calls came one at a time. */
export interface Specification<State, Asked, Told> {
  readonly initial: State;
  /** Returns the state after a call, or undefined if it could not have been answered so. */
  apply(state: State, asked: Asked, told: Told | undefined): State | undefined;
  /** Names a state: equal states have equal names. */
  nameOf(state: State): string;
}

export type Verdict =
  | { readonly isLinear: true; readonly order: readonly number[] }
  /** As many calls as could be explained, in the best order that was found. */
  | { readonly isLinear: false; readonly explained: readonly number[] };

/**
 * Searches for an order in which the calls could have happened one at a time, each between its
 * invocation and its answer (Wing and Gong). The same calls in another order with the same state
 * are not searched again (Lowe).
 */
export function findOrder<State, Asked, Told>(
  calls: readonly Call<Asked, Told>[],
  { initial, apply, nameOf }: Specification<State, Asked, Told>,
): Verdict {
  const seen = new Set<string>();
  let explained: readonly number[] = [];
  interface Node {
    readonly state: State;
    readonly done: bigint;
    readonly order: readonly number[];
  }
  const open: Node[] = [{ state: initial, done: 0n, order: [] }];
  for (let node = open.pop(); node; node = open.pop()) {
    const { state, done, order } = node;
    const candidates = listCandidates(calls, done);
    if (!candidates) return { isLinear: true, order };
    if (order.length > explained.length) explained = order;
    for (const { place, call } of candidates) {
      const next = apply(state, call.asked, call.answer?.told);
      if (next === undefined) continue;
      const reached = { state: next, done: done | bit(place), order: [...order, place] };
      const name = `${reached.done.toString(36)} ${nameOf(next)}`;
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(reached);
    }
  }
  return { isLinear: false, explained };
}

/**
 * Lists the calls that may come next: those that began before any other ended. Returns undefined if
 * all calls that were answered have been put in order.
 */
function listCandidates<Asked, Told>(calls: readonly Call<Asked, Told>[], done: bigint) {
  const left = [...calls.entries()]
    .map(([place, call]) => ({ place, call }))
    .filter(({ place }) => (done & bit(place)) === 0n);
  const ends = left.flatMap(({ call }) => call.answer?.at ?? []);
  if (ends.length === 0) return undefined;
  const firstEnd = Math.min(...ends);
  // The stack takes the last one first, so that calls are tried as they began.
  return left.filter(({ call }) => call.invoked <= firstEnd).reverse();
}

function bit(place: number): bigint {
  return 1n << BigInt(place);
}
