/** Signing in and out, and the workspaces that this browser has been in (names only: no secret is kept). */
import type { PersonSession, Session, SignIn } from '../client/operations.ts';
import { call, Refusal } from '../client/request.ts';
import { currentSlug } from '../client/workspace.ts';

const PLACE = 'partbook.workspaces';
const WORKSPACES_MAX = 20;

export interface KnownWorkspace {
  slug: string;
  name: string;
}

/** Opens a session by a key, or by the code that a service on this machine printed. */
export async function signIn(given: SignIn): Promise<Session> {
  const session = await call('signIn', { body: given });
  remember(session.workspace);
  return session;
}

/**
 * Answers with the session of a person in that workspace, or in the first of the person's workspaces. Throws where the person is a member of
 * none, or not of that one.
 */
export async function enterAsPerson(person: PersonSession, slug?: string): Promise<Session> {
  for (const workspace of person.workspaces) remember(workspace);
  const wanted = slug ?? person.workspaces[0]?.slug;
  if (wanted === undefined)
    throw new Error(
      `You are known as ${person.person.name}, but no workspace has you as a member. Ask an administrator.`,
    );
  if (!person.workspaces.some((one) => one.slug === wanted))
    throw new Error(
      `You are known as ${person.person.name}, but are no member of ${wanted}. Ask an administrator.`,
    );
  return call('getSession', {}, { slug: wanted });
}

/** Who is signed in to the workspace of this address; null: nobody. */
export async function findSession(): Promise<Session | null> {
  try {
    const session = await call('getSession', {});
    remember(session.workspace);
    return session;
  } catch (error) {
    // Who has no key of this workspace is not told whether there is one of that name.
    if (error instanceof Refusal && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}

/** Whoever only wants to sign in does not wait for longer for what may be asked of other workspaces. */
const ANSWER_MS = 3000;

/**
 * In which of the workspaces that this browser has been in somebody is signed in, the last one first. One that cannot be asked, or does not
 * answer in time, counts as none where another answers.
 */
export async function findSessions(): Promise<readonly KnownWorkspace[]> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const asked = await Promise.allSettled(
    knownWorkspaces().map(({ slug }) =>
      call('getSession', {}, { slug, signal }).then(({ workspace }) => workspace),
    ),
  );
  const found = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = asked.find((one) => one.status === 'rejected' && !isSignedOut(one.reason));
  if (found.length === 0 && failed?.status === 'rejected') throw failed.reason;
  return found;
}

/** Nobody is, or the workspace is elsewhere by now: signing in says what of it. */
function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && [401, 403, 404, 410].includes(error.status);
}

/** Returns where the browser goes to sign out at the identity provider too; null where there is nothing to do. */
export async function signOut({ actor }: Pick<Session, 'actor'>): Promise<string | null> {
  const ended =
    actor.type === 'member'
      ? await call('signOutPerson', {}).catch(() => null)
      : await call('signOut', {}).catch(() => null);
  forget(currentSlug());
  return ended?.endSessionUrl ?? null;
}

export function knownWorkspaces(): readonly KnownWorkspace[] {
  try {
    const kept = JSON.parse(window.localStorage.getItem(PLACE) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept.filter(isKnownWorkspace) : [];
  } catch {
    return [];
  }
}

function isKnownWorkspace(kept: unknown): kept is KnownWorkspace {
  const { slug, name } = (kept ?? {}) as Partial<Record<keyof KnownWorkspace, unknown>>;
  return typeof slug === 'string' && typeof name === 'string';
}

function remember(workspace: KnownWorkspace): void {
  const others = knownWorkspaces().filter(({ slug }) => slug !== workspace.slug);
  const kept = [{ slug: workspace.slug, name: workspace.name }, ...others].slice(0, WORKSPACES_MAX);
  window.localStorage.setItem(PLACE, JSON.stringify(kept));
}

function forget(slug: string): void {
  const kept = knownWorkspaces().filter((known) => known.slug !== slug);
  window.localStorage.setItem(PLACE, JSON.stringify(kept));
}
