import type { SubmissionOnNode, System } from '#client/src/node/index.ts';

/** As small as a job can be; on a simulator, where an hour takes a minute, it takes some seconds. */
const size = { nodes: 1, cores: 1, runtime: 0.1, title: 'smoke test' };

const anyCommand = 'echo slipway';

/** The job that is tried, on the system that is named or on the first one that takes a command. */
export function chooseSubmission(
  systems: readonly System[],
  { hpc, program }: { readonly hpc?: string | undefined; readonly program?: string | undefined },
): SubmissionOnNode {
  const system =
    hpc === undefined ? systems.find(takesCommand) : systems.find((each) => each.name === hpc);
  if (!system) {
    const names = systems.map(({ name }) => name).join(', ');
    throw new Error(
      hpc === undefined
        ? `No system takes a command. Name one and its tool: --hpc NAME --program TOOL (${names}).`
        : `There is no system '${hpc}'. There are: ${names}.`,
    );
  }
  if (takesCommand(system)) return { ...size, hpc: system.name, command: program ?? anyCommand };
  if (program === undefined) throw new Error(`${system.name} takes a tool: --program TOOL.`);
  return { ...size, hpc: system.name, tool: program };
}

function takesCommand({ payload }: System): boolean {
  return !payload.required.includes('tool');
}
