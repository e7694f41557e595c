import { findPreference } from '../parsers/preference.ts';
import type { ApiResponse } from '../respond.ts';

/** True for browsers. Programs ask for JSON, or for anything. */
export function prefersPage(accept = ''): boolean {
  const page = findPreference(accept, 'text/html') ?? 0;
  return page > (findPreference(accept, 'application/json') ?? 0);
}

/** See Other, and never remembered: the same address answers programs with JSON. */
export function leadTo(location: string): ApiResponse {
  return {
    statusCode: 303,
    headers: { location, vary: 'accept', 'cache-control': 'no-store' },
    body: '',
  };
}
