/** Every list and search that a person opens in the web app, as it asks for them, by a title. */
import { orderId, partId, projectId } from './fill.sql.ts';

export interface Subjects {
  /** Parts that `fill.sql.ts` made, of which the last is the screw that many use. */
  parts: number;
  busyItem: string;
  wideLocation: string;
  /** Of the ledger: the first entry and behind the last, in milliseconds. */
  fromMs: number;
  toMs: number;
}

export function listCases({ parts, busyItem, wideLocation, fromMs, toMs }: Subjects): Record<string, string> {
  const from = new Date(fromMs + (toMs - fromMs) * 0.1).toISOString();
  const to = new Date(fromMs + (toMs - fromMs) * 0.9).toISOString();
  const screw = partId(parts - 1);
  const cases: Record<string, string> = {};
  const texts = {
    'one letter': 'b',
    'two letters': 'bo',
    'a number begun': 'PRT-0001',
    'a number': 'PRT-00012345',
    'one word, common': 'bolt',
    'two words': 'hex bolt',
    'two words, rarer': 'bolt M8x40',
    'a rare word': 'quetzalcoatl',
    'not there': 'zzyzx',
    'a hyphen': '-',
  };
  const entities = {
    '': '',
    ', by number': 'sort=number',
    ', by number, falling': 'sort=number&order=desc',
    ', by name': 'sort=name&category=material',
    ', by time': 'sort=updatedAt&order=desc&category=material&state=In Review',
    ', newest': 'sort=created&order=desc',
    ', a category': 'category=assembly',
    ', a category by number': 'category=assembly&sort=number',
    ', a state': 'state=In Review',
    ', category and state': 'category=material&state=Obsolete',
    ', few of many by number': 'category=project&sort=number',
    ', a role': 'role=location',
    ', places by number': 'role=location&sort=number',
    ', a number': 'number=PRT-00012345',
  };
  for (const [title, query] of Object.entries(entities)) cases[`entities${title}`] = `/entities?${query}`;
  for (const [title, q] of Object.entries(texts)) {
    cases[`entities, ${title}`] = `/entities?q=${q}`;
    cases[`entities, ${title}, best`] = `/entities?q=${q}&sort=best&limit=20`;
    cases[`entities, ${title}, by number`] = `/entities?q=${q}&sort=number`;
    cases[`entities, ${title}, of materials`] = `/entities?q=${q}&category=material&state=Obsolete`;
    cases[`facets, ${title}`] = `/entities/facets?q=${q}`;
    cases[`positions, ${title}`] = `/stock/positions?q=${q}`;
    cases[`positions, ${title}, short`] = `/stock/positions?q=${q}&short=true`;
    cases[`requirements, ${title}`] = `/requirements?q=${q}`;
    cases[`orders, ${title}`] = `/orders?q=${q}`;
  }
  return {
    ...cases,
    facets: '/entities/facets',
    'facets, a category': '/entities/facets?category=part',
    entity: `/entities/${partId(100)}`,
    uses: `/entities/${partId(1)}/uses`,
    'where-used': `/entities/${partId(777)}/where-used`,
    'where-used, of the screw': `/entities/${screw}/where-used`,
    'tree, from the top': `/entities/${partId(1)}/tree?depth=3`,
    revisions: `/entities/${partId(100)}/revisions`,
    transitions: `/entities/${partId(100)}/transitions`,
    summary: `/entities/${partId(100)}/summary`,
    'summary, busy item': `/entities/${busyItem}/summary`,
    'summary, wide location': `/entities/${wideLocation}/summary`,
    'demand, busy item': `/entities/${busyItem}/demand`,
    'designators that nobody has': '/uses?referenceDesignator=R17',
    positions: '/stock/positions',
    'positions, short': '/stock/positions?short=true',
    'positions by item': `/stock/positions/by-item/${busyItem}`,
    'positions by location': `/stock/positions/by-location/${wideLocation}`,
    'positions by location, as of': `/stock/positions/by-location/${wideLocation}?asOf=${to}`,
    ledger: '/stock/ledger',
    'ledger, a type': '/stock/ledger?movementType=MOReceipt',
    'ledger, a time': `/stock/ledger?from=${from}&to=${to}`,
    'ledger by item': `/stock/ledger/by-item/${busyItem}`,
    'ledger by item, a type at a time': `/stock/ledger/by-item/${busyItem}?movementType=MOReceipt&from=${from}&to=${to}`,
    'ledger by location': `/stock/ledger/by-location/${wideLocation}`,
    'ledger by location, a time': `/stock/ledger/by-location/${wideLocation}?from=${from}&to=${to}`,
    'history by item': `/stock/history/by-item/${busyItem}?from=${from}&to=${to}`,
    'history by item, 100 points': `/stock/history/by-item/${busyItem}?from=${from}&to=${to}&points=100`,
    'history by location': `/stock/history/by-location/${wideLocation}?from=${from}&to=${to}`,
    'history of a position': `/stock/history/by-location/${wideLocation}?from=${from}&to=${to}&other=${busyItem}`,
    requirements: '/requirements',
    'requirements, open': '/requirements?status=open&order=desc',
    'requirements, of a project': `/requirements?projectId=${projectId(0)}`,
    'requirements, of the busy item': `/requirements?itemEntityId=${busyItem}`,
    'requirements, of the busy item, open': `/requirements?itemEntityId=${busyItem}&status=open`,
    'requirements, before a day': '/requirements?requiredBefore=2026-01-03',
    'requirements, before the first': '/requirements?requiredBefore=2020-01-01',
    'requirements, open, before the first': '/requirements?status=open&requiredBefore=2020-01-01',
    'shortages, of a project': `/projects/${projectId(7)}/shortages`,
    'shortages, of the largest project': `/projects/${projectId(0)}/shortages`,
    orders: '/orders?order=desc',
    'orders, open': '/orders?state=Open',
    'orders, of a type': '/orders?type=salesOrder',
    'orders, a state that none has': '/orders?state=Nowhere',
    order: `/orders/${orderId(7)}`,
    lines: '/stock/lines',
    'lines, of a type': '/stock/lines?type=salesOrder',
    'lines, of the busy item': `/stock/lines?itemEntityId=${busyItem}`,
    'lines, of an order': `/stock/lines?orderId=${orderId(7)}`,
    'lines, a state': '/stock/lines?state=Ordered',
    'lines, of a type, a state it never has': '/stock/lines?type=salesOrder&state=Shipped',
    'lines, before the first': '/stock/lines?requiredBefore=2020-01-01',
    batches: '/pdm/sync/batches',
    'batches, failed': '/pdm/sync/batches?status=failed',
    'batches, of a profile': '/pdm/sync/batches?profile=profile-3',
    'batches, of a profile, failed': '/pdm/sync/batches?profile=profile-3&status=failed',
    runs: '/automation-runs',
    'runs, failed': '/automation-runs?status=failed',
    'runs, of one': '/automations/019a0005-0000-7000-8000-000000000001/runs',
    'runs, of one, failed': '/automations/019a0005-0000-7000-8000-000000000001/runs?status=failed',
    deliveries: '/webhooks/019a0007-0000-7000-8000-000000000001/deliveries',
    'deliveries, failed': '/webhooks/019a0007-0000-7000-8000-000000000001/deliveries?status=failed',
    audit: '/audit',
    'audit, of a kind': '/audit?subjectType=webhook',
    'audit, of a key': '/audit?subjectKey=key-7',
    overview: '/overview',
    'digest of the ledger': '/stock/ledger/digest',
  };
}
