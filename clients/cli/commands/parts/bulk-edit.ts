/** `partbook bulk-edit` and `bulk-edits`: one change of all entities that a filter finds. */
import type { Command } from 'commander';
import { followBulkEdit } from '../../../typescript/follow-bulk-edit.ts';
import type {
  BulkEdit,
  BulkEditChange,
  BulkEditResult,
  NewBulkEdit,
} from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { countOf } from '../../count-of.ts';
import { Ended, exitCodes, UsageError } from '../../exit-codes.ts';
import { IndexFilling } from '../../index-filling.ts';
import { stateMeant, viewMeant } from '../../meant-names.ts';
import { conditionsMeant, propertyTypes } from '../../meant-values.ts';
import { shown } from '../../output.ts';
import { entityId, openSession, type Session } from '../../session.ts';
import { here } from '../../surroundings.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';

interface EditFlags {
  category?: string[];
  state?: string[];
  where?: string[];
  view?: string;
  only?: string[];
  set?: string[];
  clear?: string[];
  replace?: string[];
  toCategory?: string;
  toState?: string;
  reason?: string;
  apply?: boolean;
}

const SHOWN_MAX = 20;

export function addBulkEdit(program: Command): void {
  const edit = program
    .command('bulk-edit [text]')
    .description('show what one change of all entities that match would do; with --apply change them')
    .option('--category <key...>', 'only of these categories')
    .option('--state <name...>', 'only in these states')
    .option('--where <condition...>', 'only those that meet these conditions, such as Mass:lt:0.5')
    .option('--view <view>', 'those of a saved view, by its name or id')
    .option('--only <entity...>', 'exactly these entities (number, guid:… or id), without any other filter')
    .option('--set <value...>', 'set properties: KEY=VALUE; a reference takes the number of an entity')
    .option('--clear <key...>', 'remove the values of properties')
    .option('--replace <text...>', 'replace text within the values of properties: KEY=OLD=>NEW')
    .option('--to-category <key>', 'move to another category')
    .option('--to-state <name>', 'move to another state')
    .option('--reason <text>', 'the reason for the history of each entity')
    .option('--apply', 'change them; otherwise only show what would change');
  edit.action(async (text: string | undefined, flags: EditFlags) => {
    const session = openSession(edit);
    const filter = await filterOf(session, text, flags);
    if (flags.where !== undefined || flags.view !== undefined) await tellFilling(session, filter);
    const body = {
      filter,
      change: await changeOf(session, flags),
      dryRun: flags.apply !== true,
      ...(flags.reason === undefined ? {} : { reason: flags.reason }),
    };
    await finish(session, await session.partbook('POST /bulk-edits', { body }, session));
  });

  const edits = program.command('bulk-edits').description('list bulk edits, newest first');
  limited(edits, 20).action(async (flags: LimitFlags) => {
    const { partbook, output, signal } = openSession(edits);
    await listFirst<BulkEdit>(
      output,
      listPages(partbook, 'GET /bulk-edits', {}, { signal }),
      flags,
      {
        id: (one) => one.id,
        status: (one) => (one.dryRun ? `${one.status}, dry run` : one.status),
        changed: (one) => one.changed,
        unchanged: (one) => one.unchanged,
        refused: (one) => one.refused,
        by: (one) => one.by.name,
        created: (one) => one.createdAt,
      },
      'There are no bulk edits. partbook bulk-edit --help shows how to make one.',
    );
  });
  const followUp = (name: 'apply' | 'undo', description: string) => {
    const command = edits
      .command(`${name} <id>`)
      .description(description)
      .option('--reason <text>', 'the reason for the history of each entity');
    command.action(async (id: string, { reason }: { reason?: string }) => {
      const session = openSession(command);
      const body = reason === undefined ? {} : { reason };
      await finish(session, await session.partbook(`POST /bulk-edits/{id}/${name}`, { id, body }, session));
    });
  };
  followUp('apply', 'make exactly the changes that a dry run showed');
  followUp('undo', 'take the changes of a bulk edit back, except what has changed since');
  const show = edits.command('show <id>').description('wait for the end of a bulk edit and show it');
  show.action(async (id: string) => {
    const session = openSession(show);
    await finish(session, await session.partbook('GET /bulk-edits/{id}', { id }, session));
  });
  const cancel = edits
    .command('cancel <id>')
    .description('stop a bulk edit; changes that were made stay')
    .action(async (id: string) => {
      const session = openSession(cancel);
      const cancelled = await session.partbook('POST /bulk-edits/{id}/cancel', { id }, session);
      session.output.answer(cancelled, () => outcomeOf(cancelled));
    });
}

/** Says before the edit begins that it may miss entities. */
async function tellFilling({ partbook, output, signal }: Session, filter: NewBulkEdit['filter']) {
  const { ids: _, ...query } = filter;
  const filling = new IndexFilling();
  filling.note(await partbook('GET /entities', { query: { ...query, limit: 1 } }, { signal }));
  filling.tell(output);
}

async function filterOf(session: Session, text: string | undefined, flags: EditFlags) {
  const { category, state, where, view, only } = flags;
  if (only !== undefined) {
    const others = { text, '--category': category, '--state': state, '--where': where, '--view': view };
    const given = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    if (given.length > 0)
      throw new UsageError(
        `--only names exactly the entities to edit. Leave out ${given.join(', ')}, or leave out --only.`,
      );
    const ids: string[] = [];
    for (const reference of only) ids.push(await entityId(session, reference));
    return { ids };
  }
  const states: string[] = [];
  for (const name of state ?? []) states.push(await stateMeant(session, name, 'entity', () => true));
  return {
    ...(text === undefined ? {} : { q: text }),
    ...(category === undefined ? {} : { category }),
    ...(states.length === 0 ? {} : { state: states }),
    ...(where === undefined ? {} : { where: [...(await conditionsMeant(session, where))] }),
    ...(view === undefined ? {} : { view: await viewMeant(session, view) }),
  };
}

async function changeOf(session: Session, flags: EditFlags): Promise<BulkEditChange> {
  const { set = [], clear = [], replace = [], toCategory, toState } = flags;
  if (set.length + clear.length + replace.length === 0 && (toCategory ?? toState) === undefined)
    throw new UsageError('Name a change: --set, --clear, --replace, --to-category or --to-state.');
  const types = set.length > 0 ? await propertyTypes(session) : new Map<string, string>();
  const parted = (option: string, text: string): [string, string] => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--${option} takes KEY=VALUE, not "${shown(text)}".`);
    return [text.slice(0, at), text.slice(at + 1)];
  };
  const values: [string, string | number | boolean][] = [];
  for (const one of set) {
    const [key, value] = parted('set', one);
    const isReference = types.get(key) === 'reference';
    values.push([key, isReference ? await entityId(session, value) : typed(types.get(key), value)]);
  }
  const replaced = replace.map((one) => {
    const [key, both] = parted('replace', one);
    const at = both.indexOf('=>');
    if (at < 1) throw new UsageError(`--replace takes KEY=OLD=>NEW, not "${shown(one)}".`);
    return [key, { find: both.slice(0, at), with: both.slice(at + 2) }] as const;
  });
  return {
    properties: Object.fromEntries([...values, ...clear.map((key) => [key, null] as const)]),
    replace: Object.fromEntries(replaced),
    ...(toCategory === undefined ? {} : { category: toCategory }),
    ...(toState === undefined ? {} : { state: await stateMeant(session, toState, 'entity', () => true) }),
  };
}

/** A value as its definition has it; one that does not fit is left to the service, which says what would. */
function typed(type: string | undefined, text: string): string | number | boolean {
  if (type === 'numeric' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Waits for the end and shows the first differences. */
async function finish(session: Session, begun: BulkEdit): Promise<void> {
  const { partbook, output, signal } = session;
  const isShown = output.form === 'text' && here().stderr.isTTY === true;
  const edit = await followBulkEdit(partbook, begun, {
    signal,
    onProgress: ({ changed, unchanged, refused }) => {
      if (isShown) here().stderr.write(`\r${changed + unchanged + refused} checked `);
    },
  });
  if (isShown) here().stderr.write('\r\u001b[K');
  const query = { limit: SHOWN_MAX };
  const { items, nextCursor } = await partbook(
    'GET /bulk-edits/{id}/results',
    { id: edit.id, query },
    session,
  );
  output.answer({ ...edit, results: items }, () =>
    [
      ...items.map(lineOf),
      ...(nextCursor === null ? [] : ['…']),
      outcomeOf(edit),
      ...(edit.dryRun && edit.changed > 0 ? [`partbook bulk-edits apply ${edit.id}`] : []),
    ].join('\n'),
  );
  if (edit.failure !== null) output.say(edit.failure.message, 'red');
  if (edit.status !== 'completed') throw new Ended(exitCodes.failed);
  if (edit.refused > 0) throw new Ended(exitCodes.elementErrors);
}

function lineOf({ number, entityId: id, name, changes, message }: BulkEditResult): string {
  const text = (value: string | number | boolean | null) => (value === null ? '–' : shown(String(value)));
  const told = changes.map(({ field, from, to }) => `${shown(field)} ${text(from)} → ${text(to)}`);
  return `${shown(number ?? id)} ${shown(name)}: ${message ?? told.join(', ')}`;
}

function outcomeOf({ status, dryRun, changed, unchanged, refused }: BulkEdit): string {
  const parts = [
    `${changed === 0 ? 'No entity' : countOf(changed, 'entity', 'entities')} ${dryRun ? 'would change' : 'changed'}`,
    ...(unchanged === 0 ? [] : [`${unchanged} already as wanted`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ];
  return `${status === 'completed' ? '' : `${status}: `}${parts.join(', ')}.`;
}
