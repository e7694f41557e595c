import { expect } from 'vitest';
import { findUndescribed } from '../fixtures/described-answers.ts';
import type { Answer } from './ask.ts';
import type { Target } from './target.ts';

/** Every answer of the contract is one that the description of the API tells of, refusals too. */
export function expectDescribed(
  target: Target,
  method: string,
  address: string,
  { status, headers, text, json }: Answer,
): void {
  const path = findPath(target, address);
  if (path === undefined || isOfGateway(status, json)) return;
  // These have the headers of an answer to GET, and no body.
  if (method === 'HEAD' || status === 304) {
    expect(text).toBe('');
    return;
  }
  const type = headers.get('content-type')?.replace(/;.*/, '');
  const undescribed = findUndescribed(method, path, { status, type, body: json });
  expect(undescribed, `${method} ${path}: ${text.slice(0, 500)}`).toEqual([]);
}

/** As a function sees it. Nothing where it is no address of the service, but of its storage. */
function findPath({ url }: Target, address: string): string | undefined {
  if (!address.startsWith('/') && !address.startsWith(`${url}/`)) return undefined;
  const path = address.replace(url, '').replace(/[?#].*/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What is beyond the limits of the gateway it refuses in a shape of its own, or not even in HTTP's. */
function isOfGateway(status: number, json: unknown): boolean {
  const keys = typeof json === 'object' && json !== null ? Object.keys(json) : [];
  return status === 431 || (keys.length === 1 && keys[0] === 'message');
}
