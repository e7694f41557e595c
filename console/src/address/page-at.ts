/** What the path of an address shows. */
export type Page =
  | { readonly name: 'home' }
  | { readonly name: 'jobs' }
  | { readonly name: 'job'; readonly hpc: string; readonly project: string; readonly jobId: string }
  | { readonly name: 'submit' }
  | { readonly name: 'quotas' }
  | { readonly name: 'ledger'; readonly hpc: string; readonly project: string }
  | { readonly name: 'requests' }
  | { readonly name: 'webhooks' }
  | { readonly name: 'webhook'; readonly webhookId: string }
  | { readonly name: 'admin'; readonly rest: readonly string[] }
  | { readonly name: 'missing' };

const alone = ['home', 'jobs', 'submit', 'quotas', 'requests', 'webhooks'] as const;

/** Below `/console/`, as the address bar has it. */
export function pageAt(path: string): Page {
  const [name = 'home', ...rest] = path.split('/').filter(Boolean).map(decode);
  const [first = '', second = '', third = ''] = rest;
  switch (`${name} ${rest.length}`) {
    case 'jobs 3':
      return { name: 'job', hpc: first, project: second, jobId: third };
    case 'quotas 2':
      return { name: 'ledger', hpc: first, project: second };
    case 'webhooks 1':
      return { name: 'webhook', webhookId: first };
  }
  if (name === 'admin') return { name, rest };
  const known = rest.length === 0 ? alone.find((each) => each === name) : undefined;
  return { name: known ?? 'missing' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
