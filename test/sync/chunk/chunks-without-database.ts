/**
 * Takes chunks of elements through the functions that each of them goes through, without a database, and between two chunks lets V8
 * collect what the first has left. Started by kept-code.test.ts, which reads what V8 says of its compiled code.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkspaceConfiguration } from '../../../src/configuration/current/workspace-configuration.ts';
import { factsOf } from '../../../src/sync/elements/filter-results.ts';
import { ElementPreparer } from '../../../src/sync/elements/prepare-elements.ts';
import { SentReader } from '../../../src/sync/elements/sent-element.ts';
import { countResults, type SyncResult } from '../../../src/sync/elements/sync-result.ts';
import { uncompared } from '../../../src/sync/plan/compare-elements.ts';
import { LinkList } from '../../../src/sync/plan/planned-links.ts';
import { entityResults } from '../../../src/sync/plan/report-results.ts';

const CHUNKS = 40;
const ELEMENTS = 1500;

const configuration = {
  categories: new Map([['part', { key: 'part', behaviour: 'normal' }]]),
  properties: new Map([['material', { type: 'text' }]]),
} as unknown as WorkspaceConfiguration;
const limits = {
  numberCharsMax: 100,
  nameCharsMax: 100,
  propertyValueCharsMax: 100,
  propertiesMax: 10,
  propertiesBytesMax: 10_000,
  warningsMax: 5,
};
const noNotes = { pendingParents: new Set<number>(), kept: new Set<number>() };

function guidOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** The control: of its objects none is kept. */
class Forgotten {
  #sum = 0;

  addForgotten(n: number): void {
    this.#sum = (this.#sum + n) % 1000;
  }

  get sum(): number {
    return this.#sum;
  }
}

function applyChunk(chunk: number): number {
  const preparer = new ElementPreparer(configuration, limits, null);
  const reader = new SentReader(configuration, limits);
  const forgotten = new Forgotten();
  for (let index = 0; index < ELEMENTS; index++) {
    const guid = guidOf(chunk * ELEMENTS + index);
    const text = JSON.stringify({
      guid,
      number: `N-${index}`,
      name: `Part ${index}`,
      categoryKey: 'part',
      parentGuid: guidOf(1e9),
      properties: { material: 'steel' },
    });
    preparer.add({ index, text, rejected: false }, reader.read(text));
    forgotten.addForgotten(index);
  }
  const links = new LinkList();
  const results: SyncResult[] = [];
  for (const entity of preparer.finish().entities) {
    const compared = uncompared(entity);
    const written = { id: entity.guid, versionId: entity.guid, number: compared.number, revisionNumber: 1 };
    for (const result of entityResults(compared, 'created', written, noNotes)) results.push(result);
    const { index, parentGuid, quantityMicros } = entity.carrier.element;
    links.add(
      { childGuid: entity.guid, parentGuid: parentGuid as string, quantityMicros, indexes: [index] },
      { storedMicros: null, flags: 0, line: null },
    );
  }
  return countResults(results).created + factsOf(results).length + links.pack().count + forgotten.sum;
}

for (let chunk = 0; chunk < CHUNKS; chunk++) {
  applyChunk(chunk);
  // What was compiled beside it comes into use with a turn of the loop.
  await nextTurn();
  globalThis.gc?.();
}
