import { setTimeout as sleep } from 'node:timers/promises';
import type { Connector } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';

/**
 * Faults of a whole simulated system: every call fails, every call takes two seconds (or a given
 * number of milliseconds), or every job is accepted and the answer lost.
 */
export type SystemFault =
  | { readonly kind: 'down' | 'lose' }
  | { readonly kind: 'slow'; readonly ms: number };

const slowMs = 2000;

function parseFault(text: string): SystemFault | undefined {
  if (text === 'down' || text === 'lose') return { kind: text };
  if (text === 'slow') return { kind: 'slow', ms: slowMs };
  const ms = /^slow:([1-9][0-9]{0,5})$/.exec(text)?.[1];
  return ms === undefined ? undefined : { kind: 'slow', ms: Number(ms) };
}

/** Parses `hpc_one:down,hpc_two:slow`. The error says how to write it. */
export function parseSystemFaults(
  text: string,
  systems: readonly string[],
): ReadonlyMap<string, SystemFault> {
  const faults = new Map<string, SystemFault>();
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [system = '', ...words] = part.trim().split(':');
    const fault = parseFault(words.join(':'));
    if (fault === undefined || !systems.includes(system) || faults.has(system)) {
      throw new Error(
        `SIM_FAULTS: '${part.trim()}' is not valid. Write <system>:<fault>, each system once, ` +
          `with a simulated system (${systems.join(', ')}) and a fault (down, slow, slow:<ms>, lose).`,
      );
    }
    faults.set(system, fault);
  }
  return faults;
}

export function addFault(
  connector: Connector,
  fault: SystemFault | undefined,
  wait: (ms: number) => Promise<unknown> = sleep,
): Connector {
  switch (fault?.kind) {
    case undefined:
      return connector;
    case 'down':
      return beforeEachCall(connector, async () => {
        throw new SystemUnavailableError('The simulator was told to be down.');
      });
    case 'slow':
      return beforeEachCall(connector, () => wait(fault.ms));
    case 'lose':
      return { ...connector, submit: (order) => connector.submit(order).then(loseAnswer) };
  }
}

/** A retry does not get this far, because it finds the job by its tag. */
function loseAnswer(): never {
  throw new SystemUnavailableError('The simulator was told to lose its answers.');
}

function beforeEachCall(connector: Connector, before: () => Promise<unknown>): Connector {
  const { submit, findByTag, lookUp, cancel, listFiles, openFile, checkHealth } = connector;
  const { findBegun, remove } = connector;
  return {
    ...connector,
    submit: (order) => before().then(() => submit(order)),
    findByTag: (tag) => before().then(() => findByTag(tag)),
    ...(findBegun && { findBegun: (tag) => before().then(() => findBegun(tag)) }),
    ...(remove && { remove: (job) => before().then(() => remove(job)) }),
    lookUp: (jobs) => before().then(() => lookUp(jobs)),
    cancel: (job) => before().then(() => cancel(job)),
    listFiles: (job) => before().then(() => listFiles(job)),
    openFile: (job, fileId) => before().then(() => openFile(job, fileId)),
    checkHealth: () => before().then(() => checkHealth()),
  };
}
