/** All that is wrong with a catalog, a line each: the operator's to mend, and shown without a stack. */
export class InvalidCatalogError extends Error {
  override readonly name = 'InvalidCatalogError';
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}
