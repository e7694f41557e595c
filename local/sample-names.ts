const first = { user: '306328', name: 'Ada Lovelace' };

/** Names for users of the laptop edition, whose tokens come from no identity provider. */
const others = [
  'Emmy Noether',
  'Alan Turing',
  'Katherine Johnson',
  'Santiago Ramón y Cajal',
  'Lise Meitner',
  'Abdus Salam',
  'Rosalind Franklin',
  'Hideki Yukawa',
  'Maria Goeppert Mayer',
  'Chandrasekhara Raman',
  'Rita Levi-Montalcini',
  'Johannes Kepler',
  'Chien-Shiung Wu',
  'Leonhard Euler',
  'Maryam Mirzakhani',
];

/** Returns the same name for the same user each time. The user of the guides shares theirs with nobody. */
export function sampleName(user: string): string {
  const sum = [...user].reduce((total, each) => (total * 31 + (each.codePointAt(0) ?? 0)) % 1e9, 0);
  return user === first.user ? first.name : (others[sum % others.length] ?? first.name);
}
