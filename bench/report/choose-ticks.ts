/** Round numbers from 0 up to the first that is not below `most`: at most six steps. */
export function chooseTicks(most: number): number[] {
  const magnitude = 10 ** Math.floor(Math.log10(most));
  const step = [0.2, 0.5, 1, 2].map((each) => each * magnitude).find((each) => most / each <= 6);
  const size = step ?? 2 * magnitude;
  return Array.from({ length: Math.ceil(most / size) + 1 }, (_, index) => index * size);
}
