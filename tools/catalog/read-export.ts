import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { type CatalogUse, openUseCount } from './catalog-use.ts';

/** The fields of a line that refer to the catalog (docs/transfer.md). */
const Line = v.variant('record', [
  v.object({
    record: v.literal('job'),
    job_id: v.string(),
    project: v.number(),
    project_hpc: v.string(),
    project_name: v.string(),
    stage: v.string(),
    terminal_stage: v.boolean(),
  }),
  v.object({
    record: v.literal('quota'),
    project: v.number(),
    project_hpc: v.string(),
    project_name: v.string(),
  }),
  v.object({
    record: v.literal('project'),
    id: v.number(),
    project_hpc: v.string(),
    project_name: v.string(),
  }),
  v.object({ record: v.literal('batch') }),
]);

const JsonLine = v.pipe(v.string(), v.parseJson(), Line);

/** Counts what an export refers to. Reads line by line, because it may have gigabytes. */
export async function readExport(
  file: string,
  onProgress: (bytes: number, total: number) => void,
): Promise<CatalogUse> {
  const total = statSync(file).size;
  const stream = createReadStream(file);
  const uses = openUseCount();
  let number = 0;
  for await (const text of createInterface({ input: stream })) {
    number += 1;
    if (text.trim() === '') continue;
    const result = v.safeParse(JsonLine, text);
    if (!result.success)
      throw new Error(
        `${file}: line ${number} is not a job, batch, quota or project of an export.`,
      );
    addLine(uses, result.output);
    onProgress(stream.bytesRead, total);
  }
  return uses.result();
}

function addLine(uses: ReturnType<typeof openUseCount>, line: v.InferOutput<typeof Line>): void {
  // The jobs of a batch have lines of their own.
  if (line.record === 'batch') return;
  const hpc = line.project_hpc.toLowerCase();
  if (line.record === 'project') {
    uses.addOpened({ hpc, name: line.project_name, number: line.id });
    return;
  }
  const project = { hpc, name: line.project_name, number: line.project };
  if (line.record === 'quota') {
    uses.addQuota(project);
    return;
  }
  uses.addJob(project);
  if (!line.terminal_stage) uses.addLiving(hpc, line.stage, line.job_id);
}
