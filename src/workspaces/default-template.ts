/**
 * The data that a new workspace starts with. It holds no property definitions: a connector or an
 * administrator adds those that are in use, and a sync ignores all others (interface, Sync entity).
 */
import type { Category } from '../configuration/categories/category.schema.ts';
import type {
  FeatureAttachment,
  Lifecycle,
  LifecycleState,
  LifecycleTransition,
} from '../configuration/lifecycles/lifecycle.schema.ts';
import type { NewPropertyDefinition } from '../configuration/properties/property-definition.schema.ts';
import { newStockSettings, type StockSettings } from '../configuration/stock-settings/stock-settings.ts';

export interface Template {
  lifecycles: readonly Lifecycle[];
  categories: readonly Category[];
  propertyDefinitions: readonly NewPropertyDefinition[];
  stock: StockSettings;
}

const feature = (
  name: FeatureAttachment['feature'],
  settings: FeatureAttachment['settings'] = {},
): FeatureAttachment => ({ feature: name, settings });

function way(
  id: string,
  name: string,
  from: string,
  to: string,
  ...featureAutomations: FeatureAttachment[]
): LifecycleTransition {
  return { id, name, from, to, featureAutomations };
}

const open = (name: string) => ({ name, released: false });
const released = (name: string) => ({ name, released: true });
/** A state for what is not in use any more. */
const retired = (state: LifecycleState): LifecycleState => ({ ...state, whenInUse: 'warn' });

const part: Lifecycle = {
  key: 'part',
  name: 'Part',
  initialState: 'In Work',
  states: [
    open('In Work'),
    open('In Review'),
    released('Released'),
    released('Ready for Procurement'),
    retired(released('Obsolete')),
  ],
  transitions: [
    way('submit', 'Submit for review', 'In Work', 'In Review'),
    way('reject', 'Send back', 'In Review', 'In Work'),
    way('release', 'Release', 'In Review', 'Released'),
    way(
      'procure',
      'Make ready for procurement',
      'Released',
      'Ready for Procurement',
      feature('createMaterialRequirement'),
    ),
    way('holdProcurement', 'Hold procurement', 'Ready for Procurement', 'Released'),
    way('rework', 'Rework', 'Released', 'In Work'),
    way('reworkFromProcurement', 'Rework', 'Ready for Procurement', 'In Work'),
    way('retire', 'Make obsolete', 'Released', 'Obsolete'),
    way('retireFromProcurement', 'Make obsolete', 'Ready for Procurement', 'Obsolete'),
    way('reinstate', 'Reinstate', 'Obsolete', 'In Work'),
  ],
};

const location: Lifecycle = {
  key: 'location',
  name: 'Location',
  initialState: 'Active',
  states: [open('Active'), retired(open('Inactive'))],
  transitions: [
    way('deactivate', 'Deactivate', 'Active', 'Inactive'),
    way('activate', 'Activate', 'Inactive', 'Active'),
  ],
};

const project: Lifecycle = {
  key: 'project',
  name: 'Project',
  initialState: 'Open',
  states: [open('Open'), open('On Hold'), open('Closed')],
  transitions: [
    way('hold', 'Put on hold', 'Open', 'On Hold'),
    way('resume', 'Resume', 'On Hold', 'Open'),
    way('close', 'Close', 'Open', 'Closed'),
    way('closeOnHold', 'Close', 'On Hold', 'Closed'),
    way('reopen', 'Reopen', 'Closed', 'Open'),
  ],
};

// An order takes its lines along; a line whose lifecycle has no such way from where it stands stays there.
const order: Lifecycle = {
  key: 'order',
  name: 'Order',
  initialState: 'Open',
  states: [open('Open'), open('Closed'), open('Cancelled')],
  transitions: [
    way('close', 'Close', 'Open', 'Closed', feature('cascadeTransition', { toState: 'Closed' })),
    way('cancel', 'Cancel', 'Open', 'Cancelled', feature('cascadeTransition', { toState: 'Cancelled' })),
    way('reopen', 'Reopen', 'Closed', 'Open'),
  ],
};

// On Order rises when a line enters Ordered and falls by what is still open when it leaves (interface,
// Movement types), whichever way it leaves: after a full receipt nothing is open. Components concern
// manufacturing lines alone; after the receipt those still open may be issued.
const supplyLine: Lifecycle = {
  key: 'supplyLine',
  name: 'Purchase or manufacturing line',
  initialState: 'Draft',
  states: [open('Draft'), open('Ordered'), open('Received'), open('Closed'), open('Cancelled')],
  transitions: [
    way('order', 'Order', 'Draft', 'Ordered', feature('updateOnOrderStock'), feature('requireComponents')),
    way('discard', 'Cancel', 'Draft', 'Cancelled'),
    way('receive', 'Receive', 'Ordered', 'Received', feature('updateOnOrderStock')),
    way('correctReceipt', 'Correct receipt', 'Received', 'Ordered'),
    way('close', 'Close', 'Ordered', 'Closed', feature('updateOnOrderStock'), feature('requireComponents')),
    way(
      'cancel',
      'Cancel',
      'Ordered',
      'Cancelled',
      feature('updateOnOrderStock'),
      feature('requireComponents'),
    ),
  ],
};

const salesLine: Lifecycle = {
  key: 'salesLine',
  name: 'Sales line',
  initialState: 'Draft',
  states: [open('Draft'), open('Reserved'), open('Shipped'), open('Closed'), open('Cancelled')],
  transitions: [
    way('reserve', 'Reserve', 'Draft', 'Reserved', feature('reserveSalesLine')),
    way('discard', 'Cancel', 'Draft', 'Cancelled'),
    // No feature: the shipment itself takes down both On Hand and what the line had reserved.
    way('ship', 'Ship', 'Reserved', 'Shipped'),
    way('correctShipment', 'Correct shipment', 'Shipped', 'Reserved'),
    way('close', 'Close', 'Reserved', 'Closed', feature('releaseSalesLine')),
    way('cancel', 'Cancel', 'Reserved', 'Cancelled', feature('releaseSalesLine')),
  ],
};

// Open and Covered follow Open Qty; both ways, since cancelling a purchase line gives its quantity back.
const requirement: Lifecycle = {
  key: 'requirement',
  name: 'Material requirement',
  initialState: 'Open',
  states: [open('Open'), open('Covered'), open('Cancelled')],
  transitions: [
    way('cover', 'Cover', 'Open', 'Covered'),
    way('uncover', 'Uncover', 'Covered', 'Open'),
    way('cancel', 'Cancel', 'Open', 'Cancelled'),
    way('cancelCovered', 'Cancel', 'Covered', 'Cancelled'),
  ],
};

function category(
  key: string,
  name: string,
  numbering: string,
  rest: Pick<Category, 'lifecycle'> & Partial<Category>,
): Category {
  const defaults = {
    role: 'none',
    behaviour: 'none',
    hiddenFromNew: false,
    tabs: [],
    properties: [],
    consume: null,
    unreleasedChildren: 'warn',
  } as const;
  // What comes from the design-data system or from a person keeps its own number.
  return {
    key,
    name,
    numbering: { source: 'payload', pattern: numbering },
    ...defaults,
    tabs: [],
    properties: [],
    ...rest,
  };
}

/** Made by the service, so numbered by it. */
function procurement(
  key: Exclude<Category['behaviour'], 'none'>,
  name: string,
  pattern: string,
  lifecycle: Lifecycle,
  rest: Partial<Category>,
): Category {
  return {
    ...category(key, name, pattern, { lifecycle: lifecycle.key, behaviour: key, ...rest }),
    numbering: { source: 'scheme', pattern },
  };
}

const item = {
  lifecycle: part.key,
  role: 'item',
  tabs: ['stockLedger', 'uses', 'whereUsed', 'revisions', 'requirements'],
} satisfies Partial<Category>;
const hidden = { hiddenFromNew: true };

export const defaultTemplate: Template = {
  lifecycles: [part, location, project, order, supplyLine, salesLine, requirement],
  categories: [
    category('part', 'Part', 'PRT-{000000}', item),
    category('assembly', 'Assembly', 'ASM-{000000}', item),
    category('material', 'Material', 'MAT-{000000}', item),
    category('location', 'Location', 'LOC-{0000}', {
      lifecycle: location.key,
      role: 'location',
      tabs: ['stockLedger', 'uses', 'whereUsed', 'revisions'],
    }),
    category('project', 'Project', 'PRJ-{0000}', {
      lifecycle: project.key,
      role: 'project',
      tabs: ['requirements', 'uses', 'whereUsed', 'revisions'],
    }),
    procurement('purchaseOrder', 'Purchase order', 'PO-{000000}', order, { tabs: ['lines'] }),
    procurement('purchaseOrderLine', 'Purchase order line', 'POL-{000000}', supplyLine, hidden),
    procurement('salesOrder', 'Sales order', 'SO-{000000}', order, { tabs: ['lines'] }),
    procurement('salesOrderLine', 'Sales order line', 'SOL-{000000}', salesLine, hidden),
    procurement('manufacturingOrder', 'Manufacturing order', 'MO-{000000}', order, { tabs: ['lines'] }),
    procurement('manufacturingOrderLine', 'Manufacturing order line', 'MOL-{000000}', supplyLine, {
      ...hidden,
      consume: 'proportional',
    }),
    procurement('materialRequirement', 'Material requirement', 'MR-{000000}', requirement, hidden),
  ],
  propertyDefinitions: [],
  stock: newStockSettings,
};
