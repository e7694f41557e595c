import { actKinds } from '#client/src/generated/choices.ts';
import type { Act } from '#client/src/index.ts';

/** Which acts are shown, as the address says it. */
export interface AuditFilters {
  readonly kind: string;
  readonly by: string;
  readonly user: string;
  readonly since: string;
  readonly until: string;
}

export function readAuditFilters(query: URLSearchParams): AuditFilters {
  const text = (name: string) => (query.get(name) ?? '').trim();
  return {
    kind: text('kind'),
    by: text('by'),
    user: text('user'),
    since: text('since'),
    until: text('until'),
  };
}

export interface AskedAudit {
  readonly problems: ReadonlyMap<string, string>;
  readonly asked: {
    readonly kind?: Act['kind'];
    readonly by?: string;
    readonly user?: string;
    readonly since?: string;
    readonly until?: string;
  };
}

/** As the service is asked for them. What cannot be meant is left out, and said. */
export function askForActs(filters: AuditFilters): AskedAudit {
  const problems = new Map<string, string>();
  const day = (name: 'since' | 'until') => {
    if (filters[name] === '') return {};
    const fits = /^\d{4}-\d{2}-\d{2}$/.test(filters[name]);
    if (!fits) problems.set(name, 'Choose a day.');
    return fits ? { [name]: filters[name] } : {};
  };
  const user = (name: 'user' | 'by') => {
    if (filters[name] === '') return {};
    const fits = /^\d+$/.test(filters[name]) || (name === 'by' && filters.by === 'slipway');
    if (!fits) problems.set(name, 'Write the number of the user.');
    return fits ? { [name]: filters[name] } : {};
  };
  const kind = actKinds.find((each) => each === filters.kind);
  return {
    problems,
    asked: {
      ...(kind && { kind }),
      ...user('by'),
      ...user('user'),
      ...day('since'),
      ...day('until'),
    },
  };
}
