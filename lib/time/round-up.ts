/** Rounds up, without the noise of doubles: 8.3 h are 498 minutes, not 498.00000000000006. */
export function roundUp(value: number): number {
  return Math.ceil(dropNoise(value));
}

export function dropNoise(value: number): number {
  return Number(value.toFixed(6));
}
