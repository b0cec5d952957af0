/** How every program begins that reads settings: what is wrong with them ends it, and what nobody reads of them is said. */
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig, unreadSettings } from '../config.ts';
import { openLog } from '../log.ts';

/** Ends the process with 2 where the configuration is not valid. */
export function beginService(role: string): { config: Config; log: Logger } {
  const config = configOrExit();
  return { config, log: tellUnread(openLog(config, role)) };
}

/** Begins a command: its standard output is its result, and it logs only warnings. */
export function beginCommand(name: string): { config: Config; log: Logger } {
  const config = configOrExit();
  const LOG_LEVEL = config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL;
  return { config, log: tellUnread(openLog({ LOG_LEVEL }, name, { destination: process.stderr })) };
}

function tellUnread(log: Logger): Logger {
  for (const setting of unreadSettings(process.env))
    log.warn({ setting }, 'nobody reads this setting: it is misspelled, or of another version of Partbook');
  return log;
}

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`The configuration is not valid:\n${error.message}\n`);
    process.exit(2);
  }
}
