/** One caller calls as fast as the machine allows: a limit of its calls would be what is measured. */
export const unlimitedCalls = { CALLER_RATE: '10000', CALLER_BURST: '100000' } as const;
