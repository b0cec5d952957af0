/** `/automations/feature`: which feature automations there are. */

import { z } from 'zod';
import { pageOfSome } from '../../db/read-page.ts';
import { decodeCursor, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import type { Feature } from './feature.ts';
import { FeatureAutomation, FeatureQuery } from './features.schema.ts';
import { features } from './registry.ts';

const getFeatures = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/automations/feature',
  operationId: 'listFeatureAutomations',
  tag: 'Automations',
  summary: 'List feature automations',
  description: 'The built-in actions that a lifecycle transition can have, in order of their keys.',
  access: 'read',
  transaction: 'none',
  query: FeatureQuery,
  answers: { 200: { description: 'A page of feature automations.', schema: listOf(FeatureAutomation) } },
  handle: async ({ query: { contextTypeId, limit, cursor } }) => {
    const after = decodeCursor('features', cursor, z.string()) ?? '';
    const found = (Object.values(features) as Feature[])
      .filter(({ key }) => key > after)
      .filter((feature) => contextTypeId === undefined || feature.contextTypeId === contextTypeId)
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    return { status: 200, body: pageOf('features', pageOfSome(found, limit), ({ key }) => key, show) };
  },
});

function show(feature: Feature): FeatureAutomation {
  const { key, name, description, contextTypeId, implemented } = feature;
  const settingsSchema = { ...z.toJSONSchema(feature.settingsSchema, { io: 'input' }) };
  return { id: key, kind: 'feature', name, description, contextTypeId, settingsSchema, implemented };
}

export const featureRoutes: readonly AnyRoute[] = [getFeatures];
