/** The table of contents of the HTTP interface: every route file, and the Express application around them. */
import { fileURLToPath } from 'node:url';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { apiKeyRoutes } from './access/api-keys.routes.ts';
import { openCallers } from './access/callers.ts';
import { groupRuleRoutes } from './access/groups/group-rules.routes.ts';
import { linkRoutes } from './access/members/links.routes.ts';
import { ownMemberRoutes } from './access/members/me.routes.ts';
import { memberRoutes } from './access/members/members.routes.ts';
import { myKeyRoutes } from './access/members/my-keys.routes.ts';
import { meRoutes } from './access/persons/me.routes.ts';
import { myPasskeyRoutes } from './access/persons/my-passkeys.routes.ts';
import { signInRoutes } from './access/persons/sign-in.routes.ts';
import { providerRoutes } from './access/provider.routes.ts';
import { sessionRoutes } from './access/sessions/sessions.routes.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { actionRoutes } from './automation/actions.routes.ts';
import { automationRoutes } from './automation/automations.routes.ts';
import { automationRunRoutes } from './automation/runs/runs.routes.ts';
import { scriptVersionRoutes } from './automation/script-versions.routes.ts';
import { archiveRoutes } from './cleanup/archive.routes.ts';
import { bulkEditRoutes } from './cleanup/bulk-edits/bulk-edits.routes.ts';
import { mergeRoutes } from './cleanup/merge.routes.ts';
import { replaceRoutes } from './cleanup/replace.routes.ts';
import { commentRoutes } from './collaboration/comments/comments.routes.ts';
import { inboxRoutes } from './collaboration/inbox/inbox.routes.ts';
import { inboxMailRoutes } from './collaboration/mail/mail.routes.ts';
import { unsubscribeRoutes } from './collaboration/mail/unsubscribe.routes.ts';
import { categoryRoutes } from './configuration/categories/categories.routes.ts';
import { lifecycleRoutes } from './configuration/lifecycles/lifecycles.routes.ts';
import { propertyDefinitionRoutes } from './configuration/properties/property-definitions.routes.ts';
import { stockSettingsRoutes } from './configuration/stock-settings/stock-settings.routes.ts';
import { mountConsole } from './console/mount-console.ts';
import { refusingWithPage } from './console/refuse-with-page.ts';
import type { Context } from './context.ts';
import { csvLinkRoutes } from './csv-links/csv-links.routes.ts';
import { entityRoutes } from './entities/entities.routes.ts';
import { labelRoutes } from './entities/labels/label.routes.ts';
import { exportRoutes } from './entities/lists/export.routes.ts';
import { findManyRoutes } from './entities/lists/find-many.routes.ts';
import { locationRoutes } from './entities/locations/locations.routes.ts';
import { historyRoutes } from './entities/revisions/history.routes.ts';
import { findUsesRoutes } from './entities/structure/find-uses.routes.ts';
import { pendingLinkRoutes } from './entities/structure/pending-links.routes.ts';
import { structureRoutes } from './entities/structure/structure.routes.ts';
import { viewRoutes } from './entities/views/views.routes.ts';
import { AppError } from './errors.ts';
import { compressAnswers } from './http/answers/compress-long.ts';
import { refuse } from './http/answers/refuse.ts';
import { mountOpenApi } from './http/document/mount-openapi.ts';
import { Admissions } from './http/guards/admissions.ts';
import { openRateLimit } from './http/guards/limit-rate.ts';
import { refuseDoubleHeaders } from './http/guards/refuse-double-headers.ts';
import { apiHeaders } from './http/guards/security-headers.ts';
import type { Wrapper } from './http/pipeline/exchange.ts';
import { mountRoutes } from './http/pipeline/mount.ts';
import { takeTurnAsMounted } from './http/pipeline/take-turn.ts';
import { identifyRequest } from './http/requests/identify-request.ts';
import { logRequests } from './http/requests/log-requests.ts';
import { traceRequests } from './http/requests/trace-requests.ts';
import type { AnyRoute } from './http/route.ts';
import { type RunningServer, startServer } from './http/server/serve.ts';
import { importDefinitionRoutes } from './imports/import-definitions.routes.ts';
import { libraryRoutes } from './kicad/library.routes.ts';
import { agentRoutes } from './mcp/agents.routes.ts';
import { healthRoutes } from './operations/health.routes.ts';
import { mountQueueDashboard } from './operations/mount-queue-dashboard.ts';
import { overviewRoutes } from './overview/overview.routes.ts';
import { ownWorkRoutes } from './overview/own-work/own-work.routes.ts';
import { pictureRoutes } from './pictures/pictures.routes.ts';
import { forecastRoutes } from './planning/forecasts/forecasts.routes.ts';
import { compareRunsRoutes } from './planning/runs/compare-runs.routes.ts';
import { planningRunRoutes } from './planning/runs/planning-runs.routes.ts';
import { promiseRoutes } from './planning/timeline/promise.routes.ts';
import { timelineRoutes } from './planning/timeline/timeline.routes.ts';
import { buildRoutes } from './procurement/builds.routes.ts';
import { correctionRoutes } from './procurement/corrections.routes.ts';
import { costRoutes } from './procurement/cost/cost.routes.ts';
import { demandRoutes } from './procurement/demand/demand.routes.ts';
import { documentRoutes } from './procurement/documents/documents.routes.ts';
import { checkAttachments } from './procurement/features/check-attachments.ts';
import { featureRoutes } from './procurement/features/features.routes.ts';
import { lineRoutes } from './procurement/lines.routes.ts';
import { lotDisassemblyRoutes } from './procurement/lot-disassembly.routes.ts';
import { orderRoutes } from './procurement/orders.routes.ts';
import { exchangeRateRoutes } from './procurement/rates/exchange-rates.routes.ts';
import { reorderRoutes } from './procurement/reorder/reorder.routes.ts';
import { requirementRoutes } from './procurement/requirements.routes.ts';
import { shortageRoutes } from './procurement/shortages/shortages.routes.ts';
import { supplierPartRoutes } from './procurement/supplier-parts/supplier-parts.routes.ts';
import { supplierRoutes } from './procurement/suppliers/suppliers.routes.ts';
import { countTaskRoutes } from './stock/count-tasks.routes.ts';
import { countAndHistoryRoutes } from './stock/counts-and-history.routes.ts';
import { holdRoutes } from './stock/holds.routes.ts';
import { stockListRoutes } from './stock/lists.routes.ts';
import { lotRoutes } from './stock/lots.routes.ts';
import { standardCostRoutes } from './stock/standards.routes.ts';
import { stockRoutes } from './stock/stock.routes.ts';
import { stockTotalsRoutes } from './stock/totals.routes.ts';
import { transferRoutes } from './stock/transfers.routes.ts';
import { unitRoutes } from './stock/units.routes.ts';
import { stockValueRoutes } from './stock/value.routes.ts';
import { absentRoutes } from './sync/absent.routes.ts';
import { batchRoutes } from './sync/batches.routes.ts';
import { problemRoutes } from './sync/problems.routes.ts';
import { resendRoutes } from './sync/resend.routes.ts';
import { submitRoutes } from './sync/submit.routes.ts';
import { mountReference } from './web-app/mount-reference.ts';
import { mountWebApp } from './web-app/mount-web-app.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';
import { workspaceRoutes } from './workspaces/workspaces.routes.ts';

export const routes: readonly AnyRoute[] = [
  ...workspaceRoutes,
  ...sessionRoutes,
  ...signInRoutes,
  ...linkRoutes,
  ...meRoutes,
  ...myPasskeyRoutes,
  ...memberRoutes,
  ...groupRuleRoutes,
  ...ownMemberRoutes,
  ...myKeyRoutes,
  ...apiKeyRoutes,
  ...csvLinkRoutes,
  ...categoryRoutes,
  ...lifecycleRoutes(checkAttachments),
  ...propertyDefinitionRoutes,
  ...stockSettingsRoutes,
  ...auditRoutes,
  ...entityRoutes,
  ...archiveRoutes,
  ...mergeRoutes,
  ...replaceRoutes,
  ...bulkEditRoutes,
  ...findManyRoutes,
  ...exportRoutes,
  ...historyRoutes,
  ...structureRoutes,
  ...findUsesRoutes,
  ...locationRoutes,
  ...pendingLinkRoutes,
  ...viewRoutes,
  ...commentRoutes,
  ...inboxRoutes,
  ...inboxMailRoutes,
  ...importDefinitionRoutes,
  ...labelRoutes,
  ...pictureRoutes,
  ...libraryRoutes,
  ...submitRoutes,
  ...batchRoutes,
  ...problemRoutes,
  ...absentRoutes,
  ...resendRoutes,
  ...stockListRoutes,
  ...stockTotalsRoutes,
  ...stockValueRoutes,
  ...standardCostRoutes,
  ...stockRoutes,
  ...transferRoutes,
  ...lotRoutes,
  ...holdRoutes,
  ...unitRoutes,
  ...countAndHistoryRoutes,
  ...countTaskRoutes,
  ...lineRoutes,
  ...buildRoutes,
  ...lotDisassemblyRoutes,
  ...orderRoutes,
  ...correctionRoutes,
  ...supplierRoutes,
  ...supplierPartRoutes,
  ...reorderRoutes,
  ...planningRunRoutes,
  ...forecastRoutes,
  ...compareRunsRoutes,
  ...timelineRoutes,
  ...promiseRoutes,
  ...requirementRoutes,
  ...shortageRoutes,
  ...costRoutes,
  ...documentRoutes,
  ...exchangeRateRoutes,
  ...demandRoutes,
  ...featureRoutes,
  ...automationRoutes,
  ...scriptVersionRoutes,
  ...automationRunRoutes,
  ...actionRoutes,
  ...webhookRoutes,
  ...overviewRoutes,
  ...ownWorkRoutes,
  ...healthRoutes,
];

/** Routes that are served and are not operations of the interface: neither the document nor the clients know them. */
export const unlistedRoutes: readonly AnyRoute[] = [...agentRoutes, ...providerRoutes, ...unsubscribeRoutes];

const builtWebApp = fileURLToPath(new URL('../web/dist', import.meta.url));

/** Serves the application on HOST and PORT. */
export function startWeb(
  ctx: Context,
  options: Omit<ApiOptions, 'draining' | 'closing'> = {},
): Promise<RunningServer> {
  return startServer(ctx, (signals) => createApp(ctx, { ...options, ...signals }));
}

/** Keys of a workspace that may use their limits up at once, where nothing else is said. */
const WORKSPACE_KEYS = 5;

export interface Api {
  app: Express;
  /** Writes what is still held back; call it when the last request has been answered. */
  close(): Promise<void>;
}

export interface ApiOptions {
  /** Aborted when the service begins to stop: it is not ready any more, and does yet what comes. */
  draining?: AbortSignal;
  /** Aborted when it takes nothing new: waits and streams end then. */
  closing?: AbortSignal;
  /** Folder of the built web app, instead of `web/dist`. */
  webFolder?: string;
  /** Other routes than the service's own: for tests of the machinery. */
  routes?: readonly AnyRoute[];
  /** A step of the pipeline around what makes each answer: tests hold answers to their declaration. */
  inside?: Wrapper;
}

function createApp(ctx: Context, options: ApiOptions = {}): Api {
  const { config } = ctx;
  const {
    draining = new AbortController().signal,
    closing = new AbortController().signal,
    routes: mounted = routes,
    webFolder = builtWebApp,
  } = options;
  const callers = openCallers(ctx);
  const admissions = new Admissions(config.STREAM_HEARTBEAT_SECONDS * 1000);
  const limitRate = openRateLimit(ctx.redis, {
    key: config.RATE_LIMIT_REQUESTS,
    workspace: config.RATE_LIMIT_WORKSPACE_REQUESTS ?? WORKSPACE_KEYS * config.RATE_LIMIT_REQUESTS,
    windowSeconds: config.RATE_LIMIT_WINDOW_SECONDS,
    patienceMs: config.RATE_LIMIT_PATIENCE_MS,
    prefix: `${config.QUEUE_PREFIX}:rate`,
  });

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('trust proxy', config.TRUST_PROXY);
  app.set('query parser', false);
  app.use(identifyRequest);
  app.use(traceRequests);
  app.use(logRequests(ctx.log));
  app.use(apiHeaders);
  app.use(refuseDoubleHeaders);
  // It compresses by itself what is long.
  const machinery = { ctx, callers, limitRate, admissions, draining, closing };
  app.use(mountRoutes(machinery, [...mounted, ...unlistedRoutes], options.inside));
  app.use(takeTurnAsMounted(machinery));
  app.use(compressAnswers);
  mountOpenApi(app, mounted);
  mountReference(app, webFolder);
  mountQueueDashboard(app, ctx, refusingWithPage(ctx));
  mountConsole(app, ctx, webFolder);
  mountWebApp(app, webFolder);
  app.use((req: Request, res: Response) =>
    refuse(req, res, new AppError('not_found', 'There is nothing at this path.')),
  );
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) =>
    refuse(req, res, isUndecodable(error) ? undecodable() : error),
  );
  return {
    app,
    close: async () => {
      await admissions.close();
      await callers.close();
    },
  };
}

/** Express could not percent-decode a path parameter: it is not UTF-8. */
function isUndecodable(error: unknown): boolean {
  if (error instanceof AppError) return false;
  return error instanceof URIError || (error as { status?: unknown } | null)?.status === 400;
}

function undecodable(): AppError {
  return new AppError('validation_failed', {
    detail: 'The path is not valid UTF-8 in percent-encoding.',
    errors: [{ pointer: '', in: 'path', code: 'invalid_text', message: 'Not valid UTF-8.' }],
  });
}
