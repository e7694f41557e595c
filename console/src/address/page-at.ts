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

/** Below `/console/`, as the address bar has it. */
export function pageAt(path: string): Page {
  const parts = path.split('/').filter(Boolean).map(decode);
  const [name = 'home', first, second, third, ...more] = parts;
  if (more.length > 0 && name !== 'admin') return { name: 'missing' };
  const given = [first, second, third].filter((part) => part !== undefined).length;
  switch (name) {
    case 'home':
    case 'submit':
    case 'requests':
      return given === 0 ? { name } : { name: 'missing' };
    case 'jobs':
      if (given === 0) return { name };
      return first && second && third
        ? { name: 'job', hpc: first, project: second, jobId: third }
        : { name: 'missing' };
    case 'quotas':
      if (given === 0) return { name };
      return first && second && given === 2
        ? { name: 'ledger', hpc: first, project: second }
        : { name: 'missing' };
    case 'webhooks':
      if (given === 0) return { name };
      return first && given === 1 ? { name: 'webhook', webhookId: first } : { name: 'missing' };
    case 'admin':
      return { name, rest: parts.slice(1) };
    default:
      return { name: 'missing' };
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
