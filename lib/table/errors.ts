/** Others wrote the same items for longer than one request can wait. */
export class TableBusyError extends Error {
  override name = 'TableBusyError';
  constructor(options?: ErrorOptions) {
    super('Too many changes to the same account at once.', options);
  }
}

export class TableUnavailableError extends Error {
  override name = 'TableUnavailableError';
  constructor(options?: ErrorOptions) {
    super('The service cannot reach its data.', options);
  }
}
