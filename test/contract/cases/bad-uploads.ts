const good = { filename: 'big.zip', length: 100 };

/** Beyond the contract: what is no wish for an upload, and what of it the answer names. */
export const badUploads: readonly { readonly body: unknown; readonly named: string[] }[] = [
  { body: 'no JSON', named: ['body body'] },
  { body: '[]', named: ['body body'] },
  { body: {}, named: ['body filename', 'body length'] },
  ...['', 'a', 'a.tar', '.zip', '../a.zip', 'a\\b.zip', 'a\u0000.zip', 5, null].map((filename) => ({
    body: { ...good, filename },
    named: ['body filename'],
  })),
  ...[0, -1, 1.5, 5_000_000_001, 1e300, '100', null, true].map((length) => ({
    body: { ...good, length },
    named: ['body length'],
  })),
  { body: { ...good, owner: '1' }, named: ['body owner'] },
];
