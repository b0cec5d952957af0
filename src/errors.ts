/**
 * The one table of error codes. A caller's fault is an `AppError` with one of these codes; the table
 * decides the HTTP status and the title, so that no endpoint has a mapping of its own.
 */

export const errorCodes = {
  // 400
  invalid_json: [400, 'The body is not valid JSON'],
  invalid_encoding: [400, 'The body could not be decompressed'],
  invalid_cursor: [400, 'The cursor is not valid'],
  invalid_header: [400, 'A header is not valid'],
  logout_refused: [400, 'The logout token was not accepted'],
  incomplete_body: [400, 'The body ended early'],
  // 401, 403, 404, 405
  unauthorized: [401, 'Not authorised'],
  forbidden: [403, 'Forbidden'],
  area_missing: [403, 'The area is missing'],
  proof_needed: [403, 'Prove that it is you'],
  not_found: [404, 'Not found'],
  entity_not_found: [404, 'The entity does not exist'],
  use_not_found: [404, 'There is no such link in the structure'],
  pending_link_not_found: [404, 'There is no such pending link'],
  picture_not_found: [404, 'There is no such picture'],
  revision_not_found: [404, 'The entity has no such revision'],
  api_key_not_found: [404, 'The API key does not exist'],
  member_not_found: [404, 'The member does not exist'],
  invitation_not_found: [404, 'There is no such open invitation'],
  csv_link_not_found: [404, 'There is no such CSV link'],
  view_not_found: [404, 'There is no such saved view'],
  comment_not_found: [404, 'There is no such comment'],
  subscription_not_found: [404, 'You do not follow that'],
  line_not_found: [404, 'The stock line does not exist'],
  order_not_found: [404, 'The order does not exist'],
  booking_not_found: [404, 'The order has no such delivery'],
  entry_not_found: [404, 'The ledger entry does not exist'],
  count_task_not_found: [404, 'There is no such count task'],
  transfer_not_found: [404, 'There is no such transfer in transit'],
  lot_not_found: [404, 'The lot does not exist'],
  supplier_not_found: [404, 'The supplier does not exist'],
  supplier_part_not_found: [404, 'The supplier part does not exist'],
  exchange_rate_not_found: [404, 'The exchange rate does not exist'],
  forecast_not_found: [404, 'There is no such forecast'],
  requirement_not_found: [404, 'The material requirement does not exist'],
  batch_not_found: [404, 'The batch does not exist'],
  bulk_edit_not_found: [404, 'The bulk edit does not exist'],
  planning_run_not_found: [404, 'The planning run does not exist'],
  automation_not_found: [404, 'The automation does not exist'],
  automation_run_not_found: [404, 'The run does not exist'],
  webhook_not_found: [404, 'The webhook does not exist'],
  delivery_not_found: [404, 'The delivery does not exist'],
  method_not_allowed: [405, 'Method not allowed'],
  not_acceptable: [406, 'Not acceptable'],
  request_timeout: [408, 'The request took too long to arrive'],
  // 409
  slug_taken: [409, 'The slug is taken'],
  supplier_taken: [409, 'The name or code belongs to another supplier'],
  supplier_merged: [409, 'The supplier was merged into another'],
  supplier_part_taken: [409, 'The supplier has that SKU for the item already'],
  too_many_supplier_parts: [409, 'The item has too many supplier parts'],
  too_many_comments: [409, 'There is no room for another comment'],
  comment_deleted: [409, 'The comment was deleted'],
  key_taken: [409, 'The key is taken'],
  guid_taken: [409, 'The GUID is taken'],
  number_taken: [409, 'The number is taken'],
  last_admin_key: [409, 'The last admin key without an end stays'],
  last_admin: [409, 'The last administrator stays'],
  last_way_in: [409, 'The last way to sign in stays'],
  link_spent: [409, 'The link opens nothing'],
  sign_in_expired: [409, 'Begin the sign-in again'],
  already_member: [409, 'The person is a member already'],
  member_ended: [409, 'The member has ended'],
  member_elsewhere: [409, 'The person works in other workspaces too'],
  member_name_taken: [409, 'Another member has this name'],
  user_name_taken: [409, 'The sign-in name is taken'],
  passkeys_unavailable: [409, 'Passkeys do not work at this address'],
  api_key_revoked: [409, 'The API key is revoked'],
  in_use: [409, 'Still in use'],
  unreleased_children: [409, 'Children of the assembly are not released'],
  merge_refused: [409, 'The entities cannot be merged'],
  merged_meanwhile: [409, 'Entities were merged meanwhile'],
  archive_refused: [409, 'The entity cannot be archived or unarchived'],
  entity_archived: [409, 'The entity is archived'],
  bulk_edit_finished: [409, 'The bulk edit has ended'],
  bulk_edit_not_ready: [409, 'The bulk edit cannot be applied or undone'],
  planning_run_finished: [409, 'The planning run has ended'],
  planning_run_not_ready: [409, 'The planning run is not ready for this'],
  category_refused: [409, 'The entity cannot move to that category'],
  storage_full: [409, 'No room for more files'],
  configuration_full: [409, 'No room for more configuration'],
  lock_timeout: [409, 'Held by another call for too long'],
  idempotency_in_progress: [409, 'The first request with this Idempotency-Key is still running'],
  idempotency_answer_sealed: [409, 'The request was done already, under another sign-in'],
  batch_finished: [409, 'The batch is already finished'],
  insufficient_stock: [409, 'Not enough in stock'],
  lot_refused: [409, 'The lot cannot move'],
  base_unit_in_use: [409, 'Quantities of the item are kept in its base unit'],
  stock_closed: [409, 'Stock is closed for that day'],
  costing_off: [409, 'The workspace keeps no costs of its stock'],
  costing_started: [409, 'The workspace keeps costs in another currency'],
  nothing_to_revalue: [409, 'There is no stock to be revalued'],
  standard_cost_set: [409, 'Stock of the item is valued at its standard cost'],
  tracking_in_use: [409, 'Lots of the item are in stock'],
  ledger_altered: [409, 'The ledger contradicts its last digest'],
  count_task_ended: [409, 'The count task has ended'],
  position_moved: [409, 'The stock has moved since it was counted'],
  batch_not_finished: [409, 'The batch is not finished'],
  batch_not_completed: [409, 'The batch has not completed'],
  batch_not_failed: [409, 'The batch has not failed'],
  not_a_plan: [409, 'The batch is not a completed dry run'],
  plan_stale: [409, 'The plan is stale'],
  payload_gone: [409, 'The payload is no longer kept'],
  transition_not_allowed: [409, 'The lifecycle has no such transition'],
  properties_required: [409, 'The state needs values that the entity lacks'],
  over_receipt: [409, 'More than is open would be received'],
  over_shipment: [409, 'More than is open would be shipped'],
  over_reservation: [409, 'More than the line needs would be reserved'],
  over_release: [409, 'More than is reserved would be released'],
  over_issue: [409, 'More than is reserved would be issued'],
  over_reversal: [409, 'More than is left of the entry would be taken back'],
  over_return: [409, 'More than was delivered would be returned'],
  not_reversible: [409, 'The entry cannot be taken back'],
  over_requirement: [409, 'More than is required would be covered'],
  quantity_below_done: [409, 'More has been received or shipped already'],
  over_disassembly: [409, 'More would be taken apart than was built'],
  line_not_open: [409, 'The line is not in a state for that'],
  order_not_open: [409, 'The order takes no more lines'],
  requirement_cancelled: [409, 'The requirement is cancelled'],
  procurement_not_configured: [409, 'The workspace has no category for that'],
  feature_failed: [409, 'A feature automation refused the transition'],
  cycle: [409, 'The structure would have a cycle'],
  automation_read_only: [409, 'The automation cannot be changed'],
  mail_not_available: [409, 'The service cannot send mail'],
  automation_disabled: [409, 'The automation is disabled'],
  not_a_user_action: [409, 'Not an automation that users fire'],
  action_not_offered: [409, 'The entity does not offer the action'],
  run_not_finished: [409, 'The run has not finished'],
  test_waiting: [409, 'A test is on its way'],
  webhook_disabled: [409, 'The webhook is disabled'],
  // 410
  results_gone: [410, 'The results are no longer kept'],
  workspace_gone: [410, 'The workspace has moved'],
  // 412, 413, 415
  precondition_failed: [412, 'The resource has changed'],
  payload_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  // 422
  provider_refused: [422, 'The identity provider did not confirm the sign-in'],
  passkey_refused: [422, 'The passkey was not accepted'],
  way_in_missing: [422, 'A passkey or a password is missing'],
  validation_failed: [422, 'The request is not valid'],
  import_definition_missing: [422, 'There is no such import definition'],
  file_unreadable: [422, 'The file cannot be read'],
  picture_unreadable: [422, 'The picture cannot be read'],
  unknown_field: [422, 'Unknown field'],
  read_only_field: [422, 'The field is read-only'],
  tree_too_large: [422, 'The tree is too large'],
  table_too_large: [422, 'The table is too large'],
  document_too_large: [422, 'The order has too many lines to be printed'],
  too_many_parents: [422, 'Too many assemblies'],
  too_many_uses: [422, 'Too many BOM lines use the item'],
  too_many_to_sort: [422, 'Too many to be sorted'],
  invalid_condition: [422, 'A condition is not valid'],
  unknown_property: [422, 'The workspace defines no such property'],
  too_many_entities: [422, 'Too many entities'],
  idempotency_key_reused: [422, 'The Idempotency-Key was used for another request'],
  quantity_out_of_range: [422, 'The quantity is out of range'],
  zero_quantity: [422, 'The quantity is zero'],
  quantity_inexact: [422, 'The quantity is not exact in the base unit'],
  unit_unknown: [422, 'The item has no such unit'],
  not_an_item: [422, 'Not an item'],
  not_a_location: [422, 'Not a location'],
  unknown_reason: [422, 'The workspace has no such reason'],
  same_location: [422, 'From and to are the same location'],
  not_a_project: [422, 'Not a project'],
  nothing_to_resend: [422, 'Nothing to be sent again'],
  too_many_adjustments: [422, 'Too many adjustments'],
  ambiguous_number: [422, 'Several entities have the number'],
  duplicate_position: [422, 'The position is named twice'],
  batch_too_large: [422, 'The batch is too large to be compared'],
  history_too_large: [422, 'Too many positions for one history'],
  category_hidden: [422, 'Entities of this category are not made by hand'],
  category_not_found: [422, 'The category does not exist'],
  script_syntax_error: [422, 'The script has a syntax error'],
  target_refused: [422, 'The address is refused'],
  // 429
  imports_busy: [429, 'Too many tables are being read'],
  too_many_mails: [429, 'Too many mails within a day'],
  scripts_busy: [429, 'Too many scripts are being tested'],
  rate_limited: [429, 'Too many requests'],
  stock_busy: [429, 'Too many adjustments are waiting'],
  ledger_busy: [429, 'Too many ledgers are being verified'],
  too_many_streams: [429, 'Too many streams are open'],
  too_many_batches: [429, 'Too many unfinished batches'],
  too_many_bulk_edits: [429, 'Too many unfinished bulk edits'],
  too_many_planning_runs: [429, 'Too many unfinished planning runs'],
  // 5xx
  internal_error: [500, 'Internal error'],
  unavailable: [503, 'Temporarily unavailable'],
  provider_unavailable: [503, 'The identity provider does not answer'],
  workspace_moving: [503, 'The workspace is being moved'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof errorCodes;

/** A finding in an invalid request; `pointer` is an RFC 6901 pointer into the body, query or path. */
export interface FieldError {
  pointer: string;
  /** Part of the request that the pointer refers to; the body if absent. */
  in?: 'path' | 'query';
  code: string;
  message: string;
  /** Position in a script. */
  line?: number | null;
  column?: number | null;
}

export interface AppErrorDetails {
  /** Description of what was wrong with this request, for a person. */
  detail: string;
  errors?: FieldError[];
  /** Further members of the problem document (RFC 9457 §3.2), such as `allowed` or `used`. */
  extensions?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The caller's fault, or a refusal: becomes a problem document with the status its code has in the table. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly extensions: Record<string, unknown> | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: ErrorCode, details: AppErrorDetails | string) {
    const given = typeof details === 'string' ? { detail: details } : details;
    super(given.detail, given.cause === undefined ? undefined : { cause: given.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = given.errors;
    this.extensions = given.extensions;
    this.headers = given.headers;
  }

  get status(): number {
    return errorCodes[this.code][0];
  }

  get title(): string {
    return errorCodes[this.code][1];
  }
}

/** Returns the refusal of one field, which gives its code and message to the whole. */
export function fieldError(code: ErrorCode, pointer: string, message: string): AppError {
  return new AppError(code, { detail: message, errors: [{ pointer, code, message }] });
}

/** Returns the refusal of the value at a pointer; `whole` says what is not valid. */
export function invalidValue(at: string, message: string, whole = 'The request is not valid.'): AppError {
  const errors = [{ pointer: at, code: 'invalid_value', message }];
  return new AppError('validation_failed', { detail: `${whole} ${message}`, errors });
}

const AWAY_RETRY_AFTER_SECONDS = '5';

/** Returns the error for callers while a server is down. `lacksRoom`: PostgreSQL answers but cannot write. */
export function awayError({ lacksRoom, cause }: { lacksRoom: boolean; cause?: unknown }): AppError {
  return new AppError('unavailable', {
    detail: lacksRoom
      ? 'The database of the service has no room to write. Nothing of this was done; what is read is answered. Its operator has to make room: try again later.'
      : 'A part of the service does not answer at the moment. Try again.',
    headers: { 'Retry-After': AWAY_RETRY_AFTER_SECONDS },
    cause,
  });
}

/** The last part of a move takes about as long. */
const MOVING_RETRY_AFTER_SECONDS = '2';

/**
 * Returns the error for callers of a workspace that is moving to another installation or has moved. `movedTo`: the
 * address of that installation, if it is known.
 */
export function restingError(state: 'moving' | 'gone', movedTo: string | null = null): AppError {
  if (state === 'moving') {
    return new AppError('workspace_moving', {
      detail: 'The workspace is being moved. Nothing was done: send the request again.',
      headers: { 'Retry-After': MOVING_RETRY_AFTER_SECONDS },
    });
  }
  return new AppError('workspace_gone', {
    detail:
      movedTo === null
        ? 'The workspace has moved to another installation. Its keys are valid there.'
        : `The workspace has moved to ${movedTo}. Its keys are valid there.`,
    ...(movedTo === null ? {} : { extensions: { movedTo } }),
  });
}
