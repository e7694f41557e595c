import type { ConsoleConfig } from '#console/serving/console-config.ts';

/** Beside the page, so that the same files serve every deployment. */
export async function readConfig(): Promise<ConsoleConfig> {
  const response = await fetch('/console/config.json', { cache: 'no-cache' });
  if (!response.ok) throw new Error(`config.json is not there: ${response.status}.`);
  return response.json();
}
