import type { ProjectName, RequestId, SystemName } from '#lib/catalog/identifiers.ts';
import { accountOf } from '#lib/quotas/quota.ts';
import {
  profileKey,
  quotaRequestRegistry,
  registryRequest,
  requestOfKey,
} from '#lib/table/keys.ts';
import type { Page } from '#lib/table/page.ts';
import { readItems } from '#lib/table/reads.ts';
import { readRegistryKeys } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { bansInProject, type QuotaBans } from '#lib/users/bans.ts';
import { type Profile, profileFromItem } from '#lib/users/profile.ts';
import { readProfile } from '#lib/users/profile-store.ts';
import { type QuotaRequest, type RequestState, requestFromItem } from './quota-request.ts';

/** A request with what an administrator should know about its user. */
export interface JudgedRequest {
  readonly request: QuotaRequest;
  /** The user's bans that apply in the project. */
  readonly bans: QuotaBans;
  /** What the user is called. */
  readonly name?: string | undefined;
}

/** Selects requests of one state, perhaps only those of one system or project. */
export interface RequestList {
  readonly state: RequestState;
  readonly hpc?: SystemName | undefined;
  readonly project?: ProjectName | undefined;
}

/** The most pages of the index that one request reads to find those of a project. */
const maxReads = 10;

/**
 * Lists all users' requests of one state, oldest first. The index says which exist and may lag a
 * moment, so a request whose state has changed is left out. At most 100 at once. The cost depends on
 * the page alone, if the list is not narrowed down. The index does not know projects, so the page of
 * a project may be short, or empty, and still continue.
 */
export async function listRequests(
  table: Table,
  list: RequestList,
  limit: number,
  after?: RequestId,
): Promise<Page<JudgedRequest, RequestId>> {
  const entries: QuotaRequest[] = [];
  let next = after;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const page = await readRun(table, list, limit - entries.length, next);
    entries.push(...page.entries);
    next = page.next;
    if (next === undefined || entries.length >= limit || isWhole(list)) break;
  }
  return { entries: await addBans(table, entries), next };
}

function isWhole({ hpc, project }: RequestList): boolean {
  return hpc === undefined && project === undefined;
}

async function readRun(
  table: Table,
  { state, hpc, project }: RequestList,
  limit: number,
  after: RequestId | undefined,
): Promise<Page<QuotaRequest, RequestId>> {
  const place = after === undefined ? undefined : registryRequest(after);
  const { keys, goesOn } = await readRegistryKeys(table, quotaRequestRegistry(state), limit, place);
  const found = (await readItems(table, keys)).map(requestFromItem);
  const last = keys.at(-1);
  return {
    entries: found.filter(
      (each) =>
        each.state === state &&
        (hpc === undefined || each.project.hpc === hpc) &&
        (project === undefined || each.project.name === project),
    ),
    next: goesOn && last ? requestOfKey(last) : undefined,
  };
}

export async function addBan(table: Table, request: QuotaRequest): Promise<JudgedRequest> {
  const profile = await readProfile(table, request.user);
  return judge(request, profile);
}

function judge(request: QuotaRequest, profile: Profile | undefined): JudgedRequest {
  if (!profile) return { request, bans: {} };
  return { request, bans: bansInProject(profile.bans, accountOf(request)), name: profile.name };
}

async function addBans(table: Table, requests: readonly QuotaRequest[]): Promise<JudgedRequest[]> {
  const users = [...new Set(requests.map(({ user }) => user))];
  const profiles = (await readItems(table, users.map(profileKey))).map(profileFromItem);
  const profileOf = new Map(profiles.map((profile) => [profile.user, profile]));
  return requests.map((request) => judge(request, profileOf.get(request.user)));
}
