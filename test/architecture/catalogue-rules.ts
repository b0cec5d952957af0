/** What the schema is held to, as data: see schema.test.ts. */

/** The roles that the service works as; neither may own anything or see past row-level security. */
export const APPLICATION_ROLES = ['partbook_app', 'partbook_system'] as const;

/** Tables that belong to the instance and not to a workspace. */
export const referenceTables: Readonly<Record<string, string>> = {
  workspace: 'The workspaces themselves.',
  schema_migration: 'Which migrations have run.',
  operator_action: 'What the operator did, in whichever workspaces.',
  operator_outcome: 'What came of each of it.',
  work_series: 'Figures for the operator, of all workspaces together too.',
  standby_mark: 'How far standbys have followed, by numbers of each web.',
  operator_session: 'Sessions of the operator, who belongs to no workspace.',
  person:
    'Persons, who may be members of several workspaces. Reached through functions alone, as are the next four.',
  passkey: 'Passkeys of persons.',
  person_password: 'Passwords of persons.',
  person_session: 'Sessions of persons.',
  sign_in_attempt: 'Challenges of passkeys, and sign-ins that are at the provider.',
  person_operator: 'Persons who are operators, reached through functions alone.',
  person_identity: 'Identities of persons at the provider, reached through functions alone.',
};

/** History: neither role may change or remove a row. */
export const appendOnlyTables: readonly string[] = [
  'audit_log',
  'cost_layer',
  'cost_revaluation',
  'cost_step',
  'cost_use',
  'entity_revision',
  'entity_revision_link',
  'entity_transition',
  'ledger_digest',
  'ledger_digest_head',
  'material_requirement',
  'operator_action',
  'operator_outcome',
  'released_link',
  'standard_cost',
  'stock_count',
  'stock_ledger',
  'stock_line',
];

/** What of those a workspace's role may change all the same, each with an entry in the audit trail. */
export const changeableColumns: Readonly<Record<string, readonly string[]>> = {
  material_requirement: ['item_id', 'quantity', 'required_by'],
  stock_line: [
    'item_id',
    'quantity',
    'required_by',
    'item_revision',
    'over_delivery_percent',
    'promises',
    'entered_quantity',
    'entered_unit',
    'unit_numerator',
    'unit_denominator',
  ],
};

/** Of these a trigger refuses change and removal as well, whoever asks. */
export const guardedTables: readonly string[] = ['stock_ledger'];
