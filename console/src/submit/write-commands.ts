import type { System } from '#client/src/index.ts';
import { type Draft, extraFieldsOf, programFieldOf, toSubmission } from './draft.ts';

/** The same job, as the command submits it. */
export function writeCommand(draft: Draft, system: System): string {
  const { nodes, cores, time, title, program, project, fields } = draft;
  const options = [
    [programFieldOf(system), program],
    ['project', project],
    ['nodes', nodes],
    ['cores', cores],
    ['time', time.replaceAll(' ', '')],
    ['title', title],
  ].filter(([, value]) => value !== '');
  const extra = extraFieldsOf(system)
    .filter((name) => (fields[name] ?? '') !== '')
    .map((name) => `--field ${quote(`${name}=${fields[name]}`)}`);
  return [
    `slipway submit ${draft.hpc} ./my-folder`,
    ...options.map(([name, value = '']) => `--${name} ${quote(value)}`),
    ...extra,
  ].join(' ');
}

/** The same job over plain HTTP. */
export function writeCurl(draft: Draft, system: System, api: string): string {
  const {
    hpc,
    project_name: project,
    nodes,
    cores,
    fields,
    ...others
  } = toSubmission(draft, system);
  const payload = { ...others, ...fields, node_number: nodes, core_number: cores };
  const path = `/jobs/${hpc}/${project === undefined ? '' : `${project}/`}`;
  return [
    `curl -X POST ${quote(`${api}${path}`)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    `-H 'Content-Type: application/zip'`,
    `-H 'Content-Disposition: attachment; filename=input.zip'`,
    `-H ${quote(`Payload: ${JSON.stringify(payload)}`)}`,
    '--data-binary @input.zip',
  ].join(' \\\n  ');
}

/** As a POSIX shell takes it: what is plain stays so. */
function quote(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
