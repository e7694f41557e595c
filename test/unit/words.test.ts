import { describe, expect, it } from 'vitest';
import { readSources } from './architecture/source-files.ts';
import { findEarlyMessages, findTexts } from './words/find-texts.ts';

/** Rooms whose texts all come from a catalogue. */
const rooms = [
  'client/src/cli',
  'client/src/format',
  'client/src/changes',
  'client/src/rows',
  'client/src/node',
  'client/src/sign-in',
  'console/src',
];

/** Texts that stand in the code, and why. */
const exceptions: readonly { path: RegExp; text?: RegExp; why: string }[] = [
  { path: /\/words(\/|\.ts)|src\/german\//, why: 'the catalogues themselves' },
  {
    path: /cli\/mcp\/(tools|server)/,
    why: 'assistants read it, who know the tools by their English words',
  },
  {
    path: /./,
    text: /^(slipway|source|npm) |^(-\w, )?--\w|^\.slipway\/|^https:/,
    why: 'lines to type, files and addresses are the same in all languages',
  },
  { path: /^console\//, text: /^(Slipway|Enter)$/, why: 'names of the service and of keys' },
  {
    path: /^console\/src\/browser\//,
    text: /^(<svg |main a$)/,
    why: 'drawings and selectors, which browsers read',
  },
  { path: /connection\/session/, text: /^Nobody is/, why: 'programmers read it' },
  { path: /times\/read-hours/, text: /^runtime is/, why: 'programmers read it' },
  { path: /language-links/, why: 'languages call themselves by their own names' },
  { path: /service\/completion|submit\/write-commands/, why: 'scripts for shells' },
  {
    path: /./,
    text: /^(text\/html|Bearer |default-src|<!doctype|attachment;|openid offline|[A-Z][a-z]+-[A-Z][a-z]+$)/,
    why: 'headers, pages and scopes, which browsers and services read',
  },
  { path: /jobs\/logs/, text: /^(never a file|nothing new)$/, why: 'names of states' },
  { path: /explain-problem/, text: /^command tool title/, why: 'names of fields' },
  { path: /src\/(node|sign-in)\//, text: /^[A-Z][a-z]+[A-Z]\w+$/, why: 'names of errors' },
  { path: /console\/src\/start/, why: 'a page without a place for the console never ships' },
  {
    path: /node\/(create-client|put-over-http|send-parts)/,
    why: 'programmers read it, or the command explains it in its own words',
  },
];

const sources = readSources(...rooms).filter(
  ({ path }) => !exceptions.some((each) => each.text === undefined && each.path.test(path)),
);

describe('texts for people', () => {
  it('come from the catalogues', () => {
    const found = sources
      .flatMap(findTexts)
      .filter(
        ({ path, text }) =>
          !exceptions.some((each) => each.path.test(path) && (each.text?.test(text) ?? true)),
      );
    expect(found).toEqual([]);
  });

  it('are not written before the language is known', () => {
    expect(sources.flatMap(findEarlyMessages)).toEqual([]);
  });

  it.each([
    ['a sentence', "screen.tell('Nothing was deleted.')", 'Nothing was deleted.'],
    ['a sentence with values', `tell(\`\${files} of \${all} files\`)`, '◇ of ◇ files'],
    ['a heading', "const columns = [{ head: 'SYSTEM', cell }]", 'SYSTEM'],
    ['text in a page', 'const page = () => <p>Quotas</p>', 'Quotas'],
    ['an attribute', 'const field = () => <input placeholder="search" />', 'search'],
  ])('are found in the code: %s', (_, text, expected) => {
    const found = findTexts({ path: 'client/src/cli/wrong.tsx', text });
    expect(found.map((each) => each.text)).toEqual([expected]);
  });

  it.each([
    ['a message', "tell(phrase('shared.nothingWasDeleted'))"],
    ['a class', 'const box = () => <p class="note warn" />'],
    ['a class that changes', "const box = () => <p class={isBad ? 'note bad' : 'note'} />"],
    ['a name of data', "const jobs = useLive('jobs to wait for', listJobs)"],
    ['a comparison', "const isGone = stage === 'Not there'"],
    ['a type', "type State = 'not there'"],
  ])('are not found where there are none: %s', (_, text) => {
    expect(findTexts({ path: 'client/src/cli/right.tsx', text })).toEqual([]);
  });

  it('are found if they are written too early', () => {
    const text = "const none = phrase('none');\nconst later = () => phrase('later');";
    const found = findEarlyMessages({ path: 'client/src/cli/wrong.ts', text });
    expect(found.map(({ line }) => line)).toEqual([1]);
  });
});
