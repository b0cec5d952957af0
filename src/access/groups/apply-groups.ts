/**
 * Makes, changes and ends members, and operators, by the groups that the provider names. Each workspace has its own transaction, and one that refuses, such
 * as for its last administrator, keeps nothing from the others. Members managed by hand stay as they are.
 */
import type { Logger } from 'pino';
import { SYSTEM } from '../../actor.ts';
import { type Area, areas as allAreas, orderedAreas } from '../../areas.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { restingState } from '../../db/resting.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { lockAdminKeys } from '../api-key.sql.ts';
import { requireRoomForMember } from '../members/accept-link.ts';
import { endMember, replaceMember, throwMemberNameTaken } from '../members/change-member.ts';
import {
  insertMember,
  insertMembership,
  type MemberRow,
  selectMemberOfPerson,
  selectNamesTaken,
  updateMember,
} from '../members/member.sql.ts';
import { applyOperatorGroup } from './apply-operator-group.ts';
import { type GroupRuleRow, selectRulesOfGroups, selectWorkspacesOfGroups } from './group-rule.sql.ts';

interface Applying {
  db: Db;
  log: Pick<Logger, 'info' | 'warn'>;
  config: Pick<Config, 'MEMBERS_MAX' | 'ACTORS_MAX' | 'OIDC_OPERATOR_GROUP'>;
}

interface GroupedPerson {
  id: string;
  name: string;
  groups: readonly string[];
}

const WORKSPACES_MAX = 1000;
/** Names that are tried for persons of the same name: "Anna Berg", "Anna Berg (2)", … */
const NAMES_MAX = 20;

export async function applyGroups({ db, log, config }: Applying, person: GroupedPerson): Promise<void> {
  await applyOperatorGroup({ db, log, config }, person);
  const workspaces = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ workspace_id: string }>(selectWorkspacesOfGroups, [
      [...person.groups],
      person.id,
      WORKSPACES_MAX,
    ]),
  );
  for (const { workspace_id: workspaceId } of workspaces) {
    try {
      await inTransaction(db, { workspaceId }, (tx) => applyHere(tx, person, config));
    } catch (error) {
      // A workspace that begins to move keeps its members as they are.
      if (restingState(error) !== null) continue;
      if (!(error instanceof AppError)) throw error;
      log.warn({ workspaceId, personId: person.id, code: error.code }, 'groups of a person were not applied');
    }
  }
}

async function applyHere(tx: Tx, person: GroupedPerson, limits: Applying['config']): Promise<void> {
  await tx.query(lockAdminKeys, [tx.workspaceId]);
  const { areas } = await areasOfGroups(tx, person.groups);
  const [known] = await tx.query<MemberRow>(selectMemberOfPerson, [tx.workspaceId, person.id]);
  if (known === undefined) {
    if (areas.length === 0) return;
    await requireRoomForMember(tx, tx.workspaceId, limits);
    await addMember(tx, person, areas);
    return;
  }
  if (known.managed !== 'groups') return;
  if (areas.length === 0) {
    if (known.ended_at === null) await endMember(tx, SYSTEM, known.id, () => {}, 'groups');
    return;
  }
  if (known.ended_at !== null) {
    const name = await freeName(tx, known.name);
    await tx
      .query(updateMember, [tx.workspaceId, known.id, name, areas, 'groups'])
      .catch(throwMemberNameTaken);
    await record(tx, { id: known.id, name, areas, before: { endedAt: known.ended_at } });
    return;
  }
  if (known.areas.join() === areas.join()) return;
  await replaceMember(
    tx,
    { actor: SYSTEM, areas: allAreas },
    known.id,
    { name: known.name, areas, managed: 'groups' },
    () => {},
  );
}

async function addMember(tx: Tx, person: GroupedPerson, areas: Area[]): Promise<void> {
  const id = newId();
  const name = await freeName(tx, person.name);
  await tx.query(insertMember, [tx.workspaceId, id, name, areas, 'groups']).catch(throwMemberNameTaken);
  await tx.query(insertMembership, [tx.workspaceId, id, person.id]);
  await record(tx, { id, name, areas, before: null });
}

function record(
  tx: Tx,
  { id, name, areas, before }: { id: string; name: string; areas: Area[]; before: object | null },
): Promise<void> {
  return recordChange(tx, {
    actor: SYSTEM,
    action: before === null ? 'create' : 'update',
    subjectType: 'member',
    subjectKey: id,
    before,
    after: { id, name, areas, managed: 'groups', endedAt: null },
  });
}

/** Returns the name, or the name with a number where an active member has it. */
async function freeName(tx: Tx, name: string): Promise<string> {
  const names = Array.from({ length: NAMES_MAX }, (_, index) =>
    index === 0 ? name : `${name} (${index + 1})`,
  );
  const taken = await tx.query<{ name: string }>(selectNamesTaken, [tx.workspaceId, names]);
  const held = new Set(taken.map((row) => row.name));
  return names.find((one) => !held.has(one.toLowerCase())) ?? name;
}

/** Returns the areas that the groups give together; none without a rule. */
export async function areasOfGroups(
  tx: Tx,
  groups: readonly string[],
): Promise<{ areas: Area[]; matching: string[] }> {
  const rows = await tx.query<GroupRuleRow>(selectRulesOfGroups, [tx.workspaceId, [...groups]]);
  return {
    areas: rows.length === 0 ? [] : orderedAreas(rows.flatMap(({ areas }) => areas as Area[])),
    matching: rows.map(({ group_name: name }) => name),
  };
}
