/** Signing in: by a key, a code, or as a person. Pages that begin with a session load nothing of this. */
import type { PersonSession, Session, SignIn } from '../client/operations.ts';
import { call, Refusal } from '../client/request.ts';
import { type KnownWorkspace, knownWorkspaces, remember } from './sessions.ts';

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

/** The form waits no longer than this for other workspaces to answer. */
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
