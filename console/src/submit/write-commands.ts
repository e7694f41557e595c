import { nameDuration } from '#client/src/format/amounts/typed.ts';
import type { System } from '#client/src/index.ts';
import { contractNames } from '#client/src/jobs/contract-names.ts';
import { writeInputAddress } from '#client/src/jobs/input-addresses.ts';
import { writeOutputAddress } from '#client/src/jobs/output-addresses.ts';
import {
  type Draft,
  extraFieldsOf,
  isBatch,
  programFieldOf,
  readInputs,
  readOutputs,
  readWaits,
  resourceOptions,
  toSubmission,
} from './draft.ts';
import type { Input } from './prepare-input.ts';

type Named = Pick<Input, 'filename' | 'folder' | 'files'>;

/**
 * Writes the job as a `slipway submit` command. A browser does not tell where a folder is, so the
 * command must run next to the folder, or next to loose files.
 */
export function writeCommand(draft: Draft, system: System, input: Named | undefined): string {
  const { runtime, title, program, project, many, table } = draft;
  const { nodes, cores, count, maxRunning, fields = {} } = toSubmission(draft, system);
  const { after = [], afterAny = [], ...taken } = readWaits(draft);
  const options = [
    [programFieldOf(system), program],
    ['project', project],
    ['nodes', String(nodes)],
    ['cores', String(cores)],
    ['runtime', nameDuration(runtime)],
    ['title', title],
    ['count', String(count ?? '')],
    ['table', many === 'table' ? table : ''],
    ['max-running', String(maxRunning ?? '')],
    ...after.map((id) => ['after', id]),
    ...afterAny.map((id) => ['after-any', id]),
    ...(system.inputs ? readInputs(draft) : []).map((each) => ['input', writeInputAddress(each)]),
    ...(system.outputs ? readOutputs(draft) : []).map((each) => [
      'output',
      writeOutputAddress(each),
    ]),
    ['input-from', taken.inputFrom ?? ''],
    ['input-folder', taken.inputFolder ?? ''],
    ['input-failed', taken.inputFailed ?? ''],
  ].filter(([, value]) => value !== '');
  const extra = extraFieldsOf(system)
    .filter((name) => (fields[name] ?? '') !== '')
    .map((name) => {
      const option = resourceOptions[name];
      const value = fields[name] ?? '';
      return option === undefined
        ? `--field ${quote(`${name}=${value}`)}`
        : `--${option} ${quote(value)}`;
    });
  return [
    `slipway submit ${draft.hpc}`,
    ...(input ? [quote(placeOf(input))] : []),
    // A value that starts with a dash would be read as an option.
    ...options.map(([name, value = '']) =>
      value.startsWith('-') ? `--${name}=${quote(value)}` : `--${name} ${quote(value)}`,
    ),
    ...extra,
  ].join(' ');
}

function placeOf({ filename, folder, files }: Named): string {
  if (folder !== undefined) return `./${folder}`;
  return files.length > 0 ? '.' : `./${filename}`;
}

/** Writes the job as curl, with a command that packs the input if it is not a zip yet. */
export function writeCurl(
  draft: Draft,
  system: System,
  { api, input }: { readonly api: string; readonly input: Named | undefined },
): string {
  const {
    hpc,
    project,
    fields,
    maxRunning,
    afterAny,
    inputFrom,
    inputFolder,
    inputFailed,
    ...others
  } = toSubmission(draft, system);
  const payload = {
    ...others,
    ...Object.fromEntries(
      Object.entries(fields ?? {}).map(([name, value]) => [contractNames[name] ?? name, value]),
    ),
    max_running: maxRunning,
    after_any: afterAny,
    input_from: inputFrom,
    input_folder: inputFolder,
    input_failed: inputFailed,
  };
  const path = `/${isBatch(draft) ? 'batches' : 'jobs'}/${hpc}/${project === undefined ? '' : `${project}/`}`;
  const zip = input?.filename ?? 'input.zip';
  const lines = [
    `curl -X POST ${quote(`${api}${path}`)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(input ? [`-H 'Content-Type: application/zip'`] : []),
    `-H ${quote(`Content-Disposition: attachment; ${nameFile(zip)}`)}`,
    `-H ${quote(`Payload: ${JSON.stringify(payload)}`)}`,
    ...(input ? [`--data-binary ${quote(`@${zip}`)}`] : []),
  ].join(' \\\n  ');
  return `${input ? writePacking(input) : ''}${lines}`;
}

function writePacking({ filename, folder, files }: Named): string {
  if (folder !== undefined) {
    return `(cd ${quote(`./${folder}`)} && zip -qr ${quote(`../${filename}`)} .)\n`;
  }
  const names = files.map(({ name }) => quote(`./${name}`));
  return names.length > 0 ? `zip -q ${quote(filename)} ${names.join(' ')}\n` : '';
}

/** Encodes a name that is not plain ASCII, as RFC 6266 asks for in headers. */
function nameFile(name: string): string {
  if (/^[\w.-]+$/.test(name)) return `filename=${name}`;
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => {
    return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `filename*=UTF-8''${encoded}`;
}

/** Quotes a text for a POSIX shell, if it needs quotes. */
function quote(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
