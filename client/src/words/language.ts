/** Plural forms. `count` chooses one of them by the rules of the language. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** A text with `{named}` parameters, or its plural forms. */
export type Message = string | Plural;

type Messages = Readonly<Record<string, Message>>;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The parameters of a message, read from its English text. */
type NamesOf<Of> = Of extends string ? NamesIn<Of> : 'count' | NamesIn<Of[keyof Of]>;

export type Values<Of, Value = string | number> = {
  readonly [Name in NamesOf<Of>]: Name extends 'count' ? number : Value;
};

type Arguments<Of> = [NamesOf<Of>] extends [never] ? [] : [values: Values<Of>];

/** Writes a message of one catalogue in the language of the reader. */
export type Phrase<English> = <Key extends keyof English & string>(
  key: Key,
  ...values: Arguments<English[Key]>
) => string;

/** Sentences of the service, which are English, and what they are in another language. */
export type Told = Readonly<Record<string, string>>;

interface Language {
  readonly code: string;
  /** The locales of numbers and of days, which English takes from two countries. */
  readonly digits: string;
  readonly days: string;
  /** The messages of each catalogue. English ones stand in the catalogues themselves. */
  readonly catalogues: Readonly<Record<string, Messages>>;
  /** Writes sentences of the service, which are English. */
  readonly tell?: (text: string) => string;
}

const english: Language = { code: 'en', digits: 'en-US', days: 'en-GB', catalogues: {} };

let current = english;
let rules: Intl.PluralRules | undefined;

/** Languages by their codes. Each is loaded when somebody reads it. */
export type Languages = Readonly<Record<string, () => Promise<{ readonly language: Language }>>>;

/**
 * Chooses the first language that the reader wants and that exists. Takes tags such as `de`, `de-AT`
 * and `de_DE.UTF-8`. English is the last resort.
 */
export async function chooseLanguage(
  wanted: readonly string[],
  languages: Languages,
): Promise<void> {
  const codes = wanted.map((tag) => tag.split(/[-_.@]/)[0]?.toLowerCase() ?? '');
  const code = codes.find((each) => each === english.code || Object.hasOwn(languages, each));
  const load = languages[code ?? english.code];
  current = load ? (await load()).language : english;
  rules = undefined;
}

export function speakEnglish(): void {
  current = english;
  rules = undefined;
}

export function currentLanguage(): Omit<Language, 'catalogues'> {
  return current;
}

type Catalogue<English> = Readonly<Record<keyof English, Message>>;

/** Returns a catalogue's function. Its messages are checked by the type of the English ones. */
export function createPhrase<const English extends Catalogue<English>>(
  catalogue: string,
  messages: English,
): Phrase<English> {
  return (key, ...[values]) =>
    fillParts(findTranslation(catalogue, key) ?? messages[key], values ?? {}).join('');
}

/** Finds a message in the language of the reader. English ones stand in the catalogues themselves. */
export function findTranslation(catalogue: string, key: string): Message | undefined {
  return current.catalogues[catalogue]?.[key];
}

/** Returns the words of a message and the values of its parameters, one after the other. */
export function fillParts<Value>(
  message: Message,
  values: Readonly<Record<string, Value>> & { readonly count?: number },
): (string | Value)[] {
  return chooseForm(message, values.count)
    .split(/\{(\w+)\}/)
    .map((part, at) =>
      at % 2 === 0
        ? part
        : part === 'count'
          ? (values.count?.toLocaleString(current.digits) ?? '')
          : (values[part] ?? ''),
    );
}

function chooseForm(message: Message, count = 0): string {
  if (typeof message === 'string') return message;
  rules ??= new Intl.PluralRules(current.code);
  return message[rules.select(count)] ?? message.other;
}

/** The same keys as in English, and the same parameters in each message. */
type Translated<English, Own> = {
  readonly [Key in keyof English]: Key extends keyof Own
    ? [NamesOf<Own[Key]>, NamesOf<English[Key]>] extends [NamesOf<English[Key]>, NamesOf<Own[Key]>]
      ? Message
      : { readonly 'needs the same parameters as': English[Key] }
    : Message;
} & { readonly [Key in Exclude<keyof Own, keyof English>]: never };

/** Checks a translation by its type: `translate<typeof english>()({ ... })`. */
export function translate<English>() {
  return <const Own extends Messages & Translated<English, Own>>(messages: Own): Own => messages;
}
