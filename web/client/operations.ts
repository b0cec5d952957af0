// Generated from docs/openapi.json by `npm run web:client`; not to be edited.
export type NewWorkspace = { slug: string; name: string; template?: 'default' };
export type SignIn = { key: string } | { code: string };
export type NewApiKey = { name: string; permission: 'read' | 'write' | 'admin'; expiresAt?: string | null };
export type ApiKeyReplacement = {
  name: string;
  permission: 'read' | 'write' | 'admin';
  expiresAt: string | null;
  id?: string;
  prefix?: string;
  createdAt?: string;
  lastUsedAt?: string | null;
  revokedAt?: string | null;
};
export type NewCategory = {
  key: string;
  name: string;
  numbering?: { source: 'payload' | 'scheme'; pattern: string };
  lifecycle?: string;
  role?: 'item' | 'location' | 'itemAndLocation' | 'project' | 'none';
  behaviour?:
    | 'none'
    | 'purchaseOrder'
    | 'purchaseOrderLine'
    | 'salesOrder'
    | 'salesOrderLine'
    | 'manufacturingOrder'
    | 'manufacturingOrderLine'
    | 'materialRequirement';
  hiddenFromNew?: boolean;
  tabs?: ('stockLedger' | 'uses' | 'whereUsed' | 'revisions' | 'lines' | 'requirements')[];
};
export type CategoryReplacement = {
  name: string;
  numbering?: { source: 'payload' | 'scheme'; pattern: string };
  lifecycle: string;
  role?: 'item' | 'location' | 'itemAndLocation' | 'project' | 'none';
  behaviour?:
    | 'none'
    | 'purchaseOrder'
    | 'purchaseOrderLine'
    | 'salesOrder'
    | 'salesOrderLine'
    | 'manufacturingOrder'
    | 'manufacturingOrderLine'
    | 'materialRequirement';
  hiddenFromNew?: boolean;
  tabs?: ('stockLedger' | 'uses' | 'whereUsed' | 'revisions' | 'lines' | 'requirements')[];
  key?: string;
};
export type NewLifecycle = {
  key: string;
  name: string;
  initialState: string;
  states: { name: string; released?: boolean }[];
  transitions?: {
    id: string;
    name: string;
    from: string;
    to: string;
    featureAutomations?: {
      feature:
        | 'createMaterialRequirement'
        | 'updateOnOrderStock'
        | 'requireComponents'
        | 'reserveSalesLine'
        | 'releaseSalesLine'
        | 'cascadeTransition'
        | 'notifyWebhook';
      settings?: Record<string, unknown>;
    }[];
  }[];
};
export type LifecycleReplacement = {
  name: string;
  initialState: string;
  states: { name: string; released?: boolean }[];
  transitions?: {
    id: string;
    name: string;
    from: string;
    to: string;
    featureAutomations?: {
      feature:
        | 'createMaterialRequirement'
        | 'updateOnOrderStock'
        | 'requireComponents'
        | 'reserveSalesLine'
        | 'releaseSalesLine'
        | 'cascadeTransition'
        | 'notifyWebhook';
      settings?: Record<string, unknown>;
    }[];
  }[];
  key?: string;
};
export type NewPropertyDefinition = {
  key: string;
  name: string;
  type: 'text' | 'numeric' | 'date' | 'boolean';
};
export type PropertyDefinitionReplacement = {
  name: string;
  type: 'text' | 'numeric' | 'date' | 'boolean';
  key?: string;
};
export type NewEntity = {
  category: string;
  name: string;
  number?: string | null;
  E_Guid?: string | null;
  properties?: Record<string, string | number | boolean | null>;
};
export type EntityPatch = {
  name?: string;
  number?: string | null;
  properties?: Record<string, string | number | boolean | null>;
  E_Guid?: string | null;
  id?: string;
  versionId?: string;
  category?: string;
  state?: string;
  released?: boolean;
  revision?: string;
  revisionNumber?: number;
  createdAt?: string;
  updatedAt?: string;
};
export type EntityLookup = { numbers: string[] };
export type NewTransition = { toState: string; note?: string | null };
export type UseQuantity = { quantity: number };
export type BatchStatus = 'queued' | 'processing' | 'completed' | 'cancelled' | 'failed';
export type ResendRequest = {
  result?: 'created' | 'updated' | 'skipped' | 'error';
  code?:
    | 'invalid_json'
    | 'invalid_entity'
    | 'category_not_found'
    | 'category_not_syncable'
    | 'cycle'
    | 'plan_stale';
  warning?:
    | 'invalid_numeric'
    | 'invalid_date'
    | 'invalid_boolean'
    | 'duplicate_guid'
    | 'duplicate_guid_conflict'
    | 'parent_pending'
    | 'category_kept'
    | 'more_warnings';
  guids?: string[];
};
export type StockAdjustment = {
  itemEntityId: string;
  locationEntityId: string;
  quantity: number;
  note?: string | null;
};
export type StockAdjustmentBatch = { adjustments: StockAdjustment[] };
export type KeptDigest = { at: string; entries: number; positions: number; digest: string };
export type StockCount = {
  dryRun?: boolean;
  note?: string | null;
  lines: { item: string; location: string; countedQty: number; seenOnHand?: number | null }[];
};
export type NewStockLine = {
  type: 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder';
  itemEntityId: string;
  locationEntityId: string;
  quantity: number;
  orderId?: string | null;
  requirementId?: string | null;
  requiredBy?: string | null;
  state?: 'Draft' | 'Ordered' | 'Reserved';
  note?: string | null;
};
export type LineMovement = { quantity: number; note?: string | null };
export type LineEnd = { note?: string | null };
export type NewOrder = {
  type: 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder';
  lines: {
    itemEntityId: string;
    locationEntityId: string;
    quantity: number;
    requirementId?: string | null;
    requiredBy?: string | null;
    state?: 'Draft' | 'Ordered' | 'Reserved';
  }[];
  note?: string | null;
};
export type OrderReceipt = { lines?: { lineId: string; quantity: number }[]; note?: string | null };
export type NewRequirement = {
  projectId: string;
  itemEntityId: string;
  requiredQty: number;
  requiredBy?: string | null;
};
export type RequirementMovement = { locationEntityId: string; quantity: number; note?: string | null };
export type RequirementOrder = {
  locationEntityId: string;
  quantity: number;
  orderId?: string | null;
  requiredBy?: string | null;
  note?: string | null;
};
export type ShortageRequirements = {
  itemEntityIds?: string[];
  leavesOnly?: boolean;
  requiredBy?: string | null;
};
export type NewAutomation = {
  name: string;
  description?: string;
  contextTypeId: number;
  script: string;
  enabled?: boolean;
};
export type AutomationReplacement = {
  name: string;
  description?: string;
  contextTypeId: number;
  script: string;
  enabled?: boolean;
  id?: string;
  kind?: 'system' | 'custom';
  contextType?: 'lifecycleTransition' | 'importCompleted' | 'entityCreated' | 'entityUpdated' | 'feature';
  scriptVersion?: number;
  createdAt?: string;
  updatedAt?: string;
};
export type AutomationClone = { name?: string };
export type ScriptTest = { script: string; contextTypeId?: number; context?: Record<string, unknown> };
export type RunRetry = { script?: 'current' | 'same' };
export type AutomationTrigger = { entityId?: string | null; context?: Record<string, unknown> };
export type NewWebhook = {
  url: string;
  description?: string;
  events: (
    | 'lifecycle.transitioned'
    | 'import.completed'
    | 'entity.created'
    | 'entity.updated'
    | 'feature.triggered'
    | 'ledger.digested'
  )[];
  enabled?: boolean;
};
export type WebhookReplacement = {
  url: string;
  description?: string;
  events: (
    | 'lifecycle.transitioned'
    | 'import.completed'
    | 'entity.created'
    | 'entity.updated'
    | 'feature.triggered'
    | 'ledger.digested'
  )[];
  enabled?: boolean;
  id?: string;
  createdAt?: string;
  disabledReason?: string | null;
  failingSince?: string | null;
  previousSecretUntil?: string | null;
  updatedAt?: string;
};
export type SecretRotation = { overlapHours?: number };
export type CreatedWorkspace = {
  workspace: Workspace;
  apiKey: { id: string; key: string; permission: 'admin' };
};
export type Workspace = { id: string; slug: string; name: string };
export type Session = {
  workspace: { slug: string; name: string };
  keyId: string;
  keyName: string;
  permission: 'read' | 'write' | 'admin';
  expiresAt: string | null;
};
export type ApiKey = {
  id: string;
  name: string;
  permission: 'read' | 'write' | 'admin';
  prefix: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
};
export type CreatedApiKey = {
  id: string;
  name: string;
  permission: 'read' | 'write' | 'admin';
  prefix: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  key: string;
};
export type Category = {
  key: string;
  name: string;
  numbering: { source: 'payload' | 'scheme'; pattern: string };
  lifecycle: string;
  role: 'item' | 'location' | 'itemAndLocation' | 'project' | 'none';
  behaviour:
    | 'none'
    | 'purchaseOrder'
    | 'purchaseOrderLine'
    | 'salesOrder'
    | 'salesOrderLine'
    | 'manufacturingOrder'
    | 'manufacturingOrderLine'
    | 'materialRequirement';
  hiddenFromNew: boolean;
  tabs: ('stockLedger' | 'uses' | 'whereUsed' | 'revisions' | 'lines' | 'requirements')[];
};
export type Lifecycle = {
  key: string;
  name: string;
  initialState: string;
  states: { name: string; released: boolean }[];
  transitions: {
    id: string;
    name: string;
    from: string;
    to: string;
    featureAutomations: {
      feature:
        | 'createMaterialRequirement'
        | 'updateOnOrderStock'
        | 'requireComponents'
        | 'reserveSalesLine'
        | 'releaseSalesLine'
        | 'cascadeTransition'
        | 'notifyWebhook';
      settings: Record<string, unknown>;
    }[];
  }[];
};
export type PropertyDefinition = { key: string; name: string; type: 'text' | 'numeric' | 'date' | 'boolean' };
export type AuditEntry = {
  id: string;
  recordedAt: string;
  actor: { type: 'apiKey' | 'operator' | 'automation' | 'system'; id: string; name: string };
  action: 'create' | 'update' | 'delete' | 'revoke';
  subjectType: string;
  subjectKey: string;
  before: unknown;
  after: unknown;
  redacted: boolean;
};
export type Entity = {
  id: string;
  versionId: string;
  E_Guid: string | null;
  number: string | null;
  name: string;
  category: string;
  state: string;
  released: boolean;
  revision: string;
  revisionNumber: number;
  properties: Record<string, string | number | boolean>;
  createdAt: string;
  updatedAt: string;
};
export type EntityFacets = {
  items: { category: string; state: string; count: number; isAtLeast: boolean }[];
};
export type LookedUpEntities = {
  items: {
    number: string;
    entities: {
      id: string;
      E_Guid: string | null;
      number: string | null;
      name: string;
      category: string;
      state: string;
      revision: string;
    }[];
  }[];
};
export type Revision = {
  revision: string;
  revisionNumber: number;
  versionId: string;
  E_Guid: string | null;
  number: string | null;
  name: string;
  state: string;
  released: boolean;
  properties: Record<string, string | number | boolean>;
  createdAt: string;
  createdBy: HistoryActor;
};
export type HistoryActor = {
  type: 'apiKey' | 'operator' | 'automation' | 'system';
  id: string;
  name: string;
};
export type RevisionWithUses = {
  revision: string;
  revisionNumber: number;
  versionId: string;
  E_Guid: string | null;
  number: string | null;
  name: string;
  state: string;
  released: boolean;
  properties: Record<string, string | number | boolean>;
  createdAt: string;
  createdBy: HistoryActor;
  uses: Use[];
  usesNextCursor: string | null;
};
export type Use = {
  entityId: string;
  number: string | null;
  name: string;
  category: string;
  state: string;
  revision: string;
  quantity: number;
  hasChildren: boolean;
  hasParents: boolean;
};
export type RevisionComparison = {
  from: number;
  to: number;
  fields: { field: 'E_Guid' | 'number' | 'name' | 'state'; from: string | null; to: string | null }[];
  properties: {
    property: string;
    from: string | number | boolean | null;
    to: string | number | boolean | null;
  }[];
  structure: {
    added: { entityId: string; number: string | null; name: string; quantity: number }[];
    removed: { entityId: string; number: string | null; name: string; quantity: number }[];
    quantity: { entityId: string; number: string | null; name: string; from: number; to: number }[];
    truncated: boolean;
  };
};
export type Transition = {
  id: string;
  fromState: string;
  toState: string;
  note: string | null;
  revision: string;
  revisionNumber: number;
  versionId: string;
  recordedAt: string;
  actor: HistoryActor;
};
export type Tree = { items: TreeItem[] };
export type TreeItem = {
  level: number;
  path: string;
  entityId: string;
  parentId: string | null;
  number: string | null;
  name: string;
  category: string;
  state: string;
  revision: string;
  quantity: number;
  extendedQuantity: number;
  hasChildren: boolean;
};
export type SyncBatch = {
  batchId: string;
  profileName: string;
  status: BatchStatus;
  dryRun: boolean;
  submittedAt: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  submittedBy: { type: 'apiKey' | 'operator' | 'automation' | 'system'; id: string; name: string };
  counts: SyncCounts;
  resultsGone?: true;
  commitOf?: string;
  resendOf?: string;
  failure?: { code: 'chunk_failed' | 'plan_stale'; message: string; guids?: string[] };
  results?: SyncResult[];
  links: { self: string; results: string; events: string };
};
export type SyncCounts = {
  total: number;
  processed: number;
  created: number;
  updated: number;
  skipped: number;
  error: number;
  warnings: number;
};
export type SyncResult = {
  index: number;
  guid: string | null;
  result: 'created' | 'updated' | 'skipped' | 'error';
  entityId?: string;
  versionId?: string;
  number?: string;
  revision?: string;
  code?:
    | 'invalid_json'
    | 'invalid_entity'
    | 'category_not_found'
    | 'category_not_syncable'
    | 'cycle'
    | 'plan_stale';
  message?: string;
  warnings?: SyncWarning[];
  changes?: PlannedChange[];
  changesOmitted?: number;
  links?: LinkChange[];
};
export type SyncWarning = {
  code:
    | 'invalid_numeric'
    | 'invalid_date'
    | 'invalid_boolean'
    | 'duplicate_guid'
    | 'duplicate_guid_conflict'
    | 'parent_pending'
    | 'category_kept'
    | 'more_warnings';
  property?: string;
  count?: number;
  message: string;
};
export type PlannedChange = {
  field: string;
  from: string | number | boolean | null;
  to: string | number | boolean | null;
};
export type LinkChange = { parentGuid: string; from: number | null; to: number | null };
export type SyncProblems = {
  items: {
    kind: 'error' | 'warning';
    code: string;
    property: string | null;
    message: string | null;
    count: number;
    examples: { index: number; guid: string | null; message?: string }[];
  }[];
  changed: { fields: number; structure: number; links: number };
};
export type SentElement = {
  index: number;
  guid: string | null;
  result: 'created' | 'updated' | 'skipped' | 'error';
  entityId?: string;
  versionId?: string;
  number?: string;
  revision?: string;
  code?:
    | 'invalid_json'
    | 'invalid_entity'
    | 'category_not_found'
    | 'category_not_syncable'
    | 'cycle'
    | 'plan_stale';
  message?: string;
  warnings?: SyncWarning[];
  changes?: PlannedChange[];
  changesOmitted?: number;
  links?: LinkChange[];
  element: unknown;
};
export type StockPosition = {
  itemEntityId: string;
  itemNumber: string | null;
  itemName: string;
  locationEntityId: string;
  locationNumber: string | null;
  locationName: string;
  onHand: number;
  reserved: number;
  onOrder: number;
  available: number;
  updatedAt: string;
};
export type StockLedgerEntry = {
  id: string;
  sequence: number;
  recordedAt: string;
  movementType:
    | 'Adjustment'
    | 'POReceipt'
    | 'SOReservation'
    | 'SORelease'
    | 'SOShipment'
    | 'OnOrderAdd'
    | 'OnOrderRelease'
    | 'MRReservation'
    | 'MRRelease'
    | 'MOReceipt'
    | 'MRIssue';
  itemEntityId: string;
  itemNumber: string | null;
  locationEntityId: string;
  locationNumber: string | null;
  quantity: number;
  onHandAfter: number;
  reservedAfter: number;
  onOrderAfter: number;
  note: string | null;
  lineId: string | null;
  orderId: string | null;
  requirementId: string | null;
  actor: { type: 'apiKey' | 'operator' | 'automation' | 'system'; id: string; name: string };
  hash: string;
};
export type StockAdjusted = { entry: StockLedgerEntry; position: StockPosition };
export type StockBatchAdjusted = { entries: StockLedgerEntry[]; positions: StockPosition[] };
export type LedgerVerification = {
  ok: boolean;
  positions: number;
  entries: number;
  problems: {
    kind: 'altered' | 'missing' | 'reordered' | 'balance' | 'position' | 'cut' | 'rewritten';
    itemEntityId: string;
    locationEntityId: string;
    sequence: number | null;
    entryId: string | null;
    message: string;
  }[];
  problemCount: number;
};
export type LedgerProof = {
  ok: boolean;
  positions: number;
  entries: number;
  problems: {
    kind: 'altered' | 'missing' | 'reordered' | 'balance' | 'position' | 'cut' | 'rewritten';
    itemEntityId: string;
    locationEntityId: string;
    sequence: number | null;
    entryId: string | null;
    message: string;
  }[];
  problemCount: number;
  digest: {
    at: string;
    entries: number;
    positions: number;
    digest: string;
    state: 'covered' | 'unknown' | 'contradicted';
  };
};
export type LedgerDigest = { at: string; entries: number; positions: number; digest: string };
export type StockCounted = {
  lines: {
    index: number;
    itemEntityId: string;
    itemNumber: string | null;
    itemName: string;
    locationEntityId: string;
    locationNumber: string | null;
    locationName: string;
    onHand: number;
    countedQty: number;
    difference: number;
    seenOnHand: number | null;
    moved: boolean;
  }[];
  entries: number;
};
export type StockHistory = {
  items: { at: string; onHand: number; reserved: number; onOrder: number; available: number }[];
};
export type StockLine = {
  id: string;
  number: string | null;
  type: 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder';
  orderId: string;
  orderNumber: string | null;
  itemEntityId: string;
  itemNumber: string | null;
  itemName: string;
  locationEntityId: string;
  locationNumber: string | null;
  locationName: string;
  requirementId: string | null;
  state: string;
  quantity: number;
  receivedQty: number;
  shippedQty: number;
  reservedQty: number;
  openQty: number;
  requiredBy: string | null;
  createdAt: string;
};
export type LineMoved = { line: StockLine; entries: StockLedgerEntry[] };
export type Order = {
  id: string;
  type: 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder';
  number: string | null;
  name: string;
  state: string;
  totals: {
    lines: number;
    openLines: number;
    quantity: number;
    receivedQty: number;
    shippedQty: number;
    reservedQty: number;
    openQty: number;
  };
  createdAt: string;
};
export type OrderWithLines = {
  id: string;
  type: 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder';
  number: string | null;
  name: string;
  state: string;
  totals: {
    lines: number;
    openLines: number;
    quantity: number;
    receivedQty: number;
    shippedQty: number;
    reservedQty: number;
    openQty: number;
  };
  createdAt: string;
  lines: StockLine[];
};
export type MaterialRequirement = {
  id: string;
  number: string | null;
  projectId: string | null;
  projectNumber: string | null;
  projectName: string | null;
  lineId: string | null;
  itemEntityId: string;
  itemNumber: string | null;
  itemName: string;
  requiredQty: number;
  requiredBy: string | null;
  reservedQty: number;
  issuedQty: number;
  orderedQty: number;
  openQty: number;
  status: 'open' | 'covered' | 'cancelled';
  createdAt: string;
};
export type RequirementWithHeld = {
  id: string;
  number: string | null;
  projectId: string | null;
  projectNumber: string | null;
  projectName: string | null;
  lineId: string | null;
  itemEntityId: string;
  itemNumber: string | null;
  itemName: string;
  requiredQty: number;
  requiredBy: string | null;
  reservedQty: number;
  issuedQty: number;
  orderedQty: number;
  openQty: number;
  status: 'open' | 'covered' | 'cancelled';
  createdAt: string;
  held: { locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number }[];
};
export type RequirementMoved = { requirement: MaterialRequirement; entries: StockLedgerEntry[] };
export type RequirementOrdered = {
  requirement: MaterialRequirement;
  line: StockLine;
  entries: StockLedgerEntry[];
};
export type ProjectShortages = { projectId: string; items: Shortage[]; itemCount: number };
export type Shortage = {
  itemEntityId: string;
  itemNumber: string | null;
  itemName: string;
  isAssembly: boolean;
  requiredQty: number;
  neededQty: number;
  reservedQty: number;
  availableQty: number;
  onOrderQty: number;
  shortageQty: number;
  openRequirementQty: number;
  usedIn: { entityId: string; number: string | null; name: string; quantity: number; requiredQty: number }[];
};
export type ShortagesRaised = { requirements: MaterialRequirement[] };
export type FeatureAutomation = {
  id:
    | 'createMaterialRequirement'
    | 'updateOnOrderStock'
    | 'requireComponents'
    | 'reserveSalesLine'
    | 'releaseSalesLine'
    | 'cascadeTransition'
    | 'notifyWebhook';
  kind: 'feature';
  name: string;
  description: string;
  contextTypeId: number;
  settingsSchema: Record<string, unknown>;
  implemented: boolean;
};
export type Automation = {
  id: string;
  kind: 'system' | 'custom';
  name: string;
  description: string;
  contextTypeId: number;
  contextType: 'lifecycleTransition' | 'importCompleted' | 'entityCreated' | 'entityUpdated' | 'feature';
  script: string;
  scriptVersion: number;
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
};
export type ScriptVersion = {
  version: number;
  script: string;
  createdAt: string;
  createdBy: { type: 'apiKey' | 'operator' | 'automation' | 'system'; id: string; name: string };
};
export type ScriptTestResult = {
  ok: boolean;
  result: unknown;
  logs: ScriptLogLine[];
  error: ScriptFailure | null;
  changes: ScriptChange[];
  apiCalls: ApiCallTrace[];
  durationMs: number;
  cpuMs: number;
};
export type ScriptLogLine = { level: 'info' | 'warn' | 'error'; message: string; line: number | null };
export type ScriptFailure = {
  kind: 'syntax' | 'runtime' | 'api' | 'timeout' | 'memory';
  name: string;
  message: string;
  line: number | null;
  column: number | null;
  snippet: string | null;
  stack: string | null;
};
export type ScriptChange = {
  entityId: string;
  property: string;
  from: string | number | boolean | null;
  to: string | number | boolean | null;
};
export type ApiCallTrace = { method: string; line: number | null; ms: number; ok: boolean };
export type AutomationRunSummary = {
  id: string;
  automationId: string;
  scriptVersion: number;
  status: 'queued' | 'succeeded' | 'failed' | 'suppressed';
  attempt: number;
  retryOf: string | null;
  event: {
    id: string;
    index: number;
    contextTypeId: number;
    contextType: 'lifecycleTransition' | 'importCompleted' | 'entityCreated' | 'entityUpdated' | 'feature';
    at: string;
  };
  depth: number;
  causeRunId: string | null;
  error: ScriptFailure | null;
  logCount: number;
  changeCount: number;
  durationMs: number | null;
  cpuMs: number | null;
  startedAt: string | null;
  finishedAt: string | null;
};
export type AutomationRun = {
  id: string;
  automationId: string;
  scriptVersion: number;
  status: 'queued' | 'succeeded' | 'failed' | 'suppressed';
  attempt: number;
  retryOf: string | null;
  event: {
    id: string;
    index: number;
    contextTypeId: number;
    contextType: 'lifecycleTransition' | 'importCompleted' | 'entityCreated' | 'entityUpdated' | 'feature';
    at: string;
  };
  depth: number;
  causeRunId: string | null;
  error: ScriptFailure | null;
  logCount: number;
  changeCount: number;
  durationMs: number | null;
  cpuMs: number | null;
  startedAt: string | null;
  finishedAt: string | null;
  context: Record<string, unknown>;
  result: unknown;
  logs: ScriptLogLine[];
  changes: ScriptChange[];
  apiCalls: ApiCallTrace[];
  chain: RelatedRun[];
  effects: RelatedRun[];
};
export type RelatedRun = {
  id: string;
  automationId: string;
  status: 'queued' | 'succeeded' | 'failed' | 'suppressed';
  depth: number;
};
export type Webhook = {
  id: string;
  url: string;
  description: string;
  events: (
    | 'lifecycle.transitioned'
    | 'import.completed'
    | 'entity.created'
    | 'entity.updated'
    | 'feature.triggered'
    | 'ledger.digested'
  )[];
  enabled: boolean;
  disabledReason: string | null;
  failingSince: string | null;
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
};
export type WebhookWithSecret = {
  id: string;
  url: string;
  description: string;
  events: (
    | 'lifecycle.transitioned'
    | 'import.completed'
    | 'entity.created'
    | 'entity.updated'
    | 'feature.triggered'
    | 'ledger.digested'
  )[];
  enabled: boolean;
  disabledReason: string | null;
  failingSince: string | null;
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
  secret: string;
};
export type WebhookDelivery = {
  id: string;
  messageId: string;
  type:
    | 'lifecycle.transitioned'
    | 'import.completed'
    | 'entity.created'
    | 'entity.updated'
    | 'feature.triggered'
    | 'ledger.digested';
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  lastStatus: number | null;
  lastError: string | null;
  lastDurationMs: number | null;
  createdAt: string;
};
export type WebhookDeliveryWithPayload = {
  id: string;
  messageId: string;
  type:
    | 'lifecycle.transitioned'
    | 'import.completed'
    | 'entity.created'
    | 'entity.updated'
    | 'feature.triggered'
    | 'ledger.digested';
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  lastStatus: number | null;
  lastError: string | null;
  lastDurationMs: number | null;
  createdAt: string;
  payload: unknown;
  history: { at: string; status: number | null; error: string | null; durationMs: number }[];
};
export type Overview = {
  from: string;
  hours: {
    at: string;
    batches: number;
    elements: number;
    created: number;
    updated: number;
    errors: number;
  }[];
  batchesAreAtLeast: boolean;
  movements: {
    movementType:
      | 'Adjustment'
      | 'POReceipt'
      | 'SOReservation'
      | 'SORelease'
      | 'SOShipment'
      | 'OnOrderAdd'
      | 'OnOrderRelease'
      | 'MRReservation'
      | 'MRRelease'
      | 'MOReceipt'
      | 'MRIssue';
    count: number;
    isAtLeast: boolean;
  }[];
  failedRuns: {
    count: number;
    isAtLeast: boolean;
    automations: {
      automationId: string;
      name: string;
      failed: number;
      lastRunId: string;
      lastFailedAt: string | null;
      message: string | null;
    }[];
  };
  failingWebhooks: {
    webhookId: string;
    url: string;
    enabled: boolean;
    failingSince: string | null;
    disabledReason: string | null;
  }[];
  overdueRequirements: { count: number; isAtLeast: boolean; items: MaterialRequirement[] };
};
export type Health = {
  status: 'ok' | 'failed';
  checks: Record<string, { status: 'ok' | 'failed'; ms: number; message?: string }>;
};
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  requestId: string;
  errors?: { pointer: string; in?: 'path' | 'query'; code: string; message: string }[];
};

export interface Operations {
  /** Create a workspace */
  createWorkspace: { input: { body: NewWorkspace }; answer: CreatedWorkspace };
  /** List workspaces */
  listWorkspaces: {
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: Workspace[]; nextCursor: string | null };
  };
  /** Sign in with an API key */
  signIn: { input: { body: SignIn }; answer: Session };
  /** Read who is calling */
  getSession: { input: {}; answer: Session };
  /** Sign out */
  signOut: { input: {}; answer: undefined };
  /** List API keys, newest first */
  listApiKeys: {
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: ApiKey[]; nextCursor: string | null };
  };
  /** Create an API key */
  createApiKey: { input: { body: NewApiKey }; answer: CreatedApiKey };
  /** Read an API key */
  getApiKey: { input: { id: string }; answer: ApiKey };
  /** Change an API key's name, permission or expiry */
  replaceApiKey: { input: { id: string; body: ApiKeyReplacement }; answer: ApiKey };
  /** Revoke an API key */
  revokeApiKey: { input: { id: string }; answer: undefined };
  /** List categories */
  listCategories: {
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: Category[]; nextCursor: string | null };
  };
  /** Create a category */
  createCategory: { input: { body: NewCategory }; answer: Category };
  /** Read a category */
  getCategory: { input: { key: string }; answer: Category };
  /** Replace a category */
  replaceCategory: { input: { key: string; body: CategoryReplacement }; answer: Category };
  /** Delete a category */
  deleteCategory: { input: { key: string }; answer: undefined };
  /** List lifecycles */
  listLifecycles: {
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: Lifecycle[]; nextCursor: string | null };
  };
  /** Create a lifecycle */
  createLifecycle: { input: { body: NewLifecycle }; answer: Lifecycle };
  /** Read a lifecycle */
  getLifecycle: { input: { key: string }; answer: Lifecycle };
  /** Replace a lifecycle */
  replaceLifecycle: { input: { key: string; body: LifecycleReplacement }; answer: Lifecycle };
  /** Delete a lifecycle */
  deleteLifecycle: { input: { key: string }; answer: undefined };
  /** List property definitions */
  listPropertyDefinitions: {
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: PropertyDefinition[]; nextCursor: string | null };
  };
  /** Create a property definition */
  createPropertyDefinition: { input: { body: NewPropertyDefinition }; answer: PropertyDefinition };
  /** Read a property definition */
  getPropertyDefinition: { input: { key: string }; answer: PropertyDefinition };
  /** Replace a property definition */
  replacePropertyDefinition: {
    input: { key: string; body: PropertyDefinitionReplacement };
    answer: PropertyDefinition;
  };
  /** Delete a property definition */
  deletePropertyDefinition: { input: { key: string }; answer: undefined };
  /** List changes of configuration and keys */
  listAudit: {
    input: { query?: { limit?: number; cursor?: string; format?: 'json' | 'csv' | 'ndjson' } };
    answer: { items: AuditEntry[]; nextCursor: string | null };
  };
  /** Search entities */
  listEntities: {
    input: {
      query?: {
        limit?: number;
        cursor?: string;
        category?: string | string[];
        state?: string | string[];
        role?: 'item' | 'location' | 'project' | 'none';
        number?: string;
        guid?: string;
        q?: string;
        sort?: 'created' | 'number' | 'name' | 'updatedAt' | 'best';
        order?: 'asc' | 'desc';
      };
    };
    answer: { items: Entity[]; nextCursor: string | null };
  };
  /** Create an entity */
  createEntity: { input: { body: NewEntity }; answer: Entity };
  /** Read an entity */
  getEntity: { input: { id: string }; answer: Entity };
  /** Change an entity */
  updateEntity: { input: { id: string; body: EntityPatch }; answer: Entity };
  /** Count entities by category and state */
  countEntities: {
    input: {
      query?: {
        category?: string | string[];
        state?: string | string[];
        role?: 'item' | 'location' | 'project' | 'none';
        q?: string;
      };
    };
    answer: EntityFacets;
  };
  /** Find entities by their numbers */
  lookUpEntities: { input: { body: EntityLookup }; answer: LookedUpEntities };
  /** List the revisions of an entity */
  listRevisions: {
    input: { id: string; query?: { limit?: number; cursor?: string } };
    answer: { items: Revision[]; nextCursor: string | null };
  };
  /** Read a revision with its structure */
  getRevision: { input: { id: string; n: number }; answer: RevisionWithUses };
  /** List the children of a revision */
  listRevisionUses: {
    input: { id: string; n: number; query?: { limit?: number; cursor?: string } };
    answer: { items: Use[]; nextCursor: string | null };
  };
  /** Compare two revisions of an entity */
  compareRevisions: {
    input: { id: string; query?: { from: number; to: number } };
    answer: RevisionComparison;
  };
  /** Move an entity to another lifecycle state */
  transitionEntity: { input: { id: string; body: NewTransition }; answer: Entity };
  /** List the lifecycle transitions of an entity */
  listTransitions: {
    input: { id: string; query?: { limit?: number; cursor?: string } };
    answer: { items: Transition[]; nextCursor: string | null };
  };
  /** List the children of an entity */
  listUses: {
    input: { id: string; query?: { limit?: number; cursor?: string } };
    answer: { items: Use[]; nextCursor: string | null };
  };
  /** List the parents of an entity */
  listWhereUsed: {
    input: { id: string; query?: { limit?: number; cursor?: string } };
    answer: { items: Use[]; nextCursor: string | null };
  };
  /** Explode the tree below an entity */
  getTree: { input: { id: string; query?: { depth?: number } }; answer: Tree };
  /** Add a child or change its quantity */
  setUse: { input: { id: string; childId: string; body: UseQuantity }; answer: Use };
  /** Remove a child */
  removeUse: { input: { id: string; childId: string }; answer: undefined };
  /** Submit a sync payload */
  submitSync: {
    input: { query?: { profile?: string; dryRun?: 'true' | 'false' }; body: unknown };
    answer: SyncBatch;
  };
  /** Apply a reviewed dry run */
  commitSyncPlan: { input: { id: string }; answer: SyncBatch };
  /** List batches, newest first */
  listSyncBatches: {
    input: { query?: { limit?: number; cursor?: string; status?: BatchStatus; profile?: string } };
    answer: { items: SyncBatch[]; nextCursor: string | null };
  };
  /** Read a batch, with live counts */
  getSyncBatch: { input: { id: string }; answer: SyncBatch };
  /** List the results of a batch in payload order */
  listSyncResults: {
    input: {
      id: string;
      query?: {
        limit?: number;
        cursor?: string;
        result?: 'created' | 'updated' | 'skipped' | 'error';
        code?:
          | 'invalid_json'
          | 'invalid_entity'
          | 'category_not_found'
          | 'category_not_syncable'
          | 'cycle'
          | 'plan_stale';
        warning?:
          | 'invalid_numeric'
          | 'invalid_date'
          | 'invalid_boolean'
          | 'duplicate_guid'
          | 'duplicate_guid_conflict'
          | 'parent_pending'
          | 'category_kept'
          | 'more_warnings';
        changed?: 'fields' | 'structure';
        format?: 'json' | 'csv' | 'ndjson';
      };
    };
    answer: { items: SyncResult[]; nextCursor: string | null };
  };
  /** Follow a batch as Server-Sent Events */
  streamSyncEvents: { input: { id: string }; answer: undefined };
  /** Cancel a batch */
  cancelSyncBatch: { input: { id: string }; answer: SyncBatch };
  /** Retry a failed batch */
  retrySyncBatch: { input: { id: string }; answer: SyncBatch };
  /** Group the errors and warnings of a batch */
  listSyncProblems: { input: { id: string }; answer: SyncProblems };
  /** List elements of a batch as they were sent */
  listSentElements: {
    input: {
      id: string;
      query?: {
        limit?: number;
        cursor?: string;
        result?: 'created' | 'updated' | 'skipped' | 'error';
        code?:
          | 'invalid_json'
          | 'invalid_entity'
          | 'category_not_found'
          | 'category_not_syncable'
          | 'cycle'
          | 'plan_stale';
        warning?:
          | 'invalid_numeric'
          | 'invalid_date'
          | 'invalid_boolean'
          | 'duplicate_guid'
          | 'duplicate_guid_conflict'
          | 'parent_pending'
          | 'category_kept'
          | 'more_warnings';
        changed?: 'fields' | 'structure';
        from?: number;
      };
    };
    answer: { items: SentElement[]; nextCursor: string | null };
  };
  /** Send elements of a batch again */
  resendSyncElements: {
    input: { id: string; query?: { dryRun?: 'true' | 'false' }; body: ResendRequest };
    answer: SyncBatch;
  };
  /** List the positions of the workspace */
  listPositions: {
    input: { query?: { limit?: number; cursor?: string; q?: string; short?: 'true' | 'false' } };
    answer: { items: StockPosition[]; nextCursor: string | null };
  };
  /** List the movements of the workspace */
  listLedger: {
    input: {
      query?: {
        limit?: number;
        cursor?: string;
        movementType?:
          | 'Adjustment'
          | 'POReceipt'
          | 'SOReservation'
          | 'SORelease'
          | 'SOShipment'
          | 'OnOrderAdd'
          | 'OnOrderRelease'
          | 'MRReservation'
          | 'MRRelease'
          | 'MOReceipt'
          | 'MRIssue';
        from?: string;
        to?: string;
        order?: 'asc' | 'desc';
        lineId?: string;
        requirementId?: string;
        format?: 'json' | 'csv';
      };
    };
    answer: { items: StockLedgerEntry[]; nextCursor: string | null };
  };
  /** List the positions of an item */
  listPositionsByItem: {
    input: { itemEntityId: string; query?: { limit?: number; cursor?: string; asOf?: string } };
    answer: { items: StockPosition[]; nextCursor: string | null };
  };
  /** List the positions at a location */
  listPositionsByLocation: {
    input: { locationEntityId: string; query?: { limit?: number; cursor?: string; asOf?: string } };
    answer: { items: StockPosition[]; nextCursor: string | null };
  };
  /** List the movements of an item */
  listLedgerByItem: {
    input: {
      itemEntityId: string;
      query?: {
        limit?: number;
        cursor?: string;
        movementType?:
          | 'Adjustment'
          | 'POReceipt'
          | 'SOReservation'
          | 'SORelease'
          | 'SOShipment'
          | 'OnOrderAdd'
          | 'OnOrderRelease'
          | 'MRReservation'
          | 'MRRelease'
          | 'MOReceipt'
          | 'MRIssue';
        from?: string;
        to?: string;
        order?: 'asc' | 'desc';
        format?: 'json' | 'csv';
      };
    };
    answer: { items: StockLedgerEntry[]; nextCursor: string | null };
  };
  /** List the movements at a location */
  listLedgerByLocation: {
    input: {
      locationEntityId: string;
      query?: {
        limit?: number;
        cursor?: string;
        movementType?:
          | 'Adjustment'
          | 'POReceipt'
          | 'SOReservation'
          | 'SORelease'
          | 'SOShipment'
          | 'OnOrderAdd'
          | 'OnOrderRelease'
          | 'MRReservation'
          | 'MRRelease'
          | 'MOReceipt'
          | 'MRIssue';
        from?: string;
        to?: string;
        order?: 'asc' | 'desc';
        format?: 'json' | 'csv';
      };
    };
    answer: { items: StockLedgerEntry[]; nextCursor: string | null };
  };
  /** Adjust stock by hand */
  postAdjustment: { input: { body: StockAdjustment }; answer: StockAdjusted };
  /** Adjust many positions: all or nothing */
  postAdjustmentBatch: { input: { body: StockAdjustmentBatch }; answer: StockBatchAdjusted };
  /** Prove the ledger */
  verifyLedger: { input: {}; answer: LedgerVerification };
  /** Prove the ledger against a digest that was kept elsewhere */
  verifyLedgerAgainstDigest: { input: { body: KeptDigest }; answer: LedgerProof };
  /** Cover the ledger with a digest */
  getLedgerDigest: { input: {}; answer: LedgerDigest };
  /** Book a stock count: all or nothing */
  countStock: { input: { body: StockCount }; answer: StockCounted };
  /** Read how the stock of an item was over time */
  getHistoryByItem: {
    input: { itemEntityId: string; query?: { from?: string; to?: string; points?: number; other?: string } };
    answer: StockHistory;
  };
  /** Read how the stock at a location was over time */
  getHistoryByLocation: {
    input: {
      locationEntityId: string;
      query?: { from?: string; to?: string; points?: number; other?: string };
    };
    answer: StockHistory;
  };
  /** List stock lines */
  listStockLines: {
    input: {
      query?: {
        limit?: number;
        cursor?: string;
        type?: 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder';
        itemEntityId?: string;
        orderId?: string;
        state?: string;
        requirementId?: string;
        requiredBefore?: string;
      };
    };
    answer: { items: StockLine[]; nextCursor: string | null };
  };
  /** Create a stock line */
  createStockLine: { input: { body: NewStockLine }; answer: LineMoved };
  /** Read a stock line */
  getStockLine: { input: { id: string }; answer: StockLine };
  /** Receive goods of a line */
  receiveStockLine: { input: { id: string; body: LineMovement }; answer: LineMoved };
  /** Ship goods of a line */
  shipStockLine: { input: { id: string; body: LineMovement }; answer: LineMoved };
  /** Reserve for a sales line */
  reserveStockLine: { input: { id: string; body: LineMovement }; answer: LineMoved };
  /** Release a reservation of a sales line */
  releaseStockLine: { input: { id: string; body: LineMovement }; answer: LineMoved };
  /** Close a line */
  closeStockLine: { input: { id: string; body?: LineEnd }; answer: LineMoved };
  /** Cancel a line */
  cancelStockLine: { input: { id: string; body?: LineEnd }; answer: LineMoved };
  /** List orders */
  listOrders: {
    input: {
      query?: {
        limit?: number;
        cursor?: string;
        order?: 'asc' | 'desc';
        type?: 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder';
        state?: string;
      };
    };
    answer: { items: Order[]; nextCursor: string | null };
  };
  /** Create an order with its lines: all or nothing */
  createOrder: { input: { body: NewOrder }; answer: OrderWithLines };
  /** Read an order with its lines */
  getOrder: { input: { id: string }; answer: OrderWithLines };
  /** Receive lines of an order: all or nothing */
  receiveOrder: { input: { id: string; body: OrderReceipt }; answer: OrderWithLines };
  /** List material requirements */
  listRequirements: {
    input: {
      query?: {
        limit?: number;
        cursor?: string;
        order?: 'asc' | 'desc';
        projectId?: string;
        itemEntityId?: string;
        lineId?: string;
        status?: 'open' | 'covered' | 'cancelled';
        requiredBefore?: string;
      };
    };
    answer: { items: MaterialRequirement[]; nextCursor: string | null };
  };
  /** Raise a material requirement */
  createRequirement: { input: { body: NewRequirement }; answer: MaterialRequirement };
  /** Read a material requirement */
  getRequirement: { input: { id: string }; answer: RequirementWithHeld };
  /** Reserve stock for a requirement */
  reserveRequirement: { input: { id: string; body: RequirementMovement }; answer: RequirementMoved };
  /** Release a reservation of a requirement */
  releaseRequirement: { input: { id: string; body: RequirementMovement }; answer: RequirementMoved };
  /** Issue reserved material */
  issueRequirement: { input: { id: string; body: RequirementMovement }; answer: RequirementMoved };
  /** Order for a requirement */
  orderRequirement: { input: { id: string; body: RequirementOrder }; answer: RequirementOrdered };
  /** List what a project is short of */
  listShortages: { input: { id: string }; answer: ProjectShortages };
  /** Raise requirements for what a project is short of */
  raiseShortages: { input: { id: string; body?: ShortageRequirements }; answer: ShortagesRaised };
  /** List feature automations */
  listFeatureAutomations: {
    input: { query?: { limit?: number; cursor?: string; contextTypeId?: number } };
    answer: { items: FeatureAutomation[]; nextCursor: string | null };
  };
  /** List automations */
  listAutomations: {
    input: { query?: { limit?: number; cursor?: string; contextTypeId?: number } };
    answer: { items: Automation[]; nextCursor: string | null };
  };
  /** Create an automation */
  createAutomation: { input: { body: NewAutomation }; answer: Automation };
  /** List the automations that come with the service */
  listSystemAutomations: {
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: Automation[]; nextCursor: string | null };
  };
  /** Read an automation */
  getAutomation: { input: { id: string }; answer: Automation };
  /** Replace an automation */
  replaceAutomation: { input: { id: string; body: AutomationReplacement }; answer: Automation };
  /** Delete an automation */
  deleteAutomation: { input: { id: string }; answer: undefined };
  /** Clone an automation into the workspace */
  cloneAutomation: { input: { id: string; body?: AutomationClone }; answer: Automation };
  /** List the versions of a script */
  listScriptVersions: {
    input: { id: string; query?: { limit?: number; cursor?: string } };
    answer: { items: ScriptVersion[]; nextCursor: string | null };
  };
  /** Run a script at once */
  testScript: { input: { body: ScriptTest }; answer: ScriptTestResult };
  /** List the runs of an automation */
  listAutomationRuns: {
    input: {
      id: string;
      query?: { limit?: number; cursor?: string; status?: 'queued' | 'succeeded' | 'failed' | 'suppressed' };
    };
    answer: { items: AutomationRunSummary[]; nextCursor: string | null };
  };
  /** List the runs of all automations */
  listAllAutomationRuns: {
    input: {
      query?: { limit?: number; cursor?: string; status?: 'queued' | 'succeeded' | 'failed' | 'suppressed' };
    };
    answer: { items: AutomationRunSummary[]; nextCursor: string | null };
  };
  /** Read a run */
  getAutomationRun: { input: { id: string }; answer: AutomationRun };
  /** Retry a past run */
  retryAutomationRun: { input: { id: string; body?: RunRetry }; answer: AutomationRun };
  /** Fire a user action */
  triggerAutomation: { input: { id: string; body?: AutomationTrigger }; answer: AutomationRun };
  /** List webhooks */
  listWebhooks: {
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: Webhook[]; nextCursor: string | null };
  };
  /** Create a webhook */
  createWebhook: { input: { body: NewWebhook }; answer: WebhookWithSecret };
  /** Read a webhook */
  getWebhook: { input: { id: string }; answer: Webhook };
  /** Replace a webhook */
  replaceWebhook: { input: { id: string; body: WebhookReplacement }; answer: Webhook };
  /** Delete a webhook and its deliveries */
  deleteWebhook: { input: { id: string }; answer: undefined };
  /** Rotate the secret of a webhook */
  rotateWebhookSecret: { input: { id: string; body?: SecretRotation }; answer: WebhookWithSecret };
  /** List the deliveries of a webhook */
  listWebhookDeliveries: {
    input: {
      id: string;
      query?: { limit?: number; cursor?: string; status?: 'pending' | 'delivered' | 'failed' };
    };
    answer: { items: WebhookDelivery[]; nextCursor: string | null };
  };
  /** Read a delivery with its message and its attempts */
  getWebhookDelivery: { input: { id: string; deliveryId: string }; answer: WebhookDeliveryWithPayload };
  /** Send a message again */
  resendWebhookDelivery: { input: { id: string; deliveryId: string }; answer: WebhookDeliveryWithPayload };
  /** See what happened, and what needs somebody */
  getOverview: { input: { query?: { hours?: number } }; answer: Overview };
  /** Follow a workspace as Server-Sent Events */
  streamEvents: { input: {}; answer: undefined };
  /** Whether the process answers */
  getLiveness: { input: {}; answer: Health };
  /** Whether the process can do its work */
  getReadiness: { input: {}; answer: Health };
}

/** Method, path, and whether the path stands below the workspace. */
export const operations: Record<
  keyof Operations,
  readonly [method: string, path: string, inWorkspace: boolean]
> = {
  createWorkspace: ['POST', '/api/workspaces', false],
  listWorkspaces: ['GET', '/api/workspaces', false],
  signIn: ['POST', '/api/sessions', false],
  getSession: ['GET', '/session', true],
  signOut: ['DELETE', '/session', true],
  listApiKeys: ['GET', '/api-keys', true],
  createApiKey: ['POST', '/api-keys', true],
  getApiKey: ['GET', '/api-keys/{id}', true],
  replaceApiKey: ['PUT', '/api-keys/{id}', true],
  revokeApiKey: ['DELETE', '/api-keys/{id}', true],
  listCategories: ['GET', '/categories', true],
  createCategory: ['POST', '/categories', true],
  getCategory: ['GET', '/categories/{key}', true],
  replaceCategory: ['PUT', '/categories/{key}', true],
  deleteCategory: ['DELETE', '/categories/{key}', true],
  listLifecycles: ['GET', '/lifecycles', true],
  createLifecycle: ['POST', '/lifecycles', true],
  getLifecycle: ['GET', '/lifecycles/{key}', true],
  replaceLifecycle: ['PUT', '/lifecycles/{key}', true],
  deleteLifecycle: ['DELETE', '/lifecycles/{key}', true],
  listPropertyDefinitions: ['GET', '/property-definitions', true],
  createPropertyDefinition: ['POST', '/property-definitions', true],
  getPropertyDefinition: ['GET', '/property-definitions/{key}', true],
  replacePropertyDefinition: ['PUT', '/property-definitions/{key}', true],
  deletePropertyDefinition: ['DELETE', '/property-definitions/{key}', true],
  listAudit: ['GET', '/audit', true],
  listEntities: ['GET', '/entities', true],
  createEntity: ['POST', '/entities', true],
  getEntity: ['GET', '/entities/{id}', true],
  updateEntity: ['PATCH', '/entities/{id}', true],
  countEntities: ['GET', '/entities/facets', true],
  lookUpEntities: ['POST', '/entities/lookup', true],
  listRevisions: ['GET', '/entities/{id}/revisions', true],
  getRevision: ['GET', '/entities/{id}/revisions/{n}', true],
  listRevisionUses: ['GET', '/entities/{id}/revisions/{n}/uses', true],
  compareRevisions: ['GET', '/entities/{id}/revisions/compare', true],
  transitionEntity: ['POST', '/entities/{id}/transitions', true],
  listTransitions: ['GET', '/entities/{id}/transitions', true],
  listUses: ['GET', '/entities/{id}/uses', true],
  listWhereUsed: ['GET', '/entities/{id}/where-used', true],
  getTree: ['GET', '/entities/{id}/tree', true],
  setUse: ['PUT', '/entities/{id}/uses/{childId}', true],
  removeUse: ['DELETE', '/entities/{id}/uses/{childId}', true],
  submitSync: ['POST', '/pdm/sync', true],
  commitSyncPlan: ['POST', '/pdm/sync/batches/{id}/commit', true],
  listSyncBatches: ['GET', '/pdm/sync/batches', true],
  getSyncBatch: ['GET', '/pdm/sync/batches/{id}', true],
  listSyncResults: ['GET', '/pdm/sync/batches/{id}/results', true],
  streamSyncEvents: ['GET', '/pdm/sync/batches/{id}/events', true],
  cancelSyncBatch: ['POST', '/pdm/sync/batches/{id}/cancel', true],
  retrySyncBatch: ['POST', '/pdm/sync/batches/{id}/retry', true],
  listSyncProblems: ['GET', '/pdm/sync/batches/{id}/problems', true],
  listSentElements: ['GET', '/pdm/sync/batches/{id}/elements', true],
  resendSyncElements: ['POST', '/pdm/sync/batches/{id}/resend', true],
  listPositions: ['GET', '/stock/positions', true],
  listLedger: ['GET', '/stock/ledger', true],
  listPositionsByItem: ['GET', '/stock/positions/by-item/{itemEntityId}', true],
  listPositionsByLocation: ['GET', '/stock/positions/by-location/{locationEntityId}', true],
  listLedgerByItem: ['GET', '/stock/ledger/by-item/{itemEntityId}', true],
  listLedgerByLocation: ['GET', '/stock/ledger/by-location/{locationEntityId}', true],
  postAdjustment: ['POST', '/stock/adjustments', true],
  postAdjustmentBatch: ['POST', '/stock/adjustments/batch', true],
  verifyLedger: ['GET', '/stock/ledger/verify', true],
  verifyLedgerAgainstDigest: ['POST', '/stock/ledger/verify', true],
  getLedgerDigest: ['GET', '/stock/ledger/digest', true],
  countStock: ['POST', '/stock/counts', true],
  getHistoryByItem: ['GET', '/stock/history/by-item/{itemEntityId}', true],
  getHistoryByLocation: ['GET', '/stock/history/by-location/{locationEntityId}', true],
  listStockLines: ['GET', '/stock/lines', true],
  createStockLine: ['POST', '/stock/lines', true],
  getStockLine: ['GET', '/stock/lines/{id}', true],
  receiveStockLine: ['POST', '/stock/lines/{id}/receipts', true],
  shipStockLine: ['POST', '/stock/lines/{id}/shipments', true],
  reserveStockLine: ['POST', '/stock/lines/{id}/reservations', true],
  releaseStockLine: ['POST', '/stock/lines/{id}/releases', true],
  closeStockLine: ['POST', '/stock/lines/{id}/close', true],
  cancelStockLine: ['POST', '/stock/lines/{id}/cancel', true],
  listOrders: ['GET', '/orders', true],
  createOrder: ['POST', '/orders', true],
  getOrder: ['GET', '/orders/{id}', true],
  receiveOrder: ['POST', '/orders/{id}/receipts', true],
  listRequirements: ['GET', '/requirements', true],
  createRequirement: ['POST', '/requirements', true],
  getRequirement: ['GET', '/requirements/{id}', true],
  reserveRequirement: ['POST', '/requirements/{id}/reservations', true],
  releaseRequirement: ['POST', '/requirements/{id}/releases', true],
  issueRequirement: ['POST', '/requirements/{id}/issues', true],
  orderRequirement: ['POST', '/requirements/{id}/orders', true],
  listShortages: ['GET', '/projects/{id}/shortages', true],
  raiseShortages: ['POST', '/projects/{id}/shortages/requirements', true],
  listFeatureAutomations: ['GET', '/automations/feature', true],
  listAutomations: ['GET', '/automations', true],
  createAutomation: ['POST', '/automations', true],
  listSystemAutomations: ['GET', '/automations/system', true],
  getAutomation: ['GET', '/automations/{id}', true],
  replaceAutomation: ['PUT', '/automations/{id}', true],
  deleteAutomation: ['DELETE', '/automations/{id}', true],
  cloneAutomation: ['POST', '/automations/{id}/clone', true],
  listScriptVersions: ['GET', '/automations/{id}/versions', true],
  testScript: ['POST', '/automations/test', true],
  listAutomationRuns: ['GET', '/automations/{id}/runs', true],
  listAllAutomationRuns: ['GET', '/automation-runs', true],
  getAutomationRun: ['GET', '/automation-runs/{id}', true],
  retryAutomationRun: ['POST', '/automation-runs/{id}/retry', true],
  triggerAutomation: ['POST', '/automations/{id}/trigger', true],
  listWebhooks: ['GET', '/webhooks', true],
  createWebhook: ['POST', '/webhooks', true],
  getWebhook: ['GET', '/webhooks/{id}', true],
  replaceWebhook: ['PUT', '/webhooks/{id}', true],
  deleteWebhook: ['DELETE', '/webhooks/{id}', true],
  rotateWebhookSecret: ['POST', '/webhooks/{id}/rotate-secret', true],
  listWebhookDeliveries: ['GET', '/webhooks/{id}/deliveries', true],
  getWebhookDelivery: ['GET', '/webhooks/{id}/deliveries/{deliveryId}', true],
  resendWebhookDelivery: ['POST', '/webhooks/{id}/deliveries/{deliveryId}/resend', true],
  getOverview: ['GET', '/overview', true],
  streamEvents: ['GET', '/events', true],
  getLiveness: ['GET', '/health/live', false],
  getReadiness: ['GET', '/health/ready', false],
};
