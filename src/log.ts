/** Logging: pino, JSON lines on standard output, without keys, tokens or payloads. */
import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export function openLog(config: Pick<Config, 'LOG_LEVEL'>, role: string): Logger {
  return pino({
    level: config.LOG_LEVEL,
    base: { role, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['*.authorization', '*.apiKey', '*.key', '*.operatorToken', '*.password', '*.databaseUrl'],
  });
}
