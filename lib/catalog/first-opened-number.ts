/**
 * Projects that are opened at run time are numbered from here on, and those of the catalog below:
 * neither can be given a number that the other has, or will have.
 */
export const firstOpenedNumber = 1_000_000;
