/** Who is signed in to the workspace of this tab, and what that allows. */
import { createContext, useContext } from 'react';
import type { Session } from './operations.ts';

export type Permission = Session['permission'];

const order: readonly Permission[] = ['read', 'write', 'admin'];

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Only pages of a workspace ask who is signed in.');
  return session;
}

/** Whether the key may do that; what it may not do is not shown. */
export function useMay(permission: Permission): boolean {
  return allows(useSession().permission, permission);
}

export function allows(held: Permission, wanted: Permission): boolean {
  return order.indexOf(held) >= order.indexOf(wanted);
}
