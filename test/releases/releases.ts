/** Every release, with its code. Their data is made by make-fixture.ts. */
export const releases = [
  { release: '0.1.0', commit: 'e6a846e019a723cc9874e0c5cc0faa6da0c24f85' },
] as const;
