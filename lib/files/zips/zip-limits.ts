/** What a zip may be before it is sent to a supercomputer. */
export const zipLimits = {
  entries: 10_000,
  expandedBytes: 10_000_000_000,
  /** So many times its own size, once it is above the floor: small text packs well. */
  expansion: 200,
  expansionFloorBytes: 10_000_000,
  /** Names and comments could fill gigabytes by themselves. */
  directoryBytes: 8_000_000,
  /** Nobody mends more than that from one answer. */
  reportedProblems: 10,
} as const;
