/** What the script ends with where the fault is not the command's; high, as commands rarely are. */
export const scriptExits = {
  noDirectory: 240,
  inputNotFetched: 241,
  inputNotUnpacked: 242,
  resultsNotSent: 243,
  resultsTooLarge: 244,
  timeLimit: 245,
} as const;
