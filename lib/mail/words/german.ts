import type { ChargedUnit, MailWords, PageWords } from './english.ts';

const units: Readonly<Record<ChargedUnit, string>> = {
  hour: 'Stunde',
  'node-hour': 'Knotenstunde',
  'core-hour': 'Kernstunde',
  'charged hour': 'Abrechnungsstunde',
};

export const german: MailWords = {
  code: 'de',
  digits: 'de-DE',
  moment(at) {
    const [day = '', time = ''] = at.toISOString().split('T');
    return `${day.split('-').reverse().join('.')} ${time.slice(0, 5)} UTC`;
  },
  month: (month) =>
    month.toLocaleString('de-DE', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  hours: (hours, unit) => `${hours} ${units[unit]}${hours === '1' ? '' : 'n'}`,
  timeAndSpace: (time, space) => `${time} und ${space}`,
  nothing: 'nichts',
  leftOf: (left, granted) => `${left} von ${granted}`,
  quoted: (title) => `„${title}“`,
  place: (project, hpc) => `${project} auf ${hpc}`,

  jobFailed: (job) => `Job ${job} ist fehlgeschlagen`,
  jobSuccessful: (job) => `Job ${job} war erfolgreich`,
  jobCancelled: (job) => `Job ${job} wurde abgebrochen`,
  jobDeleted: (job) => `Job ${job} wurde gelöscht`,
  jobEnded: (job) => `Job ${job} ist beendet`,
  stage: 'Status',
  submitted: 'Eingereicht',
  batchEnded: (batch, counts) => `Batch ${batch} ist beendet: ${counts}`,
  successful: (done, all) => `${done} von ${all} erfolgreich`,
  failed: (count) => `${count} fehlgeschlagen`,
  cancelled: (count) => `${count} abgebrochen`,

  timeLow: (percent, project) => `In ${project} sind nur noch ${percent} % der Zeit übrig`,
  spaceLow: (percent, project) =>
    `In ${project} sind nur noch ${percent} % des Speicherplatzes übrig`,
  noTime: (project) => `In ${project} ist keine Zeit mehr übrig`,
  noSpace: (project) => `In ${project} ist kein Speicherplatz mehr übrig`,
  remaining: 'Restkontingent',

  approved: (project) => `Der Antrag in ${project} wurde genehmigt`,
  declined: (project) => `Der Antrag in ${project} wurde abgelehnt`,
  askedFor: 'Beantragt',
  given: 'Zugeteilt',
  validUntil: 'Gültig bis',
  reason: 'Begründung',

  paused: (hpc) => `${hpc} ist angehalten`,
  maintenance: (hpc) => `Wartung von ${hpc} angekündigt`,
  from: 'Von',
  until: 'Bis',
  untilResumed: 'bis zur Wiederaufnahme',
  yourJobs: 'Eigene Jobs',
  handedOver: 'Jobs, die hier warten, werden danach übergeben.',

  statement: (project, month) => `Monatsauszug von ${project} für ${month}`,
  opening: 'Anfangssaldo',
  granted: 'Zugeteilt',
  expired: 'Verfallen',
  corrections: 'Korrekturen',
  used: 'Von beendeten Jobs verbraucht',
  reserved: 'Für nicht beendete Jobs reserviert',
  closing: 'Endsaldo',

  system: 'System',
  project: 'Projekt',
  withCommand: 'Mit dem Befehl',
  footer: 'Diese Mail kommt, weil Benachrichtigungen von Slipway eingeschaltet sind.',
  stop: 'Mails abbestellen',
  more: (count) => `${count} weitere`,
  andMore: (count) => `Nicht aufgeführt, weil diese Mail keinen Platz mehr hat: ${count} weitere.`,
  seeJobs: 'Eigene Jobs anzeigen',

  topics: {
    'job.ended': {
      count: (count) => (count === 1 ? '1 Job ist beendet' : `${count} Jobs sind beendet`),
      when: 'Beendet',
      act: 'Job anzeigen',
    },
    'batch.ended': {
      count: (count) => (count === 1 ? '1 Batch ist beendet' : `${count} Batches sind beendet`),
      when: 'Beendet',
      act: 'Batch anzeigen',
    },
    'quota.low': {
      count: (count) =>
        count === 1 ? '1 Kontingent wird knapp' : `${count} Kontingente werden knapp`,
      when: 'Seit',
      act: 'Mehr beantragen',
    },
    'request.decided': {
      count: (count) =>
        count === 1 ? '1 Antrag ist entschieden' : `${count} Anträge sind entschieden`,
      when: 'Entschieden',
      act: 'Eigene Anträge anzeigen',
    },
    'system.maintenance': {
      count: (count) =>
        count === 1 ? '1 Wartung ist angekündigt' : `${count} Wartungen sind angekündigt`,
      when: 'Angekündigt',
      act: 'Eigene Jobs anzeigen',
    },
    'project.statement': {
      count: (count) =>
        count === 1 ? '1 Monatsauszug steht fest' : `${count} Monatsauszüge stehen fest`,
      when: 'Stand',
      act: 'Monatsauszug anzeigen',
    },
  },

  confirmSubject: 'Mailadresse für Slipway bestätigen',
  confirmHeadline: 'Mailadresse bestätigen',
  somebodyAsked: (host) =>
    `Mit einem Konto bei ${host} wurde angegeben, dass Slipway Benachrichtigungen über Jobs an diese Adresse senden soll.`,
  confirmWithin: (days) =>
    `Wenn das so gewollt ist, bitte die Adresse innerhalb von ${days} Tagen bestätigen:`,
  confirm: 'Adresse bestätigen',
  otherwise: 'Andernfalls diese Mail bitte ignorieren. Ohne Bestätigung wird nichts gesendet.',
};

export const germanPages: PageWords = {
  confirm: {
    title: 'Mailadresse bestätigen',
    words: 'Slipway sendet Benachrichtigungen dann an diese Adresse.',
    button: 'Adresse bestätigen',
  },
  confirmed: {
    title: 'Adresse bestätigt',
    words: 'Slipway sendet Benachrichtigungen jetzt an diese Adresse.',
  },
  unsubscribe: {
    title: 'Alle Mails abbestellen?',
    words: 'Slipway sendet dann keine Mails mehr an diese Adresse.',
    button: 'Alle Mails abbestellen',
  },
  unsubscribed: {
    title: 'Mails abbestellt',
    words:
      'Slipway sendet keine Mails mehr an diese Adresse. Das lässt sich in den Einstellungen für Benachrichtigungen ändern.',
  },
  linkNotValid: {
    title: 'Dieser Link gilt nicht mehr',
    words:
      'Er ist abgelaufen, oder es wurde inzwischen eine andere Adresse gewählt. Die Einstellungen für Benachrichtigungen in der Konsole oder <code>slipway notifications</code> zeigen die Adresse; dort gibt es auch einen neuen Link.',
  },
};
