import { expect, it } from 'vitest';
import { quoteForLua, readReport, writeScript } from '../../../bench/http/wrk.ts';

it('quotes every byte that is not a letter or a digit', () => {
  expect(quoteForLua('a"\n9')).toBe('"a\\034\\0109"');
  expect(quoteForLua(Buffer.from([0, 255, 65]))).toBe('"\\000\\255A"');
});

it('lets wrk send the requests in turn', () => {
  const script = writeScript([
    { method: 'GET', path: '/a', headers: { b: 'c' } },
    { method: 'POST', path: '/a', headers: {}, body: Buffer.from('z') },
  ]);
  expect(script).toContain('wrk.format("GET", "\\047a", { ["b"] = "c" }, nil)');
  expect(script).toContain('wrk.format("POST", "\\047a", {  }, "z")');
});

it('reads the report of wrk', () => {
  const output = `Running 5s test
{"requests":500,"microseconds":2000000,"p50":1500,"p95":7000,"p99":9000,"refused":1,"broken":2}
`;
  expect(readReport(output)).toEqual({
    perSecond: 250,
    p50Ms: 1.5,
    p95Ms: 7,
    p99Ms: 9,
    refused: 1,
    broken: 2,
  });
  expect(() => readReport('Running 5s test\n')).toThrow();
});
