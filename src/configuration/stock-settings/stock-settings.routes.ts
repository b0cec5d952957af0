/** `/stock/settings`: how the workspace keeps stock. */
import { requireMatch } from '../../http/entity-tag.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { lockConfiguration } from '../lock-configuration.ts';
import { readStockSettings, replaceStockSettings } from './change-stock-settings.ts';
import { NewStockSettings, StockSettings } from './stock-settings.schema.ts';
import type { StockSettings as Settings } from './stock-settings.ts';

const path = '/api/wid/{slug}/stock/settings';
const tag = 'Configuration';

function shown({ settings, version }: { settings: Settings; version: number }) {
  const { weekdays, holidays } = settings.workingDays;
  const body = {
    ...settings,
    adjustmentReasons: [...settings.adjustmentReasons],
    workingDays: { weekdays: [...weekdays], holidays: [...holidays] },
  };
  return { status: 200 as const, body, etag: String(version) };
}

const getStockSettings = defineRoute({
  method: 'get',
  path,
  operationId: 'getStockSettings',
  tag,
  summary: 'Read the settings of stock',
  access: 'read',
  transaction: 'read',
  answers: { 200: { description: 'The settings.', schema: StockSettings } },
  handle: async (_, tx) => shown(await readStockSettings(tx)),
});

const putStockSettings = defineRoute({
  method: 'put',
  path,
  operationId: 'replaceStockSettings',
  tag,
  summary: 'Replace the settings of stock',
  description:
    'What was received, ordered or adjusted before stays as it is. `stockClosedUntil`, `costing` and `workingDays` stay if they are omitted. The audit trail keeps the previous settings.',
  access: 'configuration',
  transaction: 'write',
  body: NewStockSettings,
  answers: { 200: { description: 'The changed settings.', schema: StockSettings } },
  errors: ['costing_started'],
  handle: async (call, tx) => {
    await lockConfiguration(tx);
    const { settings, version } = await readStockSettings(tx);
    requireMatch(call, String(version));
    const {
      stockClosedUntil = settings.stockClosedUntil,
      costing = settings.costing,
      workingDays = settings.workingDays,
      ...rest
    } = call.body;
    const after = { ...rest, stockClosedUntil, costing, workingDays };
    await replaceStockSettings(tx, call.actor, settings, after);
    return shown(await readStockSettings(tx));
  },
});

export const stockSettingsRoutes: readonly AnyRoute[] = [getStockSettings, putStockSettings];
