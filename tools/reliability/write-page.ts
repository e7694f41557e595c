import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { putBetween } from '../put-between.ts';
import { proofSuites } from './suites.ts';

/** A mistake that a suite found, and the test that holds it since. */
export interface Finding {
  readonly suite: string;
  readonly finding: string;
  /** The path of the test file. */
  readonly test: string;
  /** A part of the file that only this test has, such as its title. */
  readonly name: string;
}

/** A mistake that was made on purpose, to see which suite notices it. */
export interface PlantedBug {
  readonly bug: string;
  readonly room: string;
  /** The suite that noticed it first. */
  readonly suite: string;
  readonly seconds: number;
}

export interface Records {
  readonly runs: readonly RecordedRun[];
  readonly findings: readonly Finding[];
  readonly planted: readonly PlantedBug[];
}

const handKept = { findings: 'findings.json', planted: 'planted.json' };

export function readRecords(folder = recordsFolder): Records {
  const kept: string[] = Object.values(handKept);
  return {
    runs: readdirSync(folder)
      .filter((file) => file.endsWith('.json') && !kept.includes(file))
      .map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))),
    findings: readList(`${folder}/${handKept.findings}`),
    planted: readList(`${folder}/${handKept.planted}`),
  };
}

function readList<T>(file: string): T[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

/** Puts the last runs, the findings and the planted bugs into docs/reliability.md. */
export function fillPage(page: string, records: Records): string {
  const parts = {
    runs: writeRuns(records),
    findings: writeFindings(records.findings),
    planted: writePlanted(records.planted),
  };
  return Object.entries(parts).reduce(
    (text, [part, content]) => putBetween(text, `npm run reliability, ${part}`, content),
    page,
  );
}

/** Puts the sentence of figures into the README. */
export function fillReadme(readme: string, { runs }: Records): string {
  return putBetween(readme, 'npm run reliability', writeSentence(runs));
}

function writeRuns({ runs, findings }: Records): string {
  if (runs.length === 0) return 'None recorded yet.';
  const rows = inOrder(runs).map(({ suite, tried, seconds, date, commit, changed, cores }) =>
    writeRow([
      `[${proofSuites[suite]?.title}](#${suite})`,
      tried.map((each) => `${count(each.tried)} ${each.unit}`).join(', '),
      writeSurvived(tried),
      String(findings.filter((each) => each.suite === suite).length),
      writeDuration(seconds),
      `${date}, ${commit}${changed ? ' with changes' : ''}, ${cores} cores`,
    ]),
  );
  const details = inOrder(runs).flatMap(({ suite, figures }) => [
    '',
    `<a id="${suite}"></a>**${proofSuites[suite]?.title}** (\`${proofSuites[suite]?.command}\`). ${proofSuites[suite]?.shows}${figures.length > 0 ? ` Last run: ${figures.join('; ')}.` : ''}`,
  ]);
  return [
    writeRow(['suite', 'tried', 'survived', 'found and mended', 'took', 'last run']),
    '|---|---|---|---:|---:|---|',
    ...rows,
    ...details,
  ].join('\n');
}

function writeSurvived(tried: readonly Tried[]): string {
  const failed = tried.filter((each) => each.survived < each.tried);
  if (failed.length === 0) return 'all';
  return failed.map((each) => `${count(each.survived)} ${each.unit}`).join(', ');
}

function writeFindings(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'None yet.';
  return [
    writeRow(['suite', 'found', 'held by']),
    '|---|---|---|',
    ...findings.map(({ suite, finding, test, name }) =>
      writeRow([suite, finding, `\`${test}\`: ${name}`]),
    ),
  ].join('\n');
}

function writePlanted(planted: readonly PlantedBug[]): string {
  if (planted.length === 0) return 'None yet.';
  return [
    writeRow(['bug', 'where', 'found first by', 'after']),
    '|---|---|---|---:|',
    ...planted.map(({ bug, room, suite, seconds }) =>
      writeRow([bug, `\`${room}\``, suite, writeDuration(seconds)]),
    ),
  ].join('\n');
}

function writeSentence(runs: readonly RecordedRun[]): string {
  const figures = inOrder(runs)
    .filter(({ suite, tried }) => proofSuites[suite]?.inReadme && writeSurvived(tried) === 'all')
    .flatMap(({ tried: [first] }) => (first ? [`${count(first.tried)} ${first.unit}`] : []));
  const list = new Intl.ListFormat('en-GB').format(figures);
  const held = figures.length > 0 ? `Tried and held in the last recorded runs: ${list}. ` : '';
  return `${held}[Reliability](docs/reliability.md) says what each suite checks, what it found, and how to run it yourself.`;
}

function inOrder(runs: readonly RecordedRun[]): RecordedRun[] {
  return Object.keys(proofSuites).flatMap((name) => runs.filter(({ suite }) => suite === name));
}

function writeDuration(seconds: number): string {
  if (seconds < 120) return `${Number(seconds.toPrecision(2))} s`;
  return `${Math.round(seconds / 60)} min`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** A thing that a suite counts, such as requests: how many were tried, and how many held. */
interface Tried {
  readonly unit: string;
  readonly tried: number;
  readonly survived: number;
}

export interface PlayedRun {
  /** A key of `proofSuites`. */
  readonly suite: string;
  readonly tried: readonly Tried[];
  /** Short texts beside the counts, such as a seed or the slowest answer. */
  readonly figures?: readonly string[];
  readonly seconds: number;
}

export interface RecordedRun extends PlayedRun {
  readonly figures: readonly string[];
  readonly date: string;
  readonly commit: string;
  /** True if the tree differed from its commit. */
  readonly changed: boolean;
  readonly cores: number;
}

export const recordsFolder = 'docs/reliability';
