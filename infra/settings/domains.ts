import { type RouteName, routeNames, routes } from '#functions/routes.ts';
import type { Route } from '#lib/http/routes/route.ts';

/** The domains whose endpoints have a stack of their own, `slipway-<stage>-<domain>`. */
export const domainNames = ['jobs', 'accounts', 'administration'] as const;
export type DomainName = (typeof domainNames)[number];

/** Folders of functions/ about jobs and their files. All others are about accounts. */
const jobFolders: ReadonlySet<string> = new Set(['jobs', 'batches', 'uploads', 'handover']);

/**
 * Returns the domain of an endpoint. Undefined for those that stay in the service stack, because they
 * need what only that stack has: the address of the API, or the way into the operator's network.
 */
export function domainOf(name: RouteName): DomainName | undefined {
  const { access, file, namesSignIn, secrets }: Route = routes[name];
  if (namesSignIn || secrets) return undefined;
  if (access === 'leader' || access === 'administrator') return 'administration';
  const [folder = ''] = file.split('/');
  return jobFolders.has(folder) ? 'jobs' : 'accounts';
}

export function listEndpoints(domain: DomainName): RouteName[] {
  return routeNames.filter((name) => domainOf(name) === domain);
}

/**
 * Names a function of a domain. The name differs from those in the service stack, so that a function
 * that moves from there exists in both until the gateway calls the new one.
 */
export function domainFunctionName(service: string, domain: DomainName, name: string): string {
  return `${service}-${domain}-${name}`;
}
