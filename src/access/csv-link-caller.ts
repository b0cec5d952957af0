/**
 * Authenticates the reader of a CSV link. The secret is in the path, where a spreadsheet can put it. It is looked
 * up for every request, without a cache, so that a revocation takes effect on the next one in every process.
 */

import type { Db } from '../db/connect.ts';
import type { RestingState } from '../db/resting.ts';
import { AppError, restingError } from '../errors.ts';
import type { LinkCaller, Refusal } from '../http/callers.ts';
import { slugForm } from './authenticate.ts';
import { authenticateCsvLinkStatement } from './csv-link-caller.sql.ts';
import { hashKey, keyTextFault } from './key-text.ts';

interface LinkRow {
  link_id: string;
  expired: boolean;
  revoked: boolean;
  found_workspace_id: string;
  found_workspace_name: string;
  found_state: 'active' | RestingState;
  found_moved_to: string | null;
}

/**
 * The link as the caller. Throws `csv_link_not_found` for a secret that opens nothing in the
 * workspace of that slug, whatever the reason; `refused` is told it.
 */
export async function authenticateCsvLink(
  db: Db,
  token: string,
  slug: string,
  refused: (why: Refusal) => void,
): Promise<LinkCaller> {
  const fault = keyTextFault(token, 'pbl');
  if (fault !== null || !slugForm.test(slug)) {
    refused(fault ?? 'unknown');
    throw csvLinkNotFound();
  }
  const [row] = await db.query<LinkRow>(authenticateCsvLinkStatement, [hashKey(token), slug]);
  if (row === undefined || row.revoked || row.expired) {
    refused(row === undefined ? 'unknown' : row.revoked ? 'revoked' : 'expired');
    throw csvLinkNotFound();
  }
  if (row.found_state !== 'active') {
    refused('resting');
    throw restingError(row.found_state, row.found_moved_to);
  }
  return {
    linkId: row.link_id,
    workspace: { id: row.found_workspace_id, slug, name: row.found_workspace_name },
    credential: token,
  };
}

/** Returns the token from the path segment after `/csv/`, which may have a file ending. */
export function csvLinkToken(segment: string): string {
  return segment.replace(/\.csv$/, '');
}

function csvLinkNotFound(): AppError {
  return new AppError(
    'csv_link_not_found',
    'This link shows nothing: it never did, or it has expired or been revoked. Ask whoever gave it to you for a new one.',
  );
}
