/** Caller and workspace, which authentication passes to every route. */

/** Kinds of actors: keys, persons as members of a workspace, the operator, automations, the service itself. */
export const actorTypes = ['apiKey', 'member', 'operator', 'automation', 'system'] as const;

export interface Actor {
  type: (typeof actorTypes)[number];
  /** The id of the API key, the member or the automation; history points to it. */
  id: string;
  name: string;
}

export interface Workspace {
  id: string;
  slug: string;
  name: string;
}

/** The service itself, for what it does of its own accord. */
export const SYSTEM: Actor = {
  type: 'system',
  id: '00000000-0000-0000-0000-000000000001',
  name: 'Partbook',
};

/** The holder of the operator token as an actor of the instance, for audit rows of what it does inside a workspace. */
export const OPERATOR: Actor = {
  type: 'operator',
  id: '00000000-0000-0000-0000-000000000000',
  name: 'Operator',
};

/** A person as an operator: history names the person, and the kind of actor says that no member acted. */
export function operatorOf({ id, name }: { id: string; name: string }): Actor {
  return { type: 'operator', id, name: `${name} (operator)` };
}
