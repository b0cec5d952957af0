/** Who is signed in to the workspace of this tab, and what that allows. */
import { createContext, useContext } from 'react';
import type { Session } from './operations.ts';

export type Area = Session['areas'][number];

/** Areas of which one lets a user run actions. */
export const AREAS_OF_ACTIONS = ['stock', 'procurement', 'engineering', 'configuration'] as const;

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Only pages of a workspace ask who is signed in.');
  return session;
}

/** Says whether the user may do what needs that area, or one of those. What they may not do is not shown. */
export function useMay(area: Area | readonly Area[]): boolean {
  return allows(useSession(), area);
}

export function allows({ areas }: Pick<Session, 'areas'>, area: Area | readonly Area[]): boolean {
  return [area].flat().some((one: Area) => areas.includes(one));
}
