/** What a container remembers between two requests, instead of asking again. */
export interface ShortMemory<Value> {
  /** Nothing where it was never kept, or too long ago. */
  recall(name: string): Value | undefined;
  keep(name: string, value: Value): void;
}

export interface MemoryLimits {
  readonly most: number;
  readonly maxAgeMs: number;
  readonly now: () => number;
}

interface Kept<Value> {
  readonly value: Value;
  readonly at: number;
}

/** Forgets what is too old, and the oldest where there is too much. */
export function createShortMemory<Value>({
  most,
  maxAgeMs,
  now,
}: MemoryLimits): ShortMemory<Value> {
  const memory = new Map<string, Kept<Value>>();
  return {
    recall(name) {
      const kept = memory.get(name);
      if (!kept) return undefined;
      const age = now() - kept.at;
      // A clock that was set back says nothing about the age.
      if (age >= 0 && age < maxAgeMs) return kept.value;
      memory.delete(name);
      return undefined;
    },
    keep(name, value) {
      memory.delete(name);
      memory.set(name, { value, at: now() });
      // A map keeps the order in which its keys came.
      const [oldest] = memory.keys();
      if (oldest !== undefined && memory.size > most) memory.delete(oldest);
    },
  };
}
