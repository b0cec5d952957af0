/**
 * A script pool whose threads start when they are first needed and end when nobody has needed them for long: many a
 * process never runs a script, and its threads hold as much memory as the rest of it.
 */
import { type ScriptPool, type ScriptPoolOptions, ThreadedScriptPool } from './script-pool.ts';

const IDLE_MS = 600_000;

export function lazyScriptPool(
  options: ScriptPoolOptions,
  idleMs = IDLE_MS,
  open: (options: ScriptPoolOptions) => ScriptPool = (wanted) => new ThreadedScriptPool(wanted),
): ScriptPool {
  let pool: ScriptPool | null = null;
  let users = 0;
  let idle: NodeJS.Timeout | undefined;
  const endIdle = () => {
    // No task uses the pool, and the next one opens another.
    void pool?.close();
    pool = null;
  };
  const use = async <T>(work: (opened: ScriptPool) => Promise<T>): Promise<T> => {
    clearTimeout(idle);
    pool ??= open(options);
    users += 1;
    try {
      return await work(pool);
    } finally {
      users -= 1;
      if (users === 0) idle = setTimeout(endIdle, idleMs).unref();
    }
  };
  return {
    threads: options.threads,
    runScript: (run) => use((opened) => opened.runScript(run)),
    runScripts: (job) => use((opened) => opened.runScripts(job)),
    checkSyntax: (source) => use((opened) => opened.checkSyntax(source)),
    close: async () => {
      clearTimeout(idle);
      await pool?.close();
    },
  };
}
