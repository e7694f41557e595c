/** Who calls: the owner of submitted jobs, the user of own quotas (interface 5). */
export interface Caller {
  readonly userId: string;
  readonly administrator: boolean;
}

/** Numeric text; 32 digits are more than any identity provider gives, and keep keys short. */
export function isUserId(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9]{1,32}$/.test(text);
}
