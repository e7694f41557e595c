import * as v from 'valibot';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { type ApiVersion, apiVersions } from './api-versions.ts';
import type { SlurmAnswer } from './read-answer.ts';

/** Which interface a slurmrestd serves, of those that we speak. */
export interface Api {
  readonly version: ApiVersion;
  /** Whether it serves the accounting, too: only where slurmdbd is set up. */
  readonly hasAccounting: boolean;
}

const Specification = v.object({ paths: v.record(v.string(), v.unknown()) });

/** From the specification that slurmrestd gives of itself (GET /openapi/v3), the newest we know. */
export function chooseApi({ content }: SlurmAnswer): Api {
  const result = v.safeParse(Specification, content);
  const paths = result.success ? Object.keys(result.output.paths) : [];
  const serves = (area: string, { number }: ApiVersion) =>
    paths.some((path) => path.startsWith(`/${area}/v0.0.${number}/job/`));
  const version = apiVersions.findLast((candidate) => serves('slurm', candidate));
  if (version === undefined) {
    throw new SystemUnavailableError(
      'slurmrestd offers no version of its interface that Slipway supports.',
    );
  }
  return { version, hasAccounting: serves('slurmdb', version) };
}
