/**
 * A script has `api`, the `context` of its event, and `console` (which writes to the run's log, as
 * `api.log` does). It is the body of an async function: `await` and `return` work at its top level.
 * The JSON of what it returns is the result of the run.
 *
 * `Date` stands still at the event's time, in UTC, and `Math.random` repeats with the run, so that a run can
 * be repeated. All writes of a run are one transaction: an error that is not caught leaves nothing written.
 */

/** An entity's id, the id of one of its versions, or `guid:` and its external GUID. */
export type EntityRef = string;

/** Text, number or boolean as the property's type wants it; dates are `YYYY-MM-DD`. */
export type PropertyValue = string | number | boolean;

/** An entity in its current revision. */
export interface Entity {
  readonly id: string;
  /** Id of the current revision. */
  readonly versionId: string;
  /** The external system's GUID, lower case without braces; null where it has none. */
  readonly E_Guid: string | null;
  /** It is null if the entity has none. */
  readonly number: string | null;
  readonly name: string;
  /** Key of the category. */
  readonly category: string;
  /** Name of the lifecycle state. */
  readonly state: string;
  readonly released: boolean;
  /** Label of the revision: A, B, … */
  readonly revision: string;
  readonly revisionNumber: number;
  readonly properties: { readonly [key: string]: PropertyValue | null };
  /** SHA-256 of its picture; null if it has none. */
  readonly picture: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** It is null while the entity is in use. */
  readonly archivedAt: string | null;
}

/** All given conditions must hold. At least one is needed. */
export interface EntityQuery {
  category?: string;
  state?: string;
  number?: string;
  guid?: string;
  /** Part of the number or of the name. */
  q?: string;
  /** Conditions on properties, which must all hold, such as `Mass:lt:0.5` or `Material:in:S235,S355`. */
  where?: string[];
  /** At most 1000; 100 where it is absent. */
  limit?: number;
  /** `nextCursor` of the page before. */
  cursor?: string;
}

export interface EntityPage {
  readonly items: readonly Entity[];
  /** It is null on the last page. */
  readonly nextCursor: string | null;
}

export interface NewEntity {
  /** Key of the category. */
  category: string;
  name: string;
  /** The category's numbering gives one where it is absent. */
  number?: string;
  E_Guid?: string;
  properties?: { [key: string]: PropertyValue | null };
}

export interface TransitionOptions {
  /** Kept in the history. */
  note?: string;
}

/** A line of a structure, up or down. */
export interface StructureItem {
  readonly entityId: string;
  readonly number: string | null;
  readonly name: string;
  readonly category: string;
  readonly state: string;
  readonly revision: string;
  /** The quantity of the child in the parent. */
  readonly quantity: number;
  /** Item number of the line in the parent. */
  readonly findNumber: string | null;
  /** The places of the child in the parent, such as R1 and R2. */
  readonly referenceDesignators: readonly string[];
  readonly unit: string | null;
  readonly note: string | null;
  readonly hasChildren: boolean;
  readonly hasParents: boolean;
}

/**
 * The built-in actions. If `entity` or `item` is absent, the action uses that of the event. An entity is named by its number, its id, or
 * `guid:` followed by its GUID. In a test of a script they are undone, as all writes.
 */
export interface Actions {
  /** Raises a material requirement of a project for an item. */
  raiseRequirement(settings: {
    item?: string;
    project: string;
    quantity: number;
    requiredInDays?: number;
  }): Promise<{ readonly id: string; readonly number: string | null }>;
  /** Creates an order with one line as a draft. */
  draftOrder(settings: {
    item?: string;
    type?: 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder';
    location: string;
    quantity: number;
    supplier?: string;
    requiredInDays?: number;
    note?: string;
  }): Promise<{ readonly id: string; readonly number: string | null; readonly lineId: string | null }>;
  /** Moves an entity to another state of its lifecycle. */
  setState(settings: { entity?: string; toState: string; note?: string }): Promise<Entity>;
  /** Sets a property by the text of its value, or clears it if the value is absent. */
  setProperty(settings: { entity?: string; property: string; value?: string }): Promise<Entity>;
  /** Sends a message `feature.triggered` to webhooks. */
  notifyWebhook(settings: { event?: string; text?: string }): Promise<null>;
  /** Sends a mail to at most 10 addresses, which commas separate, after the run has succeeded. */
  sendMail(settings: { to: string; subject: string; text: string }): Promise<{ readonly id: string }>;
  /** Asks a program that listens to `feature.triggered` to print the label of an entity. */
  printLabel(settings: { entity?: string; copies?: number; printer?: string }): Promise<null>;
  /** Starts a planning run. If one with the same options waits already, that one is returned, and `isNew` is false. */
  startPlanningRun(settings: {
    horizonDays?: number;
    periodDays?: number;
    toleranceDays?: number;
    workingDays?: 'workspace' | 'everyDay' | 'mondayToFriday';
  }): Promise<{ readonly id: string; readonly isNew: boolean }>;
}

/** Exactly one of the two. */
export type PositionQuery = { itemEntityId: EntityRef } | { locationEntityId: EntityRef };

/** The stock of an item at a location. `available` is `onHand` minus `reserved`. */
export interface StockPosition {
  readonly itemEntityId: string;
  readonly itemNumber: string | null;
  readonly itemName: string;
  readonly locationEntityId: string;
  readonly locationNumber: string | null;
  readonly locationName: string;
  readonly onHand: number;
  readonly reserved: number;
  readonly onOrder: number;
  readonly available: number;
  readonly updatedAt: string;
}

/** The error of a refused call. `code` is one of the codes of the HTTP interface, such as `entity_not_found`. */
export interface ApiError extends Error {
  readonly name: 'ApiError';
  readonly code: string;
  /** The method that was refused. */
  readonly method: string;
}

/**
 * Every method but the three loggers returns a promise and wants an `await`: a script that ends before its
 * calls have been answered fails. A refused call throws an `ApiError`.
 */
export interface Api {
  /** Writes a line to the run's log. Objects are shown as JSON. */
  log(...values: unknown[]): void;
  /** Writes a warning to the run's log. */
  warn(...values: unknown[]): void;
  /** Writes an error to the run's log; the run goes on. */
  error(...values: unknown[]): void;

  /** Throws `entity_not_found` where there is none. */
  getEntity(entity: EntityRef): Promise<Entity>;
  /** Pages of entities, in a stable order. */
  findEntities(query: EntityQuery): Promise<EntityPage>;
  /**
   * Sets the named properties and leaves the others; null clears one. Returns the entity as it is then. A
   * released entity gets a new revision when something differs.
   */
  setProperties(entity: EntityRef, properties: { [key: string]: PropertyValue | null }): Promise<Entity>;
  /** Moves the entity to another state of its lifecycle; `transition_not_allowed` names the possible ones. */
  transition(entity: EntityRef, toState: string, options?: TransitionOptions): Promise<Entity>;
  /** The direct children, with quantities. Read only: scripts do not change structures. */
  getUses(entity: EntityRef): Promise<readonly StructureItem[]>;
  /** The direct parents, with quantities. Read only. */
  getWhereUsed(entity: EntityRef): Promise<readonly StructureItem[]>;
  /** Stock of an item at all locations, or of all items at a location. Read only: scripts do not move stock. */
  getPositions(query: PositionQuery): Promise<readonly StockPosition[]>;
  /** The built-in actions, through which a script reaches requirements, orders and messages. */
  readonly actions: Actions;
  /** Makes an entity. Lines and requirements are made by procurement only (`category_hidden`). */
  createEntity(entity: NewEntity): Promise<Entity>;
}

/** Context type 1: an entity version has changed its lifecycle state. */
export interface LifecycleTransitionContext {
  /** Id of the entity version. */
  readonly entityId: string;
  readonly entityNumber: string | null;
  readonly fromState: string;
  readonly toState: string;
  readonly workspaceSlug: string;
}

/** Context type 2: an import batch has finished. */
export interface ImportCompletedContext {
  readonly batchId: string;
  /** Name of the import definition. */
  readonly profileName: string;
  readonly insertCount: number;
  readonly updateCount: number;
  /** Rows that failed. */
  readonly errorCount: number;
  readonly workspaceSlug: string;
}

/** Context type 3: an entity has been created. */
export interface EntityCreatedContext {
  readonly entityId: string;
  readonly entityNumber: string | null;
  readonly entityGuid: string | null;
  readonly categoryKey: string;
  readonly workspaceSlug: string;
  /** The import batch that did it; null where none did. */
  readonly batchId: string | null;
}

/** A value that differs; null if there was or is none. */
export interface PropertyChange {
  /** Key of the property; `number` and `name` for those of the entity. */
  readonly property: string;
  readonly from: PropertyValue | null;
  readonly to: PropertyValue | null;
}

/** Context type 4: an entity's properties have been saved. */
export interface EntityUpdatedContext extends EntityCreatedContext {
  readonly changes: readonly PropertyChange[];
}

/** Context type 5: a user has pressed a button. */
export interface FeatureContext {
  readonly feature: string;
  readonly entityId: string | null;
  readonly entityNumber: string | null;
  readonly workspaceSlug: string;
  readonly parameters: { readonly [key: string]: unknown };
  /** The caller that pressed the button or made the transition. */
  readonly triggeredBy: {
    readonly type: 'apiKey' | 'member' | 'operator' | 'automation' | 'system';
    readonly id: string;
    readonly name: string;
  } | null;
}

/** Context type 6: stock of an item has moved; one event for each transaction and item. */
export interface StockMovedContext {
  /** Id of the item. */
  readonly entityId: string;
  readonly entityNumber: string | null;
  readonly categoryKey: string;
  /** At all locations, after the transaction; so are the next three. */
  readonly onHand: number;
  readonly reserved: number;
  readonly available: number;
  readonly onOrder: number;
  /** Entries of the ledger that the transaction has written for the item. */
  readonly entryCount: number;
  /** The movements, summed up; at most 100. */
  readonly movements: readonly {
    readonly movementType: string;
    readonly locationEntityId: string;
    readonly quantity: number;
    readonly lineId: string | null;
    readonly requirementId: string | null;
  }[];
  /** The positions that have changed, after the transaction; at most 100. */
  readonly positions: readonly {
    readonly locationEntityId: string;
    readonly onHand: number;
    readonly reserved: number;
    readonly available: number;
    readonly onOrder: number;
  }[];
  /** Whether movements or positions were left out. */
  readonly isPartial: boolean;
  readonly actorId: string | null;
  readonly workspaceSlug: string;
}

/** Context type 7: an order line or a requirement has changed; its figures are those after the transaction. */
export interface OrderChangedContext {
  readonly kind: 'line' | 'requirement';
  /** Id of the line or requirement. */
  readonly entityId: string;
  readonly entityNumber: string | null;
  readonly categoryKey: string;
  readonly state: string;
  /** It is null for a requirement. */
  readonly type: 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder' | null;
  readonly orderId: string | null;
  readonly projectId: string | null;
  readonly itemEntityId: string;
  readonly locationEntityId: string | null;
  /** The requirement that a line is for. */
  readonly requirementId: string | null;
  /** The manufacturing line that a requirement is a component of. */
  readonly lineId: string | null;
  readonly requiredBy: string | null;
  readonly quantity: number;
  readonly reservedQty: number;
  readonly orderedQty: number;
  readonly receivedQty: number;
  /** Shipped or issued. */
  readonly issuedQty: number;
  readonly returnedQty: number;
  readonly workspaceSlug: string;
}

/** Context type 8: the time of the automation's schedule has come. */
export interface ScheduleContext {
  /** Name of the automation. */
  readonly schedule: string;
  /** The time by the schedule; `Date` has the time at which the run was planned. */
  readonly scheduledAt: string;
  readonly timeZone: string;
  /** Earlier times that passed without a run, because the service was down or paused; at most 1000 are counted. */
  readonly missed: number;
  readonly workspaceSlug: string;
}

/** Context type 9: stock of an item, or the count of a saved view (`figure` is `count`), has crossed the threshold of the automation. */
export type ThresholdCrossedContext = StockCrossedContext | ViewCrossedContext;

export interface StockCrossedContext extends StockMovedContext {
  readonly automationId: string;
  readonly figure: 'onHand' | 'reserved' | 'available' | 'onOrder';
  /** The value that has crossed the threshold. */
  readonly value: number;
  /** The threshold, if the value fell below it. */
  readonly below: number | null;
  /** The threshold, if the value rose above it. */
  readonly above: number | null;
}

export interface ViewCrossedContext {
  readonly entityId: null;
  readonly entityNumber: null;
  readonly automationId: string;
  readonly viewId: string;
  readonly viewName: string;
  readonly figure: 'count';
  /** The number of entities in the view. */
  readonly value: number;
  readonly below: number | null;
  readonly above: number | null;
  readonly workspaceSlug: string;
}

/** Context type 10: an import has failed, was cancelled, or has errors. */
export interface ImportNotCleanContext extends ImportCompletedContext {
  readonly status: 'completed' | 'cancelled' | 'failed';
  /** It is null unless the import has failed. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** Context type 11: an item has fallen below its reorder point; one event for each crossing, with the figures of the reorder list. */
export interface BelowReorderPointContext {
  /** Id of the item. */
  readonly entityId: string;
  readonly entityNumber: string | null;
  readonly categoryKey: string;
  /** At all locations; so are the next three. */
  readonly onHand: number;
  readonly reserved: number;
  readonly available: number;
  readonly onOrder: number;
  readonly policy: 'demand' | 'reorderPoint' | 'minMax';
  readonly makeOrBuy: 'make' | 'buy';
  /** Open quantity of purchase and manufacturing lines, and what is in transit. */
  readonly comingQty: number;
  readonly draftQty: number;
  /** Open demand, without what is reserved for it. */
  readonly demandQty: number;
  /** The quantity that will be left, without the safety stock. */
  readonly projectedQty: number;
  /** The point that `projectedQty` fell below. */
  readonly reorderPoint: number;
  readonly missingQty: number;
  /** The proposed quantity, in the base unit: in lots and packs. */
  readonly quantity: number;
  readonly supplierPartId: string | null;
  readonly supplier: string | null;
  readonly sku: string | null;
  readonly leadTimeDays: number | null;
  /** The location that receives the order; null if the planning of the item does not name one. */
  readonly locationEntityId: string | null;
  /** Whether only the newest lines or requirements were looked at. */
  readonly isPartial: boolean;
  readonly workspaceSlug: string;
}

/** Context type 12: a planning run has ended. */
export interface PlanningFinishedContext {
  readonly planningRunId: string;
  readonly status: string;
  /** Whether it counts demand that does not exist, and cannot be committed. */
  readonly isWhatIf: boolean;
  /** The day for which it was computed; null if it was not. */
  readonly day: string | null;
  /** Number of actions by kind; `none`: exceptions that propose nothing. */
  readonly actions: { readonly [kind: string]: number };
  /** Number of actions with each exception. */
  readonly exceptions: { readonly [name: string]: number };
  /** Whether there are more actions than are stored. */
  readonly isTruncated: boolean;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly workspaceSlug: string;
}

/** The contexts by the id of their type. */
export interface Contexts {
  1: LifecycleTransitionContext;
  2: ImportCompletedContext;
  3: EntityCreatedContext;
  4: EntityUpdatedContext;
  5: FeatureContext;
  6: StockMovedContext;
  7: OrderChangedContext;
  8: ScheduleContext;
  9: ThresholdCrossedContext;
  10: ImportNotCleanContext;
  11: BelowReorderPointContext;
  12: PlanningFinishedContext;
}

/** The loggers of `api` under their usual names. */
export interface ScriptConsole {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  debug(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
}
