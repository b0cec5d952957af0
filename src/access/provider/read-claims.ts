/** Reads a person's name and groups from what a provider says. */
import { PersonName } from '../persons/person.schema.ts';

export interface ProviderClaims {
  name: string;
  /** Groups of the person; null where the provider says nothing about them, or not all of them. */
  groups: readonly string[] | null;
}

/** A provider that names more is asked to name fewer: cutting the list could take areas away. */
const GROUPS_MAX = 1000;
const GROUP_CHARS_MAX = 255;
const NAME_CHARS_MAX = 100;

type Claims = Readonly<Record<string, unknown>>;

/**
 * Userinfo comes first; the ID token says what userinfo leaves out, as the groups of Entra ID. Groups that are absent, too many, or only
 * referred to (`_claim_names`, `hasgroups`) are null, which changes nothing; an empty list removes.
 */
export function readClaims(idToken: Claims, userInfo: Claims | null, groupsClaim: string): ProviderClaims {
  const told = { ...idToken, ...userInfo };
  return { name: nameOf(told), groups: groupsOf(told, groupsClaim) };
}

function nameOf(told: Claims): string {
  for (const claim of ['name', 'preferred_username', 'email', 'sub']) {
    const text = told[claim];
    if (typeof text !== 'string') continue;
    const read = PersonName.safeParse(text.slice(0, NAME_CHARS_MAX));
    if (read.success) return read.data;
  }
  return 'Unnamed person';
}

function groupsOf(told: Claims, claim: string): readonly string[] | null {
  const elsewhere = told._claim_names;
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && claim in elsewhere;
  if (isElsewhere || told.hasgroups !== undefined) return null;
  const given = told[claim];
  const list = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(list) || list.length > GROUPS_MAX) return null;
  return list.filter(
    (one): one is string => typeof one === 'string' && one !== '' && one.length <= GROUP_CHARS_MAX,
  );
}
