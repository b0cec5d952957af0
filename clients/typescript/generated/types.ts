// Generated from docs/openapi.json by `npm run client`; not to be edited.
export type NewWorkspace = { slug: string; name: string; template?: "default" };
export type NewAdminKey = { name?: string };
export type SignIn = { key: string } | { code: string };
export type PasskeyAnswer = { attempt: string; response: Record<string, unknown> };
export type PasswordSignIn = { userName: string; password: string };
export type LinkAcceptance = { link: string; name?: string; passkey?: PasskeyAnswer; password?: NewPassword };
export type NewPassword = { userName: string; password: string };
export type Proof = { password: string } | { passkey: PasskeyAnswer };
export type NewPasskey = { attempt: string; response: Record<string, unknown>; name: string };
export type PasskeyRename = { name: string };
export type MemberReplacement = { name: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; managed?: "hand" | "groups"; id?: string; createdAt?: string; endedAt?: string | null; lastSeenAt?: string | null };
export type NewInvitation = { name: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; expiresAt?: string };
export type GroupRules = { items: (GroupRule)[] };
export type GroupRule = { group: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[] };
export type GroupTrial = { groups: (string)[] };
export type OwnName = { name: string };
export type NewOwnApiKey = { name: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; expiresAt?: string | null };
export type NewApiKey = { name: string; permission?: "read" | "write" | "admin"; areas?: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; expiresAt?: string | null };
export type ApiKeyReplacement = { name: string; permission?: "read" | "write" | "admin"; areas?: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; expiresAt: string | null; memberId?: string | null; id?: string; prefix?: string; createdAt?: string; lastUsedAt?: string | null; revokedAt?: string | null };
export type NewCsvLink = { name: string; table: CsvTable; expiresAt?: string | null };
export type CsvTable = { of: "entities"; view?: string; category?: (string)[]; state?: (string)[]; role?: "item" | "location" | "project" | "none"; number?: string; q?: string; where?: (string)[]; sort?: "created" | "number" | "name" | "updatedAt" | string; order?: "asc" | "desc"; columns?: (string)[] } | { of: "positions"; q?: string; short?: boolean; columns?: ("itemEntityId" | "itemNumber" | "itemName" | "locationEntityId" | "locationNumber" | "locationName" | "onHand" | "reserved" | "onOrder" | "available" | "updatedAt" | "locationPath" | "lastCountedAt" | "blocked" | "inLots" | "unit" | "itemRevision")[] } | { of: "ledger"; movementType?: "Adjustment" | "POReceipt" | "SOReservation" | "SORelease" | "SOShipment" | "OnOrderAdd" | "OnOrderRelease" | "MRReservation" | "MRRelease" | "MOReceipt" | "MRIssue" | "TransferOut" | "TransferIn" | "POReturn" | "SOReturn" | "LotStatus" | "LotHold"; actorId?: string; from?: string; to?: string; effectiveFrom?: string; effectiveTo?: string; order?: "asc" | "desc"; columns?: ("id" | "sequence" | "recordedAt" | "movementType" | "itemEntityId" | "itemNumber" | "locationEntityId" | "locationNumber" | "quantity" | "onHandAfter" | "reservedAfter" | "onOrderAfter" | "note" | "lineId" | "orderId" | "requirementId" | "actorType" | "actorId" | "actorName" | "hash" | "bookingId" | "reversesId" | "effectiveOn" | "reason" | "consume" | "itemRevision" | "lot" | "enteredQuantity" | "enteredUnit" | "unit" | "coveredQuantity")[] } | { of: "lots"; status?: "available" | "quarantine" | "rejected"; expiresBefore?: string; inStock?: boolean; columns?: ("id" | "itemEntityId" | "itemNumber" | "itemName" | "number" | "kind" | "expiresOn" | "supplierLot" | "status" | "onHand" | "createdAt" | "properties")[] };
export type NewCategory = { key: string; name: string; numbering?: { source: "payload" | "scheme"; pattern: string; whenTaken?: "warn" | "refuse" }; lifecycle?: string; role?: "item" | "location" | "itemAndLocation" | "project" | "none"; behaviour?: "none" | "purchaseOrder" | "purchaseOrderLine" | "salesOrder" | "salesOrderLine" | "manufacturingOrder" | "manufacturingOrderLine" | "materialRequirement"; hiddenFromNew?: boolean; tabs?: ("stockLedger" | "uses" | "whereUsed" | "revisions" | "lines" | "requirements")[]; properties?: (string)[]; consume?: "proportional" | "asListed" | "none" | null; unreleasedChildren?: "warn" | "refuse" };
export type CategoryReplacement = { name: string; numbering?: { source: "payload" | "scheme"; pattern: string; whenTaken?: "warn" | "refuse" }; lifecycle: string; role?: "item" | "location" | "itemAndLocation" | "project" | "none"; behaviour?: "none" | "purchaseOrder" | "purchaseOrderLine" | "salesOrder" | "salesOrderLine" | "manufacturingOrder" | "manufacturingOrderLine" | "materialRequirement"; hiddenFromNew?: boolean; tabs?: ("stockLedger" | "uses" | "whereUsed" | "revisions" | "lines" | "requirements")[]; properties?: (string)[]; consume?: "proportional" | "asListed" | "none" | null; unreleasedChildren?: "warn" | "refuse"; key?: string };
export type NewLifecycle = { key: string; name: string; initialState: string; states: ({ name: string; released?: boolean; whenInUse?: "warn" | "refuse" })[]; transitions?: ({ id: string; name: string; from: string; to: string; featureAutomations?: ({ feature: "createMaterialRequirement" | "updateOnOrderStock" | "requireComponents" | "reserveSalesLine" | "releaseSalesLine" | "cascadeTransition" | "notifyWebhook"; settings?: Record<string, unknown> })[] })[] };
export type LifecycleReplacement = { name: string; initialState: string; states: ({ name: string; released?: boolean; whenInUse?: "warn" | "refuse" })[]; transitions?: ({ id: string; name: string; from: string; to: string; featureAutomations?: ({ feature: "createMaterialRequirement" | "updateOnOrderStock" | "requireComponents" | "reserveSalesLine" | "releaseSalesLine" | "cascadeTransition" | "notifyWebhook"; settings?: Record<string, unknown> })[] })[]; key?: string };
export type NewPropertyDefinition = { key: string; name: string; type: "text" | "numeric" | "date" | "boolean" | "choice" | "url" | "reference"; choices?: (string)[] | null; unit?: string | null; default?: string | number | boolean | null; pattern?: string | null; requiredFrom?: string | null; group?: string | null; description?: string | null; filterable?: boolean; searchable?: boolean };
export type PropertyDefinitionReplacement = { name: string; type: "text" | "numeric" | "date" | "boolean" | "choice" | "url" | "reference"; choices?: (string)[] | null; unit?: string | null; default?: string | number | boolean | null; pattern?: string | null; requiredFrom?: string | null; group?: string | null; description?: string | null; filterable?: boolean; searchable?: boolean; key?: string; index?: "none" | "filling" | "ready" };
export type NewStockSettings = { reserveReceived: boolean; overDeliveryPercent: number; adjustmentReasons: (string)[]; stockClosedUntil?: string | null; costing?: { method: "fifo" | "average"; currency: string } | null; workingDays?: { weekdays: (number)[]; holidays: (string)[] } };
export type NewEntity = { category: string; name: string; number?: string | null; E_Guid?: string | null; parentLocation?: string | null; properties?: Record<string, string | number | boolean | null> };
export type EntityPatch = { name?: string; number?: string | null; properties?: Record<string, string | number | boolean | null>; E_Guid?: string | null; parentLocation?: string | null; picture?: string | null; id?: string; versionId?: string; category?: string; state?: string; released?: boolean; revision?: string; revisionNumber?: number; unit?: string | null; createdAt?: string; updatedAt?: string; archivedAt?: string | null; mergedInto?: string | null };
export type EntityMerge = { from: string; reason?: string; dryRun?: boolean };
export type PartReplacement = { by: string; parents?: (string)[]; reason: string; dryRun?: boolean };
export type NewBulkEdit = { filter: { category?: string | (string)[]; state?: string | (string)[]; role?: "item" | "location" | "project" | "none"; number?: string; archived?: "false" | "true" | "only"; q?: string; where?: string | (string)[]; view?: string; ids?: (string)[] }; change: BulkEditChange; dryRun?: boolean; reason?: string | null };
export type BulkEditChange = { properties?: Record<string, string | number | boolean | null>; replace?: Record<string, { find: string; with: string }>; category?: string; state?: string };
export type BulkEditFollowUp = { reason?: string | null };
export type EntityLookup = { numbers: (string)[] };
export type NewTransition = { toState: string; note?: string | null };
export type UseQuantity = { quantity: number; findNumber?: string | null; referenceDesignators?: (string)[] | null; unit?: string | null; note?: string | null; substitutes?: ({ guid: string; rank?: number; ratio?: number })[] | null; lossPercent?: number | null; lossFixed?: number | null; phantom?: boolean | null; lines?: ({ quantity: number; findNumber?: string | null; referenceDesignators?: (string)[] | null; unit?: string | null; note?: string | null; substitutes?: ({ guid: string; rank?: number; ratio?: number })[] | null; lossPercent?: number | null; lossFixed?: number | null; phantom?: boolean | null })[]; entityId?: string; number?: string | null; name?: string; category?: string; state?: string; revision?: string; archived?: boolean; picture?: string | null; hasChildren?: boolean; hasParents?: boolean; warnings?: (UnitWarning)[] };
export type NewSavedView = { name: string; list: "entities" | "positions" | "ledger" | "orders" | "lines" | "requirements" | "suppliers" | "supplierParts" | "imports"; shared?: boolean; filters?: Record<string, string | (string)[]>; sort?: string | null; order?: "asc" | "desc" | null; columns?: (string)[] | null };
export type SavedViewReplacement = { name: string; shared?: boolean; filters?: Record<string, string | (string)[]>; sort?: string | null; order?: "asc" | "desc" | null; columns?: (string)[] | null; id?: string; list?: "entities" | "positions" | "ledger" | "orders" | "lines" | "requirements" | "suppliers" | "supplierParts" | "imports"; owner?: { id: string; name: string }; mine?: boolean; createdAt?: string; updatedAt?: string };
export type NewComment = { entity?: string; import?: string; text: string };
export type CommentEdit = { text: string; id?: string; entityId?: string | null; importId?: string | null; mentions?: (Mention)[]; author?: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string }; mine?: boolean; createdAt?: string; editedAt?: string | null; deletedAt?: string | null };
export type NewSubscription = { entity?: string; import?: string; importProfile?: string; view?: string; below?: boolean; stock?: boolean; muted?: boolean };
export type ReadMark = { ids?: (string)[]; upTo?: string };
export type NewInboxMailSetting = { mode: "none" | "atOnce" | "daily"; address?: string; resendCode?: boolean };
export type InboxMailConfirmation = { code: string };
export type NewImportDefinition = { name: string; mapping: ImportMapping };
export type ImportMapping = { description?: string; format?: "auto" | "table" | "netlist" | "step" | "stpx" | "pdm"; namespace?: string; columns?: { key?: string | (string)[]; keyElse?: string | (string)[]; number?: string; name?: string; guid?: string; category?: string; picture?: string; parentLocation?: string; quantity?: string; level?: string; levels?: (string)[]; parent?: string; row?: string; parentName?: string; identity?: (string)[]; references?: string; findNumber?: string; unit?: string; note?: string; substitutes?: string; lossPercent?: string; lossFixed?: string; phantom?: string }; properties?: Record<string, string | { column: string; type?: "text" | "numeric" | "date" | "boolean" | "reference"; units?: Record<string, number>; withUnit?: true; unit?: string }>; supplierParts?: ({ supplier?: string; supplierName?: string; sku?: string; manufacturer?: string; mpn?: string; packQuantity?: string; minimum?: string; multiple?: string; leadTimeDays?: string; price?: string; priceFrom?: string | number; currency?: string; currencyCode?: string })[]; structure?: "flat" | "levels" | "items" | "indented" | "dots" | "columns" | "paths" | "parent"; missingParents?: "wait" | "create"; quantity?: "perParent" | "extended"; root?: { number: string; name?: string; category?: string }; categories?: { default?: string; assembly?: string; rules?: ({ column: string; values: (string)[]; category: string })[] }; exclude?: ({ column: string; values?: (string)[]; says?: "yes" | "no" | "notFitted" })[]; fillDown?: (string)[]; nothing?: (string)[]; placeholders?: (string)[]; withoutVersion?: boolean; quantityWords?: Record<string, number>; notFitted?: "leaveOut" | "keep"; watch?: (string)[]; variant?: string; hiddenRows?: "read" | "leaveOut"; match?: "ask" | "number" | "guid"; decimal?: "." | "," | "unambiguous"; dates?: "ymd" | "dmy" | "mdy"; encoding?: string; delimiter?: "," | ";" | "\t" | "|"; sheet?: string; productKey?: "id" | "name" | "id+name" };
export type ImportDefinitionReplacement = { mapping: ImportMapping; name?: string; version?: number; createdAt?: string; updatedAt?: string };
export type FirstRows = { rows: ((string)[])[]; delimiter?: "," | ";" | "\t" | "|" };
export type SyncPayload = { entities: (SyncElement)[] };
export type SyncElement = { guid: string; number: string; name: string; categoryKey: string; parentGuid?: string | null; quantity?: number; findNumber?: string | null; referenceDesignators?: (string)[] | null; unit?: string | null; note?: string | null; substitutes?: ({ guid: string; rank?: number; ratio?: number })[] | null; lossPercent?: number | null; lossFixed?: number | null; phantom?: boolean | null; picture?: string | null; parentLocation?: string | null; supplierParts?: (SyncSupplierPart)[] | null; hasChildren?: boolean; level?: number | null; sourceWarnings?: ({ message: string; property?: string; count?: number })[]; properties?: Record<string, string | number | boolean | null> };
export type SyncSupplierPart = { supplier: string; sku?: string | null; manufacturer?: string | null; mpn?: string | null; packQuantity?: number | null; minimum?: number | null; multiple?: number | null; leadTimeDays?: number | null; rank?: number | null; prices?: ({ from?: number; price: string; currency?: string | null; validFrom?: string | null; source?: string | null })[] | null };
export type BatchStatus = "queued" | "processing" | "completed" | "cancelled" | "failed";
export type ResendRequest = { result?: "created" | "updated" | "skipped" | "error"; code?: "invalid_json" | "unreadable_line" | "invalid_entity" | "category_not_found" | "category_not_syncable" | "number_taken" | "cycle" | "not_in_structure" | "plan_stale"; warning?: "invalid_numeric" | "imprecise_numeric" | "invalid_date" | "invalid_boolean" | "invalid_url" | "invalid_reference" | "value_not_in_choices" | "value_required" | "pattern_mismatch" | "duplicate_guid" | "duplicate_guid_conflict" | "parent_pending" | "category_kept" | "invalid_link_field" | "link_field_conflict" | "unit_unknown" | "quantity_out_of_range" | "structure_kept" | "text_cleaned" | "empty_name" | "level_mismatch" | "location_link" | "location_pending" | "location_refused" | "supplier_part_refused" | "unknown_field" | "number_taken" | "archived" | "merged" | "invalid_picture" | "picture_pending" | "source_warning" | "more_warnings"; guids?: (string)[] };
export type NewRevaluation = { locationEntityId?: string; layer?: number; unitCost: { price: string; currency?: string }; note?: string | null };
export type NewStandardCost = { cost: string | null; note?: string | null };
export type NewStockAdjustment = { itemEntityId: string; locationEntityId: string; quantity: number; note?: string | null; reason?: string | null; lot?: string | null; newLot?: NewLot; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; effectiveOn?: string | null; unitCost?: { price: string; currency?: string } | null; dryRun?: boolean };
export type NewLot = { expiresOn?: string | null; supplierLot?: string | null; properties?: Record<string, string>; status?: "available" | "quarantine" | "rejected" };
export type StockAdjustmentBatch = { dryRun?: boolean; adjustments: (StockAdjustment)[] };
export type StockAdjustment = { itemEntityId: string; locationEntityId: string; quantity: number; note?: string | null; reason?: string | null; lot?: string | null; newLot?: NewLot; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; effectiveOn?: string | null; unitCost?: { price: string; currency?: string } | null };
export type KeptDigest = { at: string; entries: number; positions: number; digest: string };
export type StockTransfer = { dryRun?: boolean; note?: string | null; effectiveOn?: string | null; inTransit?: boolean; lines: (StockTransferLine)[] };
export type StockTransferLine = { itemEntityId: string; fromLocationEntityId: string; toLocationEntityId: string; quantity: number; lot?: string | null; requirementId?: string | null; unit?: string | null; rounding?: "up" | "down" | "nearest" | null };
export type StockTransitReceipt = { quantity: number; isLast?: boolean; locationEntityId?: string | null; reason?: string | null; note?: string | null; effectiveOn?: string | null };
export type NewTracking = { tracking: "none" | "lot" | "serial"; itemEntityId?: string; itemNumber?: string | null; itemName?: string; unassignedQty?: number; unassigned?: ({ locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number })[] };
export type StockLotPatch = { expiresOn?: string | null; supplierLot?: string | null; properties?: Record<string, string>; id?: string; itemEntityId?: string; itemNumber?: string | null; itemName?: string; number?: string; kind?: "lot" | "serial"; status?: "available" | "quarantine" | "rejected"; createdAt?: string; onHand?: number; positions?: ({ locationEntityId: string; locationNumber: string | null; locationName: string; onHand: number; held: number })[]; isBuilt?: boolean };
export type NewLotStatus = { status: "available" | "quarantine" | "rejected"; note?: string | null };
export type NewLotHold = { lineId?: string; requirementId?: string; locationEntityId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; note?: string | null };
export type NewItemUnits = { baseUnit: string | null; units?: ({ unit: string; numerator: number; denominator?: number })[]; itemEntityId?: string; itemNumber?: string | null; itemName?: string; measured?: (string)[]; conversions?: ({ unit: string; numerator: number; denominator: number })[]; isFixed?: boolean };
export type StockCount = { dryRun?: boolean; note?: string | null; effectiveOn?: string | null; task?: string | null; lines: ({ item: string; location: string; countedQty: number; seenOnHand?: number | null; lot?: string | null; newLot?: NewLot; unit?: string | null; rounding?: "up" | "down" | "nearest" | null })[] };
export type NewCountTask = { location: string; below?: boolean; assignedTo?: string | null; dueOn?: string | null; note?: string | null };
export type CountTaskPatch = { below?: boolean; assignedTo?: string | { id: string; name: string } | null; dueOn?: string | null; note?: string | null; id?: string; location?: { id: string; number: string | null; name: string }; createdBy?: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string }; createdAt?: string; endedBy?: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string } | null; endedAt?: string | null; status?: "open" | "done" | "cancelled" };
export type NewStockLine = { type: "purchaseOrder" | "salesOrder" | "manufacturingOrder"; itemEntityId: string; locationEntityId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; orderId?: string | null; requirementId?: string | null; requiredBy?: string | null; supplierPartId?: string | null; price?: string | null; currency?: string | null; overDeliveryPercent?: number | null; allowBackorder?: boolean; state?: "Draft" | "Ordered" | "Reserved"; note?: string | null; supplier?: string | null };
export type StockLinePatch = { quantity?: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; requiredBy?: string | null; promises?: ({ on: string; quantity: number })[]; price?: string | null; currency?: string | null; overDeliveryPercent?: number | null; note?: string | null; id?: string; number?: string | null; type?: "purchaseOrder" | "salesOrder" | "manufacturingOrder"; orderId?: string; orderNumber?: string | null; supplier?: string | null; itemEntityId?: string; itemNumber?: string | null; itemName?: string; itemPicture?: string | null; itemRevisionLabel?: string; locationEntityId?: string; locationNumber?: string | null; locationName?: string; requirementId?: string | null; state?: string; enteredQuantity?: number | null; enteredUnit?: string | null; itemRevision?: number | null; supplierPartId?: string | null; sku?: string | null; packQuantity?: number | null; priceUnit?: string | null; allowBackorder?: boolean; createdAt?: string; enteredOpenQty?: number | null; packs?: number | null; amount?: string | null; receivedQty?: number; shippedQty?: number; returnedQty?: number; reservedQty?: number; openQty?: number; forRequirement?: number; free?: number };
export type LineShipment = { quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; note?: string | null; lots?: "firstExpired" | ({ lot?: string; serials?: string; quantity?: number; unit?: string })[]; effectiveOn?: string | null };
export type LineReservation = { quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; note?: string | null; lots?: ({ lot?: string; serials?: string; quantity?: number; unit?: string })[] };
export type LineMovement = { quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; note?: string | null };
export type LineEnd = { note?: string | null; unused?: "waive" | "return" | "scrap" };
export type ComponentsWork = { quantity?: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; from?: (string)[] | null; componentLots?: "firstExpired" | ({ itemEntityId: string; lot: string })[]; substitutes?: ({ itemEntityId: string; substituteEntityId: string; quantity?: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null })[]; note?: string | null; dryRun?: boolean };
export type LineReceipt = { quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; effectiveOn?: string | null; scrap?: number; locationEntityId?: string; lots?: ({ lot?: string; serials?: string; quantity?: number; unit?: string; expiresOn?: string | null; supplierLot?: string | null; properties?: Record<string, string>; status?: "available" | "quarantine" | "rejected" })[]; unitCost?: { price: string; currency?: string } | null; consume?: "proportional" | "asListed" | "none" | null; components?: ({ itemEntityId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null })[]; substitutes?: ({ itemEntityId: string; substituteEntityId: string; quantity?: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null })[]; componentLots?: "firstExpired" | ({ itemEntityId: string; lot: string })[]; from?: (string)[] | null; note?: string | null; dryRun?: boolean };
export type LineScrap = { quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; lots?: ({ lot?: string; serials?: string; quantity?: number; unit?: string; expiresOn?: string | null; supplierLot?: string | null; properties?: Record<string, string>; status?: "available" | "quarantine" | "rejected" })[]; consume?: "proportional" | "asListed" | "none" | null; components?: ({ itemEntityId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null })[]; substitutes?: ({ itemEntityId: string; substituteEntityId: string; quantity?: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null })[]; componentLots?: "firstExpired" | ({ itemEntityId: string; lot: string })[]; from?: (string)[] | null; note?: string | null; dryRun?: boolean };
export type LineDisassembly = { quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; locationEntityId?: string | null; lots?: ({ lot?: string; serials?: string; quantity?: number; unit?: string })[]; note?: string | null };
export type LotDisassembly = { quantity?: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; locationEntityId?: string | null; note?: string | null };
export type NewOrder = { type: "purchaseOrder" | "salesOrder" | "manufacturingOrder"; supplier?: string | null; customer?: string | null; ourReference?: string | null; theirReference?: string | null; lines: ({ itemEntityId: string; locationEntityId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; requirementId?: string | null; requiredBy?: string | null; supplierPartId?: string | null; price?: string | null; currency?: string | null; overDeliveryPercent?: number | null; allowBackorder?: boolean; state?: "Draft" | "Ordered" | "Reserved" })[]; note?: string | null };
export type OrderPatch = { supplier?: string | null; customer?: string | null; ourReference?: string | null; theirReference?: string | null; id?: string; type?: "purchaseOrder" | "salesOrder" | "manufacturingOrder"; number?: string | null; name?: string; state?: string; createdAt?: string; totals?: { lines: number; openLines: number; quantity: number; receivedQty: number; shippedQty: number; returnedQty: number; reservedQty: number; openQty: number; amounts: ({ currency: string; amount: string })[]; unpricedLines: number }; lines?: (StockLine)[] };
export type NewOrderLines = { lines: ({ itemEntityId: string; locationEntityId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; requirementId?: string | null; requiredBy?: string | null; supplierPartId?: string | null; price?: string | null; currency?: string | null; overDeliveryPercent?: number | null; allowBackorder?: boolean; state?: "Draft" | "Ordered" | "Reserved" })[]; note?: string | null };
export type OrderReceipt = { lines?: ({ lineId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; locationEntityId?: string; lots?: ({ lot?: string; serials?: string; quantity?: number; unit?: string; expiresOn?: string | null; supplierLot?: string | null; properties?: Record<string, string>; status?: "available" | "quarantine" | "rejected" })[]; unitCost?: { price: string; currency?: string } | null })[]; note?: string | null; effectiveOn?: string | null; dryRun?: boolean; consume?: "proportional" | "none" | null };
export type OrderShipment = { lines?: ({ lineId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; lots?: "firstExpired" | ({ lot?: string; serials?: string; quantity?: number; unit?: string })[] })[]; note?: string | null; effectiveOn?: string | null; dryRun?: boolean };
export type NewReversal = { quantity?: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; note: string; dryRun?: boolean };
export type DeliveryReversal = { note: string; dryRun?: boolean };
export type OrderReturn = { lines: ({ lineId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; reason?: string | null; locationEntityId?: string; lots?: ({ lot?: string; serials?: string; quantity?: number; unit?: string })[] })[]; replace?: boolean; effectiveOn?: string | null; note?: string | null; dryRun?: boolean };
export type NewSupplier = { name: string; code?: string | null; currency?: string | null; leadTimeDays?: number | null; contact?: string | null; state?: "active" | "inactive" };
export type SupplierPatch = { name?: string; code?: string | null; currency?: string | null; leadTimeDays?: number | null; contact?: string | null; state?: "active" | "inactive"; id?: string; mergedIntoId?: string | null; createdAt?: string };
export type SupplierMerge = { into: string };
export type SupplierLookup = { itemEntityIds: (string)[] };
export type NewSupplierPart = { itemEntityId: string; supplierId: string; sku: string; manufacturer?: string | null; mpn?: string | null; unit?: string | null; packQuantity?: number; minimum?: number | null; multiple?: number | null; leadTimeDays?: number | null; rank?: number; status?: "active" | "inactive"; prices?: ({ from: number; price: string; currency: string; validFrom?: string | null; source?: string | null })[] };
export type SupplierPartPatch = { sku?: string; manufacturer?: string | null; mpn?: string | null; unit?: string | null; packQuantity?: number; minimum?: number | null; multiple?: number | null; leadTimeDays?: number | null; rank?: number; status?: "active" | "inactive"; prices?: ({ from: number; price: string; currency: string; validFrom?: string | null; source?: string | null })[]; id?: string; itemEntityId?: string; itemNumber?: string | null; itemName?: string; supplierId?: string; supplier?: string; createdAt?: string };
export type OfferRequest = { lines: ({ itemEntityId: string; quantity: number; supplier?: string | null })[] };
export type NewItemPlanning = { policy: "none" | "demand" | "reorderPoint" | "minMax"; reorderPoint?: number; maximum?: number | null; safety?: number; minimum?: number | null; multiple?: number | null; makeOrBuy?: "make" | "buy"; leadTimeDays?: number | null; supplierPartId?: string | null; locationEntityId?: string | null; itemEntityId?: string; itemNumber?: string | null; itemName?: string };
export type ReorderOrders = { lines: ({ itemEntityId: string; quantity?: number })[]; locationEntityId?: string | null; state?: "Draft" | "Ordered"; requiredBy?: string | null; note?: string | null };
export type NewPlanningRun = { horizonDays?: number; periodDays?: number; toleranceDays?: number; weekdays?: (number)[]; holidays?: (string)[]; structure?: "current" | "released"; usesSubstitutes?: boolean; projects?: ({ projectId: string; quantity?: number; requiredBy: string })[]; scope?: { projects?: (string)[]; items?: (string)[]; categories?: (string)[]; locationEntityId?: string | null } | null; whatIf?: { demand?: ({ itemEntityId: string; quantity: number; requiredBy: string })[]; revisions?: ({ itemEntityId: string; revision: number })[]; dates?: ({ id: string; requiredBy: string })[] } | null };
export type PlanningCommit = { actions?: (number)[]; as?: "draft" | "ordered"; locationEntityId?: string | null; note?: string | null };
export type PlanningDismissal = { actions: (number)[]; dismissed?: boolean };
export type NewForecasts = { forecasts: ({ itemEntityId: string; from: string; until: string; quantity: number })[] };
export type NewRequirement = { projectId: string; itemEntityId: string; requiredQty: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; requiredBy?: string | null };
export type RequirementPatch = { requiredQty?: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; requiredBy?: string | null; note?: string | null; id?: string; number?: string | null; projectId?: string | null; projectNumber?: string | null; projectName?: string | null; lineId?: string | null; itemEntityId?: string; itemNumber?: string | null; itemName?: string; itemPicture?: string | null; itemRevision?: string; createdAt?: string; reservedQty?: number; issuedQty?: number; orderedQty?: number; openQty?: number; status?: "open" | "covered" | "cancelled"; held?: ({ locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number; substitute: { itemEntityId: string; itemNumber: string | null; itemName: string; covers: number } | null })[] };
export type RequirementReservation = { locationEntityId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; note?: string | null; lots?: ({ lot?: string; serials?: string; quantity?: number; unit?: string })[] };
export type RequirementRelease = { locationEntityId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; note?: string | null; substituteEntityId?: string };
export type RequirementIssue = { locationEntityId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; note?: string | null; substituteEntityId?: string; lots?: "firstExpired" | ({ lot?: string; serials?: string; quantity?: number; unit?: string })[]; effectiveOn?: string | null };
export type RequirementOrder = { locationEntityId: string; quantity: number; unit?: string | null; rounding?: "up" | "down" | "nearest" | null; orderId?: string | null; supplier?: string | null; requiredBy?: string | null; note?: string | null };
export type ShortageRequirements = { itemEntityIds?: (string)[]; leavesOnly?: boolean; requiredBy?: string | null; configuration?: "current" | "asReleased" | "latestReleased" };
export type ShortageReservations = { lines: ({ itemEntityId: string })[]; note?: string | null; configuration?: "current" | "asReleased" | "latestReleased" };
export type ShortageOrders = { locationEntityId: string; lines: ({ itemEntityId: string; quantity: number; supplier?: string | null })[]; state?: "Draft" | "Ordered"; requiredBy?: string | null; note?: string | null; configuration?: "current" | "asReleased" | "latestReleased" };
export type NewOrderTemplate = { sender?: string; header?: string; footer?: string; paper?: "A4" | "Letter"; decimalSign?: "." | ","; columns?: ({ field: "position" | "itemNumber" | "itemName" | "itemRevision" | "sku" | "manufacturer" | "mpn" | "quantity" | "unit" | "packs" | "packQuantity" | "price" | "currency" | "amount" | "requiredBy" | "location" | "lineNumber" | "state"; title: string })[]; words?: { purchaseOrder?: string; salesOrder?: string; manufacturingOrder?: string; date?: string; supplier?: string; customer?: string; ourReference?: string; theirReference?: string; total?: string; unprinted?: string } };
export type NewExchangeRate = { rate: string; from?: string; to?: string; validFrom?: string };
export type NewAutomation = { name: string; description?: string; contextTypeId: number; script?: string; actions?: (AutomationAction)[] | null; button?: AutomationButton | null; filter?: AutomationFilter | null; schedule?: AutomationSchedule | null; threshold?: AutomationThreshold | null; enabled?: boolean };
export type AutomationAction = { action: "raiseRequirement" | "draftOrder" | "setState" | "setProperty" | "notifyWebhook" | "sendMail" | "printLabel" | "startPlanningRun"; settings?: Record<string, unknown> };
export type AutomationButton = { label: string; categories?: (string)[]; states?: (string)[]; confirm?: string; parameters?: Form };
export type Form = { type: "object"; properties: Record<string, FormField>; required?: (string)[] };
export type FormField = { type: "string"; title?: string; description?: string; enum?: (string)[]; format?: "date"; minLength?: number; maxLength?: number; default?: string } | { type: "number"; title?: string; description?: string; minimum?: number; maximum?: number; default?: number } | { type: "integer"; title?: string; description?: string; minimum?: number; maximum?: number; default?: number } | { type: "boolean"; title?: string; description?: string; default?: boolean };
export type AutomationFilter = { categories?: (string)[]; states?: (string)[]; properties?: (AutomationCondition)[]; where?: (string)[]; changed?: (string)[] };
export type AutomationCondition = { property: string; is: "equal" | "notEqual" | "less" | "greater" | "containing" | "set" | "notSet"; value?: string | number | boolean };
export type AutomationSchedule = { cron: string; timeZone?: string };
export type AutomationThreshold = { figure?: "onHand" | "reserved" | "available" | "onOrder"; view?: string; below?: number; above?: number; rearm?: number };
export type AutomationReplacement = { name: string; description?: string; contextTypeId: number; script?: string; actions?: (AutomationAction)[] | null; button?: AutomationButton | null; filter?: AutomationFilter | null; schedule?: AutomationSchedule | null; threshold?: AutomationThreshold | null; enabled?: boolean; id?: string; kind?: "system" | "custom"; contextType?: "lifecycleTransition" | "importCompleted" | "entityCreated" | "entityUpdated" | "feature" | "stockMoved" | "orderChanged" | "schedule" | "thresholdCrossed" | "importNotClean" | "belowReorderPoint" | "planningFinished"; scriptVersion?: number; thresholdStatus?: AutomationThresholdStatus | null; nextRunAt?: string | null; createdAt?: string; updatedAt?: string; recentRuns?: ({ id: string; status: "queued" | "succeeded" | "failed" | "suppressed"; finishedAt: string | null })[] };
export type AutomationClone = { name?: string };
export type ScriptTest = { script: string; contextTypeId?: number; context?: Record<string, unknown> };
export type RunRetry = { script?: "current" | "same" };
export type RunRetries = { status?: "failed"; automationId?: string; from?: string; to?: string; script?: "current" | "same"; dryRun?: boolean };
export type AutomationTrigger = { entityId?: string | null; context?: Record<string, unknown> };
export type NewWebhook = { url: string; description?: string; events: ("lifecycle.transitioned" | "import.completed" | "entity.created" | "entity.updated" | "feature.triggered" | "stock.moved" | "order.changed" | "schedule.fired" | "threshold.crossed" | "import.not_clean" | "stock.belowReorderPoint" | "planning.finished" | "ledger.digested")[]; enabled?: boolean };
export type WebhookReplacement = { url: string; description?: string; events: ("lifecycle.transitioned" | "import.completed" | "entity.created" | "entity.updated" | "feature.triggered" | "stock.moved" | "order.changed" | "schedule.fired" | "threshold.crossed" | "import.not_clean" | "stock.belowReorderPoint" | "planning.finished" | "ledger.digested")[]; enabled?: boolean; id?: string; createdAt?: string; disabledReason?: string | null; failingSince?: string | null; previousSecretUntil?: string | null; updatedAt?: string };
export type SecretRotation = { overlapHours?: number };
export type CreatedWorkspace = { workspace: Workspace; apiKey: { id: string; key: string; permission: "admin" } };
export type Workspace = { id: string; slug: string; name: string };
export type CreatedAdminKey = { id: string; key: string; permission: "admin" };
export type Session = { workspace: { slug: string; name: string }; actor: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string }; keyId: string | null; keyName: string; permission: "read" | "write" | "admin"; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; expiresAt: string | null };
export type SignInWays = { passkey: boolean; passkeyNote: string | null; provider: { name: string } | null };
export type PasskeyOptions = { attempt: string; options: { challenge: string } };
export type PersonSession = { person: { id: string; name: string }; workspaces: ({ slug: string; name: string; memberId: string; memberName: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[] })[] };
export type LinkDescription = { kind: "invitation" | "signIn"; workspace: { slug: string; name: string }; name: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; expiresAt: string; signedInAs: string | null };
export type Me = { person: { id: string; name: string }; workspaces: ({ slug: string; name: string; memberId: string; memberName: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[] })[]; userName: string | null; identities: ({ issuer: string; createdAt: string })[]; passkeys: ({ id: string; name: string; createdAt: string; lastUsedAt: string | null })[]; sessions: ({ id: string; agent: string; createdAt: string; usedAt: string; current: boolean })[]; proved: boolean };
export type Member = { id: string; name: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; managed: "hand" | "groups"; createdAt: string; endedAt: string | null; lastSeenAt: string | null };
export type CreatedInvitation = { id: string; name: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; memberId: string | null; createdAt: string; expiresAt: string; url: string };
export type Invitation = { id: string; name: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; memberId: string | null; createdAt: string; expiresAt: string };
export type GroupTrialResult = { isMember: boolean; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; matching: (string)[] };
export type ApiKey = { id: string; name: string; permission: "read" | "write" | "admin"; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; memberId: string | null; prefix: string; createdAt: string; expiresAt: string | null; lastUsedAt: string | null; revokedAt: string | null };
export type CreatedApiKey = { id: string; name: string; permission: "read" | "write" | "admin"; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[]; memberId: string | null; prefix: string; createdAt: string; expiresAt: string | null; lastUsedAt: string | null; revokedAt: string | null; key: string };
export type CsvLink = { id: string; name: string; table: CsvTableOutput; prefix: string; createdAt: string; createdBy: { id: string; name: string }; expiresAt: string | null; lastUsedAt: string | null; revokedAt: string | null };
export type CreatedCsvLink = { id: string; name: string; table: CsvTableOutput; prefix: string; createdAt: string; createdBy: { id: string; name: string }; expiresAt: string | null; lastUsedAt: string | null; revokedAt: string | null; url: string };
export type Category = { key: string; name: string; numbering: { source: "payload" | "scheme"; pattern: string; whenTaken?: "warn" | "refuse" }; lifecycle: string; role: "item" | "location" | "itemAndLocation" | "project" | "none"; behaviour: "none" | "purchaseOrder" | "purchaseOrderLine" | "salesOrder" | "salesOrderLine" | "manufacturingOrder" | "manufacturingOrderLine" | "materialRequirement"; hiddenFromNew: boolean; tabs: ("stockLedger" | "uses" | "whereUsed" | "revisions" | "lines" | "requirements")[]; properties: (string)[]; consume: "proportional" | "asListed" | "none" | null; unreleasedChildren: "warn" | "refuse" };
export type NextNumber = { number: string };
export type Lifecycle = { key: string; name: string; initialState: string; states: ({ name: string; released: boolean; whenInUse?: "warn" | "refuse" })[]; transitions: ({ id: string; name: string; from: string; to: string; featureAutomations: ({ feature: "createMaterialRequirement" | "updateOnOrderStock" | "requireComponents" | "reserveSalesLine" | "releaseSalesLine" | "cascadeTransition" | "notifyWebhook"; settings: Record<string, unknown> })[] })[] };
export type PropertyDefinition = { key: string; name: string; type: "text" | "numeric" | "date" | "boolean" | "choice" | "url" | "reference"; choices: (string)[] | null; unit: string | null; default: string | number | boolean | null; pattern: string | null; requiredFrom: string | null; group: string | null; description: string | null; filterable: boolean; searchable: boolean; index: "none" | "filling" | "ready" };
export type StockSettings = { reserveReceived: boolean; overDeliveryPercent: number; adjustmentReasons: (string)[]; stockClosedUntil: string | null; costing: { method: "fifo" | "average"; currency: string } | null; workingDays: { weekdays: (number)[]; holidays: (string)[] } };
export type AuditEntry = { id: string; recordedAt: string; actor: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string }; action: "create" | "update" | "delete" | "revoke"; subjectType: string; subjectKey: string; before: unknown; after: unknown; redacted: boolean };
export type Entity = { id: string; versionId: string; E_Guid: string | null; number: string | null; name: string; category: string; state: string; released: boolean; revision: string; revisionNumber: number; parentLocation: string | null; properties: Record<string, string | number | boolean>; picture: string | null; unit: string | null; createdAt: string; updatedAt: string; archivedAt: string | null; mergedInto: string | null };
export type MergedEntity = { dryRun: boolean; into: string; from: string; reasons: ({ code: "merged" | "archived" | "category" | "baseUnit" | "tracking" | "cycle" | "imports" | "tooMuch" | "quantity" | "stock" | "lots" | "revisionOfLine" | "forecasts"; message: string })[]; aliases: { guid: string | null; number: string | null; further: number }; parents: { count: number; revised: number; examples: ({ entityId: string; number: string | null; name: string; revised: boolean; quantity: number; quantityAfter: number })[] }; children: { moved: number; left: number; revised: boolean }; pendingLinks: number; lines: number; requirements: number; supplierParts: number; planning: "none" | "moved" | "left"; forecasts: number; stock: { positions: number; onHand: number; reserved: number; onOrder: number; lots: number; entries: number } };
export type ReplacedPart = { dryRun: boolean; from: string; by: string; revised: number; parents: ({ entityId: string; number: string | null; name: string; revision: string; revised: boolean; quantity: number; quantityAfter: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean; lines?: ({ quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean })[]; problem: string | null })[] };
export type BulkEdit = { id: string; status: "queued" | "running" | "completed" | "cancelled" | "failed"; dryRun: boolean; applies: string | null; undoes: string | null; filter: Record<string, string | (string)[]>; change: { properties?: Record<string, string | number | boolean | null>; replace?: Record<string, { find: string; with: string }>; category?: string; state?: string }; reason: string | null; expected: number | null; changed: number; unchanged: number; refused: number; by: { type: string; id: string; name: string }; failure: { code: string; message: string } | null; createdAt: string; startedAt: string | null; finishedAt: string | null };
export type BulkEditResult = { entityId: string; number: string | null; name: string; result: "changed" | "refused"; changes: ({ field: string; from: string | number | boolean | null; to: string | number | boolean | null })[]; code: string | null; message: string | null };
export type EntityFacets = { items: ({ category: string; state: string; count: number; isAtLeast: boolean })[]; properties?: ({ property: string; values: ({ value: string; count: number; isAtLeast: boolean })[]; more: boolean })[] };
export type LookedUpEntities = { items: ({ number: string; entities: ({ id: string; E_Guid: string | null; number: string | null; name: string; category: string; state: string; revision: string; archivedAt: string | null })[] })[] };
export type Revision = { revision: string; revisionNumber: number; versionId: string; E_Guid: string | null; number: string | null; name: string; state: string; released: boolean; properties: Record<string, string | number | boolean>; picture: string | null; createdAt: string; createdBy: HistoryActor };
export type HistoryActor = { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string };
export type RevisionWithUses = { revision: string; revisionNumber: number; versionId: string; E_Guid: string | null; number: string | null; name: string; state: string; released: boolean; properties: Record<string, string | number | boolean>; picture: string | null; createdAt: string; createdBy: HistoryActor; uses: (Use)[]; usesNextCursor: string | null };
export type Use = { entityId: string; number: string | null; name: string; category: string; state: string; revision: string; archived: boolean; picture: string | null; revisionNumber?: number; revisionSource?: "current" | "asReleased" | "latestReleased" | "unknown"; quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean; lines?: ({ quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean })[]; hasChildren: boolean; hasParents: boolean };
export type RevisionComparison = { from: number; to: number; fields: ({ field: "E_Guid" | "number" | "name" | "state" | "picture"; from: string | null; to: string | null })[]; properties: ({ property: string; from: string | number | boolean | null; to: string | number | boolean | null })[]; structure: { added: ({ entityId: string; number: string | null; name: string; quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean; lines?: ({ quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean })[] })[]; removed: ({ entityId: string; number: string | null; name: string; quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean; lines?: ({ quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean })[] })[]; quantity: ({ entityId: string; number: string | null; name: string; from: number; to: number })[]; lines: ({ entityId: string; number: string | null; name: string; changes: ({ line?: string; field: "findNumber" | "referenceDesignators" | "unit" | "note" | "substitutes" | "lossPercent" | "lossFixed" | "phantom" | "quantity"; from: string | (string)[] | null; to: string | (string)[] | null })[] })[]; revisions: ({ entityId: string; number: string | null; name: string; from: string | null; to: string | null })[]; truncated: boolean } };
export type TransitionedEntity = { id: string; versionId: string; E_Guid: string | null; number: string | null; name: string; category: string; state: string; released: boolean; revision: string; revisionNumber: number; parentLocation: string | null; properties: Record<string, string | number | boolean>; picture: string | null; unit: string | null; createdAt: string; updatedAt: string; archivedAt: string | null; mergedInto: string | null; warnings: ({ code: "unreleased_children"; message: string; count: number; children: ({ entityId: string; number: string | null; name: string; state: string })[] } | { code: "in_use"; message: string; usedBy: { onHand: number; stockedItems: number; orderedItems: number; openLines: number; openRequirements: number } })[] };
export type Transition = { id: string; fromState: string; toState: string; note: string | null; revision: string; revisionNumber: number; versionId: string; recordedAt: string; actor: HistoryActor };
export type Assemblies = { items: (Assembly)[] };
export type Assembly = { level: number; entityId: string; number: string | null; name: string; category: string; state: string; revision: string; archived: boolean; picture: string | null; extendedQuantity: number; hasParents: boolean };
export type Tree = { items: (TreeItem)[] };
export type TreeItem = { level: number; path: string; entityId: string; parentId: string | null; number: string | null; name: string; category: string; state: string; revision: string; archived: boolean; picture: string | null; revisionNumber?: number; revisionSource?: "current" | "asReleased" | "latestReleased" | "unknown"; quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean; lines?: ({ quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean })[]; extendedQuantity: number; hasChildren: boolean };
export type CheckedUse = { entityId: string; number: string | null; name: string; category: string; state: string; revision: string; archived: boolean; picture: string | null; revisionNumber?: number; revisionSource?: "current" | "asReleased" | "latestReleased" | "unknown"; quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean; lines?: ({ quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean })[]; hasChildren: boolean; hasParents: boolean; warnings: (UnitWarning)[] };
export type UnitWarning = { code: "unit_unknown" | "quantity_out_of_range"; property: "unit" | "quantity"; message: string };
export type FoundUse = { parentEntityId: string; parentNumber: string | null; parentName: string; parentRevision: string; childEntityId: string; childNumber: string | null; childName: string; childRevision: string; quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean; lines?: ({ quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean })[] };
export type Location = { id: string; number: string | null; name: string; category: string; state: string; parentLocation: string | null; path: (string)[]; hasChildren: boolean; archived: boolean };
export type PendingLink = { parentGuid: string; childEntityId: string; childGuid: string | null; childNumber: string | null; childName: string; childCategory: string; childRevision: string; quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean; lines?: ({ quantity: number; findNumber: string | null; referenceDesignators: (string)[]; unit: string | null; note: string | null; substitutes: ({ guid: string; rank: number; ratio: number })[]; lossPercent: number; lossFixed: number; phantom: boolean })[] };
export type RemovedPendingLinks = { removed: number; more: boolean };
export type SavedView = { id: string; name: string; list: "entities" | "positions" | "ledger" | "orders" | "lines" | "requirements" | "suppliers" | "supplierParts" | "imports"; shared: boolean; filters: Record<string, (string)[]>; sort: string | null; order: "asc" | "desc" | null; columns: (string)[] | null; owner: { id: string; name: string }; mine: boolean; createdAt: string; updatedAt: string };
export type Comment = { id: string; entityId: string | null; importId: string | null; text: string; mentions: (Mention)[]; author: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string }; mine: boolean; createdAt: string; editedAt: string | null; deletedAt: string | null };
export type Mention = { id: string; name: string; writtenAs: string };
export type CommentVersion = { text: string; writtenAt: string };
export type PersonName = { id: string; name: string };
export type Subscription = { id: string; subject: FollowedSubject; below: boolean; stock: boolean; muted: boolean; automatic: boolean; createdAt: string };
export type FollowedSubject = { type: "entity" | "import" | "importProfile" | "view"; id: string | null; number: string | null; name: string | null };
export type InboxLine = { id: string; kind: "mentioned" | "commented" | "created" | "moved" | "changed" | "order" | "stock" | "importEnded" | "importProblem"; subject: FollowedSubject; entity: { id: string; number: string | null; name: string } | null; importId: string | null; comment: { id: string; text: string } | null; actor: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string } | null; detail: string | null; count: number; firstAt: string; lastAt: string; readAt: string | null };
export type UnreadCount = { unread: number; isAtLeast: boolean };
export type InboxMailSetting = { mode: "none" | "atOnce" | "daily"; address: string | null; confirmed: boolean; isAvailable: boolean };
export type InboxMailConfirmed = { confirmed: boolean };
export type ImportDefinition = { name: string; version: number; mapping: ImportMappingOutput; createdAt: string; updatedAt: string };
export type SuggestedDefinition = { mapping: ImportMappingOutput | null; headerRow: number | null; unused: (string)[]; newProperties: ({ key: string; name: string; type: "text" })[]; warnings: ({ code: "no_quantities" | "kept_apart" | "by_name" | "placeholders" | "parents_created" | "parents_filled" | "lines_differ" | "phantom_lines" | "line_numbers" | "decimal_unknown" | "other_sheet" | "category_values" | "unit_converted" | "unit_unfit" | "unit_unknown"; message: string })[]; problems: ({ code: "structure_unclear"; message: string })[]; tool: string | null; categories: { column: string; values: (string)[] } | null };
export type Picture = { sha256: string; mediaType: "image/png" | "image/jpeg" | "image/webp"; bytes: number; width: number; height: number };
export type KicadLibraryFile = { meta: { version: number }; name: string; description: string; source: { type: "REST_API"; api_version: "v1"; root_url: string; token: string; timeout_parts_seconds: number; timeout_categories_seconds: number } };
export type KicadRoot = { categories: string; parts: string };
export type KicadCategory = { id: string; name: string; description: string };
export type KicadPart = { id: string; name: string; symbolIdStr: string; exclude_from_bom: string; exclude_from_board: string; exclude_from_sim: string; description: string; keywords: string; footprint_filters: (string)[]; fields: Record<string, { value: string; visible?: string }> };
export type SyncBatch = { batchId: string; profileName: string; status: BatchStatus; dryRun: boolean; structure: "additive" | "exact"; submittedAt: string | null; startedAt: string | null; finishedAt: string | null; submittedBy: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string }; counts: SyncCounts; stillRejected?: number; resultsGone?: true; commitOf?: string; resendOf?: string; failure?: { code: "chunk_failed" | "plan_stale"; message: string; guids?: (string)[] }; cancellation?: { at: string | null; by: { type: "apiKey" | "member" | "operator" | "automation" | "system"; name: string }; reason: string | null }; results?: (SyncResult)[]; links: { self: string; results: string; events: string } };
export type SyncCounts = { total: number; processed: number; created: number; updated: number; skipped: number; error: number; warnings: number };
export type SyncResult = SyncCreated | SyncUpdated | SyncSkipped | SyncError;
export type SyncCreated = { index: number; guid: string; result: "created"; entityId?: string; versionId?: string; number?: string; revision: string; warnings?: (SyncWarning)[]; changes?: (PlannedChange)[]; changesOmitted?: number; links?: (LinkChange)[]; linksOmitted?: number };
export type SyncWarning = { code: "invalid_numeric" | "imprecise_numeric" | "invalid_date" | "invalid_boolean" | "invalid_url" | "invalid_reference" | "value_not_in_choices" | "value_required" | "pattern_mismatch" | "duplicate_guid" | "duplicate_guid_conflict" | "parent_pending" | "category_kept" | "invalid_link_field" | "link_field_conflict" | "unit_unknown" | "quantity_out_of_range" | "structure_kept" | "text_cleaned" | "empty_name" | "level_mismatch" | "location_link" | "location_pending" | "location_refused" | "supplier_part_refused" | "unknown_field" | "number_taken" | "archived" | "merged" | "invalid_picture" | "picture_pending" | "source_warning" | "more_warnings"; property?: string; count?: number; message: string };
export type PlannedChange = { field: string; from: string | number | boolean | null; to: string | number | boolean | null };
export type LinkChange = { parentGuid: string; childId?: string; childGuid?: string | null; from: number | null; to: number | null; changes?: (LinkFieldChange)[]; changesOmitted?: number };
export type LinkFieldChange = { line?: string; field: "findNumber" | "referenceDesignators" | "unit" | "note" | "substitutes" | "lossPercent" | "lossFixed" | "phantom" | "quantity"; from: string | (string)[] | null; to: string | (string)[] | null };
export type SyncUpdated = { index: number; guid: string; result: "updated"; entityId?: string; versionId?: string; number?: string; revision: string; warnings?: (SyncWarning)[]; changes?: (PlannedChange)[]; changesOmitted?: number; links?: (LinkChange)[]; linksOmitted?: number };
export type SyncSkipped = { index: number; guid: string; result: "skipped"; entityId?: string; versionId?: string; number?: string; revision: string; warnings?: (SyncWarning)[]; changes?: (PlannedChange)[]; changesOmitted?: number; links?: (LinkChange)[]; linksOmitted?: number };
export type SyncError = { index: number; guid: string | null; result: "error"; entityId?: string; versionId?: string; number?: string; revision?: string; code: "invalid_json" | "unreadable_line" | "invalid_entity" | "category_not_found" | "category_not_syncable" | "number_taken" | "cycle" | "not_in_structure" | "plan_stale"; message: string; warnings?: (SyncWarning)[] };
export type SyncEvent = { id: string; event: "progress" | "completed" | "cancelled" | "failed"; data: SyncBatch };
export type SyncProblems = { items: ({ kind: "error" | "warning"; code: string; property: string | null; message: string | null; count: number; examples: ({ index: number; guid: string | null; message?: string })[] })[]; stillRejected: { count: number; guids: (string)[] }; resends: ({ batchId: string; status: BatchStatus; dryRun: boolean; errors: number })[]; changed: { fields: number; structure: number; links: number } };
export type AbsentEntity = { entityId: string; E_Guid: string; number: string | null; name: string; category: string; state: string; revision: string; lastBatchId: string; lastBroughtAt: string };
export type ComparedWith = { batches: number; since: string | null; complete: boolean };
export type SentElement = { index: number; guid: string; result: "created"; entityId?: string; versionId?: string; number?: string; revision: string; warnings?: (SyncWarning)[]; changes?: (PlannedChange)[]; changesOmitted?: number; links?: (LinkChange)[]; linksOmitted?: number; element: unknown } | { index: number; guid: string; result: "updated"; entityId?: string; versionId?: string; number?: string; revision: string; warnings?: (SyncWarning)[]; changes?: (PlannedChange)[]; changesOmitted?: number; links?: (LinkChange)[]; linksOmitted?: number; element: unknown } | { index: number; guid: string; result: "skipped"; entityId?: string; versionId?: string; number?: string; revision: string; warnings?: (SyncWarning)[]; changes?: (PlannedChange)[]; changesOmitted?: number; links?: (LinkChange)[]; linksOmitted?: number; element: unknown } | { index: number; guid: string | null; result: "error"; entityId?: string; versionId?: string; number?: string; revision?: string; code: "invalid_json" | "unreadable_line" | "invalid_entity" | "category_not_found" | "category_not_syncable" | "number_taken" | "cycle" | "not_in_structure" | "plan_stale"; message: string; warnings?: (SyncWarning)[]; element: unknown };
export type ListedStockPosition = { itemEntityId: string; itemNumber: string | null; itemName: string; locationEntityId: string; locationNumber: string | null; locationName: string; onHand: number; reserved: number; onOrder: number; available: number; updatedAt: string; itemPicture: string | null; itemRevision: string; unit: string | null; blocked: number; inLots: number | null; locationPath: (string)[]; lastCountedAt: string | null };
export type ListedLedgerEntry = { id: string; sequence: number; recordedAt: string; movementType: "Adjustment" | "POReceipt" | "SOReservation" | "SORelease" | "SOShipment" | "OnOrderAdd" | "OnOrderRelease" | "MRReservation" | "MRRelease" | "MOReceipt" | "MRIssue" | "TransferOut" | "TransferIn" | "POReturn" | "SOReturn" | "LotStatus" | "LotHold"; itemEntityId: string; itemNumber: string | null; locationEntityId: string; locationNumber: string | null; quantity: number; onHandAfter: number; reservedAfter: number; onOrderAfter: number; note: string | null; lineId: string | null; orderId: string | null; requirementId: string | null; actor: LedgerActor; hash: string; bookingId: string | null; reversesId: string | null; effectiveOn: string | null; reason: string | null; consume: "proportional" | "asListed" | "none" | null; itemRevision: number | null; lot: string | null; enteredQuantity: number | null; enteredUnit: string | null; coveredQuantity: number | null; itemName: string; unit: string | null; locationName: string; orderNumber: string | null; requirementNumber: string | null; reversedQty: number };
export type LedgerActor = { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string };
export type StockSum = { itemEntityId: string; itemNumber: string | null; itemName: string; itemPicture: string | null; itemRevision: string; unit: string | null; onHand: number; reserved: number; blocked: number; onOrder: number; available: number; positions: number };
export type StockTotals = { positions: { count: number; isAtLeast: boolean }; entries: { count: number; isAtLeast: boolean } };
export type StockValue = { itemEntityId: string; itemNumber: string | null; itemName: string; unit: string | null; onHand: number; unknownQuantity: number; currency: string; value: string | null; unitValue: string | null; standardCost: string | null };
export type StockValueTotal = { currency: string; value: string | null; method: "fifo" | "average"; at: string; items: number; unknownItems: number };
export type CostLayer = { locationEntityId: string; locationNumber: string | null; locationName: string; layer: number; since: string | null; quantity: number; cost: string | null; standardCost: string | null; currency: string; price: { amount: string; currency: string } | null; lineId: string | null };
export type Revalued = { currency: string; quantity: number; valueBefore: string | null; valueAfter: string; unknownBefore: number; layers: number };
export type StandardCostSet = { id: string; cost: string | null; currency: string; note: string | null; from: string; revalued: Revalued | null };
export type StandardCost = { id: string; cost: string | null; currency: string; note: string | null; from: string };
export type CostVariance = { entryId: string; recordedAt: string; locationEntityId: string; locationNumber: string | null; locationName: string; layer: number; kind: "priced" | "unpriced" | "returned" | "built"; quantity: number; standardCost: string; cost: string; paid: string | null; variance: string | null; currency: string; price: { amount: string; currency: string } | null; lineId: string | null };
export type VarianceTotal = { kind: "priced" | "unpriced" | "returned" | "built"; arrivals: number; variance: string | null; unknownArrivals: number };
export type StockAdjustmentsPlanned = { adjustments: ({ index: number; itemEntityId: string; itemNumber: string | null; itemName: string; locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number; onHand: number; onHandAfter: number | null; availableAfter: number | null; refusal: { code: string; message: string } | null })[]; entries: number; refusals: number };
export type StockAdjusted = { entry: StockLedgerEntry; position: StockPosition };
export type StockLedgerEntry = { id: string; sequence: number; recordedAt: string; movementType: "Adjustment" | "POReceipt" | "SOReservation" | "SORelease" | "SOShipment" | "OnOrderAdd" | "OnOrderRelease" | "MRReservation" | "MRRelease" | "MOReceipt" | "MRIssue" | "TransferOut" | "TransferIn" | "POReturn" | "SOReturn" | "LotStatus" | "LotHold"; itemEntityId: string; itemNumber: string | null; locationEntityId: string; locationNumber: string | null; quantity: number; onHandAfter: number; reservedAfter: number; onOrderAfter: number; note: string | null; lineId: string | null; orderId: string | null; requirementId: string | null; actor: LedgerActor; hash: string; bookingId: string | null; reversesId: string | null; effectiveOn: string | null; reason: string | null; consume: "proportional" | "asListed" | "none" | null; itemRevision: number | null; lot: string | null; enteredQuantity: number | null; enteredUnit: string | null; coveredQuantity: number | null };
export type StockPosition = { itemEntityId: string; itemNumber: string | null; itemName: string; locationEntityId: string; locationNumber: string | null; locationName: string; onHand: number; reserved: number; onOrder: number; available: number; updatedAt: string };
export type StockBatchAdjusted = { entries: (StockLedgerEntry)[]; positions: (StockPosition)[] };
export type LedgerVerification = { ok: boolean; positions: number; entries: number; problems: ({ kind: "altered" | "missing" | "reordered" | "balance" | "position" | "total" | "reversal" | "transit" | "lot" | "value" | "cut" | "rewritten"; itemEntityId: string; locationEntityId: string; sequence: number | null; entryId: string | null; message: string })[]; problemCount: number };
export type LedgerProof = { ok: boolean; positions: number; entries: number; problems: ({ kind: "altered" | "missing" | "reordered" | "balance" | "position" | "total" | "reversal" | "transit" | "lot" | "value" | "cut" | "rewritten"; itemEntityId: string; locationEntityId: string; sequence: number | null; entryId: string | null; message: string })[]; problemCount: number; digest: { at: string; entries: number; positions: number; digest: string; state: "covered" | "unknown" | "contradicted" } };
export type LedgerDigest = { at: string; entries: number; positions: number; digest: string };
export type StockTransferPlanned = { lines: ({ index: number; itemEntityId: string; itemNumber: string | null; itemName: string; fromLocationEntityId: string; fromLocationNumber: string | null; fromLocationName: string; toLocationEntityId: string; toLocationNumber: string | null; toLocationName: string; quantity: number; onHand: number; available: number; refusal: { code: string; message: string } | null })[]; entries: number; refusals: number };
export type StockTransferred = { entries: (StockLedgerEntry)[]; positions: (StockPosition)[] };
export type StockTransit = { id: string; itemEntityId: string; itemNumber: string | null; itemName: string; fromLocationEntityId: string; fromLocationNumber: string | null; fromLocationName: string; toLocationEntityId: string; toLocationNumber: string | null; toLocationName: string; lot: string | null; note: string | null; sentQty: number; receivedQty: number; inTransitQty: number; differenceQty: number | null; sentAt: string; closedAt: string | null };
export type StockTransitReceived = { transfer: StockTransit; entries: (StockLedgerEntry)[] };
export type ItemTracking = { itemEntityId: string; itemNumber: string | null; itemName: string; tracking: "none" | "lot" | "serial"; unassignedQty: number; unassigned: ({ locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number })[] };
export type StockLot = { id: string; itemEntityId: string; itemNumber: string | null; itemName: string; number: string; kind: "lot" | "serial"; expiresOn: string | null; supplierLot: string | null; status: "available" | "quarantine" | "rejected"; properties: Record<string, string>; onHand: number; createdAt: string };
export type LotProposal = { lots: ({ lot: string; quantity: number; expiresOn: string | null })[]; missingQty: number };
export type StockLotAtPlaces = { id: string; itemEntityId: string; itemNumber: string | null; itemName: string; number: string; kind: "lot" | "serial"; expiresOn: string | null; supplierLot: string | null; status: "available" | "quarantine" | "rejected"; properties: Record<string, string>; onHand: number; createdAt: string; isBuilt: boolean; positions: ({ locationEntityId: string; locationNumber: string | null; locationName: string; onHand: number; held: number })[] };
export type LotTrace = { items: (TraceNode)[] };
export type TraceNode = { type: "lot" | "component" | "movement"; level: number; of: { itemEntityId: string; lot: string }; itemEntityId: string; itemNumber: string | null; itemName: string; lot: string | null; quantity: number; movementType: "Adjustment" | "POReceipt" | "SOReservation" | "SORelease" | "SOShipment" | "OnOrderAdd" | "OnOrderRelease" | "MRReservation" | "MRRelease" | "MOReceipt" | "MRIssue" | "TransferOut" | "TransferIn" | "POReturn" | "SOReturn" | "LotStatus" | "LotHold" | null; entryId: string | null; recordedAt: string | null; lineId: string | null; orderId: string | null; orderNumber: string | null };
export type StockLotHolds = { holds: (StockLotHold)[]; isPartial: boolean };
export type StockLotHold = { lotId: string; lot: string; itemEntityId: string; itemNumber: string | null; locationEntityId: string; locationNumber: string | null; locationName: string; lineId: string | null; requirementId: string | null; holderNumber: string | null; quantity: number };
export type ItemUnits = { itemEntityId: string; itemNumber: string | null; itemName: string; baseUnit: string | null; units: ({ unit: string; numerator: number; denominator: number })[]; measured: (string)[]; conversions: ({ unit: string; numerator: number; denominator: number })[]; isFixed: boolean };
export type StockCounted = { lines: ({ index: number; itemEntityId: string; itemNumber: string | null; itemName: string; locationEntityId: string; locationNumber: string | null; locationName: string; onHand: number; countedQty: number; difference: number; seenOnHand: number | null; lot: string | null; createsLot: boolean; moved: boolean })[]; entries: number };
export type StockHistory = { items: ({ at: string; onHand: number; reserved: number; onOrder: number; available: number })[] };
export type CountTask = { id: string; location: { id: string; number: string | null; name: string }; below: boolean; assignedTo: { id: string; name: string } | null; dueOn: string | null; note: string | null; status: "open" | "done" | "cancelled"; createdBy: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string }; createdAt: string; endedBy: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string } | null; endedAt: string | null };
export type StockLine = { id: string; number: string | null; type: "purchaseOrder" | "salesOrder" | "manufacturingOrder"; orderId: string; orderNumber: string | null; supplier: string | null; itemEntityId: string; itemNumber: string | null; itemName: string; itemPicture: string | null; itemRevisionLabel: string; unit: string | null; locationEntityId: string; locationNumber: string | null; locationName: string; requirementId: string | null; state: string; quantity: number; enteredQuantity: number | null; enteredUnit: string | null; enteredOpenQty: number | null; supplierPartId: string | null; sku: string | null; packs: number | null; packQuantity: number | null; price: string | null; priceUnit: string | null; currency: string | null; amount: string | null; receivedQty: number; shippedQty: number; returnedQty: number; reservedQty: number; openQty: number; forRequirement: number; free: number; overDeliveryPercent: number | null; allowBackorder: boolean; requiredBy: string | null; promises: ({ on: string; quantity: number })[]; itemRevision: number | null; createdAt: string };
export type LineMoved = { line: StockLine; entries: (StockLedgerEntry)[] };
export type LineComponents = { lineId: string; lineNumber: string | null; itemEntityId: string; itemNumber: string | null; itemName: string; itemPicture: string | null; unit: string | null; itemRevision: number | null; itemRevisionLabel: string | null; state: string; consume: "proportional" | "asListed" | "none" | null; quantity: number; receivedQty: number; scrappedQty: number; disassembledQty: number; openQty: number; buildableQty: number; limitedBy: { itemEntityId: string; itemNumber: string | null; itemName: string } | null; components: (LineComponent)[] };
export type LineComponent = { itemEntityId: string; itemNumber: string | null; itemName: string; itemPicture: string | null; itemRevision: string; unit: string | null; requirementId: string | null; requiredQty: number; perUnitQty: number | null; issuedQty: number; heldQty: number; orderedQty: number; missingQty: number; availableQty: number; buildableQty: number; reservedAt: ({ locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number; substitute: { itemEntityId: string; itemNumber: string | null; itemName: string; covers: number } | null })[]; availableAt: ({ locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number })[]; substitutes: ({ itemEntityId: string | null; guid: string; itemNumber: string | null; itemName: string | null; rank: number; ratio: number; availableQty: number })[] };
export type ComponentsPreview = { taken: ({ itemEntityId: string; itemNumber: string | null; itemName: string; requirementId: string | null; locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number; insteadOf: { itemEntityId: string; itemNumber: string | null; itemName: string; quantity: number } | null; wasReserved: boolean })[]; shortages: ({ itemEntityId: string; itemNumber: string | null; itemName: string; requirementId: string | null; neededQty: number; foundQty: number; shortQty: number })[] };
export type ComponentsMoved = { lineId: string; lineNumber: string | null; itemEntityId: string; itemNumber: string | null; itemName: string; itemPicture: string | null; unit: string | null; itemRevision: number | null; itemRevisionLabel: string | null; state: string; consume: "proportional" | "asListed" | "none" | null; quantity: number; receivedQty: number; scrappedQty: number; disassembledQty: number; openQty: number; buildableQty: number; limitedBy: { itemEntityId: string; itemNumber: string | null; itemName: string } | null; components: (LineComponent)[]; taken: ({ itemEntityId: string; itemNumber: string | null; itemName: string; requirementId: string | null; locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number; insteadOf: { itemEntityId: string; itemNumber: string | null; itemName: string; quantity: number } | null; wasReserved: boolean })[] };
export type LineReceived = { line: StockLine; entries: (StockLedgerEntry)[]; consumed: ({ itemEntityId: string; itemNumber: string | null; itemName: string; requirementId: string | null; locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number; insteadOf: { itemEntityId: string; itemNumber: string | null; itemName: string; quantity: number } | null; wasReserved: boolean })[] };
export type LineDisassembled = { line: StockLine; entries: (StockLedgerEntry)[]; returned: ({ itemEntityId: string; itemNumber: string | null; itemName: string; requirementId: string | null; locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number; insteadOf: { itemEntityId: string; itemNumber: string | null; itemName: string; quantity: number } | null })[] };
export type Order = { id: string; type: "purchaseOrder" | "salesOrder" | "manufacturingOrder"; number: string | null; name: string; state: string; supplier: string | null; customer: string | null; ourReference: string | null; theirReference: string | null; totals: { lines: number; openLines: number; quantity: number; receivedQty: number; shippedQty: number; returnedQty: number; reservedQty: number; openQty: number; amounts: ({ currency: string; amount: string })[]; unpricedLines: number }; createdAt: string };
export type OrderWithLines = { id: string; type: "purchaseOrder" | "salesOrder" | "manufacturingOrder"; number: string | null; name: string; state: string; supplier: string | null; customer: string | null; ourReference: string | null; theirReference: string | null; totals: { lines: number; openLines: number; quantity: number; receivedQty: number; shippedQty: number; returnedQty: number; reservedQty: number; openQty: number; amounts: ({ currency: string; amount: string })[]; unpricedLines: number }; createdAt: string; lines: (StockLine)[] };
export type AddedLines = { lines: (StockLine)[] };
export type ReversedEntry = { entry: StockLedgerEntry; entries: (StockLedgerEntry)[]; position: StockPosition; line: StockLine | null };
export type OrderCorrected = { order: OrderWithLines; entries: (StockLedgerEntry)[] };
export type Supplier = { id: string; name: string; code: string | null; currency: string | null; leadTimeDays: number | null; contact: string | null; state: "active" | "inactive" | "merged"; mergedIntoId: string | null; createdAt: string };
export type LookedUpSuppliers = { items: ({ itemEntityId: string; supplier: string | null })[] };
export type SupplierPart = { id: string; itemEntityId: string; itemNumber: string | null; itemName: string; supplierId: string; supplier: string; sku: string; manufacturer: string | null; mpn: string | null; unit: string | null; packQuantity: number; minimum: number | null; multiple: number | null; leadTimeDays: number | null; rank: number; status: "active" | "inactive"; prices: ({ from: number; price: string; currency: string; validFrom: string | null; source: string | null })[]; createdAt: string };
export type Offers = { items: ({ itemEntityId: string; supplierPartId: string | null; supplierId: string | null; supplier: string | null; sku: string | null; quantity: number; unit: string | null; packs: number | null; packQuantity: number | null; price: string | null; currency: string | null; amount: string | null; leadTimeDays: number | null })[] };
export type ItemPlanning = { itemEntityId: string; itemNumber: string | null; itemName: string; policy: "none" | "demand" | "reorderPoint" | "minMax"; reorderPoint: number; maximum: number | null; safety: number; minimum: number | null; multiple: number | null; makeOrBuy: "make" | "buy"; leadTimeDays: number | null; supplierPartId: string | null; locationEntityId: string | null };
export type ReorderProposal = { itemEntityId: string; itemNumber: string | null; itemName: string; policy: "none" | "demand" | "reorderPoint" | "minMax"; makeOrBuy: "make" | "buy"; availableQty: number; comingQty: number; draftQty: number; demandQty: number; projectedQty: number; reorderPoint: number; missingQty: number; supplierPartId: string | null; supplierId: string | null; supplier: string | null; sku: string | null; quantity: number; unit: string | null; packs: number | null; packQuantity: number | null; price: string | null; currency: string | null; amount: string | null; leadTimeDays: number | null; receivedOn: string | null; locationEntityId: string | null; isPartial: boolean };
export type ReorderTotal = { supplier: string | null; items: number; amounts: ({ currency: string; amount: string })[]; converted: ConvertedAmount | null; unpricedItems: number };
export type ConvertedAmount = { currency: string; rates: ({ currency: string; rate: string; validFrom: string })[]; missing: (string)[]; amount: string | null };
export type Reordered = { orders: (OrderWithLines)[] };
export type PlanningRun = { id: string; status: "queued" | "running" | "completed" | "cancelled" | "failed"; horizonDays: number; periodDays: number; toleranceDays: number; weekdays: (number)[]; holidays: (string)[]; usesSubstitutes: boolean; structure: "current" | "released"; projects: ({ projectId: string; quantity: number; requiredBy: string })[]; demand: ({ itemEntityId: string; quantity: number; requiredBy: string })[]; revisions: ({ itemEntityId: string; revision: number })[]; dates: ({ id: string; requiredBy: string })[]; scope: { projects: (string)[] | null; items: (string)[] | null; categories: (string)[] | null; locationEntityId: string | null } | null; isWhatIf: boolean; day: string | null; items: number | null; links: number | null; actions: Record<string, number>; exceptions: Record<string, number>; isTruncated: boolean; sameAs: string | null; by: { type: string; id: string; name: string }; failure: { code: string; message: string } | null; createdAt: string; startedAt: string | null; finishedAt: string | null };
export type PlanningAction = { number: number; itemEntityId: string; itemNumber: string | null; itemName: string; action: "none" | "order" | "make" | "expedite" | "defer" | "increase" | "decrease" | "cancel" | "useSubstitute"; exceptions: ("late" | "noSupplier" | "noLeadTime" | "noStructure" | "archivedItem" | "demandWithoutDate" | "overdueSupply" | "leadTimeTooLong" | "quantityOutOfRange" | "cycle")[]; lineId: string | null; lineNumber: string | null; lineDate: string | null; partOn: string | null; neededOn: string; startsOn: string; quantity: number; lateDays: number; supplierPartId: string | null; supplier: string | null; substitute: { itemEntityId: string; itemNumber: string | null; quantity: number } | null; locationEntityId: string | null; amount: string | null; currency: string | null; status: "open" | "committed" | "dismissed"; orderId: string | null };
export type PlanningCommitted = { orders: (OrderWithLines)[]; lines: (StockLine)[] };
export type Forecast = { itemEntityId: string; itemNumber: string | null; itemName: string; from: string; until: string; quantity: number };
export type PlanningDifference = { change: "added" | "removed"; action: PlanningAction };
export type PlanningTimeline = { runId: string; itemEntityId: string; itemNumber: string | null; itemName: string; day: string; horizonEndsOn: string; isCurrent: boolean | null; stock: number; minimum: number; needs: (PlanningNeed)[]; supplies: (PlanningSupply)[]; actions: (PeggedPlanningAction)[]; days: (PlanningDay)[]; isTruncated: boolean };
export type PlanningNeed = { kind: "salesLine" | "requirement" | "forecast" | "project" | "whatIf" | "plannedOrder" | "manufacturingLine" | "owed" | "minimum"; entityId: string | null; number: string | null; neededOn: string; quantity: number; covered: number; parentEntityId: string | null; parentNumber: string | null };
export type PlanningSupply = { lineId: string; lineNumber: string | null; comesOn: string; quantity: number; pegs: (PlanningPeg)[]; others: number; surplus: number };
export type PlanningPeg = { quantity: number; kind: "salesLine" | "requirement" | "forecast" | "project" | "whatIf" | "plannedOrder" | "manufacturingLine" | "owed" | "minimum"; entityId: string | null; number: string | null; neededOn: string | null; path: ({ itemEntityId: string; itemNumber: string | null })[] };
export type PeggedPlanningAction = { number: number; itemEntityId: string; itemNumber: string | null; itemName: string; action: "none" | "order" | "make" | "expedite" | "defer" | "increase" | "decrease" | "cancel" | "useSubstitute"; exceptions: ("late" | "noSupplier" | "noLeadTime" | "noStructure" | "archivedItem" | "demandWithoutDate" | "overdueSupply" | "leadTimeTooLong" | "quantityOutOfRange" | "cycle")[]; lineId: string | null; lineNumber: string | null; lineDate: string | null; partOn: string | null; neededOn: string; startsOn: string; quantity: number; lateDays: number; supplierPartId: string | null; supplier: string | null; substitute: { itemEntityId: string; itemNumber: string | null; quantity: number } | null; locationEntityId: string | null; amount: string | null; currency: string | null; status: "open" | "committed" | "dismissed"; orderId: string | null; pegs: (PlanningPeg)[]; others: number; surplus: number };
export type PlanningDay = { on: string; needed: number; comes: number; planned: number; projected: number; projectedWithPlan: number };
export type PlanningPromise = { itemEntityId: string; itemNumber: string | null; itemName: string; quantity: number; day: string; planningRun: { id: string; day: string; horizonEndsOn: string } | null; availableOn: string | null; capableOn: string | null; orders: ({ itemEntityId: string; itemNumber: string | null; action: "order" | "make"; quantity: number; startsOn: string; neededOn: string; exceptions: ("late" | "noSupplier" | "noLeadTime" | "noStructure" | "archivedItem" | "demandWithoutDate" | "overdueSupply" | "leadTimeTooLong" | "quantityOutOfRange" | "cycle")[] })[]; withoutLeadTimeCount: number; withoutLeadTime: ({ itemEntityId: string; itemNumber: string | null })[] };
export type MaterialRequirement = { id: string; number: string | null; projectId: string | null; projectNumber: string | null; projectName: string | null; lineId: string | null; itemEntityId: string; itemNumber: string | null; itemName: string; itemPicture: string | null; itemRevision: string; unit: string | null; requiredQty: number; requiredBy: string | null; reservedQty: number; issuedQty: number; orderedQty: number; openQty: number; status: "open" | "covered" | "cancelled"; createdAt: string };
export type RequirementWithHeld = { id: string; number: string | null; projectId: string | null; projectNumber: string | null; projectName: string | null; lineId: string | null; itemEntityId: string; itemNumber: string | null; itemName: string; itemPicture: string | null; itemRevision: string; unit: string | null; requiredQty: number; requiredBy: string | null; reservedQty: number; issuedQty: number; orderedQty: number; openQty: number; status: "open" | "covered" | "cancelled"; createdAt: string; held: ({ locationEntityId: string; locationNumber: string | null; locationName: string; quantity: number; substitute: { itemEntityId: string; itemNumber: string | null; itemName: string; covers: number } | null })[] };
export type RequirementMoved = { requirement: MaterialRequirement; entries: (StockLedgerEntry)[] };
export type RequirementOrdered = { requirement: MaterialRequirement; line: StockLine; entries: (StockLedgerEntry)[] };
export type ProjectShortages = { projectId: string; items: (Shortage)[]; itemCount: number; shortCount: number; openRequirementCount: number };
export type Shortage = { itemEntityId: string; itemNumber: string | null; itemName: string; itemPicture: string | null; itemRevision: string; unit: string | null; isAssembly: boolean; requiredQty: number; neededQty: number; reservedQty: number; availableQty: number; onOrderQty: number; shortageQty: number; openRequirementQty: number; supplier: string | null; usedIn: ({ entityId: string; number: string | null; name: string; quantity: number; requiredQty: number })[] };
export type ShortagesRaised = { requirements: (MaterialRequirement)[]; changed: (MaterialRequirement)[] };
export type ShortagesReserved = { reservations: ({ itemEntityId: string; itemNumber: string | null; locationEntityId: string; locationNumber: string | null; requirement: MaterialRequirement; quantity: number })[] };
export type ShortagesOrdered = { orders: (OrderWithLines)[] };
export type Cost = { itemEntityId: string; itemNumber: string | null; itemName: string; quantity: number; at: string; revision: number | null; totals: ({ currency: string; amount: string; perUnit: string; orderAmount: string })[]; converted: { currency: string; rates: ({ currency: string; rate: string; validFrom: string })[]; missing: (string)[]; amount: string | null; perUnit: string | null; orderAmount: string | null } | null; itemCount: number; items: (CostItem)[]; unknownCount: number; unknown: (UnpricedItem)[] };
export type CostItem = { itemEntityId: string; itemNumber: string | null; itemName: string; quantity: number; supplierPartId: string; supplier: string; sku: string; price: string; priceUnit: string | null; currency: string; amount: string; orderQuantity: number; packs: number; orderAmount: string };
export type UnpricedItem = { itemEntityId: string; itemNumber: string | null; itemName: string; quantity: number; reason: "noSupplierPart" | "noPrice" };
export type Rollup = { itemEntityId: string; itemNumber: string | null; itemName: string; property: string; propertyName: string; unit: string | null; quantity: number; revision: number | null; total: number | null; perUnit: number | null; stated: number | null; itemCount: number; items: ({ itemEntityId: string; itemNumber: string | null; itemName: string; quantity: number; value: number; amount: number })[]; unknownCount: number; unknown: ({ itemEntityId: string; itemNumber: string | null; itemName: string; quantity: number })[] };
export type OrderTemplate = { sender: string; header: string; footer: string; paper: "A4" | "Letter"; decimalSign: "." | ","; columns: ({ field: "position" | "itemNumber" | "itemName" | "itemRevision" | "sku" | "manufacturer" | "mpn" | "quantity" | "unit" | "packs" | "packQuantity" | "price" | "currency" | "amount" | "requiredBy" | "location" | "lineNumber" | "state"; title: string })[]; words: { purchaseOrder: string; salesOrder: string; manufacturingOrder: string; date: string; supplier: string; customer: string; ourReference: string; theirReference: string; total: string; unprinted: string } };
export type ExchangeRate = { from: string; to: string; validFrom: string; rate: string };
export type EntitySummary = { entityId: string; stock: { onHand: number; reserved: number; onOrder: number; available: number; inTransit: number; locations: number; stockedLocations: number; isPartial: boolean } | null; demand: { openRequirements: number; openQty: number; requiredBy: string | null; isPartial: boolean } | null; orders: { comingLines: number; comingQty: number; comingBy: string | null; goingLines: number; goingQty: number; isPartial: boolean } | null; items: number | null; stockedItems: number | null; orderedItems: number | null; uses: number; usedIn: number };
export type ItemDemand = { itemEntityId: string; onHand: number; reserved: number; onOrder: number; available: number; inTransit: number; entries: ({ kind: "requirement" | "salesOrder" | "purchaseOrder" | "manufacturingOrder"; id: string; number: string | null; forId: string | null; forNumber: string | null; requiredBy: string | null; quantity: number; availableAfter: number })[]; shortFrom: string | null; shortBy: number; isPartial: boolean };
export type FeatureAutomation = { id: "createMaterialRequirement" | "updateOnOrderStock" | "requireComponents" | "reserveSalesLine" | "releaseSalesLine" | "cascadeTransition" | "notifyWebhook"; kind: "feature"; name: string; description: string; contextTypeId: number; settingsSchema: Record<string, unknown>; implemented: boolean };
export type ListedAutomation = { id: string; kind: "system" | "custom"; name: string; description: string; contextTypeId: number; contextType: "lifecycleTransition" | "importCompleted" | "entityCreated" | "entityUpdated" | "feature" | "stockMoved" | "orderChanged" | "schedule" | "thresholdCrossed" | "importNotClean" | "belowReorderPoint" | "planningFinished"; script: string; scriptVersion: number; actions: (AutomationActionOutput)[] | null; button: AutomationButtonOutput | null; filter: AutomationFilterOutput | null; schedule: AutomationScheduleOutput | null; threshold: AutomationThresholdOutput | null; thresholdStatus: AutomationThresholdStatus | null; nextRunAt: string | null; enabled: boolean; createdAt: string; updatedAt: string; recentRuns: ({ id: string; status: "queued" | "succeeded" | "failed" | "suppressed"; finishedAt: string | null })[] };
export type AutomationThresholdStatus = { count: number | null; isCrossed: boolean; at: string; error: string | null };
export type Automation = { id: string; kind: "system" | "custom"; name: string; description: string; contextTypeId: number; contextType: "lifecycleTransition" | "importCompleted" | "entityCreated" | "entityUpdated" | "feature" | "stockMoved" | "orderChanged" | "schedule" | "thresholdCrossed" | "importNotClean" | "belowReorderPoint" | "planningFinished"; script: string; scriptVersion: number; actions: (AutomationActionOutput)[] | null; button: AutomationButtonOutput | null; filter: AutomationFilterOutput | null; schedule: AutomationScheduleOutput | null; threshold: AutomationThresholdOutput | null; thresholdStatus: AutomationThresholdStatus | null; nextRunAt: string | null; enabled: boolean; createdAt: string; updatedAt: string };
export type BuiltInActions = { items: ({ action: "raiseRequirement" | "draftOrder" | "setState" | "setProperty" | "notifyWebhook" | "sendMail" | "printLabel" | "startPlanningRun"; name: string; description: string; settingsSchema: Record<string, unknown> })[] };
export type ScriptTestResult = { ok: boolean; result: unknown; logs: (ScriptLogLine)[]; error: ScriptFailure | null; changes: (ScriptChange)[]; apiCalls: (ApiCallTrace)[]; durationMs: number; cpuMs: number };
export type ScriptLogLine = { level: "info" | "warn" | "error"; message: string; line: number | null };
export type ScriptFailure = { kind: "syntax" | "runtime" | "api" | "timeout" | "memory"; name: string; code?: string; message: string; line: number | null; column: number | null; snippet: string | null; stack: string | null };
export type ScriptChange = { entityId: string; property: string; from: string | number | boolean | null; to: string | number | boolean | null };
export type ApiCallTrace = { method: string; line: number | null; ms: number; ok: boolean };
export type ScriptVersion = { version: number; script: string; createdAt: string; createdBy: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string } };
export type AutomationRunSummary = { id: string; automationId: string; scriptVersion: number; status: "queued" | "succeeded" | "failed" | "suppressed"; attempt: number; retryOf: string | null; triggeredBy: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string } | null; event: { id: string; index: number; contextTypeId: number; contextType: "lifecycleTransition" | "importCompleted" | "entityCreated" | "entityUpdated" | "feature" | "stockMoved" | "orderChanged" | "schedule" | "thresholdCrossed" | "importNotClean" | "belowReorderPoint" | "planningFinished"; at: string }; depth: number; causeRunId: string | null; error: ScriptFailure | null; logCount: number; changeCount: number; durationMs: number | null; cpuMs: number | null; startedAt: string | null; finishedAt: string | null };
export type AutomationRun = { id: string; automationId: string; scriptVersion: number; status: "queued" | "succeeded" | "failed" | "suppressed"; attempt: number; retryOf: string | null; triggeredBy: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string } | null; event: { id: string; index: number; contextTypeId: number; contextType: "lifecycleTransition" | "importCompleted" | "entityCreated" | "entityUpdated" | "feature" | "stockMoved" | "orderChanged" | "schedule" | "thresholdCrossed" | "importNotClean" | "belowReorderPoint" | "planningFinished"; at: string }; depth: number; causeRunId: string | null; error: ScriptFailure | null; logCount: number; changeCount: number; durationMs: number | null; cpuMs: number | null; startedAt: string | null; finishedAt: string | null; context: Record<string, unknown>; result: unknown; logs: (ScriptLogLine)[]; changes: (ScriptChange)[]; apiCalls: (ApiCallTrace)[]; chain: (RelatedRun)[]; mails: (RunMail)[]; timeline: (RunTimelineEntry)[]; effects: (RelatedRun)[] };
export type RelatedRun = { id: string; automationId: string; status: "queued" | "succeeded" | "failed" | "suppressed"; depth: number };
export type RunMail = { id: string; to: (string)[]; subject: string; status: "waiting" | "sent" | "failed"; attempts: number; error: string | null; createdAt: string; sentAt: string | null };
export type RunTimelineEntry = { at: string; kind: "event" | "start" | "log" | "call" | "change" | "end" | "mail" | "run"; text: string; ms: number | null; ok: boolean; runId: string | null };
export type RunsRetried = { dryRun: boolean; matching: number; isPartial: boolean; disabled: number; runs: ({ id: string; retryOf: string })[]; left: number };
export type EntityAction = { automationId: string; description: string; label: string; categories: (string)[]; states: (string)[]; confirm?: string; parameters?: FormOutput };
export type Webhook = { id: string; url: string; description: string; events: ("lifecycle.transitioned" | "import.completed" | "entity.created" | "entity.updated" | "feature.triggered" | "stock.moved" | "order.changed" | "schedule.fired" | "threshold.crossed" | "import.not_clean" | "stock.belowReorderPoint" | "planning.finished" | "ledger.digested")[]; enabled: boolean; disabledReason: string | null; failingSince: string | null; previousSecretUntil: string | null; createdAt: string; updatedAt: string };
export type WebhookWithSecret = { id: string; url: string; description: string; events: ("lifecycle.transitioned" | "import.completed" | "entity.created" | "entity.updated" | "feature.triggered" | "stock.moved" | "order.changed" | "schedule.fired" | "threshold.crossed" | "import.not_clean" | "stock.belowReorderPoint" | "planning.finished" | "ledger.digested")[]; enabled: boolean; disabledReason: string | null; failingSince: string | null; previousSecretUntil: string | null; createdAt: string; updatedAt: string; secret: string };
export type WebhookDelivery = { id: string; messageId: string; type: "lifecycle.transitioned" | "import.completed" | "entity.created" | "entity.updated" | "feature.triggered" | "stock.moved" | "order.changed" | "schedule.fired" | "threshold.crossed" | "import.not_clean" | "stock.belowReorderPoint" | "planning.finished" | "ledger.digested" | "webhook.test"; status: "pending" | "delivered" | "failed"; attempts: number; nextAttemptAt: string | null; lastAttemptAt: string | null; lastStatus: number | null; lastError: string | null; lastDurationMs: number | null; createdAt: string };
export type WebhookDeliveryWithPayload = { id: string; messageId: string; type: "lifecycle.transitioned" | "import.completed" | "entity.created" | "entity.updated" | "feature.triggered" | "stock.moved" | "order.changed" | "schedule.fired" | "threshold.crossed" | "import.not_clean" | "stock.belowReorderPoint" | "planning.finished" | "ledger.digested" | "webhook.test"; status: "pending" | "delivered" | "failed"; attempts: number; nextAttemptAt: string | null; lastAttemptAt: string | null; lastStatus: number | null; lastError: string | null; lastDurationMs: number | null; createdAt: string; payload: WebhookMessage; history: ({ at: string; status: number | null; error: string | null; durationMs: number })[] };
export type LifecycleTransitionedMessage = { type: "lifecycle.transitioned"; timestamp: string; data: { entityId: string; entityNumber: string | null; fromState: string; toState: string; workspaceSlug: string } };
export type ImportCompletedMessage = { type: "import.completed"; timestamp: string; data: { batchId: string; profileName: string; insertCount: number; updateCount: number; errorCount: number; workspaceSlug: string } };
export type EntityCreatedMessage = { type: "entity.created"; timestamp: string; data: { entityId: string; entityNumber: string | null; entityGuid: string | null; categoryKey: string; workspaceSlug: string; batchId: string | null } };
export type EntityUpdatedMessage = { type: "entity.updated"; timestamp: string; data: { entityId: string; entityNumber: string | null; entityGuid: string | null; categoryKey: string; workspaceSlug: string; batchId: string | null; changes: ({ property: string; from: string | number | boolean | null; to: string | number | boolean | null })[]; changesOmitted?: true } };
export type FeatureTriggeredMessage = { type: "feature.triggered"; timestamp: string; data: { feature: string; entityId: string | null; entityNumber: string | null; workspaceSlug: string; parameters: Record<string, unknown>; parametersOmitted?: true; triggeredBy: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string } | null } };
export type StockMovedMessage = { type: "stock.moved"; timestamp: string; data: { entityId: string; entityNumber: string | null; categoryKey: string; onHand: number; reserved: number; available: number; onOrder: number; entryCount: number; movements: ({ movementType: string; locationEntityId: string; quantity: number; lineId: string | null; requirementId: string | null })[]; positions: ({ locationEntityId: string; onHand: number; reserved: number; available: number; onOrder: number })[]; isPartial: boolean; actorId: string | null; workspaceSlug: string } };
export type OrderChangedMessage = { type: "order.changed"; timestamp: string; data: { kind: "line" | "requirement"; entityId: string; entityNumber: string | null; categoryKey: string; state: string; type: "purchaseOrder" | "salesOrder" | "manufacturingOrder" | null; orderId: string | null; projectId: string | null; itemEntityId: string; locationEntityId: string | null; requirementId: string | null; lineId: string | null; requiredBy: string | null; quantity: number; reservedQty: number; orderedQty: number; receivedQty: number; issuedQty: number; returnedQty: number; workspaceSlug: string } };
export type ScheduleFiredMessage = { type: "schedule.fired"; timestamp: string; data: { schedule: string; scheduledAt: string; timeZone: string; missed: number; workspaceSlug: string } };
export type ThresholdCrossedMessage = { type: "threshold.crossed"; timestamp: string; data: { entityId: string; entityNumber: string | null; categoryKey: string; onHand: number; reserved: number; available: number; onOrder: number; entryCount: number; movements: ({ movementType: string; locationEntityId: string; quantity: number; lineId: string | null; requirementId: string | null })[]; positions: ({ locationEntityId: string; onHand: number; reserved: number; available: number; onOrder: number })[]; isPartial: boolean; actorId: string | null; workspaceSlug: string; automationId: string; figure: "onHand" | "reserved" | "available" | "onOrder"; value: number; below: number | null; above: number | null } | { entityId: null; entityNumber: null; automationId: string; viewId: string; viewName: string; figure: "count"; value: number; below: number | null; above: number | null; workspaceSlug: string } };
export type ImportNotCleanMessage = { type: "import.not_clean"; timestamp: string; data: { batchId: string; profileName: string; insertCount: number; updateCount: number; errorCount: number; workspaceSlug: string; status: "completed" | "cancelled" | "failed"; failure: { code: string; message: string } | null } };
export type BelowReorderPointMessage = { type: "stock.belowReorderPoint"; timestamp: string; data: { entityId: string; entityNumber: string | null; categoryKey: string; onHand: number; reserved: number; available: number; onOrder: number; policy: "demand" | "reorderPoint" | "minMax"; makeOrBuy: "make" | "buy"; comingQty: number; draftQty: number; demandQty: number; projectedQty: number; reorderPoint: number; missingQty: number; quantity: number; supplierPartId: string | null; supplier: string | null; sku: string | null; leadTimeDays: number | null; locationEntityId: string | null; isPartial: boolean; workspaceSlug: string } };
export type PlanningFinishedMessage = { type: "planning.finished"; timestamp: string; data: { planningRunId: string; status: "completed" | "cancelled" | "failed"; isWhatIf: boolean; day: string | null; actions: Record<string, number>; exceptions: Record<string, number>; isTruncated: boolean; failure: { code: string; message: string } | null; workspaceSlug: string } };
export type LedgerDigestedMessage = { type: "ledger.digested"; timestamp: string; data: { at: string; entries: number; positions: number; digest: string; workspaceSlug: string } };
export type WebhookTestMessage = { type: "webhook.test"; timestamp: string; data: { webhookId: string; sentBy: { type: "apiKey" | "member" | "operator" | "automation" | "system"; id: string; name: string } } };
export type WebhookMessage = LifecycleTransitionedMessage | ImportCompletedMessage | EntityCreatedMessage | EntityUpdatedMessage | FeatureTriggeredMessage | StockMovedMessage | OrderChangedMessage | ScheduleFiredMessage | ThresholdCrossedMessage | ImportNotCleanMessage | BelowReorderPointMessage | PlanningFinishedMessage | LedgerDigestedMessage | WebhookTestMessage;
export type Overview = { from: string; hours: ({ at: string; batches: number; elements: number; created: number; updated: number; errors: number })[]; batchesAreAtLeast: boolean; rejected: { count: number; batchCount: number; batches: ({ batchId: string; profileName: string; count: number })[] }; movements: ({ movementType: "Adjustment" | "POReceipt" | "SOReservation" | "SORelease" | "SOShipment" | "OnOrderAdd" | "OnOrderRelease" | "MRReservation" | "MRRelease" | "MOReceipt" | "MRIssue" | "TransferOut" | "TransferIn" | "POReturn" | "SOReturn" | "LotStatus" | "LotHold"; count: number; isAtLeast: boolean })[]; failedRuns: { count: number; isAtLeast: boolean; automations: ({ automationId: string; name: string; failed: number; lastRunId: string; lastFailedAt: string | null; message: string | null })[] }; failingWebhooks: ({ webhookId: string; url: string; enabled: boolean; failingSince: string | null; disabledReason: string | null })[]; failingWebhookCount: number; lateSchedules: { count: number; items: ({ automationId: string; name: string; nextRunAt: string | null; message: string | null })[] }; failedMails: { count: number; isAtLeast: boolean; lastRunId: string | null; message: string | null }; failedBatches: { count: number; isAtLeast: boolean; items: ({ batchId: string; profileName: string; failedAt: string | null; message: string | null })[] }; waitingBatches: { count: number; isAtLeast: boolean; isFull: boolean; first: { batchId: string; submittedAt: string | null; movedAt: string | null; standsStill: boolean } | null }; paused: ({ work: "batch" | "automation" | "webhook"; since: string | null })[]; overdueRequirements: { count: number; isAtLeast: boolean; items: ({ id: string; number: string | null; projectId: string | null; projectNumber: string | null; projectName: string | null; lineId: string | null; itemEntityId: string; itemNumber: string | null; itemName: string; itemPicture: string | null; itemRevision: string; unit: string | null; requiredQty: number; requiredBy: string | null; reservedQty: number; issuedQty: number; orderedQty: number; openQty: number; status: "open" | "covered" | "cancelled"; createdAt: string; orderedFor: string | null })[] }; overdueLines: { toCome: { count: number; isAtLeast: boolean; items: (StockLine)[] }; toGo: { count: number; isAtLeast: boolean; items: (StockLine)[] } } };
export type WorkspaceEvent = { event: "open"; data: Record<string, unknown> } | { event: "batch"; data: SyncBatch } | { event: "run"; data: { id: string; automationId: string; status: "queued" | "succeeded" | "failed" | "suppressed" } } | { event: "plan"; data: { id: string; status: "queued" | "running" | "completed" | "cancelled" | "failed" } } | { event: "inbox"; data: UnreadCount } | { event: "missed"; data: Record<string, unknown> };
export type OwnWork = { requirements: { count: number; isAtLeast: boolean; items: ({ id: string; number: string | null; item: { id: string; number: string | null; name: string }; project: { id: string; number: string | null; name: string } | null; requiredQty: number; openQty: number; requiredBy: string | null })[] } | null; counts: { count: number; isAtLeast: boolean; items: (CountTask)[] } | null; imports: { count: number; isAtLeast: boolean; items: ({ id: string; profileName: string; status: "completed" | "failed"; errors: number; finishedAt: string })[] } | null; plans: { count: number; isAtLeast: boolean; items: ({ id: string; status: "completed" | "failed"; openActions: number; finishedAt: string })[] } | null; mentions: { count: number; isAtLeast: boolean } };
export type Health = { status: "ok" | "failed"; checks: Record<string, { status: "ok" | "failed"; ms: number; message?: string }> };
export type GroupRulesOutput = { items: (GroupRuleOutput)[] };
export type GroupRuleOutput = { group: string; areas: ("read" | "stock" | "procurement" | "engineering" | "configuration" | "admin")[] };
export type CsvTableOutput = { of: "entities"; view?: string; category?: (string)[]; state?: (string)[]; role?: "item" | "location" | "project" | "none"; number?: string; q?: string; where?: (string)[]; sort: "created" | "number" | "name" | "updatedAt" | string; order?: "asc" | "desc"; columns?: (string)[] } | { of: "positions"; q?: string; short?: boolean; columns?: ("itemEntityId" | "itemNumber" | "itemName" | "locationEntityId" | "locationNumber" | "locationName" | "onHand" | "reserved" | "onOrder" | "available" | "updatedAt" | "locationPath" | "lastCountedAt" | "blocked" | "inLots" | "unit" | "itemRevision")[] } | { of: "ledger"; movementType?: "Adjustment" | "POReceipt" | "SOReservation" | "SORelease" | "SOShipment" | "OnOrderAdd" | "OnOrderRelease" | "MRReservation" | "MRRelease" | "MOReceipt" | "MRIssue" | "TransferOut" | "TransferIn" | "POReturn" | "SOReturn" | "LotStatus" | "LotHold"; actorId?: string; from?: string; to?: string; effectiveFrom?: string; effectiveTo?: string; order?: "asc" | "desc"; columns?: ("id" | "sequence" | "recordedAt" | "movementType" | "itemEntityId" | "itemNumber" | "locationEntityId" | "locationNumber" | "quantity" | "onHandAfter" | "reservedAfter" | "onOrderAfter" | "note" | "lineId" | "orderId" | "requirementId" | "actorType" | "actorId" | "actorName" | "hash" | "bookingId" | "reversesId" | "effectiveOn" | "reason" | "consume" | "itemRevision" | "lot" | "enteredQuantity" | "enteredUnit" | "unit" | "coveredQuantity")[] } | { of: "lots"; status?: "available" | "quarantine" | "rejected"; expiresBefore?: string; inStock?: boolean; columns?: ("id" | "itemEntityId" | "itemNumber" | "itemName" | "number" | "kind" | "expiresOn" | "supplierLot" | "status" | "onHand" | "createdAt" | "properties")[] };
export type ImportMappingOutput = { description?: string; format: "auto" | "table" | "netlist" | "step" | "stpx" | "pdm"; namespace?: string; columns: { key?: string | (string)[]; keyElse?: string | (string)[]; number?: string; name?: string; guid?: string; category?: string; picture?: string; parentLocation?: string; quantity?: string; level?: string; levels?: (string)[]; parent?: string; row?: string; parentName?: string; identity?: (string)[]; references?: string; findNumber?: string; unit?: string; note?: string; substitutes?: string; lossPercent?: string; lossFixed?: string; phantom?: string }; properties: Record<string, string | { column: string; type: "text" | "numeric" | "date" | "boolean" | "reference"; units?: Record<string, number>; withUnit?: true; unit?: string }>; supplierParts: ({ supplier?: string; supplierName?: string; sku?: string; manufacturer?: string; mpn?: string; packQuantity?: string; minimum?: string; multiple?: string; leadTimeDays?: string; price?: string; priceFrom?: string | number; currency?: string; currencyCode?: string })[]; structure: "flat" | "levels" | "items" | "indented" | "dots" | "columns" | "paths" | "parent"; missingParents: "wait" | "create"; quantity: "perParent" | "extended"; root?: { number: string; name?: string; category?: string }; categories: { default: string; assembly?: string; rules: ({ column: string; values: (string)[]; category: string })[] }; exclude: ({ column: string; values?: (string)[]; says?: "yes" | "no" | "notFitted" })[]; fillDown: (string)[]; nothing: (string)[]; placeholders: (string)[]; withoutVersion: boolean; quantityWords: Record<string, number>; notFitted: "leaveOut" | "keep"; watch?: (string)[]; variant?: string; hiddenRows: "read" | "leaveOut"; match: "ask" | "number" | "guid"; decimal: "." | "," | "unambiguous"; dates: "ymd" | "dmy" | "mdy"; encoding?: string; delimiter?: "," | ";" | "\t" | "|"; sheet?: string; productKey?: "id" | "name" | "id+name" };
export type AutomationActionOutput = { action: "raiseRequirement" | "draftOrder" | "setState" | "setProperty" | "notifyWebhook" | "sendMail" | "printLabel" | "startPlanningRun"; settings: Record<string, unknown> };
export type AutomationButtonOutput = { label: string; categories: (string)[]; states: (string)[]; confirm?: string; parameters?: FormOutput };
export type FormOutput = { type: "object"; properties: Record<string, FormFieldOutput>; required: (string)[] };
export type FormFieldOutput = { type: "string"; title?: string; description?: string; enum?: (string)[]; format?: "date"; minLength?: number; maxLength?: number; default?: string } | { type: "number"; title?: string; description?: string; minimum?: number; maximum?: number; default?: number } | { type: "integer"; title?: string; description?: string; minimum?: number; maximum?: number; default?: number } | { type: "boolean"; title?: string; description?: string; default?: boolean };
export type AutomationFilterOutput = { categories: (string)[]; states: (string)[]; properties: (AutomationConditionOutput)[]; where?: (string)[]; changed: (string)[] };
export type AutomationConditionOutput = { property: string; is: "equal" | "notEqual" | "less" | "greater" | "containing" | "set" | "notSet"; value?: string | number | boolean };
export type AutomationScheduleOutput = { cron: string; timeZone: string };
export type AutomationThresholdOutput = { figure?: "onHand" | "reserved" | "available" | "onOrder"; view?: string; below?: number; above?: number; rearm?: number };
export type Problem = { type: string; title: string; status: number; detail: string; instance: string; code: string; requestId: string; errors?: ({ pointer: string; in?: "path" | "query"; code: string; message: string })[] };

export interface Operations {
  /** Create a workspace */
  createWorkspace: {
    route: 'POST /api/workspaces';
    input: { body: NewWorkspace };
    answer: CreatedWorkspace;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "slug_taken" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** List workspaces */
  listWorkspaces: {
    route: 'GET /api/workspaces';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (Workspace)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "lock_timeout" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** Create an admin key for a workspace */
  createAdminKey: {
    route: 'POST /api/workspaces/{workspace}/api-keys';
    input: { workspace: string; body: NewAdminKey };
    answer: CreatedAdminKey;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Sign in with an API key */
  signIn: {
    route: 'POST /api/sessions';
    input: { body: SignIn };
    answer: Session;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "request_timeout" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the current caller */
  getSession: {
    route: 'GET /session';
    input: {};
    answer: Session;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Sign out */
  signOut: {
    route: 'DELETE /session';
    input: {};
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Tell how persons can sign in */
  listSignInWays: {
    route: 'GET /api/sign-in';
    input: {};
    answer: SignInWays;
    error: "validation_failed" | "unknown_field" | "internal_error" | "unavailable";
  };
  /** Begin to sign in with a passkey */
  beginPasskeySignIn: {
    route: 'POST /api/sign-in/passkey/options';
    input: { body: Record<string, unknown> };
    answer: PasskeyOptions;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "forbidden" | "request_timeout" | "passkeys_unavailable" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** Sign in with a passkey */
  signInWithPasskey: {
    route: 'POST /api/sign-in/passkey';
    input: { body: PasskeyAnswer };
    answer: PersonSession;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "request_timeout" | "passkeys_unavailable" | "sign_in_expired" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "passkey_refused" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** Sign in with a password */
  signInWithPassword: {
    route: 'POST /api/sign-in/password';
    input: { body: PasswordSignIn };
    answer: PersonSession;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** Read what a link is for */
  readLink: {
    route: 'POST /api/sign-in/link';
    input: { body: { link: string } };
    answer: LinkDescription;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "forbidden" | "request_timeout" | "link_spent" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** Begin to make the passkey of a new person */
  beginPasskeyOfLink: {
    route: 'POST /api/sign-in/link/passkey';
    input: { body: { link: string; name?: string } };
    answer: PasskeyOptions;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "forbidden" | "request_timeout" | "link_spent" | "passkeys_unavailable" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** Accept an invitation, or use a sign-in link */
  acceptLink: {
    route: 'POST /api/sign-in/link/acceptance';
    input: { body: LinkAcceptance };
    answer: PersonSession;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "forbidden" | "request_timeout" | "link_spent" | "already_member" | "member_name_taken" | "user_name_taken" | "member_elsewhere" | "passkeys_unavailable" | "sign_in_expired" | "configuration_full" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "passkey_refused" | "way_in_missing" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** Read the person who is signed in */
  getMe: {
    route: 'GET /api/me';
    input: {};
    answer: Me;
    error: "unauthorized" | "validation_failed" | "unknown_field" | "internal_error" | "unavailable";
  };
  /** Sign out */
  signOutPerson: {
    route: 'DELETE /api/me/session';
    input: {};
    answer: { endSessionUrl: string | null };
    error: "incomplete_body" | "invalid_encoding" | "forbidden" | "request_timeout" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "internal_error" | "unavailable";
  };
  /** End one of your sessions */
  endMySession: {
    route: 'DELETE /api/me/sessions/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "not_found" | "request_timeout" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "internal_error" | "unavailable";
  };
  /** Prove again that it is you */
  proveMe: {
    route: 'POST /api/me/proof';
    input: { body: Proof };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "request_timeout" | "passkeys_unavailable" | "sign_in_expired" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "passkey_refused" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** Set or change your password */
  setMyPassword: {
    route: 'PUT /api/me/password';
    input: { body: NewPassword };
    answer: Me;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "proof_needed" | "request_timeout" | "user_name_taken" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** Begin to make a further passkey */
  beginMyPasskey: {
    route: 'POST /api/me/passkeys/options';
    input: { body: Record<string, unknown> };
    answer: PasskeyOptions;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "proof_needed" | "request_timeout" | "passkeys_unavailable" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable";
  };
  /** Add a passkey */
  addMyPasskey: {
    route: 'POST /api/me/passkeys';
    input: { body: NewPasskey };
    answer: Me;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "proof_needed" | "request_timeout" | "passkeys_unavailable" | "sign_in_expired" | "configuration_full" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "passkey_refused" | "internal_error" | "unavailable";
  };
  /** Rename a passkey */
  renameMyPasskey: {
    route: 'PATCH /api/me/passkeys/{id}';
    input: { id: string; body: PasskeyRename };
    answer: Me;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "not_found" | "request_timeout" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "internal_error" | "unavailable";
  };
  /** Remove a passkey */
  removeMyPasskey: {
    route: 'DELETE /api/me/passkeys/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "proof_needed" | "not_found" | "request_timeout" | "last_way_in" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "internal_error" | "unavailable";
  };
  /** List members, newest first */
  listMembers: {
    route: 'GET /members';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (Member)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a member */
  getMember: {
    route: 'GET /members/{id}';
    input: { id: string };
    answer: Member;
    error: "unauthorized" | "forbidden" | "area_missing" | "member_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change a member's name or areas */
  replaceMember: {
    route: 'PUT /members/{id}';
    input: { id: string; body: MemberReplacement };
    answer: Member;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "member_not_found" | "request_timeout" | "lock_timeout" | "member_ended" | "member_name_taken" | "last_admin" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** End a member */
  endMember: {
    route: 'DELETE /members/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "member_not_found" | "request_timeout" | "lock_timeout" | "last_admin" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a sign-in link for a member who is locked out */
  createSignInLink: {
    route: 'POST /members/{id}/sign-in-links';
    input: { id: string };
    answer: CreatedInvitation;
    error: "incomplete_body" | "invalid_encoding" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "member_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "member_ended" | "member_elsewhere" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List invitations and sign-in links that still work, newest first */
  listInvitations: {
    route: 'GET /invitations';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (Invitation)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Invite a person */
  createInvitation: {
    route: 'POST /invitations';
    input: { body: NewInvitation };
    answer: CreatedInvitation;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Withdraw an invitation or a sign-in link */
  withdrawInvitation: {
    route: 'DELETE /invitations/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "invitation_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the group rules */
  getGroupRules: {
    route: 'GET /group-rules';
    input: {};
    answer: GroupRulesOutput;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace the group rules */
  replaceGroupRules: {
    route: 'PUT /group-rules';
    input: { body: GroupRules };
    answer: GroupRulesOutput;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Try what groups would give */
  tryGroupRules: {
    route: 'POST /group-rules/try';
    input: { body: GroupTrial };
    answer: GroupTrialResult;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change your own name */
  renameMe: {
    route: 'PATCH /me';
    input: { body: OwnName };
    answer: Member;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "member_name_taken" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List your own API keys, newest first */
  listMyApiKeys: {
    route: 'GET /me/api-keys';
    input: {};
    answer: { items: (ApiKey)[] };
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create an API key of your own */
  createMyApiKey: {
    route: 'POST /me/api-keys';
    input: { body: NewOwnApiKey };
    answer: CreatedApiKey;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Revoke one of your API keys */
  revokeMyApiKey: {
    route: 'DELETE /me/api-keys/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "api_key_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List API keys, newest first */
  listApiKeys: {
    route: 'GET /api-keys';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (ApiKey)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create an API key */
  createApiKey: {
    route: 'POST /api-keys';
    input: { body: NewApiKey };
    answer: CreatedApiKey;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read an API key */
  getApiKey: {
    route: 'GET /api-keys/{id}';
    input: { id: string };
    answer: ApiKey;
    error: "unauthorized" | "forbidden" | "area_missing" | "api_key_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change an API key's name, areas or expiry */
  replaceApiKey: {
    route: 'PUT /api-keys/{id}';
    input: { id: string; body: ApiKeyReplacement };
    answer: ApiKey;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "api_key_not_found" | "request_timeout" | "lock_timeout" | "api_key_revoked" | "last_admin_key" | "configuration_full" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Revoke an API key */
  revokeApiKey: {
    route: 'DELETE /api-keys/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "api_key_not_found" | "request_timeout" | "lock_timeout" | "last_admin_key" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List CSV links, newest first */
  listCsvLinks: {
    route: 'GET /csv-links';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (CsvLink)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a CSV link */
  createCsvLink: {
    route: 'POST /csv-links';
    input: { body: NewCsvLink };
    answer: CreatedCsvLink;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "view_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "unknown_property" | "invalid_condition" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a CSV link */
  getCsvLink: {
    route: 'GET /csv-links/{id}';
    input: { id: string };
    answer: CsvLink;
    error: "unauthorized" | "forbidden" | "area_missing" | "csv_link_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Revoke a CSV link */
  revokeCsvLink: {
    route: 'DELETE /csv-links/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "csv_link_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Fetch the table of a CSV link */
  readCsvLink: {
    route: 'GET /csv/{token}';
    input: { token: string; query?: { format?: "csv" } };
    answer: undefined;
    error: "csv_link_not_found" | "view_not_found" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "too_many_to_sort" | "table_too_large" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List categories */
  listCategories: {
    route: 'GET /categories';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (Category)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a category */
  createCategory: {
    route: 'POST /categories';
    input: { body: NewCategory };
    answer: Category;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "key_taken" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "unknown_property" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a category */
  getCategory: {
    route: 'GET /categories/{key}';
    input: { key: string };
    answer: Category;
    error: "unauthorized" | "forbidden" | "area_missing" | "not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace a category */
  replaceCategory: {
    route: 'PUT /categories/{key}';
    input: { key: string; body: CategoryReplacement };
    answer: Category;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "not_found" | "request_timeout" | "lock_timeout" | "in_use" | "configuration_full" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "unknown_property" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete a category */
  deleteCategory: {
    route: 'DELETE /categories/{key}';
    input: { key: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "not_found" | "request_timeout" | "lock_timeout" | "in_use" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the next number of a category */
  getNextNumber: {
    route: 'GET /categories/{key}/next-number';
    input: { key: string };
    answer: NextNumber;
    error: "unauthorized" | "forbidden" | "area_missing" | "not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List lifecycles */
  listLifecycles: {
    route: 'GET /lifecycles';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (Lifecycle)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a lifecycle */
  createLifecycle: {
    route: 'POST /lifecycles';
    input: { body: NewLifecycle };
    answer: Lifecycle;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "key_taken" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a lifecycle */
  getLifecycle: {
    route: 'GET /lifecycles/{key}';
    input: { key: string };
    answer: Lifecycle;
    error: "unauthorized" | "forbidden" | "area_missing" | "not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace a lifecycle */
  replaceLifecycle: {
    route: 'PUT /lifecycles/{key}';
    input: { key: string; body: LifecycleReplacement };
    answer: Lifecycle;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "not_found" | "request_timeout" | "lock_timeout" | "in_use" | "configuration_full" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete a lifecycle */
  deleteLifecycle: {
    route: 'DELETE /lifecycles/{key}';
    input: { key: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "not_found" | "request_timeout" | "lock_timeout" | "in_use" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List property definitions */
  listPropertyDefinitions: {
    route: 'GET /property-definitions';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (PropertyDefinition)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a property definition */
  createPropertyDefinition: {
    route: 'POST /property-definitions';
    input: { body: NewPropertyDefinition };
    answer: PropertyDefinition;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "key_taken" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a property definition */
  getPropertyDefinition: {
    route: 'GET /property-definitions/{key}';
    input: { key: string };
    answer: PropertyDefinition;
    error: "unauthorized" | "forbidden" | "area_missing" | "not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace a property definition */
  replacePropertyDefinition: {
    route: 'PUT /property-definitions/{key}';
    input: { key: string; body: PropertyDefinitionReplacement };
    answer: PropertyDefinition;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "not_found" | "request_timeout" | "lock_timeout" | "in_use" | "configuration_full" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete a property definition */
  deletePropertyDefinition: {
    route: 'DELETE /property-definitions/{key}';
    input: { key: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "not_found" | "request_timeout" | "lock_timeout" | "in_use" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the settings of stock */
  getStockSettings: {
    route: 'GET /stock/settings';
    input: {};
    answer: StockSettings;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace the settings of stock */
  replaceStockSettings: {
    route: 'PUT /stock/settings';
    input: { body: NewStockSettings };
    answer: StockSettings;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "costing_started" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List changes of configuration and keys */
  listAudit: {
    route: 'GET /audit';
    input: { query?: { limit?: number; cursor?: string; actorId?: string; subjectType?: string; subjectKey?: string; action?: "create" | "update" | "delete" | "revoke"; from?: string; to?: string; format?: "json" | "csv" | "ndjson" } };
    answer: { items: (AuditEntry)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Search entities */
  listEntities: {
    route: 'GET /entities';
    input: { query?: { limit?: number; cursor?: string; category?: string | (string)[]; state?: string | (string)[]; role?: "item" | "location" | "project" | "none"; number?: string; archived?: "false" | "true" | "only"; guid?: string; q?: string; where?: string | (string)[]; sort?: "created" | "number" | "name" | "updatedAt" | "best" | string; order?: "asc" | "desc"; view?: string } };
    answer: { items: (Entity)[]; nextCursor: string | null; indexFilling?: boolean };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "view_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "too_many_to_sort" | "invalid_condition" | "unknown_property" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create an entity */
  createEntity: {
    route: 'POST /entities';
    input: { body: NewEntity };
    answer: Entity;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "guid_taken" | "number_taken" | "entity_archived" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "category_not_found" | "category_hidden" | "unknown_property" | "not_a_location" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read an entity */
  getEntity: {
    route: 'GET /entities/{id}';
    input: { id: string };
    answer: Entity;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change an entity */
  updateEntity: {
    route: 'PATCH /entities/{id}';
    input: { id: string; body: EntityPatch };
    answer: Entity;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "picture_not_found" | "request_timeout" | "lock_timeout" | "guid_taken" | "number_taken" | "cycle" | "entity_archived" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "unknown_property" | "not_a_location" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Archive an entity */
  archiveEntity: {
    route: 'POST /entities/{id}/archive';
    input: { id: string };
    answer: Entity;
    error: "incomplete_body" | "invalid_encoding" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "archive_refused" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Take an entity out of the archive */
  unarchiveEntity: {
    route: 'POST /entities/{id}/unarchive';
    input: { id: string };
    answer: Entity;
    error: "incomplete_body" | "invalid_encoding" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "archive_refused" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Merge another entity into an entity */
  mergeEntity: {
    route: 'POST /entities/{id}/merge';
    input: { id: string; body: EntityMerge };
    answer: MergedEntity;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "merge_refused" | "insufficient_stock" | "lot_refused" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace a part by another in assemblies */
  replacePart: {
    route: 'POST /entities/{id}/replace';
    input: { id: string; body: PartReplacement };
    answer: ReplacedPart;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "use_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "entity_archived" | "cycle" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "too_many_parents" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Edit all entities that a filter finds */
  createBulkEdit: {
    route: 'POST /bulk-edits';
    input: { body: NewBulkEdit };
    answer: BulkEdit;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "view_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "unknown_property" | "category_not_found" | "invalid_condition" | "rate_limited" | "too_many_bulk_edits" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List bulk edits, newest first */
  listBulkEdits: {
    route: 'GET /bulk-edits';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (BulkEdit)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a bulk edit */
  getBulkEdit: {
    route: 'GET /bulk-edits/{id}';
    input: { id: string };
    answer: BulkEdit;
    error: "unauthorized" | "forbidden" | "area_missing" | "bulk_edit_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the differences of a bulk edit */
  listBulkEditResults: {
    route: 'GET /bulk-edits/{id}/results';
    input: { id: string; query?: { limit?: number; cursor?: string; result?: "changed" | "refused" } };
    answer: { items: (BulkEditResult)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "bulk_edit_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Cancel a bulk edit */
  cancelBulkEdit: {
    route: 'POST /bulk-edits/{id}/cancel';
    input: { id: string };
    answer: BulkEdit;
    error: "incomplete_body" | "invalid_encoding" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "bulk_edit_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "bulk_edit_finished" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Apply a dry run */
  applyBulkEdit: {
    route: 'POST /bulk-edits/{id}/apply';
    input: { id: string; body: BulkEditFollowUp };
    answer: BulkEdit;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "bulk_edit_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "bulk_edit_not_ready" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "too_many_bulk_edits" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Undo a bulk edit */
  undoBulkEdit: {
    route: 'POST /bulk-edits/{id}/undo';
    input: { id: string; body: BulkEditFollowUp };
    answer: BulkEdit;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "bulk_edit_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "bulk_edit_not_ready" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "too_many_bulk_edits" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Count entities by category and state */
  countEntities: {
    route: 'GET /entities/facets';
    input: { query?: { category?: string | (string)[]; state?: string | (string)[]; role?: "item" | "location" | "project" | "none"; q?: string; archived?: "false" | "true" | "only"; where?: string | (string)[]; view?: string; values?: string | (string)[] } };
    answer: EntityFacets;
    error: "unauthorized" | "forbidden" | "area_missing" | "view_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "invalid_condition" | "unknown_property" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Find entities by their numbers */
  lookUpEntities: {
    route: 'POST /entities/lookup';
    input: { body: EntityLookup };
    answer: LookedUpEntities;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Download entities as CSV */
  exportEntities: {
    route: 'GET /entities/export';
    input: { query?: { category?: string | (string)[]; state?: string | (string)[]; role?: "item" | "location" | "project" | "none"; number?: string; q?: string; archived?: "false" | "true" | "only"; where?: string | (string)[]; view?: string; format?: "csv" } };
    answer: undefined;
    error: "unauthorized" | "forbidden" | "area_missing" | "view_not_found" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "invalid_condition" | "too_many_to_sort" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the revisions of an entity */
  listRevisions: {
    route: 'GET /entities/{id}/revisions';
    input: { id: string; query?: { limit?: number; cursor?: string } };
    answer: { items: (Revision)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a revision with its structure */
  getRevision: {
    route: 'GET /entities/{id}/revisions/{n}';
    input: { id: string; n: number };
    answer: RevisionWithUses;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "revision_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the children of a revision */
  listRevisionUses: {
    route: 'GET /entities/{id}/revisions/{n}/uses';
    input: { id: string; n: number; query?: { limit?: number; cursor?: string; configuration?: "current" | "asReleased" | "latestReleased" } };
    answer: { items: (Use)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "revision_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Compare two revisions of an entity */
  compareRevisions: {
    route: 'GET /entities/{id}/revisions/compare';
    input: { id: string; query?: { from: number; to: number; configuration?: "current" | "asReleased" | "latestReleased" } };
    answer: RevisionComparison;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "revision_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Move an entity to another lifecycle state */
  transitionEntity: {
    route: 'POST /entities/{id}/transitions';
    input: { id: string; body: NewTransition };
    answer: TransitionedEntity;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "in_use" | "unreleased_children" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the lifecycle transitions of an entity */
  listTransitions: {
    route: 'GET /entities/{id}/transitions';
    input: { id: string; query?: { limit?: number; cursor?: string; actorId?: string } };
    answer: { items: (Transition)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the children of an entity */
  listUses: {
    route: 'GET /entities/{id}/uses';
    input: { id: string; query?: { limit?: number; cursor?: string; configuration?: "current" | "asReleased" | "latestReleased" } };
    answer: { items: (Use)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "revision_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the parents of an entity */
  listWhereUsed: {
    route: 'GET /entities/{id}/where-used';
    input: { id: string; query?: { limit?: number; cursor?: string; archived?: "false" | "true" | "only"; revisions?: "current" | "released" | "all" } };
    answer: { items: (Use)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Find all assemblies that contain an entity */
  getWhereUsedAll: {
    route: 'GET /entities/{id}/where-used/all';
    input: { id: string; query?: { archived?: "false" | "true" | "only"; revisions?: "current" | "released" | "all"; top?: "true" | "false"; linksMax?: number } };
    answer: Assemblies;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "tree_too_large" | "quantity_out_of_range" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Explode the tree below an entity */
  getTree: {
    route: 'GET /entities/{id}/tree';
    input: { id: string; query?: { depth?: number; configuration?: "current" | "asReleased" | "latestReleased" } };
    answer: Tree;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "revision_not_found" | "lock_timeout" | "cycle" | "workspace_gone" | "validation_failed" | "unknown_field" | "tree_too_large" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a child and its line */
  getUse: {
    route: 'GET /entities/{id}/uses/{childId}';
    input: { id: string; childId: string; query?: { line?: string } };
    answer: CheckedUse;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "use_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Add a child, or change its quantity and its line */
  setUse: {
    route: 'PUT /entities/{id}/uses/{childId}';
    input: { id: string; childId: string; query?: { line?: string }; body: UseQuantity };
    answer: CheckedUse;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "entity_archived" | "cycle" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Remove a child */
  removeUse: {
    route: 'DELETE /entities/{id}/uses/{childId}';
    input: { id: string; childId: string; query?: { line?: string } };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "use_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Find the assemblies of a reference designator */
  findUses: {
    route: 'GET /uses';
    input: { query?: { limit?: number; cursor?: string; referenceDesignator: string; parent?: string } };
    answer: { items: (FoundUse)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List locations with their place in the tree */
  listLocations: {
    route: 'GET /locations';
    input: { query?: { limit?: number; cursor?: string; archived?: "false" | "true" | "only"; parent?: string; below?: string; top?: "true" | "false"; id?: string | (string)[] } };
    answer: { items: (Location)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List pending links */
  listPendingLinks: {
    route: 'GET /pending-links';
    input: { query?: { limit?: number; cursor?: string; parentGuid?: string; child?: string } };
    answer: { items: (PendingLink)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Remove several links that wait for their parent */
  removePendingLinks: {
    route: 'DELETE /pending-links';
    input: { query?: { parentGuid?: string; child?: string; all?: "true" } };
    answer: RemovedPendingLinks;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Remove a pending link */
  removePendingLink: {
    route: 'DELETE /pending-links/{parentGuid}/{childId}';
    input: { parentGuid: string; childId: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "pending_link_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List saved views */
  listViews: {
    route: 'GET /views';
    input: { query?: { limit?: number; cursor?: string; list?: "entities" | "positions" | "ledger" | "orders" | "lines" | "requirements" | "suppliers" | "supplierParts" | "imports" } };
    answer: { items: (SavedView)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Save a view */
  createView: {
    route: 'POST /views';
    input: { body: NewSavedView };
    answer: SavedView;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "invalid_condition" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a saved view */
  getView: {
    route: 'GET /views/{id}';
    input: { id: string };
    answer: SavedView;
    error: "unauthorized" | "forbidden" | "area_missing" | "view_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace a saved view */
  replaceView: {
    route: 'PUT /views/{id}';
    input: { id: string; body: SavedViewReplacement };
    answer: SavedView;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "view_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "invalid_condition" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete a saved view */
  deleteView: {
    route: 'DELETE /views/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "view_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the comments on an entity or an import */
  listComments: {
    route: 'GET /comments';
    input: { query?: { limit?: number; cursor?: string; entity?: string; import?: string; order?: "asc" | "desc" } };
    answer: { items: (Comment)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "batch_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Write a comment */
  createComment: {
    route: 'POST /comments';
    input: { body: NewComment };
    answer: Comment;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "batch_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "too_many_comments" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a comment */
  getComment: {
    route: 'GET /comments/{id}';
    input: { id: string };
    answer: Comment;
    error: "unauthorized" | "forbidden" | "area_missing" | "comment_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Edit a comment */
  editComment: {
    route: 'PUT /comments/{id}';
    input: { id: string; body: CommentEdit };
    answer: Comment;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "comment_not_found" | "request_timeout" | "lock_timeout" | "comment_deleted" | "too_many_comments" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete a comment */
  deleteComment: {
    route: 'DELETE /comments/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "comment_not_found" | "request_timeout" | "lock_timeout" | "comment_deleted" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the earlier texts of a comment */
  listCommentVersions: {
    route: 'GET /comments/{id}/versions';
    input: { id: string; query?: { limit?: number; cursor?: string } };
    answer: { items: (CommentVersion)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "comment_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the members that a comment can mention */
  listPeople: {
    route: 'GET /people';
    input: { query?: { limit?: number; cursor?: string; q?: string } };
    answer: { items: (PersonName)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List what you follow */
  listSubscriptions: {
    route: 'GET /me/subscriptions';
    input: { query?: { limit?: number; cursor?: string; entity?: string; import?: string; importProfile?: string; view?: string } };
    answer: { items: (Subscription)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "batch_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Follow something, or change how you follow it */
  follow: {
    route: 'POST /me/subscriptions';
    input: { body: NewSubscription };
    answer: Subscription;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "batch_not_found" | "view_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Stop following something */
  unfollow: {
    route: 'DELETE /me/subscriptions/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "subscription_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read your inbox */
  listInbox: {
    route: 'GET /me/inbox';
    input: { query?: { limit?: number; cursor?: string; unread?: "true" | "false" } };
    answer: { items: (InboxLine)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Count the unread lines of your inbox */
  countUnread: {
    route: 'GET /me/inbox/unread';
    input: {};
    answer: UnreadCount;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Mark lines of your inbox as read */
  markInboxRead: {
    route: 'POST /me/inbox/read';
    input: { body: ReadMark };
    answer: UnreadCount;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read how your inbox is mailed to you */
  getInboxMail: {
    route: 'GET /me/inbox/mail';
    input: {};
    answer: InboxMailSetting;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Say how your inbox is mailed to you */
  setInboxMail: {
    route: 'POST /me/inbox/mail';
    input: { body: NewInboxMailSetting };
    answer: InboxMailSetting;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "mail_not_available" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "too_many_mails" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Confirm the address by the code that was mailed to it */
  confirmInboxMail: {
    route: 'POST /me/inbox/mail/confirmation';
    input: { body: InboxMailConfirmation };
    answer: InboxMailConfirmed;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List import definitions */
  listImportDefinitions: {
    route: 'GET /import-definitions';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (ImportDefinition)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create an import definition */
  createImportDefinition: {
    route: 'POST /import-definitions';
    input: { body: NewImportDefinition };
    answer: ImportDefinition;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "key_taken" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read an import definition */
  getImportDefinition: {
    route: 'GET /import-definitions/{name}';
    input: { name: string };
    answer: ImportDefinition;
    error: "unauthorized" | "forbidden" | "area_missing" | "not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace an import definition */
  replaceImportDefinition: {
    route: 'PUT /import-definitions/{name}';
    input: { name: string; body: ImportDefinitionReplacement };
    answer: ImportDefinition;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete an import definition */
  deleteImportDefinition: {
    route: 'DELETE /import-definitions/{name}';
    input: { name: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Suggest an import definition for a table */
  suggestImportDefinition: {
    route: 'POST /import-definitions/suggest';
    input: { body: FirstRows };
    answer: SuggestedDefinition;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** A QR code of an entity */
  getEntityLabel: {
    route: 'GET /entities/{id}/label';
    input: { id: string; query?: { as?: "svg" | "png"; scale?: number } };
    answer: undefined;
    error: "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the picture of an entity */
  getEntityPicture: {
    route: 'GET /entities/{id}/picture';
    input: { id: string; query?: { size?: "64" | "256" | "1024" | "original" } };
    answer: undefined;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "picture_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Upload the picture of an entity */
  setEntityPicture: {
    route: 'PUT /entities/{id}/picture';
    input: { id: string };
    answer: Entity;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "picture_not_found" | "request_timeout" | "lock_timeout" | "storage_full" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "picture_unreadable" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Remove the picture of an entity */
  deleteEntityPicture: {
    route: 'DELETE /entities/{id}/picture';
    input: { id: string };
    answer: Entity;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a picture by its hash */
  getPicture: {
    route: 'GET /pictures/{sha256}';
    input: { sha256: string; query?: { size?: "64" | "256" | "1024" | "original" } };
    answer: undefined;
    error: "unauthorized" | "forbidden" | "area_missing" | "picture_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Upload a picture by its hash */
  uploadPicture: {
    route: 'PUT /pictures/{sha256}';
    input: { sha256: string };
    answer: Picture;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "storage_full" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "picture_unreadable" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** The file that adds the library to KiCad */
  downloadKicadLibrary: {
    route: 'GET /kicad/partbook.kicad_httplib';
    input: { query?: { parts?: "all" | "withSymbol" } };
    answer: KicadLibraryFile;
    error: "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** The root of the KiCad library */
  getKicadRoot: {
    route: 'GET /kicad/v1/';
    input: {};
    answer: KicadRoot;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Categories of items, for KiCad */
  listKicadCategories: {
    route: 'GET /kicad/v1/categories.json';
    input: {};
    answer: (KicadCategory)[];
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Parts of a category, for KiCad */
  listKicadParts: {
    route: 'GET /kicad/v1/parts/category/{file}';
    input: { file: string };
    answer: (KicadPart)[];
    error: "unauthorized" | "forbidden" | "area_missing" | "not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a part, for KiCad */
  getKicadPart: {
    route: 'GET /kicad/v1/parts/{file}';
    input: { file: string };
    answer: KicadPart;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** The root of the KiCad library, without parts that have no symbol */
  getKicadRootWithSymbol: {
    route: 'GET /kicad/with-symbol/v1/';
    input: {};
    answer: KicadRoot;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Categories of items, for KiCad, without parts that have no symbol */
  listKicadCategoriesWithSymbol: {
    route: 'GET /kicad/with-symbol/v1/categories.json';
    input: {};
    answer: (KicadCategory)[];
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Parts of a category, for KiCad, without parts that have no symbol */
  listKicadPartsWithSymbol: {
    route: 'GET /kicad/with-symbol/v1/parts/category/{file}';
    input: { file: string };
    answer: (KicadPart)[];
    error: "unauthorized" | "forbidden" | "area_missing" | "not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a part, for KiCad, without parts that have no symbol */
  getKicadPartWithSymbol: {
    route: 'GET /kicad/with-symbol/v1/parts/{file}';
    input: { file: string };
    answer: KicadPart;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Submit a sync payload */
  submitSync: {
    route: 'POST /pdm/sync';
    input: { query?: { profile?: string; dryRun?: "true" | "false"; structure?: "additive" | "exact" }; body?: SyncPayload };
    answer: SyncBatch;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "merged_meanwhile" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "too_many_entities" | "import_definition_missing" | "file_unreadable" | "rate_limited" | "too_many_batches" | "imports_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Apply a reviewed dry run */
  commitSyncPlan: {
    route: 'POST /pdm/sync/batches/{id}/commit';
    input: { id: string };
    answer: SyncBatch;
    error: "incomplete_body" | "invalid_encoding" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "batch_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "not_a_plan" | "payload_gone" | "plan_stale" | "merged_meanwhile" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "too_many_batches" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List batches, newest first */
  listSyncBatches: {
    route: 'GET /pdm/sync/batches';
    input: { query?: { limit?: number; cursor?: string; status?: BatchStatus; profile?: string; dryRun?: string; stillRejected?: string } };
    answer: { items: (SyncBatch)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a batch, with live counts */
  getSyncBatch: {
    route: 'GET /pdm/sync/batches/{id}';
    input: { id: string };
    answer: SyncBatch;
    error: "unauthorized" | "forbidden" | "area_missing" | "batch_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the results of a batch in payload order */
  listSyncResults: {
    route: 'GET /pdm/sync/batches/{id}/results';
    input: { id: string; query?: { limit?: number; cursor?: string; result?: "created" | "updated" | "skipped" | "error"; code?: "invalid_json" | "unreadable_line" | "invalid_entity" | "category_not_found" | "category_not_syncable" | "number_taken" | "cycle" | "not_in_structure" | "plan_stale"; warning?: "invalid_numeric" | "imprecise_numeric" | "invalid_date" | "invalid_boolean" | "invalid_url" | "invalid_reference" | "value_not_in_choices" | "value_required" | "pattern_mismatch" | "duplicate_guid" | "duplicate_guid_conflict" | "parent_pending" | "category_kept" | "invalid_link_field" | "link_field_conflict" | "unit_unknown" | "quantity_out_of_range" | "structure_kept" | "text_cleaned" | "empty_name" | "level_mismatch" | "location_link" | "location_pending" | "location_refused" | "supplier_part_refused" | "unknown_field" | "number_taken" | "archived" | "merged" | "invalid_picture" | "picture_pending" | "source_warning" | "more_warnings"; changed?: "fields" | "structure"; format?: "json" | "csv" | "ndjson" } };
    answer: { items: (SyncResult)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "batch_not_found" | "lock_timeout" | "workspace_gone" | "results_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Follow a batch as Server-Sent Events */
  streamSyncEvents: {
    route: 'GET /pdm/sync/batches/{id}/events';
    input: { id: string };
    answer: undefined;
    error: "unauthorized" | "forbidden" | "area_missing" | "batch_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Cancel a batch */
  cancelSyncBatch: {
    route: 'POST /pdm/sync/batches/{id}/cancel';
    input: { id: string };
    answer: SyncBatch;
    error: "incomplete_body" | "invalid_encoding" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "batch_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "batch_finished" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Retry a failed batch */
  retrySyncBatch: {
    route: 'POST /pdm/sync/batches/{id}/retry';
    input: { id: string };
    answer: SyncBatch;
    error: "incomplete_body" | "invalid_encoding" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "batch_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "batch_not_failed" | "payload_gone" | "merged_meanwhile" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Group the errors and warnings of a batch */
  listSyncProblems: {
    route: 'GET /pdm/sync/batches/{id}/problems';
    input: { id: string };
    answer: SyncProblems;
    error: "unauthorized" | "forbidden" | "area_missing" | "batch_not_found" | "lock_timeout" | "workspace_gone" | "results_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List entities that a batch no longer contains */
  listAbsentEntities: {
    route: 'GET /pdm/sync/batches/{id}/absent';
    input: { id: string; query?: { limit?: number; cursor?: string } };
    answer: { items: (AbsentEntity)[]; nextCursor: string | null; comparedWith: ComparedWith };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "batch_not_found" | "lock_timeout" | "batch_not_completed" | "workspace_gone" | "results_gone" | "validation_failed" | "unknown_field" | "batch_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List elements of a batch as they were sent */
  listSentElements: {
    route: 'GET /pdm/sync/batches/{id}/elements';
    input: { id: string; query?: { limit?: number; cursor?: string; result?: "created" | "updated" | "skipped" | "error"; code?: "invalid_json" | "unreadable_line" | "invalid_entity" | "category_not_found" | "category_not_syncable" | "number_taken" | "cycle" | "not_in_structure" | "plan_stale"; warning?: "invalid_numeric" | "imprecise_numeric" | "invalid_date" | "invalid_boolean" | "invalid_url" | "invalid_reference" | "value_not_in_choices" | "value_required" | "pattern_mismatch" | "duplicate_guid" | "duplicate_guid_conflict" | "parent_pending" | "category_kept" | "invalid_link_field" | "link_field_conflict" | "unit_unknown" | "quantity_out_of_range" | "structure_kept" | "text_cleaned" | "empty_name" | "level_mismatch" | "location_link" | "location_pending" | "location_refused" | "supplier_part_refused" | "unknown_field" | "number_taken" | "archived" | "merged" | "invalid_picture" | "picture_pending" | "source_warning" | "more_warnings"; changed?: "fields" | "structure"; from?: number } };
    answer: { items: (SentElement)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "batch_not_found" | "lock_timeout" | "payload_gone" | "workspace_gone" | "results_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Resend elements of a batch */
  resendSyncElements: {
    route: 'POST /pdm/sync/batches/{id}/resend';
    input: { id: string; query?: { dryRun?: "true" | "false" }; body: ResendRequest };
    answer: SyncBatch;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "batch_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "batch_not_finished" | "payload_gone" | "merged_meanwhile" | "workspace_gone" | "results_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "nothing_to_resend" | "rate_limited" | "too_many_batches" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the positions of the workspace */
  listPositions: {
    route: 'GET /stock/positions';
    input: { query?: { limit?: number; cursor?: string; q?: string; short?: "true" | "false"; countedBefore?: string; location?: string; below?: "true" | "false" } };
    answer: { items: (ListedStockPosition)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Download positions as CSV */
  exportPositions: {
    route: 'GET /stock/positions/export';
    input: { query?: { q?: string; short?: "true" | "false"; countedBefore?: string; location?: string; below?: "true" | "false"; format?: "csv" } };
    answer: undefined;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the movements of the workspace */
  listLedger: {
    route: 'GET /stock/ledger';
    input: { query?: { limit?: number; cursor?: string; movementType?: "Adjustment" | "POReceipt" | "SOReservation" | "SORelease" | "SOShipment" | "OnOrderAdd" | "OnOrderRelease" | "MRReservation" | "MRRelease" | "MOReceipt" | "MRIssue" | "TransferOut" | "TransferIn" | "POReturn" | "SOReturn" | "LotStatus" | "LotHold"; from?: string; to?: string; effectiveFrom?: string; effectiveTo?: string; order?: "asc" | "desc"; lineId?: string; requirementId?: string; orderId?: string; bookingId?: string; actorId?: string; format?: "json" | "csv" } };
    answer: { items: (ListedLedgerEntry)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List callers that have moved stock */
  listLedgerActors: {
    route: 'GET /stock/ledger/actors';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (LedgerActor)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the positions of an item */
  listPositionsByItem: {
    route: 'GET /stock/positions/by-item/{itemEntityId}';
    input: { itemEntityId: string; query?: { limit?: number; cursor?: string; asOf?: string; effectiveAsOf?: string; stocked?: "true" | "false"; location?: string; below?: "true" | "false" } };
    answer: { items: (ListedStockPosition)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the positions at a location */
  listPositionsByLocation: {
    route: 'GET /stock/positions/by-location/{locationEntityId}';
    input: { locationEntityId: string; query?: { limit?: number; cursor?: string; asOf?: string; effectiveAsOf?: string; stocked?: "true" | "false"; below?: "true" | "false" } };
    answer: { items: (ListedStockPosition)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Sum the stock of a location and of all locations in it */
  listSumsByLocation: {
    route: 'GET /stock/sums/by-location/{locationEntityId}';
    input: { locationEntityId: string; query?: { limit?: number; cursor?: string } };
    answer: { items: (StockSum)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the movements of an item */
  listLedgerByItem: {
    route: 'GET /stock/ledger/by-item/{itemEntityId}';
    input: { itemEntityId: string; query?: { limit?: number; cursor?: string; movementType?: "Adjustment" | "POReceipt" | "SOReservation" | "SORelease" | "SOShipment" | "OnOrderAdd" | "OnOrderRelease" | "MRReservation" | "MRRelease" | "MOReceipt" | "MRIssue" | "TransferOut" | "TransferIn" | "POReturn" | "SOReturn" | "LotStatus" | "LotHold"; from?: string; to?: string; effectiveFrom?: string; effectiveTo?: string; order?: "asc" | "desc"; format?: "json" | "csv" } };
    answer: { items: (ListedLedgerEntry)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "tree_too_large" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the movements at a location */
  listLedgerByLocation: {
    route: 'GET /stock/ledger/by-location/{locationEntityId}';
    input: { locationEntityId: string; query?: { limit?: number; cursor?: string; movementType?: "Adjustment" | "POReceipt" | "SOReservation" | "SORelease" | "SOShipment" | "OnOrderAdd" | "OnOrderRelease" | "MRReservation" | "MRRelease" | "MOReceipt" | "MRIssue" | "TransferOut" | "TransferIn" | "POReturn" | "SOReturn" | "LotStatus" | "LotHold"; from?: string; to?: string; effectiveFrom?: string; effectiveTo?: string; order?: "asc" | "desc"; below?: "true" | "false"; format?: "json" | "csv" } };
    answer: { items: (ListedLedgerEntry)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "tree_too_large" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Count positions and ledger entries */
  getStockTotals: {
    route: 'GET /stock/totals';
    input: { query?: { item?: string; location?: string } };
    answer: StockTotals;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List what stock is worth, by item */
  listStockValues: {
    route: 'GET /stock/value';
    input: { query?: { limit?: number; cursor?: string; at?: string; below?: string; item?: string } };
    answer: { items: (StockValue)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "costing_off" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Download what stock is worth as CSV */
  exportStockValues: {
    route: 'GET /stock/value/export';
    input: { query?: { at?: string; below?: string; item?: string; format?: "csv" } };
    answer: undefined;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "not_acceptable" | "lock_timeout" | "costing_off" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Add up what all stock is worth */
  getStockValueTotal: {
    route: 'GET /stock/value/total';
    input: { query?: { at?: string; below?: string } };
    answer: StockValueTotal;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "costing_off" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List what is left of the cost layers of an item */
  listCostLayers: {
    route: 'GET /stock/value/{itemEntityId}/layers';
    input: { itemEntityId: string; query?: { limit?: number; cursor?: string } };
    answer: { items: (CostLayer)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "costing_off" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Give stock of an item another cost */
  revalueStock: {
    route: 'POST /stock/value/{itemEntityId}/revaluations';
    input: { itemEntityId: string; body: NewRevaluation };
    answer: Revalued;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "costing_off" | "nothing_to_revalue" | "standard_cost_set" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Set or remove the standard cost of an item */
  setStandardCost: {
    route: 'POST /stock/value/{itemEntityId}/standards';
    input: { itemEntityId: string; body: NewStandardCost };
    answer: StandardCostSet;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "costing_off" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "not_an_item" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the standard costs of an item */
  listStandardCosts: {
    route: 'GET /stock/value/{itemEntityId}/standards';
    input: { itemEntityId: string; query?: { limit?: number; cursor?: string } };
    answer: { items: (StandardCost)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "costing_off" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List what arrived of an item at its standard cost, with what was paid */
  listCostVariances: {
    route: 'GET /stock/value/{itemEntityId}/variances';
    input: { itemEntityId: string; query?: { limit?: number; cursor?: string } };
    answer: { items: (CostVariance)[]; nextCursor: string | null; totals: (VarianceTotal)[] };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "costing_off" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Adjust stock by hand */
  postAdjustment: {
    route: 'POST /stock/adjustments';
    input: { body: NewStockAdjustment };
    answer: StockAdjustmentsPlanned | StockAdjusted;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "stock_closed" | "costing_off" | "entity_archived" | "insufficient_stock" | "lot_refused" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_an_item" | "not_a_location" | "unknown_reason" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Adjust many positions: all or nothing */
  postAdjustmentBatch: {
    route: 'POST /stock/adjustments/batch';
    input: { body: StockAdjustmentBatch };
    answer: StockAdjustmentsPlanned | StockBatchAdjusted;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "stock_closed" | "costing_off" | "entity_archived" | "insufficient_stock" | "lot_refused" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_an_item" | "not_a_location" | "unknown_reason" | "too_many_adjustments" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Verify the ledger */
  verifyLedger: {
    route: 'GET /stock/ledger/verify';
    input: {};
    answer: LedgerVerification;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "ledger_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Verify the ledger against a digest stored elsewhere */
  verifyLedgerAgainstDigest: {
    route: 'POST /stock/ledger/verify';
    input: { body: KeptDigest };
    answer: LedgerProof;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "ledger_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a digest of the ledger */
  getLedgerDigest: {
    route: 'GET /stock/ledger/digest';
    input: {};
    answer: LedgerDigest;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "ledger_altered" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "ledger_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Move stock between locations: all or nothing */
  transferStock: {
    route: 'POST /stock/transfers';
    input: { body: StockTransfer };
    answer: StockTransferPlanned | StockTransferred;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "stock_closed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_an_item" | "not_a_location" | "same_location" | "too_many_adjustments" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List goods in transit between locations */
  listTransfersInTransit: {
    route: 'GET /stock/transfers';
    input: { query?: { limit?: number; cursor?: string; open?: "true" | "false"; itemEntityId?: string } };
    answer: { items: (StockTransit)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Download goods in transit as CSV */
  exportTransfersInTransit: {
    route: 'GET /stock/transfers/export';
    input: { query?: { open?: "true" | "false"; itemEntityId?: string; format?: "csv" } };
    answer: undefined;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Book goods in transit that have arrived */
  receiveTransfer: {
    route: 'POST /stock/transfers/{id}/receipts';
    input: { id: string; body: StockTransitReceipt };
    answer: StockTransitReceived;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "transfer_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "over_receipt" | "stock_closed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "zero_quantity" | "quantity_out_of_range" | "unknown_reason" | "not_a_location" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read how an item is tracked */
  getTracking: {
    route: 'GET /stock/tracking/{itemEntityId}';
    input: { itemEntityId: string };
    answer: ItemTracking;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "not_an_item" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Track an item by lots or serial numbers */
  setTracking: {
    route: 'PUT /stock/tracking/{itemEntityId}';
    input: { itemEntityId: string; body: NewTracking };
    answer: ItemTracking;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "tracking_in_use" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "not_an_item" | "too_many_adjustments" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List lots and serial numbers */
  listLots: {
    route: 'GET /stock/lots';
    input: { query?: { limit?: number; cursor?: string; itemEntityId?: string; number?: string; expiresBefore?: string; status?: "available" | "quarantine" | "rejected"; inStock?: "true" | "false" } };
    answer: { items: (StockLot)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Download lots and serial numbers as CSV */
  exportLots: {
    route: 'GET /stock/lots/export';
    input: { query?: { itemEntityId?: string; number?: string; expiresBefore?: string; status?: "available" | "quarantine" | "rejected"; inStock?: "true" | "false"; format?: "csv" } };
    answer: undefined;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Propose the lots that expire first */
  proposeLots: {
    route: 'GET /stock/lots/proposal';
    input: { query?: { itemEntityId: string; locationEntityId: string; quantity?: number; all?: "true" | "false" } };
    answer: LotProposal;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a lot with its locations */
  getLot: {
    route: 'GET /stock/lots/{id}';
    input: { id: string };
    answer: StockLotAtPlaces;
    error: "unauthorized" | "forbidden" | "area_missing" | "lot_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change the expiry date, supplier lot or properties of a lot */
  updateLot: {
    route: 'PATCH /stock/lots/{id}';
    input: { id: string; body: StockLotPatch };
    answer: StockLotAtPlaces;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "lot_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change the status of a lot */
  setLotStatus: {
    route: 'POST /stock/lots/{id}/status';
    input: { id: string; body: NewLotStatus };
    answer: StockLotAtPlaces;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "lot_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "too_many_adjustments" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Trace a lot */
  traceLot: {
    route: 'GET /stock/lots/{id}/trace';
    input: { id: string; query?: { direction: "up" | "down" } };
    answer: LotTrace;
    error: "unauthorized" | "forbidden" | "area_missing" | "lot_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "tree_too_large" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the lots that reservations hold */
  listLotHolds: {
    route: 'GET /stock/holds';
    input: { query?: { lineId?: string; requirementId?: string; lotId?: string } };
    answer: StockLotHolds;
    error: "unauthorized" | "forbidden" | "area_missing" | "lot_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Hold a lot for a reservation */
  holdLot: {
    route: 'POST /stock/lots/{id}/holds';
    input: { id: string; body: NewLotHold };
    answer: StockLotHolds;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "lot_not_found" | "line_not_found" | "requirement_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "lot_refused" | "insufficient_stock" | "entity_archived" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "unit_unknown" | "quantity_inexact" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Stop holding a lot for a reservation */
  releaseLotHold: {
    route: 'POST /stock/lots/{id}/holds/releases';
    input: { id: string; body: NewLotHold };
    answer: StockLotHolds;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "lot_not_found" | "line_not_found" | "requirement_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "lot_refused" | "insufficient_stock" | "entity_archived" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "unit_unknown" | "quantity_inexact" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the units of an item */
  getItemUnits: {
    route: 'GET /stock/units/{itemEntityId}';
    input: { itemEntityId: string };
    answer: ItemUnits;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "not_an_item" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Set the units of an item */
  setItemUnits: {
    route: 'PUT /stock/units/{itemEntityId}';
    input: { itemEntityId: string; body: NewItemUnits };
    answer: ItemUnits;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "base_unit_in_use" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "not_an_item" | "too_many_uses" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Post a stock count: all or nothing */
  countStock: {
    route: 'POST /stock/counts';
    input: { body: StockCount };
    answer: StockCounted;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "count_task_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "position_moved" | "entity_archived" | "insufficient_stock" | "lot_refused" | "stock_closed" | "count_task_ended" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "ambiguous_number" | "not_an_item" | "not_a_location" | "duplicate_position" | "too_many_adjustments" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the stock of an item over time */
  getHistoryByItem: {
    route: 'GET /stock/history/by-item/{itemEntityId}';
    input: { itemEntityId: string; query?: { from?: string; to?: string; points?: number; other?: string; below?: "true" | "false" } };
    answer: StockHistory;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "history_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the stock at a location over time */
  getHistoryByLocation: {
    route: 'GET /stock/history/by-location/{locationEntityId}';
    input: { locationEntityId: string; query?: { from?: string; to?: string; points?: number; other?: string; below?: "true" | "false" } };
    answer: StockHistory;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "history_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List count tasks */
  listCountTasks: {
    route: 'GET /stock/count-tasks';
    input: { query?: { limit?: number; cursor?: string; status?: "open" | "any"; assignedTo?: string } };
    answer: { items: (CountTask)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Ask for a count of a location */
  createCountTask: {
    route: 'POST /stock/count-tasks';
    input: { body: NewCountTask };
    answer: CountTask;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "entity_archived" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "not_a_location" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a count task */
  getCountTask: {
    route: 'GET /stock/count-tasks/{id}';
    input: { id: string };
    answer: CountTask;
    error: "unauthorized" | "forbidden" | "area_missing" | "count_task_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Assign, change or end a count task */
  updateCountTask: {
    route: 'PATCH /stock/count-tasks/{id}';
    input: { id: string; body: CountTaskPatch };
    answer: CountTask;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "count_task_not_found" | "request_timeout" | "lock_timeout" | "configuration_full" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List stock lines */
  listStockLines: {
    route: 'GET /stock/lines';
    input: { query?: { limit?: number; cursor?: string; sort?: "created" | "requiredBy"; order?: "asc" | "desc"; type?: "purchaseOrder" | "salesOrder" | "manufacturingOrder"; itemEntityId?: string; orderId?: string; state?: string; open?: "true" | "false"; overdue?: "true" | "false"; requirementId?: string; requiredFrom?: string; requiredBefore?: string; supplier?: string } };
    answer: { items: (StockLine)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a stock line */
  createStockLine: {
    route: 'POST /stock/lines';
    input: { body: NewStockLine };
    answer: LineMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "order_not_found" | "requirement_not_found" | "supplier_part_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_an_item" | "not_a_location" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a stock line */
  getStockLine: {
    route: 'GET /stock/lines/{id}';
    input: { id: string };
    answer: StockLine;
    error: "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change the quantity, date, promises or price of a line */
  updateStockLine: {
    route: 'PATCH /stock/lines/{id}';
    input: { id: string; body: StockLinePatch };
    answer: StockLine;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "request_timeout" | "lock_timeout" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "quantity_below_done" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "quantity_out_of_range" | "tree_too_large" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Ship goods of a line */
  shipStockLine: {
    route: 'POST /stock/lines/{id}/shipments';
    input: { id: string; body: LineShipment };
    answer: LineMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Reserve for a sales line */
  reserveStockLine: {
    route: 'POST /stock/lines/{id}/reservations';
    input: { id: string; body: LineReservation };
    answer: LineMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Release a reservation of a sales line */
  releaseStockLine: {
    route: 'POST /stock/lines/{id}/releases';
    input: { id: string; body: LineMovement };
    answer: LineMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Close a line */
  closeStockLine: {
    route: 'POST /stock/lines/{id}/close';
    input: { id: string; body?: LineEnd };
    answer: LineMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Cancel a line */
  cancelStockLine: {
    route: 'POST /stock/lines/{id}/cancel';
    input: { id: string; body?: LineEnd };
    answer: LineMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the components of a manufacturing line */
  listLineComponents: {
    route: 'GET /stock/lines/{id}/components';
    input: { id: string };
    answer: LineComponents;
    error: "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "lock_timeout" | "line_not_open" | "workspace_gone" | "validation_failed" | "unknown_field" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Reserve all components of a line */
  reserveLineComponents: {
    route: 'POST /stock/lines/{id}/components/reservations';
    input: { id: string; body?: ComponentsWork };
    answer: ComponentsPreview | ComponentsMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "tree_too_large" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_a_location" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Issue all components of a line */
  issueLineComponents: {
    route: 'POST /stock/lines/{id}/components/issues';
    input: { id: string; body?: ComponentsWork };
    answer: ComponentsPreview | ComponentsMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "tree_too_large" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_a_location" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Receive goods of a line */
  receiveStockLine: {
    route: 'POST /stock/lines/{id}/receipts';
    input: { id: string; body: LineReceipt };
    answer: ComponentsPreview | LineReceived;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "costing_off" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "tree_too_large" | "not_a_location" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Record units that failed */
  scrapStockLine: {
    route: 'POST /stock/lines/{id}/scrap';
    input: { id: string; body: LineScrap };
    answer: ComponentsPreview | LineReceived;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "tree_too_large" | "not_a_location" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Take built units apart */
  disassembleStockLine: {
    route: 'POST /stock/lines/{id}/disassemblies';
    input: { id: string; body: LineDisassembly };
    answer: LineDisassembled;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_disassembly" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "tree_too_large" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_a_location" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Take units of a lot apart */
  disassembleLot: {
    route: 'POST /stock/lots/{id}/disassemblies';
    input: { id: string; body?: LotDisassembly };
    answer: LineDisassembled;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "entity_not_found" | "lot_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_disassembly" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "tree_too_large" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_a_location" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List orders */
  listOrders: {
    route: 'GET /orders';
    input: { query?: { limit?: number; cursor?: string; order?: "asc" | "desc"; type?: "purchaseOrder" | "salesOrder" | "manufacturingOrder"; state?: string; supplier?: string; customer?: string; open?: "true" | "false"; overdue?: "true" | "false"; requiredFrom?: string; requiredBefore?: string; q?: string } };
    answer: { items: (Order)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create an order with its lines: all or nothing */
  createOrder: {
    route: 'POST /orders';
    input: { body: NewOrder };
    answer: OrderWithLines;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "order_not_found" | "requirement_not_found" | "supplier_part_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_an_item" | "not_a_location" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read an order with its lines */
  getOrder: {
    route: 'GET /orders/{id}';
    input: { id: string };
    answer: OrderWithLines;
    error: "unauthorized" | "forbidden" | "area_missing" | "order_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change the supplier, the customer or the references of an order */
  updateOrder: {
    route: 'PATCH /orders/{id}';
    input: { id: string; body: OrderPatch };
    answer: OrderWithLines;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "order_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Add lines to an order: all or nothing */
  addOrderLines: {
    route: 'POST /orders/{id}/lines';
    input: { id: string; body: NewOrderLines };
    answer: AddedLines;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "order_not_found" | "requirement_not_found" | "supplier_part_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_an_item" | "not_a_location" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Receive lines of an order: all or nothing */
  receiveOrder: {
    route: 'POST /orders/{id}/receipts';
    input: { id: string; body: OrderReceipt };
    answer: OrderWithLines;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "order_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "costing_off" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_a_location" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Ship lines of a sales order: all or nothing */
  shipOrder: {
    route: 'POST /orders/{id}/shipments';
    input: { id: string; body: OrderShipment };
    answer: OrderWithLines;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "order_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Take back a ledger entry */
  reverseLedgerEntry: {
    route: 'POST /stock/ledger/{entryId}/reversals';
    input: { entryId: string; body: NewReversal };
    answer: ReversedEntry;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "entry_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "not_reversible" | "over_reversal" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Take back a receipt of an order */
  reverseReceipt: {
    route: 'POST /orders/{id}/receipts/{bookingId}/reversals';
    input: { id: string; bookingId: string; body: DeliveryReversal };
    answer: OrderCorrected;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "order_not_found" | "booking_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "not_reversible" | "over_reversal" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Take back a shipment of an order */
  reverseShipment: {
    route: 'POST /orders/{id}/shipments/{bookingId}/reversals';
    input: { id: string; bookingId: string; body: DeliveryReversal };
    answer: OrderCorrected;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "order_not_found" | "booking_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "not_reversible" | "over_reversal" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Return goods of an order: all or nothing */
  returnOrder: {
    route: 'POST /orders/{id}/returns';
    input: { id: string; body: OrderReturn };
    answer: OrderCorrected;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "line_not_found" | "order_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "over_receipt" | "over_shipment" | "over_reservation" | "over_release" | "stock_closed" | "over_return" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_a_location" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List suppliers */
  listSuppliers: {
    route: 'GET /suppliers';
    input: { query?: { limit?: number; cursor?: string; name?: string; q?: string; state?: "active" | "inactive" } };
    answer: { items: (Supplier)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a supplier */
  createSupplier: {
    route: 'POST /suppliers';
    input: { body: NewSupplier };
    answer: Supplier;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "supplier_taken" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a supplier */
  getSupplier: {
    route: 'GET /suppliers/{id}';
    input: { id: string };
    answer: Supplier;
    error: "unauthorized" | "forbidden" | "area_missing" | "supplier_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change a supplier */
  updateSupplier: {
    route: 'PATCH /suppliers/{id}';
    input: { id: string; body: SupplierPatch };
    answer: Supplier;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "supplier_not_found" | "request_timeout" | "lock_timeout" | "supplier_merged" | "supplier_taken" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Merge a supplier into another */
  mergeSupplier: {
    route: 'POST /suppliers/{id}/merge';
    input: { id: string; body: SupplierMerge };
    answer: Supplier;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "supplier_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "supplier_merged" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Find the suppliers of items */
  lookUpSuppliers: {
    route: 'POST /suppliers/lookup';
    input: { body: SupplierLookup };
    answer: LookedUpSuppliers;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List supplier parts */
  listSupplierParts: {
    route: 'GET /supplier-parts';
    input: { query?: { limit?: number; cursor?: string; itemEntityId?: string; supplierId?: string; q?: string } };
    answer: { items: (SupplierPart)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a supplier part */
  createSupplierPart: {
    route: 'POST /supplier-parts';
    input: { body: NewSupplierPart };
    answer: SupplierPart;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "supplier_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "entity_archived" | "supplier_merged" | "supplier_part_taken" | "too_many_supplier_parts" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "not_an_item" | "unit_unknown" | "zero_quantity" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a supplier part */
  getSupplierPart: {
    route: 'GET /supplier-parts/{id}';
    input: { id: string };
    answer: SupplierPart;
    error: "unauthorized" | "forbidden" | "area_missing" | "supplier_part_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change a supplier part */
  updateSupplierPart: {
    route: 'PATCH /supplier-parts/{id}';
    input: { id: string; body: SupplierPartPatch };
    answer: SupplierPart;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "supplier_part_not_found" | "request_timeout" | "lock_timeout" | "supplier_part_taken" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "unit_unknown" | "zero_quantity" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete a supplier part */
  deleteSupplierPart: {
    route: 'DELETE /supplier-parts/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "supplier_part_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Propose what to order for needs */
  offerItems: {
    route: 'POST /supplier-parts/offers';
    input: { body: OfferRequest };
    answer: Offers;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "zero_quantity" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read how an item is reordered */
  getItemPlanning: {
    route: 'GET /planning/items/{itemEntityId}';
    input: { itemEntityId: string };
    answer: ItemPlanning;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "not_an_item" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Set how an item is reordered */
  setItemPlanning: {
    route: 'PUT /planning/items/{itemEntityId}';
    input: { itemEntityId: string; body: NewItemPlanning };
    answer: ItemPlanning;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "supplier_part_not_found" | "request_timeout" | "lock_timeout" | "entity_archived" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "not_an_item" | "not_a_location" | "zero_quantity" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List what is below its reorder point */
  listReorder: {
    route: 'GET /planning/reorder';
    input: { query?: { limit?: number; cursor?: string; supplier?: string; currency?: string } };
    answer: { items: (ReorderProposal)[]; nextCursor: string | null; totals: (ReorderTotal)[] };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Order items of the reorder list: all or nothing */
  orderReorder: {
    route: 'POST /planning/reorder/orders';
    input: { body: ReorderOrders };
    answer: Reordered;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "order_not_found" | "requirement_not_found" | "supplier_part_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "plan_stale" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_an_item" | "not_a_location" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Plan what to order and to make */
  createPlanningRun: {
    route: 'POST /planning/runs';
    input: { body: NewPlanningRun };
    answer: PlanningRun;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "revision_not_found" | "line_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "entity_archived" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "not_an_item" | "not_a_location" | "not_a_project" | "category_not_found" | "quantity_out_of_range" | "rate_limited" | "too_many_planning_runs" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List planning runs, newest first */
  listPlanningRuns: {
    route: 'GET /planning/runs';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (PlanningRun)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a planning run */
  getPlanningRun: {
    route: 'GET /planning/runs/{id}';
    input: { id: string };
    answer: PlanningRun;
    error: "unauthorized" | "forbidden" | "area_missing" | "planning_run_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the actions of a planning run */
  listPlanningActions: {
    route: 'GET /planning/runs/{id}/actions';
    input: { id: string; query?: { limit?: number; cursor?: string; action?: "none" | "order" | "make" | "expedite" | "defer" | "increase" | "decrease" | "cancel" | "useSubstitute"; exception?: "late" | "noSupplier" | "noLeadTime" | "noStructure" | "archivedItem" | "demandWithoutDate" | "overdueSupply" | "leadTimeTooLong" | "quantityOutOfRange" | "cycle"; item?: string; supplierId?: string; project?: string; has?: "proposal" | "exception"; status?: "open" | "committed" | "dismissed" } };
    answer: { items: (PlanningAction)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "planning_run_not_found" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Cancel a planning run */
  cancelPlanningRun: {
    route: 'POST /planning/runs/{id}/cancel';
    input: { id: string };
    answer: PlanningRun;
    error: "incomplete_body" | "invalid_encoding" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "planning_run_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "planning_run_finished" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Carry out actions of a planning run: all or nothing */
  commitPlanningRun: {
    route: 'POST /planning/runs/{id}/commit';
    input: { id: string; body: PlanningCommit };
    answer: PlanningCommitted;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "planning_run_not_found" | "entity_not_found" | "order_not_found" | "requirement_not_found" | "supplier_part_not_found" | "line_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "planning_run_not_ready" | "plan_stale" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "line_not_open" | "quantity_below_done" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "tree_too_large" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_an_item" | "not_a_location" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Dismiss actions of a planning run */
  dismissPlanningActions: {
    route: 'POST /planning/runs/{id}/dismiss';
    input: { id: string; body: PlanningDismissal };
    answer: { items: (PlanningAction)[] };
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "planning_run_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "planning_run_not_ready" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List forecasts */
  listForecasts: {
    route: 'GET /planning/forecasts';
    input: { query?: { limit?: number; cursor?: string; item?: string } };
    answer: { items: (Forecast)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Set forecasts of items: all or none */
  setForecasts: {
    route: 'POST /planning/forecasts';
    input: { body: NewForecasts };
    answer: { items: (Forecast)[] };
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "entity_archived" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "not_an_item" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete a forecast */
  deleteForecast: {
    route: 'DELETE /planning/forecasts/{itemEntityId}/{from}';
    input: { itemEntityId: string; from: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "forecast_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Compare two planning runs */
  comparePlanningRuns: {
    route: 'GET /planning/runs/{id}/compare';
    input: { id: string; query?: { limit?: number; cursor?: string; with: string } };
    answer: { items: (PlanningDifference)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "planning_run_not_found" | "lock_timeout" | "planning_run_not_ready" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the timeline of an item in a planning run */
  getPlanningTimeline: {
    route: 'GET /planning/runs/{id}/items/{itemEntityId}';
    input: { id: string; itemEntityId: string };
    answer: PlanningTimeline;
    error: "unauthorized" | "forbidden" | "area_missing" | "planning_run_not_found" | "entity_not_found" | "lock_timeout" | "planning_run_not_ready" | "workspace_gone" | "validation_failed" | "unknown_field" | "not_an_item" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Find by when a quantity of an item can be promised */
  getPromise: {
    route: 'GET /entities/{id}/promise';
    input: { id: string; query?: { quantity: number } };
    answer: PlanningPromise;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "entity_archived" | "workspace_gone" | "validation_failed" | "unknown_field" | "not_an_item" | "quantity_out_of_range" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List material requirements */
  listRequirements: {
    route: 'GET /requirements';
    input: { query?: { limit?: number; cursor?: string; order?: "asc" | "desc"; projectId?: string; itemEntityId?: string; lineId?: string; status?: "open" | "covered" | "cancelled"; overdue?: "true" | "false"; requiredBefore?: string; q?: string } };
    answer: { items: (MaterialRequirement)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a material requirement */
  createRequirement: {
    route: 'POST /requirements';
    input: { body: NewRequirement };
    answer: MaterialRequirement;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "entity_archived" | "procurement_not_configured" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "not_a_project" | "not_an_item" | "unit_unknown" | "quantity_inexact" | "zero_quantity" | "quantity_out_of_range" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a material requirement */
  getRequirement: {
    route: 'GET /requirements/{id}';
    input: { id: string };
    answer: RequirementWithHeld;
    error: "unauthorized" | "forbidden" | "area_missing" | "requirement_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Change the quantity or date of a material requirement */
  updateRequirement: {
    route: 'PATCH /requirements/{id}';
    input: { id: string; body: RequirementPatch };
    answer: RequirementWithHeld;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "requirement_not_found" | "request_timeout" | "lock_timeout" | "requirement_cancelled" | "quantity_below_done" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "unit_unknown" | "quantity_inexact" | "zero_quantity" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Reserve stock for a requirement */
  reserveRequirement: {
    route: 'POST /requirements/{id}/reservations';
    input: { id: string; body: RequirementReservation };
    answer: RequirementMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "requirement_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "stock_closed" | "over_release" | "over_issue" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "unit_unknown" | "quantity_inexact" | "not_a_location" | "zero_quantity" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Release a reservation of a requirement */
  releaseRequirement: {
    route: 'POST /requirements/{id}/releases';
    input: { id: string; body: RequirementRelease };
    answer: RequirementMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "requirement_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "stock_closed" | "over_release" | "over_issue" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "unit_unknown" | "quantity_inexact" | "not_a_location" | "zero_quantity" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Issue reserved material */
  issueRequirement: {
    route: 'POST /requirements/{id}/issues';
    input: { id: string; body: RequirementIssue };
    answer: RequirementMoved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "requirement_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "stock_closed" | "over_release" | "over_issue" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "unit_unknown" | "quantity_inexact" | "not_a_location" | "zero_quantity" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Order for a requirement */
  orderRequirement: {
    route: 'POST /requirements/{id}/orders';
    input: { id: string; body: RequirementOrder };
    answer: RequirementOrdered;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "order_not_found" | "requirement_not_found" | "supplier_part_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_an_item" | "not_a_location" | "rate_limited" | "stock_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the shortages of a project */
  listShortages: {
    route: 'GET /projects/{id}/shortages';
    input: { id: string; query?: { configuration?: "current" | "asReleased" | "latestReleased"; all?: "true" | "false"; open?: "true" | "false"; kind?: "purchased" | "made"; q?: string; sort?: "structure" | "number" | "name" | "supplier" | "shortageQty"; order?: "asc" | "desc"; format?: "json" | "csv" } };
    answer: ProjectShortages;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "not_acceptable" | "lock_timeout" | "cycle" | "workspace_gone" | "validation_failed" | "unknown_field" | "not_a_project" | "tree_too_large" | "too_many_to_sort" | "quantity_out_of_range" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create requirements for the shortages of a project */
  raiseShortages: {
    route: 'POST /projects/{id}/shortages/requirements';
    input: { id: string; body?: ShortageRequirements };
    answer: ShortagesRaised;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "entity_archived" | "cycle" | "procurement_not_configured" | "transition_not_allowed" | "properties_required" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "not_a_project" | "tree_too_large" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Reserve items for a project: all or nothing */
  reserveShortages: {
    route: 'POST /projects/{id}/shortages/reservations';
    input: { id: string; body: ShortageReservations };
    answer: ShortagesReserved;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "requirement_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "stock_closed" | "over_release" | "over_issue" | "cycle" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "unit_unknown" | "quantity_inexact" | "not_a_location" | "zero_quantity" | "not_a_project" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Order items for a project: all or nothing */
  orderShortages: {
    route: 'POST /projects/{id}/shortages/orders';
    input: { id: string; body: ShortageOrders };
    answer: ShortagesOrdered;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "order_not_found" | "requirement_not_found" | "supplier_part_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "transition_not_allowed" | "properties_required" | "feature_failed" | "entity_archived" | "insufficient_stock" | "lot_refused" | "over_requirement" | "requirement_cancelled" | "procurement_not_configured" | "order_not_open" | "cycle" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "quantity_out_of_range" | "zero_quantity" | "unit_unknown" | "quantity_inexact" | "not_an_item" | "not_a_location" | "not_a_project" | "tree_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Calculate the cost of an item */
  getCost: {
    route: 'GET /entities/{id}/cost';
    input: { id: string; query?: { quantity?: number; at?: string; currency?: string; revision?: number; format?: "json" | "csv" } };
    answer: Cost;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "revision_not_found" | "not_acceptable" | "lock_timeout" | "cycle" | "workspace_gone" | "validation_failed" | "unknown_field" | "not_an_item" | "tree_too_large" | "zero_quantity" | "quantity_out_of_range" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Add up a property over a structure */
  getRollup: {
    route: 'GET /entities/{id}/rollup';
    input: { id: string; query?: { property: string; quantity?: number; revision?: number } };
    answer: Rollup;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "revision_not_found" | "lock_timeout" | "cycle" | "workspace_gone" | "validation_failed" | "unknown_field" | "not_an_item" | "unknown_property" | "tree_too_large" | "zero_quantity" | "quantity_out_of_range" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** An order as PDF or CSV */
  getOrderDocument: {
    route: 'GET /orders/{id}/document';
    input: { id: string; query?: { format?: "pdf" | "csv" } };
    answer: undefined;
    error: "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "order_not_found" | "not_acceptable" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "document_too_large" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the template of printed orders */
  getOrderTemplate: {
    route: 'GET /order-template';
    input: {};
    answer: OrderTemplate;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace the template of printed orders */
  replaceOrderTemplate: {
    route: 'PUT /order-template';
    input: { body: NewOrderTemplate };
    answer: OrderTemplate;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List exchange rates */
  listExchangeRates: {
    route: 'GET /exchange-rates';
    input: { query?: { limit?: number; cursor?: string; from?: string; to?: string } };
    answer: { items: (ExchangeRate)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Set an exchange rate from a day on */
  setExchangeRate: {
    route: 'PUT /exchange-rates/{from}/{to}/{validFrom}';
    input: { from: string; to: string; validFrom: string; body: NewExchangeRate };
    answer: ExchangeRate;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "configuration_full" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete an exchange rate */
  deleteExchangeRate: {
    route: 'DELETE /exchange-rates/{from}/{to}/{validFrom}';
    input: { from: string; to: string; validFrom: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "exchange_rate_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a summary of an entity */
  getEntitySummary: {
    route: 'GET /entities/{id}/summary';
    input: { id: string };
    answer: EntitySummary;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the demand and supply of an item */
  getItemDemand: {
    route: 'GET /entities/{id}/demand';
    input: { id: string };
    answer: ItemDemand;
    error: "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "not_an_item" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List feature automations */
  listFeatureAutomations: {
    route: 'GET /automations/feature';
    input: { query?: { limit?: number; cursor?: string; contextTypeId?: number } };
    answer: { items: (FeatureAutomation)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List automations */
  listAutomations: {
    route: 'GET /automations';
    input: { query?: { limit?: number; cursor?: string; contextTypeId?: number } };
    answer: { items: (ListedAutomation)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create an automation */
  createAutomation: {
    route: 'POST /automations';
    input: { body: NewAutomation };
    answer: Automation;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "script_syntax_error" | "invalid_condition" | "rate_limited" | "scripts_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List system automations */
  listSystemAutomations: {
    route: 'GET /automations/system';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (Automation)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List built-in actions */
  listBuiltInActions: {
    route: 'GET /automations/built-in-actions';
    input: {};
    answer: BuiltInActions;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read an automation */
  getAutomation: {
    route: 'GET /automations/{id}';
    input: { id: string };
    answer: Automation;
    error: "unauthorized" | "forbidden" | "area_missing" | "automation_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace an automation */
  replaceAutomation: {
    route: 'PUT /automations/{id}';
    input: { id: string; body: AutomationReplacement };
    answer: Automation;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "automation_not_found" | "request_timeout" | "lock_timeout" | "automation_read_only" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "script_syntax_error" | "invalid_condition" | "rate_limited" | "scripts_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete an automation */
  deleteAutomation: {
    route: 'DELETE /automations/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "automation_not_found" | "request_timeout" | "lock_timeout" | "automation_read_only" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Clone an automation into the workspace */
  cloneAutomation: {
    route: 'POST /automations/{id}/clone';
    input: { id: string; body?: AutomationClone };
    answer: Automation;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "automation_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "invalid_condition" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Test a script */
  testScript: {
    route: 'POST /automations/test';
    input: { body: ScriptTest };
    answer: ScriptTestResult;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "scripts_busy" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the versions of a script */
  listScriptVersions: {
    route: 'GET /automations/{id}/versions';
    input: { id: string; query?: { limit?: number; cursor?: string } };
    answer: { items: (ScriptVersion)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "automation_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the runs of an automation */
  listAutomationRuns: {
    route: 'GET /automations/{id}/runs';
    input: { id: string; query?: { limit?: number; cursor?: string; status?: "queued" | "succeeded" | "failed" | "suppressed"; triggeredBy?: string } };
    answer: { items: (AutomationRunSummary)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "automation_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the runs of all automations */
  listAllAutomationRuns: {
    route: 'GET /automation-runs';
    input: { query?: { limit?: number; cursor?: string; status?: "queued" | "succeeded" | "failed" | "suppressed"; triggeredBy?: string } };
    answer: { items: (AutomationRunSummary)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a run */
  getAutomationRun: {
    route: 'GET /automation-runs/{id}';
    input: { id: string; query?: { wait?: number } };
    answer: AutomationRun;
    error: "unauthorized" | "forbidden" | "area_missing" | "automation_run_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Retry a past run */
  retryAutomationRun: {
    route: 'POST /automation-runs/{id}/retry';
    input: { id: string; body?: RunRetry };
    answer: AutomationRun;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "automation_run_not_found" | "automation_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "run_not_finished" | "automation_read_only" | "automation_disabled" | "member_ended" | "api_key_revoked" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Retry failed runs by filter */
  retryFailedRuns: {
    route: 'POST /automation-runs/retries';
    input: { body?: RunRetries };
    answer: RunsRetried;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Run a user action */
  triggerAutomation: {
    route: 'POST /automations/{id}/trigger';
    input: { id: string; body?: AutomationTrigger };
    answer: AutomationRun;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "automation_not_found" | "entity_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "automation_read_only" | "automation_disabled" | "not_a_user_action" | "action_not_offered" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List all actions */
  listActions: {
    route: 'GET /actions';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (EntityAction)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the actions of an entity */
  listEntityActions: {
    route: 'GET /entities/{id}/actions';
    input: { id: string; query?: { limit?: number; cursor?: string } };
    answer: { items: (EntityAction)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "entity_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List webhooks */
  listWebhooks: {
    route: 'GET /webhooks';
    input: { query?: { limit?: number; cursor?: string } };
    answer: { items: (Webhook)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Create a webhook */
  createWebhook: {
    route: 'POST /webhooks';
    input: { body: NewWebhook };
    answer: WebhookWithSecret;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "configuration_full" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "target_refused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a webhook */
  getWebhook: {
    route: 'GET /webhooks/{id}';
    input: { id: string };
    answer: Webhook;
    error: "unauthorized" | "forbidden" | "area_missing" | "webhook_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Replace a webhook */
  replaceWebhook: {
    route: 'PUT /webhooks/{id}';
    input: { id: string; body: WebhookReplacement };
    answer: Webhook;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "webhook_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "read_only_field" | "target_refused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Delete a webhook and its deliveries */
  deleteWebhook: {
    route: 'DELETE /webhooks/{id}';
    input: { id: string };
    answer: undefined;
    error: "incomplete_body" | "invalid_encoding" | "unauthorized" | "forbidden" | "area_missing" | "webhook_not_found" | "request_timeout" | "lock_timeout" | "workspace_gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Rotate the secret of a webhook */
  rotateWebhookSecret: {
    route: 'POST /webhooks/{id}/rotate-secret';
    input: { id: string; body?: SecretRotation };
    answer: WebhookWithSecret;
    error: "incomplete_body" | "invalid_encoding" | "invalid_json" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "proof_needed" | "webhook_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** List the deliveries of a webhook */
  listWebhookDeliveries: {
    route: 'GET /webhooks/{id}/deliveries';
    input: { id: string; query?: { limit?: number; cursor?: string; status?: "pending" | "delivered" | "failed" } };
    answer: { items: (WebhookDelivery)[]; nextCursor: string | null };
    error: "invalid_cursor" | "unauthorized" | "forbidden" | "area_missing" | "webhook_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read a delivery with its message and its attempts */
  getWebhookDelivery: {
    route: 'GET /webhooks/{id}/deliveries/{deliveryId}';
    input: { id: string; deliveryId: string };
    answer: WebhookDeliveryWithPayload;
    error: "unauthorized" | "forbidden" | "area_missing" | "delivery_not_found" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Resend a message */
  resendWebhookDelivery: {
    route: 'POST /webhooks/{id}/deliveries/{deliveryId}/resend';
    input: { id: string; deliveryId: string };
    answer: WebhookDeliveryWithPayload;
    error: "incomplete_body" | "invalid_encoding" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "webhook_not_found" | "delivery_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "webhook_disabled" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Send a webhook a test message */
  testWebhook: {
    route: 'POST /webhooks/{id}/test';
    input: { id: string };
    answer: WebhookDeliveryWithPayload;
    error: "incomplete_body" | "invalid_encoding" | "invalid_header" | "unauthorized" | "forbidden" | "area_missing" | "webhook_not_found" | "request_timeout" | "lock_timeout" | "idempotency_in_progress" | "idempotency_answer_sealed" | "webhook_disabled" | "test_waiting" | "workspace_gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "unknown_field" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read the overview of a workspace */
  getOverview: {
    route: 'GET /overview';
    input: { query?: { hours?: number } };
    answer: Overview;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Follow a workspace as Server-Sent Events */
  streamEvents: {
    route: 'GET /events';
    input: {};
    answer: undefined;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "too_many_streams" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Read what waits for you */
  getMyWork: {
    route: 'GET /me/work';
    input: {};
    answer: OwnWork;
    error: "unauthorized" | "forbidden" | "area_missing" | "lock_timeout" | "workspace_gone" | "validation_failed" | "unknown_field" | "rate_limited" | "internal_error" | "unavailable" | "workspace_moving";
  };
  /** Check whether the process responds */
  getLiveness: {
    route: 'GET /health/live';
    input: {};
    answer: Health;
    error: "validation_failed" | "unknown_field" | "internal_error" | "unavailable";
  };
  /** Check whether the process can do its work */
  getReadiness: {
    route: 'GET /health/ready';
    input: {};
    answer: Health;
    error: "validation_failed" | "unknown_field" | "internal_error";
  };
}
