/** The demo workspace of the embedded default: something to work in a minute after the first start. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR } from '../actor.ts';
import { createPropertyDefinition } from '../configuration/properties/change-property-definition.ts';
import {
  NewPropertyDefinition,
  type PlainPropertyDefinition,
} from '../configuration/properties/property-definition.schema.ts';
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { writePrivateFile } from '../process/private-file.ts';
import { createWorkspace } from './create-workspace.ts';

export interface Demo {
  slug: string;
  key: string;
}

const SLUG = 'demo';

/** Common properties of parts; a real workspace gets its own when its connector is set up. */
const properties: PlainPropertyDefinition[] = [
  { key: 'Supplier', name: 'Supplier', type: 'text', group: 'Purchasing', filterable: true },
  { key: 'UnitCost', name: 'Unit cost', type: 'numeric', unit: 'EUR', group: 'Purchasing', filterable: true },
  {
    key: 'Mass',
    name: 'Mass (kg)',
    type: 'numeric',
    unit: 'kg',
    group: 'Physical',
    description: 'Without packaging',
    filterable: true,
  },
  { key: 'Material', name: 'Material', type: 'text', group: 'Physical', filterable: true, searchable: true },
  {
    key: 'SurfaceFinish',
    name: 'Surface finish',
    type: 'choice',
    choices: ['Plain', 'Anodised', 'Zinc-plated', 'Powder-coated', 'Painted'],
    group: 'Physical',
    filterable: true,
  },
  { key: 'DataSheet', name: 'Data sheet', type: 'url' },
  { key: 'Link', name: 'Link', type: 'text' },
  { key: 'ShortName', name: 'Short name', type: 'text' },
  { key: 'Purchased', name: 'Purchased', type: 'boolean', group: 'Purchasing' },
  { key: 'ReleaseDate', name: 'Release date', type: 'date' },
];

/**
 * Creates the demo workspace unless it exists, and keeps its key beside the data so that every start can
 * show it; null if somebody else created a workspace with that slug.
 */
export async function ensureDemo(db: Db, dataDir: string): Promise<Demo | null> {
  const file = join(dataDir, 'demo-key');
  const [known] = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ id: string }>('select id from workspace where slug = $1', [SLUG]),
  );
  if (known !== undefined)
    return existsSync(file) ? { slug: SLUG, key: readFileSync(file, 'utf8').trim() } : null;
  const made = await inTransaction(db, 'instance', (tx) =>
    createWorkspace(tx, OPERATOR, { slug: SLUG, name: 'Demo', template: 'default' }),
  );
  writePrivateFile(file, `${made.apiKey.key}\n`);
  await inTransaction(db, { workspaceId: made.workspace.id }, async (tx) => {
    for (const definition of properties)
      await createPropertyDefinition(tx, OPERATOR, NewPropertyDefinition.parse(definition));
  });
  return { slug: SLUG, key: made.apiKey.key };
}
