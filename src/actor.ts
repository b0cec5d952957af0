/** Caller and workspace, which authentication passes to every route. */

export interface Actor {
  type: 'apiKey' | 'operator' | 'automation' | 'system';
  /** The API key's or the automation's id; history points to it. */
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

/** The operator as an actor of the instance, for audit rows of what it does inside a workspace. */
export const OPERATOR: Actor = {
  type: 'operator',
  id: '00000000-0000-0000-0000-000000000000',
  name: 'Operator',
};
