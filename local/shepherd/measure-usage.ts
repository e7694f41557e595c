import type { ControlGroups } from '#lib/hpc/machine/processes/job-groups.ts';
import type { FolderExit } from '#lib/hpc/machine/record/job-folder.ts';
import { type ProcessFacts, readProcess } from '#lib/hpc/machine/record/process-mark.ts';

/** Measures the processor time and the memory of a job while it runs. */
export interface Meter {
  /** Looks at the control groups of the job, which is cheap. */
  readonly look: () => void;
  /** Looks at the processes of the job. Needed where no control group tells. */
  readonly lookAt: (processes: readonly ProcessFacts[]) => void;
  /** Returns what was measured, once the job has ended. */
  readonly read: () => Pick<FolderExit, 'cpuSeconds' | 'memoryBytes'>;
}

/**
 * The kernel counts processor time exactly, in a control group or for the children of this process.
 * The children lack processes whose parent ended before them, which only a look at all processes
 * shows. Peaks of memory between two looks are missed.
 */
export function openMeter(groups: ControlGroups): Meter {
  let memoryBytes = 0;
  let cpuSeconds = 0;
  const look = () => {
    memoryBytes = Math.max(memoryBytes, groups.readMemoryBytes() ?? 0);
  };
  const countCpuSeconds = () => {
    const children = readProcess(process.pid)?.endedCpuSeconds ?? 0;
    return groups.readCpuSeconds() ?? Math.max(cpuSeconds, children);
  };
  return {
    look,
    lookAt(processes) {
      const resident = processes.reduce((sum, facts) => sum + facts.residentBytes, 0);
      if (groups.folders.length === 0) memoryBytes = Math.max(memoryBytes, resident);
      const spent = processes.map((facts) => facts.cpuSeconds + facts.endedCpuSeconds);
      cpuSeconds = Math.max(
        cpuSeconds,
        spent.reduce((sum, seconds) => sum + seconds, 0),
      );
    },
    read() {
      return {
        ...(hasProc && { cpuSeconds: Math.round(countCpuSeconds() * 100) / 100 }),
        ...(memoryBytes > 0 && { memoryBytes }),
      };
    },
  };
}

const hasProc = process.platform === 'linux';
