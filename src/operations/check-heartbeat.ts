/** The worker container's health check: exits with 0 while the heartbeat is young. */
import { statSync } from 'node:fs';
import { HEARTBEAT_FILE, HEARTBEAT_PERIOD_MS } from './heartbeat.ts';

const ageMs = (): number => {
  try {
    return Date.now() - statSync(HEARTBEAT_FILE).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

process.exit(ageMs() < 3 * HEARTBEAT_PERIOD_MS ? 0 : 1);
