import { classOf, type ProblemBody, type SlipwayProblem } from './errors.ts';

/** The error for an answer of 400 or more, of the class that belongs to its type. */
export async function readProblem(response: Response): Promise<SlipwayProblem> {
  const problem = await readBody(response);
  const retryAfter = readRetryAfter(response.headers.get('retry-after'));
  return new (classOf(problem.type))(problem, retryAfter);
}

/** A gateway in between answers in its own words. */
async function readBody(response: Response): Promise<ProblemBody> {
  const text = await response.text().catch(() => '');
  const { status } = response;
  try {
    const body = JSON.parse(text);
    if (typeof body?.type === 'string' && typeof body.detail === 'string') return body;
  } catch {
    // Said below.
  }
  return {
    type: 'about:blank',
    title: response.statusText,
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
