/** Words, figures and times as every page writes them. */
import { type ReactNode, useSyncExternalStore } from 'react';
import { Thumbnail } from './charts/thumbnail.tsx';
import styles from './words.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'live' | 'quiet' | 'accent';

/** A state: a word on a soft ground. The colour only repeats what the word says. */
export function StatusWord({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${styles.status} ${styles[tone]}`}>{children}</span>;
}

/** The state of an entity: grey while it is worked on, green when it is released. */
export function StateWord({ state, released }: { state: string; released: boolean }) {
  return <StatusWord tone={released ? 'good' : 'quiet'}>{state}</StatusWord>;
}

const quantityForm = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });
const signedForm = new Intl.NumberFormat('en', { maximumFractionDigits: 6, signDisplay: 'exceptZero' });
const bytesForm = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** With a real minus and at most six places: as exact as the book. */
export function quantityText(value: number, signed = false): string {
  return (signed ? signedForm : quantityForm).format(value).replace('-', '−');
}

/** `unit` stands behind the figure; null: the item has none. */
export function Quantity({
  value,
  signed = false,
  unit = null,
}: {
  value: number;
  signed?: boolean;
  unit?: string | null;
}) {
  return (
    <>
      <span className={value < 0 ? styles.negative : undefined}>{quantityText(value, signed)}</span>
      {unit !== null && <span className="muted"> {unit}</span>}
    </>
  );
}

export function countText(value: number, one: string, many = `${one}s`): string {
  return `${quantityText(value)} ${value === 1 ? one : many}`;
}

export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let at = 0;
  let value = bytes;
  for (; value >= 1000 && at < units.length - 1; at++) value /= 1000;
  return `${bytesForm.format(value)} ${units[at]}`;
}

const dayForm = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const shortForm = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const timeForm = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const fullForm = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

export function dayText(date: string): string {
  const day = new Date(date.length === 10 ? `${date}T12:00:00` : date);
  return isNone(day) ? date : dayForm.format(day);
}

/** Anything may stand in an address: what is no day or moment is shown as it was written. */
export function isNone(at: Date): boolean {
  return Number.isNaN(at.getTime());
}

export function momentText(at: string): string {
  const then = new Date(at);
  if (isNone(then)) return at;
  const now = new Date();
  if (then.toDateString() === now.toDateString()) return timeForm.format(then);
  return then.getFullYear() === now.getFullYear() ? shortForm.format(then) : dayForm.format(then);
}

const MINUTE_MS = 60_000;
const RECENT_MINUTES = 60;

/** How long ago a recent moment was; null for an earlier or a coming one. */
function agoText(at: string): string | null {
  const minutes = Math.floor((Date.now() - Date.parse(at)) / MINUTE_MS);
  if (!(minutes >= 0 && minutes < RECENT_MINUTES)) return null;
  return minutes === 0 ? 'just now' : `${minutes} min ago`;
}

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE_MS / 4);
  return () => clearInterval(timer);
}

/** A moment in the time zone of the reader, relative while it is recent; the title has it in full. */
export function Moment({ at }: { at: string | null }) {
  const text = useSyncExternalStore(everyMinute, () =>
    at === null ? null : (agoText(at) ?? momentText(at)),
  );
  if (at === null) return <span className="muted">–</span>;
  return (
    <time dateTime={at} title={fullForm.format(new Date(at))} className={styles.moment}>
      {text}
    </time>
  );
}

/** The day that it is for the service, which says by it what is overdue. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

export function isPast(day: string | null): boolean {
  return day !== null && day < today();
}

/** The day that something is needed by; once it is past, what is still open is overdue. */
export function Due({ date, isOpen = true }: { date: string | null; isOpen?: boolean }) {
  if (date === null) return '–';
  return isOpen && isPast(date) ? <span className="bad">{dayText(date)}, overdue</span> : dayText(date);
}

/** How long something took. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${bytesForm.format(ms / 1000)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60
    ? `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A part's number in the monospaced font, after its picture where the row says whether it has one. */
export function PartNumber({ number, picture }: { number: string | null; picture?: string | null }) {
  return (
    <>
      {picture !== undefined && <Thumbnail picture={picture} />}
      {number === null || number === '' ? (
        <span className="muted">no number</span>
      ) : (
        <span className="mono">{number}</span>
      )}
    </>
  );
}

/** A name that programs use, in words: "createMaterialRequirement" is "create material requirement". */
export function plainWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The service's own words, in which names of fields and values stand between backticks. */
export function withCode(text: string): ReactNode {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: words stay where they are, and may repeat
      <code key={at}>{part}</code>
    ),
  );
}

/** The methods by which a workspace may value its stock. */
export const costMethodNames = { fifo: 'Oldest first (FIFO)', average: 'Moving average' } as const;
