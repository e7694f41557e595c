/** Keeps values in memory between requests. */
export interface ShortMemory<Value> {
  /** Returns undefined if the value was never kept, or too long ago. */
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

/** Forgets values that are too old, and the oldest one when there are too many. */
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
      // If the clock was set back, the age is unknown.
      if (age >= 0 && age < maxAgeMs) return kept.value;
      memory.delete(name);
      return undefined;
    },
    keep(name, value) {
      memory.delete(name);
      memory.set(name, { value, at: now() });
      // A map lists its keys in the order of insertion.
      const [oldest] = memory.keys();
      if (oldest !== undefined && memory.size > most) memory.delete(oldest);
    },
  };
}
