/** `partbook batches`, `results`, `retry`, `cancel`: what became of what was sent. */
import { type Command, Option } from 'commander';
import type {
  AbsentEntity,
  BatchStatus,
  ComparedWith,
  SyncBatch,
  SyncResult,
} from '../../typescript/generated/types.ts';
import { eachPage, listPages, type Page } from '../../typescript/list-items.ts';
import { Batch } from '../../typescript/sync-batch.ts';
import { warnedPages, warningTexts } from '../batch-findings.ts';
import { stateWord, whoCancelled } from '../batch-words.ts';
import { Ended, exitCodes } from '../exit-codes.ts';
import { finish } from '../finish-batch.ts';
import { pausedSince, pausedText } from '../held-batches.ts';
import { openSession, requireUuid, type Session } from '../session.ts';
import { FirstItems, type LimitFlags, limited, listFirst } from '../take-items.ts';

interface ResultFlags extends LimitFlags {
  result?: SyncResult['result'];
  warnings?: boolean;
}

interface BatchFlags extends LimitFlags {
  status?: BatchStatus;
  definition?: string;
}

/** As many as a batch may well have: what became of it is shown whole. */
const ELEMENTS_SHOWN = 1_000_000;

export function addBatches(program: Command): void {
  const batches = program
    .command('batches')
    .description('list batches, newest first')
    .addOption(
      new Option('--status <status>', 'only of this status; those with errors are completed').choices([
        'queued',
        'processing',
        'completed',
        'cancelled',
        'failed',
      ]),
    )
    .option('--definition <name>', 'only batches of this import definition');
  limited(batches, 20).action(async ({ status, definition, ...flags }: BatchFlags) => {
    const session = openSession(batches);
    const { partbook, output, signal } = session;
    /** Whether a batch is queued among those that are shown to people. */
    let areQueued = false;
    const query = {
      stillRejected: 'true' as const,
      ...(status === undefined ? {} : { status }),
      ...(definition === undefined ? {} : { profile: definition }),
    };
    await listFirst<SyncBatch>(
      output,
      listPages(partbook, 'GET /pdm/sync/batches', { query }, { signal }),
      flags,
      {
        batch: ({ batchId }) => batchId,
        submitted: ({ submittedAt }) => submittedAt,
        definition: ({ profileName }) => profileName,
        status: (one) => {
          areQueued ||= one.status === 'queued';
          return one.dryRun ? `${stateWord(one)} (plan)` : stateWord(one);
        },
        total: ({ counts }) => counts.total,
        created: ({ counts }) => counts.created,
        updated: ({ counts }) => counts.updated,
        errors: ({ counts }) => counts.error,
        why: ({ failure, cancellation }) =>
          failure?.message ?? (cancellation === undefined ? '' : whoCancelled(cancellation)),
      },
      status === undefined && definition === undefined
        ? 'Nothing was sent to the workspace yet.'
        : `No batch${status === undefined ? '' : ` is ${status}`}${definition === undefined ? '' : `${status === undefined ? ' is' : ' and'} of the import definition "${definition}"`}.`,
    );
    const since = areQueued ? await pausedSince(session) : null;
    if (since !== null) output.say(pausedText(since), 'yellow');
  });

  const absent = batches
    .command('absent <batch>')
    .description('list elements that earlier batches of its import definition brought and this one did not');
  limited(absent, ELEMENTS_SHOWN).action(async (id: string, flags: LimitFlags) => {
    requireUuid('batch', id);
    const session = openSession(absent);
    await listFirst<AbsentEntity>(
      session.output,
      absentFrom(session, id),
      flags,
      {
        guid: (one) => one.E_Guid,
        number: (one) => one.number,
        name: (one) => one.name,
        state: (one) => one.state,
        'last brought': (one) => one.lastBroughtAt,
      },
      'The batch brought everything that earlier ones did.',
    );
  });

  const results = program
    .command('results <batch>')
    .description('list the result of each element of a batch')
    .addOption(
      new Option('--result <kind>', 'only of this result').choices([
        'created',
        'updated',
        'skipped',
        'error',
      ]),
    )
    .addOption(
      new Option('--warnings', 'only elements with a warning, a line for each warning').conflicts('result'),
    );
  limited(results, ELEMENTS_SHOWN).action(async (id: string, { result, warnings, ...flags }: ResultFlags) => {
    requireUuid('batch', id);
    const session = openSession(results);
    const { partbook, output, signal } = session;
    if (warnings === true) {
      const first = new FirstItems(warnedPages(session, id), flags, output);
      await output.list(first, (one) => warningTexts(one).join('\n'), 'The batch has no warnings.');
      return first.tellMore();
    }
    const query = result === undefined ? {} : { result };
    const found = listPages(partbook, 'GET /pdm/sync/batches/{id}/results', { id, query }, { signal });
    await listFirst<SyncResult>(
      output,
      found,
      flags,
      {
        index: (one) => one.index,
        // The service knows no number of a refused element.
        number: (one) => one.number ?? one.guid,
        result: (one) => one.result,
        revision: (one) => one.revision,
        said: (one) =>
          [...(one.result === 'error' ? [one] : []), ...(one.warnings ?? [])]
            .map(({ code, message }) => `${code}: ${message}`)
            .join(' '),
      },
      result === undefined
        ? 'The batch has no results: it holds no elements, or none was come to.'
        : `No element of the batch has the result "${result}".`,
    );
  });

  const retry = program
    .command('retry <batch>')
    .description('resume a failed batch where it stopped, and wait until it ends')
    .action(async (id: string) => {
      requireUuid('batch', id);
      const session = openSession(retry);
      const { partbook, signal } = session;
      const envelope = await partbook('POST /pdm/sync/batches/{id}/retry', { id }, { signal });
      const code = await finish(session, `batch ${id}`, new Batch(partbook, envelope), true);
      if (code !== exitCodes.done) throw new Ended(code);
    });

  const cancel = program
    .command('cancel <batch>')
    .description('cancel a batch and wait until it ends; changes already made remain')
    .action(async (id: string) => {
      requireUuid('batch', id);
      const session = openSession(cancel);
      const { partbook, signal } = session;
      const envelope = await partbook('POST /pdm/sync/batches/{id}/cancel', { id }, { signal });
      const code = await finish(session, `batch ${id}`, new Batch(partbook, envelope), true, 'cancelled');
      if (code !== exitCodes.done) throw new Ended(code);
    });
}

/** All of them; says first what the batch was compared with. */
function absentFrom({ partbook, output, signal }: Session, id: string): AsyncIterable<Page<AbsentEntity>> {
  return eachPage(async (cursor) => {
    const query = { limit: 1000, ...(cursor === undefined ? {} : { cursor }) };
    const page = await partbook('GET /pdm/sync/batches/{id}/absent', { id, query }, { signal });
    if (cursor === undefined) output.say(comparison(page.comparedWith));
    return page;
  });
}

function comparison({ batches, since, complete }: ComparedWith): string {
  if (since === null)
    return complete ? 'There is no earlier batch.' : 'No earlier batch can be compared with.';
  const older = complete ? '' : '; older ones are past their retention, or too many';
  return `Compared with ${batches} earlier ${batches === 1 ? 'batch' : 'batches'} since ${since}${older}.`;
}
