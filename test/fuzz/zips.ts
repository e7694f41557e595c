import fc from 'fast-check';
import { buildZip } from '../fixtures/build-zip.ts';
import { emptyZip } from '../fixtures/zip.ts';

const names = [
  'table.csv',
  'p.csv',
  'run.sh',
  'a/b/c.txt',
  '../up.sh',
  '/etc/passwd',
  'C:\\x.txt',
  'a\\b.txt',
  '',
  '.',
  'é🚀.txt',
  'x'.repeat(300),
  'nul\u0000.txt',
];

const tables = [
  'alpha,word\n0.1,good\n0.2,better\n',
  'alpha\n1\n2\n3\n',
  'index\n1\n',
  'a,a\n1,2\n',
  'a,b\n1\n',
  'a,b\n"1,2\n',
  '\ufeffalpha\r\n1\r\n',
  'alpha\n',
  '',
  'alpha\n\u0000\n',
  `a\n${'1\n'.repeat(150)}`,
  `${'c,'.repeat(300)}z\n${'1,'.repeat(300)}1\n`,
  'alpha\n=1+1\n',
  '"a""b"\n"x\ny"\n',
];

const entry = fc.record({
  name: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('table.csv', 'p.csv') },
    { weight: 1, arbitrary: fc.constantFrom(...names) },
  ),
  content: fc.oneof(fc.constantFrom(...tables), fc.string({ maxLength: 30 })),
  stored: fc.boolean(),
  mode: fc.constantFrom(0, 0o100644, 0o120777, 0o40755),
});

const lyingEntry = fc
  .tuple(entry, fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1))
  .map(([each, claimedBytes]) => ({ ...each, claimedBytes }));

const whole = fc
  .array(fc.oneof({ weight: 8, arbitrary: entry }, { weight: 1, arbitrary: lyingEntry }), {
    maxLength: 4,
  })
  .map((entries) => buildZip(entries));

/** Archives with good and bad names and tables, and damaged ones. */
export const zip: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.oneof({ weight: 1, arbitrary: fc.constant(emptyZip) }, { weight: 5, arbitrary: whole }),
    fc.oneof(
      { weight: 10, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }) },
    ),
    fc.nat(),
  )
  .map(([bytes, way, where]) => damage(Buffer.from(bytes), way, where));

function damage(bytes: Buffer, way: number, where: number): Buffer {
  const at = where % bytes.length;
  switch (way) {
    case 0:
      return bytes;
    case 1:
      return bytes.subarray(0, at);
    case 2:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (where % 8));
      return bytes;
    case 3:
      return Buffer.concat([Buffer.from('junk before'), bytes]);
    case 4:
      return Buffer.concat([bytes, Buffer.from('junk after')]);
    case 5:
      // The number of entries that the end of the archive claims.
      bytes.writeUInt16LE(0xffff, Math.max(0, bytes.length - 12));
      return bytes;
    default:
      return Buffer.from('this is not an archive');
  }
}
