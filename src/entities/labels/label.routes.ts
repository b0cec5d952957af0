/** `/entities/{id}/label`: a QR code that leads to an entity by its GUID, for parts with and without stock. */
import { z } from 'zod';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { ownAddress } from '../../http/own-address.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { EntityParams } from '../entities.schema.ts';
import { findEntity } from '../find-entity.ts';

const label = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/entities/{id}/label',
  operationId: 'getEntityLabel',
  tag: 'Entities',
  summary: 'A QR code of an entity',
  description:
    'Returns SVG, or PNG if `Accept` or `as` says so. The code contains the address of the entity in the web app by GUID, which survives renaming and renumbering; without a GUID, the id.',
  access: 'read',
  // The picture is made by a thread, when the connection has been given back.
  transaction: 'none',
  params: EntityParams,
  query: z.strictObject({
    as: z
      .enum(['svg', 'png'])
      .optional()
      .meta({ description: 'The format, instead of `Accept`, for an image in a page.' }),
    scale: z.coerce.number().int().min(1).max(20).default(4).meta({ description: 'Dots per module.' }),
  }),
  answers: {
    200: {
      description: 'The picture.',
      alternatives: { 'image/svg+xml': 'The picture as SVG.', 'image/png': 'The picture as PNG.' },
    },
  },
  errors: ['entity_not_found', 'not_acceptable', 'invalid_header'],
  handle: async ({ ctx, req, params, query, workspace, gone }) => {
    const accepted = query.as ?? req.accepts(['image/svg+xml', 'image/png']);
    if (accepted === false) {
      throw new AppError('not_acceptable', 'A label is to be had as image/svg+xml or image/png.');
    }
    const base = ownAddress(req);
    const { id, guid } = await inTransaction(
      ctx.db,
      { workspaceId: workspace.id },
      (tx) => findEntity(tx, params.id),
      { readOnly: true, gone },
    );
    const text = `${base}/w/${workspace.slug}/entities/${guid === null ? id : `guid:${guid}`}`;
    const as = accepted === 'png' || accepted === 'image/png' ? 'png' : 'svg';
    const picture = await ctx.labels.inTurn(workspace.id, gone, () =>
      ctx.labels.run({ text, as, scale: query.scale }),
    );
    return {
      status: 200,
      bytes: Buffer.from(picture),
      headers: { 'Content-Type': as === 'png' ? 'image/png' : 'image/svg+xml', Vary: 'Accept' },
    };
  },
});

export const labelRoutes: AnyRoute[] = [label];
