import type { HttpRequest } from './target.ts';

/** The script that tells wrk what to send, in turn, and how to say what it saw. */
export function writeScript(requests: readonly HttpRequest[]): string {
  return `local requests = {}
local turn = 0

function init()
${requests.map((request) => `  requests[#requests + 1] = ${formatRequest(request)}`).join('\n')}
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"p50":%d,"p95":%d,"p99":%d,"refused":%d,"broken":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(95), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
`;
}

/** Made once before the first is sent, so that making it is not measured. */
function formatRequest({ method, path, headers, body }: HttpRequest): string {
  const fields = Object.entries(headers).map(
    ([name, value]) => `[${quoteForLua(name)}] = ${quoteForLua(value)}`,
  );
  const content = body === undefined ? 'nil' : quoteForLua(body);
  return `wrk.format(${quoteForLua(method)}, ${quoteForLua(path)}, { ${fields.join(', ')} }, ${content})`;
}

/** Every byte that is not a plain letter or digit as its number: a zip stays a zip. */
export function quoteForLua(text: string | Buffer): string {
  const bytes = [...Buffer.from(text)];
  const quoted = bytes.map((byte) => {
    const sign = String.fromCharCode(byte);
    return /[A-Za-z0-9]/.test(sign) ? sign : `\\${String(byte).padStart(3, '0')}`;
  });
  return `"${quoted.join('')}"`;
}
