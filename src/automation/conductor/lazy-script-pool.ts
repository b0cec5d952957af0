/** A script pool whose threads start when they are first needed: many a web process never tests a script. */
import { type ScriptPool, type ScriptPoolOptions, ThreadedScriptPool } from './script-pool.ts';

export function lazyScriptPool(options: ScriptPoolOptions): ScriptPool {
  let pool: ScriptPool | null = null;
  const opened = () => {
    pool ??= new ThreadedScriptPool(options);
    return pool;
  };
  return {
    threads: options.threads,
    runScript: (run) => opened().runScript(run),
    runScripts: (job) => opened().runScripts(job),
    checkSyntax: (source) => opened().checkSyntax(source),
    close: async () => {
      await pool?.close();
    },
  };
}
