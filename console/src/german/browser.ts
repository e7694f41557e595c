import { translate } from '#client/src/words/language.ts';
import type { browser as english } from '../browser/words.ts';

export const browser = translate<typeof english>()({
  home: 'Start',
  jobs: 'Jobs',
  job: 'Job',
  batches: 'Batches',
  batch: 'Batch',
  submit: 'Job einreichen',
  quotas: 'Kontingente',
  ledger: 'Buchungen von {project}',
  folder: 'Ordner von {project}',
  requests: 'Anträge',
  projects: 'Projekte',
  notifications: 'Benachrichtigungen',
  webhooks: 'Webhooks',
  webhook: 'Webhook',
  missing: 'Seite nicht gefunden',

  admin: 'Administration',
  people: 'Personen',
  grants: 'Zuteilungen',
  reports: 'Berichte',
  audit: 'Protokoll',
  systems: 'Systeme',

  tooManyFiles:
    'Es sind {files} Dateien; in eine ZIP-Datei passen höchstens {most}. Bitte einige davon zusammenpacken.',
  tooManyBytes:
    'Es sind mehr als 4 GB, die ein Browser nicht packen kann. Das geht mit dem Befehl slipway.',
});
