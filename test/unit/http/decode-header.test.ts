import { describe, expect, it } from 'vitest';
import { decodeHeader } from '#lib/http/parsers/reading.ts';

describe('decodeHeader', () => {
  it.each(['plain', '', 'é', '細胞', '🧬'])('reads %j that came as UTF-8 byte for byte', (text) => {
    expect(decodeHeader(Buffer.from(text, 'utf8').toString('latin1'))).toBe(text);
  });

  it.each(['caf\u00e9', '\u00ff\u00fe', '細', '細胞', '\u00c3'])('leaves %j as it came', (text) => {
    expect(decodeHeader(text)).toBe(text);
  });
});
