import { roundUp } from '#lib/time/round-up.ts';
import type { JobInput, JobOrder } from '../connector.ts';
import type { Form, FormFile } from './write-form.ts';

/** The form of a submission. A field that NSG does not know makes it refuse the whole form. */
export function describeJob(order: JobOrder): Form {
  const { init_file, python_option } = order.extras;
  return {
    fields: [
      ['tool', order.program],
      ['metadata.clientJobId', order.jobId],
      ['metadata.clientJobName', order.title.slice(0, 100)],
      // Slipway tells its users itself.
      ['metadata.statusEmail', 'false'],
      ['vparam.runtime_', tellHours(order.hours)],
      ['vparam.number_nodes_', String(order.nodes)],
      ['vparam.number_cores_', String(order.coresPerNode)],
      ...(init_file ? [['vparam.filename_', init_file] as const] : []),
      ...(python_option ? [['vparam.pythonoption_', python_option] as const] : []),
    ],
    ...(order.input && { file: describeInput(order.input) }),
  };
}

function describeInput(input: JobInput): FormFile {
  return {
    field: 'input.infile_',
    fileName: input.fileName,
    type: 'application/zip',
    open: () => input.open(),
  };
}

/** A plain decimal, never less than was granted. */
function tellHours(hours: number): string {
  return String(roundUp(hours * 10_000) / 10_000);
}
