/** Receivers that answer nothing, or were given up: their deliveries wait for days before one of them counts as a failure. */
import type { InstanceTx } from '../db/transaction.ts';
import { failingWebhooks } from './console.sql.ts';
import { table, time, workspaceLink } from './page-parts.ts';
import { type Html, html } from './write-page.ts';

export interface FailingWebhook {
  slug: string;
  url: string;
  enabled: boolean;
  failing_since: string | null;
  disabled_reason: string | null;
  /** What the last attempt came to, and when; null where its deliveries are gone. */
  text: string | null;
  at: string | null;
}

const SHOWN_MAX = 50;
const TEXT_CHARS_MAX = 500;

export function readFailingWebhooks(tx: InstanceTx): Promise<FailingWebhook[]> {
  return tx.query<FailingWebhook>(failingWebhooks, [SHOWN_MAX]);
}

/** Nothing where all receivers answer. */
export function failingWebhooksPart(webhooks: readonly FailingWebhook[]): Html | null {
  if (webhooks.length === 0) return null;
  const most = html`<p>At most five of a workspace stand here, and ${SHOWN_MAX} in all.</p>`;
  return html`<section><h2>Webhooks that fail</h2>
<p>What waits is sent by itself as soon as a receiver answers. One that is off is switched on by an administrator of its workspace, in
the settings under Webhooks; what failed meanwhile is retried below.</p>${most}${table(
    ['Workspace', 'Receiver', 'Since', 'State', 'Last attempt', 'What it came to'],
    webhooks.map((one) => [
      workspaceLink(one.slug),
      html`<span class="mono">${hostOf(one.url)}</span>`,
      one.failing_since === null ? '' : time(one.failing_since),
      one.enabled ? 'tried again' : html`<span class="bad">off</span>`,
      one.at === null ? '' : time(one.at),
      (one.text ?? one.disabled_reason ?? '').slice(0, TEXT_CHARS_MAX),
    ]),
    '',
  )}</section>`;
}

/** What stands behind the host is the workspace's own, and often a secret. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
