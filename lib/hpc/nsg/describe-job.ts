import type { JobOrder } from '../connector.ts';

/** The form of a submission. A field that NSG does not know makes it refuse the whole form. */
export async function describeJob(order: JobOrder): Promise<FormData> {
  const { init_file, python_option } = order.extras;
  const form = new FormData();
  form.set('tool', order.program);
  form.set('metadata.clientJobId', order.jobId);
  form.set('metadata.clientJobName', order.title.slice(0, 100));
  // Slipway tells its users itself.
  form.set('metadata.statusEmail', 'false');
  form.set('vparam.runtime_', tellHours(order.hours));
  form.set('vparam.number_nodes_', String(order.nodes));
  form.set('vparam.number_cores_', String(order.coresPerNode));
  if (init_file) form.set('vparam.filename_', init_file);
  if (python_option) form.set('vparam.pythonoption_', python_option);
  if (order.input) {
    const zip = new Uint8Array(await order.input.read());
    form.set('input.infile_', new Blob([zip], { type: 'application/zip' }), order.input.fileName);
  }
  return form;
}

/** A plain decimal, never less than was granted. */
function tellHours(hours: number): string {
  return String(Math.ceil(hours * 10_000) / 10_000);
}
