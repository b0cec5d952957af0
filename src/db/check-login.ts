/**
 * The walls between workspaces and around the ledger hold because the service's login owns nothing and is
 * nobody: PostgreSQL refuses what a forgotten predicate or an injected statement would do. A login that could
 * lift them turns them into good intentions, so that the service does not start with one.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { APPLICATION_ROLE, type Db } from './connect.ts';
import {
  type LoginMight,
  type RoleInForce,
  selectLoginMight,
  selectRoleExists,
  selectRoleInForce,
  selectUngranted,
} from './login-might.sql.ts';
import { inTransaction, SYSTEM_ROLE, sqlState } from './transaction.ts';
import { DatabaseHosts, onWritableHost } from './wire/database-hosts.ts';

const ROLES = [APPLICATION_ROLE, SYSTEM_ROLE];
/** Two that make one role or one membership at once: already there, not unique, "tuple concurrently updated". */
const AT_ONCE = new Set(['42710', '23505', 'XX000']);
const ADMIT_ATTEMPTS = 5;
/** Placeholder for no workspace: a transaction that checks its role needs none. */
const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** Throws with a sentence for each thing that the login of this URL can do and must not, or cannot and must. */
export async function checkLogin(url: string): Promise<void> {
  const might = await asLogin(url, async (client) => {
    const { rows } = await client.query<LoginMight>(selectLoginMight, [ROLES]);
    return rows[0] as LoginMight;
  });
  const faults = faultsOf(might);
  if (faults.length === 0) return;
  throw new Error(
    `The login "${might.login}" of DATABASE_URL ${faults.join('; it ')}. The service needs a login that owns nothing ` +
      `and is a member of ${ROLES.join(' and ')}; the owner of the schema belongs into DATABASE_MIGRATION_URL.`,
  );
}

function faultsOf(might: LoginMight): string[] {
  // Of a superuser everything else is true as well.
  if (might.superuser) return ['is a superuser: neither row-level security nor privileges bind it'];
  const list = (names: readonly string[]) => names.join(', ');
  return [
    ...(might.mighty_roles.length > 0
      ? [`is or can become ${list(might.mighty_roles)}, which sees past row-level security`]
      : []),
    ...(might.owns_database ? ['owns the database, and can drop what is in it'] : []),
    ...(might.owned_tables.length > 0
      ? [`owns tables (${list(might.owned_tables)}, …), and can lift their policies and triggers`]
      : []),
    ...(might.open_tables.length > 0
      ? [`may empty tables or add triggers to them (${list(might.open_tables)}, …)`]
      : []),
    ...(might.may_silence_triggers ? ['may set session_replication_role, which silences triggers'] : []),
    ...(might.missing_roles.length > 0
      ? [`finds no role ${list(might.missing_roles)}: the schema has not been migrated`]
      : []),
    ...(might.barred_roles.length > 0 ? [`is no member of ${list(might.barred_roles)}`] : []),
  ];
}

/** Throws unless work of a workspace runs as the role that its policies are made for, and bound by them. */
export async function checkRoleInForce(db: Db): Promise<void> {
  const [inForce] = await inTransaction(
    db,
    { workspaceId: NO_WORKSPACE },
    (tx) => tx.query<RoleInForce>(selectRoleInForce, [SYSTEM_ROLE]),
    { readOnly: true },
  );
  const role = inForce?.role;
  if (role !== APPLICATION_ROLE)
    throw new Error(
      `Statements run as "${role}" and not as ${APPLICATION_ROLE}: the setting is lost on the way`,
    );
  if (inForce?.bound !== true || inForce.sees_all)
    throw new Error(`Row-level security does not bind ${role}: a workspace would see those of others`);
}

/**
 * Lets the login of `serviceUrl` in, as the owner of the schema, which made the service's roles: makes it where
 * there is none of that name, with the password of the URL, and makes it a member of those roles. One that is
 * there keeps its password. Safe to call from several starting processes at once.
 */
export async function admitLogin(ownerUrl: string, serviceUrl: string): Promise<void> {
  const { username, password } = loginOf(serviceUrl);
  const login = decodeURIComponent(username);
  if (login === '' || login === decodeURIComponent(loginOf(ownerUrl).username)) return;
  await asLogin(ownerUrl, async (client) => {
    const name = client.escapeIdentifier(login);
    for (let attempt = 1; ; attempt++) {
      try {
        const known = await client.query(selectRoleExists, [login]);
        if (known.rowCount === 0) {
          const secret = client.escapeLiteral(scramVerifier(decodeURIComponent(password)));
          await client.query(`create role ${name} login password ${secret}`);
        }
        const { rows } = await client.query<{ name: string }>(selectUngranted, [ROLES, login]);
        for (const role of rows) {
          // Not inherited: a statement that runs as nobody in particular reads and writes nothing.
          const granted = client.escapeIdentifier(role.name);
          await client.query(`grant ${granted} to ${name} with inherit false, set true`);
        }
        return;
      } catch (error) {
        // Roles belong to the whole server: another process, on another database of it, does the same.
        if (attempt >= ADMIT_ATTEMPTS || !AT_ONCE.has(sqlState(error) ?? '')) throw error;
      }
    }
  });
}

function loginOf(url: string): { username: string; password: string } {
  return new URL(new DatabaseHosts(url).url);
}

/**
 * Returns the verifier that PostgreSQL stores for a password (RFC 5803). It is sent instead of the password, which
 * then stands in no log of the server.
 */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}

async function asLogin<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  return onWritableHost(new DatabaseHosts(url), { application_name: 'partbook start' }, work);
}
