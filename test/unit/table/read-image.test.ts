import { describe, expect, it } from 'vitest';
import { readImage } from '#lib/table/read-image.ts';

describe('readImage', () => {
  it('reads an item as the stream shows it', () => {
    const image = {
      text: { S: '7' },
      none: { S: '' },
      number: { N: '7.5' },
      zero: { N: '0' },
      yes: { BOOL: true },
      no: { BOOL: false },
      list: { L: [{ S: 'a' }, { M: { deep: { N: '1' } } }] },
      map: { M: { deep: { L: [] } } },
      nothing: { NULL: true },
    };
    expect(readImage(image)).toEqual({
      text: '7',
      none: '',
      number: 7.5,
      zero: 0,
      yes: true,
      no: false,
      list: ['a', { deep: 1 }],
      map: { deep: [] },
      nothing: null,
    });
  });
});
