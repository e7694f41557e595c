import type * as v from 'valibot';

/** Declares a successful answer, for the tests and the description of the API. */
export interface Answer {
  readonly status: 200 | 201 | 303 | 307;
  /** JSON of a shape, lines of JSON, a table as CSV, a page for people, the bytes of a file, or nothing. */
  readonly body: v.GenericSchema | 'lines' | 'csv' | 'page' | 'bytes' | 'nothing';
}

export function ok(body: Answer['body']): Answer {
  return { status: 200, body };
}

export function created(body: v.GenericSchema): Answer {
  return { status: 201, body };
}

export const seeOther: Answer = { status: 303, body: 'nothing' };

export const temporaryRedirect: Answer = { status: 307, body: 'nothing' };
