import { describe, expect, it } from 'vitest';
import { judgeDirectory } from '#lib/files/zips/judge-directory.ts';
import type { ZipEntry } from '#lib/files/zips/zip-entry.ts';

/** An entry of 41 bytes at the beginning of its archive. */
const plain: ZipEntry = {
  name: 'a',
  readings: ['a'],
  brokenName: false,
  encrypted: false,
  method: 0,
  kind: 0,
  offset: 0,
  length: 41,
  expandedBytes: 10,
};

function judge(changes: readonly Partial<ZipEntry>[], bytes = 1_000_000_000): string[] {
  const entries = changes.map((change, index) => ({
    ...plain,
    name: `${index}`,
    readings: [`${index}`],
    offset: index * 41,
    ...change,
  }));
  return judgeDirectory(entries, { bytes, directoryOffset: entries.length * 41 });
}

describe('what a zip says of itself', () => {
  it.each([
    { bytes: 10_000_000_000, problems: [] },
    {
      bytes: 10_000_000_001,
      problems: ['It expands to 10000000001 bytes, but at most 10000000000 are allowed.'],
    },
  ])('may be $bytes bytes in all: $problems', ({ bytes, problems }) => {
    expect(judge([{ expandedBytes: bytes - 1 }, { expandedBytes: 1 }])).toEqual(problems);
  });

  it.each([
    { archive: 50_000, expanded: 10_000_000, dense: false },
    { archive: 49_999, expanded: 10_000_000, dense: false },
    { archive: 49_999, expanded: 10_000_001, dense: true },
    { archive: 100_000, expanded: 20_000_000, dense: false },
    { archive: 100_000, expanded: 20_000_001, dense: true },
  ])('may be $expanded bytes out of $archive: not $dense', ({ archive, expanded, dense }) => {
    const problems = judge([{ expandedBytes: expanded }], archive);
    expect(problems).toHaveLength(dense ? 1 : 0);
    if (dense) expect(problems[0]).toContain('more than 200 times its own size');
  });

  it('may list its entries in any order', () => {
    expect(judge([{ offset: 82 }, { offset: 0 }, { offset: 41 }])).toEqual([]);
    expect(judge([{ offset: 82 }, { offset: 0 }, { offset: 40 }])).toEqual([
      "'1': it overlaps what follows it.",
    ]);
  });

  it('has one problem of each kind for each entry, in the order of the entries', () => {
    const wrong = { readings: ['../a', '/b'], brokenName: true, encrypted: true, method: 9 };
    expect(judge([{ ...wrong, kind: 0o120000 }, {}, { readings: [''] }])).toEqual([
      "'0': its path leads outside the archive.",
      "'0': its name is not valid UTF-8.",
      "'0': it is encrypted.",
      "'0': it is neither stored nor deflated.",
      "'0': it is a link or a special file.",
      "'2': it has no name.",
    ]);
  });

  it('may have one name by two readings of the same entry, and not of two', () => {
    expect(judge([{ readings: ['a', './a'] }])).toEqual([]);
    expect(judge([{ readings: ['a', 'b'] }, { readings: ['c', 'b'] }])).toEqual([
      "'1': the archive contains this name twice.",
    ]);
  });

  it('may have names that differ in their folders alone', () => {
    expect(judge([{ readings: ['a/b'] }, { readings: ['ab'] }])).toEqual([]);
  });

  it.each(['z:', 'Z:/a', 'a:b'])('has no path that begins with a drive: %s', (path) => {
    expect(judge([{ readings: [path] }])).toEqual(["'0': its path is absolute."]);
  });

  it.each(['ab:', '1:', 'a/b:c', 'a/b/'])('may have the path %s', (path) => {
    expect(judge([{ readings: [path] }])).toEqual([]);
  });
});
