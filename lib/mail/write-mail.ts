import { createHash } from 'node:crypto';
import type { Fact, Note } from './describe-event.ts';
import { topics } from './preferences.ts';
import type { MailWords } from './words/english.ts';

/** A mail, ready to be sent. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for the same content, so that a mail program recognizes one that came twice. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface NotesMail {
  readonly to: string;
  readonly notes: readonly Note[];
  /** How many more events there were than a mail lists. */
  readonly more: number;
  /** Ends all mails to this address. */
  readonly unsubscribeUrl: string;
  /** The address of the console, which ends in a slash, if there is one. */
  readonly consoleUrl?: string | undefined;
  readonly words: MailWords;
}

/** Writes one mail for one event, with all its facts, or a digest for many. */
export function writeNotesMail(mail: NotesMail): Mail {
  const { to, notes, more, unsubscribeUrl, words } = mail;
  const [only] = notes.length === 1 && more === 0 ? notes : [];
  const { subject, text, html } = only ? writeOne(only, mail) : writeDigest(mail);
  return {
    to,
    subject,
    text: `${text}\n\n-- \n${words.footer}\n${words.stop}: ${unsubscribeUrl}\n`,
    html: page(
      html,
      `${words.footer} <a style="${styles.quietLink}" href="${escapeHtml(unsubscribeUrl)}">${words.stop}</a>`,
      words,
    ),
    id: identify([to, more, ...notes.map(({ id }) => id)]),
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      ...automatic,
    },
  };
}

type Content = Pick<Mail, 'subject' | 'text' | 'html'>;

function writeOne(note: Note, { consoleUrl, words }: NotesMail): Content {
  const { headline, place, at, page, command } = note;
  const { when, act } = words.topics[note.topic];
  const facts: Fact[] = [
    [note.topic === 'system.maintenance' ? words.system : words.project, place],
    ...note.facts,
    [when, words.moment(at)],
  ];
  const width = Math.max(...facts.map(([label]) => label.length)) + 2;
  const url = consoleUrl === undefined ? undefined : `${consoleUrl}${page}`;
  return {
    subject: headline,
    text: [
      `${headline}\n`,
      ...facts.map(([label, value]) => `${label.padEnd(width)}${value}`),
      '',
      ...(url === undefined ? [] : [`${act}: ${url}`]),
      `${url === undefined ? act : words.withCommand}: ${command}`,
    ].join('\n'),
    html:
      `<h2 style="${styles.headline}">${escapeHtml(headline)}</h2>` +
      `<table role="presentation" cellpadding="0" cellspacing="0" style="${styles.facts}">${facts
        .map(
          ([label, value]) =>
            `<tr><td style="${styles.label}">${escapeHtml(label)}</td><td style="${styles.value}">${escapeHtml(value)}</td></tr>`,
        )
        .join('')}</table>` +
      (url === undefined
        ? ''
        : `<p style="${styles.act}"><a style="${styles.button}" href="${escapeHtml(url)}">${act}</a></p>`) +
      `<p style="${styles.quiet}">${url === undefined ? act : words.withCommand}: <code style="${styles.code}">${escapeHtml(command)}</code></p>`,
  };
}

function writeDigest({ notes, more, consoleUrl, words }: NotesMail): Content {
  const subject = summarize(notes, more, words);
  const rest = more > 0 ? [words.andMore(more)] : [];
  const all = `${words.seeJobs}: ${consoleUrl === undefined ? 'slipway jobs' : `${consoleUrl}jobs/`}`;
  return {
    subject,
    text: [
      subject,
      ...notes.map(({ headline, place, at }) => `* ${headline}\n  ${place}, ${words.moment(at)}`),
      ...rest,
      all,
    ].join('\n\n'),
    html: [
      `<h2 style="${styles.headline}">${escapeHtml(subject)}</h2>`,
      ...notes.map(
        ({ headline, place, at, page }) =>
          `<p style="${styles.row}">${link(headline, consoleUrl === undefined ? undefined : `${consoleUrl}${page}`)}<br>` +
          `<span style="${styles.quiet}">${escapeHtml(place)}, ${words.moment(at)}</span></p>`,
      ),
      ...rest.map((said) => `<p style="${styles.row}">${said}</p>`),
      consoleUrl === undefined
        ? `<p style="${styles.quiet}">${words.seeJobs}: <code style="${styles.code}">slipway jobs</code></p>`
        : `<p style="${styles.act}"><a style="${styles.button}" href="${escapeHtml(`${consoleUrl}jobs/`)}">${words.seeJobs}</a></p>`,
    ].join(''),
  };
}

function link(said: string, url: string | undefined): string {
  return url === undefined
    ? `<strong>${escapeHtml(said)}</strong>`
    : `<a style="${styles.link}" href="${escapeHtml(url)}">${escapeHtml(said)}</a>`;
}

export interface LinkMail {
  readonly to: string;
  readonly confirmUrl: string;
  readonly days: number;
  readonly words: MailWords;
}

/** Writes the mail whose link confirms an address. It names nobody, because the address may be wrong. */
export function writeLinkMail({ to, confirmUrl, days, words }: LinkMail): Mail {
  const asked = words.somebodyAsked(new URL(confirmUrl).host);
  const wait = words.confirmWithin(days);
  return {
    to,
    subject: words.confirmSubject,
    text: `${asked}\n\n${wait}\n${confirmUrl}\n\n${words.otherwise}\n`,
    html: page(
      `<h2 style="${styles.headline}">${words.confirmHeadline}</h2><p>${escapeHtml(asked)}</p><p>${wait}</p>` +
        `<p style="${styles.act}"><a style="${styles.button}" href="${escapeHtml(confirmUrl)}">${words.confirm}</a></p>`,
      words.otherwise,
      words,
    ),
    id: identify([confirmUrl]),
    headers: automatic,
  };
}

/** Keeps programs that answer mails from answering this one (RFC 3834). */
const automatic = { 'Auto-Submitted': 'auto-generated' };

function identify(content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

/** Counts what happened: `3 jobs have ended, 1 quota is running low`. */
function summarize(notes: readonly Note[], more: number, words: MailWords): string {
  const parts = topics.flatMap((topic) => {
    const count = notes.filter((note) => note.topic === topic).length;
    return count === 0 ? [] : [words.topics[topic].count(count)];
  });
  return [...parts, ...(more > 0 ? [words.more(more)] : [])].join(', ');
}

/** Mail programs ignore style sheets, so each element has its own style. */
const styles = {
  body: 'margin:0;padding:24px;background:#ffffff;color:#16202e;font:15px/1.5 -apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif',
  headline: 'margin:0 0 12px;font-size:18px;line-height:1.35',
  facts: 'border-collapse:collapse;font-size:15px',
  label: 'padding:2px 20px 2px 0;color:#5b6675;vertical-align:top;white-space:nowrap',
  value: 'padding:2px 0;vertical-align:top',
  act: 'margin:18px 0 12px',
  button:
    'display:inline-block;padding:9px 16px;background:#0f766e;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:600',
  link: 'color:#0f766e;font-weight:600;text-decoration:none',
  quietLink: 'color:#5b6675',
  row: 'margin:0;padding:10px 0;border-top:1px solid #e3e7ec',
  quiet: 'margin:0;color:#5b6675;font-size:13px',
  code: 'display:block;margin-top:2px;font:13px ui-monospace,Menlo,Consolas,monospace;color:#16202e',
  footer:
    'margin:28px 0 0;padding-top:12px;border-top:1px solid #e3e7ec;color:#5b6675;font-size:13px',
};

function page(content: string, end: string, { code }: MailWords): string {
  return (
    `<!doctype html><html lang="${code}"><head><meta charset="utf-8"></head><body style="${escapeHtml(styles.body)}">` +
    `<div style="max-width:560px">${content}<p style="${styles.footer}">${end}</p></div></body></html>`
  );
}

/** Escapes text that users wrote, such as titles, for elements and attributes. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
