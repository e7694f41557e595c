import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseXml } from '#lib/hpc/nsg/read-answer.ts';

const Answer = v.object({ a: v.string() });
const read = async (text: string) => (await parseXml(Answer, text))?.a;

describe('XML', () => {
  it('is read as text, with the references that XML itself has', async () => {
    expect(await read('<?xml version="1.0"?><a>0010</a>')).toBe('0010');
    expect(await read('<a>&lt;b&gt; &amp;lt; &quot;&apos; &#65;&#x42;</a>')).toBe(
      '<b> &lt; "\' AB',
    );
    expect(await read('<a>&#x110000; &nbsp; &other;</a>')).toBe('&#x110000; &nbsp; &other;');
    expect(await read('<ns:a xmlns:ns="urn:x">b</ns:a>')).toBe('b');
  });

  it.each(['', 'OK', '{"a":"b"}', '<a>', '<a></b>', '<a>b</a', '<b>c</b>', '<a><a>b</a></a>'])(
    'is not %j',
    async (text) => {
      expect(await read(text)).toBeUndefined();
    },
  );

  it('expands no entities: a bomb', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const inner = level === 0 ? 'boom' : `&e${level - 1};`.repeat(10);
      return `<!ENTITY e${level} "${inner}">`;
    });
    const doctype = `<!DOCTYPE a [${levels.join('')}]>`;
    expect(await read(`<?xml version="1.0"?>${doctype}<a>&e11;</a>`)).toBeUndefined();
    expect(await read('<a>&e11;</a>')).toBe('&e11;');
  });

  it.each(['SYSTEM "file:///etc/passwd"', 'PUBLIC "x" "http://127.0.0.1:1/x"'])(
    'fetches nothing: an entity %s',
    async (place) => {
      expect(await read(`<!DOCTYPE a [<!ENTITY x ${place}>]><a>&x;</a>`)).toBeUndefined();
      expect(await read(`<!doctype a ${place}><a>b</a>`)).toBeUndefined();
    },
  );

  it('does not go deeper than the interface ever does', async () => {
    const nest = (depth: number) => `${'<b>'.repeat(depth)}${'</b>'.repeat(depth)}`;
    expect(await parseXml(v.unknown(), nest(10))).toBeDefined();
    expect(await parseXml(v.unknown(), nest(30))).toBeUndefined();
    expect(await parseXml(v.unknown(), nest(100_000))).toBeUndefined();
  });

  it('reaches no prototype', async () => {
    const text = '<a><__proto__><polluted>yes</polluted></__proto__></a>';
    await parseXml(v.unknown(), text);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
