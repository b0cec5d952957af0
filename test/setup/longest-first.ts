/**
 * The order of the files: those that take longest begin first, so that no core waits for one that began last. Without
 * it a fresh clone goes by the size of the files, which says little.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** About half a minute each or more on two cores, the longest first. */
const long = [
  'test/web/pages.test.ts',
  'test/plans/newcomer.test.ts',
  'test/http/loop-of-every-operation.test.ts',
  'test/automation/sandbox/hostile-scripts.test.ts',
  'test/sync/interrupted.test.ts',
  'test/clients/cli.test.ts',
  'test/main/rolling-restart.test.ts',
  'test/main/fault.test.ts',
  'test/sync/rules-in-many-chunks.test.ts',
  'test/sync/hostile.test.ts',
  'test/web/storekeeping.test.ts',
  'test/web/tasks.test.ts',
  'test/web/buying-and-storing.test.ts',
  'test/transfer/move.test.ts',
  'test/http/contract.test.ts',
  'test/queue/redis-groups.test.ts',
  'test/main/start.test.ts',
  'test/automation/runs/fairness.test.ts',
  'test/embedded/back-up.test.ts',
  'test/automation/runs/interrupted.test.ts',
  'test/embedded/dump.test.ts',
  'test/procurement/sequences.test.ts',
  'test/sync/sent-again.test.ts',
  'test/operations/faults.test.ts',
  'test/embedded/postgres.test.ts',
  'test/sync/edits-at-every-step.test.ts',
  'test/http/caller-gone.test.ts',
  'test/http/serve.test.ts',
  'test/web/console.test.ts',
  'test/web/structure.test.ts',
  'test/http/loop.test.ts',
  'test/entities/sort.test.ts',
  'test/clients/guides.test.ts',
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
