import { afterEach, expect, it } from 'vitest';
import type { Notifications } from '#client/src/index.ts';
import { chooseLanguage, speakEnglish } from '#client/src/words/language.ts';
import { chooseLanguageOfMails } from '#console/src/notifications/notifications-page.tsx';

afterEach(speakEnglish);

const preferences: Notifications = {
  available: true,
  email: null,
  unconfirmed_email: null,
  token_email: null,
  events: [],
  digest: 'daily',
  language: 'en',
};

it('begins with the language of the console where mails are off, and keeps a choice', async () => {
  expect(chooseLanguageOfMails({ ...preferences, language: 'de' })).toBe('en');
  await chooseLanguage(['de'], { de: () => import('#console/src/german/german.ts') });
  expect(chooseLanguageOfMails(preferences)).toBe('de');
  expect(chooseLanguageOfMails({ ...preferences, email: 'a@b.org' })).toBe('en');
  expect(chooseLanguageOfMails({ ...preferences, unconfirmed_email: 'a@b.org' })).toBe('en');
});
