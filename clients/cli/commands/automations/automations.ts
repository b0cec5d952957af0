/**
 * `partbook automations test|push|pull|logs|run|actions|built-in-actions`: scripts as files, so that they can be reviewed and kept in version control.
 * `automations.json` beside them says what each one is.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type {
  AutomationRun,
  AutomationRunSummary,
  ScriptTestResult,
} from '../../../typescript/generated/types.ts';
import { listPages, type Page } from '../../../typescript/list-items.ts';
import { countOf } from '../../count-of.ts';
import { Ended, exitCodes } from '../../exit-codes.ts';
import {
  automationOf,
  customOf,
  fileNameOf,
  type Kept,
  MANIFEST,
  readJson,
  readText,
  settingsOf,
} from '../../files/script-files.ts';
import { plain, shown } from '../../output.ts';
import { openSession, type Session } from '../../session.ts';
import { pathHere } from '../../surroundings.ts';
import { FirstItems, type LimitFlags, limited, wholeNumber } from '../../take-items.ts';
import { addPush } from './automations-push.ts';
import { addActions, addBuiltInActions, addRun } from './automations-run.ts';

export function addAutomations(program: Command): void {
  const automations = program
    .command('automations')
    .description('manage automation scripts as files, run them and read their logs');
  addTest(automations);
  addPull(automations);
  addPush(automations);
  addLogs(automations);
  addRun(automations);
  addActions(automations);
  addBuiltInActions(automations);
}

interface TestFlags {
  context?: string;
  contextType?: string;
}

function addTest(automations: Command): void {
  const test = automations
    .command('test <file>')
    .description('run a script now and roll back everything that it writes')
    .option('--context <file>', 'the context object, as JSON')
    .option(
      '--context-type <id>',
      '1 transition, 2 import, 3 created, 4 updated, 5 feature, 6 stock, 7 order, 8 schedule, 9 threshold, 10 import not clean, 11 below reorder point, 12 planning run finished',
    )
    .action(async (file: string, { context, contextType }: TestFlags) => {
      const { partbook, output, signal } = openSession(test);
      const body = {
        script: readText(file),
        ...(context === undefined ? {} : { context: readJson(context) as Record<string, unknown> }),
        ...(contextType === undefined ? {} : { contextTypeId: wholeNumber('--context-type', contextType) }),
      };
      const result = await partbook('POST /automations/test', { body }, { signal });
      output.answer(result, () => testText(file, result));
      if (!result.ok) throw new Ended(exitCodes.failed);
    });
}

function testText(file: string, { ok, result, logs, error, changes, durationMs }: ScriptTestResult): string {
  return [
    ...logs.map(({ level, message, line }) => `${file}:${line ?? '?'} ${level}: ${plain(message)}`),
    ...changes.map((change) => `would change: ${JSON.stringify(change)}`),
    ...(error === null
      ? []
      : [`${file}:${error.line ?? '?'}:${error.column ?? '?'} ${error.kind}: ${plain(error.message)}`]),
    ok ? `ok in ${Math.round(durationMs)} ms: ${JSON.stringify(result)}` : 'failed',
  ].join('\n');
}

function addPull(automations: Command): void {
  const pull = automations
    .command('pull [folder]')
    .description('download the scripts of the workspace into files')
    .action(async (folder = 'automations') => {
      const session = openSession(pull);
      mkdirSync(pathHere(folder), { recursive: true });
      const kept: Kept[] = [];
      const taken = new Set<string>();
      for (const automation of await customOf(session)) {
        const { name, description, contextTypeId, enabled, script } = automation;
        const file = fileNameOf(name, taken);
        writeFileSync(pathHere(join(folder, file)), script);
        kept.push({ file, name, description, contextTypeId, enabled, ...settingsOf(automation) });
      }
      writeFileSync(pathHere(join(folder, MANIFEST)), `${JSON.stringify(kept, null, 2)}\n`);
      session.output.say(`${countOf(kept.length, 'script')} in ${folder}.`);
    });
}

interface LogFlags extends LimitFlags {
  failed?: boolean;
  by?: string;
}

function addLogs(automations: Command): void {
  const logs = automations
    .command('logs [name]')
    .description('list runs of one automation or of all, newest first, with their logs')
    .option('--failed', 'only failed runs')
    .option('--by <id>', 'only runs that the member or key with this id has triggered');
  limited(logs, 20).action(async (name: string | undefined, { failed, by, ...flags }: LogFlags) => {
    const session = openSession(logs);
    const { partbook, output, signal } = session;
    // Once for all runs: there are far fewer automations.
    const all = name === undefined && output.form !== 'text' ? [] : await customOf(session);
    const known = name === undefined ? undefined : automationOf(all, name);
    const query = {
      ...(failed === true ? ({ status: 'failed' } as const) : {}),
      ...(by === undefined ? {} : { triggeredBy: by }),
    };
    const runs: AsyncIterable<Page<AutomationRunSummary>> =
      known === undefined
        ? listPages(partbook, 'GET /automation-runs', { query }, { signal })
        : listPages(partbook, 'GET /automations/{id}/runs', { id: known.id, query }, { signal });
    const names = new Map(all.map((one) => [one.id, one.name]));
    const first = new FirstItems(runs, flags, output);
    await output.list(
      wholeRuns(session, first),
      (run) => runText(run, names),
      `${name ?? 'The workspace'} has no ${failed === true ? 'failed ' : ''}runs${by === undefined ? '' : ' by this caller'}.`,
    );
    first.tellMore();
  });
}

async function* wholeRuns(
  { partbook, signal }: Session,
  runs: AsyncIterable<AutomationRunSummary>,
): AsyncGenerator<AutomationRun> {
  for await (const { id } of runs) yield await partbook('GET /automation-runs/{id}', { id }, { signal });
}

/** Runs stay when their automation is deleted, and then nothing has its name any more. */
function runText(run: AutomationRun, names: ReadonlyMap<string, string>): string {
  const { id, automationId, finishedAt, event, status, logs, error, triggeredBy } = run;
  const name = shown(names.get(automationId) ?? `deleted automation ${automationId}`);
  const by = triggeredBy === null ? '' : ` by ${shown(triggeredBy.name)}`;
  return [
    `${finishedAt ?? event.at}  ${status}  ${name}  ${event.contextType}${ofEntity(run)}${by}  ${id}`,
    ...logs.map(({ level, message, line }) => `  ${line ?? '?'} ${level}: ${plain(message)}`),
    ...(error === null ? [] : [`  ${error.line ?? '?'} ${error.kind}: ${plain(error.message)}`]),
  ].join('\n');
}

/** As other commands take it. */
function ofEntity({ context: { entityNumber, entityGuid, entityId } }: AutomationRun): string {
  if (typeof entityNumber === 'string') return ` of ${shown(entityNumber)}`;
  if (typeof entityGuid === 'string') return ` of guid:${entityGuid}`;
  return typeof entityId === 'string' ? ` of ${entityId}` : '';
}
