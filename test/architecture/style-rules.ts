/** What the style checks let pass, each with its reason. An entry that is no longer needed fails the check. */

export const LINES_MAX = 300;
/** A test reads from the top down and is looked up by its sentences: it may be longer. */
export const TEST_LINES_MAX = 600;

/** Files that are longer than that. */
export const longFiles: Readonly<Record<string, string>> = {
  'migrations/20261120_0001_floor.ts': 'A migration never changes; the first one makes the whole floor.',
  'src/automation/sandbox/evaluate-script.ts': 'One run of a script, from its first limit to its last.',
};

/** Tests that let time pass, and why nothing can be waited for instead. */
export const timedTests: Readonly<Record<string, string>> = {
  'test/http/serve.test.ts': 'A slow handler, and proof that nothing is logged after a client has gone.',
  'test/automation/conductor/script-pool.test.ts':
    'Scripts that are slow, and pools that have to wait for them.',
  'test/stock/lists.test.ts': 'Entries of different milliseconds, to ask for the time between them.',
  'test/stock/races.test.ts': 'Repeats a call until the server has noticed a death.',
};

/** Statements of several lines that stand outside `.sql.ts`: file to reason. */
export const sqlElsewhere: Readonly<Record<string, string>> = {
  'src/entities/lock-structure.ts': 'The lock and its count, three lines each.',
  'src/automation/runs/resolve-ref.ts': 'One statement that is the file.',
  'src/idempotency/idempotency-key.ts': 'Three statements that are the file.',
  'src/entities/resolve-entity.ts': 'One statement that is the file.',
  'src/entities/search-entities.ts': 'A statement that is put together from filters.',
};

/** Files that read the environment: configuration is read in one place. */
export const environmentReaders: Readonly<Record<string, string>> = {
  'src/main.ts': 'Hands the environment to config.ts.',
  'src/stock/verify-ledger.command.ts': 'A command: hands the environment to config.ts.',
  'src/embedded/': 'PATH and the proxies for child processes.',
};
