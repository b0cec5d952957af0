/** A workspace that is full of large things: every list has more, and fatter, rows than a page takes. */
import { newId } from '../../src/db/ids.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import type { TestServer } from '../setup/server.ts';

/** Where a list is, how many items it has where that is known, and the member that tells them apart. */
export interface LargeList {
  path: string;
  count: number | null;
  by: string;
}

export interface LargeWorkspace {
  workspace: ProcuringWorkspace;
  /** By operation, and what it is asked for where it is in several. */
  lists: ReadonlyMap<string, LargeList>;
  /** One of each kind, the largest. */
  large: Record<
    | 'entity'
    | 'parent'
    | 'automation'
    | 'run'
    | 'webhook'
    | 'delivery'
    | 'line'
    | 'order'
    | 'requirement'
    | 'supplier'
    | 'supplierPart'
    | 'part'
    | 'partial'
    | 'bulkEdit'
    | 'dryRun'
    | 'planningRun'
    | 'comparedRun',
    string
  >;
}

export async function makeLargeWorkspace(server: TestServer): Promise<LargeWorkspace> {
  const workspace = await makeProcuringWorkspace(server, { items: 3, locations: 2 });
  const lists = new Map<string, LargeList>();
  const { id: w, project, must } = workspace;
  const [item, parent] = workspace.items as [string, string, string];
  const [location, warehouse] = workspace.locations as [string, string];
  const run = (sql: string, params: unknown[] = []) =>
    workspace.transact((tx) => tx.query(sql, [w, ...params]));
  const long = 'ü'.repeat(1000);
  const ids = (count: number) => Array.from({ length: count }, newId);
  const list = (operationId: string, path: string, count: number | null, by = 'id') =>
    lists.set(operationId, { path, count, by });

  await run(`insert into actor (workspace_id, id, type, name) values ($1, $1, 'apiKey', 'A key')`);
  const fat = ids(12);
  await run(
    `insert into entity (workspace_id, id, version_id, name, category, state, properties, revised_by)
     select $1, id, id, 'fat', 'location', 'Active',
            (select jsonb_object_agg('P' || p, repeat('x', 30000)) from generate_series(1, 15) p), $1
     from unnest($2::uuid[]) as i (id)`,
    [fat],
  );
  list('listEntities', '/entities?q=fat', 12);
  await run(
    `insert into entity_revision (workspace_id, entity_id, revision_number, version_id, name, category, state,
                                  properties, created_at, created_by)
     select $1, $2, n, gen_random_uuid(), 'old', 'location', 'Active', e.properties, now(), $1
     from entity e cross join generate_series(1, 11) n where e.workspace_id = $1 and e.id = $2`,
    [fat[0]],
  );
  await run('update entity set revision_number = 12 where workspace_id = $1 and id = $2', [fat[0]]);
  list('listEntities sorted', '/entities?q=fat&sort=number', 12);
  list('listRevisions', `/entities/${fat[0]}/revisions`, 12, 'revisionNumber');

  // Parts with long names, as children, parents and holders of stock.
  const named = ids(1500);
  await run(
    `insert into entity (workspace_id, id, version_id, guid, number, name, category, state, revised_by)
     select $1, id, id, id, repeat('n', 255), $3, 'part', 'In Work', $1 from unnest($2::uuid[]) as i (id)`,
    [named, long],
  );
  await run(
    `insert into entity_link (workspace_id, parent_id, child_id, quantity, line)
     select $1, $2, id, 1, jsonb_build_object('note', repeat('n', 1024), 'referenceDesignators',
              (select jsonb_agg('R' || n) from generate_series(1, 100) n))
     from unnest($3::uuid[]) as i (id)`,
    [parent, named],
  );
  await run(
    `insert into entity_link (workspace_id, parent_id, child_id, quantity)
     select $1, id, $2, 1 from unnest($3::uuid[]) as i (id)`,
    [item, named],
  );
  await run(
    `insert into entity_revision_link (workspace_id, entity_id, revision_number, child_id, quantity)
     select $1, $2, 1, id, 1 from unnest($3::uuid[]) as i (id)`,
    [fat[0], named],
  );
  list('listUses', `/entities/${parent}/uses`, 1500, 'entityId');
  list('findUses', '/uses?referenceDesignator=R17', 1500, 'parentEntityId+childEntityId');
  await run(
    `insert into pending_link (workspace_id, parent_guid, child_id, quantity, line)
     select $1, $2, child_id, quantity, line from entity_link where workspace_id = $1 and parent_id = $3`,
    [newId(), parent],
  );
  list('listPendingLinks', '/pending-links', 1500, 'childEntityId');
  list('listWhereUsed', `/entities/${item}/where-used`, 1500, 'entityId');
  list('listRevisionUses', `/entities/${fat[0]}/revisions/1/uses`, 1500, 'entityId');
  await run(
    `insert into entity_transition (workspace_id, entity_id, id, version_id, revision_number, from_state, to_state,
                                    note, actor_id)
     select $1, $2, id, $2, 1, 'In Work', 'Released', $4, $1 from unnest($3::uuid[]) as i (id)`,
    [item, ids(1500), long],
  );
  list('listTransitions', `/entities/${item}/transitions`, 1500);

  const batch = (itemId: (at: number) => string) =>
    must(201, 'POST', '/stock/adjustments/batch', {
      adjustments: Array.from({ length: 900 }, (_, at) => ({
        itemEntityId: itemId(at),
        locationEntityId: location,
        quantity: 1,
        note: 'ü'.repeat(1000),
      })),
    });
  await batch(() => item);
  await batch((at) => named[at] as string);
  list('listLedgerByItem', `/stock/ledger/by-item/${item}`, 900);
  list('listLedgerByLocation', `/stock/ledger/by-location/${location}`, 1800);
  list('listPositionsByLocation', `/stock/positions/by-location/${location}`, 901, 'itemEntityId');
  const places = ids(900);
  await run(
    `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by, parent_location_id)
     select $1, id, id, repeat('n', 255), $3, 'location', 'Active', $1, $4 from unnest($2::uuid[]) as i (id)`,
    [places, long, warehouse],
  );
  list('listLocations', `/locations?parent=${warehouse}`, 900);
  list('listSumsByLocation', `/stock/sums/by-location/${location}`, 901, 'itemEntityId');
  await must(201, 'POST', '/stock/adjustments/batch', {
    adjustments: places.map((locationEntityId) => ({
      itemEntityId: workspace.items[2],
      locationEntityId,
      quantity: 1,
    })),
  });
  const tracked = named[1200] as string;
  await must(200, 'PUT', `/stock/tracking/${tracked}`, { tracking: 'lot' });
  await must(201, 'POST', '/stock/adjustments/batch', {
    adjustments: Array.from({ length: 900 }, (_, at) => ({
      itemEntityId: tracked,
      locationEntityId: warehouse,
      quantity: 1,
      lot: `L-${at}`,
      newLot: { expiresOn: '2999-12-31' },
    })),
  });
  await run(
    `insert into stock_transit (workspace_id, id, item_id, from_id, to_id, quantity, in_transit, note)
     select $1, id, $2, $3, $4, 1, 1, $6 from unnest($5::uuid[]) as i (id)`,
    [named[0], places[0], places[1], ids(900), long],
  );
  list('listTransfersInTransit', '/stock/transfers', 900);
  list('listLots', `/stock/lots?itemEntityId=${tracked}`, 900);
  list('listPositionsByItem', `/stock/positions/by-item/${workspace.items[2]}`, 900, 'locationEntityId');
  list('listPositions', '/stock/positions', null, 'itemEntityId+locationEntityId');
  list('listLedger', '/stock/ledger', null);

  const orders = ids(1200);
  const lines = ids(1200);
  const requirements = ids(1200);
  for (const [many, category, name] of [
    [orders, 'purchaseOrder', long],
    [lines, 'purchaseOrderLine', 'A line'],
    [requirements, 'materialRequirement', 'A requirement'],
  ] as const) {
    await run(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
       select $1, id, id, repeat('ü', 255), $3, c.key, 'Open', $1
       from unnest($2::uuid[]) as i (id), category c where c.workspace_id = $1 and c.behaviour = $4`,
      [many, name, category],
    );
  }
  await run(
    `insert into stock_line (workspace_id, id, type, order_id, item_id, location_id, quantity)
     select $1, id, 'purchaseOrder', o, $4, $5, 1 from unnest($2::uuid[], $3::uuid[]) as i (id, o)`,
    [lines, orders, named[0], location],
  );
  await run(
    `insert into material_requirement (workspace_id, id, project_id, item_id, quantity)
     select $1, id, $3, $4, 1 from unnest($2::uuid[]) as i (id)`,
    [requirements, project, named[0]],
  );
  list('listOrders', '/orders', 1200);
  list('listStockLines', '/stock/lines', 1200);
  list('listRequirements', '/requirements', 1200);

  const suppliers = ids(1200);
  const parts = ids(1200);
  await run(
    `insert into supplier (workspace_id, id, name, key, contact)
     select $1, id, id::text, id::text, repeat('c', 2000) from unnest($2::uuid[]) as i (id)`,
    [suppliers],
  );
  list('listSuppliers', '/suppliers', 1200);
  await run(
    `insert into supplier_part (workspace_id, id, item_id, supplier_id, sku, pack_quantity, rank, status, prices)
     select $1, id, $3, $4, id::text, 1, 1, 'active',
            (select jsonb_agg(jsonb_build_object('from', n || '.000000', 'price', '1.000000', 'currency', 'EUR', 'validFrom', null,
                                                 'source', repeat('s', 255))) from generate_series(1, 100) n)
     from unnest($2::uuid[]) as i (id)`,
    [parts, named[0], suppliers[0]],
  );
  list('listSupplierParts', '/supplier-parts', 1200);
  await run(
    `insert into exchange_rate (workspace_id, from_currency, to_currency, valid_from, rate)
     select $1, 'USD', 'EUR', date '2020-01-01' + n, 0.9 from generate_series(1, 1200) n`,
    [],
  );

  await run(
    `insert into audit_log (workspace_id, id, actor_id, action, subject_type, subject_key, before, after)
     select $1, id, $1, 'update', 'lifecycle', 'x', to_jsonb(repeat('b', 200000)), to_jsonb(repeat('a', 200000))
     from unnest($2::uuid[]) as i (id)`,
    [ids(12)],
  );
  list('listAudit', '/audit', null);

  for (let n = 0; n < 12; n++) {
    await run(
      `insert into lifecycle (workspace_id, key, name, initial_state, states, transitions)
       values ($1, $2, 'Large', 'A', '[{"name": "A", "released": false}, {"name": "B", "released": true}]',
               jsonb_build_array(jsonb_build_object('id', 't', 'name', 'T', 'from', 'A', 'to', 'B', 'featureAutomations',
                 jsonb_build_array(jsonb_build_object('feature', 'notifyWebhook',
                   'settings', jsonb_build_object('text', repeat('x', 200000)))))))`,
      [`zz${n}`],
    );
  }
  list('listLifecycles', '/lifecycles', null, 'key');
  await run(
    `insert into category (workspace_id, key, name, numbering, lifecycle, role, behaviour, hidden_from_new)
     select $1, 'zz' || n || repeat('ü', 240), repeat('ü', 255), '{"source": "payload", "pattern": "{0}"}',
            'zz1', 'none', 'none', false
     from generate_series(1, 900) n`,
  );
  list('listCategories', '/categories', null, 'key');
  await run(
    `insert into property_definition (workspace_id, key, name, type)
     select $1, 'zz' || n || repeat('ü', 240), repeat('ü', 255), 'text' from generate_series(1, 1500) n`,
  );
  list('listPropertyDefinitions', '/property-definitions', null, 'key');
  await run(
    `insert into api_key (workspace_id, id, name, permission, prefix, hash)
     select $1, id, repeat('語', 255), 'read', left(id::text, 12), decode(md5(id::text) || md5(id::text), 'hex')
     from unnest($2::uuid[]) as i (id)`,
    [ids(1500)],
  );
  list('listApiKeys', '/api-keys', 1501);
  await run(
    `insert into member (workspace_id, id, name, areas)
     select $1, id, id::text || repeat('語', 400), array['read'] from unnest($2::uuid[]) as i (id)`,
    [ids(1500)],
  );
  list('listMembers', '/members', 1500);
  await run(
    `insert into invitation (workspace_id, id, name, areas, token_hash, created_by, expires_at)
     select $1, id, repeat('語', 1100), array['read'], decode(md5(id::text), 'hex'),
            (select id from api_key where workspace_id = $1 and permission = 'admin' limit 1), now() + interval '7 days'
     from unnest($2::uuid[]) as i (id)`,
    [ids(500)],
  );
  list('listInvitations', '/invitations', 500);
  await run(
    `insert into csv_link (workspace_id, id, name, list, prefix, token_hash, created_by)
     select $1, id, 'Wide', jsonb_build_object('of', 'entities', 'columns',
              (select jsonb_agg('properties.' || n || repeat('x', 250)) from generate_series(1, 100) n)),
            left(id::text, 12), decode(md5(id::text), 'hex'), $1
     from unnest($2::uuid[]) as i (id)`,
    [ids(60)],
  );
  list('listCsvLinks', '/csv-links', 60);
  await run(
    `insert into saved_view (workspace_id, id, name, list, shared, settings, owner_id, owner_name)
     select $1, id, repeat('語', 255), 'entities', true,
            json_build_object('filters', '{}'::json, 'sort', null, 'order', null, 'columns',
              (select json_agg('properties.' || n || repeat('x', 250)) from generate_series(1, 100) n)),
            $1, repeat('語', 255)
     from unnest($2::uuid[]) as i (id)`,
    [ids(60)],
  );
  list('listViews', '/views', 60);
  const comments = ids(1000);
  await run(
    `insert into comment (workspace_id, id, entity_id, author_id, text, mentions)
     select $1, id, $3, $1, repeat('語', 10000), '{}' from unnest($2::uuid[]) as i (id)`,
    [comments, named[0]],
  );
  list('listComments', `/comments?entity=${named[0]}`, 1000);
  await run(
    `insert into comment_version (workspace_id, comment_id, version, text, written_at)
     select $1, $2, n, repeat('語', 10000), now() + n * interval '1 second' from generate_series(1, 500) n`,
    [comments[0]],
  );
  list('listCommentVersions', `/comments/${comments[0]}/versions`, 500, 'writtenAt');
  list('listPeople', '/people', 1500);
  // The key becomes that of a member, whose inbox is read.
  await run(
    `update api_key set member_id = (select id from member where workspace_id = $1 limit 1)
     where workspace_id = $1 and permission = 'admin'`,
  );
  const own = `(select member_id from api_key where workspace_id = $1 and member_id is not null limit 1)`;
  await run(
    `insert into subscription (workspace_id, id, member_id, subject_type, subject_key, below, stock, muted, automatic)
     select $1, id, ${own}, 'importProfile', id::text || repeat('語', 300), false, false, false, false from unnest($2::uuid[]) as i (id)`,
    [ids(1000)],
  );
  list('listSubscriptions', '/me/subscriptions', 1000);
  await run(
    `insert into inbox_line (workspace_id, id, member_id, kind, subject_type, subject_key, entity_id, comment_id, events,
                             first_at, last_at)
     select $1, id, ${own}, 'commented', 'import', id, $3,
            (select id from comment where workspace_id = $1 limit 1), 1, now(), now() from unnest($2::uuid[]) as i (id)`,
    [ids(500), named[0]],
  );
  list('listInbox', '/me/inbox', 500);
  const edits = ids(60);
  await run(
    `insert into bulk_edit (workspace_id, id, status, dry_run, filter, change, actor_type, actor_id, actor_name, finished_at)
     select $1, id, 'completed', false, json_build_object('ids', $3::uuid[]),
            json_build_object('properties', json_build_object('P1', repeat('x', 30000))), 'apiKey', $1, 'A key', now()
     from unnest($2::uuid[]) as i (id)`,
    [edits, ids(1000)],
  );
  await run('update bulk_edit set dry_run = true where workspace_id = $1 and id = $2', [edits[1]]);
  list('listBulkEdits', '/bulk-edits', 60);
  await run(
    `insert into bulk_edit_result (workspace_id, bulk_edit_id, entity_id, result, changes)
     select $1, $2, id, 'changed', json_build_array(
              json_build_object('field', 'properties.P1', 'from', repeat('x', 10000), 'to', repeat('y', 10000)))
     from unnest($3::uuid[]) as i (id)`,
    [edits[0], named],
  );
  list('listBulkEditResults', `/bulk-edits/${edits[0]}/results`, named.length, 'entityId');

  const planned = ids(60);
  await run(
    `insert into planning_run (workspace_id, id, status, options, is_what_if, day, actor_type, actor_id, actor_name, finished_at)
     select $1, id, 'completed',
            json_build_object('horizonDays', 180, 'periodDays', 7, 'toleranceDays', 7, 'weekdays', '[1]'::json,
              'holidays', (select json_agg('2026-12-24'::text) from generate_series(1, 500)),
              'demand', (select json_agg(json_build_object('itemEntityId', $3::uuid, 'quantity', 1, 'requiredBy', '2026-12-24'))
                         from generate_series(1, 500))),
            false, '2026-11-27', 'apiKey', $1, 'A key', now()
     from unnest($2::uuid[]) as i (id)`,
    [planned, item],
  );
  await run(
    `insert into forecast (workspace_id, item_id, from_day, until_day, quantity)
     select $1, $2, date '2027-01-01' + n, date '2027-01-01' + n, 5 from generate_series(1, 1200) n`,
    [item],
  );
  list('listPlanningRuns', '/planning/runs', 60);
  await run(
    `insert into planning_action (workspace_id, run_id, ordinal, item_id, action, exceptions, needed_on, starts_on, quantity, basis)
     select $1, $2, n, ($3::uuid[])[1 + n % cardinality($3::uuid[])], 'order', array['late', 'noSupplier'], '2026-12-24',
            '2026-11-27', 5, '0 0 0 0 0'
     from generate_series(1, 2000) n`,
    [planned[0], named],
  );
  list('listPlanningActions', `/planning/runs/${planned[0]}/actions`, 2000, 'number');
  const compared = `/planning/runs/${planned[0]}/compare?with=${planned[1]}`;
  list('comparePlanningRuns', compared, 2000, 'action.number');

  const runs = ids(300);
  const automations = ids(40);
  const [automation] = automations as [string];
  await run(
    `insert into automation (workspace_id, id, name, context_type, script, enabled)
     select $1, id, 'A', 1, repeat('/', 65000), false from unnest($2::uuid[]) as i (id)`,
    [automations],
  );
  list('listAutomations', '/automations', null);
  await run(
    `insert into automation_script (workspace_id, automation_id, version, script, created_by)
     select $1, $2, n, repeat('/', 65000), $1 from generate_series(1, 40) n`,
    [automation],
  );
  await run('update automation set script_version = 40 where workspace_id = $1 and id = $2', [automation]);
  list('listScriptVersions', `/automations/${automation}/versions`, 40, 'version');
  await run(
    `insert into automation_run (workspace_id, id, automation_id, script_version, event_id, event_index, context_type,
                                 context, event_at, status, depth, error)
     select $1, id, $2, 1, id, 0, 1, '{}', now(), 'failed', 0,
            jsonb_build_object('kind', 'runtime', 'name', 'Error', 'message', repeat('e', 8000), 'line', 1, 'column', 1, 'snippet', null, 'stack', null)
     from unnest($3::uuid[]) as i (id)`,
    [automation, runs],
  );
  list('listAutomationRuns', `/automations/${automation}/runs`, 300);
  list('listAllAutomationRuns', '/automation-runs?status=failed', 300);
  const hooks = ids(1200);
  const deliveries = ids(1200);
  const [hook] = hooks as [string];
  await run(
    `insert into webhook (workspace_id, id, url, description, events, enabled, secret)
     select $1, id, 'https://example.com/' || repeat('u', 1000), repeat('d', 900), '[]', false, 'x'
     from unnest($2::uuid[]) as i (id)`,
    [hooks],
  );
  list('listWebhooks', '/webhooks', 1200);
  await run(
    `insert into import_definition (workspace_id, name, mapping)
     select $1, 'file-' || n, jsonb_build_object('nothing', (select jsonb_agg(repeat('w', 250)) from generate_series(1, 40)))
     from generate_series(1, 1200) n`,
  );
  list('listImportDefinitions', '/import-definitions', 1200, 'name');
  await run(
    `insert into webhook_delivery (workspace_id, webhook_id, id, type, payload, status, last_error)
     select $1, $2, id, 'import.completed', '{}', 'failed', repeat('e', 2000) from unnest($3::uuid[]) as i (id)`,
    [hook, deliveries],
  );
  list('listWebhookDeliveries', `/webhooks/${hook}/deliveries`, 1200);
  await run(
    `insert into sync_batch (workspace_id, id, status, profile_name, submitted_by, finished_at, counts, failure)
     select $1, id, 'failed', repeat('p', 100), $1, now(),
            '{"created": 0, "updated": 0, "skipped": 0, "error": 0, "warnings": 0}',
            jsonb_build_object('code', 'chunk_failed', 'message', repeat('m', 2000))
     from unnest($2::uuid[]) as i (id)`,
    [ids(1200)],
  );
  const [whole, partial] = ids(2) as [string, string];
  await run(
    `insert into sync_batch (workspace_id, id, status, profile_name, submitted_by, finished_at, counts)
     select $1, id, 'completed', 'Partial', $1, now(),
            '{"created": 0, "updated": 0, "skipped": 0, "error": 0, "warnings": 0}'
     from unnest($2::uuid[]) as i (id)`,
    [[whole, partial]],
  );
  await run(
    `insert into sync_result (workspace_id, batch_id, range, chunk, created, updated, skipped, error, results, brought)
     values ($1, $2, 0, 0, 0, 0, 0, 0, '', $3)`,
    [whole, named],
  );
  list('listSyncBatches', '/pdm/sync/batches', 1202, 'batchId');
  list('listAbsentEntities', `/pdm/sync/batches/${partial}/absent`, 1500, 'entityId');
  const first = (many: readonly string[]) => many[0] as string;
  return {
    workspace,
    lists,
    large: {
      entity: first(fat),
      parent,
      automation,
      run: first(runs),
      webhook: hook,
      delivery: first(deliveries),
      line: first(lines),
      order: first(orders),
      requirement: first(requirements),
      supplier: first(suppliers),
      supplierPart: first(parts),
      part: first(named),
      partial,
      bulkEdit: first(edits),
      dryRun: edits[1] as string,
      planningRun: first(planned),
      comparedRun: planned[1] as string,
    },
  };
}
