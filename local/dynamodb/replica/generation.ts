import { constants, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Piece } from './followed-log.ts';
import {
  type Base,
  listGenerations,
  listSegments,
  nameBase,
  nameGeneration,
  nameSegment,
  writeWhole,
} from './replica-folder.ts';

/** What one process writes to a replica without a gap: a base, and the logs since. */
export class Generation {
  readonly #place: string;
  readonly name: string;
  #segment: { readonly number: number; readonly file: FileHandle } | undefined;
  #isWritten = false;
  /** How many bases were made. The last one is in use. */
  #bases = 0;

  private constructor(place: string, name: string) {
    this.#place = place;
    this.name = name;
  }

  static async begin(place: string, epoch: number): Promise<Generation> {
    const name = nameGeneration(epoch, new Date());
    await mkdir(join(place, name), { mode: 0o700 });
    return new Generation(place, name);
  }

  get folder(): string {
    return join(this.#place, this.name);
  }

  /** Whether the database can be restored from it. */
  get isWhole(): boolean {
    return this.#bases > 0;
  }

  /** May be repeated after an error. */
  async write({ segment, before, position, bytes }: Piece): Promise<void> {
    if (this.#segment?.number !== segment) {
      await this.flush();
      await this.close();
      const file = await open(
        join(this.folder, nameSegment(segment, before)),
        constants.O_RDWR | constants.O_CREAT,
        0o600,
      );
      this.#segment = { number: segment, file };
    }
    await this.#segment.file.write(bytes, 0, bytes.length, position);
    this.#isWritten = true;
  }

  async flush(): Promise<void> {
    if (!this.#isWritten) return;
    await this.#segment?.file.datasync();
    this.#isWritten = false;
  }

  async close(): Promise<void> {
    const file = this.#segment?.file;
    this.#segment = undefined;
    await file?.close();
  }

  get draft(): string {
    return join(this.folder, 'base.draft');
  }

  /** Takes the draft of a base into use whose logs are written, and removes what it replaces. */
  async useBase(base: Base): Promise<void> {
    const fileOf = (number: number) => join(this.folder, nameBase(number));
    const number = this.#bases + 1;
    await rename(this.draft, fileOf(number));
    await writeWhole(`${fileOf(number)}.json`, base);
    this.#bases = number;
    // Without its description, a base is not used any more.
    for (const end of ['.json', '']) await rm(`${fileOf(number - 1)}${end}`, { force: true });
    for (const { name, segment } of await listSegments(this.folder)) {
      if (segment < base.first) await rm(join(this.folder, name), { force: true });
    }
    for (const other of await listGenerations(this.#place)) {
      if (other < this.name) await rm(join(this.#place, other), { recursive: true, force: true });
    }
  }
}
