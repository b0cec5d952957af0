/** The refusals that the route helper itself makes, by what a route declares: no route lists them. */
import type { ErrorCode } from '../errors.ts';
import { takesReadOnly } from './read-only.ts';
import { type AnyRoute, honoursIdempotencyKey } from './route.ts';

export function commonErrors(route: AnyRoute): ErrorCode[] {
  const codes: ErrorCode[] = ['validation_failed', 'unknown_field', 'internal_error', 'unavailable'];
  if (route.access !== 'public') codes.push('rate_limited', 'lock_timeout');
  if (route.access === 'csvLink') codes.push('csv_link_not_found');
  else if (route.access !== 'public') codes.push('unauthorized');
  if (route.access !== 'public' && route.access !== 'operator')
    codes.push(
      'workspace_moving',
      'workspace_gone',
      ...(route.access === 'csvLink' ? [] : ['forbidden' as const, 'area_missing' as const]),
    );
  if (route.method !== 'get') {
    codes.push(
      'request_timeout',
      'incomplete_body',
      'invalid_encoding',
      'payload_too_large',
      'unsupported_media_type',
    );
  }
  if (takesReadOnly(route.body)) codes.push('read_only_field');
  if (route.body !== undefined || route.rawBody !== undefined) codes.push('invalid_json');
  if (route.query !== undefined && 'cursor' in route.query.shape) codes.push('invalid_cursor');
  if (honoursIdempotencyKey(route)) {
    codes.push(
      'invalid_header',
      'idempotency_in_progress',
      'idempotency_key_reused',
      'idempotency_answer_sealed',
    );
  }
  if (route.method === 'put' || route.method === 'patch' || route.method === 'delete') {
    codes.push('precondition_failed');
  }
  return codes;
}
