/** `partbook automations run`, `actions` and `built-in-actions`: run a manual automation and show its result; list buttons and actions. */
import type { Command } from 'commander';
import type { AutomationRun, BuiltInActions, EntityAction } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { Ended, exitCodes, UsageError } from '../../exit-codes.ts';
import { automationMeant, readJson } from '../../files/script-files.ts';
import { plain, shown } from '../../output.ts';
import { entityId, openSession } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';

/** Seconds that one read waits for the end of a run. */
const WAIT_SECONDS = 5;

interface RunFlags {
  set?: Record<string, string>;
  parameters?: string;
  wait: boolean;
}

export function addRun(automations: Command): void {
  const run = automations
    .command('run <name> [entity]')
    .description('run a manual automation, on an entity or without one, and show its result')
    .option('--set <field=value>', 'a value of its form; repeatable', keepField)
    .option('--parameters <file>', 'the values of its form, as JSON')
    .option('--no-wait', 'only start the run')
    .action(async (name: string, entity: string | undefined, { set = {}, parameters, wait }: RunFlags) => {
      const session = openSession(run);
      const { partbook, output, signal } = session;
      const { id, button } = await automationMeant(session, name);
      const context = {
        ...(parameters === undefined ? {} : (readJson(parameters) as Record<string, unknown>)),
        ...typedValues(set, button?.parameters),
      };
      const body = {
        context,
        ...(entity === undefined ? {} : { entityId: await entityId(session, entity) }),
      };
      let made = await partbook('POST /automations/{id}/trigger', { id, body }, { signal });
      while (wait && made.status === 'queued')
        made = await partbook(
          'GET /automation-runs/{id}',
          { id: made.id, query: { wait: WAIT_SECONDS } },
          { signal },
        );
      output.answer(made, () => outcomeText(made));
      if (made.status !== 'succeeded' && made.status !== 'queued') throw new Ended(exitCodes.failed);
    });
}

export function addActions(automations: Command): void {
  const actions = automations
    .command('actions [entity]')
    .description('list the buttons of the workspace, or those that an entity offers');
  limited(actions, 50).action(async (entity: string | undefined, flags: LimitFlags) => {
    const session = openSession(actions);
    const { partbook, output, signal } = session;
    const pages =
      entity === undefined
        ? listPages(partbook, 'GET /actions', {}, { signal })
        : listPages(
            partbook,
            'GET /entities/{id}/actions',
            { id: await entityId(session, entity) },
            { signal },
          );
    await listFirst<EntityAction>(
      output,
      pages,
      flags,
      {
        action: ({ label }) => label,
        categories: ({ categories }) => categories.join(', ') || 'all',
        states: ({ states }) => states.join(', ') || 'all',
        fields: ({ parameters }) => Object.keys(parameters?.properties ?? {}).join(', '),
      },
      'There is no action.',
    );
  });
}

export function addBuiltInActions(automations: Command): void {
  const list = automations
    .command('built-in-actions [action]')
    .description('list the built-in actions, or the settings of one')
    .action(async (name: string | undefined) => {
      const { partbook, output, signal } = openSession(list);
      const { items } = await partbook('GET /automations/built-in-actions', {}, { signal });
      if (name === undefined) {
        await output.list(
          items,
          ({ action, description }) => `${action}: ${plain(description)}`,
          'There is no action.',
        );
        return;
      }
      const found = items.find(({ action }) => action === name);
      if (found === undefined)
        throw new UsageError(
          `There is no built-in action "${name}". There are: ${items.map(({ action }) => action).join(', ')}.`,
        );
      output.answer(found, () => settingsText(found));
    });
}

/** A line for each setting; those that are needed are marked. */
function settingsText({ action, description, settingsSchema }: BuiltInActions['items'][number]): string {
  const { properties = {}, required = [] } = settingsSchema as Partial<
    NonNullable<EntityAction['parameters']>
  >;
  const lines = Object.entries(properties).map(([name, field]) => {
    const choices = 'enum' in field && field.enum !== undefined ? ` (${field.enum.join(', ')})` : '';
    const needed = required.includes(name) ? ', required' : '';
    return `  ${name}: ${field.type}${choices}${needed}. ${plain(field.description ?? field.title ?? '')}`;
  });
  return [`${action}: ${plain(description)}`, ...lines].join('\n');
}

function keepField(text: string, fields: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--set is written as field=value, not "${text}".`);
  return { ...fields, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Converts what was typed to the type of its field; the service checks the rest. */
function typedValues(set: Record<string, string>, form: EntityAction['parameters']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(set).map(([name, text]) => {
      const type = form?.properties[name]?.type;
      if ((type === 'number' || type === 'integer') && text.trim() !== '' && Number.isFinite(Number(text)))
        return [name, Number(text)];
      if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true'];
      return [name, text];
    }),
  );
}

function outcomeText({ id, status, result, logs, changes, error }: AutomationRun): string {
  return [
    ...logs.map(({ level, message, line }) => `${line ?? '?'} ${level}: ${plain(message)}`),
    ...changes.map((change) => `changed: ${plain(JSON.stringify(change))}`),
    ...(error === null ? [] : [`${error.line ?? '?'} ${error.kind}: ${plain(error.message)}`]),
    status === 'succeeded' ? `succeeded: ${plain(JSON.stringify(result))}` : `${status}: run ${shown(id)}`,
  ].join('\n');
}
