/**
 * Asks the provider about persons who are signed in, by their refresh tokens: one process at a time about each, by a lease that is taken
 * before the token is sent. A provider that rotates tokens would refuse the second of two, and then the first one's too.
 */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import {
  answerIdentityCheck,
  claimIdentityCheck,
  endSessionsOfIdentity,
  keepGroups,
} from '../provider/identity.sql.ts';
import type { Provider } from '../provider/provider.ts';
import { applyGroups } from './apply-groups.ts';
import { applyOperatorGroup } from './apply-operator-group.ts';

export interface Checking {
  db: Db;
  log: Pick<Logger, 'info' | 'warn'>;
  config: Config;
  provider: Provider | null;
}

interface Due {
  subject: string;
  person_id: string;
  refresh_token: string;
  silent_seconds: number;
  is_open: boolean;
}

const PERIOD_MS = 30_000;
/** Longer than the calls of one check can take. */
const LEASE_SECONDS = 120;

export function startChecking(checking: Checking): PeriodicLoop | null {
  const { provider, log } = checking;
  if (provider === null) return null;
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at random',
    run: (signal) => checkIdentities(checking, provider, signal),
    failure: { log, message: 'checks of persons at the provider have to wait' },
  });
}

/** Checks every identity that is due, until the provider is away. Returns how many it answered about. */
export async function checkIdentities(
  checking: Checking,
  provider: Provider,
  signal?: AbortSignal,
): Promise<number> {
  const { db } = checking;
  for (let answered = 0; ; answered++) {
    if (signal?.aborted === true) return answered;
    const [due] = await inTransaction(db, 'instance', (tx) =>
      tx.query<Due>(claimIdentityCheck, [provider.issuer, LEASE_SECONDS]),
    );
    if (due === undefined || !(await check(checking, provider, due))) return answered;
  }
}

/** Returns false if the provider gave no answer. */
async function check(checking: Checking, provider: Provider, due: Due): Promise<boolean> {
  const { db, log, config } = checking;
  const { subject, person_id: personId, refresh_token: former } = due;
  const keep = (token: string | null) =>
    inTransaction(db, 'instance', async (tx) => {
      const next = config.OIDC_CHECK_MINUTES * 60;
      const asked = [provider.issuer, subject, former, token, next];
      const [row] = await tx.query<{ written: boolean }>(answerIdentityCheck, asked);
      if (token === null && row?.written === true) await endSessions();
      return row?.written === true;

      async function endSessions(): Promise<void> {
        await tx.query(endSessionsOfIdentity, [provider.issuer, subject, null]);
      }
    });
  // Nobody is signed in: the next sign-in brings another token.
  if (!due.is_open) {
    await keep(null);
    return true;
  }
  const answer = await provider.refresh(former, subject);
  if (answer === 'away') {
    if (due.silent_seconds < config.OIDC_SILENT_HOURS * 3600) return false;
    await keep(null);
    log.warn({ personId }, 'sessions ended: the provider has been silent for too long');
    return true;
  }
  if (answer === 'gone') {
    if (await keep(null)) {
      // Another way to sign in would keep the console open to somebody whom the provider no longer knows.
      await applyOperatorGroup({ db, log, config }, { id: personId, groups: [] });
      log.info({ personId }, 'sessions ended: the provider does not know the person any more');
    }
    return true;
  }
  // Before anything else can fail: the former token may not work any more.
  await keep(answer.refreshToken);
  if (answer.groups !== null) {
    const { name, groups } = answer;
    await inTransaction(db, 'instance', (tx) => tx.query(keepGroups, [provider.issuer, subject, groups]));
    await applyGroups({ db, log, config }, { id: personId, name, groups });
  }
  return true;
}
