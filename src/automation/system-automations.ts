/**
 * The automations that come with the service, as data: examples that work, to be cloned, changed and enabled.
 * They never run as they are.
 */
import { type ContextType, contextTypes } from '../events/record-events.ts';
import type { Automation } from './automation.schema.ts';

const SINCE = '2026-11-20T00:00:00.000Z';

/** The one that has a button. */
const SHOW_STOCK = 5;

function system(
  number: number,
  contextType: ContextType,
  name: string,
  description: string,
  script: string,
): Automation {
  return {
    id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    kind: 'system',
    name,
    description,
    contextTypeId: contextTypes[contextType],
    contextType,
    script,
    scriptVersion: 1,
    actions: null,
    button: number === SHOW_STOCK ? { label: 'Show stock', categories: [], states: [] } : null,
    filter: null,
    schedule: null,
    threshold: null,
    thresholdStatus: null,
    nextRunAt: null,
    enabled: false,
    createdAt: SINCE,
    updatedAt: SINCE,
  };
}

export const systemAutomations: readonly Automation[] = [
  system(
    1,
    'lifecycleTransition',
    'Check children at release',
    'Warns in its log of every direct child that is not released when an entity is released.',
    `const entity = await api.getEntity(context.entityId);
if (!entity.released) return { checked: 0 };
const children = await api.getUses(entity.id);
let unreleased = 0;
for (const child of children) {
  const { released, state } = await api.getEntity(child.entityId);
  if (released) continue;
  unreleased += 1;
  api.warn(\`\${context.entityNumber} is \${context.toState}, its child \${child.number} is only \${state}\`);
}
return { checked: children.length, unreleased };
`,
  ),
  system(
    2,
    'importCompleted',
    'Report imports with errors',
    'Writes a line for every import, a warning where rows failed.',
    `const { batchId, profileName, insertCount, updateCount, errorCount } = context;
const line = \`\${profileName}: \${insertCount} created, \${updateCount} updated, \${errorCount} failed (batch \${batchId})\`;
if (errorCount > 0) api.warn(line);
else api.log(line);
`,
  ),
  system(
    3,
    'entityCreated',
    'Look for parts of the same name',
    'Warns where another entity of the category has the same name as a new one: it may be the same part.',
    `const created = await api.getEntity(context.entityId);
const { items } = await api.findEntities({ category: created.category, q: created.name.slice(0, 255), limit: 20 });
const same = items.filter((other) => other.id !== created.id && other.name === created.name);
for (const other of same) api.warn(\`\${created.number} has the name of \${other.number}: \${created.name}\`);
return same.map((other) => other.number);
`,
  ),
  system(
    4,
    'entityUpdated',
    'Say where a changed part is used',
    'Logs the direct parents of an entity whose values have changed.',
    `const parents = await api.getWhereUsed(context.entityId);
const changed = context.changes.map((change) => change.property).join(', ');
for (const parent of parents) {
  api.log(\`\${context.entityNumber} (\${changed}) is used \${parent.quantity} times in \${parent.number}\`);
}
return parents.length;
`,
  ),
  system(
    5,
    'feature',
    'Show the stock of an item',
    'For a button: logs on hand, reserved and available of an item at each of its locations.',
    `if (context.entityId === null) throw new Error('Choose an item first');
const positions = await api.getPositions({ itemEntityId: context.entityId });
for (const { locationNumber, onHand, reserved, available } of positions) {
  api.log(\`\${locationNumber}: \${onHand} on hand, \${reserved} reserved, \${available} available\`);
}
return positions.reduce((sum, position) => sum + position.available, 0);
`,
  ),
];

export function findSystemAutomation(id: string): Automation | null {
  return systemAutomations.find((one) => one.id === id) ?? null;
}
