export function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}

export function earlierOf(one: Date, other: Date): Date {
  return one < other ? one : other;
}
