/** Shows the results of single elements of a batch: those that were refused, and those that have a warning. */

import type { SyncResult, SyncWarning } from '../typescript/generated/types.ts';
import { listPages, type Page } from '../typescript/list-items.ts';
import type { Batch } from '../typescript/sync-batch.ts';
import { plain, shown } from './output.ts';
import type { Session } from './session.ts';

type Refused = Extract<SyncResult, { result: 'error' }>;
type Asking = Pick<Session, 'partbook' | 'signal'>;

/** So many of each are told as soon as a batch has ended. */
const TOLD_MAX = 20;

/** Found in what was sent by its place, and by a person by what it is called; one that is refused may have neither number nor GUID. */
function named({ index, number, guid }: SyncResult): string {
  const name = number ?? guid;
  return name === null ? `element ${index}` : `${shown(name)} (element ${index})`;
}

export function refusedText(result: Refused): string {
  return `${named(result)}: ${result.code}: ${plain(result.message)}`;
}

export function warningTexts(result: SyncResult): string[] {
  return (result.warnings ?? []).map(({ code, message }) => `${named(result)}: ${code}: ${plain(message)}`);
}

/** The first refused elements, and how to come to the others. */
export async function tellRefused(session: Session, batch: Batch): Promise<void> {
  const { output, signal } = session;
  const { error } = batch.envelope.counts;
  if (error === 0) return;
  let told = 0;
  for await (const result of batch.results('error', { signal })) {
    if (told === TOLD_MAX) break;
    told += 1;
    output.say(refusedText(result), 'red');
  }
  if (error > told) output.say(`… and ${error - told} more: partbook results ${batch.id} --result error`);
}

/** The first warnings, likewise: of one element there may be many, and one may stand for several. */
export async function tellWarnings(session: Session, batch: Batch): Promise<void> {
  const { output } = session;
  const { warnings } = batch.envelope.counts;
  if (warnings === 0) return;
  let [lines, told] = [0, 0];
  for await (const { items } of warnedPages(session, batch.id, TOLD_MAX)) {
    for (const result of items)
      for (const [at, text] of warningTexts(result).entries()) {
        if (lines === TOLD_MAX) continue;
        lines += 1;
        told += result.warnings?.[at]?.count ?? 1;
        output.say(`warning: ${text}`, 'yellow');
      }
    if (lines === TOLD_MAX) break;
  }
  if (warnings > told)
    output.say(`… and ${warnings - told} more warnings: partbook results ${batch.id} --warnings`);
}

/** Names the outcomes of a batch that no tree shows, and where they are seen and undone. */
export async function tellWaiting({ partbook, output, signal }: Session, batch: Batch): Promise<void> {
  const { error, warnings } = batch.envelope.counts;
  if (output.form !== 'text' || error + warnings === 0) return;
  const { items } = await partbook('GET /pdm/sync/batches/{id}/problems', { id: batch.id }, { signal });
  const codes = new Set(items.map(({ code }) => code));
  if (codes.has('parent_pending'))
    output.say('Links wait for parents that are not there: "partbook pending-links" shows which.');
  else if (codes.has('cycle'))
    output.say(
      'A link of a cycle that stands nowhere may wait: "partbook pending-links" shows those that do.',
    );
}

/**
 * The elements with a warning, in the order of the payload. The service finds those of one code at once, wherever they are in a
 * million: its lists by code are merged here, each code that the batch has one, so that no element is read that has none.
 */
export async function* warnedPages(
  { partbook, signal }: Asking,
  id: string,
  pageItems?: number,
): AsyncGenerator<Page<SyncResult>> {
  const { items } = await partbook('GET /pdm/sync/batches/{id}/problems', { id }, { signal });
  const codes = new Set(
    items.filter(({ kind }) => kind === 'warning').map(({ code }) => code as SyncWarning['code']),
  );
  const options = { signal, ...(pageItems === undefined ? {} : { pageItems }) };
  const lists = [...codes].map((warning) => {
    const query = { warning };
    return new Ahead(listPages(partbook, 'GET /pdm/sync/batches/{id}/results', { id, query }, options));
  });
  for (;;) {
    await Promise.all(lists.map((list) => list.fill()));
    const open = lists.filter((list) => list.first !== undefined);
    if (open.length === 0) return;
    // Everything before the end of the shortest page is known for every code.
    const reach = Math.min(...open.map((list) => list.last));
    const found = new Map<number, SyncResult>();
    for (const list of open) for (const result of list.takeUpTo(reach)) found.set(result.index, result);
    const page = [...found.values()].toSorted((a, b) => a.index - b.index);
    await Promise.all(lists.map((list) => list.fill()));
    const isMore = lists.some((list) => list.first !== undefined);
    yield { items: page, nextCursor: isMore ? String(reach) : null };
  }
}

/** One list with the page of it that is in hand. */
class Ahead {
  readonly #pages: AsyncGenerator<Page<SyncResult>>;
  #items: SyncResult[] = [];

  constructor(pages: AsyncGenerator<Page<SyncResult>>) {
    this.#pages = pages;
  }

  get first(): SyncResult | undefined {
    return this.#items[0];
  }

  get last(): number {
    return this.#items.at(-1)?.index ?? Number.POSITIVE_INFINITY;
  }

  async fill(): Promise<void> {
    while (this.#items.length === 0) {
      const { value, done } = await this.#pages.next();
      if (done === true) return;
      this.#items = value.items;
    }
  }

  takeUpTo(index: number): SyncResult[] {
    const beyond = this.#items.findIndex((one) => one.index > index);
    const taken = beyond === -1 ? this.#items : this.#items.slice(0, beyond);
    this.#items = this.#items.slice(taken.length);
    return taken;
  }
}
