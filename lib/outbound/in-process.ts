/** A way to reach something outside, for which a process may provide a way of its own. */
export interface Provided<T> {
  readonly inUse: () => T;
  /** Call it before the functions are loaded. Without an argument, the usual way is used again. */
  readonly provide: (own?: T) => void;
}

/**
 * The laptop edition and tests run the functions beside their own table, bus and storage. A function
 * opens these while its module loads, so they cannot be handed to it.
 */
export function openProvided<T>(usual: T): Provided<T> {
  let inUse = usual;
  return {
    inUse: () => inUse,
    provide: (own = usual) => {
      inUse = own;
    },
  };
}
