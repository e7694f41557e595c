/** Says that the folder of a project is over its bound, in its words for a running job. */
export function explainFullFolder(bytes: number, maxBytes: number): string {
  return `The folder of the project has ${bytes} bytes, more than the ${maxBytes} that it may have. New jobs of the project are refused until there is room.`;
}
