/** Every release, with its code. Their data is made by make-fixture.ts. */
export const releases = [
  { release: '0.1.0', commit: 'e6a846e019a723cc9874e0c5cc0faa6da0c24f85' },
  { release: '0.2.0', commit: '56bfd08fc00158e9ec3fe1514cf564b86a48e987' },
] as const;
