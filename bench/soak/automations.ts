/**
 * Automations that write, so that an event that is lost or handled twice shows in the data: counters on the
 * entities of batches, and a receipt for each batch. What they write causes events in turn; those carry no batch,
 * and nothing is written for them.
 */
import { contextTypes } from '../../src/events/record-events.ts';
import type { Client } from './client.ts';

function counting(property: string): string {
  return `
    if (context.batchId === null) return 'of no batch';
    const { properties } = await api.getEntity(context.entityId);
    await api.setProperties(context.entityId, { ${property}: (properties.${property} ?? 0) + 1 });`;
}

const scripts = {
  created: { contextTypeId: contextTypes.entityCreated, script: counting('Created') },
  updated: { contextTypeId: contextTypes.entityUpdated, script: counting('Updated') },
  imported: {
    contextTypeId: contextTypes.importCompleted,
    script: `await api.createEntity({ category: 'location', name: context.batchId });`,
  },
};

export async function makeAutomations(client: Client): Promise<void> {
  const post = (path: string, body: object) =>
    client.ask(path, { method: 'POST', body: () => JSON.stringify(body) });
  for (const key of ['Created', 'Updated']) {
    await post('/property-definitions', { key, name: key, type: 'numeric' });
  }
  for (const [name, automation] of Object.entries(scripts)) {
    await post('/automations', { name, enabled: true, ...automation });
  }
}
