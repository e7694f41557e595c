/** How long an address of the storage is good for: it is used at once, or asked for again. */
export const signedSeconds = 15 * 60;
