/** Who is signed in, signing out, and the workspaces that this browser has been in (names only: no secret is kept). */
import type { Session } from '../client/operations.ts';
import { call, Refusal } from '../client/request.ts';
import { currentSlug } from '../client/workspace.ts';

const PLACE = 'partbook.workspaces';
const WORKSPACES_MAX = 20;

export interface KnownWorkspace {
  slug: string;
  name: string;
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

export function remember(workspace: KnownWorkspace): void {
  const others = knownWorkspaces().filter(({ slug }) => slug !== workspace.slug);
  const kept = [{ slug: workspace.slug, name: workspace.name }, ...others].slice(0, WORKSPACES_MAX);
  window.localStorage.setItem(PLACE, JSON.stringify(kept));
}

function forget(slug: string): void {
  const kept = knownWorkspaces().filter((known) => known.slug !== slug);
  window.localStorage.setItem(PLACE, JSON.stringify(kept));
}
