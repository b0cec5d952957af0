import { describe, expect, expectTypeOf, test } from 'vitest';
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
