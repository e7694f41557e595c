import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../store/database.ts';
import { BaseCopy } from './copy-base.ts';
import { FollowedLog } from './followed-log.ts';
import { Generation } from './generation.ts';
import {
  type Alive,
  type Base,
  FencedError,
  type Membership,
  type Reached,
  readOwner,
  refuseOther,
  replicaFiles,
  writeWhole,
} from './replica-folder.ts';

export interface ReplicaOptions {
  /** The folder of the replica, on another machine. */
  readonly place: string;
  /** Called once when another machine has taken over. The process must end. */
  readonly onFenced: (error: FencedError) => void;
  /** How long the logs since the last base must at least be before a new one is made. */
  readonly logBytes?: number | undefined;
}

/** How often the fence is read at least, and how long after an error the next try is due. */
export const roundMs = 1000;
/** Commits that nobody waits for are flushed together for this long, because a flush is slow. */
const pauseMs = 50;
/** How long an answer waits for the copy. Longer, and none waits until the copy has caught up. */
const answerWaitMs = 5000;
/** What waits in memory while the folder cannot be written. If it is more, a new base is needed. */
const mostKeptBytes = 64 * 1024 * 1024;
const usualLogBytes = 64 * 1024 * 1024;
const closeWithinMs = 10_000;

/**
 * Keeps a copy of a database in another folder, some milliseconds behind: a base, and a copy of each
 * log since. Commits don't wait for it, but answers do, unless the folder is away or slow.
 */
export class Replica {
  readonly #place: string;
  readonly #leastLogBytes: number;
  readonly #own: Membership;
  readonly #log: FollowedLog;
  readonly #main: BaseCopy;
  readonly #running: Promise<void>;
  #generation: Generation | undefined;
  #wake = Promise.withResolvers<void>();
  #hurry = Promise.withResolvers<void>();
  #waiting: (() => void)[] = [];
  /** Whether something may be committed that is not in the replica. */
  #isBehind = false;
  /** Whether an answer waited in vain since the replica was last complete. */
  #isSlow = false;
  #isClosing = false;
  #isFailing = false;
  #copying: Promise<void> | undefined;
  /** A base that is copied, and waits for the logs that it needs. */
  #draft: { readonly of: Generation; readonly base: Base } | undefined;
  #baseBytes = 0;
  #logBytes = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #safeAt = Date.now();

  constructor(database: Database, main: string, own: Membership, options: ReplicaOptions) {
    this.#place = options.place;
    this.#leastLogBytes = options.logBytes ?? usualLogBytes;
    this.#own = own;
    this.#main = new BaseCopy(main);
    const read = (position: number, length: number) => database.readLog(position, length);
    this.#log = new FollowedLog(read, () => {
      this.#isBehind = true;
      this.#wake.resolve();
    });
    database.follow(this.#log);
    this.#running = this.#run(options.onFenced);
  }

  /** How long ago everything was in the replica, and its size, unless its folder cannot be read. */
  async readFigures(): Promise<{ ageSeconds: number; bytes: number | undefined }> {
    const ageSeconds = Math.max(0, (Date.now() - this.#safeAt) / 1000);
    // A network folder that hangs must not hide how old the replica is.
    const hanging = wait(roundMs, undefined, { ref: false });
    const measuring = measureFolder(this.#place).catch(() => undefined);
    return { ageSeconds, bytes: await Promise.race([measuring, hanging]) };
  }

  /** Waits until everything that is committed now is in the replica, but not for a folder that is away. */
  async waitForCopy(): Promise<void> {
    const isAway = this.#isFailing || this.#isSlow || !this.#generation?.isWhole;
    if (!this.#isBehind || isAway) return;
    const copied = new Promise<boolean>((resolve) => this.#waiting.push(() => resolve(true)));
    this.#hurry.resolve();
    // What woke a round before may have been this commit, or a part of it.
    this.#wake.resolve();
    if (!(await Promise.race([copied, wait(answerWaitMs, false, { ref: false })]))) {
      this.#isSlow = true;
    }
  }

  /** Copies the last commits. Call it after closing the database. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#hurry.resolve();
    this.#wake.resolve();
    // Keeps the process alive meanwhile, because nothing else may.
    const { promise: tooLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeWithinMs);
    await Promise.race([this.#running, tooLate]).finally(() => clearTimeout(timer));
  }

  async #run(onFenced: ReplicaOptions['onFenced']): Promise<void> {
    for (;;) {
      const isLast = this.#isClosing;
      this.#wake = Promise.withResolvers<void>();
      this.#hurry = Promise.withResolvers<void>();
      const waiting = this.#waiting.splice(0);
      try {
        if (isLast) await this.#copying;
        await this.#copyAll();
        this.#isSlow = false;
        if (this.#isFailing) console.error(`The replica in ${this.#place} is written again.`);
        this.#isFailing = false;
      } catch (error) {
        if (error instanceof FencedError) {
          await this.#generation?.close().catch(() => undefined);
          return onFenced(error);
        }
        await this.#takeFailure(error);
      }
      for (const goOn of waiting) goOn();
      if (isLast) return this.#generation?.close();
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    if (this.#isClosing) return;
    const pause = wait(this.#isFailing ? roundMs : pauseMs, undefined, { ref: false });
    await Promise.race([pause, this.#hurry.promise]);
    await Promise.race([this.#wake.promise, wait(roundMs, undefined, { ref: false })]);
  }

  async #takeFailure(error: unknown): Promise<void> {
    if (!this.#isFailing) {
      const reason = error instanceof Error ? error.message : String(error);
      console.error(`The replica in ${this.#place} cannot be written (${reason}).`);
    }
    this.#isFailing = true;
    this.#log.keepRest();
    const generation = this.#generation;
    if (this.#log.keptBytes > mostKeptBytes) {
      this.#generation = undefined;
      this.#draft = undefined;
      this.#log.startAgain();
    }
    // Opened again by its name, because the folder may be another mount by then.
    await generation?.close().catch(() => undefined);
  }

  async #copyAll(): Promise<void> {
    // Before each round, so that nothing is answered that was committed behind the fence.
    refuseOther(this.#place, await readOwner(this.#place), this.#own);
    this.#generation ??= await Generation.begin(this.#place, this.#own.epoch);
    const generation = this.#generation;
    const [moment, draft] = [Date.now(), this.#draft];
    this.#log.keepRest();
    const { reached } = this.#log;
    for (let piece = this.#log.next; piece; piece = this.#log.next) {
      await generation.write(piece);
      this.#logBytes += piece.bytes.length;
      this.#log.dropNext();
    }
    await generation.flush();
    this.#isBehind = this.#log.isAhead;
    if (draft?.of === generation) {
      await generation.useBase(draft.base);
      this.#draft = undefined;
    }
    this.#copyBaseIfDue(generation);
    if (generation.isWhole) await this.#report(moment, generation.name, reached);
  }

  async #report(moment: number, generation: string, reached: Reached): Promise<void> {
    this.#safeAt = moment;
    if (!this.#isClosing && performance.now() - this.#reportedAt < roundMs) return;
    const alive: Alive = { time: new Date(moment).toISOString(), generation, reached };
    await writeWhole(join(this.#place, replicaFiles.alive), alive);
    this.#reportedAt = performance.now();
  }

  /** The folder stays below three times the size of the database, or some times `logBytes`. */
  #copyBaseIfDue(generation: Generation): void {
    const isDue =
      !generation.isWhole || this.#logBytes > Math.max(this.#leastLogBytes, this.#baseBytes);
    if (!isDue || this.#copying || this.#draft) return;
    this.#copying = this.#copyBase(generation)
      .catch((error: unknown) => this.#takeFailure(error))
      .finally(() => {
        this.#copying = undefined;
      });
  }

  /** Pages that change while they are copied are in the logs from the current one on. */
  async #copyBase(generation: Generation): Promise<void> {
    const { segment: first } = this.#log.reached;
    this.#logBytes = 0;
    const { sha256, bytes } = await this.#main.write(generation.draft);
    this.#baseBytes = bytes;
    this.#log.keepRest();
    if (this.#generation !== generation) return;
    this.#draft = { of: generation, base: { first, sha256, through: this.#log.reached } };
    this.#wake.resolve();
  }
}

async function measureFolder(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(
      async (file) => (await stat(join(file.parentPath, file.name)).catch(() => undefined))?.size,
    );
  return (await Promise.all(sizes)).reduce<number>((sum, size = 0) => sum + size, 0);
}
