import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type {
  BelowReorderPointMessage,
  EntityCreatedMessage,
  EntityUpdatedMessage,
  FeatureTriggeredMessage,
  ImportCompletedMessage,
  ImportNotCleanMessage,
  LifecycleTransitionedMessage,
  OrderChangedMessage,
  PlanningFinishedMessage,
  ScheduleFiredMessage,
  Entity as ShownEntity,
  StockPosition as ShownPosition,
  StockMovedMessage,
  ThresholdCrossedMessage,
  Use,
} from '../../../clients/typescript/generated/types.ts';
import type {
  Contexts,
  Entity,
  StockPosition,
  StructureItem,
} from '../../../src/automation/conductor/api.d.ts';
import {
  type ApiArguments,
  type ApiMethod,
  type apiArguments,
  apiMethods,
} from '../../../src/automation/conductor/api.schema.ts';
import { showScriptTypes } from '../../../src/automation/show-script-types.ts';
import { openTestPool } from './open-test-pool.ts';

type Schemas = typeof apiArguments;

describe('api.d.ts and the schemas of the host are in step', () => {
  test('what the declarations allow is what the schemas take and give (checked by tsc)', () => {
    expectTypeOf<ApiArguments>().toExtend<{ [M in ApiMethod]: z.input<Schemas[M]> }>();
    expectTypeOf<{ [M in ApiMethod]: z.output<Schemas[M]> }>().toExtend<ApiArguments>();
    expectTypeOf<keyof Schemas>().toEqualTypeOf<ApiMethod>();
  });

  test('what scripts are given is what the interface shows, also where a number is missing (checked by tsc)', () => {
    expectTypeOf<ShownEntity>().toExtend<Entity>();
    expectTypeOf<Use>().toExtend<StructureItem>();
    expectTypeOf<ShownPosition>().toExtend<StockPosition>();
    interface Sent {
      1: LifecycleTransitionedMessage['data'];
      2: ImportCompletedMessage['data'];
      3: EntityCreatedMessage['data'];
      4: EntityUpdatedMessage['data'];
      5: FeatureTriggeredMessage['data'];
      6: StockMovedMessage['data'];
      7: OrderChangedMessage['data'];
      8: ScheduleFiredMessage['data'];
      9: ThresholdCrossedMessage['data'];
      10: ImportNotCleanMessage['data'];
      11: BelowReorderPointMessage['data'];
      12: PlanningFinishedMessage['data'];
    }
    expectTypeOf<Sent>().toExtend<Contexts>();
    // A script gets every event whole; only a message may leave something out.
    type Omitted = 'changesOmitted' | 'parametersOmitted';
    expectTypeOf<{ [Id in keyof Sent]: Exclude<keyof Sent[Id], Omitted> }>().toEqualTypeOf<{
      [Id in keyof Contexts]: keyof Contexts[Id];
    }>();
  });

  test('a script has these methods and the loggers', async () => {
    const names = `[...Object.keys(api), ...Object.keys(api.actions).map((name) => 'actions.' + name)]`;
    const { result } = await openTestPool().run(`return ${names}.filter((name) => name !== 'actions')`);
    expect(result).toEqual(['log', 'warn', 'error', ...apiMethods]);
  });
});

describe('the declarations that authors get', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partbook-script-types-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Error codes and lines that the compiler gives for a script of that context type. */
  async function compile(contextTypeId: keyof Contexts, script: string): Promise<string[]> {
    const types = join(folder, `types-${contextTypeId}.d.ts`);
    const file = join(folder, `script-${contextTypeId}.ts`);
    await writeFile(types, await showScriptTypes(contextTypeId));
    await writeFile(file, `(async () => {\n${script}\n})();\n`);
    const options = [
      '--noEmit',
      '--strict',
      '--ignoreConfig',
      '--target',
      'es2023',
      '--lib',
      'es2023',
      '--types',
      '',
      types,
      file,
    ];
    const { stdout } = await promisify(execFile)('node_modules/.bin/tsc', options).catch(
      (error: { stdout: string }) => error,
    );
    return [...stdout.matchAll(/(types|script)[^(]*\((\d+),\d+\): error (TS\d+)/g)].map(
      ([, where, line, code]) => `${where} ${Number(line) - 1} ${code}`,
    );
  }

  test('let a script through that is right', async () => {
    const script = `if (context.toState !== 'Released') return
const part = await api.getEntity(context.entityId)
const { items, nextCursor } = await api.findEntities({ category: part.category, q: 'bolt', limit: 10 })
for (const use of await api.getUses(part.id)) api.log(use.number, use.quantity * 2)
await api.setProperties('guid:' + part.E_Guid, { Mass: 1.5, Checked: true, Note: null })
if (items.length === 0 && nextCursor === null) await api.transition(part.id, 'Obsolete', { note: 'none' })
const [position] = await api.getPositions({ itemEntityId: part.id })
console.warn(position?.available ?? 0)
const made = await api.createEntity({ category: 'part', name: 'x', properties: { Mass: 1 } })
return made.number`;
    expect(await compile(1, script)).toEqual([]);
  });

  test('stop one that is wrong', async () => {
    const script = `context.toState
await api.getEntity(5)
await api.findEntities({ qq: 'x' })
await api.getPositions({})
await api.dropEntity('x')
process.exit()
context.changes.map((change) => change.property)`;
    const lines = (await compile(4, script)).map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(lines).toEqual(['script 1', 'script 2', 'script 3', 'script 4', 'script 5', 'script 6']);
  });
});
