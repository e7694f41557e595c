import { classOf, type ProblemBody, type SlipwayProblem } from './errors.ts';

/** The error for an answer of 400 or more, of the class that belongs to its type. */
export function readProblem(response: Response, text: string): SlipwayProblem {
  const problem = readBody(response, text);
  const retryAfter = readRetryAfter(response.headers.get('retry-after'));
  return new (classOf(problem.type))(problem, retryAfter);
}

/** A gateway in between answers in its own words. */
function readBody({ status, statusText }: Response, text: string): ProblemBody {
  try {
    const body = JSON.parse(text);
    if (typeof body?.type === 'string' && typeof body.detail === 'string') return body;
  } catch {
    // Said below.
  }
  return {
    type: 'about:blank',
    title: statusText,
    status,
    detail: `The service answered ${status}${text === '' ? '.' : `: ${text.slice(0, 200)}`}`,
  };
}

/** Seconds, or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
