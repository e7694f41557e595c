const url = 'https://app.example.org/';

/** Bodies of `POST /webhooks/` that must be refused with 400, and what of them is named. */
export const badWebhooks: readonly { readonly body: unknown; readonly named: string[] }[] = [
  ...[[], null, 'text', 1].map((body) => ({ body, named: ['body body'] })),
  { body: {}, named: ['body url'] },
  ...[
    null,
    1,
    '',
    'app.example.org',
    'ftp://app.example.org/',
    'https://user:word@app.example.org/',
    'https://app.example.org/#here',
    `https://app.example.org/${'a'.repeat(2048)}`,
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://[fd00:ec2::254]/',
    'https://[::ffff:10.0.0.1]/',
  ].map((bad) => ({ body: { url: bad }, named: ['body url'] })),
  { body: { url, events: [] }, named: ['body events'] },
  { body: { url, events: 'job.ended' }, named: ['body events'] },
  { body: { url, events: ['job.lost'] }, named: ['body events.0'] },
  { body: { url, description: 1 }, named: ['body description'] },
  { body: { url, description: 'a'.repeat(201) }, named: ['body description'] },
  { body: { url, description: 'a\u0007b' }, named: ['body description'] },
  { body: { url, secret: 'mine' }, named: ['body secret'] },
  {
    body: { url: 1, events: [], description: 1, more: 1 },
    named: ['body description', 'body events', 'body more', 'body url'],
  },
];
