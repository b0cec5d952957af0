import type { DefaultWorkspace } from '../workspaces/default-workspace.ts';

/**
 * GUIDs of the entities that the work wrote, and what it returned. Versions are not compared themselves: links of one parent that
 * two threads happen to write in two transactions raise its version twice.
 */
export async function writing<Returned>(
  { transact, id }: DefaultWorkspace,
  work: () => Promise<Returned>,
): Promise<[Returned, string[]]> {
  const versions = async () => {
    const rows = await transact((tx) =>
      tx.query<{ guid: string; version: number }>(
        'select guid, version from entity where workspace_id = $1 order by guid',
        [id],
      ),
    );
    return new Map(rows.map(({ guid, version }) => [guid, version]));
  };
  const before = await versions();
  const returned = await work();
  const after = await versions();
  return [returned, [...after.keys()].filter((guid) => after.get(guid) !== before.get(guid))];
}
