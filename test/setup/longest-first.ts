/**
 * The order of the files: those that take longest begin first, so that no core waits for one that began last. Without
 * it a fresh clone goes by the size of the files, which says little.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** About half a minute each or more on two cores, the longest first. */
const long = [
  'test/web/pages.test.ts',
  'test/plans/newcomer.deep.test.ts',
  'test/http/loop-of-every-operation.deep.test.ts',
  'test/automation/sandbox/hostile-scripts.deep.test.ts',
  'test/sync/interrupted.deep.test.ts',
  'test/clients/cli.deep.test.ts',
  'test/main/rolling-restart.deep.test.ts',
  'test/main/fault.deep.test.ts',
  'test/sync/rules-in-many-chunks.deep.test.ts',
  'test/sync/hostile.deep.test.ts',
  'test/web/storekeeping.test.ts',
  'test/web/tasks.test.ts',
  'test/web/shortage-list.test.ts',
  'test/web/cleanup.test.ts',
  'test/web/shell.test.ts',
  'test/web/buying-and-storing.test.ts',
  'test/transfer/move.deep.test.ts',
  'test/http/contract.test.ts',
  'test/queue/redis-groups.deep.test.ts',
  'test/main/start.deep.test.ts',
  'test/automation/runs/fairness.deep.test.ts',
  'test/embedded/back-up.deep.test.ts',
  'test/automation/runs/interrupted.deep.test.ts',
  'test/embedded/dump.deep.test.ts',
  'test/procurement/sequences.test.ts',
  'test/sync/unchanged.deep.test.ts',
  'test/operations/faults.deep.test.ts',
  'test/embedded/postgres.deep.test.ts',
  'test/sync/edits-at-every-step.deep.test.ts',
  'test/http/caller-gone.deep.test.ts',
  'test/http/serve.test.ts',
  'test/web/console.test.ts',
  'test/web/structure.test.ts',
  'test/http/loop.deep.test.ts',
  'test/entities/sort.deep.test.ts',
  'test/clients/guides.deep.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const at = long.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at === -1 ? long.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
