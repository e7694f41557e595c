/** The languages of mails. Apart from their words, because most who name one write no mail. */
export const languages = ['en', 'de'] as const;

export type Language = (typeof languages)[number];

/** For who has chosen none. */
export const usualLanguage: Language = 'en';
