import type * as v from 'valibot';
import type { Containers } from './containers.ts';

/** What a stage means to the person who waits for the job, whatever its system calls it. */
export type StageMeaning = 'waiting' | 'starting' | 'running' | 'finishing' | 'done' | 'failed';

/**
 * What the service asks about a kind of system while it runs. Plain data, because each bundle holds
 * a copy for the kinds that its catalog names (lib/stand-ins/kind-traits.ts).
 */
export interface KindTraits {
  /**
   * The words that the connector reports, and what each means. A catalog must list all of them. A
   * kind without words of its own reports those of the catalog.
   */
  readonly stages: Readonly<Record<string, StageMeaning>>;
  /**
   * The shortest time, in seconds, that a job can be granted. Longer times are multiples of it, so
   * that the system does not round a grant up by itself and run for longer than was paid for.
   */
  readonly runtimeUnitSeconds: number;
  /** True if no job really runs. */
  readonly simulated: boolean;
  /** True if jobs send their results to the service. Other systems keep them until they are read. */
  readonly sendsResults: boolean;
  /** True if the system still knows after a cancel how long the job ran. */
  readonly countsCancelledTime: boolean;
  /** True if the output of a job is still there after a cancel. */
  readonly cancelKeepsOutput: boolean;
  /** True if the system keeps ended jobs and their files until they are removed. */
  readonly keepsJobs?: boolean;
  /**
   * True if jobs are checked at once when the service starts. Only for systems that the service runs
   * itself: their jobs may have ended while it was away, and checking them costs nobody anything.
   */
  readonly checkedAtStart?: boolean;
  /** The most jobs of a batch that can be handed over as one array; missing without arrays. */
  readonly arraySize?: number;
  /**
   * True if the system keeps to the number of tasks of an array that may run at once. On other
   * systems, Slipway releases the jobs of a batch with `max_running` one after another.
   */
  readonly arrayLimitsRunning?: boolean;
  /** True if a job fetches its script from this service, because an order cannot hold it. */
  readonly fetchesScript?: boolean;
  /** True if its jobs cannot fetch files from addresses, so that the service always does. */
  readonly serviceFetches?: boolean;
}

/**
 * Returns how many jobs of a batch are handed over as one array, or undefined if each is handed over
 * alone. A batch with a limit has arrays only if the system keeps to the limit.
 */
export function arraySizeFor(
  { arraySize, arrayLimitsRunning = false }: KindTraits,
  maxRunning: number | undefined,
): number | undefined {
  return maxRunning === undefined || arrayLimitsRunning ? arraySize : undefined;
}

/** Settings of a catalog that may be wrong or incomplete, sorted by what they hold. */
export interface SettingsDraft {
  /** All settings that are there. */
  readonly names: readonly string[];
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Record<string, boolean | undefined>>;
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>;
  /** Objects whose values are text. */
  readonly tables: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
}

/** Facts about the system that its settings must fit, as far as the catalog can be read. */
export interface SystemDraftContext {
  readonly runsAs: string;
  /** 'command' or 'tool'. */
  readonly program: string | undefined;
  /** The names of the extra fields of a submission. */
  readonly fields: readonly string[];
}

/** The settings of a class that only some kinds of systems have. */
export const classSettings = [
  'partition',
  'qos',
  'account',
  'coresAs',
  'setup',
  'queue',
  'price',
] as const;

type ClassSetting = (typeof classSettings)[number];

type Credentials = Readonly<Record<string, string>>;

/** Everything that Slipway knows about a kind of system, but how to talk to it (lib/hpc). */
export interface SystemKind extends KindTraits {
  /** The schema of `connector` in a catalog. */
  readonly settings: v.StrictObjectSchema<
    { readonly kind: v.LiteralSchema<string, undefined> } & v.ObjectEntries,
    v.ErrorMessage<v.StrictObjectIssue>
  >;
  /** Finds mistakes that the schema cannot express, each with the name of its setting. */
  judgeSettings?(
    settings: SettingsDraft,
    system: SystemDraftContext,
  ): { setting: string; text: string }[];
  /** Says why a catalog must name where the folders of projects are; undefined if it need not. */
  wantsKeptPath?(runsAs: string): string | undefined;
  /** What a job runs here; a kind without it takes commands and tools. */
  readonly program?: 'command' | 'tool';
  /** The largest job that the system can run; a kind without it leaves this to the catalog. */
  readonly limits?: { readonly nodes: number; readonly coresPerNode: number };
  /** What its connector can hand on besides nodes and cores; nothing if missing. */
  readonly offers?: readonly (
    | 'memoryPerNode'
    | 'gpusPerNode'
    | 'classes'
    | 'datasets'
    | 'keep'
    | 'outputs'
  )[];
  /** What its jobs can run images with; nothing if missing. */
  readonly runtimes?: readonly v.InferOutput<typeof Containers>['runtime'][];
  /** Gigabytes of memory that a job can have at most; a kind without it leaves this to the catalog. */
  readonly mostMemory?: number;
  /** The settings that a class of such a system can have. */
  readonly classSettings?: readonly ClassSetting[];
  /** Whose accounts jobs can run as. */
  readonly runsAs: readonly ('service' | 'mapped')[];
  /**
   * Examples of the credentials, also for mapped accounts and for systems behind ssh if those differ;
   * none if none are needed.
   */
  readonly credentials?: {
    readonly service: Credentials;
    readonly mapped?: Credentials;
    readonly ssh?: Credentials;
  };
  /** What `npm run catalog:check -- --try` runs; a kind without it is only called. */
  readonly trialCommand?: string;
}
