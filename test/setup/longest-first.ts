/**
 * The order of the files. Those that take longest begin first, so that no core waits for one that began last. Those that start a
 * browser, which need all CPU that there is, are spread over the run: beside each of them run others, which mostly wait. Without this
 * a fresh clone goes by the size of the files, which says little.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds on two cores, in the core and in the deep tier, of files that take a quarter of a minute or more in one of them. */
const seconds: Readonly<Record<string, readonly [core: number, deep: number]>> = {
  'plans/newcomer.deep.test.ts': [0, 631],
  'http/loop-of-every-operation.deep.test.ts': [0, 485],
  'web/pages.test.ts': [61, 278],
  'web/storekeeping.test.ts': [107, 250],
  'clients/guides.deep.test.ts': [0, 224],
  'main/start.deep.test.ts': [0, 205],
  'sync/interrupted.deep.test.ts': [0, 148],
  'clients/cli.deep.test.ts': [0, 147],
  'automation/sandbox/hostile-scripts.deep.test.ts': [0, 143],
  'web/buying-and-storing.test.ts': [57, 133],
  'web/shortage-list.test.ts': [115, 17],
  'http/contract.test.ts': [38, 113],
  'transfer/move.deep.test.ts': [0, 109],
  'embedded/back-up.deep.test.ts': [0, 103],
  'automation/runs/fairness.deep.test.ts': [0, 88],
  'sync/unchanged.deep.test.ts': [0, 85],
  'queue/redis-groups.deep.test.ts': [0, 84],
  'main/rolling-restart.deep.test.ts': [0, 80],
  'web/tasks.test.ts': [76, 24],
  'web/buyers-lists.deep.test.ts': [0, 74],
  'web/cleanup.test.ts': [69, 14],
  'sync/rules-in-many-chunks.deep.test.ts': [0, 65],
  'procurement/build-sequences.test.ts': [4, 62],
  'web/shell.test.ts': [62, 32],
  'sync/hostile.deep.test.ts': [0, 59],
  'web/connection.deep.test.ts': [0, 56],
  'web/structure.test.ts': [27, 49],
  'automation/runs/interrupted.deep.test.ts': [0, 49],
  'sync/model.test.ts': [11, 47],
  'entities/conditions/conditions.test.ts': [4, 45],
  'embedded/postgres.deep.test.ts': [0, 45],
  'http/caller-gone.deep.test.ts': [0, 41],
  'procurement/sequences.test.ts': [17, 39],
  'stock/value.test.ts': [8, 38],
  'entities/sort.deep.test.ts': [0, 38],
  'http/page-bytes.deep.test.ts': [0, 37],
  'sync/side-by-side.deep.test.ts': [0, 37],
  'web/typed-figures.deep.test.ts': [0, 33],
  'operations/faults.deep.test.ts': [0, 31],
  'procurement/lines-by-day.deep.test.ts': [0, 30],
  'collaboration/inbox-mail.test.ts': [29, 0],
  'http/serve.test.ts': [29, 0],
  'automation/sandbox/unstoppable-scripts.deep.test.ts': [0, 29],
  'stock/lot-sequences.test.ts': [3, 28],
  'stock/kills.deep.test.ts': [0, 28],
  'entities/search-words.test.ts': [3, 27],
  'main/fault.deep.test.ts': [0, 27],
  'procurement/corrections-of-many.test.ts': [2, 26],
  'automation/conductor/script-pool.test.ts': [26, 0],
  'web/console.test.ts': [7, 25],
  'sync/held.deep.test.ts': [0, 25],
  'http/every-address.deep.test.ts': [0, 24],
  'sync/element-rules-in-many-chunks.deep.test.ts': [0, 24],
  'web/ending-orders.test.ts': [23, 11],
  'web/imports.test.ts': [19, 23],
  'sync/intake/intake.test.ts': [23, 0],
  'operations/console-silent.deep.test.ts': [0, 23],
  'operations/console-state.test.ts': [22, 0],
  'web/supply-of-requirements.test.ts': [21, 0],
  'planning/runs/series-of-runs.test.ts': [21, 0],
  'db/check-login.deep.test.ts': [0, 21],
  'web/standing.test.ts': [20, 5],
  'collaboration/killed.deep.test.ts': [0, 20],
  'automation/thresholds.test.ts': [19, 0],
  'http/loop.deep.test.ts': [0, 19],
  'main/young-garbage.deep.test.ts': [0, 19],
  'overview/overview.test.ts': [18, 0],
  'web/building.test.ts': [18, 0],
  'web/pending-links.test.ts': [18, 5],
  'cleanup/archive-races.deep.test.ts': [0, 18],
  'clients/long-lists.deep.test.ts': [0, 18],
  'web/lost-answers.deep.test.ts': [0, 18],
  'stock/standard-cost.test.ts': [4, 17],
  'stock/verify.test.ts': [17, 0],
  'http/forged-cursors.deep.test.ts': [0, 17],
  'sync/edits-at-every-step.deep.test.ts': [0, 17],
  'web/changed-meanwhile.test.ts': [5, 16],
  'stock/races.deep.test.ts': [0, 16],
  'web/room.deep.test.ts': [0, 16],
  'procurement/races.deep.test.ts': [0, 15],
  'web/reference.deep.test.ts': [0, 15],
};
const tier = ['deep', 'all'].includes(process.env.TEST_TIER ?? 'core') ? 1 : 0;
const OTHER_SECONDS = 3;
const OTHER_BROWSER_SECONDS = 10;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const browsers = sorted.filter(startsBrowser);
    const others = sorted.filter((file) => !startsBrowser(file));
    return [...placed(browsers), ...placed(others)]
      .toSorted((a, b) => a.place - b.place)
      .map(({ file }) => file);
  }
}

function startsBrowser({ moduleId }: TestSpecification): boolean {
  return moduleId.includes('/test/web/');
}

function secondsOf(file: TestSpecification): number {
  const [, name = ''] = file.moduleId.split('/test/');
  return seconds[name]?.[tier] ?? (startsBrowser(file) ? OTHER_BROWSER_SECONDS : OTHER_SECONDS);
}

/** The longest first, each with the part of the time of all that is over when it begins. */
function placed(files: TestSpecification[]): { file: TestSpecification; place: number }[] {
  const all = files.reduce((sum, file) => sum + secondsOf(file), 0);
  let before = 0;
  return files
    .toSorted((a, b) => secondsOf(b) - secondsOf(a))
    .map((file) => {
      const place = before / all;
      before += secondsOf(file);
      return { file, place };
    });
}
