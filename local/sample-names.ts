/** Names for users of the laptop edition, whose tokens come from no identity provider. */
const names = [
  'Ada Lovelace',
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

/** Returns the same name for the same user each time. The first user of the guides is the first. */
export function sampleName(user: string): string {
  const sum = [...user].reduce((total, each) => total * 31 + (each.codePointAt(0) ?? 0), 0);
  const [first = ''] = names;
  return user === '306328' ? first : (names[sum % names.length] ?? first);
}
