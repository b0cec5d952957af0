/**
 * The order of the files: those that take longest begin first, so that no core waits for one that began last. Without
 * it a fresh clone goes by the size of the files, which says little.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** About half a minute each or more on two cores, the longest first. */
const long = [
  'test/web/pages.test.ts',
  'test/plans/newcomer.test.ts',
  'test/automation/runs/interrupted.test.ts',
  'test/automation/runs/fairness.test.ts',
  'test/sync/interrupted.test.ts',
  'test/sync/hostile.test.ts',
  'test/sync/edits-at-every-step.test.ts',
  'test/main/rolling-restart.test.ts',
  'test/http/loop-of-every-operation.test.ts',
  'test/procurement/sequences.test.ts',
  'test/automation/sandbox/hostile-scripts.test.ts',
  'test/sync/rules-in-many-chunks.test.ts',
  'test/queue/redis-groups.test.ts',
  'test/http/loop.test.ts',
  'test/http/contract.test.ts',
  'test/transfer/transfer.test.ts',
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
